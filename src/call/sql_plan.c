/* SPDX-License-Identifier: MIT
 *
 * Full scans, seen in the program SQLite made of a statement: a cursor that is
 * rewound and then advanced goes through its whole table or index.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "call/sql_guard.h"

#define CURSORS 256
#define STEPS   20000 /* of a program that are looked at */

struct cursor {
    int root; /* page of its table or index in the file; 0: not opened there */
    bool rewound, advanced;
};

enum code { CODE_OTHER, CODE_OPEN, CODE_REWIND, CODE_STEP, CODE_GOTO };

struct step {
    enum code code;
    int p1, p2, p3;
};

struct plan {
    struct cursor cursors[CURSORS];
    bool limited; /* counts down to an early end */
    struct step *steps;
    size_t count;
};

static enum code code_of(const char *op) {
    static const struct {
        const char *op;
        enum code code;
    } rows[] = {{"OpenRead", CODE_OPEN}, {"Rewind", CODE_REWIND},
                {"Last", CODE_REWIND},   {"Next", CODE_STEP},
                {"Prev", CODE_STEP},     {"Goto", CODE_GOTO}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(op, rows[i].op) == 0) return rows[i].code;
    return CODE_OTHER;
}

static int read_plan(struct sql_guard *g, str sql, struct plan *p,
                     struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)1 << 20);
    sqlite3_stmt *s = NULL;
    if (buf_add_text(&text, "EXPLAIN ", e) || buf_add_str(&text, sql, e))
        return -1;
    if (sqlite3_prepare_v2(g->db, buf_text(&text), (int)text.len, &s, NULL) !=
        SQLITE_OK)
        return guard_fail(g, e);
    while (sqlite3_step(s) == SQLITE_ROW && p->count < STEPS) {
        const char *op = (const char *)sqlite3_column_text(s, 1);
        p->limited |= strcmp(op, "DecrJumpZero") == 0;
        p->steps[p->count++] = (struct step){
            .code = code_of(op),
            .p1 = sqlite3_column_int(s, 2),
            .p2 = sqlite3_column_int(s, 3),
            .p3 = sqlite3_column_int(s, 4),
        };
    }
    sqlite3_finalize(s);
    return 0;
}

/* min() and max() of an indexed column rewind, look once and jump over the
 * step: it is there, but nothing leads to it. */
static bool is_reached(const struct plan *p, size_t at) {
    if (at == 0 || p->steps[at - 1].code != CODE_GOTO) return true;
    for (size_t i = 0; i < p->count; i++)
        if (p->steps[i].p2 == (int)at) return true;
    return false;
}

static void find_scans(struct plan *p) {
    for (size_t i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];
        if (s->p1 < 0 || s->p1 >= CURSORS) continue;
        struct cursor *c = &p->cursors[s->p1];
        if (s->code == CODE_OPEN && s->p3 == 0) c->root = s->p2;
        if (s->code == CODE_REWIND) c->rewound = true;
        if (s->code == CODE_STEP && is_reached(p, i)) c->advanced = true;
    }
}

/* The table that a page is the root of, itself or by an index. */
static bool table_of(struct sql_guard *g, int root, char out[256]) {
    sqlite3_stmt *s = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(g->db,
                           "SELECT tbl_name FROM main.sqlite_schema WHERE "
                           "rootpage = ?",
                           -1, &s, NULL) == SQLITE_OK) {
        sqlite3_bind_int(s, 1, root);
        found = sqlite3_step(s) == SQLITE_ROW;
        if (found)
            snprintf(out, 256, "%s", (const char *)sqlite3_column_text(s, 0));
    }
    sqlite3_finalize(s);
    return found;
}

/* Rows of a table: by its row ids, which are at least as many; by counting, no
 * further than needed, where it has none. */
static uint64_t rows_of(struct sql_guard *g, const char *table) {
    static const char *const ways[] = {
        "SELECT max(rowid) - min(rowid) + 1 FROM main.\"%w\"",
        "SELECT count(*) FROM (SELECT 1 FROM main.\"%w\" LIMIT %lld)"};
    uint64_t rows = 0;
    int64_t most = g->config->scan_rows < INT64_MAX - 1
                       ? (int64_t)g->config->scan_rows + 1
                       : INT64_MAX;
    for (size_t i = 0; i < 2; i++) {
        sqlite3_stmt *s = NULL;
        char *sql = sqlite3_mprintf(ways[i], table, (long long)most);
        bool good =
            sql && sqlite3_prepare_v2(g->db, sql, -1, &s, NULL) == SQLITE_OK;
        if (good && sqlite3_step(s) == SQLITE_ROW)
            rows = (uint64_t)sqlite3_column_int64(s, 0);
        sqlite3_finalize(s);
        sqlite3_free(sql);
        if (good) break;
    }
    return rows;
}

static int check(struct sql_guard *g, const struct plan *p, struct err *e) {
    for (size_t i = 0; i < CURSORS; i++) {
        const struct cursor *c = &p->cursors[i];
        char table[256];
        if (!c->root || !c->rewound || !c->advanced) continue;
        if (!table_of(g, c->root, table)) continue;
        uint64_t rows = rows_of(g, table);
        if (rows > g->config->scan_rows)
            return fail(e, ERR_LIMIT,
                        "this would read all of %s, about %llu rows (%llu "
                        "allowed): add a condition on an indexed column, or a "
                        "LIMIT",
                        table, (unsigned long long)rows,
                        (unsigned long long)g->config->scan_rows);
    }
    return 0;
}

/* With a LIMIT the scan may end early; that it does is watched while it runs.
 */
int guard_plan(struct sql_guard *g, str sql, struct err *e) {
    struct plan p = {.limited = false};
    AUTO_MEM struct step *steps = mem_alloc(STEPS * sizeof *steps, e);
    if (!steps) return -1;
    p.steps = steps;
    g->setting_up = true;
    int result = read_plan(g, sql, &p, e);
    find_scans(&p);
    if (result == 0 && !p.limited) result = check(g, &p, e);
    g->setting_up = false;
    return result;
}
