/* SPDX-License-Identifier: MIT
 *
 * Simple statements: those that end with their line.
 */
#include "lang/parser.h"

/* -- assignment ----------------------------------------------------------- */

static bool is_augmented(enum token_kind k) {
    return k >= TOK_PLUS_ASSIGN && k <= TOK_CARET_ASSIGN;
}

static struct node *annotated(struct parser *p, struct node *target,
                              uint32_t start) {
    if (target->kind == N_Tuple || target->kind == N_List) {
        bool paren = target->kind == N_List || target->flags & NODE_PAREN;
        const struct node *at = paren ? target : target->as.tuple.elts->at[0];
        return parse_bad_node(p, at,
                              "only single target (not %s) can be annotated",
                              parse_expr_name(target));
    }
    if (target->kind != N_Name && target->kind != N_Attribute &&
        target->kind != N_Subscript)
        return parse_bad_node(p, target, "illegal target for annotation");
    parse_advance(p);
    struct node *annotation = parse_expression(p), *value = NULL;
    if (!annotation) return NULL;
    if (parse_accept(p, TOK_ASSIGN) && !(value = parse_yield_or_star(p)))
        return NULL;
    struct node *n = parse_make(p, N_AnnAssign, start);
    if (!n || parse_set_target(p, target, STORE)) return NULL;
    n->as.ann.target = target;
    n->as.ann.annotation = annotation;
    n->as.ann.value = value;
    n->number = target->kind == N_Name && !(target->flags & NODE_PAREN);
    return n;
}

static struct node *augmented(struct parser *p, struct node *target,
                              uint32_t start) {
    unsigned op = kind(p) - TOK_PLUS_ASSIGN;
    if (target->kind != N_Name && target->kind != N_Attribute &&
        target->kind != N_Subscript)
        return parse_bad_node(p, target,
                              "'%s' is an illegal expression for augmented "
                              "assignment",
                              parse_expr_name(target));
    parse_advance(p);
    struct node *value = parse_yield_or_star(p);
    struct node *n = value ? parse_make(p, N_AugAssign, start) : NULL;
    if (!n || parse_set_target(p, target, STORE)) return NULL;
    n->op = (uint8_t)op;
    n->as.aug.target = target;
    n->as.aug.value = value;
    return n;
}

/* `f() = 1` and the like. CPython looks at each expression before the "="
 * with the question whether a comparison was meant; only what is written
 * without brackets of its own is asked. */
static int check_assigned(struct parser *p, struct node *target, bool first) {
    struct node *bad = parse_bad_target(target, STORE);
    if (!bad) return 0;
    if (bad->kind == N_Yield || bad->kind == N_YieldFrom) {
        if (bad == target && !(bad->flags & NODE_PAREN)) {
            parse_bad_node(p, bad,
                           "assignment to yield expression not possible");
            return -1;
        }
    }
    struct node *last = target;
    if (target->kind == N_Tuple && !(target->flags & NODE_PAREN))
        last = target->as.tuple.elts->at[target->as.tuple.elts->count - 1];
    uint32_t i = p->at, depth = cur(p)->depth;
    while (++i < p->ntokens && p->tokens[i].kind != TOK_NEWLINE)
        if (p->tokens[i].kind == TOK_ASSIGN && p->tokens[i].depth == depth)
            first = false; /* a chain: not a comparison */
    bool word =
        bad->kind == N_Constant && bad->as.constant.value.kind < CONST_ELLIPSIS;
    bool asked = bad->kind != N_GeneratorExp && !word;
    bool tight = last->kind != N_Compare && last->kind != N_BoolOp &&
                 last->kind != N_IfExp && last->kind != N_Lambda &&
                 !(last->kind == N_UnaryOp && last->op == UNARY_NOT);
    if (first && last == bad && asked && tight) {
        parse_bad_node(
            p, bad,
            "cannot assign to %s here. Maybe you meant '==' instead of "
            "'='?",
            parse_expr_name(bad));
    } else if (first && last->kind == N_Name && last != target) {
        parse_advance(p);
        struct node *value = parse_bitwise_or(p);
        if (value)
            parse_bad_span(
                p, last->start, value->end,
                "invalid syntax. Maybe you meant '==' or ':=' instead of "
                "'='?");
    }
    parse_bad_node(p, bad, "cannot assign to %s", parse_expr_name(bad));
    return -1;
}

