/* SPDX-License-Identifier: MIT
 *
 * responses -- pieces of OpenAI's Responses API that its reader, its writer
 * and its stream share. Not for others.
 */
#ifndef CORDON_AGENT_RESPONSES_H
#define CORDON_AGENT_RESPONSES_H

#include "agent/wire.h"

/* An item that the assistant made. */
int responses_read_output(const struct json *v, struct part_list *to,
                          struct arena *a, struct err *e);
void responses_read_head(const struct json *v, struct model_answer *out);

/* Where an item of an answer stands, from which its id is made. */
struct item_place {
    str id; /* the answer's */
    size_t index;
};

/* Appends the id of the item of part p (NULL: one that brings none). */
int responses_item_id(const struct item_place *at, const char *prefix,
                      const struct part *p, struct buf *out, struct err *e);

/* The item that begins with part p; *next is the part after it. at is NULL in
 * a request, where what was said may be plain text. */
int responses_put_item(struct jw *w, const struct item_place *at,
                       const struct part *p, const struct part **next,
                       struct err *e);
bool responses_takes(const struct part *p);

/* The response object; with_output says whether its items are in it. */
int responses_put_object(struct jw *w, const struct model_answer *m,
                         const char *status, bool with_output, struct err *e);

#endif
