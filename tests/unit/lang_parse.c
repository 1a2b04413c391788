/* SPDX-License-Identifier: MIT */
#include "lang/parse.h"

#include <stdio.h>
#include <string.h>

#include "lang/lines.h"
#include "lang/scope.h"
#include "test.h"

#define ROOM ((size_t)64 << 20)

static const uint64_t seed[2] = {1, 2};

static int parsed(const char *text, struct arena *a, struct ast *out,
                  struct fault *f, struct err *e) {
    return parse(str_of(text), seed, a, out, f, e);
}

static const struct node *first(const struct ast *ast) {
    return ast->module->as.module.body->at[0];
}

/* The fault of a text, as `line:column Type: words`. */
static void check_fault(const char *text, const char *want) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    CHECK_FAIL(parsed(text, &a, &ast, &f, &e), &e, ERR_INVALID);
    struct place at = place_of(str_of(text), f.start);
    char got[400];
    snprintf(got, sizeof got, "%u:%u %s: %s", at.line, at.column + 1,
             fault_type(f.kind), f.text);
    CHECK_TEXT(got, want);
}

TEST(nodes_know_the_bytes_they_came_from) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    CHECK_OK(parsed("x = (a + b)\n", &a, &ast, &f, &e), &e);
    const struct node *n = first(&ast);
    CHECK_EQ(n->kind, N_Assign);
    CHECK_EQ(n->start, 0);
    CHECK_EQ(n->end, 11);
    const struct node *sum = n->as.assign.value;
    CHECK_EQ(sum->kind, N_BinOp);
    CHECK_EQ(sum->start, 5);
    CHECK_EQ(sum->end, 10);
    CHECK(sum->flags & NODE_PAREN);
}

TEST(identifiers_are_compared_in_normal_form) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    /* U+FB01, the ligature, is "fi" */
    CHECK_OK(parsed("\xef\xac\x81 = 1\n", &a, &ast, &f, &e), &e);
    const struct node *t = first(&ast)->as.assign.targets->at[0];
    CHECK_STR(name_text(&ast.names, t->as.name.id), "fi");
}

TEST(strings_without_escapes_point_into_the_source) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const char *text = "'abc'";
    struct ast ast;
    struct fault f;
    struct err e;
    CHECK_OK(parsed(text, &a, &ast, &f, &e), &e);
    str s = first(&ast)->as.expr.value->as.constant.value.as.text;
    CHECK(s.p == text + 1);
    CHECK_STR(s, "abc");
}

TEST(long_ints_keep_their_digits) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    CHECK_OK(parsed("0o777_777_777_777_777_777_777_777", &a, &ast, &f, &e), &e);
    const struct constant *k = &first(&ast)->as.expr.value->as.constant.value;
    CHECK_EQ(k->kind, CONST_BIG);
    CHECK_STR(k->as.text, "0xffffffffffffffffff");
}

TEST(columns_of_faults_count_code_points) {
    check_fault("\xc3\xa9\xc3\xa9 = = 1\n", "1:6 SyntaxError: invalid syntax");
}

TEST(deep_nesting_is_a_fault_and_not_a_crash) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    char text[20001];
    struct ast ast;
    struct fault f;
    struct err e;
    static const char *const heads[] = {"(",    "[",       "{",  "-",
                                        "not ", "lambda:", "f'{"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        size_t n = strlen(heads[i]);
        for (size_t k = 0; k + n < sizeof text; k += n)
            memcpy(text + k, heads[i], n);
        text[sizeof text - 1 - (sizeof text - 1) % n] = '\0';
        CHECK_FAIL(parsed(text, &a, &ast, &f, &e), &e, ERR_INVALID);
        CHECK_HAS(f.text, "too many nested");
    }
}

TEST(chains_cost_no_depth) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    static char text[400001];
    struct ast ast;
    struct fault f;
    struct err e;
    static const char *const links[] = {"+a",  ".a", "(a)",
                                        "[a]", "<a", " or a"};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        size_t n = strlen(links[i]), k = 1;
        text[0] = 'a';
        for (; k + n < 100000; k += n)
            memcpy(text + k, links[i], n);
        text[k] = '\0';
        CHECK_OK(parsed(text, &a, &ast, &f, &e), &e);
        CHECK_OK(scope_analyse(&ast, &a, &f, &e), &e);
    }
}

