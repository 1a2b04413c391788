/* SPDX-License-Identifier: MIT */
#include "runs/runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/codec.h"
#include "base/hash.h"
#include "base/mem.h"
#include "runs/frame.h"
#include "runs/inside.h"
#include "json/build.h"
#include "json/write.h"

#define RUNS_MAX ((size_t)1 << 20)

#define RETRY_NS ((int64_t)20 * 1000000)
#define OPEN_MAX 100
#define DAY_NS   ((int64_t)24 * 3600 * 1000000000)
#define TIDY_NS  ((int64_t)3600 * 1000000000)

/* -- waiters ------------------------------------------------------------------
 */

void run_tell(struct run *r, enum run_state state) {
    struct run_waiter *w;
    while ((w = r->waiters)) {
        r->waiters = w->next;
        w->run = NULL;
        w->done(w, state, r->outcome);
    }
}

void run_progress(struct run *r, double done, double total, str message) {
    for (struct run_waiter *w = r->waiters, *next; w; w = next) {
        next = w->next;
        if (w->progress) w->progress(w, done, total, message);
    }
}

static void add_waiter(struct run *r, struct run_waiter *w) {
    if (!w) return;
    w->run = r;
    w->next = r->waiters;
    r->waiters = w;
}

void runs_unwait(struct runs *rs, struct run_waiter *w) {
    struct run *r = w->run;
    (void)rs;
    if (!r) return;
    for (struct run_waiter **p = &r->waiters; *p; p = &(*p)->next)
        if (*p == w) {
            *p = w->next;
            break;
        }
    w->run = NULL;
}

/* -- ends ---------------------------------------------------------------------
 */

static void free_run(struct run *r) {
    struct runs *rs = r->runs;
    run_drop_calls(r);
    contained_stop(r);
    run_unseat(r);
    session_give_back(r); /* as it was before the run, in the store */
    store_wait_stop(rs->config.store, &r->written);
    loop_timer_stop(&r->retry);
    (void)map_del(&rs->runs, str_of(r->id));
    map_fini(&r->memory);
    buf_fini(&r->timeline);
    buf_fini(&r->state);
    buf_fini(&r->origins);
    buf_fini(&r->output);
    buf_fini(&r->draws);
    buf_fini(&r->past);
    buf_fini(&r->whole);
    arena_fini(&r->arena);
    mem_free(r);
}

static void audit_run(struct run *r, const char *kind,
                      void (*add)(struct json_build *b, struct run *r)) {
    struct audit *audit = r->runs->config.audit;
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *data;
    struct err e;
    if (!audit) return;
    build_object(&b);
    build_put_text(&b, "run", str_of(r->id));
    if (r->session_id.n) build_put_text(&b, "session", r->session_id);
    build_put_text(&b, "principal", r->principal);
    build_put_text(&b, "client", r->client);
    add(&b, r);
    build_end(&b);
    if (build_done(&b, &data, &e) == 0) (void)audit_add(audit, kind, data, &e);
}

static void add_program(struct json_build *b, struct run *r) {
    char hash[JOURNAL_KEY];
    struct json_build none = JSON_BUILD(&r->arena);
    const struct json *empty;
    struct err e;
    build_object(&none);
    build_end(&none);
    if (build_done(&none, &empty, &e) == 0 &&
        journal_key(r->program, 0, STR("program"), empty, hash, &e) == 0)
        build_put_text(b, "program_sha256", str_of(hash));
    if (r->program.n <= 64 * 1024) build_put_text(b, "program", r->program);
}

static void add_end(struct json_build *b, struct run *r) {
    build_put_text(b, "state", str_of(run_state_name(r->end_state)));
    build_put_int(b, "calls", (int64_t)r->call_count);
    const struct json *error = json_get(r->outcome, "error");
    if (error) build_put(b, "error", error);
}

static void on_end_written(struct store_wait *w) {
    struct run *r = w->data;
    store_snapshot_tidy(r->runs->config.store, str_of(r->id));
    run_tell(r, r->end_state);
    free_run(r);
}

