/* SPDX-License-Identifier: MIT
 *
 * sql_sqlite -- one query on a SQLite file, really read-only.
 *
 * The file is opened for reading. A statement is one SELECT: the authorizer
 * refuses everything else while it is prepared, and names every column that is
 * read. A masked column is read through views of ours that stand before the
 * table; nothing else may read it. Rows, bytes, time, work and memory are
 * bounded, and a table that is too large is not read from end to end.
 *
 * These functions block; sql.c calls them in a process of their own.
 */
#ifndef CORDON_CALL_SQL_SQLITE_H
#define CORDON_CALL_SQL_SQLITE_H

#include "base/buf.h"
#include "call/sql_config.h"

/* Writes {"value": {"columns", "rows", "truncated"}, "meta": ...}. parameters
 * is an array (?, ?2), an object (:name) or NULL. */
int sqlite_query(const struct sql_config *c, const char *path, str sql,
                 const struct json *parameters, struct buf *out, struct err *e);

/* Writes {"value": {"tables": [{"name", "columns": [...]}]}}. */
int sqlite_schema(const struct sql_config *c, const char *path, str table,
                  struct buf *out, struct err *e);

/* A copy of the database as it is now, at a path that does not exist. */
int sqlite_snapshot(const char *from, const char *to, struct err *e);

#endif
