/* SPDX-License-Identifier: MIT
 *
 * The boundary. A call moves through the stages of inside.h; each step either
 * goes on to the next, waits for the loop, or ends the call.
 */
#include "call/call.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "call/inside.h"
#include "call/needs.h"
#include "json/build.h"
#include "json/schema.h"

/* -- the end ------------------------------------------------------------------
 */

static void detach(struct call *c) {
    struct boundary *b = c->boundary;
    line_leave(c);
    loop_timer_stop(&c->deadline);
    loop_timer_stop(&c->pause);
    if (b->store) store_wait_stop(b->store, &c->wait);
    *(c->prev ? &c->prev->next : &b->calls) = c->next;
    if (c->next) c->next->prev = c->prev;
}

static void free_call(struct call *c) {
    if (c->gone) *c->gone = true;
    entry_drop(c->tool);
    arena_fini(&c->arena);
    mem_free(c);
}

/* A write that left and gave no result: nobody knows whether it was done. */
static bool is_unknown(const struct call *c, const struct call_outcome *o) {
    return c->write && c->sent && o->status == CALL_FAILED;
}

static bool is_need(const struct call *c) {
    return c->tool && (c->tool->flags & TOOL_NEED) != 0;
}

/* What a run asks for is no call of its program: the journal has no place for
 * it. */
static struct journal *journal_of(struct call *c) {
    if (is_need(c)) return NULL;
    if (c->request.who.journal) return c->request.who.journal;
    return c->own.store ? &c->own : NULL;
}

static bool is_error(const struct call_outcome *o) {
    return o->result && json_get_bool(o->result, "isError", false);
}

/* The journal must not say less than happened, but the call did happen: a
 * store in trouble keeps the event and writes it later. */
static void journal_end(struct call *c, const struct call_outcome *o) {
    struct journal *j = journal_of(c);
    struct err e;
    if (!j || c->stage < STAGE_INTENT || c->stage == STAGE_QUESTION) return;
    struct journal_result r = {
        .call = c->request.who.number,
        .status = o->status == CALL_DONE ? "done"
                  : is_unknown(c, o)     ? "unknown"
                                         : "failed",
        .value = o->value,
        .labels = o->labels,
        .error = o->error,
        .ns = clock_mono_ns() - c->began,
    };
    if (o->status == CALL_DONE && is_error(o)) r.status = "error";
    (void)journal_result(j, &r, &e);
    if (j != &c->own) return;
    enum run_state state = o->status == CALL_DONE ? RUN_DONE : RUN_FAILED;
    (void)store_run_set(j->store, j->run, j->fence, state, STR(""),
                        str_of(is_unknown(c, o) ? "{\"unknown\":true}" : "{}"),
                        &e);
}

static void finish(struct call *c, struct call_outcome *o, size_t bytes) {
    struct boundary *b = c->boundary;
    o->tool = c->tool;
    o->changes = c->args.changes;
    o->change_count = c->args.count;
    if (!c->request.recorded) {
        journal_end(c, o);
        call_record(c, o, bytes);
        if (o->status == CALL_DONE && !is_error(o))
            registry_used(b->registry, c->tool, c->request.who.principal);
    }
    detach(c);
    c->request.done(c->request.data, o);
    free_call(c);
    line_pump(b);
}

void call_refuse(struct call *c, struct fault *f) {
    AUTO_BUF struct buf clean = BUF_MAX(64 * 1024);
    struct call_outcome o = {.status = CALL_FAILED};
    struct err e;
    f->message = str_sub(f->message, 0, 16 * 1024);
    if (redact_text(c->boundary->redact, f->message, &clean, &e) == 0)
        f->message = buf_str(&clean);
    if (c->write && c->sent) {
        f->retryable = false;
        f->hint = STR("the tool may have acted: look before calling it again");
    }
    o.error = fault_json(f, &c->arena);
    finish(c, &o, 0);
}

void call_refuse_with(struct call *c, const char *code, bool retryable,
                      const char *text) {
    struct fault f = {
        .code = code, .message = str_of(text), .retryable = retryable};
    call_refuse(c, &f);
}

void call_asked(struct call *c) {
    struct call_outcome o = {.status = CALL_ASKED,
                             .approval = str_of(c->approval)};
    finish(c, &o, 0);
}

/* -- results ------------------------------------------------------------------
 */

static int label_value(struct call *c, const struct json *value,
                       const struct json *meta, const struct labels **out,
                       struct err *e) {
    struct policy_call p;
    call_policy(c, &p);
    if (policy_label(c->boundary->policy, &p, value, meta,
                     c->request.who.number, &c->arena, out, e))
        return -1;
    c->finding = suspect_find(value);
    return c->finding ? suspect_lower(out, &c->arena, e) : 0;
}

