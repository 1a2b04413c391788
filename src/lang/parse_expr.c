/* SPDX-License-Identifier: MIT
 *
 * Expressions from the loosest binding (lambda, if-else) down to unary minus.
 * Operators that associate to the left are read in a loop, so a long sum costs
 * no depth.
 */
#include "lang/parser.h"

bool parse_starts_expression(const struct parser *p) {
    static const uint8_t first[] = {
        TOK_NAME,     TOK_NUMBER, TOK_STRING,   TOK_FSTRING_START, TOK_LPAREN,
        TOK_LBRACKET, TOK_LBRACE, TOK_ELLIPSIS, TOK_PLUS,          TOK_MINUS,
        TOK_TILDE,    TOK_TRUE,   TOK_FALSE,    TOK_NONE,          TOK_NOT,
        TOK_LAMBDA,   TOK_AWAIT};
    for (size_t i = 0; i < sizeof first; i++)
        if (kind(p) == first[i]) return true;
    return false;
}

static struct node *binary(struct parser *p, int level);

/* Binding strength, from | (1) to * (6); 0: not such an operator. */
static int strength(enum token_kind k) {
    static const uint8_t of[] = {
        [TOK_PIPE] = 1,       [TOK_CARET] = 2,       [TOK_AMPERSAND] = 3,
        [TOK_SHIFT_LEFT] = 4, [TOK_SHIFT_RIGHT] = 4, [TOK_PLUS] = 5,
        [TOK_MINUS] = 5,      [TOK_STAR] = 6,        [TOK_SLASH] = 6,
        [TOK_FLOOR] = 6,      [TOK_PERCENT] = 6,     [TOK_AT] = 6,
    };
    return k < sizeof of ? of[k] : 0;
}

static struct node *make_binary(struct parser *p, enum token_kind op,
                                struct node *left, struct node *right) {
    struct node *n = parse_make(p, N_BinOp, left->start);
    if (!n) return NULL;
    n->op = (uint8_t)(op - TOK_PLUS);
    n->as.bin.left = left;
    n->as.bin.right = right;
    return n;
}

static struct node *unary(struct parser *p);

static struct node *power(struct parser *p) {
    uint32_t start = cur(p)->start;
    bool await = parse_accept(p, TOK_AWAIT);
    struct node *n = parse_primary(p);
    if (!n) return NULL;
    if (await) {
        struct node *value = n;
        n = parse_make(p, N_Await, start);
        if (!n) return NULL;
        n->as.await.value = value;
    }
    if (kind(p) != TOK_POWER) return n;
    n->start = await ? start : n->start;
    /* The left operand may stand in parentheses that are not its own span. */
    struct node *left = n;
    parse_advance(p);
    struct node *right = unary(p);
    if (!right) return NULL;
    n = make_binary(p, TOK_POWER, left, right);
    if (n) n->start = start;
    return n;
}

static int unary_op(enum token_kind k) {
    if (k == TOK_PLUS) return UNARY_POS;
    if (k == TOK_MINUS) return UNARY_NEG;
    return k == TOK_TILDE ? UNARY_INVERT : -1;
}

static struct node *unary(struct parser *p) {
    int op = unary_op(kind(p));
    uint32_t start = cur(p)->start;
    if (parse_enter(p)) return NULL;
    struct node *n;
    if (op < 0) {
        n = power(p);
    } else {
        parse_advance(p);
        struct node *operand = unary(p);
        n = operand ? parse_make(p, N_UnaryOp, start) : NULL;
        if (n) {
            n->op = (uint8_t)op;
            n->as.unary.operand = operand;
        }
    }
    leave(p);
    return n;
}

static struct node *binary(struct parser *p, int level) {
    uint32_t start = cur(p)->start;
    struct node *left = unary(p);
    for (int s; left && (s = strength(kind(p))) >= level;) {
        enum token_kind op = kind(p);
        parse_advance(p);
        struct node *right = binary(p, s + 1);
        if (!right) return NULL;
        left = make_binary(p, op, left, right);
        if (left) left->start = start;
    }
    return left;
}

struct node *parse_bitwise_or(struct parser *p) {
    return binary(p, 1);
}

/* -- comparisons ---------------------------------------------------------- */

