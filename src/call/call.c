/* SPDX-License-Identifier: MIT
 *
 * The boundary. A call moves through the stages of inside.h; each step either
 * goes on to the next, waits for the loop, or ends the call.
 */
#include "call/call.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "call/inside.h"
#include "call/needs.h"
#include "mcp/rpc.h"
#include "json/build.h"
#include "json/schema.h"

#define DAY_NS   ((int64_t)24 * 3600 * 1000000000)
#define PAUSE_NS ((int64_t)200 * 1000000) /* before the first repetition */

static void pump(struct boundary *b);

/* -- the end ------------------------------------------------------------------
 */

static void unlink_waiting(struct call *c) {
    struct boundary *b = c->boundary;
    *(c->wait_prev ? &c->wait_prev->wait_next : &b->waiting) = c->wait_next;
    *(c->wait_next ? &c->wait_next->wait_prev : &b->waiting_last) =
        c->wait_prev;
    c->wait_next = c->wait_prev = NULL;
}

static void leave_gates(struct call *c) {
    if (!c->entered) return;
    c->entered = false;
    if (c->trial) gate_give_up(c->gates[0]);
    for (size_t i = 0; i < 2; i++)
        gate_leave(c->gates[i]);
}

static void detach(struct call *c) {
    struct boundary *b = c->boundary;
    if (c->stage == STAGE_GATE) unlink_waiting(c);
    leave_gates(c);
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
    pump(b);
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

static void fail_with(struct call *c, const char *code, bool retryable,
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
    fail_with(c, code, false, e->text);
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

/* -- attempts
 * ------------------------------------------------------------------
 */

static void attempt(struct call *c) {
    const struct json *args = c->args.value;
    struct provider *p = c->tool->provider;
    struct err e;
    c->stage = STAGE_PROVIDER;
    c->attempts++;
    if (c->boundary->secrets && secrets_fill(c->boundary->secrets, p->server,
                                             args, &c->arena, &args, &e)) {
        fail_with(c, "denied", false, e.text);
        return;
    }
    c->provider = (struct provider_call){
        .tool = c->tool,
        .args = args,
        .owner = c->request.who.principal,
        .holder = c->request.who.session.n ? c->request.who.session
                                           : c->request.who.run,
        .who = &c->request.who,
        .idempotency_key = str_of(c->key),
        .deadline_ns = c->began + c->limit.timeout_ns,
        .result_max = c->limit.result_max,
        .arena = &c->arena,
        .boundary = c,
    };
    p->class->call(p, &c->provider);
}

static void on_pause_over(struct io_timer *t) {
    attempt(t->data);
}

static bool may_repeat(const struct call *c, const char *code) {
    if (!c->repeat || c->attempts > c->limit.retries) return false;
    return !strcmp(code, "unavailable") || !strcmp(code, "timeout") ||
           !strcmp(code, "rate_limited") || !strcmp(code, "interrupted");
}

/* Each pause twice the one before, and up to as much again, so that many who
 * failed together do not come back together. */
static int pause_then_repeat(struct call *c, struct err *e) {
    uint32_t chance = 0;
    int64_t base = PAUSE_NS << (c->attempts - 1 > 6 ? 6 : c->attempts - 1);
    if (hash_random(&chance, sizeof chance, e)) return -1;
    c->stage = STAGE_PAUSE;
    return loop_timer(c->boundary->loop, &c->pause,
                      base + base * (int64_t)(chance % 1000) / 1000, e);
}

/* What a server refused with, without what must not leave. */
static void tell_refusal(struct call *c, struct fault *f) {
    const struct json *refusal = c->provider.refusal;
    const struct json *data = refusal ? json_get(refusal, "data") : NULL;
    struct err e;
    if (!refusal) return;
    f->server_code = rpc_error_code(refusal);
    if (rpc_error_message(refusal).n) f->message = rpc_error_message(refusal);
    if (data && redact_value(c->boundary->redact, NULL, data, &c->arena, &data,
                             &e) == 0)
        f->server_data = data;
}

static void failed(struct call *c, const char *code, bool sent,
                   const struct err *why) {
    struct err e;
    c->sent = c->sent || sent;
    if (may_repeat(c, code) && pause_then_repeat(c, &e) == 0) return;
    struct fault f = {.code = code,
                      .message = str_of(why->text),
                      .retryable = may_repeat(c, code) || !sent};
    tell_refusal(c, &f);
    call_refuse(c, &f);
}

void provider_failed(struct provider_call *p, const char *code, bool sent,
                     const struct err *why) {
    struct call *c = p->boundary;
    bool theirs = strcmp(code, "unauthorized") != 0;
    /* A server that says no is there. */
    if (theirs) gate_report(c->gates[0], p->refusal != NULL, clock_mono_ns());
    failed(c, code, sent, why);
}

void provider_down(struct provider_call *p, const struct err *why) {
    failed(p->boundary, "unavailable", false, why);
}

struct store *provider_store(const struct provider_call *p) {
    return p->boundary->boundary->store;
}

void provider_progress(struct provider_call *p, double progress, double total,
                       str message) {
    struct call *c = p->boundary;
    if (c->request.progress)
        c->request.progress(c->request.data, progress, total, message);
}

void provider_ask(struct provider_call *p, str method,
                  const struct json *params,
                  void (*answer)(void *data, const struct json *result),
                  void *data) {
    struct call *c = p->boundary;
    const struct boundary_answers *ours = &c->boundary->answers;
    if (c->request.asked)
        c->request.asked(c->request.data, method, params, answer, data);
    else if (!ours->ask ||
             !ours->ask(ours->data, c->tool, method, params, answer, data))
        answer(data, NULL);
}

static void stop_provider(struct call *c) {
    struct provider *p = c->tool->provider;
    if (c->stage != STAGE_PROVIDER) return;
    p->class->cancel(p, &c->provider);
    c->sent = true;
}

static void on_deadline(struct io_timer *t) {
    struct call *c = t->data;
    char text[96];
    if (c->stage == STAGE_PROVIDER)
        gate_report(c->gates[0], false, clock_mono_ns());
    stop_provider(c);
    snprintf(text, sizeof text, "no answer within %lld ms",
             (long long)(c->limit.timeout_ns / 1000000));
    fail_with(c, "timeout", true, text);
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

static void on_intent_written(struct store_wait *w) {
    attempt(w->data);
}

/* What the user calls read-only goes at once. Where only the server says so,
 * the intent must survive us being killed; a write's must survive a power cut.
 */
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

static void go(struct call *c) {
    const struct caller *who = &c->request.who;
    str scope = who->run.n ? who->run : who->session;
    struct err e;
    c->stage = STAGE_INTENT;
    if (journal_key(scope, who->number, c->tool->name, c->args.value, c->key,
                    &e)) {
        fail_with(c, "store", false, e.text);
        return;
    }
    int now = write_intent(c, &e);
    if (now < 0)
        fail_with(c, "store", true, e.text);
    else if (now)
        attempt(c);
}

/* -- the gates
 * -------------------------------------------------------------------
 */

static int64_t gates_wait(struct call *c, int64_t now) {
    int64_t server = gate_wait(c->gates[0], now);
    if (server) return server;
    return gate_wait(c->gates[1], now);
}

static bool refused(struct call *c, int64_t now) {
    int64_t left = gate_refuses(c->gates[0], now);
    c->trial = c->gates[0]->trying;
    if (left == 0) return false;
    char text[160];
    snprintf(text, sizeof text,
             "server '%.*s' failed again and again; it is left alone for now",
             STR_ARG(c->tool->tool.server));
    struct fault f = {.code = "unavailable",
                      .message = str_of(text),
                      .retryable = true,
                      .retry_ms = left / 1000000 + 1};
    call_refuse(c, &f);
    return true;
}

/* The first in line that may go. *soonest: ns until a rate lets one in. */
static struct call *next_in_line(struct boundary *b, int64_t *soonest) {
    int64_t now = clock_mono_ns();
    *soonest = INT64_MAX;
    for (struct call *c = b->waiting; c; c = c->wait_next) {
        int64_t wait = gates_wait(c, now);
        if (wait == 0) return c;
        if (wait > 0 && wait < *soonest) *soonest = wait;
    }
    return NULL;
}

/* Lets in whoever may go. A call that ends at once comes back here: the outer
 * turn of the loop sees to what it made possible. */
static void pump(struct boundary *b) {
    struct call *c;
    struct err e;
    int64_t soonest;
    if (b->pumping || !b->waiting) return;
    b->pumping = true;
    while ((c = next_in_line(b, &soonest))) {
        unlink_waiting(c);
        c->stage = STAGE_NEW;
        if (refused(c, clock_mono_ns())) continue;
        c->entered = true;
        for (size_t i = 0; i < 2; i++)
            gate_enter(c->gates[i]);
        go(c);
    }
    b->pumping = false;
    if (soonest != INT64_MAX) (void)loop_timer(b->loop, &b->pump, soonest, &e);
}

static void on_pump(struct io_timer *t) {
    pump(t->data);
}

static int find_gates(struct call *c, struct err *e) {
    struct boundary *b = c->boundary;
    struct limit server;
    char name[256];
    limits_server(b->limits, c->tool->tool.server, &server);
    snprintf(name, sizeof name, "server/%.*s", STR_ARG(c->tool->tool.server));
    if (!(c->gates[0] = gates_get(&b->gates, str_of(name), &server, e)))
        return -1;
    c->gates[1] = gates_get(&b->gates, c->tool->name, &c->limit, e);
    return c->gates[1] ? 0 : -1;
}

static void queue(struct call *c) {
    struct boundary *b = c->boundary;
    struct err e;
    if (find_gates(c, &e) ||
        loop_timer(b->loop, &c->deadline, c->limit.timeout_ns, &e)) {
        fail_with(c, "unavailable", true, e.text);
        return;
    }
    c->stage = STAGE_GATE;
    c->wait_prev = b->waiting_last;
    *(b->waiting_last ? &b->waiting_last->wait_next : &b->waiting) = c;
    b->waiting_last = c;
    pump(b);
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
    fail_with(c, "unavailable", false,
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
        fail_with(c, "interrupted", false, e.text);
        return;
    }
    o.value = c->request.recorded;
    finish(c, &o, 0);
}

static void begin(struct call *c) {
    struct err e;
    if (record_ready(c->boundary, &e)) {
        fail_with(c, "store", true, e.text);
        return;
    }
    if (!resolve(c) || !validate(c)) return;
    if (seen_label(c, &e)) {
        fail_with(c, "interrupted", true, e.text);
        return;
    }
    if (c->request.recorded) {
        hand_out_recorded(c);
        return;
    }
    if (!check_repeats(c) || !call_decide(c)) return;
    queue(c);
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
    c->deadline = (struct io_timer){.fn = on_deadline, .data = c};
    c->pause = (struct io_timer){.fn = on_pause_over, .data = c};
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
    stop_provider(c);
    fail_with(c, "cancelled", false, reason);
}

void boundary_drop(struct call *c) {
    stop_provider(c);
    detach(c);
    free_call(c);
}

/* -- a life
 * ------------------------------------------------------------------------
 */

int boundary_set_policy(struct boundary *b, struct policy *p, struct err *e) {
    if (!p && !b->own_policy &&
        !(b->own_policy = policy_new(POLICY_BALANCED, e)))
        return -1;
    b->policy = p ? p : b->own_policy;
    return 0;
}

void boundary_set_answers(struct boundary *b, struct boundary_answers answers) {
    b->answers = answers;
}

struct boundary *boundary_new(const struct boundary_config *config,
                              struct err *e) {
    struct boundary *b = mem_zalloc(1, sizeof *b, e);
    if (!b) return NULL;
    b->loop = config->loop;
    b->registry = config->registry;
    b->store = config->store;
    b->audit = config->audit;
    b->secrets = config->secrets;
    b->gates = GATES_INIT;
    b->repeats = MAP_MAX((size_t)1 << 16);
    b->shapes = MAP_MAX((size_t)1 << 20);
    seen_fini(b);
    b->approval_ns = config->approval_ns ? config->approval_ns : DAY_NS;
    b->pump = (struct io_timer){.fn = on_pump, .data = b};
    b->spent = spent_new(e);
    if (b->spent && hash_random(b->seed, sizeof b->seed, e) == 0 &&
        (b->limits = limits_new(config->limits, e)) &&
        (b->redact = redact_new(config->redact, config->secrets, e)) &&
        boundary_set_policy(b, config->policy, e) == 0)
        return b;
    boundary_free(b);
    return NULL;
}

void boundary_free(struct boundary *b) {
    if (!b) return;
    while (b->calls)
        boundary_cancel(b->calls, "cordon ends");
    loop_timer_stop(&b->pump);
    gates_fini(&b->gates);
    repeat_forget(b);
    shape_fini(b);
    seen_fini(b);
    limits_free(b->limits);
    redact_free(b->redact);
    spent_free(b->spent);
    policy_free(b->own_policy);
    if (b->needs) {
        registry_remove(b->registry, b->needs->server);
        b->needs->class->free(b->needs);
    }
    mem_free(b);
}

int boundary_offer_needs(struct boundary *b, struct err *e) {
    if (!b->needs) b->needs = provider_needs_new(b->registry, e);
    return b->needs ? 0 : -1;
}

struct registry *boundary_registry(struct boundary *b) {
    return b->registry;
}

struct store *boundary_store(struct boundary *b) {
    return b->store;
}

void boundary_forget(struct boundary *b, str run_or_session) {
    spent_end(b->spent, run_or_session);
    seen_forget(b, run_or_session);
}
