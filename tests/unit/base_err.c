/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include "base/utf8.h"
#include "test.h"

#include <errno.h>
#include <string.h>

static int cause(struct err *e) {
    return fail(e, ERR_LIMIT, "%d is too many", 3);
}

TEST(err_gains_context_on_the_way_up) {
    struct err e;
    CHECK_FAIL(cause(&e), &e, ERR_LIMIT);
    CHECK_EQ(fail_while(&e, "line %d", 7), -1);
    CHECK_EQ(fail_while(&e, "file"), -1);
    CHECK_TEXT(e.text, "file: line 7: 3 is too many");
    CHECK_EQ(e.kind, ERR_LIMIT);
}

TEST(err_from_the_system_names_errno) {
    struct err e;
    errno = ENOENT;
    CHECK_EQ(fail_sys(&e, "open %s", "x"), -1);
    CHECK_TEXT(e.text, "open x: No such file or directory");
    CHECK_EQ(e.kind, ERR_SYSTEM);
    errno = 99999;
    CHECK_EQ(fail_sys(&e, "y"), -1);
    CHECK_TEXT(e.text, "y: unknown error");
}

TEST(err_may_be_its_own_argument) {
    struct err e;
    CHECK_FAIL(cause(&e), &e, ERR_LIMIT);
    CHECK_EQ(fail(&e, ERR_INVALID, "%s; try fewer", e.text), -1);
    CHECK_TEXT(e.text, "3 is too many; try fewer");
    CHECK_EQ(fail_while(&e, "%s", e.text), -1);
    CHECK_HAS(e.text, "fewer: 3 is too many; try fewer");
}

TEST(err_cuts_long_text_between_characters) {
    struct err e;
    char wide[2000]; /* two bytes each */
    for (size_t i = 0; i + 1 < sizeof wide; i += 2)
        memcpy(wide + i, "\xc3\xa4", 2);
    wide[sizeof wide - 2] = '\0';
    for (int shift = 0; shift < 4; shift++) {
        err_set(&e, ERR_INVALID, "%.*s%s", shift, "abc", wide);
        size_t n = strlen(e.text);
        CHECK(n > sizeof e.text - 8 && n < sizeof e.text);
        CHECK_EQ(utf8_valid(e.text, n), n);
        CHECK_TEXT(e.text + n - 3, "...");
    }
    err_context(&e, "%s", wide);
    CHECK_EQ(utf8_valid(e.text, strlen(e.text)), strlen(e.text));
}

TEST(err_cuts_bytes_that_are_not_text_too) {
    struct err e;
    char noise[2000];
    memset(noise, 0xff, sizeof noise - 1);
    noise[sizeof noise - 1] = '\0';
    err_set(&e, ERR_INVALID, "%s", noise);
    CHECK_EQ(strlen(e.text), sizeof e.text - 1);
}

TEST(err_statuses_do_not_collide_with_those_of_programs) {
    CHECK_TEXT(err_code(ERR_MISSING), "not_found");
    CHECK_EQ(err_exit_status(ERR_USAGE), 2);
    CHECK_EQ(err_exit_status(ERR_DENIED), 122);
    CHECK_EQ(err_exit_status(ERR_WAITING), 123);
    CHECK_EQ(err_exit_status(ERR_TIMEOUT), 124);
    CHECK_EQ(err_exit_status(ERR_INTERNAL), 125);
}
