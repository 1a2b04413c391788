/* SPDX-License-Identifier: MIT
 *
 * Code mode in the loop: the model searches for tools and writes programs that
 * call them, by the same three tools that hosts of the gateway are offered.
 */
#include "agent/bound_inside.h"
#include "call/needs.h"
#include "runs/tool.h"
#include "tools/finder.h"
#include "json/build.h"

#include <stdio.h>
#include <string.h>

#define TEXT_BYTES ((size_t)16 << 20)

int code_open(struct bound *b, struct err *e) {
    const char *const texts[] = {finder_search_definition,
                                 finder_describe_definition,
                                 run_code_definition};
    b->memory = ARENA_MAX((size_t)1 << 20);
    for (size_t i = 0; b->config.runs && i < 3; i++)
        if (json_parse(str_of(texts[i]), NULL, &b->memory, &b->code_tools[i],
                       e))
            return -1;
    return 0;
}

void code_close(struct bound *b) {
    if (!b->needs) return;
    registry_remove(boundary_registry(b->config.boundary), b->needs->server);
    b->needs->class->free(b->needs);
}

int code_offer(struct bound *b, struct arena *a, struct offers *out,
               struct err *e) {
    if (!b->config.runs)
        return fail(e, ERR_UNSUPPORTED,
                    "code mode needs a store: \"record\" is false in the "
                    "configuration");
    for (size_t i = 0; i < 3; i++) {
        const struct json *v = b->code_tools[i];
        struct offer *o = offers_add(out, a, e);
        if (!o) return -1;
        o->name = json_get_text(v, "name", STR(""));
        o->description = json_get_text(v, "description", STR(""));
        o->schema = json_get(v, "inputSchema");
    }
    b->code_offered = true;
    return 0;
}

static size_t which(const struct bound *b, str name) {
    size_t i = 0;
    while (i < 3 && b->code_tools[i] &&
           !str_eq(json_get_text(b->code_tools[i], "name", STR("")), name))
        i++;
    return b->code_tools[0] ? i : 3;
}

bool code_has(const struct bound *b, str name) {
    return b->code_offered && which(b, name) < 3;
}

bool code_reads(const struct bound *b, str name) {
    return which(b, name) < 2;
}

/* -- searching ---------------------------------------------------------------
 */

static bool may_find(void *data, str name) {
    const struct bound *b = data;
    const struct entry *t =
        registry_find(boundary_registry(b->config.boundary), name);
    return t && bound_wants(b, t);
}

static void look_up(struct bound_call *c, bool search) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    struct bound *b = c->bound;
    str who = b->config.who.principal;
    struct finder f = {.registry = boundary_registry(b->config.boundary),
                       .may = may_find,
                       .data = b,
                       .who = who.p ? who : STR("")};
    struct err e;
    if (search ? finder_search(&f, c->args, &text, &e)
               : finder_describe(&f, c->args, &text, &e))
        bound_finish_text(c, str_of(e.text), true);
    else
        bound_finish_text(c, buf_str(&text), false);
}

/* -- running -----------------------------------------------------------------
 */

static void tell_outcome(struct bound_call *c, enum run_state state,
                         const struct json *outcome) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    struct err e;
    if (run_code_text(outcome, &text, &e))
        bound_finish_text(c, str_of(e.text), true);
    else
        bound_finish_text(c, buf_str(&text),
                          state != RUN_DONE && state != RUN_WAITING);
}

/* A question that was put before and still stands was not answered: the model
 * is told that the run waits. */
static void on_run_done(struct run_waiter *w, enum run_state state,
                        const struct json *outcome) {
    struct bound_call *c = w->data;
    struct bound *b = c->bound;
    str approval =
        json_get_text(json_get(outcome, "waiting"), "approval", STR(""));
    if (state != RUN_WAITING || !b->config.approve || approval.n == 0 ||
        approval.n >= sizeof c->approval ||
        str_eq(approval, str_of(c->approval))) {
        tell_outcome(c, state, outcome);
        return;
    }
    memcpy(c->approval, approval.p, approval.n);
    c->approval[approval.n] = '\0';
    b->config.approve(b->config.data, c, str_of(c->approval));
}

/* A run is somebody's: others do not learn that it exists. */
static int check_owner(const struct bound *b, str run, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct store_run row;
    if (store_run_get(boundary_store(b->config.boundary), run, &a, &row, e))
        return -1;
    if (str_eq(row.principal, b->config.who.principal)) return 0;
    return fail(e, ERR_MISSING, "run %.*s: not in the store", STR_ARG(run));
}

