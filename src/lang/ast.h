/* SPDX-License-Identifier: MIT
 *
 * ast -- the syntax tree, with CPython's kinds and parts (ast.def).
 *
 * Nodes live in the arena of the parse and are as large as their kind needs.
 * Two shapes can be deep without bound in the source's length: the left side
 * of operators, calls, attributes and subscripts (`a + b + c`, `x.y().z()`),
 * and the else of an if (`elif`). Passes walk those with a loop; every other
 * nesting is bounded by PARSE_DEPTH, so passes may recurse on it.
 */
#ifndef CORDON_LANG_AST_H
#define CORDON_LANG_AST_H

#include "lang/constant.h"
#include "lang/names.h"

enum node_kind {
#define NODE(kind, member, parts) N_##kind,
#include "lang/ast.def"
#undef NODE
    NODE_KINDS,
};

enum expr_context { LOAD, STORE, DEL };

enum bool_op { BOOL_AND, BOOL_OR };

/* In the order of the tokens from PLUS to CARET. */
enum bin_op {
    BIN_ADD,
    BIN_SUB,
    BIN_MUL,
    BIN_DIV,
    BIN_FLOORDIV,
    BIN_MOD,
    BIN_MATMUL,
    BIN_POW,
    BIN_LSHIFT,
    BIN_RSHIFT,
    BIN_AND,
    BIN_OR,
    BIN_XOR,
};

enum unary_op { UNARY_INVERT, UNARY_NOT, UNARY_POS, UNARY_NEG };

enum cmp_op {
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE,
    CMP_IS,
    CMP_IS_NOT,
    CMP_IN,
    CMP_NOT_IN,
};

enum node_flags {
    NODE_PAREN = 1, /* written in parentheses of its own */
    NODE_ELIF = 2,  /* an If that is the elif of the one around it */
};

struct node;
struct scope;

struct nodes {
    uint32_t count;
    struct node *at[];
};

struct idents {
    uint32_t count;
    uint32_t at[];
};

#define ONE(x)    struct node *x;
#define MANY(x)   struct nodes *x;
#define IDENT(x)  uint32_t x;
#define IDENTS(x) struct idents *x;
#define NUMBER(x)
#define OPS(x)    const uint8_t *x;
#define VALUE(x)  struct constant x;
#define SCOPE(x)  struct scope *x;
#define NOTHING() char unused;
#define NODE(kind, member, parts) \
    struct node_##kind {          \
        parts                     \
    };
#include "lang/ast.def"
#undef NODE
#undef ONE
#undef MANY
#undef IDENT
#undef IDENTS
#undef NUMBER
#undef OPS
#undef VALUE
#undef SCOPE
#undef NOTHING

struct node {
    uint8_t kind;   /* enum node_kind */
    uint8_t op;     /* operator, or enum expr_context */
    uint16_t flags; /* enum node_flags */
    uint32_t start; /* byte offsets into the source */
    uint32_t end;
    uint32_t number; /* the NUMBER part, where the kind has one */
    union {          /* only the kind's own member is allocated */
#define NODE(kind, member, parts) struct node_##kind member;
#include "lang/ast.def"
#undef NODE
    } as;
};

enum part_kind {
    PART_ONE,
    PART_MANY,
    PART_IDENT,
    PART_IDENTS,
    PART_NUMBER,
    PART_OPS,
    PART_VALUE,
    PART_SCOPE,
};

struct part {
    const char *name;
    uint8_t kind;    /* enum part_kind */
    uint16_t offset; /* into struct node */
};

/* The kind's parts; the last one has no name. For dumps and generic walks. */
const struct part *node_parts(enum node_kind kind);
const char *node_name(enum node_kind kind); /* "BinOp" */

/* A node of the kind, parts cleared. */
struct node *node_new(struct arena *a, enum node_kind kind, uint32_t start,
                      uint32_t end, struct err *e);

static inline uint32_t nodes_count(const struct nodes *l) {
    return l ? l->count : 0;
}

/* The node a chain goes on from on its left (`a` of `a + b`, `a.b`, `a[b]`,
 * `a(b)`), or NULL for any other kind. */
struct node *node_left(const struct node *n);

#endif
