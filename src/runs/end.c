/* SPDX-License-Identifier: MIT
 *
 * How a run ends: all that it has is given back, the end goes to the store, and
 * those who wait are told once it is there.
 */
#include "base/clock.h"
#include "base/codec.h"
#include "runs/inside.h"
#include "json/write.h"

#define RETRY_NS ((int64_t)20 * 1000000)
#define DAY_NS   ((int64_t)24 * 3600 * 1000000000)

static void on_end_written(struct store_wait *w) {
    struct run *r = w->data;
    if (r->journal.lost) return; /* whoever has it says how it ends */
    store_snapshot_tidy(r->runs->config.store, str_of(r->id));
    run_tell(r, r->end_state);
    run_free(r);
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
        (void)store_run_put(r->runs->config.store, str_of(r->id),
                            r->journal.fence, "notify", buf_str(&text),
                            clock_wall_ns() + DAY_NS, &e);
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
    (void)store_snapshot_drop(s, str_of(r->id), r->journal.fence, &e);
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
    run_stop_asking(r);
    contained_stop(r);
    contained_forget(r);
    note_last_draws(r);
    note_notify(r, state);
    run_audit_end(r);
    boundary_forget(rs->config.boundary, str_of(r->id));
    run_unseat(r);
    session_give_back(r);
    loop_timer_stop(&r->retry);
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
