/* SPDX-License-Identifier: MIT
 *
 * Variables: their registers and cells, loads and stores.
 *
 * Registers of a unit: parameters, other variables, cells, then variables of
 * the comprehensions that run inside it (those of equal name and depth share
 * one). Variables beyond EMIT_NEAR live above the operands and are moved.
 */
#include "lang/compiler.h"

/* -- which variables have a value ----------------------------------------- */

struct assigned assigned_now(const struct emitter *em) {
    struct assigned a = {.unreachable = em->unreachable};
    for (int i = 0; i < 4; i++)
        a.bits[i] = em->assigned[i];
    return a;
}

void assigned_set(struct emitter *em, struct assigned a) {
    for (int i = 0; i < 4; i++)
        em->assigned[i] = a.bits[i];
    em->unreachable = a.unreachable;
}

struct assigned assigned_meet(struct assigned a, struct assigned b) {
    if (a.unreachable) return b;
    if (b.unreachable) return a;
    for (int i = 0; i < 4; i++)
        a.bits[i] &= b.bits[i];
    return a;
}

static bool is_assigned(const struct emitter *em, const struct variable *v) {
    if (v->number >= EMIT_REGS) return false;
    return em->assigned[v->number / 64] >> (v->number % 64) & 1;
}

static void set_assigned(struct emitter *em, const struct variable *v,
                         bool on) {
    if (v->number >= EMIT_REGS) return;
    uint64_t bit = (uint64_t)1 << (v->number % 64);
    if (on)
        em->assigned[v->number / 64] |= bit;
    else
        em->assigned[v->number / 64] &= ~bit;
}

/* -- finding -------------------------------------------------------------- */

/* The entry of the scope that code is made for; its home has the register. */
static struct variable *mention(struct emitter *em, uint32_t name) {
    return scope_find(em->scope, name);
}

struct variable *name_variable(struct emitter *em, uint32_t name) {
    struct variable *v = mention(em, name);
    if (v && v->home && v->home != em->scope) return scope_find(v->home, name);
    return v;
}

int name_register(struct emitter *em, uint32_t name) {
    const struct variable *v = name_variable(em, name);
    if (!v || v->place != VAR_LOCAL || v->number >= EMIT_REGS) return ANY;
    return v->number;
}

void name_assigned(struct emitter *em, uint32_t name) {
    struct variable *v = name_variable(em, name);
    if (v && v->place == VAR_LOCAL) set_assigned(em, v, true);
}

/* -- registers ------------------------------------------------------------ */

static unsigned add_varname(struct emitter *em, uint32_t name) {
    uint32_t *at = vec_add(em->c, &em->varnames, sizeof *at);
    if (at) *at = name;
    if (em->varnames.count > UINT16_MAX)
        emit_fail(em, "too many variables in one function");
    return em->varnames.count ? em->varnames.count - 1 : 0;
}

/* The next register for a variable. Past EMIT_NEAR it leaves room for the
 * temporaries, which must stay within operands. */
static unsigned new_register(struct emitter *em, uint32_t name) {
    if (em->varnames.count == EMIT_NEAR)
        while (em->varnames.count < EMIT_REGS && !em->c->failed)
            add_varname(em, NAME_NONE);
    return add_varname(em, name);
}

static void parameter(struct emitter *em, const struct node *arg) {
    if (!arg) return;
    struct variable *v = scope_find(em->unit, arg->as.arg.arg);
    unsigned reg = new_register(em, arg->as.arg.arg);
    if (!v) return;
    if (reg >= EMIT_NEAR) emit_fail(em, "more than %d parameters", EMIT_NEAR);
    v->number = (uint16_t)reg;
    set_assigned(em, v, true);
}

static void parameter_list(struct emitter *em, const struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        parameter(em, l->at[i]);
}

static void plain_variables(struct emitter *em, struct scope *s,
                            enum var_place place) {
    for (uint32_t i = 0; i < s->nvars; i++) {
        struct variable *v = &s->vars[i];
        if (v->place != place || v->home != s) continue;
        if (place == VAR_LOCAL && v->flags & VAR_PARAM) continue;
        unsigned param = v->number;
        v->number = (uint16_t)new_register(em, v->name);
        if (place != VAR_CELL) continue;
        bool is_param = v->flags & VAR_PARAM;
        if (v->number >= EMIT_REGS)
            emit_fail(em, "too many captured variables in one function");
        emit_abc(em, OP_MKCELL, v->number, is_param ? param : v->number, 0);
    }
}

