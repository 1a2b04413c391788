/* SPDX-License-Identifier: MIT */
#include "call/sql_sqlite.h"

#include <string.h>

#include "base/codec.h"
#include "base/utf8.h"
#include "call/sql_guard.h"
#include "call/sql_meta.h"
#include "json/write.h"

/* ---- parameters ---- */

static int bind_value(sqlite3_stmt *s, int at, const struct json *v) {
    switch (json_type(v)) {
    case JSON_NULL: return sqlite3_bind_null(s, at);
    case JSON_BOOL: return sqlite3_bind_int(s, at, v->as.boolean);
    case JSON_INT: return sqlite3_bind_int64(s, at, v->as.integer);
    case JSON_REAL: return sqlite3_bind_double(s, at, v->as.real);
    case JSON_BIG:
    case JSON_STRING:
        return sqlite3_bind_text(s, at, json_str(v).p, (int)json_len(v),
                                 SQLITE_STATIC);
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    return SQLITE_MISMATCH;
}

static const struct json *parameter(sqlite3_stmt *s, int at,
                                    const struct json *given) {
    const char *name = sqlite3_bind_parameter_name(s, at);
    if (!given) return NULL;
    if (json_type(given) == JSON_ARRAY) return json_at(given, (size_t)at - 1);
    return name ? json_get(given, name + 1) : NULL;
}

static int bind(sqlite3_stmt *s, const struct json *given, struct err *e) {
    int count = sqlite3_bind_parameter_count(s);
    for (int i = 1; i <= count; i++) {
        const char *name = sqlite3_bind_parameter_name(s, i);
        const struct json *v = parameter(s, i, given);
        if (!v)
            return fail(e, ERR_INVALID, "no value for parameter %s (%d of %d)",
                        name ? name : "?", i, count);
        if (bind_value(s, i, v) != SQLITE_OK)
            return fail(e, ERR_INVALID, "parameter %d: text, number or null",
                        i);
    }
    if (given && json_type(given) == JSON_ARRAY &&
        json_len(given) > (size_t)count)
        return fail(e, ERR_INVALID, "%zu parameters for %d places",
                    json_len(given), count);
    return 0;
}

/* ---- rows ---- */

static int write_value(struct jw *w, sqlite3_stmt *s, int i, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)32 << 20);
    str bytes;
    switch (sqlite3_column_type(s, i)) {
    case SQLITE_NULL: jw_null(w); return 0;
    case SQLITE_INTEGER: jw_int(w, sqlite3_column_int64(s, i)); return 0;
    case SQLITE_FLOAT: jw_real(w, sqlite3_column_double(s, i)); return 0;
    case SQLITE_TEXT:
        bytes.p = (const char *)sqlite3_column_text(s, i);
        bytes.n = (size_t)sqlite3_column_bytes(s, i);
        if (!bytes.p) return fail(e, ERR_MEMORY, "out of memory");
        if (utf8_valid(bytes.p, bytes.n) < bytes.n) break;
        jw_text(w, bytes);
        return 0;
    default: break;
    }
    /* Bytes: a blob, or what only claims to be text. */
    bytes.p = sqlite3_column_blob(s, i);
    bytes.n = (size_t)sqlite3_column_bytes(s, i);
    if (bytes.n > 0 && base64_encode(bytes, &text, e)) return -1;
    jw_text(w, buf_str(&text));
    return 0;
}

static int write_row(struct jw *w, sqlite3_stmt *s, const struct sql_names *n,
                     struct err *e) {
    jw_object(w);
    for (size_t i = 0; i < n->count; i++) {
        jw_key_str(w, n->names[i]);
        if (write_value(w, s, (int)i, e)) return -1;
    }
    jw_end_object(w);
    return jw_done(w, e);
}

/* Rows until there are no more or a bound is reached; the last one is taken
 * back when it is too long. */
static int write_rows(struct sql_guard *g, struct jw *w, sqlite3_stmt *s,
                      const struct sql_names *n, bool *truncated, size_t *rows,
                      struct err *e) {
    size_t start = w->out->len;
    for (*rows = 0;; ++*rows) {
        int code = sqlite3_step(s);
        if (code == SQLITE_DONE) return 0;
        if (code != SQLITE_ROW) return guard_fail(g, e);
        size_t before = w->out->len;
        *truncated = *rows == g->config->rows;
        if (*truncated) return 0;
        if (write_row(w, s, n, e)) return -1;
        *truncated = w->out->len - start > g->config->bytes;
        if (!*truncated) continue;
        buf_truncate(w->out, before);
        return 0;
    }
}

/* ---- the answer ---- */

static int name_columns(sqlite3_stmt *s, struct arena *a, struct sql_names *n,
                        struct err *e) {
    size_t count = (size_t)sqlite3_column_count(s);
    if (sql_names_init(n, count, a, e)) return -1;
    for (size_t i = 0; i < count; i++) {
        const char *name = sqlite3_column_name(s, (int)i);
        if (sql_names_add(n, str_of(name), a, e)) return -1;
    }
    return 0;
}

/* A column that comes from a labelled one as it is has that label; what was
 * computed, or chosen, has those of all columns that were read. */
