/* SPDX-License-Identifier: MIT
 *
 * anthropic -- pieces of the Messages API that its reader, its writer and its
 * stream share. Not for others.
 */
#ifndef CORDON_AGENT_ANTHROPIC_H
#define CORDON_AGENT_ANTHROPIC_H

#include "agent/wire.h"

int anthropic_read_block(const struct json *v, struct part_list *to,
                         struct arena *a, struct err *e);
void anthropic_read_usage(const struct json *v, struct model_answer *out);

int anthropic_put_block(struct jw *w, const struct part *p, struct err *e);
void anthropic_put_usage(struct jw *w, const struct model_answer *m);

/* Does the part have a form in this API? Thinking of others has none. */
bool anthropic_takes(const struct part *p);

#endif
