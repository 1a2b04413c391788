/* SPDX-License-Identifier: MIT
 *
 * What is certain about the names of a module.
 */
#include "lang/checker.h"

static void walk(struct checker *ck, const struct node *n, bool top);

const struct fact *check_fact(const struct checker *ck, uint32_t name) {
    static const struct fact none;
    return name < ck->nfacts ? &ck->facts[name] : &none;
}

static struct fact *bind(struct checker *ck, uint32_t name) {
    static struct fact nowhere;
    if (!name || name >= ck->nfacts) return &nowhere;
    ck->facts[name].binds++;
    return &ck->facts[name];
}

static void walk_list(struct checker *ck, const struct nodes *l, bool top) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        if (l->at[i]) walk(ck, l->at[i], top);
}

/* Names that let a program make others. */
static void note_dynamic(struct checker *ck, uint32_t name) {
    static const char *const words[] = {"globals", "locals", "vars",
                                        "exec",    "eval",   NULL};
    str s = check_text(ck, name);
    for (size_t i = 0; words[i]; i++)
        if (str_is(s, words[i])) ck->dynamic = true;
}

static void import(struct checker *ck, const struct node *n, bool top) {
    const struct nodes *l = n->as.import.names;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct node_alias *a = &l->at[i]->as.alias;
        str rest = check_text(ck, a->name), first = str_cut(&rest, '.');
        uint32_t name =
            a->asname ? a->asname : name_find(&ck->ast->names, first);
        struct fact *f = bind(ck, name);
        bool whole = a->asname || !rest.p;
        if (top && whole) {
            f->kind = FACT_MODULE;
            f->module = a->name;
        }
    }
}

static void import_from(struct checker *ck, const struct node *n, bool top) {
    const struct nodes *l = n->as.from.names;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct node_alias *a = &l->at[i]->as.alias;
        if (str_is(check_text(ck, a->name), "*")) ck->dynamic = true;
        struct fact *f = bind(ck, a->asname ? a->asname : a->name);
        if (!top || n->number) continue;
        f->kind = FACT_MEMBER;
        f->module = n->as.from.module;
        f->member = a->name;
    }
}

static void function(struct checker *ck, const struct node *n, bool top) {
    struct fact *f = bind(ck, n->as.func.name);
    if (!top || n->as.func.decorators) return;
    f->kind = FACT_FUNCTION;
    f->args = n->as.func.args;
}

static void own_binding(struct checker *ck, const struct node *n, bool top) {
    switch (n->kind) {
    case N_Name:
        if (n->op != LOAD)
            bind(ck, n->as.name.id);
        else
            note_dynamic(ck, n->as.name.id);
        break;
    case N_FunctionDef:
    case N_AsyncFunctionDef: function(ck, n, top); break;
    case N_ClassDef: bind(ck, n->as.class_def.name); break;
    case N_Import: import(ck, n, top); break;
    case N_ImportFrom: import_from(ck, n, top); break;
    case N_ExceptHandler: bind(ck, n->as.handler.name); break;
    case N_arg: bind(ck, n->as.arg.arg); break;
    case N_MatchAs: bind(ck, n->as.match_as.name); break;
    case N_MatchStar: bind(ck, n->as.match_star.name); break;
    case N_MatchMapping: bind(ck, n->as.match_mapping.rest); break;
    case N_TypeVar:
    case N_ParamSpec:
    case N_TypeVarTuple: bind(ck, n->as.type_var.name); break;
    default: break;
    }
}

/* Facts hold only for what the module's own statements bind: `top`. Left sides
 * and elifs, which can be long, are walked in a loop. */
static void walk(struct checker *ck, const struct node *n, bool top) {
    while (n) {
        const struct node *next = node_left(n);
        bool elif = n->kind == N_If && n->as.cond.orelse &&
                    n->as.cond.orelse->at[0]->flags & NODE_ELIF;
        if (elif) next = n->as.cond.orelse->at[0];
        own_binding(ck, n, top);
        top = top && n->kind == N_Module;
        const struct part *p = node_parts((enum node_kind)n->kind);
        for (; p->name; p++) {
            const char *at = (const char *)n + p->offset;
            if (p->kind == PART_ONE) {
                const struct node *one = *(struct node *const *)at;
                if (one && one != next) walk(ck, one, top);
            } else if (p->kind == PART_MANY) {
                const struct nodes *l = *(struct nodes *const *)at;
                if (!(elif && l == n->as.cond.orelse)) walk_list(ck, l, top);
            }
        }
        n = next;
    }
}

int check_facts(struct checker *ck) {
    ck->nfacts = ck->ast->names.count;
    if (ck->nfacts == 0) return 0;
    ck->facts = arena_zalloc(ck->arena, ck->nfacts, sizeof *ck->facts, ck->e);
    if (!ck->facts) return -1;
    const struct nodes *body = ck->ast->module->as.module.body;
    walk_list(ck, body, true);
    return 0;
}
