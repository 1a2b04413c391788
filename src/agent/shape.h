/* SPDX-License-Identifier: MIT
 *
 * shape -- a request in the form that a model's server understands, and its
 * answer back in ours: where the server knows no tools they are told as text,
 * with a grammar if it samples by one, and calls are read from the text.
 */
#ifndef CORDON_AGENT_SHAPE_H
#define CORDON_AGENT_SHAPE_H

#include "agent/provider.h"

/* Lives in the arena, and in q: q itself where nothing need change. */
int shape_request(const struct model_config *c, const struct model_request *q,
                  struct arena *a, struct model_request *out, struct err *e);

/* offers: those of the request before it was shaped. */
int shape_answer(const struct model_config *c, const struct offers *offers,
                 struct arena *a, struct model_answer *m, struct err *e);

#endif
