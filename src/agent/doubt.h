/* SPDX-License-Identifier: MIT
 *
 * doubt -- how sure was a model that it should call a tool, or should not?
 *
 * A model decides with the first token it writes: it is the one that begins a
 * call, or it is not. Servers that tell the probabilities of the tokens they
 * might have chosen (logprobs) so tell how close that was.
 */
#ifndef CORDON_AGENT_DOUBT_H
#define CORDON_AGENT_DOUBT_H

#include "agent/message.h"

#define DOUBT_TOKENS 5 /* alternatives to ask a server for */

/* From 0 to 1: how sure it was of what it did. -1: nothing is known, because
 * the server told no probabilities, or it called and none of the tokens is
 * known to begin a call. */
double doubt_sure(const struct model_answer *m);

#endif
