/* SPDX-License-Identifier: MIT
 *
 * The calls of a program in a sandbox: from its socket to the boundary and
 * back, with a person in between where one is asked. What was called before
 * gets the answer it got.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "call/approval.h"
#include "call/needs.h"
#include "runs/failure.h"
#include "runs/own.h"
#include "runs/task_inside.h"
#include "tools/stub.h"
#include "json/build.h"
#include "json/write.h"

#define CALL_BYTES ((size_t)64 << 20)
#define POLL_NS    ((int64_t)100 * 1000000)
#define WEEK_NS    ((int64_t)7 * 24 * 3600 * 1000000000)

/* -- one that has not ended ---------------------------------------------------
 */

static void unlink_asking(struct asking *a) {
    struct asking **p = &a->task->asking;
    while (*p && *p != a)
        p = &(*p)->next;
    if (*p) *p = a->next;
}

static void free_asking(struct asking *a) {
    unlink_asking(a);
    entry_drop(a->tool);
    arena_fini(&a->arena);
    mem_free(a);
}

static struct asking *new_asking(struct task *t, int64_t id, struct err *e) {
    struct asking *a = mem_zalloc(1, sizeof *a, e);
    if (!a) return NULL;
    *a = (struct asking){.task = t,
                         .next = t->asking,
                         .arena = ARENA_MAX(CALL_BYTES),
                         .id = id,
                         .began = clock_mono_ns()};
    t->asking = a;
    return a;
}

static void refuse(struct asking *a, const char *type, const char *message) {
    struct err e;
    if (a->id != NEED && a->task->jail)
        (void)jail_refuse(a->task->jail, a->id, type, message, &e);
}

/* -- what was called before ---------------------------------------------------
 */

static void keep_made(struct asking *a, const struct json *value) {
    struct task *t = a->task;
    struct json_build args = JSON_BUILD(&t->arena);
    struct json_build copy = JSON_BUILD(&t->arena);
    struct err e;
    struct made *m = arena_zalloc(&t->arena, 1, sizeof *m, &e);
    if (!m) return;
    build_copy(&args, a->args);
    build_copy(&copy, value);
    if (build_done(&args, &m->args, &e) || build_done(&copy, &m->value, &e))
        return;
    m->tool = entry_hold(a->tool);
    m->attempt = t->attempt;
    m->next = t->made;
    t->made = m;
}

static bool is_safe(const struct entry *tool) {
    return tool->flags & (TOOL_READ_ONLY | TOOL_IDEMPOTENT);
}

/* What an attempt before this one called. A failure is not kept: the call is
 * made again; so is one that may be. */
int task_take_past(struct task *t, const struct task_past *p, struct err *e) {
    str name = json_get_text(p->intent, "tool", STR(""));
    str status = json_get_text(p->result, "status", STR("unknown"));
    struct registry *r = boundary_registry(t->config.boundary);
    struct entry *tool = registry_find(r, name);
    bool unknown = str_is(status, "unknown");
    if (!tool || (unknown && is_safe(tool)) ||
        (!unknown && !str_is(status, "done")))
        return 0;
    struct made *m = arena_zalloc(&t->arena, 1, sizeof *m, e);
    if (!m) return -1;
    *m = (struct made){.tool = entry_hold(tool),
                       .args = json_get(p->intent, "args"),
                       .value = json_get(p->result, "value"),
                       .number = (uint64_t)json_get_int(p->intent, "call", 0),
                       .unknown = unknown,
                       .next = t->made};
    t->made = m;
    return 0;
}

/* Oldest first, each once an attempt. */
static struct made *recall(struct task *t, const struct asking *a) {
    struct made *found = NULL;
    for (struct made *m = t->made; m; m = m->next)
        if (m->attempt != t->attempt && str_eq(m->tool->name, a->tool->name) &&
            memcmp(m->tool->pin, a->tool->pin, CRYPTO_SHA256) == 0 &&
            json_equal(m->args, a->args))
            found = m;
    if (found) found->attempt = t->attempt;
    return found;
}

/* -- answers ------------------------------------------------------------------
 */

