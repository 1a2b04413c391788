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

static const struct {
    const char *name;
    uint8_t format;
    const char *meaning;
} ops[] = {
#define OP(name, format, meaning) {#name, format, meaning},
#include "lang/opcodes.def"
#undef OP
};

static int complaints;

static void complain(const struct code_unit *u, uint32_t pc, const char *why) {
    printf("%.*s: word %u: %s\n", STR_ARG(u->qualname), pc, why);
    complaints++;
}

static uint32_t words_of(uint32_t w) {
    return ops[INS_OP(w)].meaning[0] == '+' ? 2 : 1;
}

/* Marks where instructions start. */
static void mark(const struct code_unit *u, char *starts) {
    for (uint32_t pc = 0; pc < u->nwords;) {
        if (INS_OP(u->words[pc]) >= OP_COUNT) {
            complain(u, pc, "no instruction");
            return;
        }
        starts[pc] = 1;
        uint32_t n = words_of(u->words[pc]);
        bool branch = n == 2 && ops[INS_OP(u->words[pc])].meaning[1] == 'J';
        if (branch) starts[pc + 1] = 2;
        pc += n;
    }
}

static void check_word(const struct code_unit *u, uint32_t pc,
                       const char *starts) {
    uint32_t w = u->words[pc];
    if (INS_OP(w) == OP_JUMP) {
        int64_t to = (int64_t)pc + 1 + INS_SJ(w);
        if (to < 0 || to >= u->nwords || starts[to] != 1)
            complain(u, pc, "jump to nowhere");
    }
    if (starts[pc] != 1) return;
    if (ops[INS_OP(w)].format == F_ABC && INS_OP(w) != OP_MOVX &&
        INS_A(w) >= u->nregs)
        complain(u, pc, "register out of range");
    if (INS_OP(w) == OP_LOADK && INS_BX(w) >= u->nconsts)
        complain(u, pc, "constant out of range");
}

static int check(const struct code_unit *u, struct arena *a, struct err *e) {
    char *starts = arena_zalloc(a, u->nwords + 2, 1, e);
    if (!starts) return -1;
    mark(u, starts);
    for (uint32_t pc = 0; pc < u->nwords; pc++)
        if (starts[pc]) check_word(u, pc, starts);
    for (uint32_t i = 0; i < u->nhandlers; i++) {
        const struct code_handler *h = &u->handlers[i];
        if (h->target >= u->nwords || starts[h->target] != 1)
            complain(u, h->start, "handler nowhere");
        if (h->reg >= u->nregs) complain(u, h->start, "handler register");
    }
    for (uint32_t i = 0; i < u->nconsts; i++)
        if (u->consts[i].kind == CONST_CODE &&
            check(u->consts[i].as.code, a, e))
            return -1;
    return 0;
}

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
    if (ops[op].format == F_J) {
        printf("-> %d", (int)pc + 1 + INS_SJ(w));
    } else if (ops[op].format == F_ABx) {
        printf("%u %u", INS_A(w), INS_BX(w));
        if (op == OP_LOADK || op == OP_CLOSURE) {
            printf("  ; ");
            put_constant(&u->consts[INS_BX(w)]);
        }
    } else {
        printf("%u %u %u", INS_A(w), INS_B(w), INS_C(w));
    }
    const char *more = ops[op].meaning;
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
    for (uint32_t pc = 0; pc < u->nwords; pc += words_of(u->words[pc])) {
        while (span + 1 < u->nspans && u->spans[span + 1].pc <= pc)
            span++;
        const struct code_span *s = &u->spans[span];
        printf("%3u:%-3u %4u  %-10s ", s->line, s->col, pc,
               ops[INS_OP(u->words[pc])].name);
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
    if (checks) return check(u, &a, e);
    put_unit(u);
    return 0;
}

int main(int argc, char **argv) {
    struct err e;
    bool checks = argc > 1 && strcmp(argv[1], "--check") == 0;
    for (int i = 1 + checks; i < argc; i++)
        if (one(argv[i], checks, &e)) {
            fprintf(stderr, "%s: %s\n", argv[i], e.text);
            return 1;
        }
    return complaints > 0;
}
