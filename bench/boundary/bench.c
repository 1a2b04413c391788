/* SPDX-License-Identifier: MIT
 *
 * What the boundary costs, and what runs that wait hold. Prints JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "call/callback.h"
#include "runs/runs.h"
#include "json/write.h"

enum { CALLS = 20000, TOGETHER = 64, SLOW = 1000 };

static size_t paused = 10000; /* argv[1] says otherwise */

static void die(const struct err *e) {
    fprintf(stderr, "bench: %s\n", e->text);
    exit(1);
}

/* -- tools
 * ----------------------------------------------------------------------
 */

struct world {
    struct loop *loop;
    struct registry *registry;
    struct store *store;
    struct audit *audit;
    struct policy *policy;
    struct boundary *boundary;
    struct runs *runs;
    struct arena arena;
    const struct json *args;
    int done, slow_now;
};

static void echo(void *data, struct provider_call *c) {
    struct err e;
    struct provider_result r = {result_structured(c->arena, c->args, &e)};
    (void)data;
    provider_done(c, &r);
}

struct slow {
    struct io_timer timer;
    struct provider_call *call;
};

static void slow_over(struct io_timer *t) {
    struct slow *s = t->data;
    echo(NULL, s->call);
}

static void slow(void *data, struct provider_call *c) {
    struct world *w = data;
    struct err e;
    struct slow *s = arena_zalloc(c->arena, 1, sizeof *s, &e);
    if (!s) die(&e);
    w->slow_now++;
    s->timer = (struct io_timer){.fn = slow_over, .data = s};
    s->call = c;
    c->state = s;
    bool nap = str_is(c->tool->tool.name, "nap");
    if (loop_timer(w->loop, &s->timer, nap ? 100000000 : 1000000000, &e))
        die(&e);
}

static void stop(void *data, struct provider_call *c) {
    struct slow *s = c->state;
    (void)data;
    loop_timer_stop(&s->timer);
}

#define ANY                                                                    \
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"path\":{\"type\":" \
    "\"string\"},\"n\":{\"type\":\"integer\"}}}"
static const struct callback functions[] = {
    {"{\"name\":\"read\"," ANY "}", echo, NULL},
    {"{\"name\":\"write\"," ANY "}", echo, NULL},
    {"{\"name\":\"ask\"," ANY "}", echo, NULL},
    {"{\"name\":\"slow\"," ANY "}", slow, stop},
    {"{\"name\":\"nap\"," ANY "}", slow, stop},
    {0},
};

static const struct json *parse(struct world *w, const char *text) {
    const struct json *v;
    struct err e;
    if (json_parse(str_of(text), NULL, &w->arena, &v, &e)) die(&e);
    return v;
}

static void open_world(struct world *w, bool records) {
    struct err e;
    *w = (struct world){.arena = ARENA_MAX((size_t)16 << 20)};
    w->loop = loop_new(&e);
    w->registry = registry_new(&e);
    struct store_config store = {.path = "store.db", .loop = w->loop};
    if (records && (!(w->store = store_open(&store, &e)) ||
                    !(w->audit = audit_open("audit", &e))))
        die(&e);
    w->policy = policy_parse(STR("ask R1 tool box.ask\npreset permissive\n"),
                             "rules", &e);
    const struct json *says =
        parse(w, "{\"read\":{\"readOnly\":true},\"slow\":{\"readOnly\":true},"
                 "\"nap\":{\"readOnly\":true}}");
    if (!w->policy ||
        !callback_new(w->registry, STR("box"), functions, w, says, &e))
        die(&e);
    struct boundary_config config = {
        .loop = w->loop,
        .registry = w->registry,
        .policy = w->policy,
        .store = w->store,
        .audit = w->audit,
        .limits = parse(w, "{\"*\":{\"concurrency\":5000,\"repeats\":0}}")};
    if (!(w->boundary = boundary_new(&config, &e))) die(&e);
    struct runs_config runs = {.loop = w->loop,
                               .boundary = w->boundary,
                               .store = w->store,
                               .open_max = 100000};
    if (records && !(w->runs = runs_new(&runs, &e))) die(&e);
    w->args = parse(w, "{\"path\":\"/srv/data/report.txt\",\"n\":42}");
}

static void on_done(void *data, const struct call_outcome *o) {
    struct world *w = data;
    if (o->status != CALL_DONE) exit(1);
    w->done++;
}

/* -- calls
 * ----------------------------------------------------------------------
 */

/* CPU microseconds of one call, `together` at a time. */
static double calls(struct world *w, const char *tool, int together,
                    struct journal *j) {
    struct err e;
    int64_t began = clock_cpu_ns();
    for (int i = 0; i < CALLS; i += together) {
        w->done = 0;
        for (int k = 0; k < together; k++) {
            struct call_request r = {.name = str_of(tool),
                                     .args = w->args,
                                     .who = {.kind = "run",
                                             .run = j ? j->run : STR(""),
                                             .number = (uint64_t)(i + k + 1),
                                             .journal = j},
                                     .done = on_done,
                                     .data = w};
            (void)boundary_call(w->boundary, &r);
        }
        while (w->done < together)
            if (loop_step(w->loop, -1, &e)) die(&e);
    }
    return (double)(clock_cpu_ns() - began) / 1000 / CALLS;
}

