/* SPDX-License-Identifier: MIT
 *
 * Tables of variables, and what each name means once all are known.
 */
#include "lang/scope.h"

#include <string.h>

#include "lang/scoper.h"

enum { FIRST_VARS = 8 };

int scope_bad(struct scoper *sc, const struct node *n, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fault_vset(sc->fault, FAULT_SYNTAX, n->start, n->end, fmt, ap);
    va_end(ap);
    return -1;
}

/* -- tables --------------------------------------------------------------- */

static uint32_t slot_for(const struct scope *s, uint32_t name) {
    uint32_t i = name * 2654435761u & (s->slots - 1);
    while (s->index[i] && s->vars[s->index[i] - 1].name != name)
        i = (i + 1) & (s->slots - 1);
    return i;
}

struct variable *scope_find(const struct scope *s, uint32_t name) {
    if (s->slots) {
        uint32_t at = s->index[slot_for(s, name)];
        return at ? &s->vars[at - 1] : NULL;
    }
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].name == name) return &s->vars[i];
    return NULL;
}

static int grow_vars(struct scoper *sc, struct scope *s) {
    uint32_t cap = s->vars_cap ? s->vars_cap * 2 : FIRST_VARS;
    struct variable *v = arena_alloc(sc->arena, cap * sizeof *v, sc->e);
    uint32_t *index = NULL, slots = cap > FIRST_VARS ? cap * 2 : 0;
    if (slots) index = arena_zalloc(sc->arena, slots, sizeof *index, sc->e);
    if (!v || (slots && !index)) return -1;
    if (s->nvars) memcpy(v, s->vars, s->nvars * sizeof *v);
    s->vars = v;
    s->vars_cap = cap;
    s->index = index;
    s->slots = slots;
    for (uint32_t i = 0; slots && i < s->nvars; i++)
        s->index[slot_for(s, v[i].name)] = i + 1;
    return 0;
}

struct variable *scope_mention(struct scoper *sc, struct scope *s,
                               uint32_t name, unsigned flags) {
    struct variable *v = scope_find(s, name);
    if (!v) {
        if (s->nvars == s->vars_cap && grow_vars(sc, s)) return NULL;
        v = &s->vars[s->nvars++];
        *v = (struct variable){.name = name};
        if (s->slots) s->index[slot_for(s, name)] = s->nvars;
    }
    v->flags = (uint16_t)(v->flags | flags);
    return v;
}

int scope_bind(struct scoper *sc, uint32_t name, unsigned flags) {
    return scope_mention(sc, sc->scope, name, flags | VAR_BOUND) ? 0 : -1;
}

/* `super` needs the class around the function, which __class__ holds. */
int scope_use(struct scoper *sc, uint32_t name) {
    bool in_function = sc->scope->unit->kind == SCOPE_FUNCTION ||
                       sc->scope->unit->kind == SCOPE_GENERATOR;
    if (name == sc->name_super && name && in_function) {
        if (!sc->name_class)
            sc->name_class = name_add(&sc->ast->names, STR("__class__"), sc->e);
        if (!sc->name_class ||
            !scope_mention(sc, sc->scope, sc->name_class, VAR_USED))
            return -1;
    }
    return scope_mention(sc, sc->scope, name, VAR_USED) ? 0 : -1;
}

struct scope *scope_open(struct scoper *sc, enum scope_kind kind,
                         struct node *n) {
    struct scope *s = arena_zalloc(sc->arena, 1, sizeof *s, sc->e);
    if (!s) return NULL;
    s->kind = (uint8_t)kind;
    s->node = n;
    s->parent = sc->scope;
    s->unit = kind == SCOPE_COMPREHENSION ? sc->scope->unit : s;
    s->class_name = sc->scope ? sc->scope->class_name : NAME_NONE;
    if (sc->last) sc->last->next = s;
    if (!sc->first) sc->first = s;
    sc->last = s;
    sc->scope = s;
    return s;
}

void scope_close(struct scoper *sc) {
    sc->scope = sc->scope->parent;
}

