/* SPDX-License-Identifier: MIT
 *
 * A run at work: a worker with its interpreter, and what goes to and fro.
 *
 * Everything here is a reaction: to the worker (on_event), to a call that ended
 * or a person who answered (run_advance). The worker is given answers only
 * while it is stopped. A run that only waits may have to give up its worker;
 * it then has its state in memory, and asks for a worker when there is
 * something to go on with.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "call/approval.h"
#include "runs/inside.h"

#define FALLS 2 /* workers may die under a run before it is given up */

static void busy(struct run *r) {
    r->vm = VM_BUSY;
    r->since = clock_mono_ns();
    seat_rest(&r->seat, false);
    seat_sent(&r->seat);
}

void run_unseat(struct run *r) {
    scribe_stop(&r->scribe);
    seat_leave(&r->seat);
    if (r->vm != VM_PARKED) r->vm = VM_NONE;
}

void run_fail_with(struct run *r, const char *type, str message) {
    char text[400];
    snprintf(text, sizeof text, "%.*s", STR_ARG(message));
    run_fail(r, type, text);
}

/* A request could not be sent. Of a worker that is gone its end is told next.
 */
void run_unsent(struct run *r, const struct err *e) {
    if (e->kind == ERR_PEER)
        seat_sent(&r->seat);
    else
        run_fail(r, "SessionError", e->text);
}

/* -- beginning ----------------------------------------------------------------
 */

static void begin_program(struct run *r) {
    AUTO_ARENA struct arena a = ARENA_MAX(RUN_BYTES);
    const struct check_function *functions;
    struct err e;
    size_t n;
    r->vm = VM_BUSY;
    r->since = clock_mono_ns();
    if (run_labels_turn(r, &e) || run_signatures(r, &a, &functions, &n, &e) ||
        worker_check(r->seat.worker, r->program, functions, n, &e)) {
        run_unsent(r, &e);
        return;
    }
    seat_sent(&r->seat);
}

static void on_checked(struct run *r, const struct worker_event *ev) {
    const struct json *problems, *outcome;
    struct err e;
    if (json_parse(ev->text, NULL, &r->arena, &problems, &e) ||
        json_type(problems) != JSON_ARRAY) {
        run_fail(r, "InternalError", "the worker broke its protocol");
        return;
    }
    if (json_len(problems)) {
        if (outcome_checked(r, problems, &outcome, &e))
            run_fail(r, "InternalError", e.text);
        else
            run_end(r, RUN_FAILED, outcome);
        return;
    }
    if (run_labels_literals(r, ev, &e) ||
        worker_run(r->seat.worker, r->program, "<program>", &e))
        run_unsent(r, &e);
    else
        busy(r);
}

static void on_seated(struct seat *s) {
    struct run *r = s->data;
    AUTO_ARENA struct arena a = ARENA_MAX(RUN_BYTES);
    struct worker_options o = {.limits = r->limits,
                               .labels = CORDON_LABELS_ON,
                               .record = true,
                               .seed = {r->seed[0], r->seed[1]},
                               .draws = buf_str(&r->past),
                               .sealing = &worker_sealing,
                               .key = store_key(r->runs->config.store)};
    struct err e;
    if (r->state.len) {
        o.snapshot = buf_str(&r->state);
        o.origins = buf_str(&r->origins);
    }
    if (run_functions(r, &a, &o.functions, &o.nfunctions, &e) ||
        worker_setup(s->worker, &o, &e)) {
        run_unsent(r, &e);
        return;
    }
    r->vm = VM_SETUP;
    r->since = clock_mono_ns();
    seat_sent(s);
}

static void on_ready(struct run *r) {
    bool fresh = r->state.len == 0;
    buf_fini(&r->state);
    buf_fini(&r->origins);
    buf_fini(&r->past);
    if (fresh) begin_program(r);
}

/* Another build's snapshot: the journal from the beginning will do. */
static void begin_without(struct run *r, const struct worker_event *ev) {
    if (!r->based || r->entering) {
        run_fail_with(r, "SessionError", ev->text);
        return;
    }
    run_unseat(r);
    run_forget_state(r);
    run_start(r);
}

/* -- the end ------------------------------------------------------------------
 */

static void on_end(struct run *r, const struct worker_event *ev) {
    struct err e;
    if (r->entering) {
        r->entering = false;
        begin_program(r);
        return;
    }
    run_labels_end(r, ev);
    r->end_state = ev->kind == WORKER_DONE ? RUN_DONE : RUN_FAILED;
    if (outcome_ended(r, ev, &r->outcome, &e))
        run_fail(r, "InternalError", e.text);
    else if (r->session)
        run_save(r, SAVE_END);
    else
        run_end(r, r->end_state, r->outcome);
}

