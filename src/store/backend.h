/* SPDX-License-Identifier: MIT
 *
 * backend -- a database under the store: carries out statements.def.
 *
 * The statements are plain SQL with numbered parameters (?1, ?2 ...), so that a
 * backend only has to prepare, bind, step and commit.
 */
#ifndef CORDON_STORE_BACKEND_H
#define CORDON_STORE_BACKEND_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum statement {
#define STATEMENT(name, sql) SQL_##name,
#include "store/statements.def"
#undef STATEMENT
    STATEMENT_COUNT
};
const char *statement_sql(enum statement st);

enum sql_type { SQL_NULL, SQL_INT, SQL_TEXT, SQL_BYTES };

struct sql_value {
    enum sql_type type;
    int64_t integer;
    str text; /* SQL_TEXT, SQL_BYTES */
};

static inline struct sql_value sql_int(int64_t v) {
    return (struct sql_value){SQL_INT, v, {0}};
}
static inline struct sql_value sql_text(str v) {
    return (struct sql_value){SQL_TEXT, 0, v};
}
static inline struct sql_value sql_bytes(str v) {
    return (struct sql_value){SQL_BYTES, 0, v};
}

#define SQL_ARGS 16 /* parameters or columns of one statement */

typedef int sql_row_fn(void *data, const struct sql_value *cols, size_t count,
                       struct err *e);

struct backend;

struct backend_class {
    /* ERR_LIMIT: no room; ERR_DENIED: read-only; ERR_TIMEOUT: locked. */
    int (*begin)(struct backend *b, struct err *e);
    int (*commit)(struct backend *b, struct err *e);
    /* Waits until what was committed is on disk. */
    int (*sync)(struct backend *b, struct err *e);
    void (*rollback)(struct backend *b);
    /* changed: rows. ERR_EXISTS: a constraint; the transaction stands. */
    int (*exec)(struct backend *b, enum statement st,
                const struct sql_value *args, size_t count, int64_t *changed,
                struct err *e);
    /* Columns live until row returns; a non-zero return stops the query and
     * is returned. */
    int (*query)(struct backend *b, enum statement st,
                 const struct sql_value *args, size_t count, sql_row_fn *row,
                 void *data, struct err *e);
    void (*close)(struct backend *b);
};

/* First member of every backend. */
struct backend {
    const struct backend_class *class;
    bool read_only;
};

struct backend *sqlite_open(const char *path, struct err *e);

#endif
