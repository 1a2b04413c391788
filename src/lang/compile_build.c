/* SPDX-License-Identifier: MIT
 *
 * Displays, f-strings and comprehensions: values put together from parts.
 */
#include "lang/compiler.h"

enum {
    PIECE = 24,      /* parts that stand in registers at the same time */
    CONST_ITEMS = 8, /* displays of so many constants are copied from a tuple */
};

static unsigned destination(struct emitter *em, int want) {
    return want == ANY ? emit_temp(em, 1) : (unsigned)want;
}

/* -- list, tuple, set ----------------------------------------------------- */

static bool has_star(const struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        if (l->at[i]->kind == N_Starred) return true;
    return false;
}

static struct nodes *elements(const struct node *n) {
    if (n->kind == N_List) return n->as.list.elts;
    return n->kind == N_Set ? n->as.set.elts : n->as.tuple.elts;
}

/* Part by part into a list or set that grows. */
static unsigned grow_display(struct emitter *em, const struct node *n) {
    const struct nodes *l = elements(n);
    bool set = n->kind == N_Set;
    unsigned to = emit_temp(em, 1);
    emit_at(em, n);
    emit_abc(em, set ? OP_SET : OP_LIST, to, to, 0);
    for (uint32_t i = 0; i < nodes_count(l) && !em->c->failed; i++) {
        const struct node *part = l->at[i];
        bool star = part->kind == N_Starred;
        unsigned top = em->top;
        unsigned v =
            (unsigned)expr(em, star ? part->as.starred.value : part, ANY);
        em->top = top;
        emit_at(em, part);
        if (set)
            emit_abc(em, star ? OP_UPDATESET : OP_ADDSET, to, v, 0);
        else
            emit_abc(em, star ? OP_EXTEND : OP_APPEND, to, v, 0);
    }
    emit_at(em, n);
    if (n->kind == N_Tuple) emit_abc(em, OP_TOTUPLE, to, to, 0);
    return to;
}

static bool from_constants(struct emitter *em, const struct node *n,
                           unsigned *out) {
    const struct nodes *l = elements(n);
    struct node tuple = {.kind = N_Tuple};
    struct constant k;
    if (n->kind == N_Tuple || nodes_count(l) < CONST_ITEMS) return false;
    tuple.as.tuple.elts = elements(n);
    if (!expr_constant(em, &tuple, &k)) return false;
    unsigned to = emit_temp(em, 2);
    emit_at(em, n);
    emit_load(em, to + 1, &k);
    emit_abc(em, n->kind == N_Set ? OP_SET : OP_LIST, to, to, 0);
    emit_abc(em, n->kind == N_Set ? OP_UPDATESET : OP_EXTEND, to, to + 1, 0);
    em->top = to + 1;
    *out = to;
    return true;
}

static int moved(struct emitter *em, unsigned from, int want, unsigned top) {
    if (want == ANY) return (int)from;
    em->top = top;
    emit_abc(em, OP_MOVE, (unsigned)want, from, 0);
    return want;
}

int build_display(struct emitter *em, const struct node *n, int want) {
    const struct nodes *l = elements(n);
    unsigned base = em->top, to;
    if (from_constants(em, n, &to)) return moved(em, to, want, base);
    if (nodes_count(l) > PIECE || has_star(l))
        return moved(em, grow_display(em, n), want, base);
    for (uint32_t i = 0; i < nodes_count(l); i++)
        expr_next(em, l->at[i]);
    em->top = base;
    to = destination(em, want);
    emit_at(em, n);
    enum op op = n->kind == N_List    ? OP_LIST
                 : n->kind == N_Tuple ? OP_TUPLE
                                      : OP_SET;
    emit_abc(em, op, to, base, nodes_count(l));
    return (int)to;
}

/* -- dict ----------------------------------------------------------------- */

static bool plain_keys(const struct nodes *keys, bool *text) {
    *text = nodes_count(keys) > 0;
    for (uint32_t i = 0; i < nodes_count(keys); i++) {
        const struct node *k = keys->at[i];
        if (!k) return false;
        if (k->kind != N_Constant || k->as.constant.value.kind != CONST_STR)
            *text = false;
    }
    return true;
}

