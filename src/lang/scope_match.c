/* SPDX-License-Identifier: MIT
 *
 * Patterns: the names they bind, and the rules about which.
 */
#include <string.h>

#include "lang/scoper.h"

enum { MAX_CAPTURES = 256 }; /* names bound by one pattern */

struct captures {
    uint32_t count;
    uint32_t at[MAX_CAPTURES];
};

static int pattern(struct scoper *sc, struct node *n, struct captures *c);

static bool captured(const struct captures *c, uint32_t name) {
    for (uint32_t i = 0; i < c->count; i++)
        if (c->at[i] == name) return true;
    return false;
}

static int bind(struct scoper *sc, const struct node *n, uint32_t *name,
                struct captures *c) {
    if (!*name) return 0;
    *name = scope_mangle(sc, *name);
    if (!*name) return -1;
    if (captured(c, *name))
        return scope_bad(sc, n,
                         "multiple assignments to name '%.*s' in "
                         "pattern",
                         STR_ARG(scope_text(sc, *name)));
    if (c->count == MAX_CAPTURES)
        return scope_bad(sc, n, "more than %d names in a pattern",
                         MAX_CAPTURES);
    c->at[c->count++] = *name;
    return scope_bind(sc, *name, 0);
}

static int patterns(struct scoper *sc, struct nodes *l, struct captures *c) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        if (pattern(sc, l->at[i], c)) return -1;
    return 0;
}

static int sequence(struct scoper *sc, struct node *n, struct captures *c) {
    struct nodes *l = n->as.match_sequence.patterns;
    uint32_t stars = 0;
    for (uint32_t i = 0; i < nodes_count(l); i++)
        stars += l->at[i]->kind == N_MatchStar;
    if (stars > 1)
        return scope_bad(sc, n, "multiple starred names in sequence pattern");
    return patterns(sc, l, c);
}

static int class_pattern(struct scoper *sc, struct node *n,
                         struct captures *c) {
    struct node_MatchClass *m = &n->as.match_class;
    uint32_t count = m->kwd_attrs ? m->kwd_attrs->count : 0;
    if (count > MAX_CAPTURES)
        return scope_bad(sc, n, "more than %d keywords in a class pattern",
                         MAX_CAPTURES);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (m->kwd_attrs->at[k] == m->kwd_attrs->at[i])
                return scope_bad(
                    sc, m->kwd_patterns->at[i],
                    "attribute name repeated in class pattern: %.*s",
                    STR_ARG(scope_text(sc, m->kwd_attrs->at[i])));
    return scope_expr(sc, m->cls) || patterns(sc, m->patterns, c) ||
           patterns(sc, m->kwd_patterns, c);
}

/* Matches whatever comes: a name or "_". */
static bool irrefutable(const struct node *n) {
    if (n->kind == N_MatchAs)
        return !n->as.match_as.pattern || irrefutable(n->as.match_as.pattern);
    if (n->kind != N_MatchOr) return false;
    const struct nodes *l = n->as.match_or.patterns;
    return irrefutable(l->at[l->count - 1]);
}

static int unreachable(struct scoper *sc, const struct node *n) {
    const struct node *last = n;
    while (last->kind == N_MatchAs && last->as.match_as.pattern)
        last = last->as.match_as.pattern;
    if (last->kind == N_MatchAs && last->as.match_as.name)
        return scope_bad(
            sc, n, "name capture '%.*s' makes remaining patterns unreachable",
            STR_ARG(scope_text(sc, last->as.match_as.name)));
    return scope_bad(sc, n, "wildcard makes remaining patterns unreachable");
}

static bool same_names(const struct captures *a, const struct captures *b,
                       uint32_t from) {
    if (a->count != b->count) return false;
    for (uint32_t i = from; i < a->count; i++)
        if (!captured(b, a->at[i])) return false;
    return true;
}

/* Alternatives bind the same names. The sets are large, so they are not kept
 * on the stack, which nested alternatives would exhaust. */
static int alternatives(struct scoper *sc, struct node *n, struct captures *c) {
    struct nodes *l = n->as.match_or.patterns;
    struct captures *first = arena_alloc(sc->arena, 2 * sizeof *c, sc->e);
    if (!first) return -1;
    struct captures *other = first + 1;
    memcpy(first, c, sizeof *c);
    for (uint32_t i = 0; i < l->count; i++) {
        struct captures *mine = i ? other : first;
        if (i + 1 < l->count && irrefutable(l->at[i]))
            return unreachable(sc, l->at[i]);
        memcpy(mine, c, sizeof *c);
        if (pattern(sc, l->at[i], mine)) return -1;
        if (!same_names(first, mine, c->count))
            return scope_bad(sc, n,
                             "alternative patterns bind different names");
    }
    memcpy(c, first, sizeof *c);
    return 0;
}

static int pattern(struct scoper *sc, struct node *n, struct captures *c) {
    switch (n->kind) {
    case N_MatchValue: return scope_expr(sc, n->as.match_value.value);
    case N_MatchSequence: return sequence(sc, n, c);
    case N_MatchMapping:
        return scope_exprs(sc, n->as.match_mapping.keys) ||
               patterns(sc, n->as.match_mapping.patterns, c) ||
               bind(sc, n, &n->as.match_mapping.rest, c);
    case N_MatchClass: return class_pattern(sc, n, c);
    case N_MatchStar: return bind(sc, n, &n->as.match_star.name, c);
    case N_MatchAs:
        if (n->as.match_as.pattern && pattern(sc, n->as.match_as.pattern, c))
            return -1;
        return bind(sc, n, &n->as.match_as.name, c);
    case N_MatchOr: return alternatives(sc, n, c);
    default: return 0; /* singletons */
    }
}

int scope_match(struct scoper *sc, struct node *n) {
    struct nodes *l = n->as.match.cases;
    struct captures *c = arena_alloc(sc->arena, sizeof *c, sc->e);
    if (!c || scope_expr(sc, n->as.match.subject)) return -1;
    for (uint32_t i = 0; i < l->count; i++) {
        struct node_match_case *m = &l->at[i]->as.match_case;
        c->count = 0;
        if (i + 1 < l->count && !m->guard && irrefutable(m->pattern))
            return unreachable(sc, m->pattern);
        if (pattern(sc, m->pattern, c)) return -1;
        if (m->guard && scope_expr(sc, m->guard)) return -1;
        if (scope_statements(sc, m->body)) return -1;
    }
    return 0;
}
