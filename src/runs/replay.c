/* SPDX-License-Identifier: MIT */
#include "runs/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/codec.h"
#include "base/map.h"
#include "runs/failure.h"
#include "runs/inside.h"
#include "runs/own.h"
#include "json/write.h"

#define MEMORY ((size_t)256 << 20)

/* One call of the journal. */
struct past {
    const struct json *intent, *result;
};

/* One run, and what its journal has. */
struct take {
    struct store_run run;
    const struct json *options;
    struct map calls;        /* number -> struct past */
    const struct json *turn; /* of its words' labels, or NULL */
    struct take *next;
};

struct replaying {
    struct store *store;
    struct arena arena;
    struct take *takes; /* earlier runs of the session, then this one */
    struct take *now;
    struct buf draws; /* of all of them */
    struct buf output;
    struct worker *worker;
    struct worker_event ev; /* where it is */
    struct replay *out;
};

static str name_of(uint64_t call, char out[24]) {
    snprintf(out, 24, "%" PRIu64, call);
    return str_of(out);
}

static int take_draws(struct replaying *p, const struct json *v,
                      struct err *e) {
    str text = json_get_text(v, "draws", STR(""));
    return text.n ? base64_decode(text, &p->draws, e) : 0;
}

static int take_event(void *data, const struct store_event *ev, struct err *e) {
    struct replaying *p = data;
    const struct json *v;
    char name[24];
    bool intent = str_is(ev->kind, "intent"),
         result = str_is(ev->kind, "result");
    bool turn = str_is(ev->kind, "turn");
    if (!intent && !result && !turn && !str_is(ev->kind, "snap") &&
        !str_is(ev->kind, "last"))
        return 0;
    if (json_parse(ev->data, NULL, &p->arena, &v, e) || take_draws(p, v, e))
        return -1;
    if (turn) p->now->turn = v;
    if (!intent && !result) return 0;
    str key = name_of((uint64_t)json_get_int(v, "call", 0), name);
    struct past *past = map_get(&p->now->calls, key);
    if (!past) {
        past = arena_zalloc(&p->arena, 1, sizeof *past, e);
        if (!past || map_put(&p->now->calls, key, past, NULL, e)) return -1;
    }
    *(intent ? &past->intent : &past->result) = v;
    return 0;
}

/* -- the runs -----------------------------------------------------------------
 */

static struct take *new_take(struct replaying *p, struct err *e) {
    struct take *t = arena_zalloc(&p->arena, 1, sizeof *t, e);
    if (t) t->calls = MAP_MAX(1 << 20);
    return t;
}

static int copy_run(struct replaying *p, const struct store_run *from,
                    struct store_run *to, struct err *e) {
    struct arena *a = &p->arena;
    *to = *from;
    return arena_dup(a, from->id, &to->id, e) ||
                   arena_dup(a, from->session, &to->session, e) ||
                   arena_dup(a, from->program, &to->program, e) ||
                   arena_dup(a, from->options, &to->options, e) ||
                   arena_dup(a, from->result, &to->result, e)
               ? -1
               : 0;
}

/* Newest first, so that the list begins with the oldest. */
static int take_run(void *data, const struct store_run *r, struct err *e) {
    struct replaying *p = data;
    const struct store_run *last = &p->now->run;
    bool before = r->created < last->created ||
                  (r->created == last->created && str_cmp(r->id, last->id) < 0);
    if (!before || (!str_is(r->kind, "run") && !str_is(r->kind, "job")))
        return 0;
    struct take *t = new_take(p, e);
    if (!t || copy_run(p, r, &t->run, e)) return -1;
    t->next = p->takes;
    p->takes = t;
    return 0;
}

/* A session's variables come from its earlier runs: those are lived through
 * first. */