/* The comparison here, and how many tokens it takes; 0: none. */
static uint32_t comparison_op(struct parser *p, uint8_t *op) {
    enum token_kind k = kind(p);
    uint32_t words = 1;
    if (k == TOK_EQUAL) {
        *op = CMP_EQ;
    } else if (k == TOK_NOT_EQUAL) {
        *op = CMP_NE;
    } else if (k == TOK_LESS) {
        *op = CMP_LT;
    } else if (k == TOK_LESS_EQ) {
        *op = CMP_LE;
    } else if (k == TOK_GREATER) {
        *op = CMP_GT;
    } else if (k == TOK_GREATER_EQ) {
        *op = CMP_GE;
    } else if (k == TOK_IN) {
        *op = CMP_IN;
    } else if (k == TOK_NOT && parse_ahead(p, 1) == TOK_IN) {
        *op = CMP_NOT_IN;
        words = 2;
    } else if (k == TOK_IS) {
        words = parse_ahead(p, 1) == TOK_NOT ? 2 : 1;
        *op = words == 2 ? CMP_IS_NOT : CMP_IS;
    } else {
        words = 0;
    }
    return words;
}

static struct node *comparison(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct node *left = parse_bitwise_or(p);
    uint8_t op;
    if (!left || !comparison_op(p, &op)) return left;
    uint32_t mark = p->nitems;
    for (uint32_t words; (words = comparison_op(p, &op));) {
        while (words--)
            parse_advance(p);
        struct node *right = parse_bitwise_or(p);
        if (!right || parse_push(p, right)) return NULL;
        right->number = op; /* kept there until the list is made */
    }
    struct node *n = parse_make(p, N_Compare, start);
    if (!n || parse_take_list(p, mark, &n->as.compare.comparators)) return NULL;
    struct nodes *l = n->as.compare.comparators;
    uint8_t *ops = arena_alloc(p->arena, l->count, p->e);
    if (!ops) return NULL;
    for (uint32_t i = 0; i < l->count; i++)
        ops[i] = (uint8_t)l->at[i]->number;
    n->as.compare.left = left;
    n->as.compare.ops = ops;
    return n;
}

/* -- not, and, or --------------------------------------------------------- */

static struct node *inversion(struct parser *p) {
    if (kind(p) != TOK_NOT) return comparison(p);
    uint32_t start = cur(p)->start;
    if (parse_enter(p)) return NULL;
    parse_advance(p);
    struct node *operand = inversion(p);
    leave(p);
    struct node *n = operand ? parse_make(p, N_UnaryOp, start) : NULL;
    if (!n) return NULL;
    n->op = UNARY_NOT;
    n->as.unary.operand = operand;
    return n;
}

static struct node *bool_chain(struct parser *p, enum token_kind word,
                               struct node *(*part)(struct parser *)) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    struct node *first = part(p);
    if (!first || kind(p) != word) return first;
    if (parse_push(p, first)) return NULL;
    while (parse_accept(p, word)) {
        struct node *next = part(p);
        if (!next || parse_push(p, next)) return NULL;
    }
    struct node *n = parse_make(p, N_BoolOp, start);
    if (!n || parse_take_list(p, mark, &n->as.bool_op.values)) return NULL;
    n->op = word == TOK_OR ? BOOL_OR : BOOL_AND;
    return n;
}

static struct node *conjunction(struct parser *p) {
    return bool_chain(p, TOK_AND, inversion);
}

struct node *parse_disjunction(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct node *n = bool_chain(p, TOK_OR, conjunction);
    p->term_start = start;
    p->term_end = p->last_end;
    return n;
}

/* -- if-else, lambda, := -------------------------------------------------- */

static struct node *lambda(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *args = parse_parameters(p, true);
    if (!args || parse_expect_forced(p, TOK_COLON)) return NULL;
    struct node *body = parse_expression(p);
    struct node *n = body ? parse_make(p, N_Lambda, start) : NULL;
    if (!n) return NULL;
    n->as.lambda.args = args;
    n->as.lambda.body = body;
    return n;
}

static struct node *if_else(struct parser *p, struct node *body,
                            uint32_t start) {
    parse_advance(p);
    struct node *test = parse_disjunction(p);
    if (!test) return NULL;
    if (kind(p) != TOK_ELSE && kind(p) != TOK_COLON)
        return parse_bad_span(p, start, p->last_end,
                              "expected 'else' after 'if' expression");
    if (parse_expect(p, TOK_ELSE)) return NULL;
    struct node *orelse = parse_expression(p);
    struct node *n = orelse ? parse_make(p, N_IfExp, start) : NULL;
    if (!n) return NULL;
    n->as.if_exp.test = test;
    n->as.if_exp.body = body;
    n->as.if_exp.orelse = orelse;
    return n;
}