static void label_columns(const struct sql_guard *g, sqlite3_stmt *s,
                          struct sql_names *n) {
    const struct sql_config *c = g->config;
    for (size_t i = 0; i < c->column_count; i++)
        if (g->read[i]) sql_label_join(&n->all, &c->columns[i].label);
    for (size_t i = 0; i < n->count; i++) {
        const char *table = sqlite3_column_table_name(s, (int)i);
        const char *column = sqlite3_column_origin_name(s, (int)i);
        const struct sql_column *from =
            table && column ? sql_column(c, str_of(table), str_of(column))
                            : NULL;
        if (!table || !column)
            n->labels[i] = n->all;
        else if (from && from->labelled && !from->masked)
            n->labels[i] = from->label;
    }
}

static int answer(struct sql_guard *g, sqlite3_stmt *s,
                  const struct json *parameters, struct buf *out,
                  struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)4 << 20);
    struct jw w = JW(out);
    struct sql_names n;
    bool truncated = false;
    size_t rows = 0;
    if (bind(s, parameters, e) || name_columns(s, &a, &n, e)) return -1;
    label_columns(g, s, &n);
    sql_answer_begin(&w, &n);
    if (write_rows(g, &w, s, &n, &truncated, &rows, e)) return -1;
    sql_answer_end(&w, &n, rows, truncated);
    return jw_done(&w, e);
}

int sqlite_query(const struct sql_config *c, const char *path, str sql,
                 const struct json *parameters, struct buf *out,
                 struct err *e) {
    struct sql_guard g;
    sqlite3_stmt *s = NULL;
    if (guard_open(&g, c, path, e)) return -1;
    int result = guard_prepare(&g, sql, &s, e);
    if (result == 0) result = guard_plan(&g, sql, e);
    if (result == 0) result = answer(&g, s, parameters, out, e);
    sqlite3_finalize(s);
    guard_close(&g);
    return result;
}

/* ---- the schema ---- */

static int write_table(struct sql_guard *g, struct jw *w, const char *table,
                       struct err *e) {
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(g->db,
                           "SELECT name, type, pk FROM pragma_table_info(?, "
                           "'main')",
                           -1, &s, NULL) != SQLITE_OK)
        return guard_fail(g, e);
    sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
    jw_object(w);
    jw_put_text(w, "name", str_of(table));
    jw_key(w, "columns");
    jw_array(w);
    while (sqlite3_step(s) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        const char *type = (const char *)sqlite3_column_text(s, 1);
        const struct sql_column *c =
            sql_column(g->config, str_of(table), str_of(name));
        jw_object(w);
        jw_put_text(w, "name", str_of(name));
        jw_put_text(w, "type", str_of(type));
        if (sqlite3_column_int(s, 2)) jw_put_bool(w, "key", true);
        if (c && c->masked) jw_put_bool(w, "masked", true);
        jw_end_object(w);
    }
    jw_end_array(w);
    jw_end_object(w);
    sqlite3_finalize(s);
    return jw_done(w, e);
}

static int write_tables(struct sql_guard *g, struct jw *w, str only,
                        struct err *e) {
    sqlite3_stmt *s = NULL;
    int result = 0;
    if (sqlite3_prepare_v2(g->db,
                           "SELECT name FROM main.sqlite_schema WHERE type IN "
                           "('table', 'view') ORDER BY name",
                           -1, &s, NULL) != SQLITE_OK)
        return guard_fail(g, e);
    while (result == 0 && sqlite3_step(s) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        if (strncmp(name, "sqlite_", 7) == 0 ||
            !sql_may_read(g->config, str_of(name)) ||
            (only.n > 0 && !str_eq_nocase(only, str_of(name))))
            continue;
        result = write_table(g, w, name, e);
    }
    sqlite3_finalize(s);
    return result;
}

int sqlite_schema(const struct sql_config *c, const char *path, str table,
                  struct buf *out, struct err *e) {
    struct sql_guard g;
    struct jw w = JW(out);
    if (guard_open(&g, c, path, e)) return -1;
    g.setting_up = true; /* only statements of ours follow */
    jw_object(&w);
    jw_key(&w, "value");
    jw_object(&w);
    jw_key(&w, "tables");
    jw_array(&w);
    int result = write_tables(&g, &w, table, e);
    jw_end_array(&w);
    jw_end_object(&w);
    jw_end_object(&w);
    guard_close(&g);
    return result ? -1 : jw_done(&w, e);
}

/* ---- snapshots ---- */

static int copy(sqlite3 *from, sqlite3 *to, struct err *e) {
    sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
    if (!b) return fail(e, ERR_SYSTEM, "%s", sqlite3_errmsg(to));
    int code = sqlite3_backup_step(b, -1);
    sqlite3_backup_finish(b);
    if (code == SQLITE_DONE) return 0;
    return fail(e, ERR_SYSTEM, "%s", sqlite3_errstr(code));
}

int sqlite_snapshot(const char *from, const char *to, struct err *e) {
    sqlite3 *source = NULL, *copied = NULL;
    int result = -1;
    if (sqlite3_open_v2(from, &source, SQLITE_OPEN_READONLY, NULL) !=
            SQLITE_OK ||
        sqlite3_open_v2(to, &copied,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                            SQLITE_OPEN_EXCLUSIVE,
                        NULL) != SQLITE_OK)
        err_set(e, ERR_SYSTEM, "%s", sqlite3_errmsg(copied ? copied : source));
    else
        result = copy(source, copied, e);
    sqlite3_close(source);
    sqlite3_close(copied);
    return result ? fail_while(e, "snapshot of %s", from) : 0;
}
