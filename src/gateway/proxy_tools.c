/* SPDX-License-Identifier: MIT
 *
 * Tools of the gateway in the proxy: offered to the model beside the app's, and
 * carried out here through the boundary, so that policy, approvals and records
 * are the same as everywhere. The app sees only the answer that follows.
 */
#include <stdio.h>

#include "agent/bound.h"
#include "base/clock.h"
#include "base/mem.h"
#include "gateway/proxy_job.h"
#include "store/store.h"
#include "json/build.h"
#include "json/write.h"

#define POLL ((int64_t)250 * 1000000)

struct own_call {
    struct job *job;
    const struct part *call;
    struct part *result; /* its place in the request that follows */
    const struct json *args;
    bool reads;
    enum { OWN_WAITS, OWN_RUNS, OWN_ENDED } state;
    struct call *under_way;
    char approval[STORE_ID];
    struct io_timer poll; /* a person is asked */
    int64_t until;
    uint64_t number;
};

static const struct proxy_tools *own_tools(const struct job *j) {
    return &j->proxy->config.own;
}

/* -- offering ----------------------------------------------------------------
 */

static bool is_offered(const struct job *j, const struct entry *t) {
    const struct proxy_tools *o = own_tools(j);
    if (t->fault ||
        t->flags & (TOOL_SET_ASIDE | TOOL_QUARANTINED | TOOL_BUILTIN))
        return false;
    if (o->allows && j->scopes.p && !o->allows(o->data, j->scopes, t->name))
        return false;
    if (offer_find(&j->q.offers, t->name))
        return false; /* the app's is meant */
    for (size_t i = 0; i < o->offer_count; i++)
        if (str_glob(o->offer[i], t->name)) return true;
    return false;
}

static int add_offer(struct job *j, struct entry *t, struct offers *to,
                     struct err *e) {
    struct offer *o = offers_add(to, &j->arena, e);
    if (!o) return -1;
    o->api = API_COUNT; /* no API's own */
    o->name = t->name;
    o->description = t->tool.description;
    o->schema = t->tool.input;
    o->strict = -1;
    return 0;
}

/* What the app demands of the model is about its own tools. */
static bool may_offer(const struct job *j) {
    const struct choice *c = &j->q.choice;
    return own_tools(j)->boundary && own_tools(j)->offer_count > 0 &&
           (c->mode == CHOICE_UNSAID || c->mode == CHOICE_AUTO) && !c->allowed;
}

static int copy_offers(struct job *j, struct offers *out, struct err *e) {
    struct offers all = {0};
    for (const struct offer *o = j->q.offers.first; o; o = o->next) {
        if (!offer_copy(o, &all, &j->arena, e)) return -1;
    }
    *out = all;
    return 0;
}

int own_offer(struct job *j, struct err *e) {
    struct registry *r;
    if (!may_offer(j)) return 0;
    r = boundary_registry(own_tools(j)->boundary);
    size_t count = registry_count(r);
    j->entries = mem_zalloc(count + 1, sizeof(struct entry *), e);
    if (!j->entries || copy_offers(j, &j->given, e)) return -1;
    for (size_t i = 0; i < count; i++) {
        struct entry *t = registry_at(r, i);
        if (!is_offered(j, t)) continue;
        if (add_offer(j, t, &j->given, e) || add_offer(j, t, &j->ours, e))
            return -1;
        j->entries[j->entry_count++] = entry_hold(t);
    }
    return 0;
}

bool own_has(const struct job *j, str name) {
    return offer_find(&j->ours, name) != NULL;
}

/* -- what came of a call -----------------------------------------------------
 */

static void step(struct job *j);

static void end_call(struct own_call *c) {
    loop_timer_stop(&c->poll);
    c->state = OWN_ENDED;
    c->job->call_ended++;
    if (!c->job->starting) step(c->job);
}

static void end_text(struct own_call *c, str text) {
    struct job *j = c->job;
    struct err e;
    struct part *p = parts_add(&c->result->content, PART_TEXT, &j->arena, &e);
    c->result->failed = true;
    if (p && arena_dup(&j->arena, text, &p->text, &e)) p->text = STR("");
    end_call(c);
}

