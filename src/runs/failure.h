/* SPDX-License-Identifier: MIT
 *
 * failure -- a failed call as an exception of the program.
 */
#ifndef CORDON_RUNS_FAILURE_H
#define CORDON_RUNS_FAILURE_H

#include "base/buf.h"
#include "json/json.h"

/* The class for an error of the boundary; "" for ToolError. */
const char *failure_type(const struct json *error);

/* What it says: the tool, what happened, where, and what may help. */
int failure_text(str tool, const struct json *error, struct buf *out,
                 struct err *e);

#endif
