/* SPDX-License-Identifier: MIT
 *
 * Runs that wait for a person. The interpreter's state goes into the store as
 * a sealed snapshot; what is left is a small struct, and a look at the answers
 * now and then.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/codec.h"
#include "runs/inside.h"
#include "json/write.h"

/* Answers and cancellations are told of (store_wake); this is for words that
 * were lost, and for what runs out. */
#define POLL_NS    ((int64_t)1000000000)
#define LOOK_EVERY 5                         /* polls */
#define AHEAD_NS   ((int64_t)1000 * 1000000) /* looking for like calls */

/* -- the state in the store ---------------------------------------------------
 */

/* What is known beside the interpreter. */
static int write_beside(const struct run *r, str origins, struct buf *out,
                        struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_key(&w, "origins");
    jw_raw(&w, origins.n ? origins : STR("null"));
    jw_put_text(&w, "output", buf_str(&r->output));
    jw_put_text(&w, "calls", buf_str(&r->timeline));
    jw_put_int(&w, "count", (int64_t)r->call_count);
    jw_end_object(&w);
    return jw_done(&w, e);
}

/* What was drawn so far is in it; a run that begins without it needs that. */
static int note_snap(struct run *r, struct err *e) {
    AUTO_BUF struct buf draws = BUF_MAX(RUN_BYTES);
    AUTO_BUF struct buf text = BUF_MAX(RUN_BYTES);
    struct jw w = JW(&text);
    jw_object(&w);
    if (base64_encode(buf_str(&r->draws), &draws, e)) return -1;
    if (draws.len) jw_put_text(&w, "draws", buf_str(&draws));
    jw_end_object(&w);
    if (jw_done(&w, e) || journal_add(&r->journal, "snap", buf_str(&text), e))
        return -1;
    buf_truncate(&r->draws, 0);
    r->based = true;
    return 0;
}

int run_keep_state(struct run *r, str state, str file, str origins,
                   struct err *e) {
    AUTO_BUF struct buf beside = BUF_MAX(OUTCOME_BYTES);
    struct store *s = r->runs->config.store;
    str id = str_of(r->id);
    if (write_beside(r, origins, &beside, e)) return -1;
    if (file.n ? store_snapshot_name(s, id, r->journal.fence, file,
                                     buf_str(&beside), e)
               : store_snapshot_put(s, id, r->journal.fence, state,
                                    buf_str(&beside), e))
        return -1;
    return note_snap(r, e);
}

static int read_beside(struct run *r, const struct json *v, struct err *e) {
    const struct json *origins = json_get(v, "origins");
    str output = json_get_text(v, "output", STR(""));
    str calls = json_get_text(v, "calls", STR(""));
    buf_truncate(&r->origins, 0);
    buf_truncate(&r->output, 0);
    buf_truncate(&r->timeline, 0);
    r->call_count = (size_t)json_get_int(v, "count", 0);
    return !origins || json_write(origins, JSON_COMPACT, &r->origins, e) ||
                   buf_add_str(&r->output, output, e) ||
                   buf_add_str(&r->timeline, calls, e)
               ? -1
               : 0;
}

static int load(struct run *r, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 * OUTCOME_BYTES);
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    const struct json *v;
    buf_truncate(&r->state, 0);
    if (store_snapshot_get(r->runs->config.store, str_of(r->id), &r->state,
                           &text, e) ||
        json_parse(buf_str(&text), NULL, &a, &v, e))
        return -1;
    return read_beside(r, v, e);
}

/* A state that a disk lost costs the work since the beginning, not the run:
 * its journal has all that it needs. */
int run_load_state(struct run *r, struct err *e) {
    struct err again;
    if (load(r, e) == 0) return 0;
    if (e->kind == ERR_MEMORY || r->session_id.n || run_remember(r, &again))
        return -1;
    run_forget_state(r);
    return 0;
}

/* -- going to sleep -----------------------------------------------------------
 */

