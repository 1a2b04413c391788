/* SPDX-License-Identifier: MIT
 *
 * needs -- what a run does not have and may ask for: a host, a directory, a
 * tool, a tier, a class, that it is run at all.
 *
 * Least privilege first, more on demand: a run begins with what it was given.
 * What it lacks is asked for as a call of a tool of ours (sandbox.host,
 * sandbox.directory, sandbox.tool, sandbox.tier, sandbox.class,
 * sandbox.program), so that rules, approvals and audit are those of every call:
 * the question names exactly one thing, and a yes is good for that thing and
 * that run. Only Cordon makes these calls, when a run was refused something;
 * programs and models cannot.
 */
#ifndef CORDON_CALL_NEEDS_H
#define CORDON_CALL_NEEDS_H

#include "call/provider.h"
#include "policy/own_tools.h"

/* caller.kind of such a call. */
#define NEEDS_CALLER "need"

#define NEEDS_SERVER OWN_TOOLS_SERVER

/* The arguments of sandbox.tool. */
int needs_tool(str tool, struct arena *a, const struct json **out,
               struct err *e);

struct provider *provider_needs_new(struct registry *r, struct err *e);

#endif
