/* SPDX-License-Identifier: MIT */
#include "call/openapi_schema.h"

#include <stdio.h>

#define NODES         20000 /* of one tool's schema; then it stays open */
#define SHAPE_DEPTH   2
#define SHAPE_NESTING 6
#define SHAPE_MEMBERS 24
#define SHAPE_UNWRAP  8

/* What stands behind a keyword. */
enum holds {
    HOLDS_VALUE,
    HOLDS_SCHEMA,
    HOLDS_MAP,
    HOLDS_LIST,
    HOLDS_NOTHING, /* left out: not of JSON Schema, or of no use here */
};

static enum holds holds_of(str keyword) {
    static const struct {
        const char *word;
        enum holds holds;
    } rows[] = {
        {"properties", HOLDS_MAP},
        {"patternProperties", HOLDS_MAP},
        {"dependentSchemas", HOLDS_MAP},
        {"$defs", HOLDS_MAP},
        {"items", HOLDS_SCHEMA},
        {"additionalProperties", HOLDS_SCHEMA},
        {"not", HOLDS_SCHEMA},
        {"if", HOLDS_SCHEMA},
        {"then", HOLDS_SCHEMA},
        {"else", HOLDS_SCHEMA},
        {"contains", HOLDS_SCHEMA},
        {"propertyNames", HOLDS_SCHEMA},
        {"unevaluatedItems", HOLDS_SCHEMA},
        {"unevaluatedProperties", HOLDS_SCHEMA},
        {"allOf", HOLDS_LIST},
        {"anyOf", HOLDS_LIST},
        {"oneOf", HOLDS_LIST},
        {"prefixItems", HOLDS_LIST},
        {"nullable", HOLDS_NOTHING},
        {"discriminator", HOLDS_NOTHING},
        {"xml", HOLDS_NOTHING},
        {"externalDocs", HOLDS_NOTHING},
        {"example", HOLDS_NOTHING},
        {"examples", HOLDS_NOTHING},
        {"readOnly", HOLDS_NOTHING},
        {"writeOnly", HOLDS_NOTHING},
        {"$id", HOLDS_NOTHING},
        {"$schema", HOLDS_NOTHING},
        {"$anchor", HOLDS_NOTHING},
        {"$dynamicAnchor", HOLDS_NOTHING},
        {"$dynamicRef", HOLDS_NOTHING},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (str_is(keyword, rows[i].word)) return rows[i].holds;
    return str_starts(keyword, STR("x-")) ? HOLDS_NOTHING : HOLDS_VALUE;
}

/* ---- references ---- */

/* The number of a reference among those of this tool; -1: one too many. */
static int number_of(struct api_defs *d, str ref) {
    for (size_t i = 0; i < d->count; i++)
        if (str_eq(d->refs[i], ref)) return (int)i;
    if (d->count == API_DEFS) return -1;
    d->refs[d->count] = ref;
    return (int)d->count++;
}

static void write_ref(struct api_defs *d, str ref) {
    char text[32];
    int number = ref.p[0] == '#' ? number_of(d, ref) : -1;
    if (number < 0) return;
    snprintf(text, sizeof text, "#/$defs/%d", number);
    build_put_text(d->out, "$ref", str_of(text));
}

void api_schema_defs(struct api_defs *d) {
    char name[16];
    if (d->count == 0) return;
    build_key(d->out, STR("$defs"));
    build_object(d->out);
    for (; d->written < d->count; d->written++) {
        str ref = d->refs[d->written];
        const struct json *target =
            json_pointer(d->api->doc, str_sub(ref, 1, ref.n));
        snprintf(name, sizeof name, "%zu", d->written);
        build_key(d->out, str_of(name));
        api_schema(d, target);
    }
    build_end(d->out);
}

/* ---- schemas ---- */

static bool is_object(const struct json *v) {
    return v && json_type(v) == JSON_OBJECT;
}

/* A member that only answers have is not asked for. */
static bool is_for_answers(const struct json *schema) {
    return is_object(schema) && json_get_bool(schema, "readOnly", false);
}

static void write_map(struct api_defs *d, const struct json *v) {
    build_object(d->out);
    const struct json *key = is_object(v) ? json_first(v) : NULL;
    for (size_t i = key ? json_len(v) : 0; i > 0; i--) {
        if (!is_for_answers(key + 1)) {
            build_key(d->out, json_str(key));
            api_schema(d, key + 1);
        }
        key = json_skip(key + 1);
    }
    build_end(d->out);
}

static void write_list(struct api_defs *d, const struct json *v) {
    bool list = json_type(v) == JSON_ARRAY;
    build_array(d->out);
    const struct json *item = json_first(v);
    for (size_t i = list ? json_len(v) : 0; i > 0; i--, item = json_skip(item))
        api_schema(d, item);
    build_end(d->out);
}

/* 3.0 writes {"minimum": 1, "exclusiveMinimum": true}. */
static bool write_bound(struct api_defs *d, const struct json *schema, str key,
                        const struct json *v) {
    static const char *const pairs[][2] = {{"minimum", "exclusiveMinimum"},
                                           {"maximum", "exclusiveMaximum"}};
    for (size_t i = 0; i < 2; i++) {
        const struct json *flag = json_get(schema, pairs[i][1]);
        if (!flag || json_type(flag) != JSON_BOOL) continue;
        if (str_is(key, pairs[i][1])) return true;
        if (!str_is(key, pairs[i][0])) continue;
        build_put(d->out, pairs[i][flag->as.boolean ? 1 : 0], v);
        return true;
    }
    return false;
}

static void write_member(struct api_defs *d, const struct json *schema, str key,
                         const struct json *v) {
    enum holds holds = holds_of(key);
    if (holds == HOLDS_NOTHING || write_bound(d, schema, key, v)) return;
    if (str_is(key, "required") && json_type(v) != JSON_ARRAY) return;
    build_key(d->out, key);
    switch (holds) {
    case HOLDS_VALUE:
    case HOLDS_NOTHING: build_copy(d->out, v); break;
    case HOLDS_SCHEMA: api_schema(d, v); break;
    case HOLDS_MAP: write_map(d, v); break;
    case HOLDS_LIST: write_list(d, v); break;
    }
}

/* "required" may name members that only answers have. */
static void write_required(struct api_defs *d, const struct json *schema) {
    const struct json *list = json_get(schema, "required");
    const struct json *all = json_get(schema, "properties");
    build_key(d->out, STR("required"));
    build_array(d->out);
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING &&
            !is_for_answers(json_get_str(all, json_str(v))))
            build_copy(d->out, v);
    build_end(d->out);
}

