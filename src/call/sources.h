/* SPDX-License-Identifier: MIT
 *
 * sources -- the tools that the configuration itself declares: HTTP APIs
 * ("apis"), databases ("databases"), programs ("commands") and the functions of
 * function-calling programs ("functions"), each an object of entries by name.
 * See http.h, sql.h, command.h and functions.h. Also the two tools with which
 * programs look for others: tools.search and tools.help.
 */
#ifndef CORDON_CALL_SOURCES_H
#define CORDON_CALL_SOURCES_H

#include "call/host.h"

struct sources;

/* All or none: the error names the entry. settings may be NULL. */
struct sources *sources_open(const struct provider_host *h,
                             const struct json *settings, struct err *e);

/* As the settings have it now: entries that did not change stay as they are,
 * those that are gone lose their tools. On failure what came before the entry
 * that is named is changed already. What h pointed to must live on. */
int sources_configure(struct sources *s, const struct json *settings,
                      struct err *e);

/* No call of theirs may run. Their tools leave the registry; s may be NULL. */
void sources_close(struct sources *s);

#endif
