/* SPDX-License-Identifier: MIT
 *
 * The calls of one answer: checked, carried out side by side where they only
 * read, one after the other where they write, and answered in their order.
 */
#include "agent/agent_inside.h"
#include "agent/vet.h"
#include "base/hash.h"
#include "base/mem.h"
#include "json/write.h"

#include <string.h>

#define REPEAT_WARN  3 /* times the same call gave the same result */
#define REPEAT_BLOCK 5

enum call_state { CALL_WAITS, CALL_RUNS, CALL_ENDED };

struct agent_call {
    struct agent *agent;
    struct part *call;
    struct part *result; /* in the message that will follow */
    const struct json *args;
    bool reads;
    enum call_state state;
    bool made; /* it got past our own checks */
    struct repeat *repeat;
    void *user; /* of whoever carries it out */
};

/* How often a call was made, and what came of it last. */
struct repeat {
    uint64_t result; /* hash of the last one */
    int same;        /* times in a row it was that */
};

void agent_call_keep(struct agent_call *c, void *state) {
    c->user = state;
}

void *agent_call_state(const struct agent_call *c) {
    return c->user;
}

double agent_call_sure(const struct agent_call *c) {
    const struct agent *g = c->agent;
    bool unsure = g->sure >= 0 && g->sure < g->config.model->ask_below;
    return unsure ? g->sure : 1;
}

/* -- results ----------------------------------------------------------------
 */

static int add_text(struct agent *g, struct part *result, str text,
                    struct err *e) {
    struct part *p = parts_add(&result->content, PART_TEXT, &g->arena, e);
    return p ? arena_dup(&g->arena, text, &p->text, e) : -1;
}

static int copy_content(struct agent *g, struct part *result,
                        const struct agent_result *r, struct err *e) {
    if (!r->content) return add_text(g, result, r->text, e);
    for (const struct part *from = r->content->first; from; from = from->next) {
        struct part *p = parts_add(&result->content, from->kind, &g->arena, e);
        if (!p || arena_dup(&g->arena, from->text, &p->text, e) ||
            arena_dup(&g->arena, from->mime, &p->mime, e) ||
            arena_dup(&g->arena, from->data, &p->data, e) ||
            arena_dup(&g->arena, from->url, &p->url, e))
            return -1;
    }
    return 0;
}

static uint64_t hash_result(const struct agent_result *r) {
    static const uint64_t key[2] = {0, 0}; /* compared with itself only */
    uint64_t sum = hash_bytes(r->text.p, r->text.n, key);
    for (const struct part *p = r->content ? r->content->first : NULL; p;
         p = p->next)
        sum = sum * 31 + hash_bytes(p->text.p, p->text.n, key) +
              hash_bytes(p->data.p, p->data.n, key);
    return sum | 1;
}

/* Notes the result and says so when it is always the same. */
static int note_repeat(struct agent_call *c, const struct agent_result *r,
                       struct err *e) {
    if (!c->repeat) return 0;
    uint64_t sum = hash_result(r);
    c->repeat->same = sum == c->repeat->result ? c->repeat->same + 1 : 1;
    c->repeat->result = sum;
    if (c->repeat->same < REPEAT_WARN) return 0;
    return add_text(c->agent, c->result,
                    STR("[The same call has given the same result several "
                        "times. Do something else, or answer with what you "
                        "have.]"),
                    e);
}

static void step(struct agent *g);

static void end_call(struct agent_call *c, const struct agent_result *r,
                     bool noted) {
    struct agent *g = c->agent;
    struct err e;
    if (c->state == CALL_ENDED) return;
    if (c->state == CALL_RUNS) g->running--;
    c->state = CALL_ENDED;
    g->ended++;
    c->result->failed = r->failed;
    if (copy_content(g, c->result, r, &e) || (noted && note_repeat(c, r, &e)))
        agent_finish(g, AGENT_FAILED, e.text);
    if (g->config.events->called)
        g->config.events->called(g->config.data, c->call, c->result);
    if (!g->starting) step(g);
}

