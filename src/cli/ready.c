/* SPDX-License-Identifier: MIT */
#include "cli/ready.h"

#include <limits.h>

#include "base/mem.h"
#include "sandbox/pools.h"
#include "sandbox/zygote.h"
#include "json/config.h"

enum { PROGRAMS = 4, PYTHONS = 2, SLOTS_MAX = 32 };

#define IDLE_NS ((int64_t)300 * 1000000000)
#define SOON_NS ((int64_t)2 * 1000000)

struct ready {
    struct loop *loop;
    struct log *log;
    struct pools *pools;
    char *preload; /* owned: settings change */
    struct io_watch watch;
    struct io_timer timer;
};

struct steward *ready_steward(struct log *log) {
    AUTO_BUF struct buf module = BUF_MAX(PATH_MAX);
    struct steward *s = NULL;
    struct err e;
    bool python = zygote_module(&module, &e) == 0;
    if (!python) log_info(log, "no CPython is kept ready: %s", e.text);
    if (steward_start(python ? buf_text(&module) : NULL, &s, &e))
        log_warn(log, "no sandboxes are kept ready: %s", e.text);
    return s;
}

void ready_steward_end(struct steward *s) {
    steward_free(s);
}

static void on_note(void *data, const char *text) {
    const struct ready *r = data;
    log_warn(r->log, "%s; tasks start cold", text);
}

static void step(struct ready *r) {
    struct err e;
    int64_t next = pools_step(r->pools);
    if (next < 0)
        loop_timer_stop(&r->timer);
    else
        (void)loop_timer(r->loop, &r->timer, next, &e);
}

static void on_timer(struct io_timer *t) {
    step(t->data);
}

/* A steward that is gone would be told of for ever. */
static void on_answer(struct io_watch *w, uint32_t events) {
    struct ready *r = w->data;
    if (events & (EPOLLHUP | EPOLLERR)) loop_unwatch(w);
    step(r);
}

static void on_restless(void *data) {
    struct ready *r = data;
    struct err e;
    (void)loop_timer(r->loop, &r->timer, SOON_NS, &e);
}

static size_t count_of(const struct json *own, const char *key, size_t none) {
    int64_t n = json_get_int(own, key, (int64_t)none);
    return n < 0 ? 0 : n > SLOTS_MAX ? SLOTS_MAX : (size_t)n;
}

/* Separated by commas. */
static int join_preload(struct ready *r, const struct json *list,
                        struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    if (!list && buf_add_text(&text, "numpy,pandas", e)) return -1;
    const struct json *v = list ? json_first(list) : NULL;
    for (size_t i = list ? json_len(list) : 0; i > 0; i--, v = json_skip(v))
        if (buf_addf(&text, e, "%s%.*s", text.len ? "," : "",
                     STR_ARG(json_str(v))))
            return -1;
    r->preload = mem_dup(buf_text(&text), text.len, e);
    return r->preload ? 0 : -1;
}

static int set_up(struct ready *r, struct steward *steward,
                  const struct json *own, struct err *e) {
    if (join_preload(r, json_get(own, "preload"), e)) return -1;
    const struct pools_config config = {
        .steward = steward,
        .programs = count_of(own, "programs", PROGRAMS),
        .pythons = count_of(own, "python", PYTHONS),
        .preload = r->preload,
        .idle_ns = config_duration(json_get(own, "idle"), IDLE_NS),
        .restless = on_restless,
        .note = on_note,
        .data = r};
    if (pools_new(&config, &r->pools, e)) return -1;
    r->timer = (struct io_timer){.fn = on_timer, .data = r};
    r->watch =
        (struct io_watch){.fd = pools_fd(r->pools), .fn = on_answer, .data = r};
    return loop_watch(r->loop, &r->watch, EPOLLIN, e);
}

struct ready *ready_new(struct loop *loop, struct steward *steward,
                        const struct json *settings, struct log *log) {
    const struct json *own = json_pointer(settings, STR("/serve/pool"));
    struct err e;
    struct ready *r = steward ? mem_zalloc(1, sizeof *r, &e) : NULL;
    if (!r) return NULL;
    r->loop = loop;
    r->log = log;
    if (!set_up(r, steward, own, &e)) return r;
    log_warn(log, "no sandboxes are kept ready: %s", e.text);
    ready_free(r);
    return NULL;
}

struct pools *ready_pools(const struct ready *r) {
    return r->pools;
}

void ready_free(struct ready *r) {
    if (!r) return;
    loop_timer_stop(&r->timer);
    loop_unwatch(&r->watch);
    pools_free(r->pools);
    mem_free(r->preload);
    mem_free(r);
}
