/* SPDX-License-Identifier: MIT
 *
 * JSON text. What is accepted must be the same value when it is written, in
 * any style, and read again; what is cut short must be told apart; a fault lies
 * inside the text.
 */
#include "fuzz.h"

#include "json/parse.h"
#include "json/write.h"

#include <assert.h>

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
        if (unique) assert(json_equal(v, once));
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct json_limits config = {.comments = true, .depth = 100};
    str text = {(const char *)data, size};
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v, *other;
    if (parses(text, &config, &a, &v)) check_styles(v, true);
    if (!parses(text, &kept, &a, &v)) return 0;
    bool unique = parses(text, NULL, &a, &other);
    check_styles(v, unique);
    str body = str_trim(text);
    if (!unique || json_type(v) < JSON_STRING) return 0;
    check_cut(body, body.n - 1);
    check_cut(body, body.n / 2);
    check_cut(body, body.n / 3);
    return 0;
}
