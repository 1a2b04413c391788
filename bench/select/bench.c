/* SPDX-License-Identifier: MIT
 *
 * bench -- selection and SQLite FTS5 on the same tools and requests.
 *
 *   bench TOOLS COUNT REQUESTS...
 *
 * COUNT tools are taken from TOOLS (JSON lines); when there are fewer, they
 * are copied with changed names until there are enough. Prints JSON: times in
 * microseconds of processor time of this thread, memory in bytes.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "tools/select/eval.h"
#include "tools/select/select.h"
#include "tools/select/tokenise.h"
#include "json/write.h"

#define REQUESTS 2000
#define UPDATES  2000
#define FTS_RUNS 200 /* requests to FTS5: it is slower */

struct bench {
    struct catalogue tools;
    struct arena names;
    str requests[REQUESTS];
    size_t request_count;
    struct eval_set sets[16];
    struct selector selector;
    struct jw out;
};

static _Noreturn void die(const struct err *e) {
    fprintf(stderr, "bench: %s\n", e->text);
    exit(1);
}

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void put_real(struct bench *b, const char *key, double v) {
    jw_key(&b->out, key);
    jw_real(&b->out, v);
}

static void put_times(struct bench *b, const char *key, double *us, size_t n) {
    qsort(us, n, sizeof *us, by_value);
    jw_key(&b->out, key);
    jw_object(&b->out);
    put_real(b, "p50", us[n / 2]);
    put_real(b, "p90", us[n * 9 / 10]);
    put_real(b, "p99", us[n * 99 / 100]);
    put_real(b, "max", us[n - 1]);
    jw_end_object(&b->out);
}

/* ---- input ---- */

/* A copy under another name, on another server, so that it is a tool of its
 * own in every respect but its text. */
static void add_copy(struct bench *b, size_t i, size_t round) {
    struct err e;
    struct tool t = b->tools.tools[i];
    char *id = arena_printf(&b->names, &e, "%.*s~%zu", STR_ARG(t.id), round);
    char *name =
        arena_printf(&b->names, &e, "%.*s_%zu", STR_ARG(t.name), round);
    char *server =
        arena_printf(&b->names, &e, "%.*s %zu", STR_ARG(t.server), round);
    if (!id || !name || !server) die(&e);
    t.id = str_of(id);
    t.name = str_of(name);
    t.server = str_of(server);
    if (catalogue_add(&b->tools, &t, &e)) die(&e);
}

static void read_tools(struct bench *b, const char *path, size_t count) {
    struct err e;
    if (catalogue_add_file(&b->tools, path, &e)) die(&e);
    size_t base = b->tools.count;
    for (size_t i = 0; b->tools.count < count; i++)
        add_copy(b, i % base, 1 + i / base);
    if (b->tools.count > count) b->tools.count = count;
}

/* Evenly from all files. */
static void read_requests(struct bench *b, char *const *paths, size_t n) {
    struct err e;
    for (size_t i = 0; i < n && i < 16; i++) {
        b->sets[i] = EVAL_INIT;
        if (eval_read(&b->sets[i], paths[i], &e)) die(&e);
    }
    for (size_t k = 0; b->request_count < REQUESTS && k < REQUESTS; k++)
        for (size_t i = 0; i < n && i < 16; i++)
            if (b->request_count < REQUESTS)
                b->requests[b->request_count++] =
                    b->sets[i].queries[k % b->sets[i].count].text;
}

/* ---- ours ---- */

