/* SPDX-License-Identifier: MIT
 *
 * joins -- post-dominators of a code object's instructions.
 *
 * The usual iteration (Cooper, Harvey, Kennedy) over the graph with its edges
 * turned round, one node to an instruction and one more for the end. Raising
 * is no way out: else nothing after a `try` or an `assert` would be where all
 * ways meet. A handler that is reached is treated as the meeting of two ways
 * (joins_of_two), and the exception itself carries what decided it.
 */
#include "vm/joins.h"

#include "base/mem.h"
#include "vm/code.h"
#include "vm/taint.h"

#define WORDS_MAX 65535 /* longer code is one region */
#define NONE      UINT32_MAX

static const uint8_t op_size[256] = {
#define OP(name, format, meaning) [OP_##name] = (meaning)[0] == '+' ? 2 : 1,
#include "lang/opcodes.def"
#undef OP
};

static const uint8_t op_jumps[256] = {
#define OP(name, format, meaning) \
    [OP_##name] = (meaning)[0] == '+' && (meaning)[1] == 'J',
#include "lang/opcodes.def"
#undef OP
};

struct graph {
    const uint32_t *words;
    uint32_t n;      /* words; node n is the end */
    uint32_t *order; /* nodes by reverse post-order from the end */
    uint32_t count;
    uint32_t *rank; /* of a node in that order, NONE: the end is not reached */
    uint32_t *dom;  /* the nearest post-dominator */
    uint32_t *first, *next, *from; /* edges turned round, as lists by target */
    uint32_t edges;
};

/* At most two, none when it raises: where the instruction goes on. */
static unsigned successors(const struct graph *g, uint32_t at, uint32_t to[2]) {
    uint32_t w = g->words[at];
    enum op op = INS_OP(w);
    uint32_t after = at + op_size[op];
    if (op == OP_RAISE || op == OP_RERAISE) return 0;
    if (op == OP_RETURN || op == OP_RETNONE) {
        to[0] = g->n;
        return 1;
    }
    if (op == OP_JUMP) {
        to[0] = (uint32_t)((int64_t)after + INS_SJ(w));
        return 1;
    }
    to[0] = after;
    if (!op_jumps[op]) return 1;
    to[1] = (uint32_t)((int64_t)after + INS_SJ(g->words[at + 1]));
    return 2;
}

static void add_edges(struct graph *g) {
    for (uint32_t i = 0; i <= g->n; i++)
        g->first[i] = NONE;
    for (uint32_t at = 0; at < g->n; at += op_size[INS_OP(g->words[at])]) {
        uint32_t to[2];
        unsigned k = successors(g, at, to);
        for (unsigned i = 0; i < k; i++) {
            if (to[i] > g->n) to[i] = g->n;
            g->from[g->edges] = at;
            g->next[g->edges] = g->first[to[i]];
            g->first[to[i]] = g->edges++;
        }
    }
}

/* Depth first from the end along turned edges, without recursion: `dom` is the
 * stack and `rank` the edge to look at next meanwhile. */
static void put_in_order(struct graph *g) {
    uint32_t depth = 0, at = g->count = g->n + 1;
    for (uint32_t i = 0; i <= g->n; i++)
        g->rank[i] = NONE;
    g->dom[depth++] = g->n;
    g->rank[g->n] = g->first[g->n] == NONE ? NONE - 1 : g->first[g->n];
    while (depth > 0) {
        uint32_t node = g->dom[depth - 1], edge = g->rank[node];
        if (edge == NONE - 1) {
            depth--;
            g->order[--at] = node;
            continue;
        }
        uint32_t to = g->from[edge];
        g->rank[node] = g->next[edge] == NONE ? NONE - 1 : g->next[edge];
        if (g->rank[to] != NONE) continue;
        g->rank[to] = g->first[to] == NONE ? NONE - 1 : g->first[to];
        g->dom[depth++] = to;
    }
    g->count -= at;
    memmove(g->order, g->order + at, g->count * sizeof *g->order);
    for (uint32_t i = 0; i <= g->n; i++)
        g->rank[i] = NONE;
    for (uint32_t i = 0; i < g->count; i++)
        g->rank[g->order[i]] = i;
}

static uint32_t meet(const uint32_t *dom, const uint32_t *rank, uint32_t a,
                     uint32_t b) {
    while (a != b) {
        while (rank[a] > rank[b])
            a = dom[a];
        while (rank[b] > rank[a])
            b = dom[b];
    }
    return a;
}

static bool improve(struct graph *g, uint32_t node) {
    uint32_t to[2], best = NONE;
    unsigned k = successors(g, node, to);
    for (unsigned i = 0; i < k; i++) {
        uint32_t s = to[i] > g->n ? g->n : to[i];
        if (g->rank[s] == NONE || g->dom[s] == NONE) continue;
        best = best == NONE ? s : meet(g->dom, g->rank, best, s);
    }
    if (g->dom[node] == best) return false;
    g->dom[node] = best;
    return true;
}

static void dominate(struct graph *g) {
    for (uint32_t i = 0; i <= g->n; i++)
        g->dom[i] = NONE;
    g->dom[g->n] = g->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < g->count; i++)
            changed |= improve(g, g->order[i]);
    }
}

