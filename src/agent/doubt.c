/* SPDX-License-Identifier: MIT */
#include "agent/doubt.h"

#include "agent/wire.h"

#include <math.h>

/* -- what is told -----------------------------------------------------------
 */

static const struct row {
    enum api api;
    const char *first, *others, *logarithm;
} rows[] = {
#define FIRST(api, first, others, logarithm) \
    {API_##api, first, others, logarithm},
#define MEAN(api, path)
#include "agent/odds.def"
#undef FIRST
#undef MEAN
};

static const struct {
    enum api api;
    const char *path;
} means[] = {
#define FIRST(api, first, others, logarithm)
#define MEAN(api, path) {API_##api, path},
#include "agent/odds.def"
#undef FIRST
#undef MEAN
};

#define COUNT(array) (sizeof array / sizeof array[0])

bool odds_read(enum api api, const struct json *v, struct odds *odds) {
    bool any = false;
    for (size_t i = 0; i < COUNT(rows) && !odds->first; i++) {
        if (rows[i].api != api) continue;
        odds->first = wire_pointer(v, str_of(rows[i].first));
        any = odds->first != NULL;
        odds->others = any ? wire_pointer(v, str_of(rows[i].others)) : NULL;
    }
    for (size_t i = 0; i < COUNT(means); i++) {
        const struct json *mean =
            means[i].api == api ? wire_pointer(v, str_of(means[i].path)) : NULL;
        if (!mean || !json_is_number(mean)) continue;
        odds->mean = mean; /* of a stream the last is that of all */
        any = true;
    }
    return any;
}

/* -- what it says -----------------------------------------------------------
 */

/* What begins a call in the words of the model families that have such. */
static const char *const marks[] = {
    "<tool_call>",    "<|tool_call|>",         "<|tool_calls_section_begin|>",
    "[TOOL_CALLS]",   "<|python_tag|>",        "<function=",
    "functools",      "<|tool_call_begin|>",   "<\xef\xbd\x9ctool",
    "[TOOL_REQUEST]", "<|channel|>commentary", "{\"name\"",
};

/* A token may be less than the mark, or more. */
static bool is_mark(str token) {
    token = str_trim(token);
    if (token.n == 0) return false;
    for (size_t i = 0; i < COUNT(marks); i++) {
        str mark = str_of(marks[i]);
        if (str_starts(mark, token) || str_starts(token, mark)) return true;
    }
    return false;
}

static const char *logarithm_of(enum api api) {
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].api == api) return rows[i].logarithm;
    return "logprob";
}

static double chance(const struct json *logarithm) {
    double l = logarithm && json_is_number(logarithm) ? json_number(logarithm)
                                                      : -INFINITY;
    return l < 0 ? exp(l) : 1; /* rounding puts some above 0 */
}

/* An answer that is nothing but calls: whatever was written first began one,
 * unless it began a thought. */
static bool is_bare_call(const struct model_answer *m) {
    bool called = next_call(&m->parts, NULL) != NULL;
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (p->kind != PART_CALL && p->text.n > 0) return false;
    return called && m->usage.thinking <= 0;
}

/* Chances of what might have come first: text, and a call. */
struct scales {
    const char *logarithm;
    str call; /* a token that is known to begin one; or empty */
    double sums[2];
};

static void weigh(struct scales *s, const struct json *v) {
    const struct json *l = json_get(v, s->logarithm);
    str token = wire_text(v, "token");
    if (!l || !json_is_number(l)) return;
    bool call = is_mark(token) || (s->call.n > 0 && str_eq(token, s->call));
    s->sums[call] += chance(l);
}

/* The mean is of all tokens, thoughts included: it says something of a call
 * only where there is nothing else. */
static double by_mean(const struct model_answer *m) {
    return m->odds.mean && is_bare_call(m) ? chance(m->odds.mean) : -1;
}

double doubt_sure(const struct model_answer *m) {
    const struct odds *o = &m->odds;
    bool called = next_call(&m->parts, NULL) != NULL;
    struct scales s = {.logarithm = logarithm_of(m->api)};
    if (!o->first) return by_mean(m);
    if (is_bare_call(m)) s.call = wire_text(o->first, "token");
    if (wire_array(o->others) && json_len(o->others) > 0) {
        const struct json *item = json_first(o->others);
        for (size_t i = json_len(o->others); i > 0; i--, item = json_skip(item))
            weigh(&s, item);
    } else {
        weigh(&s, o->first);
        double rest = 1 - s.sums[0] - s.sums[1];
        if (called && rest > 0) s.sums[0] += rest; /* anything but that token */
    }
    double all = s.sums[0] + s.sums[1];
    if (!(all > 0) || (called && !(s.sums[1] > 0))) return by_mean(m);
    return s.sums[called] / all;
}
