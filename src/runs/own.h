/* SPDX-License-Identifier: MIT
 *
 * own -- functions that every program has beside its tools, in whichever
 * interpreter: tools.call("mail.send", {...}) calls one by its name, and
 * help(mail.send) tells about one.
 */
#ifndef CORDON_RUNS_OWN_H
#define CORDON_RUNS_OWN_H

#include "tools/registry.h"

#define OWN_CALL     "tools.call"
#define OWN_HELP     "help"
#define OWN_PROGRESS "tools.progress"

/* Which tool a call of `name` with these arguments ({"args": [...], "kwargs":
 * {...}}) means, and what that gets. 1: there they are; 0: it is no function of
 * ours. */
int own_bind(str name, const struct json *python, struct arena *a, str *tool,
             const struct json **args, struct err *e);

/* That there is no such tool, with the nearest names among those that the
 * program sees. */
#define OWN_TEXT 600
void own_unknown(struct registry *all, str name,
                 bool (*sees)(const void *data, const struct entry *t),
                 const void *data, char out[OWN_TEXT]);

#endif
