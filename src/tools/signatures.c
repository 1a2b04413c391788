/* SPDX-License-Identifier: MIT */
#include "tools/signatures.h"

#include "tools/params.h"

#define DEPTH 8 /* of anyOf and the like inside each other */

static unsigned types_within(const struct json *root, const struct json *schema,
                             unsigned depth);

static unsigned type_named(str word) {
    static const struct {
        const char *word;
        unsigned types;
    } names[] = {{"string", CHECK_STR},   {"integer", CHECK_INT},
                 {"number", CHECK_FLOAT}, {"boolean", CHECK_BOOL},
                 {"array", CHECK_LIST},   {"object", CHECK_DICT},
                 {"null", CHECK_NONE}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_is(word, names[i].word)) return names[i].types;
    return 0;
}

/* Of "type": a word or a list of them; 0 where one is not known. */
static unsigned types_listed(const struct json *type) {
    if (json_type(type) == JSON_STRING) return type_named(json_str(type));
    if (json_type(type) != JSON_ARRAY) return 0;
    unsigned types = 0;
    const struct json *item = json_first(type);
    for (size_t i = json_len(type); i > 0; i--, item = json_skip(item)) {
        unsigned one =
            json_type(item) == JSON_STRING ? type_named(json_str(item)) : 0;
        if (!one) return 0;
        types |= one;
    }
    return types;
}

/* Of the branches of anyOf or oneOf together; 0 where one takes anything. */
static unsigned types_of_branches(const struct json *root,
                                  const struct json *branches, unsigned depth) {
    if (json_type(branches) != JSON_ARRAY) return 0;
    unsigned types = 0;
    const struct json *item = json_first(branches);
    for (size_t i = json_len(branches); i > 0; i--, item = json_skip(item)) {
        unsigned one = types_within(root, item, depth + 1);
        if (!one) return 0;
        types |= one;
    }
    return types;
}

static unsigned types_within(const struct json *root, const struct json *schema,
                             unsigned depth) {
    if (depth > DEPTH || !(schema = params_resolve(root, schema)) ||
        json_type(schema) != JSON_OBJECT)
        return 0;
    const struct json *type = json_get(schema, "type");
    if (type) return types_listed(type);
    const struct json *any = json_get(schema, "anyOf");
    if (!any) any = json_get(schema, "oneOf");
    return any ? types_of_branches(root, any, depth) : 0;
}

int signature_of(const struct entry *t, struct arena *a,
                 struct check_function *out, struct err *e) {
    struct params ps = {0};
    *out = (struct check_function){t->space, t->method, NULL, 0, true};
    if (t->flags & TOOL_SET_ASIDE) return 0;
    if (params_of(t->tool.input, a, &ps, e)) return -1;
    struct check_param *params =
        arena_zalloc(a, ps.count ? ps.count : 1, sizeof *params, e);
    if (!params) return -1;
    for (size_t i = 0; i < ps.count; i++)
        params[i] = (struct check_param){
            ps.items[i].name,
            types_within(t->tool.input, ps.items[i].schema, 0),
            ps.items[i].required};
    out->params = params;
    out->count = ps.count;
    out->open = ps.open;
    return 0;
}

int signatures_of(const struct registry *r, struct arena *a,
                  const struct check_function **out, size_t *n, struct err *e) {
    size_t count = registry_count(r);
    struct check_function *all =
        arena_zalloc(a, count ? count : 1, sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < count; i++)
        if (signature_of(registry_at(r, i), a, &all[i], e)) return -1;
    *out = all;
    *n = count;
    return 0;
}
