/* SPDX-License-Identifier: MIT
 *
 * A run at work: what the interpreter wants goes to the boundary, what the
 * boundary gives goes to the interpreter.
 *
 * The answer of a call may be there before boundary_call returns. Then the
 * program is simply resumed with it; else a call of a tool that only reads is
 * left pending and the program goes on, any other blocks it.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "call/approval.h"
#include "runs/failure.h"
#include "runs/inside.h"
#include "json/write.h"

#define VALUE_BYTES ((size_t)64 << 20)

/* Nothing to do now: a call, or a person, is waited for. */
#define STOP ((enum cordon_status) - 1)

#define WEEK_NS ((int64_t)7 * 24 * 3600 * 1000000000)

static void free_call(struct run_call *c) {
    struct run_call **p = &c->run->calls;
    while (*p && *p != c)
        p = &(*p)->next;
    if (*p) *p = c->next;
    entry_drop(c->tool);
    arena_fini(&c->arena);
    mem_free(c);
}

void run_stop_calls(struct run *r, const char *reason) {
    while (r->calls) {
        struct run_call *c = r->calls;
        struct call *call = c->call;
        c->call = NULL;
        if (call) boundary_cancel(call, reason); /* ends with on_done */
        if (r->calls == c) free_call(c);
    }
}

void run_drop_calls(struct run *r) {
    while (r->calls) {
        if (r->calls->call) boundary_drop(r->calls->call);
        free_call(r->calls);
    }
}

/* -- answers ------------------------------------------------------------------
 */

static int keep_text(struct run_call *c, const struct buf *text, str *out,
                     struct err *e) {
    return arena_dup(&c->arena, buf_str(text), out, e);
}

static int keep_failure(struct run_call *c, const struct json *error,
                        struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    c->type = str_of(failure_type(error));
    if (failure_text(c->tool ? c->tool->name : STR("tool"), error, &text, e))
        return -1;
    return keep_text(c, &text, &c->message, e);
}

static int keep_value(struct run_call *c, const struct call_outcome *o,
                      struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(VALUE_BYTES);
    bool failed = json_get_bool(o->result, "isError", false);
    if (failed && json_type(o->value) == JSON_STRING) {
        c->status = CALL_FAILED;
        c->type = STR("");
        return arena_dup(&c->arena, json_str(o->value), &c->message, e);
    }
    if (json_write(o->value, JSON_COMPACT, &text, e) ||
        run_labels_keep(o->labels, &c->arena, &c->labels, e))
        return -1;
    if (!failed) return keep_text(c, &text, &c->json, e);
    c->status = CALL_FAILED;
    return keep_text(c, &text, &c->message, e);
}

/* What the program will see of the outcome; a failure to keep it is what it
 * sees then. */
static void keep_outcome(struct run_call *c, const struct call_outcome *o) {
    struct err e;
    int status = 0;
    c->over = true;
    c->status = o->status;
    switch (o->status) {
    case CALL_FAILED: status = keep_failure(c, o->error, &e); break;
    case CALL_DONE: status = keep_value(c, o, &e); break;
    case CALL_ASKED: return;
    }
    if (status == 0) return;
    c->status = CALL_FAILED;
    c->type = STR("");
    c->message = STR("the result could not be kept: out of memory");
}

static const char *cstr(struct run_call *c, str s) {
    struct err e;
    const char *text = arena_text(&c->arena, s, &e);
    return text ? text : "out of memory";
}

static enum cordon_status answer_blocked(struct run_call *c) {
    cordon_session *vm = c->run->vm;
    if (c->status == CALL_DONE) return run_labels_resume(c);
    return cordon_resume_error(vm, c->type.n ? c->type.p : NULL,
                               cstr(c, c->message));
}

static void answer_pending(struct run_call *c) {
    cordon_session *vm = c->run->vm;
    if (c->status == CALL_DONE)
        (void)run_labels_resolve(c);
    else
        (void)cordon_resolve_error(vm, c->id, c->type.n ? c->type.p : NULL,
                                   cstr(c, c->message));
}

static void note_question(struct run *r, const struct run_call *c,
                          str approval) {
    r->stage = RUN_PAUSING;
    r->asked_call = c->id;
    snprintf(r->approval, sizeof r->approval, "%.*s", STR_ARG(approval));
}