static void answer(struct asking *a, const struct call_outcome *o) {
    AUTO_BUF struct buf text = BUF_MAX(CALL_BYTES);
    struct task *t = a->task;
    struct err e;
    if (shown_result(t->shown, o->value, o->labels, &e)) shown_forgot(t->shown);
    if (json_get_bool(o->result, "isError", false)) {
        bool plain = json_type(o->value) == JSON_STRING;
        if (plain ? buf_add_str(&text, json_str(o->value), &e)
                  : json_write(o->value, JSON_COMPACT, &text, &e))
            buf_truncate(&text, 0);
        refuse(a, "ToolError", buf_text(&text));
        return;
    }
    keep_made(a, o->value);
    if (t->jail && jail_answer(t->jail, a->id, o->value, &e))
        refuse(a, "ToolError", e.text);
}

static void fail_call(struct asking *a, const struct json *error) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    const char *type = failure_type(error);
    struct err e;
    if (failure_text(a->tool->name, error, &text, &e)) buf_truncate(&text, 0);
    refuse(a, type && *type ? type : "ToolError", buf_text(&text));
}

/* Memory, or the disk, is short. */
static void give_up(struct asking *a) {
    refuse(a, "ToolError", "the call could not be made");
    free_asking(a);
}

/* -- making them --------------------------------------------------------------
 */

static void on_poll(struct io_timer *timer);

static void wait_for_person(struct asking *a, str approval) {
    struct task *t = a->task;
    struct err e;
    a->call = NULL;
    snprintf(a->approval, sizeof a->approval, "%.*s", STR_ARG(approval));
    task_set_state(t, RUN_WAITING, STR(""));
    t->poll.fn = on_poll;
    t->poll.data = t;
    (void)loop_timer(t->config.loop, &t->poll, POLL_NS, &e);
    if (t->config.asked) t->config.asked(t->config.data, approval);
}

static void make_or_recall(struct asking *a);

/* The tool was asked for; with a yes the call itself follows. */
static void lack_ended(struct asking *a, const struct call_outcome *o) {
    const struct json *need;
    struct err e;
    if (o->status != CALL_DONE) {
        fail_call(a, o->error);
        free_asking(a);
        return;
    }
    if (needs_tool(a->tool->name, &a->arena, &need, &e) ||
        task_keep_grant(a->task, need, &e)) {
        give_up(a);
        return;
    }
    a->lacks = false;
    a->number = 0;
    a->approval[0] = '\0';
    make_or_recall(a);
}

static void call_ended(struct asking *a, const struct call_outcome *o) {
    struct task *t = a->task;
    unlink_asking(a); /* what follows may begin or end everything */
    if (a->id != NEED && t->config.called)
        t->config.called(t->config.data, a->tool->name,
                         o->status == CALL_DONE ? "done" : "failed",
                         clock_mono_ns() - a->began);
    if (a->id == NEED)
        task_need_done(t, a->args, o->status == CALL_DONE);
    else if (o->status == CALL_DONE)
        answer(a, o);
    else
        fail_call(a, o->error);
    free_asking(a);
}

static void on_done(void *data, const struct call_outcome *o) {
    struct asking *a = data;
    a->call = NULL;
    if (o->status == CALL_ASKED)
        wait_for_person(a, o->approval);
    else if (a->lacks)
        lack_ended(a, o);
    else
        call_ended(a, o);
}

static int describe_lack(struct asking *a, struct call_request *q) {
    struct err e;
    q->name = STR(NEEDS_SERVER ".tool");
    q->labels = NULL;
    return needs_tool(a->tool->name, &a->arena, &q->args, &e);
}

/* Numbers are those of calls that are made: an attempt after a crash gives the
 * same call the same one, and an answer that came meanwhile is found. */
