/* SPDX-License-Identifier: MIT
 *
 * emit_inside -- what the files of emit share. Not for others.
 */
#ifndef CORDON_AGENT_EMIT_INSIDE_H
#define CORDON_AGENT_EMIT_INSIDE_H

#include "agent/emit.h"
#include "agent/wire.h"

/* One event while its JSON is being written. */
struct event {
    struct jw w;
    struct buf *out;
};

/* "event: name" where the API names its events, then "data: " and the JSON. */
int event_begin(struct event *v, const char *name, struct buf *out,
                struct err *e);
int event_end(struct event *v, struct err *e);

/* -- Messages (emit_anthropic.c) ---------------------------------------------
 */

int emit_anthropic_begin(struct emit *x, struct buf *out, struct err *e);
int emit_anthropic_text(struct emit *x, str text, struct buf *out,
                        struct err *e);
int emit_anthropic_text_end(struct emit *x, struct buf *out, struct err *e);
int emit_anthropic_part(struct emit *x, const struct part *p, struct buf *out,
                        struct err *e);
int emit_anthropic_end(const struct model_answer *m, struct buf *out,
                       struct err *e);

/* -- Responses (emit_responses.c) --------------------------------------------
 */

int emit_responses_begin(struct emit *x, struct buf *out, struct err *e);
int emit_responses_text(struct emit *x, str text, struct buf *out,
                        struct err *e);
int emit_responses_text_end(struct emit *x, struct buf *out, struct err *e);
int emit_responses_part(struct emit *x, const struct part *p, struct buf *out,
                        struct err *e);
int emit_responses_end(struct emit *x, const struct model_answer *m,
                       struct buf *out, struct err *e);

#endif
