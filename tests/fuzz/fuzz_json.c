/* SPDX-License-Identifier: MIT
 *
 * JSON text. What is accepted must be the same value when it is written, in
 * any style, and read again; what is cut short must be told apart; a fault lies
 * inside the text.
 */
#include "fuzz.h"

#include "base/mem.h"
#include "json/parse.h"
#include "json/write.h"

#include <assert.h>
#include <string.h>

#define ROOM ((size_t)256 << 20)

static const struct json_limits kept = {.keep_duplicates = true};

static const struct json *reread(const struct json *v, enum json_style style,
                                 struct arena *a, struct buf *out) {
    struct err e;
    const struct json *again = NULL;
    int written = json_write(v, style, out, &e);
    assert(written == 0);
    int parsed = json_parse(buf_str(out), &kept, a, &again, &e);
    assert(parsed == 0);
    return again;
}

static void check_styles(const struct json *v, bool unique) {
    static const enum json_style styles[] = {JSON_COMPACT, JSON_PRETTY,
                                             JSON_CANONICAL};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
        AUTO_BUF struct buf first = BUF_MAX(ROOM), second = BUF_MAX(ROOM);
        const struct json *once = reread(v, styles[i], &a, &first);
        reread(once, styles[i], &a, &second);
        assert(str_eq(buf_str(&first), buf_str(&second)));
        /* Canonical text has no sign of which numbers were reals: a large one
         * reads as the integer of its shortest digits. */
        if (unique && styles[i] != JSON_CANONICAL) assert(json_equal(v, once));
    }
}

/* No part of an array, object or string is one. */
static void check_cut(str text, size_t n) {
    struct err e;
    struct json_fault fault;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    int parsed =
        json_parse_fault(str_sub(text, 0, n), NULL, &a, &v, &fault, &e);
    assert(parsed == -1);
    assert(e.kind == ERR_INVALID && fault.truncated);
}

static bool parses(str text, const struct json_limits *limits, struct arena *a,
                   const struct json **v) {
    struct err e;
    struct json_fault fault = {0};
    if (json_parse_fault(text, limits, a, v, &fault, &e) == 0) return true;
    assert(fault.offset <= text.n);
    assert(!fault.truncated || fault.offset == text.n);
    assert(e.kind != ERR_INVALID || (fault.line > 0 && fault.column > 0));
    return false;
}

/* A sink that keeps nothing. The text lies in memory of exactly the size that
 * the reader asks for, where an arena would hide a read past it. */
static int see_nothing(void *to) {
    (void)to;
    return 0;
}

static int see_bool(void *to, bool v) {
    (void)v;
    return see_nothing(to);
}

static int see_int(void *to, int64_t v) {
    (void)v;
    return see_nothing(to);
}

static int see_real(void *to, double v) {
    assert(v - v == 0); /* finite */
    return see_nothing(to);
}

static int see_big(void *to, char *p, size_t n) {
    memmove(p - 1, p, n);
    return see_nothing(to);
}

static int see_text(void *to, char *p, size_t n, bool ascii) {
    assert(p[n] == '\0');
    for (size_t i = 0; i < n && ascii; i++)
        assert((unsigned char)p[i] < 0x80);
    return see_nothing(to);
}

static int see_count(void *to, size_t n) {
    (void)n;
    return see_nothing(to);
}

static const struct parse_sink nothing = {
    .null = see_nothing,
    .boolean = see_bool,
    .integer = see_int,
    .real = see_real,
    .big = see_big,
    .string = see_text,
    .open_array = see_nothing,
    .close_array = see_count,
    .open_object = see_nothing,
    .key = see_text,
    .close_object = see_count,
};

static bool streams(str text) {
    struct err e;
    struct json_fault fault;
    AUTO_MEM char *copy = mem_alloc(text.n + 2, &e);
    if (!copy) return false;
    if (text.n > 0) memcpy(copy + 1, text.p, text.n);
    copy[text.n + 1] = '\0';
    struct parse_in in = {copy + 1, text.n, 512, false};
    return parse_run(&in, &nothing, NULL, &fault) == PARSE_DONE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct json_limits config = {.comments = true, .depth = 100};
    str text = {(const char *)data, size};
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v, *other;
    if (parses(text, &config, &a, &v)) check_styles(v, true);
    bool valid = parses(text, &kept, &a, &v);
    assert(streams(text) == valid);
    if (!valid) return 0;
    bool unique = parses(text, NULL, &a, &other);
    check_styles(v, unique);
    str body = str_trim(text);
    if (!unique || json_type(v) < JSON_STRING) return 0;
    check_cut(body, body.n - 1);
    check_cut(body, body.n / 2);
    check_cut(body, body.n / 3);
    return 0;
}