void agent_done(struct agent_call *c, const struct agent_result *r) {
    end_call(c, r, true);
}

static void refuse(struct agent_call *c, const struct json *error) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)1 << 20);
    struct err e;
    if (!error || json_write(error, JSON_COMPACT, &text, &e))
        buf_truncate(&text, 0);
    struct agent_result r = {.text = buf_str(&text), .failed = true};
    end_call(c, &r, false);
}

static void refuse_text(struct agent_call *c, const char *code,
                        const char *message) {
    const struct json *error = NULL;
    struct err e;
    if (vet_error(code, str_of(message), &c->agent->round, &error, &e))
        error = NULL;
    refuse(c, error);
}

/* -- checks -----------------------------------------------------------------
 */

/* Ids are unique in a conversation: some servers count from 0 in every
 * answer. */
static int own_id(struct agent *g, struct part *call, struct err *e) {
    if (call->id.n > 0 && !map_get(&g->ids, call->id))
        return map_put(&g->ids, call->id, call, NULL, e);
    uint64_t random;
    if (hash_random(&random, sizeof random, e)) return -1;
    char *id =
        arena_printf(&g->arena, e, "call_%016llx", (unsigned long long)random);
    if (!id) return -1;
    call->id = str_of(id);
    return map_put(&g->ids, call->id, call, NULL, e);
}

static struct repeat *repeat_of(struct agent *g, const struct part *call,
                                const struct json *args, struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX((size_t)64 << 20);
    if (buf_addf(&key, e, "%.*s ", STR_ARG(call->name)) ||
        json_write(args, JSON_CANONICAL, &key, e))
        return NULL;
    struct repeat *r = map_get(&g->repeats, buf_str(&key));
    if (r) return r;
    r = arena_zalloc(&g->arena, 1, sizeof *r, e);
    if (!r || map_put(&g->repeats, buf_str(&key), r, NULL, e)) return NULL;
    return r;
}

/* True when it may be carried out; otherwise it has its result. */
static bool check(struct agent_call *c) {
    struct agent *g = c->agent;
    const struct agent_limits *l = &g->config.limits;
    int most = l->calls ? l->calls : AGENT_CALLS;
    struct vetted v;
    struct err e;
    if (vet_call(c->call, &g->offers, NULL, &g->round, &v, &e)) {
        refuse_text(c, "internal", e.text);
        return false;
    }
    if (v.code) {
        refuse(c, v.error);
        return false;
    }
    if (most > 0 && g->spent.calls >= most) {
        refuse_text(c, "limit",
                    "the limit of calls is reached: answer with what you have");
        return false;
    }
    c->args = v.args;
    c->repeat = v.args ? repeat_of(g, c->call, v.args, &e) : NULL;
    if (c->repeat && c->repeat->same >= REPEAT_BLOCK) {
        refuse_text(c, "repeated",
                    "this call was made again and again with the same result; "
                    "it is not made any more");
        return false;
    }
    return true;
}

/* -- carrying out -----------------------------------------------------------
 */

static void start_call(struct agent_call *c) {
    struct agent *g = c->agent;
    const struct agent_tools *tools = g->config.tools;
    if (!check(c)) return;
    c->state = CALL_RUNS;
    c->made = true;
    g->running++;
    g->spent.calls++;
    if (g->config.events->calling)
        g->config.events->calling(g->config.data, c->call);
    tools->call(tools->data, c, c->call->name, c->args);
}

/* A write waits for all before it, and everything waits for a write. */
static bool may_start(const struct agent *g, size_t i) {
    int most = g->config.limits.concurrent ? g->config.limits.concurrent
                                           : AGENT_CONCURRENT;
    if (most > 0 && g->running >= (size_t)most) return false;
    for (size_t k = 0; k < i; k++) {
        const struct agent_call *before = &g->calls[k];
        if (before->state != CALL_ENDED &&
            (!before->reads || !g->calls[i].reads))
            return false;
    }
    return true;
}

