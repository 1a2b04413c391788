/* SPDX-License-Identifier: MIT
 *
 * ast_dump FILE...: the syntax tree of each file as text, or its fault, in the
 * form that tests/conformance/ast_judge.py makes of CPython's own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lang/parse.h"
#include "lang/scope.h"

struct dump {
    str text;
    const struct name_table *names;
    uint32_t *lines; /* offset of each line's start */
    uint32_t nlines;
};

static int count_lines(struct dump *d, struct arena *a, struct err *e) {
    d->lines = arena_alloc(a, (d->text.n + 2) * sizeof *d->lines, e);
    if (!d->lines) return -1;
    uint32_t i = str_starts(d->text, STR("\xef\xbb\xbf")) ? 3 : 0;
    d->lines[d->nlines++] = i;
    while (i < d->text.n) {
        uint32_t skip = newline_len(d->text.p + i, d->text.n - i);
        i += skip ? skip : 1;
        if (skip) d->lines[d->nlines++] = i;
    }
    return 0;
}

static void put_place(const struct dump *d, uint32_t at) {
    uint32_t lo = 0, hi = d->nlines;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        *(d->lines[mid] <= at ? &lo : &hi) = mid;
    }
    printf("%u:%u", lo + 1, at - d->lines[lo]);
}

static bool has_place(const struct node *n) {
    return n->kind != N_Module && n->kind != N_comprehension &&
           n->kind != N_arguments && n->kind != N_withitem &&
           n->kind != N_match_case;
}

static const char *op_name(const struct node *n) {
    static const char *const bin[] = {
        "Add", "Sub",    "Mult",   "Div",    "FloorDiv", "Mod",   "MatMult",
        "Pow", "LShift", "RShift", "BitAnd", "BitOr",    "BitXor"};
    static const char *const un[] = {"Invert", "Not", "UAdd", "USub"};
    static const char *const ctx[] = {"Load", "Store", "Del"};
    switch (n->kind) {
    case N_BinOp:
    case N_AugAssign: return bin[n->op];
    case N_UnaryOp: return un[n->op];
    case N_BoolOp: return n->op == BOOL_AND ? "And" : "Or";
    case N_Attribute:
    case N_Subscript:
    case N_Starred:
    case N_Name:
    case N_List:
    case N_Tuple: return ctx[n->op];
    default: return NULL;
    }
}

static void put_hex(str s) {
    for (size_t i = 0; i < s.n; i++)
        printf("%02x", (unsigned char)s.p[i]);
}

static void put_real(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    printf("%016" PRIx64, bits);
}

static void put_constant(const struct constant *c) {
    switch ((enum const_kind)c->kind) {
    case CONST_NONE: printf("None"); break;
    case CONST_TRUE: printf("True"); break;
    case CONST_FALSE: printf("False"); break;
    case CONST_ELLIPSIS: printf("..."); break;
    case CONST_INT: printf("%" PRId64, c->as.integer); break;
    case CONST_BIG: printf("big:%.*s", STR_ARG(c->as.text)); break;
    case CONST_REAL: put_real(c->as.real); break;
    case CONST_COMPLEX:
        put_real(c->as.complex.im);
        putchar('j');
        break;
    case CONST_STR:
        putchar('\'');
        put_hex(c->as.text);
        break;
    case CONST_BYTES:
        printf("b'");
        put_hex(c->as.text);
        break;
    case CONST_TUPLE:
    case CONST_FROZENSET:
    case CONST_CODE: abort();
    }
}

static void put_node(const struct dump *d, const struct node *n, bool joined);

static void put_ops(const struct node *n) {
    static const char *const names[] = {
        "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"};
    putchar('[');
    for (uint32_t i = 0; i < n->as.compare.comparators->count; i++)
        printf(" %s", names[n->as.compare.ops[i]]);
    putchar(']');
}

static void put_part(const struct dump *d, const struct node *n,
                     const struct part *part) {
    const void *at = (const char *)n + part->offset;
    bool joined = n->kind == N_JoinedStr;
    switch ((enum part_kind)part->kind) {
    case PART_ONE: put_node(d, *(struct node *const *)at, false); break;
    case PART_MANY: {
        const struct nodes *l = *(struct nodes *const *)at;
        putchar('[');
        for (uint32_t i = 0; i < nodes_count(l); i++) {
            putchar(' ');
            put_node(d, l->at[i], joined);
        }
        putchar(']');
        break;
    }
    case PART_IDENT: {
        str s = name_text(d->names, *(const uint32_t *)at);
        printf("%.*s", s.n ? (int)s.n : 1, s.n ? s.p : "-");
        break;
    }
    case PART_IDENTS: {
        const struct idents *l = *(struct idents *const *)at;
        putchar('[');
        for (uint32_t i = 0; l && i < l->count; i++)
            printf(" %.*s", STR_ARG(name_text(d->names, l->at[i])));
        putchar(']');
        break;
    }
    case PART_NUMBER: printf("%d", (int)*(const uint32_t *)at); break;
    case PART_OPS: put_ops(n); break;
    case PART_VALUE: put_constant(at); break;
    case PART_SCOPE: break;
    }
}

/* A chain's left side is printed inside out, from a stack of our own. */
static void put_node(const struct dump *d, const struct node *n, bool joined) {
    if (!n) {
        printf("None");
        return;
    }
    printf("\n%s", node_name((enum node_kind)n->kind));
    if (has_place(n) && !(joined && n->kind == N_Constant)) {
        putchar('@');
        put_place(d, n->start);
        putchar('-');
        put_place(d, n->end);
    }
    if (op_name(n)) printf("/%s", op_name(n));
    putchar('(');
    for (const struct part *p = node_parts((enum node_kind)n->kind); p->name;
         p++) {
        if (p->kind == PART_SCOPE) continue;
        put_part(d, n, p);
        putchar(' ');
    }
    putchar(')');
}

static void put_fault(str text, const struct fault *f) {
    struct place at = place_of(text, f->start), end = place_of(text, f->end);
    printf("%s: %s @%u:%u-%u:%u", fault_type(f->kind), f->text, at.line,
           at.column + 1, end.line, end.column + 1);
}

static int dump_file(const char *path, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX((size_t)64 << 20);
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)1 << 30);
    if (file_read(path, &b, e)) return -1;
    const uint64_t seed[2] = {1, 2};
    struct ast ast;
    struct fault f;
    /* The scope pass mangles names: it gets a tree of its own. */
    if (parse(buf_str(&b), seed, &a, &ast, &f, e) ||
        scope_analyse(&ast, &a, &f, e) ||
        parse(buf_str(&b), seed, &a, &ast, &f, e)) {
        if (f.kind == FAULT_NONE) return -1;
        put_fault(buf_str(&b), &f);
    } else {
        struct dump d = {.text = buf_str(&b), .names = &ast.names};
        if (count_lines(&d, &a, e)) return -1;
        put_node(&d, ast.module, false);
    }
    printf("\n%%%%\n");
    return 0;
}

int main(int argc, char **argv) {
    struct err e;
    for (int i = 1; i < argc; i++)
        if (dump_file(argv[i], &e)) {
            fprintf(stderr, "%s: %s\n", argv[i], e.text);
            return 1;
        }
    return 0;
}
