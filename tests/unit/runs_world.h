/* SPDX-License-Identifier: MIT
 *
 * runs_world -- a small world for the tests of runs: a notebook that remembers,
 * in a file, what was written, with a store, a policy and code mode over it.
 */
#ifndef CORDON_TESTS_RUNS_WORLD_H
#define CORDON_TESTS_RUNS_WORLD_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "call/callback.h"
#include "runs/runs.h"
#include "test.h"
#include "vm/engine.h"
#include "json/write.h"

#define UNUSED __attribute__((unused))

struct world {
    struct loop *loop;
    struct registry *registry;
    struct provider *provider;
    struct store *store;
    struct audit *audit;
    struct policy *policy;
    struct boundary *boundary;
    struct runs *runs;
    struct arena arena;
    int reads, now, most, reads_at_write;
    bool die_before, die_after; /* of the next write */
    bool struck;                /* memory had failed when an end was told */
    int64_t open;               /* reads of a larger n below 100 have to wait; a
                                   read of 100 + n opens up to n + 2. 0: none do */
    struct slow *shut[100];     /* those that wait, by n */
};

static void answer(struct provider_call *c, const struct json *v) {
    struct err e;
    struct provider_result r = {result_structured(c->arena, v, &e)};
    if (r.result)
        provider_done(c, &r);
    else
        provider_failed(c, "unavailable", true, &e); /* memory is short */
}

static void do_write(void *data, struct provider_call *c) {
    struct world *w = data;
    str text = json_get_text(c->args, "text", STR(""));
    if (w->die_before || str_is(text, "!")) kill(getpid(), SIGKILL);
    CHECK_EQ(w->now, 0); /* nothing is being read */
    w->reads_at_write = w->reads;
    int fd = open("notebook", O_WRONLY | O_CREAT | O_APPEND, 0600);
    CHECK(write(fd, text.p, text.n) == (ssize_t)text.n);
    close(fd);
    if (w->die_after) kill(getpid(), SIGKILL);
    answer(c, c->args);
}

struct slow {
    struct io_timer timer; /* until it ends */
    struct provider_call *call;
    struct world *world;
};

static void read_over(struct io_timer *t) {
    struct slow *s = t->data;
    s->world->now--;
    for (size_t i = 0; i < 100; i++)
        if (s->world->shut[i] == s) s->world->shut[i] = NULL;
    answer(s->call, s->call->args);
}

static void end_soon(struct world *w, struct slow *s) {
    struct err e;
    CHECK_OK(loop_timer(w->loop, &s->timer, 20 * 1000000, &e), &e);
}

static bool is_shut(struct world *w, struct slow *s, int64_t n) {
    if (w->open == 0) return false;
    if (n < 100) {
        w->shut[n] = s;
        return n > w->open;
    }
    w->open = n - 100 + 2;
    for (int64_t i = 0; i <= w->open; i++)
        if (w->shut[i] && !w->shut[i]->timer.place) end_soon(w, w->shut[i]);
    return false;
}

static void do_read(void *data, struct provider_call *c) {
    struct world *w = data;
    struct err e;
    w->reads++;
    if (++w->now > w->most) w->most = w->now;
    struct slow *s = arena_zalloc(c->arena, 1, sizeof *s, &e);
    if (!s) {
        w->now--;
        provider_failed(c, "unavailable", true, &e);
        return;
    }
    s->timer = (struct io_timer){.fn = read_over, .data = s};
    s->call = c;
    s->world = w;
    c->state = s;
    if (!is_shut(w, s, json_get_int(c->args, "n", 0))) end_soon(w, s);
}

static void stop_read(void *data, struct provider_call *c) {
    struct slow *s = c->state;
    ((struct world *)data)->now--;
    loop_timer_stop(&s->timer);
}

static void do_fail(void *data, struct provider_call *c) {
    struct err e;
    (void)data;
    struct provider_result r = {NULL};
    CHECK_OK(json_parse(STR("{\"content\":[{\"type\":\"text\",\"text\":\"no "
                            "paper\"}],\"isError\":true}"),
                        NULL, c->arena, &r.result, &e),
             &e);
    provider_done(c, &r);
}

#define SCHEMA(props)                                             \
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{" props \
    "},\"additionalProperties\":false}"

