/* SPDX-License-Identifier: MIT
 *
 * Compound statements: those with a block.
 */
#include "lang/parser.h"

int parse_colon(struct parser *p) {
    if (parse_accept(p, TOK_COLON)) return 0;
    const struct token *t = cur(p);
    if (t->kind == TOK_NEWLINE)
        parse_bad_span(p, t->start, t->start + 1, "expected ':'");
    parse_bad_token(p);
    return -1;
}

/* The block behind a header's colon. `what` and the header's offset word the
 * complaint when there is none. */
int parse_block(struct parser *p, uint32_t header, const char *what,
                struct nodes **out) {
    uint32_t mark = p->nitems;
    if (kind(p) != TOK_NEWLINE)
        return parse_simple_line(p) ? -1 : parse_take_list(p, mark, out);
    parse_advance(p);
    if (!parse_accept(p, TOK_INDENT)) {
        parse_bad_indent(p, "expected an indented block after %s on line %u",
                         what, place_of(p->text, header).line);
        return -1;
    }
    while (!parse_accept(p, TOK_DEDENT)) {
        if (kind(p) == TOK_END) break;
        if (parse_statement(p)) return -1;
    }
    return parse_take_list(p, mark, out);
}

/* "else:" where there is one. */
static int else_block(struct parser *p, struct nodes **out) {
    uint32_t at = cur(p)->start;
    *out = NULL;
    if (!parse_accept(p, TOK_ELSE)) return 0;
    if (parse_expect_forced(p, TOK_COLON)) return -1;
    return parse_block(p, at, "'else' statement", out);
}

/* -- if, while, for ------------------------------------------------------- */

/* One if or elif with its block; its orelse is the caller's. */
static struct node *if_part(struct parser *p, const char *what) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *test = parse_named_expression(p);
    struct nodes *body;
    if (!test || parse_colon(p) || parse_block(p, start, what, &body))
        return NULL;
    struct node *n = parse_make(p, N_If, start);
    if (!n) return NULL;
    n->as.cond.test = test;
    n->as.cond.body = body;
    return n;
}

static int list_of_one(struct parser *p, struct node *n, struct nodes **out) {
    uint32_t mark = p->nitems;
    return parse_push(p, n) ? -1 : parse_take_list(p, mark, out);
}

/* A chain of elifs is read in a loop; ends are known only at its end. */
static struct node *if_statement(struct parser *p) {
    struct node *first = if_part(p, "'if' statement"), *last = first;
    while (last && kind(p) == TOK_ELIF) {
        struct node *next = if_part(p, "'elif' statement");
        if (!next || list_of_one(p, next, &last->as.cond.orelse)) return NULL;
        next->flags |= NODE_ELIF;
        last = next;
    }
    if (!last || else_block(p, &last->as.cond.orelse)) return NULL;
    last->end = p->last_end;
    for (struct node *n = first; n != last; n = n->as.cond.orelse->at[0])
        n->end = last->end;
    return first;
}

static struct node *while_statement(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *test = parse_named_expression(p);
    struct nodes *body, *orelse;
    if (!test || parse_colon(p) ||
        parse_block(p, start, "'while' statement", &body) ||
        else_block(p, &orelse))
        return NULL;
    struct node *n = parse_make(p, N_While, start);
    if (!n) return NULL;
    n->as.loop_while.test = test;
    n->as.loop_while.body = body;
    n->as.loop_while.orelse = orelse;
    return n;
}

static struct node *for_statement(struct parser *p, uint32_t start,
                                  bool async) {
    uint32_t header = cur(p)->start;
    parse_advance(p);
    struct node *target = parse_for_target(p);
    if (!target || parse_expect(p, TOK_IN)) return NULL;
    struct node *iter = parse_star_expressions(p);
    struct nodes *body, *orelse;
    if (!iter || parse_colon(p) ||
        parse_block(p, header, "'for' statement", &body) ||
        else_block(p, &orelse))
        return NULL;
    struct node *n = parse_make(p, async ? N_AsyncFor : N_For, start);
    if (!n) return NULL;
    n->as.loop.target = target; /* the same parts in both kinds */
    n->as.loop.iter = iter;
    n->as.loop.body = body;
    n->as.loop.orelse = orelse;
    return n;
}

/* -- with ----------------------------------------------------------------- */

/* "with (" opens a list of items if the matching ")" is followed by ":" and
 * something in it cannot be a tuple or group; "(a, b)" is a list too. */
