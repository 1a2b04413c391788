/* SPDX-License-Identifier: MIT
 *
 * sql_lex -- looks through a query for PostgreSQL before the server sees it.
 *
 * The server is the one that keeps the query from writing; this keeps away the
 * functions with effects that reading allows (files, other connections, locks,
 * sleeping). What cannot be read with certainty is refused.
 */
#ifndef CORDON_CALL_SQL_LEX_H
#define CORDON_CALL_SQL_LEX_H

#include "base/err.h"
#include "base/str.h"

/* One SELECT, WITH, VALUES or TABLE, in which no function is called that
 * `refused` names (in lower case). */
int sql_lex_check(str sql, bool (*refused)(void *data, str name), void *data,
                  struct err *e);

#endif
