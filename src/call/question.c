/* SPDX-License-Identifier: MIT
 *
 * The decision about a call, and what follows: no, yes, or a question to a
 * person.
 */
#include <string.h>

#include "base/clock.h"
#include "call/approval.h"
#include "call/inside.h"

static bool granted(void *data, const char *key) {
    const struct call *c = data;
    struct store *s = c->boundary->store;
    return s && approval_remembered(s, str_of(key));
}

void call_policy(const struct call *c, struct policy_call *out) {
    const struct caller *who = &c->request.who;
    *out = (struct policy_call){
        .tool = c->tool,
        .args = c->args.value,
        .labels = c->labels,
        .turn = c->turn,
        .principal = who->principal,
        .client = who->client,
        .session = who->session,
        .run = who->run,
        .can_ask = who->can_ask && c->boundary->store,
        .spent = c->boundary->spent,
        .granted = granted,
        /* The callback only reads. */
        .data = (void *)(uintptr_t)c,
    };
}

static void make_ask(const struct call *c, struct approval_ask *q) {
    const struct caller *who = &c->request.who;
    *q = (struct approval_ask){
        .principal = who->principal,
        .client = who->client,
        .session = who->session,
        .run = who->run,
        .number = who->run.n ? who->number : 0,
        .tool = c->tool,
        .args = c->args.value,
        .labels = c->labels,
        .decision = &c->decision,
        .policy = policy_hash(c->boundary->policy),
        .finding = str_of(suspect_find(c->args.value)),
    };
}

static void refuse(struct call *c, const char *code, str message) {
    struct fault f = {
        .code = code,
        .message = message,
        .rule = c->decision.rule,
        .path = c->decision.path,
        .hint = STR("do not try to reach the same by another way; say what was "
                    "refused, or go on without it"),
    };
    call_refuse(c, &f);
}

static void on_question_written(struct store_wait *w) {
    call_asked(w->data);
}

static void ask(struct call *c, const struct approval_ask *q) {
    struct boundary *b = c->boundary;
    struct err e;
    if (approval_make(b->store, q, clock_wall_ns() + b->approval_ns,
                      c->approval, &e)) {
        struct fault f = {
            .code = "store", .message = str_of(e.text), .retryable = true};
        call_refuse(c, &f);
        return;
    }
    c->stage = STAGE_QUESTION;
    c->wait = (struct store_wait){.fn = on_question_written, .data = c};
    store_when_durable(b->store, &c->wait);
}

/* The answer to the question that was put for this call. */
static int use_answer(struct call *c, const struct approval_ask *q) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)32 << 20);
    struct store *s = c->boundary->store;
    struct store_approval p;
    char binding[JOURNAL_KEY];
    struct err e;
    if (approval_binding(q, binding, &e) == 0 &&
        store_approval_use(s, c->request.approval, str_of(binding), &e) == 0)
        return 1;
    struct err ignored;
    if (store_approval_get(s, c->request.approval, &a, &p, &ignored) == 0 &&
        str_is(p.binding, binding)) {
        if (p.state == APPROVAL_PENDING) {
            ask(c, q); /* finds the same one again */
            return 0;
        }
        if (p.state == APPROVAL_USED && c->request.unmade) return 1;
        if (p.state == APPROVAL_DENIED) {
            refuse(c, "denied", STR("a person said no"));
            return 0;
        }
    }
    refuse(c, "approval_void", str_of(e.text));
    return 0;
}

/* A question that was put before its call was made: see boundary_foresee. */
static bool was_answered(struct call *c, const struct approval_ask *q) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)32 << 20);
    char binding[JOURNAL_KEY];
    struct store_approval p;
    struct err e;
    if (c->request.approval.n || !q->run.n ||
        approval_binding(q, binding, &e) ||
        store_approval_find(c->boundary->store, q->run, q->number,
                            str_of(binding), &a, &p, &e) ||
        (p.state != APPROVAL_GRANTED && p.state != APPROVAL_DENIED))
        return false;
    return arena_dup(&c->arena, p.id, &c->request.approval, &e) == 0;
}