static int find_runs(struct replaying *p, str id, struct err *e) {
    struct take *t = new_take(p, e);
    if (!t || store_run_get(p->store, id, &p->arena, &t->run, e)) return -1;
    p->takes = p->now = t;
    if (json_parse(t->run.options, NULL, &p->arena, &t->options, e)) return -1;
    if (str_is(json_get_text(t->options, "tier", STR("")), "container") ||
        str_is(t->run.kind, "task"))
        return fail(e, ERR_UNSUPPORTED,
                    "run %.*s is one of CPython, which cannot be replayed",
                    STR_ARG(id));
    struct store_filter earlier = {.session = t->run.session, .max = 10000};
    if (t->run.session.n && store_runs(p->store, &earlier, take_run, p, e))
        return -1;
    for (t = p->takes; t; t = t->next) {
        p->now = t;
        if (json_parse(t->run.options, NULL, &p->arena, &t->options, e) ||
            store_events(p->store, t->run.id, 1, take_event, p, e))
            return -1;
    }
    return 0;
}

/* -- the interpreter ----------------------------------------------------------
 */

struct names {
    struct worker_function *items;
    size_t count, max;
};

static bool is_help(str as) {
    return str_is(as, "tools.help");
}

static int add_function(struct replaying *p, str name, bool reads,
                        struct map *seen, struct names *n, struct err *e) {
    if (name.n == 0 || n->count == n->max || map_get(seen, name)) return 0;
    n->items[n->count].name = arena_text(&p->arena, name, e);
    n->items[n->count].flags = reads ? CORDON_READ_ONLY : 0;
    return n->items[n->count++].name && map_put(seen, name, n, NULL, e) == 0
               ? 0
               : -1;
}

/* A name that a program can write: help() may have been asked for anything. */
static bool is_dotted(str name) {
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '_' || c & 0x80;
        bool inner = i > 0 && name.p[i - 1] != '.';
        bool digit = c >= '0' && c <= '9';
        if (!letter && !(inner && (digit || (c == '.' && i + 1 < name.n))))
            return false;
    }
    return name.n > 0;
}

/* The functions the runs called, or asked help for, are all that they need. */
static int add_functions(struct replaying *p, const struct take *t,
                         struct map *seen, struct names *n, struct err *e) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&t->calls, &i));) {
        const struct past *past = it->value;
        str as = json_get_text(past->intent, "as", STR(""));
        bool reads = json_get_bool(past->intent, "reads", false);
        if (add_function(p, as, reads, seen, n, e)) return -1;
        if (!is_help(as)) continue;
        const struct json *args = json_get(past->intent, "args");
        str about = json_get_text(args, "name", STR(""));
        if (is_dotted(about) && add_function(p, about, false, seen, n, e))
            return -1;
    }
    return 0;
}

static int open_vm(struct replaying *p, struct err *e) {
    AUTO_MAP struct map seen = MAP_MAX(1 << 16);
    const struct json *o = p->takes->options;
    static const struct worker_function own[] = {
        {OWN_CALL, 0}, {OWN_PROGRESS, 0}, {OWN_HELP, CORDON_READ_ONLY}};
    const size_t nown = sizeof own / sizeof own[0];
    struct names names = {.max = nown};
    struct worker_options options = {.draws = buf_str(&p->draws),
                                     .labels = CORDON_LABELS_ON};
    struct cordon_limits *l = &options.limits;
    for (const struct take *t = p->takes; t; t = t->next)
        names.max += 2 * t->calls.live;
    names.items = arena_zalloc(&p->arena, names.max, sizeof *names.items, e);
    if (!names.items) return -1;
    memcpy(names.items, own, sizeof own);
    names.count = nown;
    for (const struct take *t = p->takes; t; t = t->next)
        if (add_functions(p, t, &seen, &names, e)) return -1;
    l->steps = (uint64_t)json_get_int(o, "steps", 0);
    l->memory = (uint64_t)json_get_int(o, "memory", 0);
    l->time_ms = (uint64_t)json_get_int(o, "time_ms", 0);
    l->output = (uint64_t)json_get_int(o, "output", 0);
    l->depth = (uint32_t)json_get_int(o, "depth", 0);
    l->calls = (uint32_t)json_get_int(o, "calls", 0);
    options.functions = names.items;
    options.nfunctions = names.count;
    run_read_seed(json_get_text(o, "seed", STR("")), options.seed);
    return worker_start(&options, &p->worker, e);
}

static void differ(struct replaying *p, const char *text) {
    p->out->at = p->ev.kind == WORKER_CALL ? p->ev.id : 0;
    snprintf(p->out->why, sizeof p->out->why, "%.*s",
             (int)sizeof p->out->why - 1, text);
}

