/* SPDX-License-Identifier: MIT
 *
 * match: cases are tried in turn; names are bound when a pattern has matched
 * as a whole, so until then their values wait in temporaries.
 */
#include "lang/compiler.h"

struct captures {
    struct capture {
        uint32_t name;
        unsigned reg;
    } * at;
    uint32_t count;
};

static void pattern(struct emitter *em, const struct captures *c,
                    const struct node *n, unsigned subject, struct label *fail);

/* -- captures ------------------------------------------------------------- */

static uint32_t own_name(const struct node *n) {
    if (n->kind == N_MatchAs) return n->as.match_as.name;
    if (n->kind == N_MatchStar) return n->as.match_star.name;
    return n->kind == N_MatchMapping ? n->as.match_mapping.rest : NAME_NONE;
}

static void collect_name(struct emitter *em, struct vec *v, uint32_t name) {
    const struct capture *all = v->at;
    if (!name) return;
    for (uint32_t i = 0; i < v->count; i++)
        if (all[i].name == name) return;
    struct capture *c = vec_add(em->c, v, sizeof *c);
    if (c) *c = (struct capture){name, emit_temp(em, 1)};
}

/* Every name of a pattern gets a temporary; alternatives share them. */
static void collect(struct emitter *em, struct vec *v, const struct node *n) {
    const struct part *p = node_parts((enum node_kind)n->kind);
    if (n->kind < N_MatchValue || n->kind > N_MatchOr) return;
    for (; p->name; p++) {
        const char *at = (const char *)n + p->offset;
        const struct node *one = NULL;
        const struct nodes *l = NULL;
        if (p->kind == PART_ONE) one = *(struct node *const *)at;
        if (p->kind == PART_MANY) l = *(struct nodes *const *)at;
        if (one) collect(em, v, one);
        for (uint32_t i = 0; i < nodes_count(l); i++)
            collect(em, v, l->at[i]);
    }
    collect_name(em, v, own_name(n));
}

static void keep(struct emitter *em, const struct captures *c, uint32_t name,
                 unsigned value) {
    for (uint32_t i = 0; i < c->count; i++)
        if (c->at[i].name == name)
            emit_abc(em, OP_MOVE, c->at[i].reg, value, 0);
}

/* -- sequences ------------------------------------------------------------ */

static void check_true(struct emitter *em, enum prelude what, unsigned subject,
                       struct label *fail) {
    unsigned base = call_helper(em, what);
    emit_abc(em, OP_MOVE, emit_temp(em, 1), subject, 0);
    emit_abc(em, OP_CALL, base, 1, 0);
    emit_branch(em, OP_JTRUTH, base, 0, false, fail);
    em->top = base;
}

static void check_length(struct emitter *em, unsigned subject, uint32_t want,
                         bool at_least, struct label *fail) {
    unsigned base = emit_temp(em, 3);
    emit_abc(em, OP_GETSPECIAL, base, subject, SPECIAL_LEN);
    emit_abc(em, OP_CALL, base, 0, 0);
    struct constant k = {.kind = CONST_INT, .as.integer = want};
    emit_load(em, base + 1, &k);
    emit_branch(em, at_least ? OP_JGE : OP_JEQ, base, base + 1, false, fail);
    em->top = base;
}

/* Items around a star that keeps nothing: the rest is not looked at. */
static void ends(struct emitter *em, const struct captures *c,
                 const struct nodes *l, uint32_t star, unsigned subject,
                 struct label *fail) {
    unsigned base = call_helper(em, PRELUDE_match_ends);
    unsigned args = emit_temp(em, 3);
    struct constant first = {.kind = CONST_INT, .as.integer = star};
    struct constant last = {.kind = CONST_INT,
                            .as.integer = l->count - star - 1};
    emit_abc(em, OP_MOVE, args, subject, 0);
    emit_load(em, args + 1, &first);
    emit_load(em, args + 2, &last);
    emit_abc(em, OP_CALL, base, 3, 0);
    em->top = base + 1;
    unsigned items = emit_temp(em, l->count - 1);
    emit_abc(em, OP_UNPACK, items, base, l->count - 1);
    for (uint32_t i = 0; i < l->count; i++)
        if (i != star) pattern(em, c, l->at[i], items + i - (i > star), fail);
    em->top = base;
}