static void write_members(struct api_defs *d, const struct json *schema) {
    const struct json *key = json_first(schema);
    bool described = d->described;
    d->described = false;
    for (size_t i = json_len(schema); i > 0; i--, key = json_skip(key + 1)) {
        str name = json_str(key);
        if (described && str_is(name, "description")) continue;
        if (str_is(name, "required") && json_type(key + 1) == JSON_ARRAY)
            write_required(d, schema);
        else
            write_member(d, schema, name, key + 1);
    }
}

/* 3.0's "nullable" beside anything: the schema, or null. */
static void write_nullable(struct api_defs *d, const struct json *schema) {
    build_key(d->out, STR("anyOf"));
    build_array(d->out);
    build_object(d->out);
    write_members(d, schema);
    build_end(d->out);
    build_object(d->out);
    build_put_text(d->out, "type", STR("null"));
    build_end(d->out);
    build_end(d->out);
}

void api_schema_described(struct api_defs *d, const struct json *schema,
                          str text) {
    bool over = d->nodes++ > NODES;
    str ref = json_get_text(schema, "$ref", STR(""));
    build_object(d->out);
    if (text.n > 0) build_put_text(d->out, "description", text);
    d->described = text.n > 0;
    if (over || !is_object(schema))
        ; /* open */
    else if (ref.n > 0)
        write_ref(d, ref);
    else if (d->api->nullable && json_get_bool(schema, "nullable", false))
        write_nullable(d, schema);
    else
        write_members(d, schema);
    build_end(d->out);
}

void api_schema(struct api_defs *d, const struct json *schema) {
    if (schema && json_type(schema) == JSON_BOOL)
        build_copy(d->out, schema);
    else
        api_schema_described(d, schema, STR(""));
}

/* ---- shapes ---- */

/* Through references and wrappers to what says something. */
static const struct json *unwrap(const struct api *a,
                                 const struct json *schema) {
    static const char *const wrappers[] = {"allOf", "oneOf", "anyOf"};
    for (size_t n = 0; n < SHAPE_UNWRAP; n++) {
        schema = api_resolve(a, schema);
        if (!is_object(schema)) return NULL;
        if (json_get(schema, "properties") || json_get(schema, "type"))
            return schema;
        const struct json *inner = NULL;
        for (size_t i = 0; i < 3 && !inner; i++)
            inner = json_at(json_get(schema, wrappers[i]), 0);
        if (!inner) return schema;
        schema = inner;
    }
    return NULL;
}

/* depth: objects whose members are told; nesting: of anything. */
static void shape(const struct api *a, struct json_build *out,
                  const struct json *schema, size_t depth, size_t nesting);

static void shape_members(const struct api *a, struct json_build *out,
                          const struct json *all, size_t depth,
                          size_t nesting) {
    build_key(out, STR("properties"));
    build_object(out);
    const struct json *key = json_first(all);
    size_t most = depth == SHAPE_DEPTH ? SHAPE_MEMBERS : SHAPE_MEMBERS / 2;
    for (size_t i = 0; i < json_len(all) && i < most; i++) {
        build_key(out, json_str(key));
        shape(a, out, key + 1, depth - 1, nesting);
        key = json_skip(key + 1);
    }
    build_end(out);
    build_key(out, STR("required"));
    build_array(out);
    key = json_first(all);
    for (size_t i = 0; i < json_len(all) && i < most; i++) {
        build_text(out, json_str(key));
        key = json_skip(key + 1);
    }
    build_end(out);
}

static void shape(const struct api *a, struct json_build *out,
                  const struct json *schema, size_t depth, size_t nesting) {
    schema = unwrap(a, schema);
    build_object(out);
    const struct json *type = json_get(schema, "type");
    const struct json *all = json_get(schema, "properties");
    const struct json *items = json_get(schema, "items");
    if (type)
        build_put(out, "type", type);
    else if (all)
        build_put_text(out, "type", STR("object"));
    if (is_object(all) && depth > 0)
        shape_members(a, out, all, depth, nesting - 1);
    if (is_object(items) && nesting > 1) {
        build_key(out, STR("items"));
        shape(a, out, items, depth, nesting - 1);
    }
    build_end(out);
}

void api_shape(const struct api *a, struct json_build *out,
               const struct json *schema) {
    shape(a, out, schema, SHAPE_DEPTH, SHAPE_NESTING);
}