static int write_status(struct run *r, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    struct jw w = JW(&text);
    jw_object(&w);
    jw_put_text(&w, "approval", str_of(r->approval));
    jw_put_int(&w, "call", (int64_t)r->asked_call);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return store_run_set(r->runs->config.store, str_of(r->id), r->journal.fence,
                         RUN_WAITING, buf_str(&text), STR(""), e);
}

static void on_saved(struct store_wait *w) {
    struct run *r = w->data;
    struct err e;
    if (outcome_waiting(r, &r->outcome, &e)) r->outcome = NULL;
    run_watch(r->runs);
    run_tell(r, RUN_WAITING);
}

void run_paused(struct run *r) {
    struct err e;
    if (write_status(r, &e)) {
        run_fail(r, "StoreError", e.text);
        return;
    }
    r->stage = RUN_PAUSED;
    buf_fini(&r->output); /* saved; many runs may wait for long */
    r->written = (struct store_wait){.fn = on_saved, .data = r};
    store_when_durable(r->runs->config.store, &r->written);
}

/* -- waking up ----------------------------------------------------------------
 */

static void wake(struct run *r, enum approval_state state) {
    struct err e;
    struct store *s = r->runs->config.store;
    bool began = !r->asks_class;
    if (began && !r->contains && run_load_state(r, &e)) {
        run_fail(r, "StoreError", e.text);
        return;
    }
    const struct memory *m = run_memory(r, r->asked_call);
    /* The question was about a call that was cut off: yes, make it again. */
    r->second_try = state == APPROVAL_GRANTED && m && m->intent;
    r->refused = state != APPROVAL_GRANTED && m && m->intent;
    (void)store_run_set(s, str_of(r->id), r->journal.fence, RUN_RUNNING,
                        STR(""), STR(""), &e);
    if (!began || !r->contains) run_start(r); /* CPython waits as a process */
}

bool run_question_stands(struct run *r) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)32 << 20);
    struct store_approval p;
    struct err e;
    return r->stage == RUN_PAUSED && !r->written.queued && r->outcome &&
           store_approval_get(r->runs->config.store, str_of(r->approval), &a,
                              &p, &e) == 0 &&
           p.state == APPROVAL_PENDING;
}

static struct run *paused_on(struct runs *rs, str run, str approval) {
    struct run *r = map_get(&rs->runs, run);
    return r && r->stage == RUN_PAUSED && !r->written.queued &&
                   str_is(approval, r->approval)
               ? r
               : NULL;
}

struct answers {
    struct runs *runs;
    struct run *first; /* to be woken */
    int64_t newest;
};

static void wake_later(struct answers *a, struct run *r,
                       enum approval_state state) {
    r->stage = RUN_GOING; /* so that it is not found twice */
    r->answer = state;
    r->next = a->first;
    a->first = r;
}

static int take_answer(void *data, const struct store_approval *p,
                       struct err *e) {
    struct answers *a = data;
    struct run *r = paused_on(a->runs, p->run, p->id);
    (void)e;
    if (p->decided > a->newest) a->newest = p->decided;
    if (!r) return 0;
    wake_later(a, r, p->state);
    return 0;
}

static bool is_answered(struct run *r, enum approval_state *state) {
    AUTO_ARENA struct arena arena = ARENA_MAX((size_t)32 << 20);
    struct store_approval p;
    struct err e;
    if (r->stage != RUN_PAUSED || r->written.queued ||
        store_approval_get(r->runs->config.store, str_of(r->approval), &arena,
                           &p, &e) ||
        p.state == APPROVAL_PENDING)
        return false;
    *state = p.state;
    return true;
}

/* Answers are found by their time; the clock may have jumped, and a question
 * may have expired: now and then every one is looked at. */
static void look_at_all(struct runs *rs, struct answers *a) {
    const struct map_entry *it;
    enum approval_state state;
    for (size_t i = 0; (it = map_next(&rs->runs, &i));)
        if (is_answered(it->value, &state)) wake_later(a, it->value, state);
}

/* -- runs whose time is over --------------------------------------------------
 */

