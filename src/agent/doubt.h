/* SPDX-License-Identifier: MIT
 *
 * doubt -- how sure was a model that it should call a tool, or should not?
 *
 * A model decides with the first token it writes: it is the one that begins a
 * call, or it is not. Servers that tell the probabilities of the tokens they
 * might have chosen (logprobs) so tell how close that was. What none of them
 * says is not guessed: Anthropic and Bedrock tell nothing.
 */
#ifndef CORDON_AGENT_DOUBT_H
#define CORDON_AGENT_DOUBT_H

#include "agent/message.h"

#define DOUBT_TOKENS 5 /* alternatives to ask a server for */

/* Takes from an answer, or from an event of a stream, what it tells and was not
 * told before; true when there is some. */
bool odds_read(enum api api, const struct json *v, struct odds *odds);

/* From 0 to 1: how sure it was of what it did. -1: nothing is known, because
 * the server told no probabilities, or none that say something about the call.
 */
double doubt_sure(const struct model_answer *m);

#endif