static struct node *assignment(struct parser *p, struct node *target,
                               uint32_t start) {
    uint32_t m = p->nitems;
    struct node *value = target;
    while (kind(p) == TOK_ASSIGN) {
        if (check_assigned(p, value, value == target)) return NULL;
        if (parse_set_target(p, value, STORE) || parse_push(p, value))
            return NULL;
        parse_advance(p);
        value = parse_yield_or_star(p);
        if (!value) return NULL;
    }
    struct node *n = parse_make(p, N_Assign, start);
    if (!n || parse_take_list(p, m, &n->as.assign.targets)) return NULL;
    n->as.assign.value = value;
    return n;
}

/* `print x`, `exec "..."`. */
static bool legacy_call(struct parser *p, const struct node *n,
                        uint32_t start) {
    if (n->kind != N_Name || n->flags & NODE_PAREN) return false;
    str name = name_text(&p->names, n->as.name.id);
    if (!str_is(name, "print") && !str_is(name, "exec")) return false;
    if (!parse_starts_expression(p)) return false;
    struct node *value = parse_star_expressions(p);
    if (!value) return true;
    parse_bad_span(p, start, value->end,
                   "Missing parentheses in call to '%.*s'. Did you mean "
                   "%.*s(...)?",
                   STR_ARG(name), STR_ARG(name));
    return true;
}

static struct node *expression_statement(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct node *first = parse_yield_or_star(p);
    if (!first) return NULL;
    if (kind(p) == TOK_ASSIGN) return assignment(p, first, start);
    bool yields = first->kind == N_Yield || first->kind == N_YieldFrom;
    if (kind(p) == TOK_COLON && !(yields && !(first->flags & NODE_PAREN)))
        return annotated(p, first, start);
    if (is_augmented(kind(p))) return augmented(p, first, start);
    if (legacy_call(p, first, start)) return NULL;
    struct node *n = parse_make(p, N_Expr, start);
    if (n) n->as.expr.value = first;
    return n;
}

/* -- statements with a keyword -------------------------------------------- */

static bool ends_statement(const struct parser *p) {
    return kind(p) == TOK_NEWLINE || kind(p) == TOK_SEMICOLON ||
           kind(p) == TOK_END;
}

static struct node *bare(struct parser *p, enum node_kind k) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    return parse_make(p, k, start);
}

static struct node *return_statement(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *value = NULL;
    if (!ends_statement(p) && !(value = parse_star_expressions(p))) return NULL;
    struct node *n = parse_make(p, N_Return, start);
    if (n) n->as.ret.value = value;
    return n;
}

static struct node *raise_statement(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *exc = NULL, *cause = NULL;
    if (!ends_statement(p) && !(exc = parse_expression(p))) return NULL;
    if (exc && parse_accept(p, TOK_FROM) && !(cause = parse_expression(p)))
        return NULL;
    struct node *n = parse_make(p, N_Raise, start);
    if (!n) return NULL;
    n->as.raise.exc = exc;
    n->as.raise.cause = cause;
    return n;
}

static struct node *assert_statement(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *test = parse_expression(p), *msg = NULL;
    if (!test) return NULL;
    if (parse_accept(p, TOK_COMMA) && !(msg = parse_expression(p))) return NULL;
    struct node *n = parse_make(p, N_Assert, start);
    if (!n) return NULL;
    n->as.assert_.test = test;
    n->as.assert_.msg = msg;
    return n;
}

