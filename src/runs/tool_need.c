/* SPDX-License-Identifier: MIT
 *
 * A tool that is known but not in the set of the run (what scopes of a token or
 * --tools leave it): where a rule lets it, the run asks for exactly that tool
 * (call/needs.h) and goes on with it. A yes is good for this run, and stands in
 * its journal. Without such a rule the tool does not exist for the program.
 */
#include "call/needs.h"
#include "runs/inside.h"
#include "json/write.h"

struct caller run_in_need(const struct run *r) {
    return (struct caller){.kind = NEEDS_CALLER,
                           .principal = r->principal,
                           .client = r->client,
                           .session = r->conversation,
                           .run = str_of(r->id),
                           .can_ask = r->can_ask};
}

bool run_may_ask_for(const struct run *r, const struct entry *t) {
    AUTO_ARENA struct arena a = ARENA_MAX(64 * 1024);
    struct call_request q = {.name = STR(NEEDS_SERVER ".tool"),
                             .who = run_in_need(r)};
    struct err e;
    if (t->flags & (TOOL_NEED | TOOL_SET_ASIDE | TOOL_QUARANTINED) ||
        needs_tool(t->name, &a, &q.args, &e))
        return false;
    switch (boundary_verdict(r->runs->config.boundary, &q)) {
    case POLICY_DENY: return false;
    case POLICY_ASK:
    case POLICY_ALLOW: return true;
    }
    return false;
}

bool run_was_granted(const struct run *r, str tool) {
    for (const struct run_grant *g = r->grants; g; g = g->next)
        if (str_eq(g->tool, tool)) return true;
    return false;
}

int run_grant(struct run *r, str tool, struct err *e) {
    struct run_grant *g = arena_zalloc(&r->arena, 1, sizeof *g, e);
    if (!g || arena_dup(&r->arena, tool, &g->tool, e)) return -1;
    g->next = r->grants;
    r->grants = g;
    return 0;
}

/* Before the call's intent: a run that is taken over has it, too. */
static int keep_grant(struct run_call *c, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(64 * 1024);
    struct jw w = JW(&text);
    jw_object(&w);
    jw_put_text(&w, "tool", c->tool->name);
    jw_end_object(&w);
    return jw_done(&w, e) ||
                   journal_add(&c->run->journal, "grant", buf_str(&text), e) ||
                   run_grant(c->run, c->tool->name, e)
               ? -1
               : 0;
}

static void fail_grant(struct run_call *c) {
    struct call_outcome o = {.status = CALL_FAILED};
    run_call_ended(c, &o);
}

static void on_done(void *data, const struct call_outcome *o) {
    struct run_call *c = data;
    struct run *r = c->run;
    struct err e;
    c->call = NULL;
    if (o->status != CALL_DONE) {
        run_call_ended(c, o);
        return;
    }
    if (r->stage == RUN_OVER) return;
    /* The answer was used: the call itself may need one of its own. */
    if (r->asked_call == c->id) r->approval[0] = '\0';
    if (keep_grant(c, &e))
        fail_grant(c);
    else
        run_call_granted(c);
}

void run_ask_for_tool(struct run_call *c) {
    struct run *r = c->run;
    struct call_request q = {.name = STR(NEEDS_SERVER ".tool"),
                             .who = run_caller(c),
                             .unmade = r->taken_over,
                             .done = on_done,
                             .data = c};
    struct err e;
    c->asked_first = true;
    q.who.kind = NEEDS_CALLER;
    if (r->approval[0] && r->asked_call == c->id)
        q.approval = str_of(r->approval);
    if (needs_tool(c->tool->name, &c->arena, &q.args, &e)) {
        fail_grant(c);
        return;
    }
    struct call *call = boundary_call(r->runs->config.boundary, &q);
    if (call) c->call = call;
}