/* In the words it had then. */
static int raise_again(struct replaying *p, const struct past *past,
                       struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    const struct json *error = json_get(past->result, "error");
    const struct json *value = json_get(past->result, "value");
    const char *type = error ? failure_type(error) : "";
    int status =
        error ? failure_text(json_get_text(past->intent, "tool", STR("tool")),
                             error, &text, e)
        : value && json_type(value) == JSON_STRING
            ? buf_add_str(&text, json_str(value), e)
        : value ? json_write(value, JSON_COMPACT, &text, e)
                : 0;
    if (status) return -1;
    return worker_answer_error(p->worker, str_of(type), buf_str(&text), e);
}

/* Why this is not the call that was made; NULL: it is. */
static const char *another_call(const struct replaying *p,
                                const struct past *past) {
    if (!past || !past->intent)
        return "it makes a call that is not in the journal";
    str as = json_get_text(past->intent, "as", STR(""));
    bool helped = is_help(as) && str_is(p->ev.name, OWN_HELP);
    if (!str_eq(as, p->ev.name) && !helped && !str_is(p->ev.name, OWN_CALL))
        return "it calls another tool than it did";
    return past->result ? NULL : "the journal has no result for this call";
}

static bool is_true(const struct json *v) {
    return json_type(v) == JSON_BOOL && v->as.boolean;
}

/* Labels in the same places, whatever they were: with them a program takes as
 * many steps. NULL: it had none. */
static int labels_of(struct replaying *p, const struct json *v,
                     const struct labels **out, struct err *e) {
    size_t n = v ? json_len(v) : 0;
    if (!v) return *out = NULL, 0;
    struct labels *labels = arena_zalloc(&p->arena, 1, sizeof *labels, e);
    struct labelled *items = arena_zalloc(&p->arena, n + 1, sizeof *items, e);
    if (!labels || !items) return -1;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1)) {
        items[i].path = json_str(key);
        if (is_true(key + 1)) items[i].label = *label_unknown();
    }
    *labels = (struct labels){.items = items, .count = n};
    *out = labels;
    return 0;
}

static int give_turn(struct replaying *p, struct err *e) {
    static const struct label none;
    const struct json *turn = p->now->turn, *words = json_get(turn, "words");
    bool labelled = json_get_bool(turn, "labelled", false);
    if (worker_turn(p->worker, labelled ? label_unknown() : &none,
                    label_unknown(), e))
        return -1;
    size_t n = words ? json_len(words) : 0;
    if (n == 0) return 0;
    struct worker_literal *all = arena_zalloc(&p->arena, n, sizeof *all, e);
    if (!all) return -1;
    const struct json *v = json_first(words);
    for (size_t i = 0; i < n; i++, v = json_skip(v)) {
        const struct json *word = json_at(v, 0), *is = json_at(v, 1);
        if (word && json_type(word) == JSON_STRING)
            all[i].text = json_str(word);
        all[i].label = is && is_true(is) ? label_unknown() : &none;
    }
    return worker_literals(p->worker, all, n, e);
}

/* 1: it was answered, 0: the way is another one now. */
static int hand_out(struct replaying *p, struct err *e) {
    char name[24];
    AUTO_BUF struct buf text = BUF_MAX(MEMORY);
    const struct past *past = map_get(&p->now->calls, name_of(p->ev.id, name));
    if (str_is(p->ev.name, OWN_PROGRESS))
        return worker_answer(p->worker, STR("null"), NULL, e) ? -1 : 1;
    const char *why = another_call(p, past);
    if (why) return differ(p, why), 0;
    p->out->calls++;
    const struct json *value = json_get(past->result, "value");
    str status = json_get_text(past->result, "status", STR(""));
    if (!str_is(status, "done") || !value)
        return raise_again(p, past, e) ? -1 : 1;
    const struct labels *labels;
    if (json_write(value, JSON_COMPACT, &text, e) ||
        labels_of(p, json_get(past->result, "labels"), &labels, e))
        return -1;
    return worker_answer(p->worker, buf_str(&text), labels, e) ? -1 : 1;
}

/* -- one run after the other --------------------------------------------------
 */