static unsigned comprehension_depth(const struct scope *s) {
    unsigned depth = 0;
    for (; s->kind == SCOPE_COMPREHENSION; s = s->parent)
        depth++;
    return depth;
}

/* A register that a comprehension of the same depth already uses for a
 * variable of this name; they never run at the same time. */
static bool shared_register(struct emitter *em, const struct scope *s,
                            struct variable *v) {
    unsigned depth = comprehension_depth(s);
    for (const struct scope *o = em->unit->comprehensions; o && o != s;
         o = o->next_comprehension) {
        const struct variable *w = scope_find(o, v->name);
        if (!w || w->home != o || w->place != v->place ||
            comprehension_depth(o) != depth)
            continue;
        v->number = w->number;
        return true;
    }
    return false;
}

static void comprehension_variables(struct emitter *em) {
    unsigned seen = 0;
    for (struct scope *s = em->unit->comprehensions; s;
         s = s->next_comprehension, seen++)
        for (uint32_t i = 0; i < s->nvars; i++) {
            struct variable *v = &s->vars[i];
            if (v->home != s) continue;
            if (seen < 256 && shared_register(em, s, v)) continue;
            v->number = (uint16_t)new_register(em, v->name);
        }
}

void name_open_unit(struct emitter *em, const struct node_arguments *args) {
    if (args) {
        parameter_list(em, args->posonlyargs);
        parameter_list(em, args->args);
        parameter_list(em, args->kwonlyargs);
        parameter(em, args->vararg);
        parameter(em, args->kwarg);
    } else if (em->unit->kind != SCOPE_MODULE) {
        new_register(em, NAME_NONE); /* a class's names, or `.0` */
    }
    plain_variables(em, em->unit, VAR_LOCAL);
    plain_variables(em, em->unit, VAR_CELL);
    comprehension_variables(em);
    bool far = em->varnames.count > EMIT_NEAR;
    em->top = far ? EMIT_NEAR : em->varnames.count;
    em->high =
        far && em->varnames.count > EMIT_REGS ? em->varnames.count : em->top;
    if (far && em->high < EMIT_REGS) em->high = EMIT_REGS;
}

/* A comprehension's variables start without a value. The targets of its first
 * `for` get one before anything can read them. */
void name_open_scope(struct emitter *em, struct scope *s) {
    em->scope = s;
    const struct nodes *l = s->node->kind == N_DictComp
                                ? s->node->as.dict_comp.generators
                                : s->node->as.comp.generators;
    for (uint32_t i = 0; i < s->nvars; i++) {
        struct variable *v = &s->vars[i];
        if (v->home != s) continue;
        bool cell = v->place == VAR_CELL;
        set_assigned(em, v, false);
        if (cell || l->count > 1) emit_abc(em, OP_UNSET, v->number, 0, 0);
        if (cell) emit_abc(em, OP_MKCELL, v->number, v->number, 0);
    }
}

void name_close_scope(struct emitter *em) {
    em->scope = em->scope->parent;
}

/* -- cells for inner units ------------------------------------------------ */

static uint16_t capture(struct emitter *em, uint32_t name) {
    for (const struct scope *s = em->scope;; s = s->parent) {
        const struct variable *v = scope_find(s, name);
        if (v && v->place == VAR_CELL && (!v->home || v->home == s))
            return v->number;
        if (s == em->unit) break;
    }
    for (uint32_t i = 0; i < em->unit->nfree; i++)
        if (em->unit->free[i] == name) return (uint16_t)(0x8000 | i);
    emit_fail(em, "cannot capture '%.*s'",
              STR_ARG(name_text(&em->c->ast->names, name)));
    return 0;
}

const uint16_t *name_captures(struct emitter *em, const struct scope *unit) {
    struct compiler *c = em->c;
    if (unit->nfree == 0 || c->failed) return NULL;
    uint16_t *out = arena_alloc(c->arena, unit->nfree * sizeof *out, c->e);
    if (!out) c->failed = true;
    for (uint32_t i = 0; out && i < unit->nfree; i++)
        out[i] = capture(em, unit->free[i]);
    return out;
}

/* -- loads ---------------------------------------------------------------- */

static unsigned destination(struct emitter *em, int want) {
    return want == ANY ? emit_temp(em, 1) : (unsigned)want;
}

static void move_far(struct emitter *em, unsigned to, unsigned from) {
    emit_abc(em, OP_MOVX, 0, 0, 0);
    emit_word(em, to | from << 16);
}

