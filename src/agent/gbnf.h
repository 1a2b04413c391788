/* SPDX-License-Identifier: MIT
 *
 * gbnf -- a grammar that lets a model write text or calls that fit the tools'
 * schemas, and nothing in between. For servers that sample by one (llama.cpp).
 *
 * Calls have the form of textcall.h. The marker that begins a call stands
 * nowhere in text; after it comes the name of a tool that is offered and an
 * object with the members of its schema, in the schema's order, compact or with
 * single spaces. What a grammar cannot say (a pattern, a range) it leaves open:
 * calls are checked against the schema afterwards as always.
 */
#ifndef CORDON_AGENT_GBNF_H
#define CORDON_AGENT_GBNF_H

#include "agent/textcall.h"
#include "base/buf.h"

/* Appends it; its first rule is root. Nothing is appended without tools. */
int gbnf_write(enum textcall format, const struct offers *offers,
               struct buf *out, struct err *e);

#endif
