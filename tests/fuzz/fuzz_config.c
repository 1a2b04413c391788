/* SPDX-License-Identifier: MIT
 *
 * A configuration file. The table and the schema made from it must agree on
 * what is right, except where the table looks closer than a schema can (a
 * duration or size that is too large).
 */
#include "fuzz.h"

#include "json/config.h"
#include "json/schema.h"

#include <assert.h>

static const struct config_key keys[] = {
    {"log", CONFIG_OBJECT, "", ""},
    {"log.level", CONFIG_CHOICE, "warn|info", ""},
    {"size", CONFIG_SIZE, "", ""},
    {"time", CONFIG_DURATION, "", ""},
    {"on", CONFIG_BOOL, "", ""},
    {"n", CONFIG_INT, "", ""},
    {"s", CONFIG_OBJECT, "", ""},
    {"s.*", CONFIG_OBJECT, "", ""},
    {"s.*.args", CONFIG_LIST, "", ""},
    {"s.*.args[]", CONFIG_TEXT, "", ""},
    {"any", CONFIG_ANY, "", ""},
    {NULL, CONFIG_ANY, "", ""},
};

static int schema_says(const struct json *v, struct arena *a, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 16);
    AUTO_SCHEMA struct schema *schema = NULL;
    const struct json *doc;
    int made = config_add_schema(keys, &text, e) ||
               json_parse(buf_str(&text), NULL, a, &doc, e) ||
               schema_compile(doc, NULL, &schema, e);
    assert(!made);
    return schema_check(schema, v, e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 24);
    const struct json *root = NULL;
    str text = {(const char *)data, size};
    if (config_parse(text, "f", keys, &a, &root, &e)) {
        assert(!root);
        return 0;
    }
    int valid = schema_says(root, &a, &e);
    assert(valid == 0);
    return 0;
}