static bool with_parenthesised(const struct parser *p) {
    uint32_t depth = cur(p)->depth, i = p->at + 1;
    bool as = false, generator = false, yields = false;
    for (; i < p->ntokens; i++) {
        const struct token *t = &p->tokens[i];
        if (t->kind == TOK_RPAREN && t->depth == depth + 1) break;
        if (t->depth != depth + 1) continue;
        as |= t->kind == TOK_AS;
        generator |= t->kind == TOK_FOR && !as;
        yields |= t->kind == TOK_YIELD || t->kind == TOK_WALRUS;
    }
    bool empty = i == p->at + 1;
    bool closes = i + 1 < p->ntokens && p->tokens[i + 1].kind == TOK_COLON;
    return !empty && (as || (closes && !generator && !yields));
}

static struct node *with_item(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct node *expr = parse_expression(p), *vars = NULL;
    if (!expr) return NULL;
    if (parse_accept(p, TOK_AS) && !(vars = parse_with_target(p))) return NULL;
    struct node *n = parse_make(p, N_withitem, start);
    if (!n) return NULL;
    n->as.withitem.context_expr = expr;
    n->as.withitem.optional_vars = vars;
    return n;
}

static int with_items(struct parser *p, struct nodes **out) {
    uint32_t mark = p->nitems;
    bool paren = kind(p) == TOK_LPAREN && with_parenthesised(p);
    if (paren) parse_advance(p);
    do {
        if (paren && p->nitems > mark && kind(p) == TOK_RPAREN) break;
        struct node *n = with_item(p);
        if (!n || parse_push(p, n)) return -1;
    } while (parse_accept(p, TOK_COMMA));
    if (paren && kind(p) != TOK_RPAREN) return parse_bad_list(p), -1;
    if (paren) parse_advance(p);
    return parse_take_list(p, mark, out);
}

static struct node *with_statement(struct parser *p, uint32_t start,
                                   bool async) {
    uint32_t header = cur(p)->start;
    struct nodes *items, *body;
    parse_advance(p);
    if (with_items(p, &items) || parse_colon(p) ||
        parse_block(p, header, "'with' statement", &body))
        return NULL;
    struct node *n = parse_make(p, async ? N_AsyncWith : N_With, start);
    if (!n) return NULL;
    n->as.with.items = items; /* the same parts in both kinds */
    n->as.with.body = body;
    return n;
}

/* -- try ------------------------------------------------------------------ */

/* The type and name of a handler, up to its colon. */
static int handler_head(struct parser *p, bool star, struct node **type,
                        uint32_t *name) {
    *type = NULL;
    *name = NAME_NONE;
    if (kind(p) == TOK_COLON || kind(p) == TOK_NEWLINE) {
        if (star) {
            parse_bad_span(p, cur(p)->start, cur(p)->start + 1,
                           "expected one or more exception types");
            return -1;
        }
        return parse_colon(p);
    }
    *type = parse_expression(p);
    if (!*type) return -1;
    if (kind(p) == TOK_COMMA) {
        uint32_t start = (*type)->start;
        parse_advance(p);
        struct node *more = parse_star_expressions(p);
        if (more)
            parse_bad_span(p, start, more->end,
                           "multiple exception types must be parenthesized");
        return -1;
    }
    if (parse_accept(p, TOK_AS) && !(*name = parse_take_name(p))) return -1;
    return parse_colon(p);
}

static struct node *handler(struct parser *p, bool *star) {
    uint32_t start = cur(p)->start, name;
    struct node *type;
    struct nodes *body;
    parse_advance(p);
    *star = parse_accept(p, TOK_STAR);
    if (handler_head(p, *star, &type, &name) ||
        parse_block(p, start,
                    *star ? "'except*' statement" : "'except' statement",
                    &body))
        return NULL;
    struct node *n = parse_make(p, N_ExceptHandler, start);
    if (!n) return NULL;
    n->as.handler.type = type;
    n->as.handler.name = name;
    n->as.handler.body = body;
    return n;
}

static int handlers(struct parser *p, bool *star, struct nodes **out) {
    uint32_t mark = p->nitems;
    while (kind(p) == TOK_EXCEPT) {
        bool this_star;
        struct node *n = handler(p, &this_star);
        if (!n || parse_push(p, n)) return -1;
        if (p->nitems - mark > 1 && this_star != *star) {
            parse_bad_span(
                p, n->start, n->start + 6,
                "cannot have both 'except' and 'except*' on the same "
                "'try'");
            return -1;
        }
        *star = this_star;
    }
    return parse_take_list(p, mark, out);
}

