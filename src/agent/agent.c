/* SPDX-License-Identifier: MIT
 *
 * The loop: one round after the other.
 */
#include "agent/agent.h"

#include "agent/agent_inside.h"
#include "agent/doubt.h"
#include "agent/lower.h"
#include "agent/shape.h"
#include "agent/vet.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "json/write.h"

#define TALK_BYTES ((size_t)512 << 20)
#define MISTAKES   3 /* answers in a row that a server or we could not use */

const char agent_default_system[] =
    "You are a helpful assistant with tools. Use them for anything that is "
    "current, computed or private to the user, and never guess what a tool can "
    "tell you. When a tool fails, read its error and correct the call. Say so "
    "when you cannot find something out.";

const char *agent_end_name(enum agent_end end) {
    static const char *const names[] = {
        [AGENT_ANSWERED] = "answered", [AGENT_STOPPED] = "stopped",
        [AGENT_REFUSED] = "refused",   [AGENT_LIMITED] = "limited",
        [AGENT_FAILED] = "failed",
    };
    return names[end];
}

struct agent *agent_new(const struct agent_config *config, struct err *e) {
    struct agent *g = mem_zalloc(1, sizeof *g, e);
    if (!g) return NULL;
    g->config = *config;
    g->arena = ARENA_MAX(TALK_BYTES);
    g->round = ARENA_MAX(TALK_BYTES);
    g->ids = MAP_MAX(WIRE_PARTS);
    g->repeats = MAP_MAX(WIRE_PARTS);
    g->spent.usage = USAGE_UNSAID;
    if (config->system.n > 0) {
        struct message *m =
            messages_say(&g->talk, ROLE_SYSTEM, config->system, &g->arena, e);
        if (!m) {
            agent_free(g);
            return NULL;
        }
        m->parts.first->cache = true;
    }
    return g;
}

void agent_free(struct agent *g) {
    if (!g) return;
    calls_abandon(g);
    turn_free(g->turn);
    loop_unpost(g->config.loop, &g->ending);
    loop_timer_stop(&g->deadline);
    map_fini(&g->ids);
    map_fini(&g->repeats);
    textcall_fini(&g->reader);
    arena_fini(&g->round);
    arena_fini(&g->arena);
    mem_free(g);
}

struct messages *agent_talk(struct agent *g) {
    return &g->talk;
}

struct arena *agent_arena(struct agent *g) {
    return &g->arena;
}

void agent_set_turns(struct agent *g, int turns) {
    g->turns = turns;
}

bool agent_busy(const struct agent *g) {
    return g->busy;
}

struct agent_spent agent_spent(const struct agent *g) {
    return g->spent;
}

/* -- the end ----------------------------------------------------------------
 */

static void tell_end(struct io_task *t) {
    struct agent *g = t->data;
    loop_timer_stop(&g->deadline);
    turn_free(g->turn);
    g->turn = NULL;
    g->busy = false;
    g->config.events->done(g->config.data, g->end, g->why.text);
}

void agent_finish(struct agent *g, enum agent_end end, const char *why) {
    if (g->finished) return;
    g->finished = true;
    g->end = end;
    err_set(&g->why, ERR_INTERNAL, "%s", why);
    g->ending = (struct io_task){.fn = tell_end, .data = g};
    loop_post(g->config.loop, &g->ending);
}

static void fail_round(struct agent *g, const struct err *e) {
    agent_finish(g, AGENT_FAILED, e->text);
}

/* -- limits -----------------------------------------------------------------
 */

static const char *over_limit(struct agent *g) {
    const struct agent_limits *l = &g->config.limits;
    const struct usage *u = &g->spent.usage;
    int turns = g->turns ? g->turns : l->turns ? l->turns : AGENT_TURNS;
    int64_t tokens =
        (u->input > 0 ? u->input : 0) + (u->output > 0 ? u->output : 0);
    if (turns > 0 && g->spent.turns >= turns)
        return "the limit of turns is reached";
    if (l->tokens > 0 && tokens >= l->tokens)
        return "the limit of tokens is reached";
    if (l->cost > 0 && g->spent.cost >= l->cost)
        return "the limit of cost is reached";
    if (l->wall_ns > 0 && clock_mono_ns() - g->began >= l->wall_ns)
        return "the limit of time is reached";
    return NULL;
}