static void tell_call(struct run *r, const struct run_call *c) {
    static const char *const words[] = {"failed", "waiting", "done"};
    str name = c->tool ? c->tool->name : STR("unknown tool");
    char text[200];
    snprintf(text, sizeof text, "%.*s", STR_ARG(name));
    outcome_add_call(r, c, text, words[c->status]);
    snprintf(text, sizeof text, "%.*s %s", STR_ARG(name), words[c->status]);
    run_progress(r, (double)r->call_count, 0, str_of(text));
}

/* Answers that came while the program did not run. */
static void go_on(struct run *r, struct run_call *c) {
    enum cordon_status status;
    bool pending = c->pending;
    if (pending) {
        answer_pending(c);
        free_call(c);
        if (r->stage == RUN_PAUSING) {
            if (!r->calls) run_pause(r);
            return;
        }
        if (r->blocked) return;
        status = cordon_continue(r->vm);
    } else {
        status = answer_blocked(c);
        free_call(c);
    }
    run_drive(r, status);
}

static void on_done(void *data, const struct call_outcome *o) {
    struct run_call *c = data;
    struct run *r = c->run;
    c->call = NULL;
    if (r->stage == RUN_OVER) return; /* run_stop_calls frees it */
    keep_outcome(c, o);
    tell_call(r, c);
    if (o->status == CALL_ASKED) {
        note_question(r, c, o->approval);
        if (r->driving) return;
        free_call(c);
        if (!r->calls) run_pause(r);
        return;
    }
    if (!r->driving) go_on(r, c);
}

static void on_progress(void *data, double done, double total, str message) {
    struct run_call *c = data;
    run_progress(c->run, done, total, message);
}

/* -- calls --------------------------------------------------------------------
 */

static struct run_call *new_call(struct run *r, struct err *e) {
    struct run_call *c = mem_zalloc(1, sizeof *c, e);
    if (!c) return NULL;
    c->run = r;
    c->arena = ARENA_MAX(2 * VALUE_BYTES);
    c->id = cordon_call_id(r->vm);
    c->began = clock_mono_ns();
    c->next = r->calls;
    r->calls = c;
    return c;
}

static enum cordon_status raise_in(struct run *r, struct run_call *c,
                                   const char *type, const char *text) {
    free_call(c);
    return cordon_resume_error(r->vm, type, text);
}

/* What a person is asked about a call that was cut off. */
static enum cordon_status ask_again(struct run *r, struct run_call *c,
                                    const struct json *args) {
    struct approval_ask q = {.principal = r->principal,
                             .client = r->client,
                             .session = r->conversation,
                             .run = str_of(r->id),
                             .number = c->id,
                             .tool = c->tool,
                             .args = args};
    char id[STORE_ID];
    struct err e;
    if (approval_unknown(r->runs->config.store, &q, clock_wall_ns() + WEEK_NS,
                         id, &e))
        return raise_in(r, c, NULL, e.text);
    note_question(r, c, str_of(id));
    free_call(c);
    return STOP;
}

enum before { BEFORE_NOTHING, BEFORE_AGAIN, BEFORE_UNKNOWN, BEFORE_DIVERGED };

/* What is to be done about a call that the journal knows and that has no
 * result. */
static enum before look_back(struct run *r, const struct run_call *c,
                             const struct memory *m, const struct json *args) {
    if (!m || !m->intent) return BEFORE_NOTHING;
    str tool = json_get_text(m->intent, "tool", STR(""));
    const struct json *then = json_get(m->intent, "args");
    if (!c->tool || !str_eq(tool, c->tool->name) || !then ||
        !json_equal(then, args))
        return BEFORE_DIVERGED;
    if (m->result &&
        !str_is(json_get_text(m->result, "status", STR("")), "unknown"))
        return BEFORE_NOTHING;
    bool safe = (c->tool->flags & (TOOL_READ_ONLY | TOOL_IDEMPOTENT)) != 0;
    return safe || r->second_try ? BEFORE_AGAIN : BEFORE_UNKNOWN;
}

static const struct json *recorded_value(const struct memory *m) {
    if (!m || !m->result ||
        !str_is(json_get_text(m->result, "status", STR("")), "done"))
        return NULL;
    return json_get(m->result, "value");
}

/* The labels of the arguments; what was called by tools.call() is not told
 * apart, so that it is trusted with nothing. */
static const struct labels *labels_of(struct run *r, struct run_call *c) {
    const struct labels *labels;
    struct err e;
    if (!str_is(str_of(cordon_call_name(r->vm)), "tools.call") &&
        bridge_call(*r->bridge, r->vm, &c->tool->tool, &c->arena, &labels,
                    &e) == 0)
        return labels;
    return NULL;
}