struct node *parse_expression(struct parser *p) {
    if (parse_enter(p)) return NULL;
    uint32_t start = cur(p)->start;
    struct node *n;
    if (kind(p) == TOK_LAMBDA) {
        n = lambda(p);
    } else {
        n = parse_disjunction(p);
        if (n && kind(p) == TOK_IF) n = if_else(p, n, start);
    }
    leave(p);
    return n;
}

static struct node *walrus(struct parser *p) {
    uint32_t start = cur(p)->start;
    uint32_t id = parse_take_name(p);
    struct node *target = id ? parse_make(p, N_Name, start) : NULL;
    if (!target) return NULL;
    target->op = STORE;
    target->as.name.id = id;
    parse_advance(p);
    struct node *value = parse_expression(p);
    struct node *n = value ? parse_make(p, N_NamedExpr, start) : NULL;
    if (!n) return NULL;
    n->as.named.target = target;
    n->as.named.value = value;
    return n;
}

/* `=` behind an expression that is no target: meant was == or :=. */
static struct node *stray_assign(struct parser *p, struct node *n) {
    static const uint8_t plain[] = {N_List, N_Tuple, N_GeneratorExp};
    for (size_t i = 0; i < sizeof plain; i++)
        if (n->kind == plain[i]) return n;
    bool word =
        n->kind == N_Constant && n->as.constant.value.kind < CONST_ELLIPSIS;
    bool tight = n->kind != N_Compare && n->kind != N_BoolOp &&
                 n->kind != N_IfExp && n->kind != N_Lambda &&
                 !(n->kind == N_UnaryOp && n->op == UNARY_NOT);
    if (word || !tight) return n;
    uint32_t at = p->at;
    parse_advance(p);
    struct node *value = parse_bitwise_or(p);
    bool chained = kind(p) == TOK_ASSIGN || kind(p) == TOK_WALRUS;
    if (value && !chained && n->kind == N_Name && !(n->flags & NODE_PAREN))
        return parse_bad_span(
            p, n->start, value->end,
            "invalid syntax. Maybe you meant '==' or ':=' instead "
            "of '='?");
    if (value && !chained)
        return parse_bad_node(p, n,
                              "cannot assign to %s here. Maybe you meant '==' "
                              "instead of '='?",
                              parse_expr_name(n));
    if (!value) return NULL;
    p->at = at;
    return n;
}

struct node *parse_named_expression(struct parser *p) {
    if (kind(p) == TOK_NAME && parse_ahead(p, 1) == TOK_WALRUS)
        return walrus(p);
    struct node *n = parse_expression(p);
    if (!n) return NULL;
    if (kind(p) == TOK_WALRUS)
        return parse_bad_node(p, n, "cannot use assignment expressions with %s",
                              parse_expr_name(n));
    return kind(p) == TOK_ASSIGN ? stray_assign(p, n) : n;
}

/* -- lists without brackets ----------------------------------------------- */

static struct node *starred(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *value = parse_bitwise_or(p);
    struct node *n = value ? parse_make(p, N_Starred, start) : NULL;
    if (n) n->as.starred.value = value;
    return n;
}

struct node *parse_star_named(struct parser *p) {
    return kind(p) == TOK_STAR ? starred(p) : parse_named_expression(p);
}

static struct node *star_expression(struct parser *p) {
    return kind(p) == TOK_STAR ? starred(p) : parse_expression(p);
}

struct node *parse_star_expressions(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    struct node *first = star_expression(p);
    if (!first || kind(p) != TOK_COMMA) return first;
    if (parse_push(p, first)) return NULL;
    while (parse_accept(p, TOK_COMMA)) {
        if (kind(p) != TOK_STAR && !parse_starts_expression(p)) break;
        struct node *next = star_expression(p);
        if (!next || parse_push(p, next)) return NULL;
    }
    struct node *n = parse_make(p, N_Tuple, start);
    if (!n || parse_take_list(p, mark, &n->as.tuple.elts)) return NULL;
    return n;
}

static struct node *yield(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    bool from = parse_accept(p, TOK_FROM);
    struct node *value = NULL;
    if (from)
        value = parse_expression(p);
    else if (kind(p) == TOK_STAR || parse_starts_expression(p))
        value = parse_star_expressions(p);
    if (p->fault.kind || (from && !value)) return NULL;
    struct node *n = parse_make(p, from ? N_YieldFrom : N_Yield, start);
    if (!n) return NULL;
    if (from)
        n->as.yield_from.value = value;
    else
        n->as.yield.value = value;
    return n;
}

struct node *parse_yield_or_star(struct parser *p) {
    return kind(p) == TOK_YIELD ? yield(p) : parse_star_expressions(p);
}
