/* SPDX-License-Identifier: MIT
 *
 * What becomes of the state of a run: it is kept in memory, goes to the store,
 * or is its session's from then on. A large one is written by another process
 * (scribe.h), and the run waits for that as it waits for its worker.
 */
#include "base/clock.h"
#include "runs/frame.h"
#include "runs/inside.h"

/* Between two savings of a job's state: at least, at most, and how many times
 * as long as the last one took. */
#define KEEP_NS      ((int64_t)5 * 1000000000)
#define KEEP_MOST_NS ((int64_t)300 * 1000000000)
#define KEEP_SHARE   20

/* Of a state that must be saved and could not be: ten minutes. */
#define SAVE_AGAIN_NS ((int64_t)1000000000)
#define SAVE_TRIES    600

void run_save(struct run *r, enum run_save why) {
    struct err e;
    r->saving = why;
    r->vm = VM_SAVING;
    r->since = clock_mono_ns();
    seat_rest(&r->seat, false);
    if (worker_snapshot(r->seat.worker, &e))
        run_unsent(r, &e);
    else
        seat_sent(&r->seat);
}

int64_t run_keeps_every(const struct run *r) {
    int64_t given = r->runs->config.save_ns;
    return given ? given : KEEP_NS;
}

/* A long job leaves a trail: not all is done again after a crash. What takes
 * long is done seldom. */
static void kept(struct run *r, bool failed) {
    int64_t least = run_keeps_every(r);
    int64_t now = clock_mono_ns(), pause = (now - r->since) * KEEP_SHARE;
    r->kept = now;
    r->keep_every = pause < least          ? least
                    : pause > KEEP_MOST_NS ? KEEP_MOST_NS
                                           : pause;
    if (failed) r->keep_every = KEEP_MOST_NS;
}

static void on_save_again(struct io_timer *t) {
    run_advance(t->data);
}

/* The disk may have room again before anybody answers. */
static void save_again(struct run *r, const struct err *why) {
    struct err e;
    r->retry = (struct io_timer){.fn = on_save_again, .data = r};
    if (++r->save_tries > SAVE_TRIES ||
        loop_timer(r->runs->config.loop, &r->retry, SAVE_AGAIN_NS, &e))
        run_fail(r, "StoreError", why->text);
}

static void go_to_rest(struct run *r) {
    r->ahead = 0;
    if (!r->seat.worker) {
        buf_fini(&r->state);
        r->vm = VM_NONE;
        run_paused(r);
    } else if (r->at_call) {
        run_go_ahead(r);
    } else {
        run_ahead_over(r);
    }
}

/* The state is in the store, or is not: failed is why. What is parked is tried
 * again as it is. */
static void stored(struct run *r, const struct err *failed) {
    if (!failed || r->vm != VM_PARKED) buf_fini(&r->origins);
    if (r->saving == SAVE_KEEP) {
        kept(r, failed != NULL);
        run_advance(r);
    } else if (failed) {
        save_again(r, failed);
    } else {
        go_to_rest(r);
    }
}

/* -- large ones ---------------------------------------------------------------
 */

static void on_written(struct scribe *s, const struct err *failed) {
    struct run *r = s->data;
    struct err e;
    r->vm = r->seat.worker ? VM_STOPPED : VM_PARKED;
    if (!failed &&
        run_keep_state(r, STR(""), str_of(s->name), buf_str(&r->origins), &e))
        failed = &e;
    stored(r, failed);
}

static int write_large(struct run *r, str bytes, struct err *e) {
    const struct runs_config *config = &r->runs->config;
    const struct scribe_job job = {.loop = config->loop,
                                   .store = config->store,
                                   .run = str_of(r->id),
                                   .bytes = bytes,
                                   .sealer = r->seat.worker};
    r->scribe = (struct scribe){.done = on_written, .data = r};
    if (scribe_start(&r->scribe, &job, e)) return -1;
    r->vm = VM_WRITING;
    return 0;
}

/* -- to the store -------------------------------------------------------------
 */

static int store_small(struct run *r, const struct worker_event *ev,
                       struct err *e) {
    AUTO_BUF struct buf sealed = BUF_MAX(FRAME_MAX);
    return worker_seal(r->seat.worker, ev->text, &sealed, e) ||
                   run_keep_state(r, buf_str(&sealed), STR(""), ev->origins, e)
               ? -1
               : 0;
}

/* What the worker said is its own, and gone when it speaks again. */
static int store_large(struct run *r, const struct worker_event *ev,
                       struct err *e) {
    buf_truncate(&r->origins, 0);
    return buf_add_str(&r->origins, ev->origins, e) ||
                   write_large(r, ev->text, e)
               ? -1
               : 0;
}

static void store_state(struct run *r, const struct worker_event *ev) {
    bool large = ev->text.n > STORE_ROW_MAX;
    struct err e;
    if (large ? store_large(r, ev, &e) : store_small(r, ev, &e))
        stored(r, &e);
    else if (!large)
        stored(r, NULL);
}

void run_store_parked(struct run *r) {
    str state = buf_str(&r->state);
    bool large = state.n > STORE_ROW_MAX;
    struct err e;
    r->saving = SAVE_PAUSE;
    if (large ? write_large(r, state, &e)
              : run_keep_state(r, state, STR(""), buf_str(&r->origins), &e))
        stored(r, &e);
    else if (!large)
        stored(r, NULL);
}

/* -- what a worker saved ------------------------------------------------------
 */

static int park(struct run *r, const struct worker_event *ev, struct err *e) {
    if (worker_seal(r->seat.worker, ev->text, &r->state, e) ||
        buf_add_str(&r->origins, ev->origins, e))
        return -1;
    r->vm = VM_PARKED;
    run_unseat(r);
    return 0;
}

static int keep_session(struct run *r, const struct worker_event *ev,
                        struct err *e) {
    AUTO_BUF struct buf sealed = BUF_MAX(FRAME_MAX);
    return worker_seal(r->seat.worker, ev->text, &sealed, e) ||
                   session_put(r, buf_str(&sealed), ev->origins, e)
               ? -1
               : 0;
}

void run_saved(struct run *r, const struct worker_event *ev) {
    struct err e;
    r->vm = VM_STOPPED;
    switch (r->saving) {
    case SAVE_PARK:
        if (park(r, ev, &e))
            run_fail(r, "StoreError", e.text);
        else
            run_advance(r);
        break;
    case SAVE_KEEP:
    case SAVE_PAUSE: store_state(r, ev); break;
    case SAVE_END:
        if (keep_session(r, ev, &e))
            (void)outcome_warn(r, str_of(e.text), &r->outcome, &e);
        run_end(r, r->end_state, r->outcome);
    }
}

void run_unsaved(struct run *r, const struct worker_event *ev) {
    struct err e;
    r->vm = VM_STOPPED;
    switch (r->saving) {
    case SAVE_KEEP:
        r->keep_every = KEEP_MOST_NS; /* it is too large */
    /* fall through */
    case SAVE_PARK: run_advance(r); return; /* it stays where it is */
    case SAVE_PAUSE: run_fail_with(r, "StoreError", ev->text); return;
    case SAVE_END:
        (void)outcome_warn(r, ev->text, &r->outcome, &e);
        run_end(r, r->end_state, r->outcome);
    }
}
