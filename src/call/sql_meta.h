/* SPDX-License-Identifier: MIT
 *
 * sql_meta -- the form of a query's answer, whichever database gave it.
 *
 *     {"value": {"rows": [{...}], "row_count": 2, "truncated": false},
 *      "meta": {"ifc": {...}, "cordon/columns": {"email": {...}}}}
 */
#ifndef CORDON_CALL_SQL_META_H
#define CORDON_CALL_SQL_META_H

#include "call/sql_config.h"
#include "json/write.h"

struct sql_names {
    str *names; /* of the result's columns, no two alike */
    struct sql_label *labels;
    size_t count, cap;
    struct sql_label all; /* of the whole */
};

int sql_names_init(struct sql_names *n, size_t count, struct arena *a,
                   struct err *e);

/* A name that is there already gets a number: "id", "id_2". */
int sql_names_add(struct sql_names *n, str name, struct arena *a,
                  struct err *e);

void sql_label_join(struct sql_label *to, const struct sql_label *from);

/* Up to the rows, which the caller writes, and what follows them. */
void sql_answer_begin(struct jw *w, const struct sql_names *n);
void sql_answer_end(struct jw *w, const struct sql_names *n, size_t rows,
                    bool truncated);

#endif
