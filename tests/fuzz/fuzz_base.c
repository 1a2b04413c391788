/* SPDX-License-Identifier: MIT
 *
 * Texts that people or files give: numbers, times, patterns, UTF-8. Whatever
 * is accepted must mean the same when it is written and read again.
 */
#include "fuzz.h"

#include "base/clock.h"
#include "base/num.h"
#include "base/utf8.h"

#include <assert.h>
#include <string.h>

static void check_time(str s) {
    struct err e;
    int64_t ns, again;
    char text[CLOCK_TEXT_SIZE];
    if (clock_parse(s, &ns, &e)) return;
    int parsed = clock_parse(str_of(clock_format(ns, text)), &again, &e);
    assert(parsed == 0);
    assert(ns - again >= 0 && ns - again < 1000000);
}

static void check_utf8(str s) {
    size_t at = 0, valid = utf8_valid(s.p, s.n);
    assert(valid <= utf8_valid_loose(s.p, s.n));
    for (uint32_t cp; at < valid;) {
        char back[UTF8_MAX];
        size_t n = utf8_decode(s.p + at, s.n - at, &cp);
        assert(n > 0 && utf8_encode(cp, back) == n);
        assert(memcmp(back, s.p + at, n) == 0);
        at += n;
    }
    assert(at == valid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    str s = {(const char *)data, size}, rest = s;
    int64_t i64;
    uint64_t u64;
    (void)num_parse_i64(s, &i64, &e);
    (void)num_parse_size(s, &u64, &e);
    if (num_parse_duration(s, &i64, &e) == 0) assert(i64 >= 0);
    check_time(s);
    check_utf8(s);
    str pattern = str_cut(&rest, '\n');
    (void)str_glob(pattern, rest);
    (void)str_distance(pattern, rest, 3);
    return 0;
}
