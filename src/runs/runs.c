/* SPDX-License-Identifier: MIT */
#include "runs/runs.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "runs/frame.h"
#include "runs/inside.h"

#define RUNS_MAX ((size_t)1 << 20)
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

/* -- a run --------------------------------------------------------------------
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

void run_free(struct run *r) {
    struct runs *rs = r->runs;
    run_drop_calls(r);
    run_stop_asking(r);
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

/* -- submitting ---------------------------------------------------------------
 */

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

int runs_submit(struct runs *rs, const struct run_request *q, char id[STORE_ID],
                struct err *e) {
    struct store *s = rs->config.store;
    char name[STORE_ID];
    if (store_ready(s, e)) return fail_while(e, "no new run");
    if (check_quota(rs, q->principal, e) || store_new_id("r_", name, e))
        return -1;
    struct run *r = new_run(rs, str_of(name), e);
    if (!r) return -1;
    if (run_fill(r, q, e) || hash_random(r->seed, sizeof r->seed, e) ||
        (q->tier.n == 0 && run_choose_tier(r, e)) || run_audit_submit(r, e) ||
        run_record(r, e)) {
        run_free(r);
        return -1;
    }
    add_waiter(r, q->waiter);
    r->written = (struct store_wait){.fn = on_submitted, .data = r};
    store_when_durable(s, &r->written);
    memcpy(id, name, sizeof name);
    return 0;
}

/* -- taking over --------------------------------------------------------------
 */

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
    if (run_from_row(r, &row, e) || read_question(r, row.status, e) ||
        run_recall(r, e)) {
        run_free(r);
        return -1;
    }
    r->journal.fence = fence;
    if (row.state == RUN_WAITING && !r->contains && !r->asks_class) {
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

/* -- losing -------------------------------------------------------------------
 */

static struct run *find_lost(const struct runs *rs) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&rs->runs, &i));)
        if (((struct run *)it->value)->journal.lost) return it->value;
    return NULL;
}

/* Nothing of it is written down any more; those who wait are told why. */
static void on_lost(struct io_task *t) {
    const struct runs *rs = t->data;
    struct run *r;
    while ((r = find_lost(rs))) {
        struct err e;
        r->stage = RUN_OVER;
        if (outcome_failed(r, "Interrupted",
                           "another process goes on with this run", &r->outcome,
                           &e))
            r->outcome = NULL;
        run_tell(r, RUN_FAILED);
        run_free(r);
    }
}

/* Our lease was over (a machine that slept, a disk that stood still) and
 * somebody took it. The run may be at work right now: it is let go later, and
 * makes no call until then. */
static void run_lost(void *runs, str id) {
    struct runs *rs = runs;
    struct run *r = map_get(&rs->runs, id);
    if (!r || r->journal.lost) return;
    r->journal.lost = true;
    rs->lost = (struct io_task){.fn = on_lost, .data = rs};
    loop_post(rs->config.loop, &rs->lost);
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
    rs->tidy = (struct io_timer){.fn = on_tidy, .data = rs};
    if (rs->seats && boundary_offer_needs(config->boundary, e) == 0 &&
        loop_timer(config->loop, &rs->tidy, DAY_NS / 8640, e) == 0) {
        store_on_wake(config->store, run_woken, rs);
        store_on_lost(config->store, run_lost, rs);
        return rs;
    }
    seats_free(rs->seats);
    mem_free(rs);
    return NULL;
}

void runs_free(struct runs *rs) {
    const struct map_entry *it;
    if (!rs) return;
    store_on_wake(rs->config.store, NULL, NULL);
    store_on_lost(rs->config.store, NULL, NULL);
    loop_unpost(rs->config.loop, &rs->lost);
    loop_timer_stop(&rs->poll);
    loop_timer_stop(&rs->tidy);
    for (size_t i = 0; (it = map_next(&rs->runs, &i));) {
        struct run *r = it->value;
        r->stage = RUN_OVER;
        for (struct run_waiter *w = r->waiters; w; w = w->next)
            w->run = NULL;
        run_free(r);
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