static bool distinct(const struct nodes *keys) {
    for (uint32_t i = 0; i < keys->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (str_eq(keys->at[i]->as.constant.value.as.text,
                       keys->at[k]->as.constant.value.as.text))
                return false;
    return true;
}

/* Keys that are all different strings: a tuple of them and the values. */
static int text_dict(struct emitter *em, const struct node *n, int want) {
    const struct node_Dict *d = &n->as.dict;
    struct node keys = {.kind = N_Tuple};
    struct constant k;
    unsigned base = em->top;
    keys.as.tuple.elts = d->keys;
    if (!expr_constant(em, &keys, &k)) return 0;
    for (uint32_t i = 0; i < d->values->count; i++)
        expr_next(em, d->values->at[i]);
    em->top = base;
    unsigned to = destination(em, want);
    emit_at(em, n);
    uint32_t at = emit_const(em, &k);
    emit_abc(em, OP_MAPK, to, base, d->values->count);
    emit_word(em, at);
    return (int)to;
}

static int pair_dict(struct emitter *em, const struct node *n, int want) {
    const struct node_Dict *d = &n->as.dict;
    unsigned base = em->top;
    for (uint32_t i = 0; i < nodes_count(d->keys); i++) {
        expr_next(em, d->keys->at[i]);
        expr_next(em, d->values->at[i]);
    }
    em->top = base;
    unsigned to = destination(em, want);
    emit_at(em, n);
    emit_abc(em, OP_MAP, to, base, nodes_count(d->keys));
    return (int)to;
}

static unsigned grow_dict(struct emitter *em, const struct node *n) {
    const struct node_Dict *d = &n->as.dict;
    unsigned to = emit_temp(em, 1);
    emit_at(em, n);
    emit_abc(em, OP_MAP, to, to, 0);
    for (uint32_t i = 0; i < d->values->count && !em->c->failed; i++) {
        const struct node *key = d->keys->at[i], *value = d->values->at[i];
        unsigned top = em->top, k = 0;
        if (key) k = (unsigned)expr(em, key, ANY);
        unsigned v = (unsigned)expr(em, value, ANY);
        em->top = top;
        emit_at(em, key ? key : value);
        if (key)
            emit_abc(em, OP_PUTMAP, to, k, v);
        else
            emit_abc(em, OP_UPDATEMAP, to, v, 0);
    }
    return to;
}

int build_dict(struct emitter *em, const struct node *n, int want) {
    const struct nodes *keys = n->as.dict.keys;
    unsigned top = em->top;
    bool text, plain = plain_keys(keys, &text);
    if (plain && text && keys->count <= PIECE && distinct(keys))
        return text_dict(em, n, want);
    if (plain && nodes_count(keys) <= PIECE / 2) return pair_dict(em, n, want);
    return moved(em, grow_dict(em, n), want, top);
}

/* -- f-strings ------------------------------------------------------------ */

/* A field: value and spec in neighbouring registers. */
static void formatted(struct emitter *em, const struct node *n) {
    const struct node_FormattedValue *f = &n->as.formatted;
    unsigned at = expr_next(em, f->value);
    unsigned spec = emit_temp(em, 1);
    if (f->format_spec)
        build_joined(em, f->format_spec, (int)spec);
    else
        emit_abc(em, OP_UNSET, spec, 0, 0);
    unsigned how = (int)n->number < 0 ? 0 : n->number;
    emit_at(em, n);
    emit_abc(em, OP_FORMAT, at, at, how);
    em->top = at + 1;
}

static void joined_part(struct emitter *em, const struct node *n) {
    if (n->kind == N_FormattedValue)
        formatted(em, n);
    else
        expr_next(em, n);
}

int build_joined(struct emitter *em, const struct node *n, int want) {
    const struct nodes *l = n->as.joined.values;
    unsigned base = em->top;
    uint32_t count = nodes_count(l), held = 0;
    if (n->kind == N_FormattedValue) {
        formatted(em, n);
        return moved(em, base, want, base);
    }
    for (uint32_t i = 0; i < count && !em->c->failed; i++) {
        joined_part(em, l->at[i]);
        if (++held < PIECE) continue;
        emit_at(em, n);
        emit_abc(em, OP_CONCAT, base, base, held);
        em->top = base + 1;
        held = 1;
    }
    em->top = base;
    unsigned to = destination(em, want);
    emit_at(em, n);
    emit_abc(em, OP_CONCAT, to, base, held);
    return (int)to;
}

/* -- comprehensions ------------------------------------------------------- */

static void add_item(struct emitter *em, const struct node *n,
                     unsigned result) {
    unsigned top = em->top;
    unsigned v = (unsigned)expr(em, n->as.comp.elt, ANY);
    em->top = top;
    emit_at(em, n->as.comp.elt);
    emit_abc(em, n->kind == N_SetComp ? OP_ADDSET : OP_APPEND, result, v, 0);
}

static void add_pair(struct emitter *em, const struct node *n,
                     unsigned result) {
    unsigned top = em->top;
    unsigned k = (unsigned)expr(em, n->as.dict_comp.key, ANY);
    unsigned v = (unsigned)expr(em, n->as.dict_comp.value, ANY);
    em->top = top;
    emit_at(em, n->as.dict_comp.value);
    emit_abc(em, OP_PUTMAP, result, k, v);
}

/* Binds a loop's target to the next item; jumps at the end. */
static void next_item(struct emitter *em, const struct node *g, unsigned iter,
                      struct label *end) {
    const struct node *t = g->as.generator.target;
    int reg = t->kind == N_Name ? name_register(em, t->as.name.id) : ANY;
    if (g->number) {
        stmt_assign(em, t, flow_anext(em, iter, end));
        return;
    }
    unsigned item = reg == ANY ? emit_temp(em, 1) : (unsigned)reg;
    emit_at(em, g->as.generator.iter);
    emit_branch(em, OP_FOR, iter, item, 0, end);
    if (reg == ANY)
        stmt_assign(em, t, item);
    else
        name_assigned(em, t->as.name.id);
}

void build_loops(struct emitter *em, const struct nodes *generators,
                 uint32_t first, unsigned first_iter,
                 void (*add)(struct emitter *, const struct node *, unsigned),
                 const struct node *n, unsigned result) {
    const struct node *g = generators->at[first];
    struct label again = LABEL, end = LABEL;
    unsigned top = em->top, iter = first_iter;
    if (first > 0) {
        iter = expr_next(em, g->as.generator.iter);
        emit_at(em, g->as.generator.iter);
        if (g->number)
            flow_aiter(em, iter);
        else
            emit_abc(em, OP_ITER, iter, iter, 0);
    }
    struct assigned before = assigned_now(em);
    unsigned inner = em->top;
    emit_label(em, &again);
    next_item(em, g, iter, &end);
    em->top = inner;
    const struct nodes *ifs = g->as.generator.ifs;
    for (uint32_t i = 0; i < nodes_count(ifs); i++)
        cond_jump(em, ifs->at[i], false, &again);
    if (first + 1 < generators->count)
        build_loops(em, generators, first + 1, 0, add, n, result);
    else
        add(em, n, result);
    emit_at(em, g->as.generator.iter);
    emit_jump(em, &again);
    emit_label(em, &end);
    assigned_set(em, before);
    em->top = top;
}

/* The result and the iterator, then the loops in a scope of their own. */
int build_comprehension(struct emitter *em, const struct node *n) {
    bool dict = n->kind == N_DictComp;
    const struct nodes *l =
        dict ? n->as.dict_comp.generators : n->as.comp.generators;
    struct scope *s = dict ? n->as.dict_comp.scope : n->as.comp.scope;
    unsigned to = emit_temp(em, 1);
    unsigned iter = expr_next(em, l->at[0]->as.generator.iter);
    emit_at(em, l->at[0]->as.generator.iter);
    if (l->at[0]->number)
        flow_aiter(em, iter);
    else
        emit_abc(em, OP_ITER, iter, iter, 0);
    emit_at(em, n);
    enum op op = dict ? OP_MAP : n->kind == N_SetComp ? OP_SET : OP_LIST;
    emit_abc(em, op, to, to, 0);
    name_open_scope(em, s);
    build_loops(em, l, 0, iter, dict ? add_pair : add_item, n, to);
    name_close_scope(em);
    em->top = to + 1;
    return (int)to;
}
