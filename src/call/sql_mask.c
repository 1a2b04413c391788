/* SPDX-License-Identifier: MIT
 *
 * Masked columns. Before a table with any stands a temporary view of its name,
 * which reads a second one of a secret name, which alone may read the table:
 * the authorizer is told the innermost view, and no query can make one up
 * whose name it cannot know.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "call/sql_guard.h"

/* ---- what is shown ---- */

static void pseudonym(const struct sql_guard *g, sqlite3_context *to,
                      sqlite3_value *v) {
    uint8_t tag[CRYPTO_SHA256];
    struct err e;
    str text = {sqlite3_value_blob(v), (size_t)sqlite3_value_bytes(v)};
    char shown[32] = "anon_";
    if (crypto_hmac(g->config->key, CRYPTO_KEY, text, tag, &e)) {
        sqlite3_result_null(to);
        return;
    }
    if (sqlite3_value_type(v) == SQLITE_INTEGER) {
        int64_t number = 0;
        for (size_t i = 0; i < 6; i++)
            number = number << 8 | tag[i];
        sqlite3_result_int64(to, number);
        return;
    }
    for (size_t i = 0; i < 6; i++)
        snprintf(shown + 5 + 2 * i, 3, "%02x", tag[i]);
    sqlite3_result_text(to, shown, -1, SQLITE_TRANSIENT);
}

static void last_four(sqlite3_context *to, sqlite3_value *v) {
    const char *text = (const char *)sqlite3_value_text(v);
    size_t n = (size_t)sqlite3_value_bytes(v), from = n;
    char shown[32] = "****";
    /* Four characters, not bytes; and never more than half. */
    for (size_t seen = 0; from > n / 2 && seen < 4; from--)
        seen += ((unsigned char)text[from - 1] & 0xc0) != 0x80;
    while (from < n && ((unsigned char)text[from] & 0xc0) == 0x80)
        from++;
    snprintf(shown + 4, sizeof shown - 4, "%s", text + from);
    sqlite3_result_text(to, shown, -1, SQLITE_TRANSIENT);
}

static void domain(sqlite3_context *to, sqlite3_value *v) {
    const char *text = (const char *)sqlite3_value_text(v);
    const char *at = text ? strrchr(text, '@') : NULL;
    if (at)
        sqlite3_result_text(to, at, -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_null(to);
}

/* cordon_mask(how, value) */
static void mask(sqlite3_context *to, int count, sqlite3_value **v) {
    const struct sql_guard *g = sqlite3_user_data(to);
    if (count != 2 || sqlite3_value_type(v[1]) == SQLITE_NULL) {
        sqlite3_result_null(to);
        return;
    }
    switch ((enum sql_mask)sqlite3_value_int(v[0])) {
    case MASK_HIDE: sqlite3_result_null(to); break;
    case MASK_PSEUDONYM: pseudonym(g, to, v[1]); break;
    case MASK_LAST4: last_four(to, v[1]); break;
    case MASK_DOMAIN: domain(to, v[1]); break;
    }
}

/* ---- the views ---- */

/* "name", with quotes in it doubled. */
static int add_name(struct buf *out, const char *name, struct err *e) {
    if (buf_add_char(out, '"', e)) return -1;
    for (; *name; name++)
        if ((*name == '"' && buf_add_char(out, '"', e)) ||
            buf_add_char(out, *name, e))
            return -1;
    return buf_add_char(out, '"', e);
}

static int add_column(struct sql_guard *g, str table, const char *column,
                      size_t *masked, struct buf *out, struct err *e) {
    const struct sql_column *c = sql_column(g->config, table, str_of(column));
    if (!c || !c->masked) return add_name(out, column, e);
    ++*masked;
    if (buf_addf(out, e, "cordon_mask(%d,", (int)c->mask) ||
        add_name(out, column, e) || buf_add_text(out, ") AS ", e))
        return -1;
    return add_name(out, column, e);
}

static int add_columns(struct sql_guard *g, str table, size_t *masked,
                       struct buf *out, struct err *e) {
    sqlite3_stmt *s = NULL;
    int failed = 0;
    if (sqlite3_prepare_v2(g->db,
                           "SELECT name FROM pragma_table_info(?, 'main')", -1,
                           &s, NULL) != SQLITE_OK)
        return guard_fail(g, e);
    sqlite3_bind_text(s, 1, table.p, (int)table.n, SQLITE_STATIC);
    for (size_t i = 0; !failed && sqlite3_step(s) == SQLITE_ROW; i++) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        failed = !name || (i > 0 && buf_add_char(out, ',', e)) ||
                 add_column(g, table, name, masked, out, e);
    }
    sqlite3_finalize(s);
    return failed ? -1 : 0;
}

static int lay_views(struct sql_guard *g, const char *table, size_t number,
                     size_t *masked, struct err *e) {
    AUTO_BUF struct buf sql = BUF_MAX((size_t)1 << 20);
    if (buf_addf(&sql, e, "CREATE TEMP VIEW \"%s%zu\" AS SELECT ", g->view,
                 number) ||
        add_columns(g, str_of(table), masked, &sql, e) ||
        buf_add_text(&sql, " FROM main.", e) || add_name(&sql, table, e) ||
        buf_add_text(&sql, "; CREATE TEMP VIEW ", e) ||
        add_name(&sql, table, e) ||
        buf_addf(&sql, e, " AS SELECT * FROM temp.\"%s%zu\"", g->view, number))
        return -1;
    if (sqlite3_exec(g->db, buf_text(&sql), NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    return guard_fail(g, e);
}

static bool is_first(const struct sql_config *c, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (c->columns[k].masked &&
            str_eq_nocase(c->columns[k].table, c->columns[i].table))
            return false;
    return c->columns[i].masked;
}

static size_t masks_of(const struct sql_config *c, str table) {
    size_t n = 0;
    for (size_t i = 0; i < c->column_count; i++)
        n += c->columns[i].masked && str_eq_nocase(c->columns[i].table, table);
    return n;
}

int guard_mask(struct sql_guard *g, struct err *e) {
    const struct sql_config *c = g->config;
    if (sqlite3_create_function(g->db, "cordon_mask", 2,
                                SQLITE_UTF8 | SQLITE_DETERMINISTIC, g, mask,
                                NULL, NULL) != SQLITE_OK)
        return guard_fail(g, e);
    for (size_t i = 0; i < c->column_count; i++) {
        char table[256];
        size_t masked = 0;
        if (!is_first(c, i)) continue;
        snprintf(table, sizeof table, "%.*s", STR_ARG(c->columns[i].table));
        if (lay_views(g, table, i, &masked, e))
            return fail_while(e, "mask of %s", table);
        /* A mask that masks nothing is a slip that must not go unseen. */
        if (masked != masks_of(c, c->columns[i].table))
            return fail(e, ERR_INVALID,
                        "mask: table %s lacks a column that is to be masked",
                        table);
    }
    return 0;
}
