/* SPDX-License-Identifier: MIT
 *
 * command -- programs of this machine, as a provider.
 *
 *     "commands": {"git": {"commands": {"log": {
 *         "description": "Shows the last commits.",
 *         "argv": ["git", "log", "-n", "{count}", ["--since", "{since}"],
 *                  "--", "{paths...}"],
 *         "parameters": {"count": {"type": "integer", "default": 10},
 *                        "since": {"type": "string"},
 *                        "paths": {"type": "array", "items": {...}}},
 *         "required": [], "readOnly": true,
 *         "stdin": "json", "output": "text",
 *         "sandbox": {"ro_bind": ["/srv/repo"], "cwd": "/srv/repo"}}}}}
 *
 * There is no shell: each item of argv is one argument. "{name}" is replaced by
 * a value, "{name...}" alone becomes one argument for each item of a list. What
 * mentions an argument that was not given, and has no default, is left out; a
 * list in argv is left out whole. A value at the start of an item may not begin
 * with '-', unless "--" stands before it. With "stdin": "json" the program
 * reads all arguments as one object. "schema" may stand for "parameters" and
 * "required": all of the arguments' schema. It runs in the tier `process`, or
 * where "sandbox" says.
 */
#ifndef CORDON_CALL_COMMAND_H
#define CORDON_CALL_COMMAND_H

#include "call/host.h"

struct provider *provider_command_new(const struct provider_host *h, str name,
                                      const struct json *config, struct err *e);

/* argv for arguments, NULL at its end; for command.c and its tests. */
int command_argv(const struct json *spec, const struct json *args,
                 struct arena *a, const char *const **out, struct err *e);

#endif
