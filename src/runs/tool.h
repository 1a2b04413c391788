/* SPDX-License-Identifier: MIT
 *
 * tool -- code mode's tool run_code, as a model sees it: its definition and the
 * words of an outcome. Who offers it (the gateway to hosts, our own loop to its
 * model) submits the program and waits by itself.
 */
#ifndef CORDON_RUNS_TOOL_H
#define CORDON_RUNS_TOOL_H

#include "base/buf.h"
#include "json/json.h"

/* As MCP has it; the text never changes. Its arguments: code, session, run,
 * tier, job. */
extern const char run_code_definition[];

/* What a model reads of an outcome (runs.h) is short; a program that drives
 * Cordon gets all of it. */
int run_code_text(const struct json *outcome, struct buf *out, struct err *e);

#endif