/* For a replay: what was drawn after the last call. */
static void note_last_draws(struct run *r) {
    AUTO_BUF struct buf draws = BUF_MAX(RUN_BYTES), text = BUF_MAX(RUN_BYTES);
    struct jw w = JW(&text);
    struct err e;
    if (r->draws.len == 0 || base64_encode(buf_str(&r->draws), &draws, &e))
        return;
    jw_object(&w);
    jw_put_text(&w, "draws", buf_str(&draws));
    jw_end_object(&w);
    if (jw_done(&w, &e) == 0)
        (void)journal_add(&r->journal, "last", buf_str(&text), &e);
}

/* Written with the end itself, so that it is told whatever happens next. */
static void note_notify(struct run *r, enum run_state state) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    struct jw w = JW(&text);
    struct err e;
    if (r->notify.n == 0) return;
    jw_object(&w);
    jw_put_text(&w, "url", r->notify);
    jw_put_text(&w, "state", str_of(run_state_name(state)));
    jw_put_int(&w, "tries", 0);
    jw_put_int(&w, "due", clock_wall_ns() / 1000000);
    jw_end_object(&w);
    if (jw_done(&w, &e) == 0)
        (void)store_put(r->runs->config.store, "notify", str_of(r->id),
                        buf_str(&text), clock_wall_ns() + DAY_NS, &e);
}

static int write_end(struct run *r, struct err *e) {
    struct store *s = r->runs->config.store;
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    str id = str_of(r->id);
    if (json_write(r->outcome, JSON_COMPACT, &text, e) == 0 &&
        store_run_set(s, id, r->journal.fence, r->end_state, STR(""),
                      buf_str(&text), e) == 0)
        return 0;
    if (e->kind == ERR_MEMORY) return -1;
    return store_run_set(s, id, r->journal.fence, RUN_FAILED, STR(""),
                         STR("{}"), e);
}

/* Those who wait are told when the end is on disk: what was acknowledged is
 * never forgotten. */
static void tell_end(struct run *r) {
    struct store *s = r->runs->config.store;
    struct err e;
    (void)store_snapshot_drop(s, str_of(r->id), &e);
    r->written = (struct store_wait){.fn = on_end_written, .data = r};
    store_when_durable(s, &r->written);
}

/* Memory is short now; the end is not forgotten for that. */
static void on_retry(struct io_timer *t) {
    struct run *r = t->data;
    struct err e;
    if (write_end(r, &e) && e.kind == ERR_MEMORY &&
        loop_timer(r->runs->config.loop, t, RETRY_NS, &e) == 0)
        return;
    tell_end(r);
}

void run_end(struct run *r, enum run_state state, const struct json *outcome) {
    struct runs *rs = r->runs;
    struct err e;
    r->stage = RUN_OVER;
    r->end_state = state;
    r->outcome = outcome;
    run_stop_calls(r, "the run ended");
    contained_stop(r);
    contained_forget(r);
    note_last_draws(r);
    note_notify(r, state);
    audit_run(r, "run.end", add_end);
    boundary_forget(rs->config.boundary, str_of(r->id));
    run_unseat(r);
    session_give_back(r);
    r->retry = (struct io_timer){.fn = on_retry, .data = r};
    if (write_end(r, &e) && e.kind == ERR_MEMORY &&
        loop_timer(rs->config.loop, &r->retry, RETRY_NS, &e) == 0)
        return;
    tell_end(r);
}

void run_fail(struct run *r, const char *type, const char *message) {
    static const struct json short_of_memory[] = {
        {JSON_OBJECT | (uint64_t)2 << 8, {.span = 9}},
        {JSON_STRING | (uint64_t)5 << 8, {.text = "state"}},
        {JSON_STRING | (uint64_t)6 << 8, {.text = "failed"}},
        {JSON_STRING | (uint64_t)5 << 8, {.text = "error"}},
        {JSON_OBJECT | (uint64_t)2 << 8, {.span = 5}},
        {JSON_STRING | (uint64_t)4 << 8, {.text = "type"}},
        {JSON_STRING | (uint64_t)11 << 8, {.text = "MemoryError"}},
        {JSON_STRING | (uint64_t)7 << 8, {.text = "message"}},
        {JSON_STRING | (uint64_t)15 << 8, {.text = "memory is short"}},
    };
    const struct json *outcome = short_of_memory;
    struct err e;
    (void)outcome_failed(r, type, message, &outcome, &e);
    run_end(r,
            r->expired     ? RUN_EXPIRED
            : r->cancelled ? RUN_CANCELLED
                           : RUN_FAILED,
            outcome);
}