static void begin_call(struct run *r, struct run_call *c, str name,
                       const struct json *args, const struct memory *m) {
    struct call_request q = {
        .name = c->tool ? c->tool->name : name,
        .args = args,
        .who = {.kind = "run",
                .principal = r->principal,
                .client = r->client,
                .session = r->conversation,
                .run = str_of(r->id),
                .number = c->id,
                .can_ask = r->can_ask,
                .journal = &r->journal},
        .labels = labels_of(r, c),
        .unmade = r->taken_over && !(m && m->intent),
        .recorded = recorded_value(m),
        .done = on_done,
        .progress = on_progress,
        .data = c,
    };
    if (r->approval[0] && r->asked_call == c->id && !r->second_try)
        q.approval = str_of(r->approval);
    if (r->asked_call == c->id) r->second_try = false;
    struct call *call = boundary_call(r->runs->config.boundary, &q);
    if (!c->over) c->call = call;
}

/* The answer is there, or the program waits for it, or it goes on meanwhile. */
static enum cordon_status after_begin(struct run *r, struct run_call *c) {
    if (c->over && c->status == CALL_ASKED) {
        free_call(c);
        return STOP;
    }
    if (c->over) {
        enum cordon_status status = answer_blocked(c);
        free_call(c);
        return status;
    }
    bool reads =
        c->tool && (c->tool->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY));
    if (!reads || call_is_asking(c->call)) {
        r->blocked = true;
        return STOP;
    }
    c->pending = true;
    return cordon_resume_pending(r->vm);
}

/* A failure is handed out as it was the first time. */
static bool recorded_failure(struct run_call *c, const struct memory *m) {
    struct call_outcome o = {.status = CALL_FAILED};
    if (!m || !m->result) return false;
    str status = json_get_text(m->result, "status", STR(""));
    o.error = json_get(m->result, "error");
    if (str_is(status, "failed") && o.error) {
        keep_outcome(c, &o);
        return true;
    }
    if (!str_is(status, "error")) return false;
    o.value = json_get(m->result, "value");
    c->over = true;
    c->status = CALL_FAILED;
    if (o.value && json_type(o.value) == JSON_STRING)
        c->message = json_str(o.value);
    return true;
}

static const char *no_tool(str name, char out[200]) {
    snprintf(out, 200, "there is no tool '%.*s'",
             STR_ARG(str_sub(name, 0, 100)));
    return out;
}

static enum cordon_status on_call(struct run *r) {
    const struct json *args = NULL;
    struct entry *tool = NULL;
    struct err e;
    char text[200];
    str name;
    struct run_call *c = new_call(r, &e);
    if (!c) return cordon_resume_error(r->vm, "MemoryError", "out of memory");
    if (run_bind(r, c, &tool, &name, &args, &e))
        return raise_in(r, c, "TypeError", e.text);
    if (!tool) return raise_in(r, c, "NameError", no_tool(name, text));
    c->tool = entry_hold(tool);
    const struct memory *m = run_memory(r, c->id);
    switch (look_back(r, c, m, args)) {
    case BEFORE_DIVERGED:
        r->diverged = c->id;
        free_call(c);
        return STOP;
    case BEFORE_UNKNOWN: return ask_again(r, c, args);
    case BEFORE_AGAIN: m = NULL; break;
    case BEFORE_NOTHING: break;
    }
    if (!recorded_failure(c, m)) begin_call(r, c, name, args, m);
    return after_begin(r, c);
}

void run_drive(struct run *r, enum cordon_status status) {
    const struct json *outcome;
    struct err e;
    r->driving = true;
    r->blocked = false;
    while (status == CORDON_CALL && !r->cancelled)
        status = on_call(r);
    r->driving = false;
    if (r->cancelled) {
        run_fail(r, "cancelled", "the run was cancelled");
        return;
    }
    if (r->diverged) {
        run_fail(r, "ReplayError",
                 "the run did not take the same way again after a crash: a "
                 "call differs from the one in its journal");
        return;
    }
    if (r->stage == RUN_PAUSING && !r->calls) {
        run_pause(r);
        return;
    }
    if (status == STOP || status == CORDON_WAIT) return;
    run_labels_end(r, status);
    if (outcome_ended(r, status, &outcome, &e))
        run_fail(r, "InternalError", e.text);
    else
        run_end(r, status == CORDON_DONE ? RUN_DONE : RUN_FAILED, outcome);
}
