/* SPDX-License-Identifier: MIT
 *
 * memory -- which request led to which call, remembered for the tools.
 *
 * Opt-in. Selection says what somebody asked and what was found (see
 * select_request.who); when one of the found tools is then called with success,
 * the request becomes a field of that tool (usage.h). It is an attack surface,
 * so only the runtime writes it, only about tools that were found, and people
 * can look at it and make it forget. Kept in a file, a line each; a torn or
 * foreign line is passed over.
 */
#ifndef CORDON_TOOLS_SELECT_MEMORY_H
#define CORDON_TOOLS_SELECT_MEMORY_H

#include "tools/select/select.h"
#include "tools/select/usage.h"

struct memory;

/* Appends where it lies unless somebody says otherwise: in the state folder. */
int memory_path(struct buf *out, struct err *e);

/* path: the file, made when there is something to keep; NULL: none. */
struct memory *memory_new(const char *path, struct err *e);
void memory_free(struct memory *m); /* m may be NULL */

/* Somebody asked, and was shown this. Only the last request counts. */
void memory_asked(struct memory *m, str who, str request,
                  const struct corpus *ix, const struct selection *found);

/* A call of theirs succeeded; true: it is remembered, so the tool is to be
 * indexed again. */
bool memory_called(struct memory *m, str who, str id);

/* Adds what is remembered of a tool to its document. */
void memory_add(const struct memory *m, str id, struct document *d);

/* What is remembered. After a change of it, memory_keep writes the file. */
struct uses *memory_usage(struct memory *m);
int memory_keep(struct memory *m, struct err *e);

#endif