static int live_through(struct replaying *p, struct err *e) {
    buf_truncate(&p->output, 0);
    p->out->calls = 0;
    if (give_turn(p, e)) return -1;
    if (worker_run(p->worker, p->now->run.program, "<program>", e)) return -1;
    for (;;) {
        int n = worker_next(p->worker, -1, &p->ev, e);
        if (n < 0) return -1;
        if (p->ev.kind == WORKER_OUTPUT) {
            if (buf_add_str(&p->output, p->ev.text, e)) return -1;
            continue;
        }
        if (p->ev.kind == WORKER_GONE)
            return fail(e, ERR_INTERNAL, "%.*s", STR_ARG(p->ev.text));
        if (p->ev.kind != WORKER_CALL) return 0;
        if ((n = hand_out(p, e)) <= 0) return n;
    }
}

static void compare(struct replaying *p) {
    struct json_limits loose = {.keep_duplicates = true};
    const struct json *then, *now = NULL;
    struct err e;
    bool done = p->ev.kind == WORKER_DONE;
    p->out->steps = p->ev.usage.steps;
    if (p->out->why[0]) return;
    if (done != (p->now->run.state == RUN_DONE)) {
        differ(p, done ? "it ends well now" : "it fails now");
        return;
    }
    if (p->now->run.result.n == 0 ||
        json_parse(p->now->run.result, &loose, &p->arena, &then, &e))
        return;
    const struct json *usage = json_get(then, "usage");
    p->out->steps_then = (uint64_t)json_get_int(usage, "steps", 0);
    const struct json *value = json_get(then, "value");
    str output = json_get_text(then, "output", STR(""));
    if (value && done && p->ev.text.p &&
        (json_parse(p->ev.text, &loose, &p->arena, &now, &e) ||
         !json_equal(value, now)))
        differ(p, "its value is another one");
    else if (!str_starts(buf_str(&p->output), output))
        differ(p, "it prints something else");
    else
        p->out->same = true;
}

static int write_outcome(struct replaying *p, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_bool(&w, "same", p->out->same);
    jw_put_int(&w, "calls", (int64_t)p->out->calls);
    jw_put_int(&w, "steps", (int64_t)p->out->steps);
    if (p->out->steps_then)
        jw_put_int(&w, "steps_then", (int64_t)p->out->steps_then);
    if (p->out->why[0]) {
        jw_put_int(&w, "differs_at_call", (int64_t)p->out->at);
        jw_put_text(&w, "why", str_of(p->out->why));
    }
    if (p->ev.kind == WORKER_DONE && p->ev.text.p) {
        jw_key(&w, "value");
        jw_raw(&w, p->ev.text);
    }
    jw_put_text(&w, "output", buf_str(&p->output));
    if (p->ev.kind == WORKER_RAISED)
        jw_put_text(&w, "traceback", p->ev.traceback);
    if (p->ev.kind == WORKER_LIMIT) jw_put_text(&w, "limit", p->ev.error);
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int replay(struct replaying *p, str id, struct buf *outcome,
                  struct err *e) {
    if (find_runs(p, id, e) || open_vm(p, e)) return -1;
    for (p->now = p->takes; p->now; p->now = p->now->next) {
        if (live_through(p, e)) return -1;
        if (!p->now->next) break;
        if (p->out->why[0])
            return fail(e, ERR_UNSUPPORTED,
                        "run %.*s, earlier in the session, would take another "
                        "way: %s",
                        STR_ARG(p->now->run.id), p->out->why);
    }
    compare(p);
    return write_outcome(p, outcome, e);
}

int replay_run(struct store *s, str id, struct replay *out, struct buf *outcome,
               struct err *e) {
    struct replaying p = {.store = s,
                          .arena = ARENA_MAX(MEMORY),
                          .draws = BUF_MAX(MEMORY),
                          .output = BUF_MAX(MEMORY),
                          .out = out};
    *out = (struct replay){0};
    int status = replay(&p, id, outcome, e);
    worker_free(p.worker);
    for (struct take *t = p.takes; t; t = t->next)
        map_fini(&t->calls);
    buf_fini(&p.draws);
    buf_fini(&p.output);
    arena_fini(&p.arena);
    return status;
}