static size_t resident(void) {
    FILE *f = fopen("/proc/self/statm", "r");
    size_t pages = 0, all = 0;
    if (f && fscanf(f, "%zu %zu", &all, &pages) != 2) pages = 0;
    if (f) fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void bench_build(struct bench *b) {
    struct err e;
    size_t before = resident();
    double start = now_us();
    if (selector_init(&b->selector, NULL, &e) ||
        selector_sync(&b->selector, &b->tools, &e))
        die(&e);
    put_real(b, "build_ms", (now_us() - start) / 1000);
    jw_put_int(&b->out, "index_bytes",
               (int64_t)corpus_bytes(&b->selector.corpus));
    static struct selection found;
    struct select_request r = {.text = b->requests[0]};
    if (select_tools(&b->selector, &r, &found, &e)) die(&e);
    jw_put_int(&b->out, "resident_bytes", (int64_t)(resident() - before));
}

static void bench_queries(struct bench *b) {
    static struct selection found;
    static double us[REQUESTS];
    struct err e;
    for (size_t i = 0; i < b->request_count; i++) {
        struct select_request r = {.text = b->requests[i]};
        double start = now_us();
        if (select_tools(&b->selector, &r, &found, &e)) die(&e);
        us[i] = now_us() - start;
    }
    put_times(b, "query_us", us, b->request_count);
}

/* Every so manieth tool gets another description. */
static void bench_updates(struct bench *b) {
    static double us[UPDATES];
    static struct document d;
    struct err e;
    for (size_t i = 0; i < UPDATES; i++) {
        struct tool t = b->tools.tools[i * 7919 % b->tools.count];
        t.description = b->requests[i % b->request_count];
        double start = now_us();
        document_of(&t, &d);
        if (corpus_put(&b->selector.corpus, &t, &d, &e)) die(&e);
        us[i] = now_us() - start;
    }
    put_times(b, "update_us", us, UPDATES);
}

static void bench_file(struct bench *b) {
    struct err e;
    char path[] = "/tmp/cordon-bench-XXXXXX";
    AUTO_FD int fd = mkstemp(path);
    struct corpus back;
    double start = now_us();
    if (fd < 0 || corpus_save(&b->selector.corpus, path, &e)) die(&e);
    put_real(b, "save_ms", (now_us() - start) / 1000);
    start = now_us();
    struct weights w = weights_default();
    if (corpus_load(&back, path, &w, &b->selector.table, &e)) die(&e);
    put_real(b, "load_ms", (now_us() - start) / 1000);
    corpus_fini(&back);
    unlink(path);
}

/* ---- SQLite FTS5 ---- */

static void must(sqlite3 *db, int rc) {
    if (rc == SQLITE_OK || rc == SQLITE_DONE) return;
    fprintf(stderr, "bench: sqlite: %s\n", sqlite3_errmsg(db));
    exit(1);
}

static void fts_fill(struct bench *b, sqlite3 *db) {
    sqlite3_stmt *s;
    static struct document d;
    must(db, sqlite3_exec(db,
                          "create virtual table t using fts5(body, "
                          "tokenize='porter unicode61'); begin",
                          NULL, NULL, NULL));
    must(db, sqlite3_prepare_v2(db, "insert into t values (?)", -1, &s, NULL));
    for (size_t i = 0; i < b->tools.count; i++) {
        AUTO_BUF struct buf text = BUF_MAX(1 << 20);
        struct err e;
        document_of(&b->tools.tools[i], &d);
        for (size_t k = 0; k < d.count; k++)
            if (buf_add_str(&text, d.pieces[k].text, &e) ||
                buf_add_char(&text, ' ', &e))
                die(&e);
        sqlite3_bind_text(s, 1, buf_text(&text), (int)text.len,
                          SQLITE_TRANSIENT);
        must(db, sqlite3_step(s));
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
    must(db, sqlite3_exec(db, "commit", NULL, NULL, NULL));
}

/* Any word of the request may match. */
static void fts_match(str request, struct buf *out) {
    struct err e;
    struct tokens t = TOKENS_PLAIN(request);
    while (tokens_next(&t))
        if ((out->len > 0 && buf_add_text(out, " OR ", &e)) ||
            buf_addf(out, &e, "\"%.*s\"", STR_ARG(tokens_term(&t))))
            die(&e);
}

static void bench_fts(struct bench *b) {
    static double us[FTS_RUNS];
    sqlite3 *db;
    sqlite3_stmt *s;
    must(NULL, sqlite3_open(":memory:", &db));
    double start = now_us();
    fts_fill(b, db);
    put_real(b, "build_ms", (now_us() - start) / 1000);
    jw_put_int(&b->out, "memory_bytes", sqlite3_memory_used());
    must(db,
         sqlite3_prepare_v2(
             db, "select rowid from t where t match ? order by rank limit 8",
             -1, &s, NULL));
    for (size_t i = 0; i < FTS_RUNS; i++) {
        AUTO_BUF struct buf match = BUF_MAX(1 << 20);
        fts_match(b->requests[i * 7 % b->request_count], &match);
        start = now_us();
        sqlite3_bind_text(s, 1, buf_text(&match), (int)match.len,
                          SQLITE_TRANSIENT);
        while (sqlite3_step(s) == SQLITE_ROW)
            continue;
        sqlite3_reset(s);
        us[i] = now_us() - start;
    }
    put_times(b, "query_us", us, FTS_RUNS);
    sqlite3_finalize(s);
    sqlite3_close(db);
}

int main(int argc, char **argv) {
    static struct bench b;
    struct err e;
    if (argc < 4) {
        fprintf(stderr, "usage: bench TOOLS COUNT REQUESTS...\n");
        return 2;
    }
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    b.tools = CATALOGUE_INIT;
    b.names = ARENA_MAX((size_t)1 << 30);
    b.out = JW(&text);
    read_tools(&b, argv[1], strtoul(argv[2], NULL, 10));
    read_requests(&b, argv + 3, (size_t)argc - 3);
    jw_object(&b.out);
    jw_put_int(&b.out, "tools", (int64_t)b.tools.count);
    jw_key(&b.out, "cordon");
    jw_object(&b.out);
    bench_build(&b);
    bench_queries(&b);
    bench_updates(&b);
    bench_file(&b);
    jw_end_object(&b.out);
    jw_key(&b.out, "fts5");
    jw_object(&b.out);
    bench_fts(&b);
    jw_end_object(&b.out);
    jw_end_object(&b.out);
    if (jw_done(&b.out, &e)) die(&e);
    puts(buf_text(&text));
    return 0;
}
