/* SPDX-License-Identifier: MIT
 *
 * gemini -- pieces of generateContent that its reader, its writer and its
 * stream share. Not for others.
 */
#ifndef CORDON_AGENT_GEMINI_H
#define CORDON_AGENT_GEMINI_H

#include "agent/wire.h"

int gemini_read_part(const struct json *v, struct part_list *to,
                     struct arena *a, struct err *e);
void gemini_read_head(const struct json *v, struct model_answer *out);

int gemini_put_part(struct jw *w, const struct model_request *q,
                    const struct part *p, struct err *e);
void gemini_put_usage(struct jw *w, const struct model_answer *m);
bool gemini_takes(const struct part *p);

#endif