static void bad_result(struct call *c, const struct err *e) {
    const char *code = e->kind == ERR_LIMIT  ? "too_large"
                       : e->kind == ERR_PEER ? "bad_response"
                                             : "interrupted";
    call_refuse_with(c, code, false, e->text);
}

static void take_result(struct call *c, const struct json *raw) {
    struct boundary *b = c->boundary;
    const struct caller *who = &c->request.who;
    struct result_rules rules = {
        .tool = c->tool,
        .limit = c->limit,
        .redact = b->redact,
        .store = b->store,
        .owner = who->session.n ? who->session : who->run,
    };
    struct call_outcome o = {.status = CALL_DONE};
    struct result got;
    struct err e;
    if (result_take(&rules, raw, &c->arena, &got, &e) ||
        label_value(c, got.value, got.meta, &o.labels, &e)) {
        bad_result(c, &e);
        return;
    }
    if (!got.is_error) shape_note(c, got.value);
    repeat_note(c, got.value);
    seen_result(c, got.value, o.labels);
    o.result = got.shown;
    o.value = got.value;
    finish(c, &o, got.bytes);
}

void provider_done(struct provider_call *p, const struct provider_result *r) {
    struct call *c = p->boundary;
    gate_report(c->gates[0], true, clock_mono_ns());
    c->sent = true;
    take_result(c, r->result);
}

/* -- the intent
 * -----------------------------------------------------------------
 */

static int own_journal(struct call *c, struct err *e) {
    struct store *s = c->boundary->store;
    const struct caller *who = &c->request.who;
    if (store_new_id("c_", c->own_run, e)) return -1;
    struct store_run r = {.id = str_of(c->own_run),
                          .kind = STR("call"),
                          .session = who->session,
                          .principal = who->principal,
                          .client = who->client,
                          .options = STR("{}"),
                          .state = RUN_RUNNING,
                          .created = clock_wall_ns()};
    struct journal j = {.store = s, .run = r.id, .next = 1};
    if (store_run_add(s, &r, &j.fence, e)) return -1;
    c->own = j;
    return 0;
}

/* What the store refused to write down is not done: whoever has the run now
 * does it. */
static void on_intent_written(struct store_wait *w) {
    struct call *c = w->data;
    if (journal_of(c)->lost)
        call_refuse_with(c, "interrupted", false,
                         "another process goes on with this run");
    else
        call_attempt(c);
}

static int write_intent(struct call *c, struct err *e) {
    const struct caller *who = &c->request.who;
    if (!c->boundary->store || is_need(c)) return 1;
    bool declared = (c->tool->flags & TOOL_READ_ONLY) != 0;
    if (!who->journal && !c->write) return 1;
    if (!who->journal && own_journal(c, e)) return -1;
    struct intent i = {.call = who->number,
                       .tool = c->tool->name,
                       .space = c->tool->space,
                       .method = c->tool->method,
                       .args = c->args.value,
                       .key = str_of(c->key),
                       .approval = c->request.approval,
                       .write = c->write,
                       .reads = (c->tool->flags &
                                 (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY)) != 0};
    if (journal_intent(journal_of(c), &i, e)) return -1;
    if (declared) return 1;
    c->wait = (struct store_wait){
        .fn = on_intent_written, .data = c, .written = !c->write};
    store_when_durable(c->boundary->store, &c->wait);
    return 0;
}

void call_go(struct call *c) {
    const struct caller *who = &c->request.who;
    str scope = who->run.n ? who->run : who->session;
    struct err e;
    c->stage = STAGE_INTENT;
    if (journal_key(scope, who->number, c->tool->name, c->args.value, c->key,
                    &e)) {
        call_refuse_with(c, "store", false, e.text);
        return;
    }
    int now = write_intent(c, &e);
    if (now < 0)
        call_refuse_with(c, "store", true, e.text);
    else if (now)
        call_attempt(c);
}

/* -- the beginning
 * -----------------------------------------------------------------
 */

static void unknown_tool(struct call *c) {
    char text[256];
    struct fault f = {.code = "unknown_tool"};
    snprintf(text, sizeof text, "there is no tool '%.*s'",
             STR_ARG(str_sub(c->request.name, 0, 100)));
    f.message = str_of(text);
    f.near_count = registry_near(c->boundary->registry, c->request.name, f.near,
                                 FAULT_NEAR);
    if (f.near_count) f.hint = STR("call one of those in 'near', or search");
    call_refuse(c, &f);
}