static int put_question(struct call *c) {
    struct approval_ask q;
    make_ask(c, &q);
    if (c->boundary->store && was_answered(c, &q)) return use_answer(c, &q);
    if (c->boundary->store && approval_covers(c->boundary->store, &q)) return 1;
    if (c->request.approval.n && c->boundary->store) return use_answer(c, &q);
    if (!c->request.who.can_ask || !c->boundary->store) {
        refuse(c, "approval_needed", c->decision.reason);
        return 0;
    }
    ask(c, &q);
    return 0;
}

/* What the policy allows is asked all the same: this once, and not to be
 * remembered. */
static int put_doubt(struct call *c) {
    c->decision.verdict = POLICY_ASK;
    c->decision.rule = STR("doubt");
    c->decision.reason = str_of(c->request.doubt);
    c->decision.remember = REMEMBER_NOTHING;
    c->decision.key[0] = '\0';
    return put_question(c);
}

static int foresee(struct call *c, str like, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)32 << 20);
    struct store_approval first;
    struct policy_call p;
    struct approval_ask q;
    char batch[JOURNAL_KEY];
    call_policy(c, &p);
    policy_decide(c->boundary->policy, &p, &c->arena, &c->decision);
    if (c->decision.verdict != POLICY_ASK) return 0;
    make_ask(c, &q);
    if (store_approval_get(c->boundary->store, like, &a, &first, e) ||
        approval_batch_key(&q, batch, e))
        return -1;
    if (!str_is(first.batch, batch)) return 0;
    /* It expires with the card it is on. */
    return approval_make(c->boundary->store, &q, first.expires, c->approval, e)
               ? -1
               : 1;
}

/* A call as far as it can be decided, without making it. 0: it cannot. */
static int begin_to_decide(struct call *c, struct err *e) {
    struct boundary *b = c->boundary;
    c->tool = registry_find(b->registry, c->request.name);
    struct schema *schema = c->tool && !(c->tool->flags & TOOL_SET_ASIDE)
                                ? entry_input(c->tool, e)
                                : NULL;
    return schema && json_type(c->request.args) == JSON_OBJECT &&
           coerce_value(schema, c->request.args, &c->arena, &c->args, e) == 0 &&
           seen_label(c, e) == 0;
}

int boundary_foresee(struct boundary *b, const struct call_request *r, str like,
                     struct err *e) {
    struct call c = {
        .boundary = b, .request = *r, .arena = ARENA_MAX(CALL_BYTES)};
    int status = 0;
    if (b->store && begin_to_decide(&c, e)) status = foresee(&c, like, e);
    arena_fini(&c.arena);
    return status;
}

enum verdict boundary_verdict(struct boundary *b,
                              const struct call_request *r) {
    struct call c = {
        .boundary = b, .request = *r, .arena = ARENA_MAX(CALL_BYTES)};
    struct policy_call p;
    struct err e;
    if (begin_to_decide(&c, &e)) {
        call_policy(&c, &p);
        policy_decide(b->policy, &p, &c.arena, &c.decision);
    }
    arena_fini(&c.arena);
    return c.decision.verdict;
}

int call_decide(struct call *c) {
    struct policy_call p;
    struct err e;
    int go = 0;
    call_policy(c, &p);
    policy_decide(c->boundary->policy, &p, &c->arena, &c->decision);
    switch (c->decision.verdict) {
    case POLICY_DENY: refuse(c, "denied", c->decision.reason); return 0;
    case POLICY_ASK: go = put_question(c); break;
    case POLICY_ALLOW: go = c->request.doubt ? put_doubt(c) : 1; break;
    }
    if (!go) return 0;
    if (policy_spend(c->boundary->policy, c->boundary->spent, &p, &e) == 0)
        return 1;
    refuse(c, "denied", str_of(e.text));
    return 0;
}
