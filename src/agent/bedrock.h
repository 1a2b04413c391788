/* SPDX-License-Identifier: MIT
 *
 * bedrock -- pieces of Amazon's Converse that its codec and its stream share.
 * Not for others.
 */
#ifndef CORDON_AGENT_BEDROCK_H
#define CORDON_AGENT_BEDROCK_H

#include "agent/wire.h"

int bedrock_read_block(const struct json *v, struct part_list *to,
                       struct arena *a, struct err *e);
void bedrock_read_usage(const struct json *v, struct model_answer *out);

#endif
