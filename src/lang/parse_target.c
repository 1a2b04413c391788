/* SPDX-License-Identifier: MIT
 *
 * What can be assigned to, and what cannot.
 */
#include "lang/parser.h"

static const char *constant_name(const struct node *n) {
    enum const_kind k = (enum const_kind)n->as.constant.value.kind;
    if (k == CONST_NONE) return "None";
    if (k == CONST_TRUE) return "True";
    if (k == CONST_FALSE) return "False";
    return k == CONST_ELLIPSIS ? "ellipsis" : "literal";
}

const char *parse_expr_name(const struct node *n) {
    static const char *const names[NODE_KINDS] = {
        [N_Attribute] = "attribute",
        [N_Subscript] = "subscript",
        [N_Starred] = "starred",
        [N_Name] = "name",
        [N_List] = "list",
        [N_Tuple] = "tuple",
        [N_Lambda] = "lambda",
        [N_Call] = "function call",
        [N_BoolOp] = "expression",
        [N_BinOp] = "expression",
        [N_UnaryOp] = "expression",
        [N_GeneratorExp] = "generator expression",
        [N_Yield] = "yield expression",
        [N_YieldFrom] = "yield expression",
        [N_Await] = "await expression",
        [N_ListComp] = "list comprehension",
        [N_SetComp] = "set comprehension",
        [N_DictComp] = "dict comprehension",
        [N_Dict] = "dict literal",
        [N_Set] = "set display",
        [N_JoinedStr] = "f-string expression",
        [N_FormattedValue] = "f-string expression",
        [N_Compare] = "comparison",
        [N_IfExp] = "conditional expression",
        [N_NamedExpr] = "named expression",
    };
    if (n->kind == N_Constant) return constant_name(n);
    return names[n->kind] ? names[n->kind] : "expression";
}

static struct nodes *elements(const struct node *n) {
    if (n->kind == N_Tuple) return n->as.tuple.elts;
    return n->kind == N_List ? n->as.list.elts : NULL;
}

struct node *parse_bad_target(struct node *n, enum expr_context ctx) {
    struct nodes *l = elements(n);
    switch (n->kind) {
    case N_Name:
    case N_Attribute:
    case N_Subscript: return NULL;
    case N_Starred:
        return ctx == DEL ? n : parse_bad_target(n->as.starred.value, ctx);
    case N_Tuple:
    case N_List:
        for (uint32_t i = 0; i < nodes_count(l); i++) {
            struct node *bad = parse_bad_target(l->at[i], ctx);
            if (bad) return bad;
        }
        return NULL;
    default: return n;
    }
}

static void mark(struct node *n, enum expr_context ctx) {
    n->op = (uint8_t)ctx;
    struct nodes *l = elements(n);
    if (n->kind == N_Starred) mark(n->as.starred.value, ctx);
    for (uint32_t i = 0; i < nodes_count(l); i++)
        mark(l->at[i], ctx);
}

int parse_set_target(struct parser *p, struct node *n, enum expr_context ctx) {
    struct node *bad = parse_bad_target(n, ctx);
    if (bad) {
        parse_bad_node(p, bad, "cannot %s %s",
                       ctx == DEL ? "delete" : "assign to",
                       parse_expr_name(bad));
        return -1;
    }
    mark(n, ctx);
    return 0;
}

/* One target of a for: as tight as "|", so that "in" is left alone. */
static struct node *star_target(struct parser *p) {
    if (kind(p) != TOK_STAR) return parse_bitwise_or(p);
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *value = parse_bitwise_or(p);
    struct node *n = value ? parse_make(p, N_Starred, start) : NULL;
    if (n) n->as.starred.value = value;
    return n;
}

struct node *parse_for_target(struct parser *p) {
    uint32_t start = cur(p)->start, m = p->nitems;
    struct node *n = star_target(p);
    if (n && kind(p) == TOK_COMMA) {
        if (parse_push(p, n)) return NULL;
        while (parse_accept(p, TOK_COMMA)) {
            if (kind(p) != TOK_STAR && !parse_starts_expression(p)) break;
            struct node *next = star_target(p);
            if (!next || parse_push(p, next)) return NULL;
        }
        n = parse_make(p, N_Tuple, start);
        if (!n || parse_take_list(p, m, &n->as.tuple.elts)) return NULL;
    }
    if (!n) return NULL;
    if (kind(p) != TOK_IN && !parse_bad_target(n, STORE))
        return parse_bad_token(p);
    return parse_set_target(p, n, STORE) ? NULL : n;
}

struct node *parse_with_target(struct parser *p) {
    struct node *n = star_target(p);
    if (!n) return NULL;
    bool ends =
        kind(p) == TOK_COMMA || kind(p) == TOK_RPAREN || kind(p) == TOK_COLON;
    if (!ends && parse_bad_target(n, STORE)) return parse_bad_token(p);
    return parse_set_target(p, n, STORE) ? NULL : n;
}