/* A model that will not be told is not asked for ever. */
static bool is_stuck(struct agent *g) {
    bool made = false;
    for (size_t i = 0; i < g->call_count; i++)
        made = made || g->calls[i].made;
    g->idle = made ? 0 : g->idle + 1;
    return g->idle >= AGENT_IDLE;
}

static void all_ended(struct agent *g) {
    struct message *m = g->talk.last;
    bool stuck = is_stuck(g);
    mem_free(g->calls);
    g->calls = NULL;
    g->call_count = 0;
    if (g->config.events->message) g->config.events->message(g->config.data, m);
    if (stuck)
        agent_finish(g, AGENT_LIMITED,
                     "the model makes only calls that cannot be made");
    else
        agent_next(g);
}

static void step(struct agent *g) {
    g->starting = true;
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < g->call_count; i++) {
            struct agent_call *c = &g->calls[i];
            if (c->state != CALL_WAITS || g->stopping || !may_start(g, i))
                continue;
            start_call(c);
            any = true;
        }
    }
    g->starting = false;
    if (g->call_count > 0 && g->ended == g->call_count) all_ended(g);
}

/* The message of results is there from the start, so that whatever ends this
 * leaves each call with a place for its result. */
static int make_calls(struct agent *g, struct message *said,
                      struct message *results, struct err *e) {
    const struct agent_tools *tools = g->config.tools;
    size_t i = 0;
    for (struct part *p = said->parts.first; p; p = p->next) {
        if (p->kind != PART_CALL) continue;
        struct part *r = parts_add(&results->parts, PART_RESULT, &g->arena, e);
        if (!r || own_id(g, p, e)) return -1;
        r->id = p->id;
        r->name = p->name;
        g->calls[i++] = (struct agent_call){
            .agent = g,
            .call = p,
            .result = r,
            .reads = tools && tools->reads(tools->data, p->name),
        };
    }
    return 0;
}

int calls_begin(struct agent *g, struct message *said, struct err *e) {
    size_t count = 0;
    for (const struct part *p = NULL; (p = next_call(&said->parts, p));)
        count++;
    g->calls = mem_zalloc(count, sizeof *g->calls, e);
    if (!g->calls) return -1;
    struct message *results = messages_add(&g->talk, ROLE_USER, &g->arena, e);
    if (!results || make_calls(g, said, results, e)) {
        mem_free(g->calls);
        g->calls = NULL;
        return -1;
    }
    if (g->config.events->message)
        g->config.events->message(g->config.data, said);
    g->call_count = count;
    g->ended = g->running = 0;
    step(g);
    return 0;
}

void calls_stop(struct agent *g, const char *why) {
    const struct agent_tools *tools = g->config.tools;
    const struct json *error = NULL;
    AUTO_BUF struct buf text = BUF_MAX(4096);
    struct err e;
    if (vet_error("stopped", str_of(why), &g->round, &error, &e) ||
        json_write(error, JSON_COMPACT, &text, &e))
        buf_truncate(&text, 0);
    struct agent_result stopped = {.text = buf_str(&text), .failed = true};
    g->starting = true;
    for (size_t i = 0; i < g->call_count; i++) {
        struct agent_call *c = &g->calls[i];
        if (c->state == CALL_RUNS) tools->cancel(tools->data, c);
        end_call(c, &stopped, false);
    }
    g->starting = false;
    if (g->call_count > 0) all_ended(g);
}

void calls_abandon(struct agent *g) {
    const struct agent_tools *tools = g->config.tools;
    for (size_t i = 0; i < g->call_count; i++)
        if (g->calls[i].state == CALL_RUNS)
            tools->cancel(tools->data, &g->calls[i]);
    mem_free(g->calls);
    g->calls = NULL;
    g->call_count = 0;
}
