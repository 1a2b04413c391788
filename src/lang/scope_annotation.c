/* SPDX-License-Identifier: MIT
 *
 * Annotations. Those of a function are evaluated when its __annotations__ are
 * asked for: they become the body of a lambda that makes the dict, written here
 * as if it stood in the source text. Under `from __future__ import annotations`
 * all are texts.
 */
#include <string.h>

#include "lang/scoper.h"

struct collector {
    struct scoper *sc;
    struct nodes *keys, *values; /* NULL while they are counted */
    uint32_t n;
};

static struct node *text_node(struct scoper *sc, str text,
                              const struct node *at) {
    struct node *n = node_new(sc->arena, N_Constant, at->start, at->end, sc->e);
    if (!n) return NULL;
    n->as.constant.value.kind = CONST_STR;
    n->as.constant.value.as.text = text;
    return n;
}

/* -- as text ------------------------------------------------------------------
 *
 * CPython writes the tree out again; we take what stands there, with the quotes
 * and spaces that it would write.
 */

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Past a string literal; one that both quotes can be around has single ones. */
static size_t put_string(str from, size_t at, char *to, size_t *n) {
    char quote = from.p[at];
    size_t end = at + 1;
    bool plain = true;
    for (; end < from.n && from.p[end] != quote; end++) {
        plain = plain && from.p[end] != '\'' && from.p[end] != '\\';
        if (from.p[end] == '\\') end++;
    }
    if (end >= from.n) end = from.n - 1;
    memcpy(to + *n, from.p + at, end + 1 - at);
    if (plain && end > at + 1) to[*n] = to[*n + end - at] = '\'';
    *n += end + 1 - at;
    return end + 1;
}

static size_t put_spaced(str from, char *to) {
    size_t n = 0;
    for (size_t i = 0; i < from.n;) {
        char c = from.p[i];
        bool opens = n > 0 && (to[n - 1] == '[' || to[n - 1] == '(');
        if (c == '"' || c == '\'') {
            i = put_string(from, i, to, &n);
            continue;
        }
        i++;
        if (is_space(c) && (opens || (n > 0 && to[n - 1] == ' '))) continue;
        if ((c == ']' || c == ')' || c == ',') && n > 0 && to[n - 1] == ' ')
            n--;
        if (c == '|' && n > 0 && to[n - 1] != ' ') to[n++] = ' ';
        to[n++] = is_space(c) ? ' ' : c;
        if (c == '|') to[n++] = ' ';
    }
    return n;
}

int scope_as_text(struct scoper *sc, struct node **expr) {
    str from = str_sub(sc->ast->source, (*expr)->start, (*expr)->end);
    char *text = arena_alloc(sc->arena, from.n * 3 + 1, sc->e);
    if (!text) return -1;
    *expr = text_node(sc, (str){text, put_spaced(from, text)}, *expr);
    return *expr ? 0 : -1;
}

/* -- of functions -------------------------------------------------------------
 */

/* `*args: *Ts` is not kept. */
static int collect(struct collector *c, str name, struct node *annotation) {
    if (!annotation || annotation->kind == N_Starred) return 0;
    if (c->keys) {
        c->values->at[c->n] = annotation;
        c->keys->at[c->n] = text_node(c->sc, name, annotation);
        if (!c->keys->at[c->n]) return -1;
        if (c->sc->as_text && scope_as_text(c->sc, &c->values->at[c->n]))
            return -1;
    }
    c->n++;
    return 0;
}

static int collect_arg(struct collector *c, const struct node *arg) {
    if (!arg) return 0;
    return collect(c, scope_text(c->sc, arg->as.arg.arg),
                   arg->as.arg.annotation);
}

static int collect_args(struct collector *c, const struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        if (collect_arg(c, l->at[i])) return -1;
    return 0;
}

/* In CPython's order. */
static int collect_all(struct collector *c, const struct node_FunctionDef *f) {
    const struct node_arguments *a = &f->args->as.arguments;
    return collect_args(c, a->args) || collect_args(c, a->posonlyargs) ||
                   collect_arg(c, a->vararg) ||
                   collect_args(c, a->kwonlyargs) || collect_arg(c, a->kwarg) ||
                   collect(c, STR("return"), f->returns)
               ? -1
               : 0;
}

static struct nodes *room(struct scoper *sc, uint32_t n) {
    struct nodes *l =
        arena_alloc(sc->arena, sizeof *l + n * sizeof(struct node *), sc->e);
    if (l) l->count = n;
    return l;
}

static struct node *lambda_of(struct scoper *sc, struct node *body) {
    struct node *l =
        node_new(sc->arena, N_Lambda, body->start, body->end, sc->e);
    struct node *args =
        node_new(sc->arena, N_arguments, body->start, body->start, sc->e);
    if (!l || !args) return NULL;
    l->as.lambda.args = args;
    l->as.lambda.body = body;
    return l;
}

int scope_lazily(struct scoper *sc, struct node **expr) {
    struct node *lambda = lambda_of(sc, *expr);
    if (!lambda) return -1;
    struct node_Lambda *l = &lambda->as.lambda;
    *expr = lambda;
    return scope_function(sc, lambda, l->args, NULL, l->body, &l->scope);
}

static struct node *dict_of(struct collector *c, const struct node *def) {
    struct scoper *sc = c->sc;
    struct node *dict =
        node_new(sc->arena, N_Dict, def->start, def->end, sc->e);
    if (!dict) return NULL;
    dict->as.dict.keys = c->keys;
    dict->as.dict.values = c->values;
    return dict;
}

int scope_annotations(struct scoper *sc, struct node *def) {
    const struct node_FunctionDef *f = &def->as.func;
    struct collector c = {.sc = sc};
    if (collect_all(&c, f)) return -1;
    if (c.n == 0) return 0;
    c.keys = room(sc, c.n);
    c.values = room(sc, c.n);
    c.n = 0;
    if (!c.keys || !c.values || collect_all(&c, f)) return -1;
    struct node *made = dict_of(&c, def);
    if (!made || scope_lazily(sc, &made)) return -1;
    f->scope->annotate = made;
    return 0;
}

bool scope_keeps_annotations(const struct ast *ast, const struct scope *s) {
    if (s->kind == SCOPE_CLASS) return true;
    return s->kind == SCOPE_MODULE && ast->annotations;
}