static void count_usage(struct agent *g, const struct usage *u) {
    const struct model_config *m = g->config.model;
    usage_sum(&g->spent.usage, u);
    g->spent.cost +=
        (double)(u->input > 0 ? u->input : 0) * m->input_price / 1e6;
    g->spent.cost +=
        (double)(u->output > 0 ? u->output : 0) * m->output_price / 1e6;
}

/* -- asking -----------------------------------------------------------------
 */

static void tell(struct agent *g, enum part_kind kind, str text) {
    g->told = true;
    if (g->config.events->delta)
        g->config.events->delta(g->config.data, kind, text);
}

static int tell_plain(void *data, str text, struct err *e) {
    (void)e;
    tell(data, PART_TEXT, text);
    return 0;
}

static const struct textcall_events plain_events = {.text = tell_plain};

/* Calls will stand in the text that comes: they are not told with it. */
static void hear_calls(struct agent *g) {
    textcall_fini(&g->reader);
    textcall_begin(&g->reader, (enum textcall)g->config.model->text_format,
                   &g->offers, &g->round, &plain_events, g);
}

/* What is too long to be told as it comes is an error of the whole answer. */
static void on_delta(void *data, enum part_kind kind, str text) {
    struct agent *g = data;
    struct err e;
    if (!g->config.model->text_calls) {
        tell(g, kind, text);
    } else if (kind == PART_TEXT) {
        (void)textcall_feed(&g->reader, text, &e);
    } else {
        (void)textcall_flush(&g->reader, true, &e);
        tell(g, kind, text);
    }
}

static void on_retry(void *data, const char *why, int64_t wait_ns) {
    struct agent *g = data;
    if (g->config.model->text_calls) hear_calls(g);
    if (g->config.events->retry)
        g->config.events->retry(g->config.data, why, wait_ns);
}

static void on_answer(void *data, const struct model_answer *m,
                      const struct err *e);

static const struct turn_events turn_events = {
    .delta = on_delta, .retry = on_retry, .done = on_answer};

static int ask(struct agent *g, struct err *e) {
    const struct agent_tools *tools = g->config.tools;
    const struct model_config *model = g->config.model;
    struct model_request q = {
        .model = model->model,
        .messages = g->talk,
        .choice = g->spent.turns == 0 ? g->config.choice : (struct choice){0},
        .max_tokens = model->max_tokens > 0 ? model->max_tokens : -1,
        .temperature = model->temperature,
        .alternatives = model->ask_below > 0 ? DOUBT_TOKENS : 0,
        .stream = g->config.stream,
    };
    struct model_request shaped;
    struct turn *old = g->turn;
    q.choice.parallel = model->parallel;
    arena_fini(&g->round);
    g->offers = (struct offers){0};
    if (tools && tools->offer(tools->data, &g->talk, &g->round, &g->offers, e))
        return -1;
    if (q.choice.mode == CHOICE_ONE && !offer_find(&g->offers, q.choice.name))
        return fail(e, ERR_MISSING, "no tool \"%.*s\" is on offer",
                    STR_ARG(q.choice.name));
    if (g->offers.last) g->offers.last->cache = true;
    for (struct offer *o = g->offers.first; o && model->strict; o = o->next)
        o->strict = 1;
    if (lower_offers(&g->offers, model->vendor, &g->round, e)) return -1;
    q.offers = g->offers;
    if (shape_request(model, &q, &g->round, &shaped, e)) return -1;
    if (model->text_calls) hear_calls(g);
    g->spent.turns++;
    g->told = false;
    g->turn = turn_start(g->config.client, g->config.loop, model, &shaped,
                         &turn_events, g, e);
    turn_free(old);
    return g->turn ? 0 : -1;
}

void agent_next(struct agent *g) {
    struct err e;
    const char *why = over_limit(g);
    if (g->stopping)
        agent_finish(g, AGENT_STOPPED, "the user stopped this");
    else if (why)
        agent_finish(g, AGENT_LIMITED, why);
    else if (ask(g, &e))
        fail_round(g, &e);
}

/* Ends what is under way: a call that runs, or an answer that is awaited. */
static void halt(struct agent *g, enum agent_end end, const char *why) {
    if (!g->busy || g->finished) return;
    if (g->running) {
        calls_stop(g, why);
        return;
    }
    turn_free(g->turn);
    g->turn = NULL;
    agent_finish(g, end, why);
}

static void on_deadline(struct io_timer *t) {
    halt(t->data, AGENT_LIMITED, "the limit of time is reached");
}