static struct node *del_statement(struct parser *p) {
    uint32_t start = cur(p)->start, m = p->nitems;
    parse_advance(p);
    do {
        if (p->nitems > m && ends_statement(p)) break;
        struct node *t =
            kind(p) == TOK_STAR ? parse_star_named(p) : parse_expression(p);
        if (!t || parse_push(p, t)) return NULL;
    } while (parse_accept(p, TOK_COMMA));
    if (!ends_statement(p)) return parse_bad_token(p);
    for (uint32_t i = m; i < p->nitems; i++)
        if (parse_set_target(p, p->items[i], DEL)) return NULL;
    struct node *n = parse_make(p, N_Delete, start);
    if (!n || parse_take_list(p, m, &n->as.del.targets)) return NULL;
    return n;
}

static struct node *scope_statement(struct parser *p, enum node_kind k) {
    uint32_t start = cur(p)->start, count = 0;
    parse_advance(p);
    for (uint32_t i = 0; parse_ahead(p, i) == TOK_NAME; i += 2) {
        count++;
        if (parse_ahead(p, i + 1) != TOK_COMMA) break;
    }
    struct idents *l =
        arena_alloc(p->arena, sizeof *l + count * sizeof l->at[0], p->e);
    if (!l) return NULL;
    l->count = 0;
    do {
        uint32_t name = parse_take_name(p);
        if (!name) return NULL;
        l->at[l->count++] = name;
    } while (parse_accept(p, TOK_COMMA));
    struct node *n = parse_make(p, k, start);
    if (n) n->as.global.names = l; /* the same part in both kinds */
    return n;
}

/* -- import --------------------------------------------------------------- */

/* "a.b.c" as one name. */
static uint32_t dotted_name(struct parser *p) {
    struct token t = *cur(p);
    uint32_t name = parse_take_name(p);
    if (!name || kind(p) != TOK_DOT) return name;
    bool tight = true; /* no blanks: the text itself is the name */
    while (kind(p) == TOK_DOT) {
        tight &= cur(p)->start == p->last_end;
        parse_advance(p);
        tight &= cur(p)->start == p->last_end;
        if (kind(p) != TOK_NAME) return parse_bad_token(p), NAME_NONE;
        t.end = cur(p)->end;
        parse_advance(p);
    }
    if (tight) return parse_intern(p, &t);
    char *text = arena_alloc(p->arena, t.end - t.start, p->e);
    if (!text) return NAME_NONE;
    size_t n = 0;
    for (uint32_t i = t.start; i < t.end; i++)
        if (p->text.p[i] != ' ' && p->text.p[i] != '\t')
            text[n++] = p->text.p[i];
    return name_add(&p->names, (str){text, n}, p->e);
}

static struct node *alias(struct parser *p, bool dotted) {
    uint32_t start = cur(p)->start;
    uint32_t name = dotted ? dotted_name(p) : parse_take_name(p), asname = 0;
    if (!name) return NULL;
    if (parse_accept(p, TOK_AS) && !(asname = parse_take_name(p))) return NULL;
    struct node *n = parse_make(p, N_alias, start);
    if (!n) return NULL;
    n->as.alias.name = name;
    n->as.alias.asname = asname;
    return n;
}

static struct node *import_statement(struct parser *p) {
    uint32_t start = cur(p)->start, m = p->nitems;
    parse_advance(p);
    do {
        struct node *a = alias(p, true);
        if (!a || parse_push(p, a)) return NULL;
    } while (parse_accept(p, TOK_COMMA));
    struct node *n = parse_make(p, N_Import, start);
    if (!n || parse_take_list(p, m, &n->as.import.names)) return NULL;
    return n;
}

static int import_star(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *n = parse_make(p, N_alias, start);
    if (!n) return -1;
    n->as.alias.name = name_add(&p->names, STR("*"), p->e);
    return n->as.alias.name ? parse_push(p, n) : -1;
}

