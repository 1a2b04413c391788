/* SPDX-License-Identifier: MIT
 *
 * sql_tools -- the tools a database is, and what a call of them asks for.
 */
#ifndef CORDON_CALL_SQL_TOOLS_H
#define CORDON_CALL_SQL_TOOLS_H

#include "base/log.h"
#include "call/reply.h"
#include "call/sql_config.h"

/* Definitions; dialect is told in their descriptions ("SQLite"). */
int sql_tools(const struct sql_config *c, const char *dialect, struct arena *a,
              const struct json **out, struct err *e);

struct sql_request {
    bool schema; /* else a query */
    str table;   /* of a schema; empty: all */
    str sql;
    const struct json *parameters; /* array, object or NULL */
};

int sql_request_read(const struct sql_config *c,
                     const struct provider_call *call, struct sql_request *out,
                     struct err *e);

/* Counts a minute's queries and rows. */
struct sql_rate {
    struct log *log; /* NULL: nothing is logged */
    int64_t since_ns;
    size_t queries, rows;
};

/* Ends the call with an answer in the form of sql_meta.h. */
void sql_reply(struct provider_call *c, const struct sql_config *config,
               struct sql_rate *rate, str answer);

/* Ends the call with a failure of a query. */
void sql_reply_error(struct provider_call *c, const struct err *e);

#endif