static void sequence(struct emitter *em, const struct captures *c,
                     const struct node *n, unsigned subject,
                     struct label *fail) {
    const struct nodes *l = n->as.match_sequence.patterns;
    uint32_t count = nodes_count(l), star = count;
    for (uint32_t i = 0; i < count; i++)
        if (l->at[i]->kind == N_MatchStar) star = i;
    bool starred = star < count;
    check_true(em, PRELUDE_match_sequence, subject, fail);
    if (!starred || count > 1)
        check_length(em, subject, count - starred, starred, fail);
    if (count == 0) return;
    if (starred && !l->at[star]->as.match_star.name) {
        if (count > 1) ends(em, c, l, star, subject, fail);
        return;
    }
    unsigned base = emit_temp(em, count);
    if (starred) {
        emit_abc(em, OP_UNPACKEX, base, subject, 0);
        emit_word(em, star | (count - star - 1) << 16);
    } else {
        emit_abc(em, OP_UNPACK, base, subject, count);
    }
    for (uint32_t i = 0; i < count; i++)
        pattern(em, c, l->at[i], base + i, fail);
    em->top = base;
}

/* -- mappings and classes ------------------------------------------------- */

/* Unpacks the tuple in `base` that a helper gave, None being no match, and
 * matches its items. */
static void match_items(struct emitter *em, const struct captures *c,
                        unsigned base, const struct nodes *first,
                        const struct nodes *second, struct label *fail) {
    uint32_t n = nodes_count(first), count = n + nodes_count(second);
    emit_branch(em, OP_JNONE, base, 0, true, fail);
    em->top = base + 1;
    unsigned items = emit_temp(em, count ? count : 1);
    emit_abc(em, OP_UNPACK, items, base, count);
    for (uint32_t i = 0; i < count; i++)
        pattern(em, c, i < n ? first->at[i] : second->at[i - n], items + i,
                fail);
    em->top = base;
}

static void mapping(struct emitter *em, const struct captures *c,
                    const struct node *n, unsigned subject,
                    struct label *fail) {
    const struct node_MatchMapping *m = &n->as.match_mapping;
    struct node keys = {.kind = N_Tuple, .start = n->start, .end = n->end};
    check_true(em, PRELUDE_match_mapping, subject, fail);
    keys.as.tuple.elts = m->keys;
    unsigned held = emit_temp(em, 1);
    if (m->keys || m->rest) expr(em, &keys, (int)held);
    if (m->keys) {
        unsigned base = call_helper(em, PRELUDE_match_keys);
        unsigned args = emit_temp(em, 2);
        emit_at(em, n);
        emit_abc(em, OP_MOVE, args, subject, 0);
        emit_abc(em, OP_MOVE, args + 1, held, 0);
        emit_abc(em, OP_CALL, base, 2, 0);
        match_items(em, c, base, m->patterns, NULL, fail);
    }
    if (m->rest) {
        unsigned base = call_helper(em, PRELUDE_match_rest);
        unsigned args = emit_temp(em, 2);
        emit_abc(em, OP_MOVE, args, subject, 0);
        emit_abc(em, OP_MOVE, args + 1, held, 0);
        emit_abc(em, OP_CALL, base, 2, 0);
        keep(em, c, m->rest, base);
    }
    em->top = held;
}

static void load_names(struct emitter *em, unsigned reg,
                       const struct idents *l) {
    struct compiler *c = em->c;
    struct constant k = {.kind = CONST_TUPLE, .count = l ? l->count : 0};
    struct constant *items = NULL;
    if (k.count) {
        items = arena_alloc(c->arena, k.count * sizeof *items, c->e);
        if (!items) c->failed = true;
    }
    for (uint32_t i = 0; items && i < k.count; i++)
        items[i] = (struct constant){
            .kind = CONST_STR, .as.text = name_text(&c->ast->names, l->at[i])};
    k.as.items = items;
    emit_load(em, reg, &k);
}

