/* SPDX-License-Identifier: MIT
 *
 * sql_guard -- a connection on which only harmless statements can be prepared.
 */
#ifndef CORDON_CALL_SQL_GUARD_H
#define CORDON_CALL_SQL_GUARD_H

#include <sqlite3.h>

#include "call/sql_config.h"

#define GUARD_VIEW 48 /* bytes of a secret name */

struct sql_guard {
    const struct sql_config *config;
    sqlite3 *db;
    char view[GUARD_VIEW]; /* begins the names of the views that may read masked
                              columns; random, so that no query can have a
                              table of that name */
    bool setting_up;       /* our own statements: everything goes */
    bool read[SQL_COLUMNS]; /* labelled columns that were read */
    bool denied_masked;     /* why the authorizer said no, for the message */
    char denied[160];
    int64_t deadline_ns;
    uint64_t work, work_max; /* in units of virtual machine steps */
    bool out_of_time, out_of_work;
};

/* Opens, limits, lays the masks and locks. Close with guard_close. */
int guard_open(struct sql_guard *g, const struct sql_config *c,
               const char *path, struct err *e);
void guard_close(struct sql_guard *g);

/* One statement, a SELECT, nothing behind it. */
int guard_prepare(struct sql_guard *g, str sql, sqlite3_stmt **out,
                  struct err *e);

/* The error of the last failure on the connection, in words. */
int guard_fail(struct sql_guard *g, struct err *e);

/* Refuses a statement that would read a large table from end to end. */
int guard_plan(struct sql_guard *g, str sql, struct err *e);

/* Lays views over the tables with masked columns (sql_mask.c). */
int guard_mask(struct sql_guard *g, struct err *e);

#endif
