/* SPDX-License-Identifier: MIT
 *
 * How much a run may take (classes.def). A class that is for a person to give
 * is asked for before the program begins (call/needs.h); the run waits for the
 * answer as it would for one about a call, and begins with it, or fails.
 */
#include <stdio.h>
#include <string.h>

#include "call/needs.h"
#include "runs/failure.h"
#include "runs/inside.h"
#include "json/build.h"

struct class {
    const char *name;
    struct cordon_limits limits;
    bool asks;
};

static const struct class classes[] = {
#define CLASS(id, seconds, mib, billions, ncalls, ask, text) \
    {#id,                                                    \
     {.steps = (uint64_t)(billions)*1000000000,              \
      .memory = (uint64_t)(mib) << 20,                       \
      .time_ms = (uint64_t)(seconds)*1000,                   \
      .calls = (ncalls)},                                    \
     ask},
#include "runs/classes.def"
#undef CLASS
};

static const struct class *find(str name) {
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (str_is(name, classes[i].name)) return &classes[i];
    return NULL;
}

/* A run's own configuration holds for those that name none. */
int run_take_class(struct run *r, str name, struct cordon_limits *out,
                   struct err *e) {
    bool job = strcmp(r->kind, "job") == 0;
    *out = r->runs->config.limits;
    if (name.n == 0 && !job) return 0;
    const struct class *c = find(name.n ? name : STR("long"));
    if (!c)
        return fail(e, ERR_INVALID,
                    "there is no class '%.*s': short, long or huge",
                    STR_ARG(str_sub(name, 0, 40)));
    *out = c->limits;
    r->asks_class = c->asks && !r->runs->config.any_class ? c->name : NULL;
    return 0;
}

void run_recall_class(struct run *r, str name) {
    const struct class *c = find(name);
    r->asks_class = c && c->asks ? c->name : NULL;
}

/* -- asking -------------------------------------------------------------------
 */

static void fail_class(struct run *r, const struct json *error) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    const char *type = failure_type(error);
    struct err e;
    if (failure_text(STR(NEEDS_SERVER ".class"), error, &text, &e))
        buf_truncate(&text, 0);
    run_fail(r, type && *type ? type : "ToolError", buf_text(&text));
}

static void on_done(void *data, const struct call_outcome *o) {
    struct run *r = data;
    struct err e;
    r->class_call = NULL;
    if (r->stage == RUN_OVER) return;
    switch (o->status) {
    case CALL_ASKED:
        snprintf(r->approval, sizeof r->approval, "%.*s", STR_ARG(o->approval));
        r->asked_call = 0;
        run_paused(r);
        return;
    case CALL_FAILED: fail_class(r, o->error); return;
    case CALL_DONE: break;
    }
    r->approval[0] = '\0';
    r->asks_class = NULL;
    if (journal_add(&r->journal, "class", STR("{}"), &e))
        run_fail(r, "StoreError", e.text);
    else
        run_start(r);
}

/* It lives as long as the call, which may wait for its turn. */
static int describe(struct run *r, const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(&r->arena);
    build_object(&b);
    build_put_text(&b, "class", str_of(r->asks_class));
    build_put_text(&b, "why", STR("the caller wants a run of this size"));
    build_end(&b);
    return build_done(&b, out, e);
}

void run_ask_for_class(struct run *r) {
    struct call_request q = {.name = STR(NEEDS_SERVER ".class"),
                             .who = run_in_need(r),
                             .approval = str_of(r->approval),
                             .done = on_done,
                             .data = r};
    struct err e;
    if (describe(r, &q.args, &e)) {
        run_fail(r, "ToolError", e.text);
        return;
    }
    struct call *call = boundary_call(r->runs->config.boundary, &q);
    if (call) r->class_call = call;
}

void run_stop_asking(struct run *r) {
    if (r->class_call) boundary_drop(r->class_call);
    r->class_call = NULL;
}
