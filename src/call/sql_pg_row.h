/* SPDX-License-Identifier: MIT
 *
 * sql_pg_row -- rows as PostgreSQL sends them, written as an answer.
 */
#ifndef CORDON_CALL_SQL_PG_ROW_H
#define CORDON_CALL_SQL_PG_ROW_H

#include "call/libpq.h"
#include "call/sql_meta.h"
#include "call/sql_tools.h"

struct pg_rows {
    const struct libpq *pq;
    const struct sql_config *config;
    const struct sql_request *request;
    struct arena *arena; /* the call's */
    struct buf out;      /* the answer, in the form of sql_meta.h */
    struct jw w;
    struct sql_names names;
    bool begun, truncated;
    size_t rows;
    char table[256]; /* of a schema: the one being written */
    bool failed;     /* why says what the server said */
    struct err why;
};

void pg_rows_init(struct pg_rows *r, const struct libpq *pq,
                  const struct sql_config *c, const struct sql_request *request,
                  struct arena *a);

/* 0: goes on; 1: enough, the answer is complete; -1: the query failed. */
int pg_rows_take(struct pg_rows *r, PGresult *piece, struct err *e);

/* After the last piece. */
int pg_rows_end(struct pg_rows *r, struct err *e);

/* A value for a placeholder, as text; NULL for null. */
int pg_parameter(const struct json *v, struct arena *a, const char **out,
                 struct err *e);

#endif
