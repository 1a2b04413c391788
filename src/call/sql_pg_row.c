/* SPDX-License-Identifier: MIT */
#include "call/sql_pg_row.h"

#include <stdio.h>
#include <string.h>

/* Object ids of types, fixed by PostgreSQL. */
enum {
    TYPE_BOOL = 16,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_OID = 26,
    TYPE_JSON = 114,
    TYPE_FLOAT4 = 700,
    TYPE_FLOAT8 = 701,
    TYPE_NUMERIC = 1700,
    TYPE_JSONB = 3802,
};

void pg_rows_init(struct pg_rows *r, const struct libpq *pq,
                  const struct sql_config *c, const struct sql_request *request,
                  struct arena *a) {
    *r =
        (struct pg_rows){.pq = pq, .config = c, .request = request, .arena = a};
    r->out = BUF_MAX(c->bytes + ((size_t)64 << 10));
    r->w = JW(&r->out);
}

int pg_parameter(const struct json *v, struct arena *a, const char **out,
                 struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)16 << 20);
    *out = NULL;
    if (!v || json_type(v) == JSON_NULL) return 0;
    if (json_type(v) == JSON_STRING) {
        if (memchr(json_str(v).p, 0, json_len(v)))
            return fail(e, ERR_INVALID, "a NUL in a parameter");
        *out = json_str(v).p;
        return 0;
    }
    if (json_write(v, JSON_COMPACT, &text, e)) return -1;
    *out = arena_text(a, buf_str(&text), e);
    return *out ? 0 : -1;
}

/* ---- values ---- */

/* As it is when it is a value of JSON (NaN and Infinity are not). */
static bool write_raw(struct pg_rows *r, str text) {
    AUTO_ARENA struct arena scratch = ARENA_MAX((size_t)64 << 20);
    const struct json *v;
    struct err ignored;
    struct json_limits limits = {.keep_duplicates = true};
    if (json_parse(text, &limits, &scratch, &v, &ignored)) return false;
    jw_value(&r->w, v);
    return true;
}

/* Whole numbers of any size are kept; fractions as far as a double holds them.
 */
static bool is_exact(str number) {
    return str_find_char(number, '.') < 0 || number.n <= 16;
}

static void write_value(struct pg_rows *r, PGresult *piece, int row, int i) {
    str text = {r->pq->getvalue(piece, row, i),
                (size_t)r->pq->getlength(piece, row, i)};
    if (r->pq->getisnull(piece, row, i)) {
        jw_null(&r->w);
        return;
    }
    switch (r->pq->ftype(piece, i)) {
    case TYPE_BOOL: jw_bool(&r->w, str_is(text, "t")); return;
    case TYPE_INT8:
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_OID:
    case TYPE_FLOAT4:
    case TYPE_FLOAT8:
    case TYPE_JSON:
    case TYPE_JSONB:
        if (write_raw(r, text)) return;
        break;
    case TYPE_NUMERIC:
        if (is_exact(text) && write_raw(r, text)) return;
        break;
    default: break;
    }
    jw_text(&r->w, text);
}

/* ---- rows of a query ---- */

/* The server does not tell what else a query read, so every column has the
 * labels of all. */
static int begin(struct pg_rows *r, PGresult *piece, struct err *e) {
    size_t count = (size_t)r->pq->nfields(piece);
    r->begun = true;
    if (sql_names_init(&r->names, count, r->arena, e)) return -1;
    for (size_t i = 0; i < r->config->column_count; i++)
        sql_label_join(&r->names.all, &r->config->columns[i].label);
    for (size_t i = 0; i < count; i++) {
        str name = str_of(r->pq->fname(piece, (int)i));
        if (sql_names_add(&r->names, name, r->arena, e)) return -1;
        r->names.labels[i] = r->names.all;
    }
    sql_answer_begin(&r->w, &r->names);
    return jw_done(&r->w, e);
}

static int finish(struct pg_rows *r, struct err *e) {
    sql_answer_end(&r->w, &r->names, r->rows, r->truncated);
    return jw_done(&r->w, e);
}