/* The tool's own work: what no boundary could spare. */
static double bare(struct world *w) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    int64_t began = clock_cpu_ns();
    for (int i = 0; i < CALLS; i++) {
        struct arena_mark mark = arena_mark(&a);
        if (!result_structured(&a, w->args, &e)) die(&e);
        arena_rewind(&a, mark);
    }
    return (double)(clock_cpu_ns() - began) / 1000 / CALLS;
}

static void begin_journal(struct world *w, struct journal *j, const char *id) {
    struct err e;
    struct store_run run = {.id = str_of(id),
                            .kind = STR("run"),
                            .options = STR("{}"),
                            .created = 1};
    *j = (struct journal){.store = w->store, .run = run.id, .next = 1};
    if (store_run_add(w->store, &run, &j->fence, &e)) die(&e);
}

/* -- runs
 * -----------------------------------------------------------------------
 */

static double resident_mb(void) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    struct err e;
    long pages = 0;
    if (file_read("/proc/self/statm", &text, &e)) die(&e);
    (void)sscanf(buf_text(&text), "%*d %ld", &pages);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void submit(struct world *w, const char *program,
                   struct run_waiter *waiter) {
    struct err e;
    char id[STORE_ID];
    struct run_request q = {.program = str_of(program),
                            .principal = STR("me"),
                            .can_ask = true,
                            .waiter = waiter};
    if (runs_submit(w->runs, &q, id, &e)) die(&e);
}

static void many_paused(struct world *w, double *megabytes, double *us) {
    struct err e;
    size_t active, waiting = 0;
    double before = resident_mb();
    int64_t began = clock_cpu_ns();
    for (size_t i = 0; waiting < paused;) {
        for (int k = 0; k < 100 && i < paused; k++, i++)
            submit(w, "rows = list(range(100))\nbox.ask(n=1)\nlen(rows)", NULL);
        do {
            if (loop_step(w->loop, 1000000, &e)) die(&e);
            runs_count(w->runs, &active, &waiting);
        } while (active);
    }
    *us = (double)(clock_cpu_ns() - began) / 1000 / (double)paused;
    *megabytes = resident_mb() - before;
}

struct ended {
    int count;
    int64_t first, last;
};

static void on_end(struct run_waiter *w, enum run_state state,
                   const struct json *outcome) {
    struct ended *n = w->data;
    (void)outcome;
    if (state != RUN_DONE) exit(1);
    if (n->count++ == 0) n->first = clock_mono_ns();
    n->last = clock_mono_ns();
}

static void many_slow(struct world *w, double *megabytes, double *spread) {
    static struct run_waiter waiters[SLOW];
    struct ended n = {0};
    struct err e;
    double before = resident_mb();
    for (int i = 0; i < SLOW; i++) {
        waiters[i] = (struct run_waiter){.done = on_end, .data = &n};
        submit(w, "box.slow(n=1)['n'] + box.slow(n=2)['n']", &waiters[i]);
    }
    while (w->slow_now < 2 * SLOW)
        if (loop_step(w->loop, -1, &e)) die(&e);
    *megabytes = resident_mb() - before;
    while (n.count < SLOW)
        if (loop_step(w->loop, -1, &e)) die(&e);
    *spread = (double)(n.last - n.first) / 1e6;
}

/* Milliseconds of wall time of a program, the best of some. */
static double best_ms(struct world *w, const char *program) {
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        struct ended n = {0};
        struct run_waiter waiter = {.done = on_end, .data = &n};
        struct err e;
        int64_t began = clock_mono_ns();
        submit(w, program, &waiter);
        while (n.count == 0)
            if (loop_step(w->loop, -1, &e)) die(&e);
        double ms = (double)(n.last - began) / 1e6;
        if (ms < best) best = ms;
    }
    return best;
}

int main(int argc, char **argv) {
    struct world plain, whole;
    struct journal j;
    double paused_mb, paused_us, slow_mb, spread;
    if (argc > 1) paused = (size_t)atoi(argv[1]);
    char folder[] = "/tmp/cordon-bench-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder)) return 1;
    open_world(&plain, false);
    double own = bare(&plain);
    double checked = calls(&plain, "box.read", 1, NULL);
    open_world(&whole, true);
    begin_journal(&whole, &j, "r_reads");
    double reads = calls(&whole, "box.read", 1, &j);
    begin_journal(&whole, &j, "r_writes");
    double writes = calls(&whole, "box.write", TOGETHER, &j);
    double one = best_ms(&whole, "box.nap(n=1)['n']");
    double twenty = best_ms(&whole, "rows = []\n"
                                    "for i in range(20):\n"
                                    "    rows.append(box.nap(n=i))\n"
                                    "sum(r['n'] for r in rows)");
    many_paused(&whole, &paused_mb, &paused_us);
    many_slow(&whole, &slow_mb, &spread);
    printf("{\"bare_us\":%.2f,\"checked_us\":%.2f,\"read_us\":%.2f,"
           "\"write_us\":%.2f,\"paused_mb\":%.1f,\"paused_us\":%.0f,"
           "\"slow_mb\":%.1f,\"slow_spread_ms\":%.0f,\"one_ms\":%.1f,"
           "\"twenty_ms\":%.1f,\"overlap\":%.2f}\n",
           own, checked, reads, writes, paused_mb, paused_us, slow_mb, spread,
           one, twenty, twenty / one);
    fflush(stdout);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    int removed = system(command);
    _exit(removed ? 1 : 0);
}
