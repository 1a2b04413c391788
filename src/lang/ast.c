/* SPDX-License-Identifier: MIT */
#include "lang/ast.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    uint16_t size; /* bytes of the kind's own member */
} kinds[] = {
#define NODE(kind, member, parts) {#kind, sizeof(struct node_##kind)},
#include "lang/ast.def"
#undef NODE
};

const char *node_name(enum node_kind kind) {
    return kinds[kind].name;
}

#define PART(x, what) \
    {#x, what, (uint16_t)(offsetof(struct node, as) + offsetof(T, x))},
#define ONE(x)    PART(x, PART_ONE)
#define MANY(x)   PART(x, PART_MANY)
#define IDENT(x)  PART(x, PART_IDENT)
#define IDENTS(x) PART(x, PART_IDENTS)
#define NUMBER(x) {#x, PART_NUMBER, offsetof(struct node, number)},
#define OPS(x)    PART(x, PART_OPS)
#define VALUE(x)  PART(x, PART_VALUE)
#define SCOPE(x)  PART(x, PART_SCOPE)
#define NOTHING()

const struct part *node_parts(enum node_kind kind) {
    switch (kind) {
#define NODE(name, member, parts)                              \
    case N_##name: {                                           \
        typedef __attribute__((unused)) struct node_##name T;  \
        static const struct part rows[] = {parts{NULL, 0, 0}}; \
        return rows;                                           \
    }
#include "lang/ast.def"
#undef NODE
    case NODE_KINDS: break;
    }
    return NULL;
}

struct node *node_new(struct arena *a, enum node_kind kind, uint32_t start,
                      uint32_t end, struct err *e) {
    size_t size = offsetof(struct node, as) + kinds[kind].size;
    struct node *n = arena_alloc(a, size, e);
    if (!n) return NULL;
    memset(n, 0, size);
    n->kind = (uint8_t)kind;
    n->start = start;
    n->end = end;
    return n;
}

struct node *node_left(const struct node *n) {
    if (n->kind == N_BinOp) return n->as.bin.left;
    if (n->kind == N_Attribute) return n->as.attribute.value;
    if (n->kind == N_Subscript) return n->as.subscript.value;
    if (n->kind == N_Call) return n->as.call.func;
    return NULL;
}
