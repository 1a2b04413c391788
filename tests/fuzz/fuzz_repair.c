/* SPDX-License-Identifier: MIT
 *
 * Argument text. JSON passes unchanged; what is repaired is JSON; and a
 * container whose last bracket is cut off is never repaired.
 */
#include "fuzz.h"

#include "json/repair.h"
#include "json/write.h"

#include <assert.h>

#define ROOM ((size_t)64 << 20)

static void check_cut(str text) {
    struct err e;
    struct repair_result r;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    size_t n = text.n;
    while (n > 0 && text.p[n - 1] != '}' && text.p[n - 1] != ']')
        n--;
    if (n == 0) return; /* the brackets are written as escapes */
    int repaired = repair_parse(str_sub(text, 0, n - 1), NULL, &a, &r, &e);
    assert(repaired || json_type(r.value) < JSON_ARRAY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    str text = {(const char *)data, size};
    struct repair_result r;
    const struct json *strict, *again;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    bool is_json = json_parse(text, NULL, &a, &strict, &e) == 0;
    if (repair_parse(text, NULL, &a, &r, &e)) {
        assert(!is_json);
        return 0;
    }
    assert(is_json || r.rules != 0);
    if (is_json && r.rules == 0) assert(json_equal(strict, r.value));
    if (is_json && json_type(strict) != JSON_STRING) assert(r.rules == 0);
    if (json_write(r.value, JSON_COMPACT, &out, &e)) return 0;
    int parsed = json_parse(buf_str(&out), NULL, &a, &again, &e);
    assert(parsed == 0);
    assert(json_equal(again, r.value));
    if (json_type(r.value) >= JSON_ARRAY) check_cut(text);
    return 0;
}
