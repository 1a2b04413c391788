/* SPDX-License-Identifier: MIT
 *
 * test -- a test is a sentence.
 *
 *     TEST(buf_refuses_more_than_its_max) {
 *         struct err e;
 *         AUTO_BUF struct buf b = BUF_MAX(3);
 *         CHECK_OK(buf_add_text(&b, "abc", &e), &e);
 *         CHECK_FAIL(buf_add_char(&b, 'd', &e), &e, ERR_LIMIT);
 *         CHECK_STR(buf_str(&b), "abc");
 *     }
 *
 * Each TEST runs in a process of its own, under a timeout, and must free what
 * it allocated. The program prints TAP. Arguments are shell patterns that
 * select tests by name: `build/tests/unit/base_buf '*refuses*'`. With
 * TEST_NOFORK=1 they run in one process, for debuggers.
 */
#ifndef CORDON_TESTS_TEST_H
#define CORDON_TESTS_TEST_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
};

void test_register(struct test *t);

#define TEST(name_)                                                   \
    static void name_(void);                                          \
    __attribute__((constructor)) static void name_##_register(void) { \
        static struct test t = {#name_, name_, NULL};                 \
        test_register(&t);                                            \
    }                                                                 \
    static void name_(void)

/* A check that fails prints why and ends the test, from any depth. */
#define CHECK(cond) \
    ((cond) ? (void)0 : test_fail(__FILE__, __LINE__, "%s is false", #cond))

#define CHECK_EQ(got, want) \
    test_eq(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))

/* got is a str, or a C string in CHECK_TEXT; want a C string. */
#define CHECK_STR(got, want)  test_str(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_TEXT(got, want) CHECK_STR(str_of(got), (want))

/* want occurs somewhere in the C string got. */
#define CHECK_HAS(got, want) test_has(__FILE__, __LINE__, #got, (got), (want))

/* For calls that return 0, or -1 and a filled struct err. */
#define CHECK_OK(call, e) test_ok(__FILE__, __LINE__, #call, (call), (e))
#define CHECK_FAIL(call, e, kind_) \
    test_failed(__FILE__, __LINE__, #call, (call), (e), (kind_))

/* Ends the test as skipped; the reason is reported. */
#define SKIP(...) test_skip(__VA_ARGS__)

/* Runs `call` (0 or -1) again and again with the 1st, 2nd, ... allocation and
 * all after it failing, until it gets by. Each failed run must say so and must
 * free everything it had allocated. */
#define TORTURE(call)                                                \
    for (struct torture torture_ = torture_begin(); !torture_.done;) \
    torture_step(__FILE__, __LINE__, #call, &torture_, (call))

struct torture {
    size_t round;       /* the allocation that fails in this round */
    size_t live_before; /* mem_live() when the round started */
    bool done;
};

struct torture torture_begin(void);
void torture_step(const char *file, int line, const char *text,
                  struct torture *t, int result);

void test_fail(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void test_skip(const char *fmt, ...)
    __attribute__((format(printf, 1, 2), noreturn));
void test_eq(const char *file, int line, const char *text, long long got,
             long long want);
void test_str(const char *file, int line, const char *text, str got,
              const char *want);
void test_has(const char *file, int line, const char *text, const char *got,
              const char *want);
void test_ok(const char *file, int line, const char *text, int result,
             const struct err *e);
void test_failed(const char *file, int line, const char *text, int result,
                 const struct err *e, enum err_kind want);

/* Makes a folder for this test alone and changes into it; it is removed after
 * the test. Returns its path. */
const char *test_folder(void);

/* A line of diagnosis that does not fail anything. */
void test_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