static void end_error(struct own_call *c, const struct json *error) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)1 << 20);
    struct err e;
    if (!error || json_write(error, JSON_COMPACT, &text, &e))
        buf_truncate(&text, 0);
    end_text(c, text.len ? buf_str(&text) : STR("the call failed"));
}

/* The outcome is gone when done returns: its text is copied. */
static void end_done(struct own_call *c, const struct call_outcome *o) {
    struct job *j = c->job;
    struct json_build b = JSON_BUILD(&j->arena);
    const struct json *result;
    struct err e;
    build_copy(&b, o->result);
    if (build_done(&b, &result, &e) ||
        bound_content(result, &j->arena, &c->result->content, &e)) {
        c->result->content = (struct part_list){0};
        end_text(c, str_of(e.text));
        return;
    }
    c->result->failed = json_get_bool(result, "isError", false);
    end_call(c);
}

/* -- carrying out ------------------------------------------------------------
 */

static void make_call(struct own_call *c);

static void on_poll(struct io_timer *t) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)32 << 20);
    struct own_call *c = t->data;
    struct job *j = c->job;
    struct store *s = boundary_store(own_tools(j)->boundary);
    struct store_approval row;
    struct err e;
    if (store_approval_get(s, str_of(c->approval), &a, &row, &e))
        end_text(c, str_of(e.text));
    else if (row.state != APPROVAL_PENDING)
        make_call(c);
    else if (clock_mono_ns() >= c->until ||
             loop_timer(j->proxy->config.loop, t, POLL, &e))
        end_text(c, STR("a person must approve this call first, and has not "
                        "yet; say so"));
}

static void on_done(void *data, const struct call_outcome *o) {
    struct own_call *c = data;
    c->under_way = NULL;
    if (c->state == OWN_ENDED) return; /* the app is gone */
    switch (o->status) {
    case CALL_DONE: end_done(c, o); return;
    case CALL_FAILED: end_error(c, o->error); return;
    case CALL_ASKED: break;
    }
    snprintf(c->approval, sizeof c->approval, "%.*s", STR_ARG(o->approval));
    c->poll = (struct io_timer){.fn = on_poll, .data = c};
    if (c->until == 0)
        c->until = clock_mono_ns() + own_tools(c->job)->approval_ns;
    on_poll(&c->poll);
}

static void make_call(struct own_call *c) {
    struct job *j = c->job;
    const struct proxy_tools *o = own_tools(j);
    struct call_request r = {
        .name = c->call->name,
        .args = c->args,
        .who = {.kind = "proxy",
                .principal = j->principal,
                .client = STR("proxy"),
                .session = str_of(j->session),
                .number = c->number,
                .can_ask = o->approval_ns > 0},
        .approval = str_of(c->approval),
        .done = on_done,
        .data = c,
    };
    struct call *under_way = boundary_call(o->boundary, &r);
    if (under_way) c->under_way = under_way;
}

/* A write waits for all before it, and everything waits for a write. */
static bool may_start(const struct job *j, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (j->calls[k].state != OWN_ENDED &&
            (!j->calls[k].reads || !j->calls[i].reads))
            return false;
    return true;
}

/* What it has must do: from here on there are only the app's tools. */
static int take_own_away(struct job *j, struct err *e) {
    struct offers left = {0};
    for (const struct offer *o = j->q.offers.first; o; o = o->next) {
        if (own_has(j, o->name)) continue;
        if (!offer_copy(o, &left, &j->arena, e)) return -1;
    }
    j->q.offers = left;
    if (left.count == 0) j->q.choice = (struct choice){.parallel = -1};
    return 0;
}

static void next_round(struct job *j) {
    struct err e;
    mem_free(j->calls);
    j->calls = NULL;
    j->call_count = 0;
    if ((j->rounds >= own_tools(j)->rounds && take_own_away(j, &e)) ||
        job_ask(j, &e))
        job_not_asked(j, &e);
}

