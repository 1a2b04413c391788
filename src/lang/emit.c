/* SPDX-License-Identifier: MIT */
#include "lang/emit.h"

#include <string.h>

#include "base/utf8.h"

enum { FIRST_ROOM = 16, CONST_SEARCH = 48 };

void emit_init(struct emitter *em, struct compiler *c, struct emitter *outer,
               struct scope *unit) {
    *em = (struct emitter){.c = c, .outer = outer, .unit = unit, .scope = unit};
}

void emit_fail(struct emitter *em, const char *fmt, ...) {
    va_list ap;
    if (em->c->failed) return;
    em->c->failed = true;
    va_start(ap, fmt);
    fault_vset(em->c->fault, FAULT_SYNTAX, em->start, em->end, fmt, ap);
    va_end(ap);
}

/* Room for one more entry; NULL once anything failed. */
void *vec_add(struct compiler *c, struct vec *v, size_t size) {
    if (c->failed) return NULL;
    if (v->count == v->cap) {
        uint32_t cap = v->cap ? v->cap * 2 : FIRST_ROOM;
        void *at = arena_alloc(c->arena, cap * size, c->e);
        if (!at) {
            c->failed = true;
            return NULL;
        }
        if (v->count) memcpy(at, v->at, v->count * size);
        v->at = at;
        v->cap = cap;
    }
    return (char *)v->at + v->count++ * size;
}

/* -- places --------------------------------------------------------------- */

static uint16_t short_column(uint32_t n) {
    return n > UINT16_MAX ? UINT16_MAX : (uint16_t)n;
}

static void note_place(struct emitter *em) {
    struct compiler *c = em->c;
    struct code_span *last = em->spans.at;
    if (em->noted_start == em->start && em->noted_end == em->end) return;
    em->noted_start = em->start;
    em->noted_end = em->end;
    struct place from = lines_place(&c->lines, em->start);
    struct place to = lines_place(&c->lines, em->end);
    struct code_span span = {
        .pc = em->words.count,
        .line = from.line,
        .end_line = to.line,
        .col = short_column(from.column),
        .end_col = short_column(to.column),
    };
    if (em->spans.count) last += em->spans.count - 1;
    if (em->spans.count && last->pc == span.pc) {
        *last = span;
        return;
    }
    last = vec_add(c, &em->spans, sizeof *last);
    if (last) *last = span;
}

/* -- words ---------------------------------------------------------------- */

uint32_t emit_pc(const struct emitter *em) {
    return em->words.count;
}

uint32_t emit_word(struct emitter *em, uint32_t word) {
    if (em->words.count >= EMIT_JUMP_MAX)
        emit_fail(em, "too much code in one function");
    uint32_t *w = vec_add(em->c, &em->words, sizeof *w);
    if (!w) return 0;
    *w = word;
    return em->words.count - 1;
}

uint32_t emit_abc(struct emitter *em, enum op op, unsigned a, unsigned b,
                  unsigned c) {
    note_place(em);
    return emit_word(em, INS_ABC(op, a & 0xff, b & 0xff, c & 0xff));
}

uint32_t emit_abx(struct emitter *em, enum op op, unsigned a, unsigned bx) {
    note_place(em);
    return emit_word(em, INS_ABX(op, a & 0xff, bx));
}

void emit_named(struct emitter *em, enum op op, unsigned a, unsigned b,
                uint32_t name) {
    unsigned number = emit_name(em, name);
    if (em->ncaches >= UINT16_MAX)
        emit_fail(em, "too many attributes in one function");
    emit_abc(em, op, a, b, 0);
    emit_word(em, number | (uint32_t)em->ncaches++ << 16);
}

/* -- tables --------------------------------------------------------------- */

static bool same_constant(const struct constant *a, const struct constant *b) {
    if (a->kind != b->kind) return false;
    switch ((enum const_kind)a->kind) {
    case CONST_NONE:
    case CONST_TRUE:
    case CONST_FALSE:
    case CONST_ELLIPSIS: return true;
    case CONST_INT: return a->as.integer == b->as.integer;
    case CONST_REAL: /* bit by bit: 0.0 is not -0.0 */
        return memcmp(&a->as.real, &b->as.real, sizeof a->as.real) == 0;
    case CONST_STR:
    case CONST_BYTES:
    case CONST_BIG: return str_eq(a->as.text, b->as.text);
    case CONST_COMPLEX:
    case CONST_TUPLE:
    case CONST_FROZENSET:
    case CONST_CODE: return false;
    }
    return false;
}

