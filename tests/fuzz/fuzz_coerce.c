/* SPDX-License-Identifier: MIT
 *
 * A schema on the first line, arguments on the second. What coercion returns
 * is valid, is not changed by a second coercion, and is the value itself when
 * that was valid.
 */
#include "fuzz.h"

#include "json/coerce.h"

#include <assert.h>

#define ROOM ((size_t)64 << 20)

static void check(struct schema *s, const struct json *v, struct arena *a) {
    struct err e;
    struct coerce_result once, twice;
    bool valid = schema_check(s, v, &e) == 0;
    if (coerce_value(s, v, a, &once, &e)) {
        assert(!valid || e.kind == ERR_LIMIT);
        return;
    }
    int checked = schema_check(s, once.value, &e);
    assert(checked == 0 || e.kind == ERR_LIMIT);
    if (checked) return;
    if (valid) assert(once.value == v && once.count == 0);
    for (size_t i = 0; i < once.count; i++)
        assert(once.changes[i].from && once.changes[i].path.p);
    int again = coerce_value(s, once.value, a, &twice, &e);
    assert(again == 0 || e.kind == ERR_LIMIT);
    assert(again || (twice.count == 0 && twice.value == once.value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    str value_text = {(const char *)data, size};
    str schema_text = str_cut(&value_text, '\n');
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_SCHEMA struct schema *s = NULL;
    const struct json *schema, *v;
    struct schema_options o = {.steps = 20000, .bytes = (size_t)8 << 20};
    if (json_parse(schema_text, NULL, &a, &schema, &e) ||
        json_parse(value_text, NULL, &a, &v, &e) ||
        schema_compile(schema, &o, &s, &e))
        return 0;
    check(s, v, &a);
    return 0;
}
