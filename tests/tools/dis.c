/* SPDX-License-Identifier: MIT
 *
 * dis [--check] FILE...: the bytecode of each file as text; with --check only
 * complaints about words that could not be run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "lang/compile.h"
#include "verify.h"

static void put_constant(const struct constant *k) {
    switch ((enum const_kind)k->kind) {
    case CONST_NONE: printf("None"); break;
    case CONST_TRUE: printf("True"); break;
    case CONST_FALSE: printf("False"); break;
    case CONST_ELLIPSIS: printf("..."); break;
    case CONST_INT: printf("%" PRId64, k->as.integer); break;
    case CONST_REAL: printf("%g", k->as.real); break;
    case CONST_COMPLEX: printf("%gj", k->as.complex.im); break;
    case CONST_BIG: printf("%.*s", STR_ARG(k->as.text)); break;
    case CONST_STR:
    case CONST_BYTES: printf("'%.*s'", STR_ARG(k->as.text)); break;
    case CONST_TUPLE:
    case CONST_FROZENSET:
        printf("(");
        for (uint32_t i = 0; i < k->count; i++) {
            put_constant(&k->as.items[i]);
            printf(", ");
        }
        printf(")");
        break;
    case CONST_CODE: printf("<%.*s>", STR_ARG(k->as.code->qualname)); break;
    }
}

static void put_operands(const struct code_unit *u, uint32_t pc) {
    uint32_t w = u->words[pc];
    enum op op = INS_OP(w);
    if (verify_ops[op].format == F_J) {
        printf("-> %d", (int)pc + 1 + INS_SJ(w));
    } else if (verify_ops[op].format == F_ABx) {
        printf("%u %u", INS_A(w), INS_BX(w));
        if (op == OP_LOADK || op == OP_CLOSURE) {
            printf("  ; ");
            put_constant(&u->consts[INS_BX(w)]);
        }
    } else {
        printf("%u %u %u", INS_A(w), INS_B(w), INS_C(w));
    }
    const char *more = verify_ops[op].meaning;
    if (strncmp(more, "+J", 2) == 0)
        printf(" -> %d", (int)pc + 2 + INS_SJ(u->words[pc + 1]));
    if (strncmp(more, "+NC", 3) == 0)
        printf("  ; %.*s", STR_ARG(u->names[u->words[pc + 1] & 0xffff]));
    if (strncmp(more, "+W", 2) == 0) printf("  ; %08x", u->words[pc + 1]);
}

static void put_unit(const struct code_unit *u) {
    printf("%.*s: %u registers, %u variables, flags %x\n", STR_ARG(u->qualname),
           u->nregs, u->nlocals, u->flags);
    uint32_t span = 0;
    for (uint32_t pc = 0; pc < u->nwords; pc += verify_words(u->words[pc])) {
        while (span + 1 < u->nspans && u->spans[span + 1].pc <= pc)
            span++;
        const struct code_span *s = &u->spans[span];
        printf("%3u:%-3u %4u  %-10s ", s->line, s->col, pc,
               verify_ops[INS_OP(u->words[pc])].name);
        put_operands(u, pc);
        putchar('\n');
    }
    for (uint32_t i = 0; i < u->nhandlers; i++)
        printf("  %u..%u -> %u in %u\n", u->handlers[i].start,
               u->handlers[i].end, u->handlers[i].target, u->handlers[i].reg);
    for (uint32_t i = 0; i < u->nconsts; i++)
        if (u->consts[i].kind == CONST_CODE) put_unit(u->consts[i].as.code);
}

static int slot_of(void *user, str name) {
    (void)name;
    return (*(int *)user)++;
}

static int one(const char *path, bool checks, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX((size_t)64 << 20);
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)1 << 30);
    if (file_read(path, &b, e)) return -1;
    int slots = 0;
    struct compile_env env = {slot_of, &slots, {1, 2}};
    const struct code_unit *u;
    struct fault f;
    if (compile_source(buf_str(&b), &env, &a, &u, &f, e)) {
        printf("%s: %s\n", path, e->text);
        return 0;
    }
    uint32_t at;
    const char *why = checks ? verify_unit(u, &a, &at) : NULL;
    if (why) printf("%s: word %u: %s\n", path, at, why);
    if (!checks) put_unit(u);
    return why ? fail(e, ERR_INTERNAL, "bytecode is not valid") : 0;
}

int main(int argc, char **argv) {
    struct err e;
    bool checks = argc > 1 && strcmp(argv[1], "--check") == 0;
    for (int i = 1 + checks; i < argc; i++)
        if (one(argv[i], checks, &e)) {
            fprintf(stderr, "%s: %s\n", argv[i], e.text);
            return 1;
        }
    return 0;
}