/* Leading underscores of the class are dropped; names that end in two
 * underscores or hold a dot stay as they are. */
uint32_t scope_mangle(struct scoper *sc, uint32_t name) {
    if (!sc->scope->class_name) return name;
    str s = scope_text(sc, name), c = scope_text(sc, sc->scope->class_name);
    if (!str_starts(s, STR("__")) || str_ends(s, STR("__")) ||
        str_find_char(s, '.') >= 0)
        return name;
    while (c.n && c.p[0] == '_')
        c = str_sub(c, 1, c.n);
    if (c.n == 0) return name;
    char *text =
        arena_printf(sc->arena, sc->e, "_%.*s%.*s", STR_ARG(c), STR_ARG(s));
    return text ? name_add(&sc->ast->names, str_of(text), sc->e) : NAME_NONE;
}

/* -- resolution ----------------------------------------------------------- */

static int add_free(struct scoper *sc, struct scope *unit, uint32_t name,
                    uint16_t *number) {
    for (uint32_t i = 0; i < unit->nfree; i++)
        if (unit->free[i] == name) {
            *number = (uint16_t)i;
            return 0;
        }
    if (unit->nfree >= 255)
        return scope_bad(sc, unit->node, "too many captured variables");
    if (unit->nfree == unit->free_cap) {
        uint32_t cap = unit->free_cap ? unit->free_cap * 2 : 4;
        uint32_t *list = arena_alloc(sc->arena, cap * sizeof *list, sc->e);
        if (!list) return -1;
        if (unit->nfree) memcpy(list, unit->free, unit->nfree * sizeof *list);
        unit->free = list;
        unit->free_cap = cap;
    }
    *number = (uint16_t)unit->nfree;
    unit->free[unit->nfree++] = name;
    return 0;
}

/* The name's own variable of a scope, if code inside can see it there. */
static struct variable *own(const struct scope *s, uint32_t name) {
    struct variable *v = scope_find(s, name);
    unsigned elsewhere = VAR_IS_GLOBAL | VAR_IS_NONLOCAL;
    return v && v->flags & VAR_BOUND && !(v->flags & elsewhere) ? v : NULL;
}

/* The scope around `s` that has the name as a variable of its own; classes are
 * seen through, except for __class__. *global: it was declared global there. */
static struct scope *search(struct scoper *sc, struct scope *s, uint32_t name,
                            bool *global) {
    *global = false;
    for (s = s->parent; s && s->kind != SCOPE_MODULE; s = s->parent) {
        if (s->kind == SCOPE_CLASS) {
            if (name == sc->name_class && name) {
                s->uses_class_cell = true;
                return s;
            }
            continue;
        }
        struct variable *v = scope_find(s, name);
        if (v && v->flags & VAR_IS_GLOBAL) {
            *global = true;
            return NULL;
        }
        if (own(s, name)) return s;
    }
    return NULL;
}

/* Hands the cell down: every unit between the home and the user gets it. */
static int capture(struct scoper *sc, struct scope *user, struct scope *home,
                   struct variable *v) {
    struct variable *from = scope_find(home, v->name);
    if (!from) from = scope_mention(sc, home, v->name, 0);
    if (!from) return -1;
    from->place = VAR_CELL;
    from->home = home;
    uint16_t number;
    for (struct scope *s = user->unit->parent; s && s->unit != home->unit;
         s = s->unit->parent)
        if (add_free(sc, s->unit, v->name, &number)) return -1;
    return add_free(sc, user->unit, v->name, &v->number);
}

static int resolve_outer(struct scoper *sc, struct scope *s,
                         struct variable *v) {
    bool global, in_class = s->kind == SCOPE_CLASS;
    struct scope *home = search(sc, s, v->name, &global);
    if (home && home->unit == s->unit && home->kind != SCOPE_CLASS) {
        struct variable *from = scope_find(home, v->name);
        v->place = from->place == VAR_UNRESOLVED ? VAR_LOCAL : from->place;
        v->home = home;
        return 0;
    }
    if (!home) {
        v->place = in_class ? VAR_NAME : VAR_GLOBAL;
        return 0;
    }
    bool bound = v->flags & VAR_BOUND && !(v->flags & VAR_IS_NONLOCAL);
    if (in_class && bound) {
        v->place = VAR_NAME;
        return 0;
    }
    v->place =
        in_class && !(v->flags & VAR_IS_NONLOCAL) ? VAR_NAME_FREE : VAR_FREE;
    return capture(sc, s, home, v);
}

