/* SPDX-License-Identifier: MIT
 *
 * The calls of a run: what the program asks for goes to the boundary, what the
 * boundary gives is kept until the interpreter can take it.
 *
 * The answer of a call may be there before boundary_call returns. Else a call
 * of a tool that only reads is left pending and the program goes on, any other
 * blocks it.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "call/approval.h"
#include "runs/failure.h"
#include "runs/inside.h"
#include "runs/own.h"
#include "json/build.h"
#include "json/write.h"

#define VALUE_BYTES ((size_t)64 << 20)
#define WEEK_NS     ((int64_t)7 * 24 * 3600 * 1000000000)

/* -- a life -------------------------------------------------------------------
 */

struct run_call *run_call_new(struct run *r, const struct worker_event *ev,
                              struct err *e) {
    struct run_call *c = mem_zalloc(1, sizeof *c, e);
    if (!c) return NULL;
    c->run = r;
    c->arena = ARENA_MAX(2 * VALUE_BYTES);
    c->id = ev->id;
    c->began = clock_mono_ns();
    c->next = r->calls;
    r->calls = c;
    if (arena_dup(&c->arena, ev->name, &c->name, e) == 0 &&
        (!ev->args.p ||
         json_parse(ev->args, NULL, &c->arena, &c->python, e) == 0) &&
        worker_read_labels(ev->labels, &c->arena, &c->given, e) == 0)
        return c;
    run_call_free(c);
    return NULL;
}

void run_call_free(struct run_call *c) {
    struct run_call **p = &c->run->calls;
    while (*p && *p != c)
        p = &(*p)->next;
    if (*p) *p = c->next;
    if (c->run->asking == c) c->run->asking = NULL;
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
        if (r->calls == c) run_call_free(c);
    }
}

void run_drop_calls(struct run *r) {
    while (r->calls) {
        if (r->calls->call) boundary_drop(r->calls->call);
        run_call_free(r->calls);
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

static void answer_error(struct run_call *c, const char *type,
                         const char *message) {
    struct err e;
    c->over = true;
    c->status = CALL_FAILED;
    c->type = str_of(type);
    if (arena_dup(&c->arena, str_of(message), &c->message, &e))
        c->message = STR("out of memory");
}

static void answer_nothing(struct run_call *c) {
    c->over = true;
    c->status = CALL_DONE;
    c->json = STR("null");
}

/* Values are handed over in the order in which they came. */
static void move_to_end(struct run_call *c) {
    struct run_call **p = &c->run->calls;
    while (*p != c)
        p = &(*p)->next;
    *p = c->next;
    while (*p)
        p = &(*p)->next;
    *p = c;
    c->next = NULL;
}

/* What the program will see of the outcome; a failure to keep it is what it
 * sees then. */
static void keep_outcome(struct run_call *c, const struct call_outcome *o) {
    struct err e;
    int status = 0;
    move_to_end(c);
    c->over = true;
    c->status = o->status;
    switch (o->status) {
    case CALL_FAILED:
        status = o->error ? keep_failure(c, o->error, &e) : -1;
        break;
    case CALL_DONE: status = keep_value(c, o, &e); break;
    case CALL_ASKED: return;
    }
    if (status) answer_error(c, "", "the result could not be kept");
}

static void note_question(struct run_call *c, str approval) {
    struct run *r = c->run;
    r->stage = RUN_PAUSING;
    r->asked_call = c->id;
    snprintf(r->approval, sizeof r->approval, "%.*s", STR_ARG(approval));
}

static void tell_call(struct run_call *c) {
    static const char *const words[] = {"failed", "waiting", "done"};
    struct run *r = c->run;
    str name = c->tool ? c->tool->name : STR("unknown tool");
    char text[200];
    snprintf(text, sizeof text, "%.*s", STR_ARG(name));
    outcome_add_call(r, c, text, words[c->status]);
    snprintf(text, sizeof text, "%.*s %s", STR_ARG(name), words[c->status]);
    run_progress(r, (double)r->call_count, 0, str_of(text));
}

void run_call_ended(struct run_call *c, const struct call_outcome *o) {
    struct run *r = c->run;
    c->call = NULL;
    if (r->stage == RUN_OVER) return; /* run_stop_calls frees it */
    keep_outcome(c, o);
    tell_call(c);
    if (o->status == CALL_ASKED && r->stage == RUN_GOING)
        note_question(c, o->approval);
    run_advance(r);
}

static void on_done(void *data, const struct call_outcome *o) {
    run_call_ended(data, o);
}

static void on_progress(void *data, double done, double total, str message) {
    struct run_call *c = data;
    run_progress(c->run, done, total, message);
}

/* -- what the journal knows ---------------------------------------------------
 */

/* What a person is asked about a call that was cut off. */
static void ask_again(struct run_call *c, const struct json *args) {
    struct run *r = c->run;
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
                         id, &e)) {
        answer_error(c, "", e.text);
        return;
    }
    c->over = true;
    c->status = CALL_ASKED;
    note_question(c, str_of(id));
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

/* -- making them --------------------------------------------------------------
 */

static bool run_sees(void *run, str tool) {
    const struct run *r = run;
    const struct entry *t =
        registry_find(boundary_registry(r->runs->config.boundary), tool);
    return t && run_allows(r, t);
}

struct caller run_caller(const struct run_call *c) {
    struct run *r = c->run;
    return (struct caller){.kind = "run",
                           .principal = r->principal,
                           .client = r->client,
                           .session = r->conversation,
                           .run = str_of(r->id),
                           .number = c->id,
                           .can_ask = r->can_ask,
                           .sees = run_sees,
                           .sees_data = r};
}

static void make(struct run_call *c, const struct memory *m) {
    struct run *r = c->run;
    struct err e;
    struct call_request q = {
        .name = c->tool->name,
        .args = c->bound,
        .who = run_caller(c),
        .unmade = r->taken_over && !(m && m->intent),
        .recorded = recorded_value(m),
        .done = on_done,
        .progress = on_progress,
        .data = c,
    };
    q.who.journal = &r->journal;
    if (run_labels_call(c, &q.labels, &e)) q.labels = NULL;
    if (r->approval[0] && r->asked_call == c->id && !r->second_try)
        q.approval = str_of(r->approval);
    if (r->asked_call == c->id) r->second_try = false;
    struct call *call = boundary_call(r->runs->config.boundary, &q);
    if (!c->over) c->call = call;
    bool reads = c->tool->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY);
    /* tools.call() itself may be anything, so the program waits for it. */
    bool named = str_is(c->name, OWN_CALL);
    c->pending =
        !c->over && reads && !named && !c->asked_first && !call_is_asking(call);
}