static void make(struct asking *a) {
    struct task *t = a->task;
    bool need = a->id == NEED || a->lacks;
    if (!a->number) a->number = ++t->calls;
    struct call_request q = {
        .name = a->tool->name,
        .args = a->args,
        .labels = a->labels,
        .who = {.kind = need ? NEEDS_CALLER : "container",
                .principal = t->config.principal,
                .client = t->config.client,
                .session = str_of(t->id),
                .run = str_of(t->id),
                .number = a->number,
                .can_ask = t->config.can_ask,
                .turn = shown_turn(t->shown)->integrity,
                .journal = t->journal},
        .approval = str_of(a->approval),
        .done = on_done,
        .data = a,
    };
    if (a->lacks && describe_lack(a, &q)) {
        give_up(a);
        return;
    }
    struct call *call = boundary_call(t->config.boundary, &q);
    if (call) a->call = call;
}

static void answered_again(struct asking *a, enum approval_state state);

/* Answers are looked for: another process may have given them. */
static void on_poll(struct io_timer *timer) {
    struct task *t = timer->data;
    bool waits = false;
    struct err e;
    for (struct asking *a = t->asking, *next; a; a = next) {
        AUTO_ARENA struct arena memory = ARENA_MAX((size_t)32 << 20);
        struct store_approval p = {.state = APPROVAL_DENIED};
        next = a->next;
        if (a->call || !a->approval[0]) continue;
        bool stands = store_approval_get(t->config.store, str_of(a->approval),
                                         &memory, &p, &e) == 0 &&
                      p.state == APPROVAL_PENDING;
        waits |= stands;
        if (!stands && a->again)
            answered_again(a, p.state);
        else if (!stands)
            make(a);
    }
    if (!waits) task_set_state(t, RUN_RUNNING, STR(""));
    if (waits && !t->poll.place)
        (void)loop_timer(t->config.loop, &t->poll, POLL_NS, &e);
}

/* It was cut off in an earlier attempt: only a person can know. */
static void ask_again(struct asking *a) {
    struct task *t = a->task;
    struct approval_ask q = {.principal = t->config.principal,
                             .client = t->config.client,
                             .session = str_of(t->id),
                             .run = str_of(t->id),
                             .number = a->number,
                             .tool = a->tool,
                             .args = a->args};
    char id[STORE_ID];
    struct err e;
    if (approval_unknown(t->config.store, &q, clock_wall_ns() + WEEK_NS, id,
                         &e)) {
        refuse(a, "ToolError", e.text);
        free_asking(a);
        return;
    }
    a->again = true;
    wait_for_person(a, str_of(id));
}

static void answered_again(struct asking *a, enum approval_state state) {
    a->again = false;
    a->approval[0] = '\0';
    if (state == APPROVAL_GRANTED) {
        make(a);
        return;
    }
    refuse(a, "ToolError", "nobody knows whether this call was done");
    free_asking(a);
}

static void make_or_recall(struct asking *a) {
    struct task *t = a->task;
    const struct made *before = recall(t, a);
    struct err e;
    if (before && before->unknown) {
        a->number = before->number;
        ask_again(a);
        return;
    }
    if (!before || !before->value) {
        make(a);
        return;
    }
    if (jail_answer(t->jail, a->id, before->value, &e))
        refuse(a, "ToolError", e.text);
    free_asking(a);
}

/* -- what the program asks ----------------------------------------------------
 */

static const struct json *python_of(const struct task_call *call,
                                    struct arena *a, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    const struct json *python;
    build_object(&b);
    build_put(&b, "args", call->args);
    build_put(&b, "kwargs", call->kwargs);
    build_end(&b);
    return build_done(&b, &python, e) ? NULL : python;
}

static void note_progress(struct task *t, struct jail *j,
                          const struct task_call *call) {
    static const struct json none = {JSON_NULL, {0}};
    AUTO_ARENA struct arena a = ARENA_MAX(CALL_BYTES);
    struct err e;
    const struct json *python = python_of(call, &a, &e);
    if (python) t->config.progress(t->config.data, python);
    (void)jail_answer(j, call->id, &none, &e);
}

static bool was_given(const struct task *t, str tool) {
    for (const struct task_tool *g = t->given; g; g = g->next)
        if (str_eq(g->name, tool)) return true;
    return false;
}

static enum task_right right_to(const struct task *t,
                                const struct entry *tool) {
    if (tool->flags & (TOOL_SET_ASIDE | TOOL_NEED)) return TASK_NONE;
    if (!t->config.right || was_given(t, tool->name)) return TASK_HAS;
    return t->config.right(t->config.data, tool);
}