static int resolve_one(struct scoper *sc, struct scope *s, struct variable *v) {
    bool bound = v->flags & VAR_BOUND;
    if (v->flags & VAR_IS_GLOBAL || s->kind == SCOPE_MODULE) {
        v->place = VAR_GLOBAL;
        return 0;
    }
    if (v->flags & VAR_IS_NONLOCAL || !bound) return resolve_outer(sc, s, v);
    if (s->kind == SCOPE_CLASS) {
        if (v->place == VAR_UNRESOLVED) v->place = VAR_NAME;
        return 0;
    }
    if (v->place == VAR_UNRESOLVED) v->place = VAR_LOCAL;
    v->home = s;
    return 0;
}

/* A name that a comprehension only reads may become a cell after it was
 * resolved; its place follows that of its home. */
static void follow_homes(struct scope *first) {
    for (struct scope *s = first; s; s = s->next)
        for (uint32_t i = 0; i < s->nvars; i++) {
            struct variable *v = &s->vars[i];
            if (v->home && v->home != s && v->place != VAR_FREE &&
                v->place != VAR_NAME_FREE)
                v->place = scope_find(v->home, v->name)->place;
        }
}

/* Each unit's comprehensions, outermost first. */
static void list_comprehensions(struct scope *first) {
    for (struct scope *s = first; s; s = s->next) {
        if (s->unit == s) continue;
        struct scope *u = s->unit;
        if (u->last_comprehension)
            u->last_comprehension->next_comprehension = s;
        else
            u->comprehensions = s;
        u->last_comprehension = s;
    }
}

static int check_nonlocals(struct scoper *sc) {
    for (struct scope_nonlocal *w = sc->nonlocals; w; w = w->next) {
        const struct idents *l = w->node->as.nonlocal.names;
        bool global;
        for (uint32_t i = 0; i < l->count; i++)
            if (!search(sc, w->scope, l->at[i], &global))
                return scope_bad(sc, w->node,
                                 "no binding for nonlocal '%.*s' found",
                                 STR_ARG(scope_text(sc, l->at[i])));
    }
    return 0;
}

int scope_resolve(struct scoper *sc) {
    if (check_nonlocals(sc)) return -1;
    for (struct scope *s = sc->first; s; s = s->next)
        for (uint32_t i = 0; i < s->nvars; i++)
            if (resolve_one(sc, s, &s->vars[i])) return -1;
    follow_homes(sc->first);
    list_comprehensions(sc->first);
    return 0;
}

int scope_analyse(struct ast *ast, struct arena *a, struct fault *fault,
                  struct err *e) {
    struct name_table *names = &ast->names;
    fault->kind = FAULT_NONE;
    ast->annotations = name_find(names, STR("__annotations__")) != 0;
    struct scoper sc = {
        .ast = ast,
        .arena = a,
        .fault = fault,
        .e = e,
        .name_class = name_find(names, STR("__class__")),
        .name_super = name_find(names, STR("super")),
        .name_future = name_find(names, STR("__future__")),
        .name_debug = name_find(names, STR("__debug__")),
    };
    struct scope *top = scope_open(&sc, SCOPE_MODULE, ast->module);
    if (!top) return -1;
    ast->module->as.module.scope = top;
    if (scope_statements(&sc, ast->module->as.module.body) ||
        scope_resolve(&sc)) {
        if (fault->kind)
            err_set(e, ERR_INVALID, "line %u: %s: %s",
                    place_of(ast->source, fault->start).line,
                    fault_type(fault->kind), fault->text);
        return -1;
    }
    return 0;
}