static struct node *try_statement(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct nodes *body, *except, *orelse = NULL, *final = NULL;
    bool star = false;
    parse_advance(p);
    if (parse_expect_forced(p, TOK_COLON) ||
        parse_block(p, start, "'try' statement", &body) ||
        handlers(p, &star, &except))
        return NULL;
    if (except && else_block(p, &orelse)) return NULL;
    uint32_t at = cur(p)->start;
    bool finally = parse_accept(p, TOK_FINALLY);
    if (finally && (parse_expect_forced(p, TOK_COLON) ||
                    parse_block(p, at, "'finally' statement", &final)))
        return NULL;
    if (!except && !finally)
        return parse_bad_span(p, cur(p)->start, cur(p)->end,
                              "expected 'except' or 'finally' block");
    struct node *n = parse_make(p, star ? N_TryStar : N_Try, start);
    if (!n) return NULL;
    n->as.try_.body = body; /* the same parts in both kinds */
    n->as.try_.handlers = except;
    n->as.try_.orelse = orelse;
    n->as.try_.finalbody = final;
    return n;
}

/* -- def, class ----------------------------------------------------------- */

struct node *parse_function(struct parser *p, struct nodes *decorators,
                            uint32_t start, bool async) {
    uint32_t header = cur(p)->start;
    struct nodes *type_params, *body;
    struct node *args, *returns = NULL;
    parse_advance(p);
    uint32_t name = parse_take_name(p);
    if (!name || parse_type_parameters(p, &type_params) ||
        parse_expect_forced(p, TOK_LPAREN) ||
        !(args = parse_parameters(p, false)))
        return NULL;
    if (kind(p) != TOK_RPAREN) return parse_bad_list(p);
    parse_advance(p);
    if (parse_accept(p, TOK_ARROW) && !(returns = parse_expression(p)))
        return NULL;
    if (parse_expect_forced(p, TOK_COLON) ||
        parse_block(p, header, "function definition", &body))
        return NULL;
    struct node *n =
        parse_make(p, async ? N_AsyncFunctionDef : N_FunctionDef, start);
    if (!n) return NULL;
    n->as.func = (struct node_FunctionDef){
        name, args, body, decorators, returns, type_params, NULL};
    return n;
}

static struct node *class_statement(struct parser *p,
                                    struct nodes *decorators) {
    uint32_t start = cur(p)->start;
    struct nodes *type_params, *bases = NULL, *keywords = NULL, *body;
    parse_advance(p);
    uint32_t name = parse_take_name(p);
    if (!name || parse_type_parameters(p, &type_params)) return NULL;
    uint32_t open = cur(p)->start;
    if (parse_accept(p, TOK_LPAREN) &&
        parse_call_arguments(p, &bases, &keywords, open))
        return NULL;
    if (parse_colon(p) || parse_block(p, start, "class definition", &body))
        return NULL;
    struct node *n = parse_make(p, N_ClassDef, start);
    if (!n) return NULL;
    n->as.class_def = (struct node_ClassDef){
        name, bases, keywords, body, decorators, type_params, NULL};
    return n;
}

static struct node *decorated(struct parser *p) {
    uint32_t mark = p->nitems;
    struct nodes *decorators;
    while (parse_accept(p, TOK_AT)) {
        struct node *n = parse_named_expression(p);
        if (!n || parse_expect(p, TOK_NEWLINE) || parse_push(p, n)) return NULL;
    }
    if (parse_take_list(p, mark, &decorators)) return NULL;
    uint32_t start = cur(p)->start;
    if (kind(p) == TOK_CLASS) return class_statement(p, decorators);
    bool async = kind(p) == TOK_ASYNC && parse_ahead(p, 1) == TOK_DEF;
    if (async) parse_advance(p);
    if (kind(p) != TOK_DEF) return parse_bad_token(p);
    return parse_function(p, decorators, start, async);
}

static struct node *async_statement(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    if (kind(p) == TOK_DEF) return parse_function(p, NULL, start, true);
    if (kind(p) == TOK_WITH) return with_statement(p, start, true);
    if (kind(p) == TOK_FOR) return for_statement(p, start, true);
    return parse_bad_token(p);
}

/* -- any ------------------------------------------------------------------ */

struct node *parse_compound(struct parser *p, bool *is_compound) {
    enum token_kind k = kind(p);
    uint32_t start = cur(p)->start;
    *is_compound = true;
    if (k == TOK_IF) return if_statement(p);
    if (k == TOK_FOR) return for_statement(p, start, false);
    if (k == TOK_DEF) return parse_function(p, NULL, start, false);
    if (k == TOK_WHILE) return while_statement(p);
    if (k == TOK_TRY) return try_statement(p);
    if (k == TOK_WITH) return with_statement(p, start, false);
    if (k == TOK_CLASS) return class_statement(p, NULL);
    if (k == TOK_AT) return decorated(p);
    if (k == TOK_ASYNC) return async_statement(p);
    if (k == TOK_NAME && parse_starts_match(p)) return parse_match_statement(p);
    *is_compound = false;
    return NULL;
}

int parse_statement(struct parser *p) {
    bool is_compound;
    struct node *n = parse_compound(p, &is_compound);
    if (!is_compound) return parse_simple_line(p);
    return n ? parse_push(p, n) : -1;
}