static int load_local(struct emitter *em, struct variable *v, int want) {
    unsigned reg = v->number;
    if (reg >= EMIT_REGS) {
        unsigned to = destination(em, want);
        move_far(em, to, reg);
        emit_abx(em, OP_CHECK, to, v->number);
        return (int)to;
    }
    bool sure = is_assigned(em, v) && !(v->flags & VAR_DELETED);
    if (!sure) {
        emit_abx(em, OP_CHECK, reg, v->number);
        set_assigned(em, v, true);
    }
    if (want == ANY && !(v->flags & VAR_WALRUS)) return (int)reg;
    unsigned to = destination(em, want);
    if (to != reg) emit_abc(em, OP_MOVE, to, reg, 0);
    return (int)to;
}

int name_load(struct emitter *em, const struct node *n, uint32_t name,
              int want) {
    struct variable *v = mention(em, name), *own = name_variable(em, name);
    emit_at(em, n);
    enum var_place place = v ? (enum var_place)v->place : VAR_GLOBAL;
    if (place == VAR_LOCAL) return load_local(em, own, want);
    unsigned to = destination(em, want);
    switch (place) {
    case VAR_CELL: emit_abc(em, OP_GETCELL, to, own->number, 0); break;
    case VAR_FREE: emit_abc(em, OP_GETFREE, to, v->number, 0); break;
    case VAR_NAME: emit_abx(em, OP_GETN, to, emit_name(em, name)); break;
    case VAR_NAME_FREE: emit_abc(em, OP_GETFREEN, to, v->number, 0); break;
    case VAR_LOCAL:
    case VAR_UNRESOLVED:
    case VAR_GLOBAL:
        emit_abx(em, OP_GETG, to, (unsigned)emit_global(em, name));
        break;
    }
    return (int)to;
}

/* -- stores --------------------------------------------------------------- */

static void store_local(struct emitter *em, struct variable *v, unsigned reg) {
    if (v->number >= EMIT_REGS)
        move_far(em, v->number, reg);
    else if (v->number != reg)
        emit_abc(em, OP_MOVE, v->number, reg, 0);
    set_assigned(em, v, true);
}

void name_store(struct emitter *em, uint32_t name, unsigned reg) {
    struct variable *v = mention(em, name), *own = name_variable(em, name);
    switch (v ? (enum var_place)v->place : VAR_GLOBAL) {
    case VAR_LOCAL: store_local(em, own, reg); break;
    case VAR_CELL: emit_abc(em, OP_SETCELL, own->number, reg, 0); break;
    case VAR_FREE: emit_abc(em, OP_SETFREE, reg, v->number, 0); break;
    case VAR_NAME:
    case VAR_NAME_FREE: emit_abx(em, OP_SETN, reg, emit_name(em, name)); break;
    case VAR_UNRESOLVED:
    case VAR_GLOBAL:
        emit_abx(em, OP_SETG, reg, (unsigned)emit_global(em, name));
        break;
    }
}

static void delete_local(struct emitter *em, struct variable *v) {
    if (v->number >= EMIT_REGS) {
        unsigned t = emit_temp(em, 1);
        move_far(em, t, v->number);
        emit_abx(em, OP_DELVAR, t, v->number);
        move_far(em, v->number, t);
        em->top--;
    } else {
        emit_abx(em, OP_DELVAR, v->number, v->number);
    }
    set_assigned(em, v, false);
}

void name_delete(struct emitter *em, uint32_t name) {
    struct variable *v = mention(em, name), *own = name_variable(em, name);
    switch (v ? (enum var_place)v->place : VAR_GLOBAL) {
    case VAR_LOCAL: delete_local(em, own); break;
    case VAR_CELL: emit_abc(em, OP_DELCELL, own->number, 0, 0); break;
    case VAR_FREE: emit_abc(em, OP_DELFREE, 0, v->number, 0); break;
    case VAR_NAME:
    case VAR_NAME_FREE: emit_abx(em, OP_DELN, 0, emit_name(em, name)); break;
    case VAR_UNRESOLVED:
    case VAR_GLOBAL:
        emit_abx(em, OP_DELG, 0, (unsigned)emit_global(em, name));
        break;
    }
}

/* At the end of `except ... as name`: whether the body deleted it or not. */
void name_unbind(struct emitter *em, uint32_t name) {
    struct variable *v = name_variable(em, name);
    if (v && v->place == VAR_LOCAL && v->number < EMIT_REGS) {
        emit_abc(em, OP_UNSET, v->number, 0, 0);
        set_assigned(em, v, false);
        return;
    }
    unsigned t = emit_temp(em, 1);
    emit_abc(em, OP_LOADNONE, t, 0, 0);
    name_store(em, name, t);
    name_delete(em, name);
    em->top--;
}
