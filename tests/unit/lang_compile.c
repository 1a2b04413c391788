/* SPDX-License-Identifier: MIT */
#include "lang/compile.h"

#include <stdio.h>
#include <string.h>

#include "../tools/verify.h"
#include "test.h"

#define ROOM ((size_t)64 << 20)

static int slot_of(void *user, str name) {
    (void)name;
    return (*(int *)user)++;
}

static int compiled(const char *text, struct arena *a,
                    const struct code_unit **u, struct err *e) {
    int slots = 0;
    struct compile_env env = {slot_of, &slots, {1, 2}};
    struct fault f;
    return compile_source(str_of(text), &env, a, u, &f, e);
}

/* Words of a unit that have this instruction. */
static uint32_t count_op(const struct code_unit *u, enum op op) {
    uint32_t n = 0;
    for (uint32_t pc = 0; pc < u->nwords; pc += verify_words(u->words[pc]))
        n += INS_OP(u->words[pc]) == op;
    return n;
}

static const struct code_unit *inner(const struct code_unit *u) {
    for (uint32_t i = 0; i < u->nconsts; i++)
        if (u->consts[i].kind == CONST_CODE) return u->consts[i].as.code;
    return NULL;
}

static const struct code_unit *function(const char *text, struct arena *a) {
    const struct code_unit *u = NULL;
    struct err e;
    CHECK_OK(compiled(text, a, &u, &e), &e);
    const struct code_unit *f = inner(u);
    CHECK(f != NULL);
    return f;
}

TEST(conditions_are_fused_with_their_jumps) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct code_unit *f =
        function("def f(n):\n    while n < 10: n += 1\n    return n\n", &a);
    CHECK_EQ(count_op(f, OP_JLTI), 2);
    CHECK_EQ(count_op(f, OP_IADDI), 1);
    CHECK_EQ(count_op(f, OP_CHECK), 0);
}

TEST(a_variable_that_may_be_unbound_is_checked) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct code_unit *f = function("def f(n):\n"
                                         "    if n: x = 1\n"
                                         "    return x\n",
                                         &a);
    CHECK_EQ(count_op(f, OP_CHECK), 1);
    f = function("def f(n):\n"
                 "    if n: x = 1\n"
                 "    else: x = 2\n"
                 "    return x\n",
                 &a);
    CHECK_EQ(count_op(f, OP_CHECK), 0);
}

TEST(an_operand_that_a_walrus_rebinds_is_copied) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct code_unit *f = function("def f(x): return x + (x := 1)\n", &a);
    CHECK(count_op(f, OP_MOVE) >= 1);
    f = function("def f(x, y): return x + y\n", &a);
    CHECK_EQ(count_op(f, OP_MOVE), 0);
}

TEST(only_the_last_expression_of_a_program_is_its_result) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct code_unit *u;
    struct err e;
    CHECK_OK(compiled("1\n2\nx = 3\n4\n", &a, &u, &e), &e);
    CHECK_EQ(count_op(u, OP_RESULT), 1);
    CHECK_OK(compiled("1\nx = 3\n", &a, &u, &e), &e);
    CHECK_EQ(count_op(u, OP_RESULT), 0);
}

TEST(a_finally_is_compiled_once) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct code_unit *f = function("def f(x):\n"
                                         "    for i in x:\n"
                                         "        try:\n"
                                         "            if i: return 1\n"
                                         "            if x: break\n"
                                         "            continue\n"
                                         "        finally:\n"
                                         "            x.once()\n",
                                         &a);
    CHECK_EQ(count_op(f, OP_GETM), 1);
}

TEST(more_variables_than_operands_are_moved) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text, "def f():\n");
    for (int i = 0; i < 400; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "    v%d = %d\n", i, i);
    snprintf(text + n, sizeof text - n, "    return v0 + v399\n");
    const struct code_unit *f = function(text, &a);
    uint32_t at;
    CHECK(verify_unit(f, &a, &at) == NULL);
    CHECK(count_op(f, OP_MOVX) >= 2);
    CHECK(f->nregs > 400);
}

TEST(places_are_lines_and_code_points) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct code_unit *u;
    struct err e;
    CHECK_OK(compiled("\n'\xc3\xa9\xc3\xa9'; f(1)\n", &a, &u, &e), &e);
    const struct code_span *s = &u->spans[u->nspans - 1];
    CHECK_EQ(s->line, 2);
    CHECK_EQ(s->col, 6);
    CHECK_EQ(s->end_col, 10);
}

static int compile_program(void) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct code_unit *u;
    struct err e;
    return compiled("@d\n"
                    "def f(a, *b, c=1):\n"
                    "    with a as x, b:\n"
                    "        return {k: v for k, v in x if (lambda: v)()}\n"
                    "class C(D, m=f):\n"
                    "    x: int = 1\n"
                    "    def m(self): return super().m(**self)\n",
                    &a, &u, &e);
}

TEST(compiling_survives_every_failed_allocation) {
    TORTURE(compile_program());
}