uint32_t emit_const(struct emitter *em, const struct constant *k) {
    const struct constant *all = em->consts.at;
    uint32_t n = em->consts.count;
    for (uint32_t i = n; i > 0 && n - i < CONST_SEARCH; i--)
        if (same_constant(&all[i - 1], k)) return i - 1;
    struct constant *new = vec_add(em->c, &em->consts, sizeof *new);
    if (!new) return 0;
    *new = *k;
    return n;
}

void emit_load(struct emitter *em, unsigned reg, const struct constant *k) {
    bool small = k->kind == CONST_INT && k->as.integer >= INT16_MIN &&
                 k->as.integer <= INT16_MAX;
    if (k->kind == CONST_NONE) {
        emit_abc(em, OP_LOADNONE, reg, 0, 0);
    } else if (k->kind == CONST_TRUE || k->kind == CONST_FALSE) {
        emit_abc(em, OP_LOADBOOL, reg, k->kind == CONST_TRUE, 0);
    } else if (small) {
        emit_abx(em, OP_LOADI, reg, (uint16_t)k->as.integer);
    } else {
        uint32_t at = emit_const(em, k);
        if (at <= UINT16_MAX) {
            emit_abx(em, OP_LOADK, reg, at);
        } else {
            emit_abc(em, OP_LOADKX, reg, 0, 0);
            emit_word(em, at);
        }
    }
}

void emit_load_text(struct emitter *em, unsigned reg, str s) {
    struct constant k = {.kind = CONST_STR, .as.text = s};
    emit_load(em, reg, &k);
}

static uint32_t name_slot(const struct emitter *em, uint32_t name) {
    const uint32_t *names = em->names.at;
    uint32_t mask = em->name_slots - 1, i = name * 2654435761u & mask;
    while (em->name_index[i] && names[em->name_index[i] - 1] != name)
        i = (i + 1) & mask;
    return i;
}

static bool grow_names(struct emitter *em) {
    uint32_t slots = em->name_slots ? em->name_slots * 2 : FIRST_ROOM;
    uint32_t *index =
        arena_zalloc(em->c->arena, slots, sizeof *index, em->c->e);
    if (!index) {
        em->c->failed = true;
        return false;
    }
    em->name_index = index;
    em->name_slots = slots;
    const uint32_t *names = em->names.at;
    for (uint32_t i = 0; i < em->names.count; i++)
        index[name_slot(em, names[i])] = i + 1;
    return true;
}

unsigned emit_name(struct emitter *em, uint32_t name) {
    if (em->c->failed) return 0;
    if (em->names.count * 2 >= em->name_slots && !grow_names(em)) return 0;
    uint32_t slot = name_slot(em, name);
    if (em->name_index[slot]) return em->name_index[slot] - 1;
    if (em->names.count > UINT16_MAX)
        emit_fail(em, "too many names in one function");
    uint32_t *new = vec_add(em->c, &em->names, sizeof *new);
    if (!new) return 0;
    *new = name;
    em->name_index[slot] = em->names.count;
    return em->names.count - 1;
}

uint32_t emit_intern(struct emitter *em, const char *name) {
    uint32_t n = name_add(&em->c->ast->names, str_of(name), em->c->e);
    if (!n) em->c->failed = true;
    return n;
}

int emit_global(struct emitter *em, uint32_t name) {
    struct compiler *c = em->c;
    if (c->failed) return 0;
    if (name < c->nslots && c->slots[name]) return c->slots[name] - 1;
    int slot =
        c->env->global_slot(c->env->user, name_text(&c->ast->names, name));
    if (slot < 0 || slot > UINT16_MAX) {
        emit_fail(em, "too many global names");
        return 0;
    }
    if (name < c->nslots) c->slots[name] = slot + 1;
    return slot;
}

/* -- registers ------------------------------------------------------------ */