/* -- beginnings ---------------------------------------------------------------
 */

static struct run *new_run(struct runs *rs, str id, struct err *e) {
    struct run *r = mem_zalloc(1, sizeof *r, e);
    if (!r) return NULL;
    r->runs = rs;
    r->arena = ARENA_MAX(RUN_BYTES);
    r->timeline = BUF_MAX(64 * 1024);
    r->memory = MAP_MAX(1);
    r->state = BUF_MAX(FRAME_MAX);
    r->origins = r->output = BUF_MAX(OUTCOME_BYTES);
    r->draws = r->past = r->whole = BUF_MAX(RUN_BYTES / 8);
    snprintf(r->id, sizeof r->id, "%.*s", STR_ARG(id));
    r->journal = (struct journal){.store = rs->config.store,
                                  .run = str_of(r->id),
                                  .next = 1,
                                  .draws = &r->draws};
    if (map_put(&rs->runs, str_of(r->id), r, NULL, e)) {
        mem_free(r);
        return NULL;
    }
    run_watch(rs);
    return r;
}

static void begin(struct run *r) {
    struct err e;
    if (r->session_id.n && session_take(r, &e))
        run_fail(r, "SessionError", e.text);
    else
        run_start(r);
}

static void on_submitted(struct store_wait *w) {
    begin(w->data);
}

static int check_quota(struct runs *rs, str principal, struct err *e) {
    size_t open = 0;
    size_t max = rs->config.open_max ? rs->config.open_max : OPEN_MAX;
    if (store_open_runs(rs->config.store, principal, max, &open, e)) return -1;
    if (open < max) return 0;
    return fail(e, ERR_LIMIT,
                "%zu runs have not ended: wait for them, or cancel some", open);
}

static uint64_t or_else(uint64_t asked, uint64_t otherwise) {
    return asked ? asked : otherwise;
}

struct class {
    const char *name;
    struct cordon_limits limits;
};

static const struct class classes[] = {
#define CLASS(id, seconds, mib, billions, ncalls, text) \
    {#id,                                               \
     {.steps = (uint64_t)(billions)*1000000000,         \
      .memory = (uint64_t)(mib) << 20,                  \
      .time_ms = (uint64_t)(seconds)*1000,              \
      .calls = (ncalls)}},
#include "runs/classes.def"
#undef CLASS
};

/* A run's own configuration holds for those that name none. */
static int find_class(const struct run *r, str name, struct cordon_limits *out,
                      struct err *e) {
    bool job = strcmp(r->kind, "job") == 0;
    *out = r->runs->config.limits;
    if (name.n == 0 && !job) return 0;
    if (name.n == 0) name = STR("long");
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (str_is(name, classes[i].name)) return *out = classes[i].limits, 0;
    return fail(e, ERR_INVALID, "there is no class '%.*s': short, long or huge",
                STR_ARG(str_sub(name, 0, 40)));
}

static int choose_limits(struct run *r, const struct run_request *q,
                         struct err *e) {
    const struct cordon_limits *asked = &q->limits;
    struct cordon_limits class, *d = &class;
    if (find_class(r, q->resources, d, e)) return -1;
    r->limits = (struct cordon_limits){
        .steps = or_else(asked->steps, d->steps),
        .memory = or_else(asked->memory, d->memory),
        .time_ms = or_else(asked->time_ms, d->time_ms),
        .output = or_else(asked->output, d->output),
        .depth = (uint32_t)or_else(asked->depth, d->depth),
        .calls = (uint32_t)or_else(asked->calls, d->calls),
    };
    return 0;
}