static void add_row(struct pg_rows *r, PGresult *piece, int row) {
    size_t before = r->out.len;
    r->truncated = r->rows == r->config->rows;
    if (r->truncated) return;
    jw_object(&r->w);
    for (size_t i = 0; i < r->names.count; i++) {
        jw_key_str(&r->w, r->names.names[i]);
        write_value(r, piece, row, (int)i);
    }
    jw_end_object(&r->w);
    r->truncated = r->w.failed || r->out.len > r->config->bytes;
    if (r->truncated) {
        buf_truncate(&r->out, before);
        r->w.failed = false;
    }
    r->rows += !r->truncated;
}

/* ---- rows of the schema ---- */

static void end_table(struct pg_rows *r) {
    if (!r->table[0]) return;
    jw_end_array(&r->w);
    jw_end_object(&r->w);
    r->table[0] = 0;
}

static void add_column(struct pg_rows *r, PGresult *piece, int row) {
    const char *schema = r->pq->getvalue(piece, row, 0);
    const char *name = r->pq->getvalue(piece, row, 1);
    char table[256];
    bool public = strcmp(schema, "public") == 0;
    str only = r->request->table;
    snprintf(table, sizeof table, "%s%s%s", public ? "" : schema,
             public ? "" : ".", name);
    if (only.n > 0 && !str_eq_nocase(only, str_of(table))) return;
    if (strcmp(table, r->table) != 0) {
        end_table(r);
        snprintf(r->table, sizeof r->table, "%s", table);
        jw_object(&r->w);
        jw_put_text(&r->w, "name", str_of(table));
        jw_key(&r->w, "columns");
        jw_array(&r->w);
    }
    jw_object(&r->w);
    jw_put_text(&r->w, "name", str_of(r->pq->getvalue(piece, row, 2)));
    jw_put_text(&r->w, "type", str_of(r->pq->getvalue(piece, row, 3)));
    jw_end_object(&r->w);
}

static int take_schema(struct pg_rows *r, PGresult *piece, struct err *e) {
    if (!r->begun) {
        r->begun = true;
        jw_object(&r->w);
        jw_key(&r->w, "value");
        jw_object(&r->w);
        jw_key(&r->w, "tables");
        jw_array(&r->w);
    }
    for (int i = 0; i < r->pq->ntuples(piece); i++)
        add_column(r, piece, i);
    return jw_done(&r->w, e);
}

/* ---- pieces ---- */

static int refused(const struct pg_rows *r, PGresult *piece, struct err *e) {
    const char *why = r->pq->resultErrorField(piece, PG_DIAG_MESSAGE_PRIMARY);
    const char *hint = r->pq->resultErrorField(piece, PG_DIAG_MESSAGE_HINT);
    const char *state = r->pq->resultErrorField(piece, PG_DIAG_SQLSTATE);
    enum err_kind kind = ERR_INVALID;
    if (state && strcmp(state, "57014") == 0) kind = ERR_TIMEOUT;
    if (state && (strcmp(state, "42501") == 0 || strcmp(state, "25006") == 0))
        kind = ERR_DENIED;
    return fail(e, kind, "%s%s%s", why ? why : "the server refused the query",
                hint ? "; " : "", hint ? hint : "");
}

int pg_rows_take(struct pg_rows *r, PGresult *piece, struct err *e) {
    ExecStatusType status = r->pq->resultStatus(piece);
    if (status == PGRES_FATAL_ERROR) return refused(r, piece, e);
    if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK)
        return fail(e, ERR_DENIED, "anything but SELECT is not allowed");
    if (r->request->schema) return take_schema(r, piece, e);
    if (!r->begun && begin(r, piece, e)) return -1;
    for (int i = 0; i < r->pq->ntuples(piece) && !r->truncated; i++)
        add_row(r, piece, i);
    if (!r->truncated) return 0;
    return finish(r, e) ? -1 : 1;
}

int pg_rows_end(struct pg_rows *r, struct err *e) {
    if (!r->begun) return fail(e, ERR_PEER, "the server sent no result");
    if (!r->request->schema) return finish(r, e);
    end_table(r);
    jw_end_array(&r->w);
    jw_end_object(&r->w);
    jw_end_object(&r->w);
    return jw_done(&r->w, e);
}