static bool sees(const void *task, const struct entry *t) {
    return right_to(task, t) == TASK_HAS;
}

static struct entry *find(struct task *t, str name) {
    struct entry *tool =
        registry_find(boundary_registry(t->config.boundary), name);
    return tool && right_to(t, tool) != TASK_NONE ? tool : NULL;
}

/* Which tool is called, and with what. */
static const char *understand(struct asking *a, const struct task_call *call,
                              struct err *e) {
    struct task *t = a->task;
    const struct json *python = python_of(call, &a->arena, e);
    struct entry *tool = find(t, call->name);
    str name = call->name;
    if (!python) return "ToolError";
    int own = tool ? 0 : own_bind(name, python, &a->arena, &name, &a->args, e);
    if (own < 0) return "TypeError";
    if (own) tool = find(t, name);
    if (!tool) {
        char text[OWN_TEXT];
        own_unknown(boundary_registry(t->config.boundary), name, sees, t, text);
        err_set(e, ERR_MISSING, "%s", text);
        return "NameError";
    }
    a->tool = entry_hold(tool);
    a->lacks = right_to(t, tool) == TASK_ASKS;
    if ((!own && stub_bind(tool, python, &a->arena, &a->args, e)) ||
        shown_match(t->shown, a->args, &a->arena, &a->labels, e))
        return "TypeError";
    return NULL;
}

void task_on_call(void *task, struct jail *j, const struct task_call *call) {
    struct task *t = task;
    struct err e;
    if (t->config.progress && str_is(call->name, OWN_PROGRESS)) {
        note_progress(t, j, call);
        return;
    }
    struct asking *a = new_asking(t, call->id, &e);
    if (!a) {
        (void)jail_refuse(j, call->id, "ToolError", e.text, &e);
        return;
    }
    const char *wrong = understand(a, call, &e);
    if (wrong) {
        refuse(a, wrong, e.text);
        free_asking(a);
    } else if (a->lacks) {
        make(a);
    } else {
        make_or_recall(a);
    }
}

void task_ask_need(struct task *t, const char *tool, const struct json *args) {
    struct registry *r = boundary_registry(t->config.boundary);
    struct entry *entry = registry_find(r, str_of(tool));
    struct err e;
    struct asking *a = entry ? new_asking(t, NEED, &e) : NULL;
    struct json_build b = a ? JSON_BUILD(&a->arena) : (struct json_build){0};
    if (!a) {
        task_end(t, NULL);
        return;
    }
    a->tool = entry_hold(entry);
    build_copy(&b, args);
    if (build_done(&b, &a->args, &e)) {
        free_asking(a);
        task_end(t, &e);
        return;
    }
    make(a);
}

void task_stop_calls(struct task *t, const char *why) {
    while (t->asking) {
        struct asking *a = t->asking;
        struct call *call = a->call;
        a->call = NULL;
        a->id = t->jail ? a->id : 0;
        if (call)
            boundary_cancel(call, why); /* ends with on_done */
        else
            free_asking(a);
    }
}

/* What the program may name; the list lives in the cage's arena. */
int task_name_tools(struct task *t, struct err *e) {
    struct registry *r = boundary_registry(t->config.boundary);
    size_t count = registry_count(r), n = 0;
    const char **names =
        arena_zalloc(t->cage.arena, count + 4, sizeof *names, e);
    if (!names) return -1;
    if (t->config.progress) names[n++] = OWN_PROGRESS;
    names[n++] = OWN_CALL;
    names[n++] = OWN_HELP;
    for (size_t i = 0; i < count; i++) {
        const struct entry *x = registry_at(r, i);
        if (right_to(t, x) == TASK_NONE) continue;
        names[n] = x->space.n
                       ? arena_printf(t->cage.arena, e, "%.*s.%.*s",
                                      STR_ARG(x->space), STR_ARG(x->method))
                       : arena_text(t->cage.arena, x->method, e);
        if (!names[n++]) return -1;
    }
    t->cage.tools = names;
    return 0;
}