/* The store beside the code holds dom, then rank, of every word and the end. */
static val make(struct vm *vm, struct ocode *code) {
    struct err e;
    uint32_t n = code->nwords;
    uint64_t nodes = (uint64_t)n + 1;
    val store = heap_store(vm, nodes * 2 * sizeof(uint32_t), 0);
    uint32_t *room = store ? mem_zalloc(nodes * 6, sizeof *room, &e) : NULL;
    if (!room) return VAL_UNSET;
    struct ostore *s = heap_at(&vm->heap, store);
    struct graph g = {
        .words = (uint32_t *)((struct ostore *)heap_at(&vm->heap, code->words))
                     ->data,
        .n = n,
        .dom = (uint32_t *)s->data,
        .rank = (uint32_t *)s->data + nodes,
        .order = room,
        .first = room + nodes,
        .next = room + 2 * nodes,
        .from = room + 4 * nodes};
    add_edges(&g);
    put_in_order(&g);
    dominate(&g);
    mem_free(room);
    return store;
}

static const uint32_t *table(struct vm *vm, val code) {
    struct ocode *c = heap_at(&vm->heap, code);
    if (code_is_library(vm, code) || c->nwords > WORDS_MAX) return NULL;
    struct oorigin *o = heap_at(&vm->heap, c->origin);
    if (!o->joins) {
        bool failed = vm->memory_failed;
        val before = vm_root(vm)->exception;
        o->joins = make(vm, c);
        vm->fuel -= (int64_t)c->nwords;
        if (!o->joins) { /* one region, then */
            vm->memory_failed = failed;
            vm_root(vm)->exception = before;
            return NULL;
        }
    }
    return (uint32_t *)((struct ostore *)heap_at(&vm->heap, o->joins))->data;
}

static uint32_t or_none(uint32_t at, uint32_t n) {
    return at >= n ? NO_JOIN : at;
}

uint32_t joins_at(struct vm *vm, val code, uint32_t at) {
    const uint32_t *dom = table(vm, code);
    uint32_t n = ((struct ocode *)heap_at(&vm->heap, code))->nwords;
    return dom && at < n ? or_none(dom[at], n) : NO_JOIN;
}

uint32_t joins_of_two(struct vm *vm, val code, uint32_t a, uint32_t b) {
    const uint32_t *dom = table(vm, code);
    uint32_t n = ((struct ocode *)heap_at(&vm->heap, code))->nwords;
    if (!dom || a >= n || b >= n) return NO_JOIN;
    const uint32_t *rank = dom + n + 1;
    while (a > 0 && rank[a] == NONE)
        a--; /* an instruction's second word */
    if (rank[a] == NONE || rank[b] == NONE) return NO_JOIN;
    return or_none(meet(dom, rank, a, b), n);
}

unsigned joins_words(uint32_t w) {
    return op_size[INS_OP(w)];
}
