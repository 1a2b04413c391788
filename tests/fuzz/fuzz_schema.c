/* SPDX-License-Identifier: MIT
 *
 * A schema on the first line, a value on the second. Whatever compiles must
 * evaluate within its limits, and a report must agree with the verdict.
 */
#include "fuzz.h"

#include "json/schema.h"

#include <assert.h>
#include <string.h>

#define ROOM ((size_t)64 << 20)

static const char fixed[] =
    "{\"a\":1,\"b\":[1,2.5,\"x\",null,true],\"c\":{\"d\":\"2024-01-01\"},"
    "\"e\":123456789012345678901234567890,\"\":-0.0}";

static void evaluate(struct schema *s, const struct json *v) {
    struct err e;
    struct schema_report r;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    int checked = schema_check(s, v, &e);
    bool limit = checked && e.kind != ERR_INVALID;
    if (checked) assert(strlen(e.text) > 0);
    if (schema_explain(s, v, 3, &a, &r, &e)) return;
    assert(limit || (checked == 0) == (r.count == 0));
    assert(r.count <= 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    str value_text = {(const char *)data, size};
    str schema_text = str_cut(&value_text, '\n');
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_SCHEMA struct schema *s = NULL;
    const struct json *schema, *v;
    struct schema_options o = {
        .steps = 20000, .bytes = (size_t)8 << 20, .assert_formats = size & 1};
    if (json_parse(schema_text, NULL, &a, &schema, &e)) return 0;
    struct schema_doc self = {STR("http://example.com/self"), schema};
    o.docs = &self;
    o.doc_count = 1;
    if (schema_compile(schema, &o, &s, &e)) {
        assert(strlen(e.text) > 0);
        return 0;
    }
    if (json_parse(str_of(fixed), NULL, &a, &v, &e) == 0) evaluate(s, v);
    evaluate(s, schema);
    if (json_parse(value_text, NULL, &a, &v, &e) == 0) evaluate(s, v);
    return 0;
}
