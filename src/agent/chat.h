/* SPDX-License-Identifier: MIT
 *
 * chat -- pieces of Chat Completions that its reader, its writer and its
 * stream share. Not for others.
 */
#ifndef CORDON_AGENT_CHAT_H
#define CORDON_AGENT_CHAT_H

#include "agent/wire.h"

/* What an assistant's message says: thinking, text, refusal, calls. */
int chat_read_said(const struct json *m, struct part_list *to, struct arena *a,
                   struct err *e);
int chat_read_call(const struct json *v, struct part_list *to, struct arena *a,
                   struct err *e);
void chat_read_usage(const struct json *v, struct model_answer *out);

/* Responses has these too. */
enum role chat_role(str word);
void chat_read_limits(const struct json *v, struct model_request *out);
int chat_read_allowed(const struct json *tools, struct choice *to,
                      struct arena *a, struct err *e);

/* "[DONE]" was read. */
struct stream;
void chat_stream_done(struct stream *s);

void chat_put_call(struct jw *w, const struct part *p, int index);
void chat_put_usage(struct jw *w, const struct model_answer *m);

#endif