unsigned emit_temp(struct emitter *em, unsigned n) {
    unsigned at = em->top;
    if (n > EMIT_REGS || at + n > EMIT_REGS) {
        emit_fail(em, "expression needs too many registers");
        return 0;
    }
    em->top += n;
    if (em->top > em->high) em->high = em->top;
    return at;
}

/* -- jumps ---------------------------------------------------------------- */

static void set_jump(struct emitter *em, uint32_t at, int32_t value) {
    uint32_t *w = em->words.at;
    w[at] = INS_J(OP_JUMP, (uint32_t)value & 0xffffff);
}

static void jump_word(struct emitter *em, struct label *to) {
    uint32_t at = emit_word(em, INS_J(OP_JUMP, 0));
    if (em->c->failed) return;
    if (to->pc >= 0) {
        set_jump(em, at, to->pc - (int32_t)(at + 1));
        return;
    }
    /* Chained words hold the distance to the one before, 0 at the end. */
    set_jump(em, at, to->chain < 0 ? 0 : (int32_t)at - to->chain);
    to->chain = (int32_t)at;
}

void emit_jump(struct emitter *em, struct label *to) {
    note_place(em);
    jump_word(em, to);
}

void emit_branch(struct emitter *em, enum op op, unsigned a, unsigned b,
                 unsigned c, struct label *to) {
    emit_abc(em, op, a, b, c);
    jump_word(em, to);
}

void emit_label(struct emitter *em, struct label *l) {
    l->pc = (int32_t)em->words.count;
    if (em->c->failed) return;
    const uint32_t *w = em->words.at;
    for (int32_t at = l->chain; at >= 0;) {
        int32_t back = INS_SJ(w[at]);
        set_jump(em, (uint32_t)at, l->pc - (at + 1));
        at = back ? at - back : -1;
    }
    l->chain = -1;
}

/* -- handlers ------------------------------------------------------------- */

#define TAG 0x80000000u /* a target that is a tag, not yet a place */

uint32_t emit_handler_tag(struct emitter *em) {
    return TAG | em->tags++;
}

void emit_handler(struct emitter *em, uint32_t start, uint32_t end,
                  uint32_t tag, unsigned reg) {
    if (start >= end) return;
    struct code_handler *h = vec_add(em->c, &em->handlers, sizeof *h);
    if (h) *h = (struct code_handler){start, end, tag, reg};
}

/* Ranges of a handler were added since its statement began: the newest ones,
 * with complete ones of inner statements among them. */
void emit_handler_at(struct emitter *em, uint32_t tag) {
    struct code_handler *all = em->handlers.at;
    for (uint32_t i = 0; i < em->handlers.count; i++)
        if (all[i].target == tag) all[i].target = em->words.count;
}

/* -- the unit ------------------------------------------------------------- */

static const str *texts_of(struct emitter *em, const uint32_t *names,
                           uint32_t n) {
    struct compiler *c = em->c;
    if (c->failed || n == 0) return NULL;
    str *out = arena_alloc(c->arena, n * sizeof *out, c->e);
    if (!out) {
        c->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++)
        out[i] = name_text(&c->ast->names, names[i]);
    return out;
}

struct code_unit *emit_finish(struct emitter *em) {
    struct compiler *c = em->c;
    struct code_unit *u = arena_zalloc(c->arena, 1, sizeof *u, c->e);
    if (!u) c->failed = true;
    if (c->failed) return NULL;
    u->words = em->words.at;
    u->nwords = em->words.count;
    u->consts = em->consts.at;
    u->nconsts = em->consts.count;
    u->names = texts_of(em, em->names.at, em->names.count);
    u->nnames = em->names.count;
    u->varnames = texts_of(em, em->varnames.at, em->varnames.count);
    u->nlocals = (uint16_t)em->varnames.count;
    u->freenames = texts_of(em, em->unit->free, em->unit->nfree);
    u->nfree = (uint16_t)em->unit->nfree;
    u->handlers = em->handlers.at;
    u->nhandlers = em->handlers.count;
    u->spans = em->spans.at;
    u->nspans = em->spans.count;
    u->ncaches = (uint16_t)em->ncaches;
    u->nregs = em->high ? em->high : 1;
    return u;
}