/* The interpreter keeps its own time; this is for one that does not. */
static bool worker_hangs(const struct run *r, int64_t now) {
    uint64_t ms = r->limits.time_ms ? r->limits.time_ms : 10000;
    if (r->vm != VM_BUSY && r->vm != VM_SETUP && r->vm != VM_SAVING)
        return false;
    return now - r->since > (int64_t)(2 * ms + 5000) * 1000000;
}

static void end_hanging(struct runs *rs) {
    const struct map_entry *it;
    int64_t now = clock_mono_ns();
    for (size_t i = 0; (it = map_next(&rs->runs, &i));) {
        struct run *r = it->value;
        if (r->stage != RUN_OVER && worker_hangs(r, now))
            run_fail(r, "WorkerError", "the worker does not end its run");
        else if (r->vm == VM_AHEAD && now - r->since > AHEAD_NS)
            run_ahead_over(r);
    }
}

/* Jobs that work for long stop so that their state can be saved. */
static void halt_jobs(struct runs *rs) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&rs->runs, &i));) {
        struct run *r = it->value;
        if (r->vm == VM_BUSY && run_should_keep(r))
            worker_pause(r->seat.worker);
    }
}

static void end_expired(struct runs *rs) {
    const struct map_entry *it;
    int64_t now = clock_wall_ns();
    for (size_t i = 0; (it = map_next(&rs->runs, &i));) {
        struct run *r = it->value;
        if (r->expires == 0 || r->expires > now || r->stage == RUN_OVER)
            continue;
        r->expired = true;
        store_wait_stop(rs->config.store, &r->written);
        run_fail(r, "Expired", "the run did not end in its time");
    }
}

/* -- cancelling from another process ------------------------------------------
 */

struct cancels {
    struct runs *runs;
    char id[STORE_ID]; /* one of ours, or "" */
};

static int find_cancel(void *data, str key, str value, struct err *e) {
    struct cancels *c = data;
    (void)value;
    (void)e;
    if (key.n >= STORE_ID || !map_get(&c->runs->runs, key)) return 0;
    snprintf(c->id, sizeof c->id, "%.*s", STR_ARG(key));
    return 1;
}

static void take_cancels(struct runs *rs) {
    struct cancels c = {.runs = rs};
    struct err e;
    while (store_each(rs->config.store, "cancel", find_cancel, &c, &e) == 1) {
        if (store_del(rs->config.store, "cancel", str_of(c.id), &e) ||
            runs_cancel(rs, str_of(c.id), "somebody cancelled it", &e))
            return;
    }
}

/* Looked at from a little before the newest answer seen: two processes may
 * have written theirs in another order than they took their times. */
static void on_poll(struct io_timer *t) {
    struct runs *rs = t->data;
    struct answers a = {.runs = rs, .newest = rs->polled};
    struct err e;
    int64_t since = rs->polled > POLL_NS ? rs->polled - 2 * POLL_NS : 0;
    (void)store_answers(rs->config.store, since, take_answer, &a, &e);
    rs->polled = a.newest;
    if (rs->polls++ % LOOK_EVERY == 0) look_at_all(rs, &a);
    while (a.first) {
        struct run *r = a.first;
        a.first = r->next;
        r->next = NULL;
        wake(r, r->answer);
    }
    take_cancels(rs);
    end_expired(rs);
    end_hanging(rs);
    halt_jobs(rs);
    if (rs->runs.live) run_watch(rs);
}

/* Whatever the clocks say: its own question is looked at. */
void run_woken(void *runs, str id) {
    struct runs *rs = runs;
    struct run *r = map_get(&rs->runs, id);
    enum approval_state state;
    if (!r) return;
    if (is_answered(r, &state)) wake(r, state);
    take_cancels(rs);
}

/* Looks at the store every now and then, while there are runs. */
void run_watch(struct runs *rs) {
    struct err e;
    if (rs->poll.place) return;
    rs->poll.fn = on_poll;
    rs->poll.data = rs;
    (void)loop_timer(rs->config.loop, &rs->poll, POLL_NS, &e);
}
