/* SPDX-License-Identifier: MIT */
#include "call/sql_guard.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"

#define SQL_BYTES  ((size_t)64 << 10)
#define HEAP_BYTES ((int64_t)128 << 20)
#define WORK_UNIT  1000 /* steps of the virtual machine between two looks */
#define WORK_A_ROW 40   /* steps for a row of a scan, generously */

/* ---- the authorizer ---- */

static bool is_function(const char *name) {
    static const char *const names[] = {
#define FUNCTION(name_) #name_,
#include "call/sql_functions.def"
#undef FUNCTION
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (sqlite3_stricmp(names[i], name) == 0) return true;
    return false;
}

static bool is_ours(const struct sql_guard *g, const char *context) {
    return context && strncmp(context, g->view, strlen(g->view)) == 0;
}

static int deny(struct sql_guard *g, const char *what, const char *name) {
    if (g->denied[0] == 0)
        snprintf(g->denied, sizeof g->denied, "%s%s%.80s", what,
                 name ? " " : "", name ? name : "");
    return SQLITE_DENY;
}

static bool is_in_file(const struct sql_guard *g, const char *table) {
    return sqlite3_table_column_metadata(g->db, "main", table, NULL, NULL, NULL,
                                         NULL, NULL, NULL) == SQLITE_OK;
}

/* A common table expression of which no column is used is told like a table:
 * by its name alone. */
static bool is_expression(const struct sql_guard *g, const char *table,
                          const char *column) {
    return column[0] == 0 && !is_in_file(g, table) &&
           sqlite3_strnicmp(table, "sqlite_", 7) != 0 &&
           sqlite3_strnicmp(table, "pragma_", 7) != 0;
}

/* Tables of the file and our views; not SQLite's own, which hold samples of
 * data and the schema, and no table that is made up for the query but the two
 * that take JSON apart. */
static bool is_readable(struct sql_guard *g, const char *database,
                        const char *table) {
    if (sqlite3_stricmp(table, "json_each") == 0 ||
        sqlite3_stricmp(table, "json_tree") == 0)
        return true;
    if (sqlite3_strnicmp(table, "sqlite_", 7) == 0) return false;
    if (!sql_may_read(g->config, str_of(table))) return false;
    if (database && strcmp(database, "temp") == 0) return true;
    return is_in_file(g, table);
}

static int on_read(struct sql_guard *g, const char *table, const char *column,
                   const char *database, const char *context) {
    if (is_ours(g, table) || is_ours(g, context)) return SQLITE_OK;
    if (is_expression(g, table, column)) return SQLITE_OK;
    if (!is_readable(g, database, table)) return deny(g, "reading", table);
    const struct sql_column *c =
        sql_column(g->config, str_of(table), str_of(column));
    if (!c) return SQLITE_OK;
    /* The view before the table has the column under the same name. */
    bool shadow = database && strcmp(database, "temp") == 0;
    if (c->masked && !shadow) {
        g->denied_masked = true;
        return deny(g, "reading past the mask of", column);
    }
    if (c->labelled && !c->masked) g->read[c - g->config->columns] = true;
    return SQLITE_OK;
}

static int authorize(void *data, int action, const char *a, const char *b,
                     const char *database, const char *context) {
    struct sql_guard *g = data;
    if (g->setting_up) return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_READ:
        return on_read(g, a ? a : "", b ? b : "", database, context);
    case SQLITE_FUNCTION:
        if (is_ours(g, context) || is_function(b ? b : "")) return SQLITE_OK;
        return deny(g, "the function", b);
    case SQLITE_ATTACH:
    case SQLITE_DETACH: return deny(g, "ATTACH", NULL);
    case SQLITE_PRAGMA: return deny(g, "PRAGMA", a);
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return deny(g, "transactions", NULL);
    default: return deny(g, "anything but SELECT", NULL);
    }
}

/* ---- bounds ---- */

static int look(void *data) {
    struct sql_guard *g = data;
    if (g->setting_up) return 0;
    g->work += WORK_UNIT;
    g->out_of_work = g->work > g->work_max;
    g->out_of_time = clock_mono_ns() > g->deadline_ns;
    return g->out_of_work || g->out_of_time;
}