TEST(bytes_that_are_no_text_are_refused) {
    check_fault("x = '\xff'\n",
                "1:6 SyntaxError: (unicode error) 'utf-8' codec can't decode "
                "byte 0xff in position 5: invalid byte");
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    str nul = {"a\0b", 3};
    CHECK_FAIL(parse(nul, seed, &a, &ast, &f, &e), &e, ERR_INVALID);
    CHECK_TEXT(f.text, "source code cannot contain null bytes");
}

TEST(an_arena_that_is_too_small_is_no_fault_of_the_source) {
    AUTO_ARENA struct arena a = ARENA_MAX(8192);
    static char text[60001];
    struct ast ast;
    struct fault f;
    struct err e;
    for (size_t i = 0; i + 4 < sizeof text; i += 4)
        memcpy(text + i, "a+1;", 4);
    CHECK_FAIL(parsed(text, &a, &ast, &f, &e), &e, ERR_LIMIT);
    CHECK_EQ(f.kind, FAULT_NONE);
}

static const char *const program =
    "class C(B):\n"
    "    def m(self, *a, k=1):\n"
    "        return [super().m(x) for x in a if x] + f'{k!r:>{x}}'.split()\n"
    "match v:\n"
    "    case [1, *r] | {'a': r}: pass\n";

static int parse_and_resolve(void) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    if (parsed(program, &a, &ast, &f, &e)) return -1;
    return scope_analyse(&ast, &a, &f, &e);
}

TEST(parsing_survives_every_failed_allocation) {
    TORTURE(parse_and_resolve());
}

TEST(lines_agree_with_places) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    str text = STR("\xef\xbb\xbf"
                   "a\r\nb\xc3\xa9 c\rd\n\n\xe2\x82\xac e");
    struct lines l;
    struct err e;
    CHECK_OK(lines_init(&l, text, &a, &e), &e);
    for (uint32_t i = 3; i <= text.n; i++) {
        if (i > 0 && text.p[i - 1] == '\r' && text.p[i] == '\n') continue;
        struct place want = place_of(text, i), got = lines_place(&l, i);
        CHECK_EQ(got.line, want.line);
        CHECK_EQ(got.byte, want.byte);
    }
}

/* -- scopes --------------------------------------------------------------- */

static const struct scope *function_scope(const struct ast *ast, uint32_t i) {
    return ast->module->as.module.body->at[i]->as.func.scope;
}

static enum var_place place(const struct ast *ast, const struct scope *s,
                            const char *name) {
    uint32_t id = name_find(&ast->names, str_of(name));
    const struct variable *v = id ? scope_find(s, id) : NULL;
    return v ? (enum var_place)v->place : VAR_UNRESOLVED;
}

TEST(captured_variables_are_cells_and_others_registers) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    CHECK_OK(parsed("def f(a, b):\n"
                    "    c = 1\n"
                    "    def g(): return a + c + d\n"
                    "    return g, b\n",
                    &a, &ast, &f, &e),
             &e);
    CHECK_OK(scope_analyse(&ast, &a, &f, &e), &e);
    const struct scope *s = function_scope(&ast, 0);
    CHECK_EQ(place(&ast, s, "a"), VAR_CELL);
    CHECK_EQ(place(&ast, s, "b"), VAR_LOCAL);
    CHECK_EQ(place(&ast, s, "c"), VAR_CELL);
    const struct scope *g = s->next;
    CHECK_EQ(place(&ast, g, "a"), VAR_FREE);
    CHECK_EQ(place(&ast, g, "d"), VAR_GLOBAL);
    CHECK_EQ(g->nfree, 2);
}

TEST(comprehensions_capture_nothing_of_their_own_frame) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    CHECK_OK(parsed("def f(a):\n"
                    "    return [a + x for x in a], (a for y in a)\n",
                    &a, &ast, &f, &e),
             &e);
    CHECK_OK(scope_analyse(&ast, &a, &f, &e), &e);
    const struct scope *s = function_scope(&ast, 0);
    CHECK_EQ(s->next->kind, SCOPE_COMPREHENSION);
    CHECK_EQ(place(&ast, s->next, "x"), VAR_LOCAL);
    /* the generator expression is a unit of its own */
    CHECK_EQ(place(&ast, s->next->next, "a"), VAR_FREE);
    CHECK_EQ(place(&ast, s, "a"), VAR_CELL);
}

TEST(private_names_carry_their_class) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct ast ast;
    struct fault f;
    struct err e;
    CHECK_OK(parsed("class _C:\n    __x = 1\n", &a, &ast, &f, &e), &e);
    CHECK_OK(scope_analyse(&ast, &a, &f, &e), &e);
    CHECK(name_find(&ast.names, STR("_C__x")) != NAME_NONE);
}