static void class_pattern(struct emitter *em, const struct captures *c,
                          const struct node *n, unsigned subject,
                          struct label *fail) {
    const struct node_MatchClass *m = &n->as.match_class;
    unsigned base = call_helper(em, PRELUDE_match_class);
    unsigned args = emit_temp(em, 4);
    struct constant k = {.kind = CONST_INT,
                         .as.integer = nodes_count(m->patterns)};
    emit_abc(em, OP_MOVE, args, subject, 0);
    expr(em, m->cls, (int)args + 1);
    emit_at(em, n);
    emit_load(em, args + 2, &k);
    load_names(em, args + 3, m->kwd_attrs);
    emit_abc(em, OP_CALL, base, 4, 0);
    match_items(em, c, base, m->patterns, m->kwd_patterns, fail);
}

/* -- patterns ------------------------------------------------------------- */

static void alternatives(struct emitter *em, const struct captures *c,
                         const struct node *n, unsigned subject,
                         struct label *fail) {
    const struct nodes *l = n->as.match_or.patterns;
    struct label matched = LABEL;
    for (uint32_t i = 0; i + 1 < l->count; i++) {
        struct label next = LABEL;
        pattern(em, c, l->at[i], subject, &next);
        emit_jump(em, &matched);
        emit_label(em, &next);
    }
    pattern(em, c, l->at[l->count - 1], subject, fail);
    emit_label(em, &matched);
}

static void singleton(struct emitter *em, const struct node *n,
                      unsigned subject, struct label *fail) {
    const struct constant *k = &n->as.match_singleton.value;
    if (k->kind == CONST_NONE) {
        emit_branch(em, OP_JNONE, subject, 0, false, fail);
        return;
    }
    unsigned t = emit_temp(em, 1);
    emit_load(em, t, k);
    emit_branch(em, OP_JIS, subject, t, false, fail);
    em->top = t;
}

static void pattern(struct emitter *em, const struct captures *c,
                    const struct node *n, unsigned subject,
                    struct label *fail) {
    unsigned top = em->top;
    emit_at(em, n);
    switch (n->kind) {
    case N_MatchValue: {
        unsigned v = (unsigned)expr(em, n->as.match_value.value, ANY);
        emit_at(em, n);
        emit_branch(em, OP_JEQ, subject, v, false, fail);
        break;
    }
    case N_MatchSingleton: singleton(em, n, subject, fail); break;
    case N_MatchSequence: sequence(em, c, n, subject, fail); break;
    case N_MatchMapping: mapping(em, c, n, subject, fail); break;
    case N_MatchClass: class_pattern(em, c, n, subject, fail); break;
    case N_MatchOr: alternatives(em, c, n, subject, fail); break;
    case N_MatchAs:
        if (n->as.match_as.pattern)
            pattern(em, c, n->as.match_as.pattern, subject, fail);
        keep(em, c, n->as.match_as.name, subject);
        break;
    default: keep(em, c, n->as.match_star.name, subject); break;
    }
    em->top = top;
}

/* -- match ---------------------------------------------------------------- */

static void match_case(struct emitter *em, const struct node_match_case *m,
                       unsigned subject, struct label *fail) {
    struct vec v = {0};
    collect(em, &v, m->pattern);
    struct captures c = {v.at, v.count};
    pattern(em, &c, m->pattern, subject, fail);
    for (uint32_t i = 0; i < c.count; i++)
        name_store(em, c.at[i].name, c.at[i].reg);
    if (m->guard) cond_jump(em, m->guard, false, fail);
    stmt_body(em, m->body);
}

void match_statement(struct emitter *em, const struct node *n) {
    const struct nodes *l = n->as.match.cases;
    struct label end = LABEL;
    unsigned subject = expr_next(em, n->as.match.subject), top = em->top;
    struct assigned before = assigned_now(em);
    struct assigned after = {.unreachable = true};
    for (uint32_t i = 0; i < l->count && !em->c->failed; i++) {
        struct label next = LABEL;
        match_case(em, &l->at[i]->as.match_case, subject, &next);
        em->top = top;
        after = assigned_meet(after, assigned_now(em));
        if (!em->unreachable) emit_jump(em, &end);
        bool always = next.chain < 0;
        emit_label(em, &next);
        assigned_set(em, before);
        em->unreachable = always;
        if (always) break;
    }
    assigned_set(em, assigned_meet(after, assigned_now(em)));
    emit_label(em, &end);
}