/* Whatever it was busy with is in the journal, up to the last call. */
static void on_gone(struct run *r, const struct worker_event *ev) {
    char why[200];
    snprintf(why, sizeof why, "%.*s", STR_ARG(ev->text));
    bool killed = str_ends(ev->text, STR("signal 9"));
    run_unseat(r);
    if (r->vm == VM_PARKED) return;
    if (!killed || ++r->falls > FALLS) {
        run_fail(r, "WorkerError", why);
        return;
    }
    r->stage = RUN_FALLEN;
    run_advance(r);
}

/* -- like calls on one card ---------------------------------------------------
 *
 * Its state is safe, so the program may go on as if the call had given None, to
 * see which like calls follow in its loop: they are asked about on one card. A
 * call that turns out otherwise is asked about anew. Nothing is made, and what
 * the program printed or drew is forgotten with the worker.
 */

void run_ahead_over(struct run *r) {
    run_unseat(r);
    run_paused(r);
}

void run_go_ahead(struct run *r) {
    struct err e;
    if (worker_answer(r->seat.worker, STR("null"), NULL, &e)) {
        run_ahead_over(r);
        return;
    }
    busy(r);
    r->vm = VM_AHEAD;
}

static void on_ahead(struct run *r, const struct worker_event *ev) {
    struct err e;
    if (ev->kind == WORKER_OUTPUT) return;
    struct run_call *c =
        ev->kind == WORKER_CALL ? run_call_new(r, ev, &e) : NULL;
    bool like = c && run_call_foresee(c);
    if (c) run_call_free(c);
    if (like && ++r->ahead < APPROVAL_BATCH - 1)
        run_go_ahead(r);
    else
        run_ahead_over(r);
}

static void on_leave(struct seat *s) {
    struct run *r = s->data;
    if (r->vm == VM_STOPPED) run_save(r, SAVE_PARK);
}

/* -- stops --------------------------------------------------------------------
 */

static void answer(struct run *r, struct run_call *c) {
    struct worker *w = r->seat.worker;
    struct err e;
    if (c->status == CALL_DONE)
        (void)worker_answer(w, c->json, c->labels, &e);
    else
        (void)worker_answer_error(w, c->type, c->message, &e);
    run_call_free(c);
    busy(r);
}

/* Values of pending calls that are there. */
static void deliver(struct run *r) {
    struct worker *w = r->seat.worker;
    struct err e;
    for (struct run_call *c = r->calls, *next; c; c = next) {
        next = c->next;
        if (!c->pending || !c->over) continue;
        if (c->status == CALL_DONE)
            (void)worker_resolve(w, c->id, c->json, c->labels, &e);
        else
            (void)worker_resolve_error(w, c->id, c->type, c->message, &e);
        run_call_free(c);
        r->delivered = true;
    }
    seat_sent(&r->seat);
}

static bool in_flight(const struct run *r) {
    for (const struct run_call *c = r->calls; c; c = c->next)
        if (!c->over) return true;
    return false;
}

static bool has_answers(const struct run *r) {
    for (const struct run_call *c = r->calls; c; c = c->next)
        if (c->over && c->status != CALL_ASKED) return true;
    return false;
}

/* A person must answer first: everything else comes to its end, then the state
 * goes to the store. */
static void go_to_sleep(struct run *r) {
    if (in_flight(r)) {
        if (r->vm == VM_STOPPED) seat_rest(&r->seat, true);
        return;
    }
    if (r->asking) run_call_free(r->asking);
    if (r->vm == VM_STOPPED) {
        run_save(r, SAVE_PAUSE);
        return;
    }
    run_store_parked(r);
}

static void at_call(struct run *r) {
    struct run_call *c = r->asking;
    if (!c->over || c->status == CALL_ASKED) {
        seat_rest(&r->seat, true);
        return;
    }
    answer(r, c);
}

static void at_stop(struct run *r) {
    struct err e;
    if (r->halted) {
        r->halted = false;
        (void)worker_continue(r->seat.worker, &e);
        busy(r);
        return;
    }
    deliver(r);
    if (r->stage == RUN_PAUSING) {
        go_to_sleep(r);
    } else if (r->at_call) {
        at_call(r);
    } else if (r->delivered) {
        r->delivered = false;
        (void)worker_continue(r->seat.worker, &e);
        busy(r);
    } else {
        seat_rest(&r->seat, true);
    }
}

/* Its calls have ended: from the journal it goes on in another worker. */
static void rise(struct run *r) {
    struct err e;
    if (in_flight(r)) return;
    run_drop_calls(r);
    r->stage = RUN_FRESH;
    if (run_remember(r, &e) || (r->based && run_load_state(r, &e)) ||
        (!r->based && r->session && session_take(r, &e)))
        run_fail(r, "WorkerError", e.text);
    else
        run_start(r);
}