int agent_run(struct agent *g, struct err *e) {
    if (g->busy) return fail(e, ERR_EXISTS, "an answer is under way");
    g->busy = true;
    g->finished = g->stopping = false;
    g->mistakes = 0;
    g->insisted = false;
    g->idle = 0;
    g->unsure = (struct model_answer){0};
    g->spent = (struct agent_spent){.usage = USAGE_UNSAID};
    g->began = clock_mono_ns();
    g->deadline = (struct io_timer){.fn = on_deadline, .data = g};
    if (g->config.limits.wall_ns > 0 &&
        loop_timer(g->config.loop, &g->deadline, g->config.limits.wall_ns, e)) {
        g->busy = false;
        return -1;
    }
    agent_next(g);
    return 0;
}

int agent_say(struct agent *g, str text, struct err *e) {
    str copy;
    if (g->busy) return fail(e, ERR_EXISTS, "an answer is under way");
    if (arena_dup(&g->arena, text, &copy, e)) return -1;
    struct message *m = messages_say(&g->talk, ROLE_USER, copy, &g->arena, e);
    if (!m) return -1;
    if (g->config.events->message) g->config.events->message(g->config.data, m);
    return agent_run(g, e);
}

/* A question is a user's message that is not made of results. */
static bool is_question(const struct message *m) {
    return m->role == ROLE_USER && m->parts.first &&
           m->parts.first->kind != PART_RESULT;
}

bool agent_undo(struct agent *g) {
    struct message *before = NULL, *previous = NULL;
    size_t at = 0, kept = 0;
    bool found = false;
    if (g->busy) return false;
    for (struct message *m = g->talk.first; m; previous = m, m = m->next, at++)
        if (is_question(m)) {
            found = true;
            before = previous;
            kept = at;
        }
    if (!found) return false;
    if (before)
        before->next = NULL;
    else
        g->talk.first = NULL;
    g->talk.last = before;
    g->talk.count = kept;
    return true;
}

/* -- what was answered ------------------------------------------------------
 */

/* An answer outlives its turn as a message of the conversation. */
static struct message *remember(struct agent *g, const struct model_answer *m,
                                bool calls, struct err *e) {
    struct model_answer copy;
    if (canon_copy_answer(m, &g->arena, &copy, e)) return NULL;
    struct message *said = messages_add(&g->talk, ROLE_ASSISTANT, &g->arena, e);
    if (!said) return NULL;
    said->api = copy.api;
    for (struct part *p = copy.parts.first, *next; p; p = next) {
        next = p->next;
        p->next = NULL;
        if (p->kind == PART_CALL && !calls) continue;
        if (said->parts.last)
            said->parts.last->next = p;
        else
            said->parts.first = p;
        said->parts.last = p;
        said->parts.count++;
    }
    return said;
}

static void tell_message(struct agent *g, const struct message *m) {
    if (g->config.events->message) g->config.events->message(g->config.data, m);
}

/* Says something to the model in the user's place, and goes on. */
static void correct(struct agent *g, const struct model_answer *m,
                    const char *text) {
    struct err e;
    struct message *said = NULL;
    if (++g->mistakes > MISTAKES) {
        agent_finish(g, AGENT_FAILED,
                     "the model's answers could not be used, also when it was "
                     "told why");
        return;
    }
    bool any = false;
    for (const struct part *p = m->parts.first; p; p = p->next)
        any = any || p->kind == PART_TEXT;
    if (any && !(said = remember(g, m, false, &e))) {
        fail_round(g, &e);
        return;
    }
    if (said) tell_message(g, said);
    struct message *told =
        messages_say(&g->talk, ROLE_USER, str_of(text), &g->arena, &e);
    if (!told) {
        fail_round(g, &e);
        return;
    }
    tell_message(g, told);
    agent_next(g);
}

static void take_calls(struct agent *g, const struct model_answer *m) {
    struct err e;
    struct message *said = remember(g, m, true, &e);
    if (!said) {
        fail_round(g, &e);
        return;
    }
    g->mistakes = 0;
    if (calls_begin(g, said, &e)) fail_round(g, &e);
}

static void take_text(struct agent *g, const struct model_answer *m,
                      enum agent_end end, const char *why) {
    struct err e;
    struct message *said = remember(g, m, false, &e);
    if (!said) {
        fail_round(g, &e);
        return;
    }
    tell_message(g, said);
    agent_finish(g, end, why);
}