static int wait_for(struct bound_call *c, str run, struct err *e) {
    if (run.n >= sizeof c->run) return fail(e, ERR_MISSING, "no such run");
    if (check_owner(c->bound, run, e)) return -1;
    snprintf(c->run, sizeof c->run, "%.*s", STR_ARG(run));
    return runs_wait(c->bound->config.runs, str_of(c->run), &c->waiter, e);
}

static int submit(struct bound_call *c, str code, struct err *e) {
    struct bound *b = c->bound;
    const struct caller *who = &b->config.who;
    struct run_request q = {
        .program = code,
        .session = json_get_text(c->args, "session", STR("")),
        .tier = json_get_text(c->args, "tier", STR("")),
        .conversation = who->session,
        .principal = who->principal,
        .client = who->client,
        /* what is not offered to the model is not there for its programs */
        .scopes = b->only_count ? STR("offered") : (str){NULL, 0},
        .user_text = bound_last_words(b->talk),
        .can_ask = b->config.approve != NULL,
        .waiter = &c->waiter,
    };
    return runs_submit(b->config.runs, &q, c->run, e);
}

static int begin_run(struct bound_call *c, struct err *e) {
    str code = json_get_text(c->args, "code", STR(""));
    str run = json_get_text(c->args, "run", STR(""));
    c->waiter = (struct run_waiter){.done = on_run_done, .data = c};
    if (run.n) return wait_for(c, run, e);
    if (code.n) return submit(c, code, e);
    return fail(e, ERR_INVALID, "code: a program is wanted");
}

static void run(struct bound_call *c) {
    struct err e;
    if (begin_run(c, &e)) bound_finish_text(c, str_of(e.text), true);
}

/* -- asking whether it may run ------------------------------------------------
 */

static void on_asked(void *data, const struct call_outcome *o) {
    struct bound_call *c = data;
    c->under_way = NULL;
    if (!c->call) { /* cancelled: nobody waits */
        bound_drop(c);
        return;
    }
    switch (o->status) {
    case CALL_ASKED: bound_put(c, o->approval); return;
    case CALL_FAILED: bound_finish_outcome(c, o); return;
    case CALL_DONE: break;
    }
    c->need = NULL;
    c->approval[0] = '\0'; /* what the program does is another question */
    run(c);
}

void bound_code_ask(struct bound_call *c) {
    struct bound *b = c->bound;
    struct call_request r = {
        .name = STR(NEEDS_SERVER ".program"),
        .args = c->need,
        .who = b->config.who,
        .approval = str_of(c->approval),
        .done = on_asked,
        .data = c,
    };
    r.who.kind = NEEDS_CALLER;
    r.who.number = c->number;
    r.who.can_ask = b->config.approve != NULL;
    struct call *under_way = boundary_call(b->config.boundary, &r);
    if (under_way) c->under_way = under_way;
}

static int prepare_need(struct bound_call *c, str code, struct err *e) {
    struct bound *b = c->bound;
    struct json_build args = JSON_BUILD(&c->arena);
    build_object(&args);
    build_put_text(&args, "code", code);
    build_put_text(&args, "why", str_of(c->doubt));
    build_end(&args);
    if (build_done(&args, &c->need, e)) return -1;
    if (!b->needs)
        b->needs = provider_needs_new(boundary_registry(b->config.boundary), e);
    return b->needs ? 0 : -1;
}

/* A program that the model was not sure of is not run before a person agreed;
 * to wait for one that runs already changes nothing. */
static void code_run(struct bound_call *c) {
    str code = json_get_text(c->args, "code", STR(""));
    bool waits = json_get_text(c->args, "run", STR("")).n > 0;
    struct err e;
    if (!c->doubt[0] || waits || code.n == 0)
        run(c);
    else if (prepare_need(c, code, &e))
        bound_finish_text(c, str_of(e.text), true);
    else
        bound_code_ask(c);
}

void code_call(struct bound_call *c) {
    size_t i = which(c->bound, c->name);
    if (i < 2)
        look_up(c, i == 0);
    else
        code_run(c);
}

void code_answer(struct bound_call *c) {
    struct err e;
    if (runs_wait(c->bound->config.runs, str_of(c->run), &c->waiter, &e))
        bound_finish_text(c, str_of(e.text), true);
}

void code_cancel(struct bound_call *c) {
    struct runs *runs = c->bound->config.runs;
    struct err e;
    if (c->waiter.run) runs_unwait(runs, &c->waiter);
    (void)runs_cancel(runs, str_of(c->run), "the user stopped it", &e);
    bound_drop(c);
}