void run_advance(struct run *r) {
    if (r->diverged && r->stage != RUN_OVER) {
        run_fail(r, "ReplayError",
                 "the run did not take the same way again after a crash: a "
                 "call differs from the one in its journal");
        return;
    }
    if (r->stage == RUN_FALLEN) {
        rise(r);
        return;
    }
    if (r->stage != RUN_GOING && r->stage != RUN_PAUSING) return;
    switch (r->vm) {
    case VM_STOPPED: at_stop(r); break;
    case VM_PARKED:
        if (has_answers(r))
            seat_take(r->runs->seats, &r->seat);
        else if (r->stage == RUN_PAUSING)
            go_to_sleep(r);
        break;
    case VM_NONE:
    case VM_SETUP:
    case VM_BUSY:
    case VM_AHEAD:
    case VM_SAVING:
    case VM_WRITING: break;
    }
}

bool run_should_keep(const struct run *r) {
    if (strcmp(r->kind, "job") != 0 || r->stage != RUN_GOING ||
        clock_mono_ns() - r->kept < r->keep_every)
        return false;
    for (const struct run_call *c = r->calls; c; c = c->next)
        if (c->pending) return false; /* nobody would make it again */
    return true;
}

static void on_stop(struct run *r, const struct worker_event *ev) {
    struct err e;
    r->vm = VM_STOPPED;
    r->at_call = ev->kind == WORKER_CALL;
    r->delivered = false;
    if (r->at_call && !r->asking) {
        struct run_call *c = run_call_new(r, ev, &e);
        if (!c) {
            run_fail(r, "InternalError", e.text);
            return;
        }
        r->asking = c;
        r->vm = VM_BUSY; /* an answer that comes at once is for us */
        run_call_begin(c);
        r->vm = VM_STOPPED;
        if (c->pending && r->stage == RUN_GOING) {
            r->asking = NULL;
            (void)worker_later(r->seat.worker, &e);
            busy(r);
            return;
        }
    }
    if (run_should_keep(r))
        run_save(r, SAVE_KEEP);
    else
        run_advance(r);
}

/* In the middle of its work: nothing is answered here. */
static void on_pause(struct run *r) {
    r->vm = VM_STOPPED;
    r->at_call = false;
    r->halted = true;
    if (run_should_keep(r))
        run_save(r, SAVE_KEEP);
    else
        run_advance(r);
}

/* What the program drew goes with the next intent. */
static void take_stop(struct run *r, const struct worker_event *ev) {
    struct err e;
    r->usage = ev->usage;
    if (buf_add_str(&r->draws, ev->draws, &e))
        run_fail(r, "Limit", "the program looked at the clock too often");
    else if (ev->kind == WORKER_CALL || ev->kind == WORKER_WAIT)
        on_stop(r, ev);
    else if (ev->kind == WORKER_PAUSED)
        on_pause(r);
    else
        on_end(r, ev);
}

static void on_output(struct run *r, str text) {
    struct err e;
    if (buf_add_str(&r->output, text, &e))
        run_fail(r, "Limit", "the program printed too much");
}

static void on_event(struct seat *s, const struct worker_event *ev) {
    struct run *r = s->data;
    if (r->vm == VM_AHEAD) {
        on_ahead(r, ev);
        return;
    }
    if (r->vm == VM_WRITING && ev->kind != WORKER_GONE) {
        run_fail(r, "WorkerError", "the worker spoke out of turn");
        return;
    }
    switch (ev->kind) {
    case WORKER_OUTPUT: on_output(r, ev->text); break;
    case WORKER_READY: on_ready(r); break;
    case WORKER_CHECKED: on_checked(r, ev); break;
    case WORKER_SNAPSHOT: run_saved(r, ev); break;
    case WORKER_GONE: on_gone(r, ev); break;
    case WORKER_FAILED:
        if (r->vm == VM_SETUP)
            begin_without(r, ev);
        else if (r->vm == VM_SAVING)
            run_unsaved(r, ev);
        else
            take_stop(r, ev);
        break;
    case WORKER_CALL:
    case WORKER_WAIT:
    case WORKER_PAUSED:
    case WORKER_DONE:
    case WORKER_RAISED:
    case WORKER_LIMIT: take_stop(r, ev); break;
    }
}

void run_start(struct run *r) {
    r->stage = RUN_GOING;
    r->vm = VM_NONE;
    r->kept = clock_mono_ns();
    r->keep_every = run_keeps_every(r);
    if (r->asks_class) {
        run_ask_for_class(r);
        return;
    }
    if (!r->started) r->started = r->kept;
    if (r->contains) {
        contained_start(r);
        return;
    }
    r->seat.seated = on_seated;
    r->seat.event = on_event;
    r->seat.leave = on_leave;
    r->seat.data = r;
    seat_take(r->runs->seats, &r->seat);
}