static const struct callback functions[] = {
    {"{\"name\":\"write\"," SCHEMA("\"text\":{\"type\":\"string\"}") "}",
     do_write, NULL},
    {"{\"name\":\"read\"," SCHEMA(
         "\"n\":{\"type\":\"integer\"}") ",\"annotations\":{\"readOnlyHint\":"
                                         "true}}",
     do_read, stop_read},
    {"{\"name\":\"fail\"," SCHEMA("") ",\"annotations\":{\"readOnlyHint\":"
                                      "true}}",
     do_fail, NULL},
    {0},
};

#define ALLOW "preset permissive\n"
#define ASK   "ask R1 tool note.write\n" ALLOW

/* "few" is the set that has note.read alone. */
static bool allows(void *data, str scopes, str tool) {
    (void)data;
    return !str_is(scopes, "few") || str_is(tool, "note__read");
}

static void open_world(struct world *w, const char *rules) {
    struct err e;
    *w = (struct world){.arena = ARENA_MAX((size_t)64 << 20)};
    w->loop = loop_new(&e);
    w->registry = registry_new(&e);
    struct store_config store = {.path = "store.db", .loop = w->loop};
    w->store = store_open(&store, &e);
    CHECK_OK(w->store ? 0 : -1, &e);
    w->audit = audit_open("audit", &e);
    w->policy = policy_parse(str_of(rules), "rules", &e);
    CHECK(w->audit && w->policy);
    w->provider =
        callback_new(w->registry, STR("note"), functions, w, NULL, &e);
    struct boundary_config boundary = {.loop = w->loop,
                                       .registry = w->registry,
                                       .policy = w->policy,
                                       .store = w->store,
                                       .audit = w->audit};
    w->boundary = boundary_new(&boundary, &e);
    CHECK(w->provider && w->boundary);
    struct runs_config runs = {.loop = w->loop,
                               .boundary = w->boundary,
                               .store = w->store,
                               .audit = w->audit,
                               .allows = allows,
                               .save_ns = 1};
    w->runs = runs_new(&runs, &e);
    CHECK(w->runs);
}

UNUSED static void close_world(struct world *w) {
    struct err e;
    runs_free(w->runs);
    boundary_free(w->boundary);
    registry_free(w->registry);
    w->provider->class->free(w->provider);
    policy_free(w->policy);
    CHECK_OK(store_close(w->store, &e), &e);
    audit_close(w->audit);
    loop_free(w->loop);
    arena_fini(&w->arena);
    engine_fini();
}

struct told {
    struct run_waiter waiter;
    struct world *world;
    bool done;
    enum run_state state;
    const struct json *outcome;
    char id[STORE_ID];
};

static void on_done(struct run_waiter *w, enum run_state state,
                    const struct json *outcome) {
    struct told *t = w->data;
    t->world->struck |= mem_failed();
    mem_fail_after(0); /* what follows is the test's own */
    AUTO_BUF struct buf text = BUF_MAX((size_t)16 << 20);
    struct err e;
    t->done = true;
    t->state = state;
    CHECK_OK(json_write(outcome, JSON_COMPACT, &text, &e), &e);
    CHECK_OK(
        json_parse(buf_str(&text), NULL, &t->world->arena, &t->outcome, &e),
        &e);
}

UNUSED static void submit(struct world *w, struct told *t, const char *program,
                          const char *session) {
    struct err e;
    *t = (struct told){.waiter = {.done = on_done, .data = t}, .world = w};
    struct run_request q = {.program = str_of(program),
                            .session = str_of(session),
                            .principal = STR("me"),
                            .can_ask = true,
                            .waiter = &t->waiter};
    CHECK_OK(runs_submit(w->runs, &q, t->id, &e), &e);
}

UNUSED static void wait_for(struct world *w, struct told *t) {
    struct err e;
    while (!t->done)
        CHECK_OK(loop_step(w->loop, -1, &e), &e);
}

UNUSED static struct told run(struct world *w, const char *program) {
    struct told t;
    submit(w, &t, program, NULL);
    wait_for(w, &t);
    return t;
}

UNUSED static str value_text(const struct told *t) {
    const struct json *v = json_get(t->outcome, "value");
    CHECK(v);
    return json_type(v) == JSON_STRING ? json_str(v) : STR("");
}

UNUSED static long notebook(char out[1000]) {
    int fd = open("notebook", O_RDONLY);
    if (fd < 0) return 0;
    ssize_t n = read(fd, out, 999);
    close(fd);
    out[n < 0 ? 0 : n] = 0;
    return n;
}

#endif