bool run_call_foresee(struct run_call *c) {
    struct run *r = c->run;
    const struct json *args = NULL;
    struct entry *tool = NULL;
    struct err e;
    str name;
    if (run_bind(r, c, &tool, &name, &args, &e) || !tool) return false;
    if (!run_allows(r, tool)) return false;
    c->tool = entry_hold(tool);
    struct call_request q = {
        .name = tool->name, .args = args, .who = run_caller(c)};
    if (run_labels_call(c, &q.labels, &e)) return false;
    return boundary_foresee(r->runs->config.boundary, &q, str_of(r->approval),
                            &e) == 1;
}

static bool sees(const void *run, const struct entry *t) {
    return run_allows(run, t);
}

static void refuse_unknown(struct run_call *c, str name) {
    char text[OWN_TEXT];
    own_unknown(boundary_registry(c->run->runs->config.boundary), name, sees,
                c->run, text);
    answer_error(c, "NameError", text);
}

/* A person said no to making it again; that is how it ended, for good. */
static void refuse_again(struct run_call *c) {
    struct run *r = c->run;
    struct json_build b = JSON_BUILD(&c->arena);
    struct call_outcome o = {.status = CALL_FAILED};
    struct journal_result result = {.call = c->id, .status = "failed"};
    struct err e;
    build_object(&b);
    build_put_text(&b, "code", STR("interrupted"));
    build_put_text(&b, "message",
                   STR("nobody knows whether this call was done"));
    build_end(&b);
    if (build_done(&b, &o.error, &e) == 0) {
        result.error = o.error;
        (void)journal_result(&r->journal, &result, &e);
    }
    keep_outcome(c, &o);
}

/* True: it was made. Else what is known of it is there already. */
static bool make_or_recall(struct run_call *c) {
    struct run *r = c->run;
    const struct memory *m = run_memory(r, c->id);
    switch (look_back(r, c, m, c->bound)) {
    case BEFORE_DIVERGED: r->diverged = c->id; return false;
    case BEFORE_UNKNOWN: ask_again(c, c->bound); return false;
    case BEFORE_AGAIN: m = NULL; break;
    case BEFORE_NOTHING: break;
    }
    if (recorded_failure(c, m)) return false;
    make(c, m);
    return true;
}

void run_call_granted(struct run_call *c) {
    struct run *r = c->run;
    bool later = c->asked_first && r->vm != VM_BUSY;
    if (!make_or_recall(c) && later) run_advance(r);
}

void run_call_begin(struct run_call *c) {
    struct run *r = c->run;
    const struct json *args = NULL;
    struct entry *tool = NULL;
    struct err e;
    str name;
    if (str_is(c->name, OWN_PROGRESS)) {
        if (run_note_progress(c, &e))
            answer_error(c, "TypeError", e.text);
        else
            answer_nothing(c);
        return;
    }
    if (run_bind(r, c, &tool, &name, &args, &e)) {
        answer_error(c, "TypeError", e.text);
        return;
    }
    if (!tool) {
        refuse_unknown(c, name);
        return;
    }
    c->tool = entry_hold(tool);
    if (r->refused) {
        r->refused = false;
        refuse_again(c);
        return;
    }
    c->bound = args;
    if (run_allows(r, tool))
        run_call_granted(c);
    else
        run_ask_for_tool(c);
}
