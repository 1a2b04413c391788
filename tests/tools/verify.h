/* SPDX-License-Identifier: MIT
 *
 * verify -- could these words be run? For tests of the compiler: every jump
 * and handler leads to an instruction, every operand is within its table.
 */
#ifndef CORDON_TESTS_VERIFY_H
#define CORDON_TESTS_VERIFY_H

#include "base/arena.h"
#include "lang/bytecode.h"

static const struct {
    const char *name;
    uint8_t format;
    const char *meaning;
} verify_ops[] = {
#define OP(name, format, meaning) {#name, format, meaning},
#include "lang/opcodes.def"
#undef OP
};

static inline uint32_t verify_words(uint32_t w) {
    return verify_ops[INS_OP(w)].meaning[0] == '+' ? 2 : 1;
}

static inline bool verify_branches(uint32_t w) {
    return strncmp(verify_ops[INS_OP(w)].meaning, "+J", 2) == 0;
}

/* 1 where an instruction starts, 2 at the jump behind one. */
static const char *verify_mark(const struct code_unit *u, char *starts,
                               uint32_t *at) {
    for (*at = 0; *at < u->nwords;) {
        uint32_t w = u->words[*at];
        if ((w & 0xff) >= OP_COUNT) return "no instruction";
        starts[*at] = 1;
        if (*at + verify_words(w) > u->nwords) return "cut instruction";
        if (verify_branches(w)) starts[*at + 1] = 2;
        *at += verify_words(w);
    }
    return NULL;
}

static const char *verify_word(const struct code_unit *u, uint32_t pc,
                               const char *starts) {
    uint32_t w = u->words[pc];
    enum op op = INS_OP(w);
    int64_t to = (int64_t)pc + 1 + INS_SJ(w);
    if (op == OP_JUMP && (to < 0 || to >= u->nwords || starts[to] != 1))
        return "jump to nowhere";
    if (starts[pc] != 1) return NULL;
    bool plain = verify_ops[op].format != F_J && op != OP_MOVX;
    if (plain && INS_A(w) >= u->nregs) return "register out of range";
    bool constant = op == OP_LOADK || op == OP_CLOSURE;
    if (constant && INS_BX(w) >= u->nconsts) return "constant out of range";
    bool named = strncmp(verify_ops[op].meaning, "+NC", 3) == 0;
    if (named && (u->words[pc + 1] & 0xffff) >= u->nnames)
        return "name out of range";
    return NULL;
}

/* What is wrong with the unit or one inside it, or NULL; *at is the word. */
static const char *verify_unit(const struct code_unit *u, struct arena *a,
                               uint32_t *at) {
    struct err e;
    char *starts = arena_zalloc(a, u->nwords + 1, 1, &e);
    if (!starts) return NULL;
    const char *why = verify_mark(u, starts, at);
    for (*at = 0; !why && *at < u->nwords; ++*at)
        if (starts[*at]) why = verify_word(u, *at, starts);
    for (uint32_t i = 0; !why && i < u->nhandlers; i++) {
        const struct code_handler *h = &u->handlers[i];
        bool good = h->target < u->nwords && starts[h->target] == 1 &&
                    h->reg < u->nregs && h->start < h->end &&
                    h->end <= u->nwords;
        if (!good) why = "handler nowhere";
    }
    for (uint32_t i = 0; !why && i < u->nconsts; i++)
        if (u->consts[i].kind == CONST_CODE)
            why = verify_unit(u->consts[i].as.code, a, at);
    return why;
}

#endif