static void set_limits(struct sql_guard *g) {
    static const int limits[][2] = {
        {SQLITE_LIMIT_SQL_LENGTH, (int)SQL_BYTES},
        {SQLITE_LIMIT_LENGTH, 16 << 20},
        {SQLITE_LIMIT_COLUMN, 256},
        {SQLITE_LIMIT_EXPR_DEPTH, 200},
        {SQLITE_LIMIT_COMPOUND_SELECT, 50},
        {SQLITE_LIMIT_FUNCTION_ARG, 32},
        {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
        {SQLITE_LIMIT_VARIABLE_NUMBER, 1000},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
        {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        sqlite3_limit(g->db, limits[i][0], limits[i][1]);
    sqlite3_hard_heap_limit64(HEAP_BYTES);
    sqlite3_progress_handler(g->db, WORK_UNIT, look, g);
}

/* What the file itself could bring: extensions, tampered schemas, functions
 * with effects in views. */
static void set_defences(sqlite3 *db) {
    static const struct {
        int option, value;
    } rows[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        sqlite3_db_config(db, rows[i].option, rows[i].value, NULL);
}

/* ---- opening ---- */

static int choose_name(struct sql_guard *g, struct err *e) {
    uint8_t bytes[16];
    size_t n = (size_t)snprintf(g->view, sizeof g->view, "cordon_");
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fail_sys(e, "getrandom");
    for (size_t i = 0; i < sizeof bytes; i++)
        n +=
            (size_t)snprintf(g->view + n, sizeof g->view - n, "%02x", bytes[i]);
    return 0;
}

static int set_up(struct sql_guard *g, struct err *e) {
    g->setting_up = true;
    set_limits(g);
    set_defences(g->db);
    if (sqlite3_set_authorizer(g->db, authorize, g) != SQLITE_OK ||
        sqlite3_exec(g->db, "PRAGMA temp_store=2", NULL, NULL, NULL) !=
            SQLITE_OK)
        return guard_fail(g, e);
    if (choose_name(g, e) || guard_mask(g, e)) return -1;
    if (sqlite3_exec(g->db, "PRAGMA query_only=1", NULL, NULL, NULL) !=
        SQLITE_OK)
        return guard_fail(g, e);
    g->setting_up = false;
    return 0;
}

int guard_open(struct sql_guard *g, const struct sql_config *c,
               const char *path, struct err *e) {
    const int flags =
        SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;
    *g = (struct sql_guard){.config = c};
    g->deadline_ns = clock_mono_ns() + c->timeout_ns;
    g->work_max = c->scan_rows > UINT64_MAX / WORK_A_ROW
                      ? UINT64_MAX
                      : c->scan_rows * WORK_A_ROW;
    if (sqlite3_open_v2(path, &g->db, flags, NULL) != SQLITE_OK) {
        guard_fail(g, e);
        guard_close(g);
        return fail_while(e, "%s", path);
    }
    sqlite3_busy_timeout(g->db, (int)(c->timeout_ns / 2000000));
    if (set_up(g, e) == 0) return 0;
    guard_close(g);
    return -1;
}

void guard_close(struct sql_guard *g) {
    sqlite3_close(g->db);
    g->db = NULL;
}

/* ---- statements ---- */

int guard_fail(struct sql_guard *g, struct err *e) {
    int code = sqlite3_extended_errcode(g->db);
    if (g->out_of_time)
        return fail(e, ERR_TIMEOUT, "the query took longer than %lld ms",
                    (long long)(g->config->timeout_ns / 1000000));
    if (g->out_of_work)
        return fail(e, ERR_LIMIT,
                    "the query reads too many rows: narrow it by conditions on "
                    "indexed columns");
    if (g->denied_masked)
        return fail(e, ERR_DENIED,
                    "%s is not allowed: name its table without a database and "
                    "outside of views",
                    g->denied);
    if ((code & 0xff) == SQLITE_AUTH)
        return fail(e, ERR_DENIED, "%s is not allowed: one SELECT on %s",
                    g->denied[0] ? g->denied : "this",
                    g->config->tables ? "the tables that may be read"
                                      : "tables of the database");
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return fail(e, ERR_TIMEOUT, "the database is locked");
    case SQLITE_NOMEM:
        return fail(e, ERR_LIMIT, "the query needs too much memory");
    case SQLITE_TOOBIG: return fail(e, ERR_LIMIT, "text or value too long");
    case SQLITE_CANTOPEN:
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_IOERR: return fail(e, ERR_SYSTEM, "%s", sqlite3_errmsg(g->db));
    }
    return fail(e, ERR_INVALID, "%s", sqlite3_errmsg(g->db));
}

static bool is_blank(const char *tail, const char *end) {
    for (; tail < end; tail++)
        if (!strchr(" \t\r\n;", *tail)) return false;
    return true;
}

int guard_prepare(struct sql_guard *g, str sql, sqlite3_stmt **out,
                  struct err *e) {
    sqlite3_stmt *s = NULL;
    const char *tail = NULL;
    if (sql.n >= SQL_BYTES)
        return fail(e, ERR_LIMIT, "a query has at most %zu bytes", SQL_BYTES);
    g->denied[0] = 0;
    g->denied_masked = false;
    if (sqlite3_prepare_v3(g->db, sql.p, (int)sql.n, 0, &s, &tail) != SQLITE_OK)
        return guard_fail(g, e);
    if (!s) return fail(e, ERR_INVALID, "an empty query");
    bool one = is_blank(tail, sql.p + sql.n);
    if (one && sqlite3_stmt_readonly(s) && !sqlite3_stmt_isexplain(s) &&
        sqlite3_column_count(s) > 0) {
        *out = s;
        return 0;
    }
    bool explains = sqlite3_stmt_isexplain(s);
    sqlite3_finalize(s);
    return fail(e, ERR_DENIED, "%s",
                !one       ? "one statement at a time"
                : explains ? "EXPLAIN is not allowed"
                           : "anything but SELECT is not allowed");
}