static void step(struct job *j) {
    j->starting = true;
    for (size_t i = 0; i < j->call_count; i++) {
        struct own_call *c = &j->calls[i];
        if (c->state != OWN_WAITS || !may_start(j, i)) continue;
        c->state = OWN_RUNS;
        make_call(c);
    }
    j->starting = false;
    if (j->call_ended == j->call_count) next_round(j);
}

/* -- a round -----------------------------------------------------------------
 */

/* What the app's conversation says is what its model has been shown: the
 * user's words are the user's, anything else may be anyone's. */
static int show_talk(struct job *j, struct err *e) {
    struct boundary *b = own_tools(j)->boundary;
    if (j->session[0]) return 0;
    if (store_new_id("proxy_", j->session, e)) return -1;
    struct shown *s = boundary_shown(b, str_of(j->session));
    if (!s) return fail(e, ERR_MEMORY, "out of memory");
    for (const struct message *m = j->q.messages.first; m; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next) {
            if (m->role == ROLE_USER && p->kind == PART_TEXT &&
                shown_user(s, p->text, e))
                return -1;
            const struct part *q =
                p->kind == PART_RESULT ? p->content.first : NULL;
            for (; q; q = q->next)
                if (shown_text(s, q->text, label_unknown(), e)) return -1;
        }
    return 0;
}

static int add_call(struct job *j, const struct part *call, struct message *to,
                    struct err *e) {
    struct own_call *c = &j->calls[j->call_count];
    const struct entry *t =
        registry_find(boundary_registry(own_tools(j)->boundary), call->name);
    struct part *r = parts_add(&to->parts, PART_RESULT, &j->arena, e);
    const struct json *args = call->args;
    if (!r || (!args && json_parse(STR("{}"), NULL, &j->arena, &args, e)))
        return -1;
    r->id = call->id;
    r->name = call->name;
    *c = (struct own_call){
        .job = j,
        .call = call,
        .result = r,
        .args = args,
        .reads = t && t->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY),
        .number = ++j->number,
    };
    j->call_count++;
    return 0;
}

/* The text so far stays, and what follows is a paragraph of its own. */
static int keep_text(struct job *j, const struct model_answer *m,
                     const struct message *said, struct err *e) {
    bool live = j->wants_stream && j->asked == 0;
    if (job_keep_round(j, &said->parts, e) || (live && job_take_up(j, m, e)))
        return -1;
    for (const struct part *p = j->first.first; p; p = p->next)
        if (p->kind == PART_TEXT) j->gap = j->gap_due = true;
    return 0;
}

int own_begin(struct job *j, const struct model_answer *m, struct err *e) {
    size_t count = 0;
    if (j->rounds >= own_tools(j)->rounds)
        return fail(e, ERR_LIMIT,
                    "the model calls tools over and over: %d rounds are enough",
                    j->rounds);
    for (const struct part *p = NULL; (p = next_call(&m->parts, p));)
        count++;
    struct message *said = job_remember(j, m, e);
    if (!said || keep_text(j, m, said, e) || show_talk(j, e)) return -1;
    struct message *to = messages_add(&j->q.messages, ROLE_USER, &j->arena, e);
    j->calls = mem_zalloc(count, sizeof *j->calls, e);
    if (!to || !j->calls) return -1;
    j->call_ended = 0;
    for (const struct part *p = NULL; (p = next_call(&said->parts, p));)
        if (add_call(j, p, to, e)) return -1;
    j->rounds++;
    j->proxy->ledger->counts.executed += count;
    usage_sum(&j->before, &m->usage);
    step(j);
    return 0;
}

void own_fini(struct job *j) {
    for (size_t i = 0; i < j->call_count; i++) {
        struct own_call *c = &j->calls[i];
        c->state = OWN_ENDED;
        loop_timer_stop(&c->poll);
        if (c->under_way) boundary_cancel(c->under_way, "the app is gone");
    }
    mem_free(j->calls);
    if (j->session[0])
        boundary_forget(own_tools(j)->boundary, str_of(j->session));
    for (size_t i = 0; i < j->entry_count; i++)
        entry_drop(j->entries[i]);
    mem_free(j->entries);
}