static int resolve(struct call *c) {
    struct entry *t = registry_find(c->boundary->registry, c->request.name);
    bool need = strcmp(c->request.who.kind, NEEDS_CALLER) == 0;
    /* Nobody asks for more on behalf of a run but Cordon. */
    if (!t || need != ((t->flags & TOOL_NEED) != 0)) {
        unknown_tool(c);
        return 0;
    }
    c->tool = entry_hold(t);
    limits_for(c->boundary->limits, t, &c->limit);
    c->repeat = (t->flags & (TOOL_READ_ONLY | TOOL_IDEMPOTENT)) != 0;
    c->write = (t->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY)) == 0;
    if (!(t->flags & TOOL_SET_ASIDE) && t->provider) return 1;
    call_refuse_with(c, "unavailable", false,
                     t->fault ? t->fault : "nothing carries this tool out");
    return 0;
}

static void bad_arguments(struct call *c, const struct err *why) {
    struct schema_report report;
    struct err e;
    struct schema *schema = entry_input(c->tool, &e);
    struct fault f = {.code = "invalid_arguments",
                      .message = str_of(why->text),
                      .retryable = true};
    if (why->kind == ERR_INVALID && schema &&
        schema_explain(schema, c->request.args, 1, &c->arena, &report, &e) ==
            0 &&
        report.count) {
        f.path = report.errors[0].path;
        f.expected = report.errors[0].expected;
        f.got = report.errors[0].got;
    }
    f.hint = STR("describe the tool to see its parameters");
    call_refuse(c, &f);
}

static int validate(struct call *c) {
    struct err e;
    if (json_type(c->request.args) != JSON_OBJECT) {
        err_set(&e, ERR_INVALID, "the arguments are not an object");
        bad_arguments(c, &e);
        return 0;
    }
    struct schema *schema = entry_input(c->tool, &e);
    if (schema &&
        coerce_value(schema, c->request.args, &c->arena, &c->args, &e) == 0)
        return 1;
    bad_arguments(c, &e);
    return 0;
}

static int check_repeats(struct call *c) {
    if (c->limit.repeats == 0 || repeat_count(c) < c->limit.repeats) return 1;
    char text[160];
    snprintf(text, sizeof text,
             "this same call gave the same result %u times in a row",
             c->limit.repeats);
    struct fault f = {.code = "loop",
                      .message = str_of(text),
                      .hint = STR("do something else with what you have")};
    call_refuse(c, &f);
    return 0;
}

static void hand_out_recorded(struct call *c) {
    struct call_outcome o = {.status = CALL_DONE};
    struct err e;
    if (label_value(c, c->request.recorded, NULL, &o.labels, &e)) {
        call_refuse_with(c, "interrupted", false, e.text);
        return;
    }
    o.value = c->request.recorded;
    finish(c, &o, 0);
}

static void begin(struct call *c) {
    struct err e;
    if (c->boundary->audit && audit_ready(c->boundary->audit, &e)) {
        call_refuse_with(c, "store", true, e.text);
        return;
    }
    if (!resolve(c) || !validate(c)) return;
    if (seen_label(c, &e)) {
        call_refuse_with(c, "interrupted", true, e.text);
        return;
    }
    if (c->request.recorded) {
        hand_out_recorded(c);
        return;
    }
    if (!check_repeats(c) || !call_decide(c)) return;
    line_join(c);
}

static void no_memory(const struct call_request *r) {
    AUTO_ARENA struct arena a = ARENA_MAX(4096);
    struct fault f = {.code = "unavailable", .message = STR("out of memory")};
    struct call_outcome o = {.status = CALL_FAILED,
                             .error = fault_json(&f, &a)};
    r->done(r->data, &o);
}

struct call *boundary_call(struct boundary *b, const struct call_request *r) {
    struct err e;
    bool gone = false;
    struct call *c = mem_zalloc(1, sizeof *c, &e);
    if (!c) {
        no_memory(r);
        return NULL;
    }
    c->boundary = b;
    c->request = *r;
    c->arena = ARENA_MAX(CALL_BYTES);
    c->began = clock_mono_ns();
    attempt_init(c);
    c->next = b->calls;
    if (b->calls) b->calls->prev = c;
    b->calls = c;
    c->gone = &gone;
    begin(c);
    if (gone) return NULL;
    c->gone = NULL;
    return c;
}

bool call_is_asking(const struct call *c) {
    return c->stage == STAGE_QUESTION;
}

void boundary_cancel(struct call *c, const char *reason) {
    attempt_stop(c);
    call_refuse_with(c, "cancelled", false, reason);
}

void boundary_drop(struct call *c) {
    attempt_stop(c);
    detach(c);
    free_call(c);
}