static int import_names(struct parser *p) {
    if (kind(p) == TOK_STAR) return import_star(p);
    bool paren = parse_accept(p, TOK_LPAREN);
    do {
        if (paren && kind(p) == TOK_RPAREN) break;
        if (!paren && kind(p) == TOK_NEWLINE && p->nitems) {
            const struct token *t = cur(p);
            parse_bad_span(p, t->start, t->start + 1,
                           "trailing comma not allowed without surrounding "
                           "parentheses");
            return -1;
        }
        struct node *a = alias(p, false);
        if (!a || parse_push(p, a)) return -1;
    } while (parse_accept(p, TOK_COMMA));
    return paren ? parse_expect(p, TOK_RPAREN) : 0;
}

static struct node *from_statement(struct parser *p) {
    uint32_t start = cur(p)->start, level = 0, module = NAME_NONE;
    parse_advance(p);
    for (; kind(p) == TOK_DOT || kind(p) == TOK_ELLIPSIS; parse_advance(p))
        level += kind(p) == TOK_DOT ? 1 : 3;
    if ((level == 0 || kind(p) != TOK_IMPORT) && !(module = dotted_name(p)))
        return NULL;
    if (parse_expect(p, TOK_IMPORT)) return NULL;
    uint32_t m = p->nitems;
    if (kind(p) == TOK_NEWLINE) return parse_bad_token(p);
    if (import_names(p)) return NULL;
    if (p->nitems == m) return parse_bad_token(p);
    struct node *n = parse_make(p, N_ImportFrom, start);
    if (!n || parse_take_list(p, m, &n->as.from.names)) return NULL;
    n->number = level;
    n->as.from.module = module;
    return n;
}

/* -- type ----------------------------------------------------------------- */

/* `type X[T] = ...`: a name behind the soft keyword decides. */
static bool is_type_statement(const struct parser *p) {
    return parse_is_word(p, 0, "type") && parse_ahead(p, 1) == TOK_NAME &&
           (parse_ahead(p, 2) == TOK_ASSIGN ||
            parse_ahead(p, 2) == TOK_LBRACKET);
}

static struct node *type_statement(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *name = parse_atom(p);
    struct nodes *params;
    if (!name || parse_set_target(p, name, STORE) ||
        parse_type_parameters(p, &params) || parse_expect(p, TOK_ASSIGN))
        return NULL;
    struct node *value = parse_expression(p);
    struct node *n = value ? parse_make(p, N_TypeAlias, start) : NULL;
    if (!n) return NULL;
    n->as.type_alias.name = name;
    n->as.type_alias.type_params = params;
    n->as.type_alias.value = value;
    return n;
}

/* -- a line --------------------------------------------------------------- */

static struct node *simple(struct parser *p) {
    enum token_kind k = kind(p);
    if (k == TOK_NAME && is_type_statement(p)) return type_statement(p);
    if (k == TOK_RETURN) return return_statement(p);
    if (k == TOK_IMPORT) return import_statement(p);
    if (k == TOK_FROM) return from_statement(p);
    if (k == TOK_RAISE) return raise_statement(p);
    if (k == TOK_PASS) return bare(p, N_Pass);
    if (k == TOK_DEL) return del_statement(p);
    if (k == TOK_ASSERT) return assert_statement(p);
    if (k == TOK_BREAK) return bare(p, N_Break);
    if (k == TOK_CONTINUE) return bare(p, N_Continue);
    if (k == TOK_GLOBAL) return scope_statement(p, N_Global);
    if (k == TOK_NONLOCAL) return scope_statement(p, N_Nonlocal);
    return expression_statement(p);
}

int parse_simple_line(struct parser *p) {
    do {
        if (kind(p) == TOK_NEWLINE) break;
        struct node *n = simple(p);
        if (!n || parse_push(p, n)) return -1;
    } while (parse_accept(p, TOK_SEMICOLON));
    return parse_expect(p, TOK_NEWLINE);
}
