/* SPDX-License-Identifier: MIT
 *
 * fuzz_sql -- any text as a query: what is said of it for PostgreSQL, and what
 * an empty SQLite database makes of it. A table must stay as it was.
 */
#include "call/sql_guard.h"
#include "call/sql_lex.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool refuse(void *data, str name) {
    (void)data;
    return name.n > 4;
}

static char path[64];

static void remove_database(void) {
    (void)unlink(path);
}

static const char *database(void) {
    if (path[0] == 0) {
        sqlite3 *db;
        snprintf(path, sizeof path, "/tmp/cordon-fuzz-sql-%d", (int)getpid());
        if (sqlite3_open(path, &db) ||
            sqlite3_exec(db, "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2)",
                         NULL, NULL, NULL))
            abort();
        sqlite3_close(db);
        atexit(remove_database);
    }
    return path;
}

static struct sql_config config = {
    .rows = 10,
    .bytes = 10000,
    .timeout_ns = 200000000,
    .scan_rows = 1000,
    .columns = {{.table = {"t", 1},
                 .column = {"b", 1},
                 .masked = true,
                 .mask = MASK_HIDE}},
    .column_count = 1,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    struct sql_guard g;
    sqlite3_stmt *s = NULL;
    str text = {(const char *)data, size};
    (void)sql_lex_check(text, refuse, NULL, &e);
    if (guard_open(&g, &config, database(), &e)) abort();
    if (guard_prepare(&g, text, &s, &e) == 0 && guard_plan(&g, text, &e) == 0)
        for (int i = 0; i < 20 && sqlite3_step(s) == SQLITE_ROW; i++)
            (void)sqlite3_column_text(s, 0);
    if (s && !sqlite3_stmt_readonly(s)) abort();
    sqlite3_finalize(s);
    guard_close(&g);
    return 0;
}