static int write_options(const struct run *r, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    char seed[40];
    jw_object(&w);
    jw_put_bool(&w, "can_ask", r->can_ask);
    jw_put_int(&w, "steps", (int64_t)r->limits.steps);
    jw_put_int(&w, "memory", (int64_t)r->limits.memory);
    jw_put_int(&w, "time_ms", (int64_t)r->limits.time_ms);
    jw_put_int(&w, "output", (int64_t)r->limits.output);
    jw_put_int(&w, "depth", (int64_t)r->limits.depth);
    jw_put_int(&w, "calls", (int64_t)r->limits.calls);
    if (r->user_text.n) jw_put_text(&w, "user_text", r->user_text);
    if (r->scopes.p) jw_put_text(&w, "scopes", r->scopes);
    jw_put_text(&w, "conversation", r->conversation);
    snprintf(seed, sizeof seed, "%016" PRIx64 "%016" PRIx64, r->seed[0],
             r->seed[1]);
    jw_put_text(&w, "seed", str_of(seed));
    if (r->notify.n) jw_put_text(&w, "notify", r->notify);
    if (r->contains) {
        jw_put_text(&w, "tier", STR("container"));
        jw_put_int(&w, "attempts", (int64_t)r->attempts_max);
        if (r->tier_why) jw_put_text(&w, "tier_why", str_of(r->tier_why));
    }
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int fill(struct run *r, const struct run_request *q, struct err *e) {
    struct arena *a = &r->arena;
    r->kind = q->kind && !strcmp(q->kind, "job") ? "job" : "run";
    r->can_ask = q->can_ask;
    r->created = clock_wall_ns();
    r->expires = q->expires;
    if (run_take_tier(r, q, e) || choose_limits(r, q, e) ||
        arena_dup(a, q->notify, &r->notify, e))
        return -1;
    if (arena_dup(a, q->program, &r->program, e) ||
        arena_dup(a, q->principal, &r->principal, e) ||
        arena_dup(a, q->client, &r->client, e) ||
        arena_dup(a, q->session, &r->session_id, e) ||
        arena_dup(a, q->user_text, &r->user_text, e))
        return -1;
    if (q->scopes.p && arena_dup(a, q->scopes, &r->scopes, e)) return -1;
    str conversation = q->conversation.n ? q->conversation
                       : q->session.n    ? q->session
                                         : str_of(r->id);
    return arena_dup(a, conversation, &r->conversation, e);
}

static int record(struct run *r, struct err *e) {
    AUTO_BUF struct buf options = BUF_MAX(OUTCOME_BYTES);
    if (write_options(r, &options, e)) return -1;
    struct store_run row = {.id = str_of(r->id),
                            .kind = str_of(r->kind),
                            .session = r->session_id,
                            .principal = r->principal,
                            .client = r->client,
                            .program = r->program,
                            .options = buf_str(&options),
                            .state = RUN_RUNNING,
                            .created = r->created,
                            .expires = r->expires};
    return store_run_add(r->runs->config.store, &row, &r->journal.fence, e);
}

int runs_submit(struct runs *rs, const struct run_request *q, char id[STORE_ID],
                struct err *e) {
    struct store *s = rs->config.store;
    char name[STORE_ID];
    if (store_ready(s, e)) return fail_while(e, "no new run");
    if (check_quota(rs, q->principal, e) || store_new_id("r_", name, e))
        return -1;
    struct run *r = new_run(rs, str_of(name), e);
    if (!r) return -1;
    if (fill(r, q, e) || hash_random(r->seed, sizeof r->seed, e) ||
        (q->tier.n == 0 && run_choose_tier(r, e)) || record(r, e)) {
        free_run(r);
        return -1;
    }
    audit_run(r, "run.submit", add_program);
    add_waiter(r, q->waiter);
    r->written = (struct store_wait){.fn = on_submitted, .data = r};
    store_when_durable(s, &r->written);
    memcpy(id, name, sizeof name);
    return 0;
}

/* -- taking over --------------------------------------------------------------
 */

void run_read_seed(str text, uint64_t seed[2]) {
    char half[17] = {0};
    seed[0] = seed[1] = 0;
    for (size_t i = 0; i < 2 && text.n == 32; i++) {
        memcpy(half, text.p + 16 * i, 16);
        seed[i] = strtoull(half, NULL, 16);
    }
}

static int fill_from_row(struct run *r, const struct store_run *row,
                         struct err *e) {
    const struct json *o;
    struct arena *a = &r->arena;
    if (json_parse(row->options, NULL, a, &o, e)) return -1;
    struct run_request q = {
        .program = row->program,
        .session = row->session,
        .principal = row->principal,
        .client = row->client,
        .kind = str_is(row->kind, "job") ? "job" : "run",
        .user_text = json_get_text(o, "user_text", STR("")),
        .scopes = json_get_text(o, "scopes", (str){NULL, 0}),
        .conversation = json_get_text(o, "conversation", STR("")),
        .notify = json_get_text(o, "notify", STR("")),
        .tier = json_get_text(o, "tier", STR("")),
        .attempts = (uint64_t)json_get_int(o, "attempts", 0),
        .can_ask = json_get_bool(o, "can_ask", false),
        .expires = row->expires,
        .limits = {.steps = (uint64_t)json_get_int(o, "steps", 0),
                   .memory = (uint64_t)json_get_int(o, "memory", 0),
                   .time_ms = (uint64_t)json_get_int(o, "time_ms", 0),
                   .output = (uint64_t)json_get_int(o, "output", 0),
                   .depth = (uint32_t)json_get_int(o, "depth", 0),
                   .calls = (uint32_t)json_get_int(o, "calls", 0)},
    };
    if (fill(r, &q, e)) return -1;
    r->created = row->created;
    str why = json_get_text(o, "tier_why", STR(""));
    r->tier_why = why.n ? arena_text(a, why, e) : NULL;
    if (why.n && !r->tier_why) return -1;
    run_read_seed(json_get_text(o, "seed", STR("")), r->seed);
    return 0;
}

static int read_question(struct run *r, str status, struct err *e) {
    const struct json *v;
    if (status.n == 0) return 0;
    if (json_parse(status, NULL, &r->arena, &v, e)) return -1;
    snprintf(r->approval, sizeof r->approval, "%.*s",
             STR_ARG(json_get_text(v, "approval", STR(""))));
    r->asked_call = (uint64_t)json_get_int(v, "call", 0);
    return 0;
}

/* A call of its own that was cut off: its intent is all there is. */
static int close_call(struct runs *rs, str id, uint64_t fence, struct err *e) {
    return store_run_set(rs->config.store, id, fence, RUN_FAILED, STR(""),
                         STR("{\"unknown\":true}"), e);
}

/* From the snapshot where there is one, else from the beginning: what the
 * journal has of its calls is handed out again. */
static void begin_again(struct run *r) {
    struct err e;
    if (r->session_id.n && session_take(r, &e)) {
        run_fail(r, "SessionError", e.text);
        return;
    }
    if (r->based) {
        r->entering = false;
        if (run_load_state(r, &e)) {
            run_fail(r, "StoreError", e.text);
            return;
        }
    }
    run_start(r);
}

static void on_taken(struct store_wait *w) {
    begin_again(w->data);
}

static int take_claimed(struct runs *rs, str id, uint64_t fence,
                        struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(RUN_BYTES);
    struct store_run row;
    if (store_run_get(rs->config.store, id, &a, &row, e)) return -1;
    if (str_is(row.kind, "call")) return close_call(rs, id, fence, e);
    if (!str_is(row.kind, "run") && !str_is(row.kind, "job"))
        return store_release(rs->config.store, id, fence, e);
    struct run *r = new_run(rs, id, e);
    if (!r) return -1;
    r->taken_over = true;
    if (fill_from_row(r, &row, e) || read_question(r, row.status, e) ||
        run_recall(r, e)) {
        free_run(r);
        return -1;
    }
    r->journal.fence = fence;
    if (row.state == RUN_WAITING && !r->contains) {
        r->stage = RUN_PAUSED;
        if (outcome_waiting(r, &r->outcome, e)) r->outcome = NULL;
        rs->polls = 0; /* its answer may be there already */
        return 0;
    }
    r->written = (struct store_wait){.fn = on_taken, .data = r};
    store_when_durable(rs->config.store, &r->written);
    return 0;
}

/* One that cannot be taken over now is left to whoever tries next. */
static int take_over(struct runs *rs, str id, uint64_t fence, struct err *e) {
    struct err ignored;
    if (take_claimed(rs, id, fence, e) == 0) return 0;
    (void)store_release(rs->config.store, id, fence, &ignored);
    return -1;
}

int runs_recover(struct runs *rs, struct err *e) {
    char id[STORE_ID];
    uint64_t fence;
    int found, count = 0;
    while ((found = store_claim_next(rs->config.store, id, &fence, e)) > 0) {
        if (take_over(rs, str_of(id), fence, e))
            return fail_while(e, "run %s", id);
        count++;
    }
    return found < 0 ? -1 : count;
}

/* -- waiting ------------------------------------------------------------------
 */

static int tell_ended(const struct store_run *row, struct arena *a,
                      struct run_waiter *w, struct err *e) {
    const struct json *outcome;
    str text = row->result.n ? row->result : STR("{}");
    if (json_parse(text, NULL, a, &outcome, e)) return -1;
    w->done(w, row->state, outcome);
    return 0;
}

int runs_wait(struct runs *rs, str id, struct run_waiter *w, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(RUN_BYTES);
    struct store_run row;
    uint64_t fence;
    struct run *r = map_get(&rs->runs, id);
    if (!r) {
        if (store_run_get(rs->config.store, id, &a, &row, e)) return -1;
        if (run_state_ended(row.state)) return tell_ended(&row, &a, w, e);
        if (store_claim(rs->config.store, id, &fence, e) ||
            take_over(rs, id, fence, e))
            return -1;
        r = map_get(&rs->runs, id);
    }
    if (r && run_question_stands(r)) {
        w->done(w, RUN_WAITING, r->outcome);
        return 0;
    }
    if (!r)
        return fail(e, ERR_MISSING, "run %.*s is not to be had", STR_ARG(id));
    add_waiter(r, w);
    return 0;
}

int runs_cancel(struct runs *rs, str id, const char *reason, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(RUN_BYTES);
    struct store_run row;
    uint64_t fence;
    struct run *r = map_get(&rs->runs, id);
    (void)reason;
    if (!r) {
        if (store_run_get(rs->config.store, id, &a, &row, e)) return -1;
        if (run_state_ended(row.state))
            return fail(e, ERR_EXISTS, "run %.*s has ended", STR_ARG(id));
        if (store_claim(rs->config.store, id, &fence, e)) return -1;
        return store_run_set(rs->config.store, id, fence, RUN_CANCELLED,
                             STR(""), STR("{\"state\":\"cancelled\"}"), e);
    }
    if (r->stage == RUN_OVER) return 0;
    r->cancelled = true;
    store_wait_stop(rs->config.store, &r->written);
    run_fail(r, "Cancelled", reason);
    return 0;
}

/* -- a life -------------------------------------------------------------------
 */

/* Soon after the start, and then every hour. */
static void on_tidy(struct io_timer *t) {
    struct runs *rs = t->data;
    struct err e;
    int64_t keep = rs->config.keep_ns ? rs->config.keep_ns : 30 * DAY_NS;
    contained_tidy(rs);
    (void)store_prune(rs->config.store, clock_wall_ns() - keep, &e);
    (void)loop_timer(rs->config.loop, t, TIDY_NS, &e);
}

struct runs *runs_new(const struct runs_config *config, struct err *e) {
    struct runs *rs = mem_zalloc(1, sizeof *rs, e);
    if (!rs) return NULL;
    rs->config = *config;
    rs->runs = MAP_MAX(RUNS_MAX);
    rs->sessions = MAP_MAX(RUNS_MAX);
    rs->polled = clock_wall_ns();
    rs->seats = seats_new(config->loop, config->nursery, config->workers, e);
    store_on_wake(config->store, run_woken, rs);
    rs->tidy = (struct io_timer){.fn = on_tidy, .data = rs};
    if (rs->seats && boundary_offer_needs(config->boundary, e) == 0 &&
        loop_timer(config->loop, &rs->tidy, DAY_NS / 8640, e) == 0)
        return rs;
    seats_free(rs->seats);
    mem_free(rs);
    return NULL;
}

void runs_free(struct runs *rs) {
    const struct map_entry *it;
    if (!rs) return;
    store_on_wake(rs->config.store, NULL, NULL);
    loop_timer_stop(&rs->poll);
    loop_timer_stop(&rs->tidy);
    for (size_t i = 0; (it = map_next(&rs->runs, &i));) {
        struct run *r = it->value;
        r->stage = RUN_OVER;
        for (struct run_waiter *w = r->waiters; w; w = w->next)
            w->run = NULL;
        free_run(r);
    }
    map_fini(&rs->runs);
    sessions_fini(rs);
    seats_free(rs->seats);
    mem_free(rs);
}

void runs_count(const struct runs *rs, size_t *active, size_t *waiting) {
    const struct map_entry *it;
    *active = *waiting = 0;
    for (size_t i = 0; (it = map_next(&rs->runs, &i));)
        if (((const struct run *)it->value)->stage == RUN_PAUSED)
            ++*waiting;
        else
            ++*active;
}
