/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include "base/file.h"
#include "test.h"

#include <string.h>
#include <unistd.h>

/* A log into a pipe, and what came out of it. */
struct tap {
    struct log log;
    int out;
};

static struct tap open_tap(enum log_level level) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    return (struct tap){LOG_TO(ends[1], level), ends[0]};
}

static void close_tap(struct tap *t, struct buf *text) {
    struct err e;
    close(t->log.fd);
    CHECK_OK(fd_read_all(t->out, text, &e), &e);
    close(t->out);
    log_fini(&t->log);
}

TEST(log_drops_lines_above_its_level) {
    AUTO_BUF struct buf b = BUF_MAX(10000);
    struct tap t = open_tap(LOG_WARN);
    log_error(&t.log, "one %d", 1);
    log_warn(&t.log, "two");
    log_info(&t.log, "three");
    log_debug(&t.log, "four");
    close_tap(&t, &b);
    CHECK_STR(buf_str(&b), "error: one 1\nwarn: two\n");
}

TEST(log_redacts_secrets_and_the_longest_first) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(10000);
    struct tap t = open_tap(LOG_INFO);
    CHECK_OK(log_redact(&t.log, STR("token"), &e), &e);
    CHECK_OK(log_redact(&t.log, STR("token-12345"), &e), &e);
    CHECK_FAIL(log_redact(&t.log, STR("abc"), &e), &e, ERR_INVALID);
    CHECK_FAIL(log_redact(&t.log, STR("abcd\0e"), &e), &e, ERR_INVALID);
    log_info(&t.log, "key=token-12345, tokentoken tok");
    close_tap(&t, &b);
    CHECK_STR(buf_str(&b), "info: key=[redacted], [redacted][redacted] tok\n");
}

TEST(log_does_not_show_half_a_secret_at_the_cut) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(10000);
    struct tap t = open_tap(LOG_INFO);
    CHECK_OK(log_redact(&t.log, STR("SECRETSECRET"), &e), &e);
    char filler[4090];
    memset(filler, '.', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    log_info(&t.log, "%sSECRETSECRET", filler);
    close_tap(&t, &b);
    CHECK(b.len > 4000);
    CHECK(strstr(b.data, "SEC") == NULL);
    CHECK_TEXT(b.data + b.len - 4, "...\n");
}

TEST(log_escapes_what_could_forge_lines) {
    AUTO_BUF struct buf b = BUF_MAX(10000);
    struct tap t = open_tap(LOG_INFO);
    log_info(&t.log, "%s",
             "a\nerror: b\r\x1b[31m\x7f \xc3\xa4 \xff \xe2\x80\xae \xc2\x9b");
    close_tap(&t, &b);
    CHECK_STR(buf_str(&b),
              "info: a\\x0aerror: b\\x0d\\x1b[31m\\x7f \xc3\xa4 \\xff "
              "\\u202e \\x9b\n");
}

TEST(log_can_stamp_lines) {
    AUTO_BUF struct buf b = BUF_MAX(10000);
    struct tap t = open_tap(LOG_INFO);
    t.log.timestamps = true;
    log_info(&t.log, "x");
    close_tap(&t, &b);
    CHECK_EQ(b.len, strlen("2026-01-31T12:00:00.123Z info: x\n"));
    CHECK_TEXT(b.data + 23, "Z info: x\n");
}

TEST(log_colours_the_level_alone) {
    AUTO_BUF struct buf b = BUF_MAX(10000);
    struct tap t = open_tap(LOG_INFO);
    t.log.color = true;
    log_error(&t.log, "\033[1mx");
    close_tap(&t, &b);
    CHECK_STR(buf_str(&b), "\033[31merror\033[0m: \\x1b[1mx\n");
}

TEST(log_levels_have_names) {
    struct err e;
    enum log_level level = LOG_ERROR;
    CHECK_OK(log_parse_level(STR("debug"), &level, &e), &e);
    CHECK_EQ(level, LOG_DEBUG);
    CHECK_FAIL(log_parse_level(STR("loud"), &level, &e), &e, ERR_INVALID);
    CHECK_EQ(level, LOG_DEBUG);
}

static int add_secrets(void) {
    struct err e;
    struct log log = LOG_TO(-1, LOG_INFO);
    int result = log_redact(&log, STR("first"), &e) ||
                         log_redact(&log, STR("second"), &e)
                     ? -1
                     : 0;
    log_fini(&log);
    return result;
}

TEST(log_survives_every_failed_allocation) {
    TORTURE(add_secrets());
}