static void server_error(struct agent *g, const struct model_answer *m) {
    char *text;
    struct err e;
    if (m->error.attempt.n > 0 || str_is(m->error.code, "tool_use_failed")) {
        text = arena_printf(
            &g->arena, &e,
            "That was not a valid tool call (%.*s). What you "
            "wrote was: %.*s",
            STR_ARG(m->error.message),
            (int)(m->error.attempt.n < 800 ? m->error.attempt.n : 800),
            m->error.attempt.n ? m->error.attempt.p : "");
        if (text) {
            correct(g, m, text);
            return;
        }
    }
    text = arena_printf(&g->round, &e, "the model server says: %.*s",
                        STR_ARG(m->error.message));
    agent_finish(g, AGENT_FAILED, text ? text : "the model server failed");
}

static void take_answer(struct agent *g, const struct model_answer *m);

static bool is_unsure(const struct agent *g) {
    return g->sure >= 0 && g->sure < g->config.model->ask_below;
}

/* A server that cannot stream, or would not, has said it all at once. */
static void tell_text(struct agent *g, const struct model_answer *m) {
    if (!g->config.stream || g->told) return;
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (p->kind == PART_TEXT && p->text.n > 0) tell(g, p->kind, p->text);
}

/* The calls in its text, and what of the text was held back for them. */
static int read_text(struct agent *g, struct model_answer *m, struct err *e) {
    bool whole = m->stop == STOP_END;
    if (shape_answer(g->config.model, &g->offers, &g->round, m, e)) return -1;
    if (!g->config.model->text_calls) return 0;
    return textcall_flush(&g->reader, whole, e);
}

static void on_answer(void *data, const struct model_answer *m,
                      const struct err *e) {
    struct agent *g = data;
    struct model_answer read;
    struct err why;
    if (!m) {
        fail_round(g, e);
        return;
    }
    count_usage(g, &m->usage);
    read = *m;
    if (read_text(g, &read, &why)) {
        fail_round(g, &why);
        return;
    }
    tell_text(g, &read);
    g->sure = doubt_sure(&read);
    if (is_unsure(g) && read.stop == STOP_END && g->offers.count > 0 &&
        !g->insisted && g->config.events->unsure) {
        g->unsure = read;
        g->config.events->unsure(g->config.data, g->sure);
        return;
    }
    take_answer(g, &read);
}

void agent_insist(struct agent *g, bool call) {
    struct model_answer m = g->unsure;
    if (!g->busy || g->finished || m.stop != STOP_END) return;
    g->unsure = (struct model_answer){0};
    g->insisted = true;
    if (call)
        correct(g, &m, "Do not answer this from memory: use one of the tools.");
    else
        take_answer(g, &m);
}

static void take_answer(struct agent *g, const struct model_answer *m) {
    bool calls = next_call(&m->parts, NULL) != NULL;
    switch (m->stop) {
    case STOP_CALLS:
        if (answer_executable(m))
            take_calls(g, m);
        else
            correct(g, m, "Your tool call was incomplete; nothing was done.");
        return;
    case STOP_END: take_text(g, m, AGENT_ANSWERED, ""); return;
    case STOP_LENGTH:
        if (calls)
            correct(g, m,
                    "Your answer ran out of room before its tool call was "
                    "complete, so nothing was executed. Make a shorter call.");
        else
            take_text(g, m, AGENT_ANSWERED, "the answer ran out of room");
        return;
    case STOP_FILTER:
        take_text(g, m, AGENT_REFUSED, "the vendor's filter ended the answer");
        return;
    case STOP_REFUSED:
        take_text(g, m, AGENT_REFUSED, "the model refused");
        return;
    case STOP_PAUSE: {
        struct err why;
        struct message *said = remember(g, m, true, &why);
        if (!said) {
            fail_round(g, &why);
            return;
        }
        tell_message(g, said);
        agent_next(g);
        return;
    }
    case STOP_BAD_CALL:
        correct(g, m,
                "Your tool call made no sense to the server. Call one "
                "of the tools with arguments that fit its schema.");
        return;
    case STOP_ERROR: server_error(g, m); return;
    case STOP_NONE:
        agent_finish(g, AGENT_FAILED, "the answer was cut off");
        return;
    case STOP_OTHER:
        take_text(g, m, AGENT_FAILED, "the answer ended for an unknown reason");
        return;
    }
}

void agent_stop(struct agent *g) {
    if (!g->busy || g->finished) return;
    g->stopping = true;
    halt(g, AGENT_STOPPED, "the user stopped this");
}
