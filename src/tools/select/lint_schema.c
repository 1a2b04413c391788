/* SPDX-License-Identifier: MIT
 *
 * lint_schema -- schemas that model APIs refuse, parameters nobody explained.
 */
#include "tools/select/lint.h"

#define DEPTH 16

struct at {
    struct lint *l;
    const struct tool *t;
    size_t undescribed;
    str first; /* the first parameter without a description */
};

static bool is_type_name(str s) {
    static const char *const names[] = {"null",   "boolean", "object", "array",
                                        "number", "string",  "integer"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_is(s, names[i])) return true;
    return false;
}

static int check_type(struct at *at, const struct json *schema, str where,
                      struct err *e) {
    const struct json *type = json_get(schema, "type");
    if (type && json_type(type) == JSON_STRING && !is_type_name(json_str(type)))
        return lint_add(at->l, LINT_SCHEMA, at->t, NULL, NULL, e,
                        "%.*s has the type \"%.*s\", which JSON Schema does "
                        "not know",
                        STR_ARG(where), STR_ARG(json_str(type)));
    return 0;
}

static bool has_member(const struct json *object, str key) {
    return object && json_get_str(object, key) != NULL;
}

/* Names in "required" must be properties. */
static int check_required(struct at *at, const struct json *schema,
                          struct err *e) {
    const struct json *required = json_get(schema, "required");
    const struct json *properties = json_get(schema, "properties");
    if (!required || json_type(required) != JSON_ARRAY) return 0;
    const struct json *name = json_first(required);
    for (size_t i = 0; i < json_len(required); i++, name = json_skip(name))
        if (json_type(name) == JSON_STRING &&
            !has_member(properties, json_str(name)))
            return lint_add(at->l, LINT_SCHEMA, at->t, NULL, NULL, e,
                            "\"%.*s\" is required but not a property",
                            STR_ARG(json_str(name)));
    return 0;
}

static bool is_property_name(str s) {
    if (s.n == 0 || s.n > 64) return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
        if (!fine) return false;
    }
    return true;
}

static int check_properties(struct at *at, const struct json *schema,
                            size_t depth, struct err *e);

static int check_property(struct at *at, str name, const struct json *v,
                          size_t depth, struct err *e) {
    if (!is_property_name(name) &&
        lint_add(at->l, LINT_SCHEMA, at->t, NULL, NULL, e,
                 "the property \"%.*s\" has a name that model APIs refuse",
                 STR_ARG(str_sub(name, 0, 80))))
        return -1;
    if (json_type(v) != JSON_OBJECT) return 0;
    str text = str_trim(json_get_text(v, "description", STR("")));
    if (text.n == 0 && !json_get(v, "enum") && !json_get(v, "$ref") &&
        !json_get(v, "const") && at->undescribed++ == 0)
        at->first = name;
    if (check_type(at, v, name, e)) return -1;
    return check_properties(at, v, depth + 1, e);
}

static int check_properties(struct at *at, const struct json *schema,
                            size_t depth, struct err *e) {
    const struct json *all = json_get(schema, "properties");
    if (depth > DEPTH) return 0;
    if (check_required(at, schema, e)) return -1;
    if (!all) return 0;
    if (json_type(all) != JSON_OBJECT)
        return lint_add(at->l, LINT_SCHEMA, at->t, NULL, NULL, e,
                        "\"properties\" is not an object");
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1))
        if (check_property(at, json_str(key), key + 1, depth, e)) return -1;
    return 0;
}

static int check_top(struct at *at, const struct json *schema, struct err *e) {
    static const char *const refused[] = {"oneOf", "anyOf", "allOf", "enum",
                                          "not"};
    str type = json_get_text(schema, "type", STR(""));
    if (!str_is(type, "object"))
        return lint_add(at->l, LINT_SCHEMA, at->t, NULL, NULL, e,
                        "the schema's type is \"%.*s\", not \"object\"",
                        STR_ARG(type));
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (json_get(schema, refused[i]))
            return lint_add(at->l, LINT_SCHEMA, at->t, NULL, NULL, e,
                            "\"%s\" at the top is refused by model APIs",
                            refused[i]);
    return 0;
}

int lint_schema(struct lint *l, const struct tool *t, struct err *e) {
    struct at at = {.l = l, .t = t};
    if (!t->input) return 0;
    if (check_top(&at, t->input, e) || check_properties(&at, t->input, 0, e))
        return -1;
    if (at.undescribed == 0) return 0;
    return lint_add(l, LINT_PARAM_TEXT, t, NULL, NULL, e,
                    "%zu parameter%s without a description, \"%.*s\" first",
                    at.undescribed, at.undescribed == 1 ? "" : "s",
                    STR_ARG(at.first));
}
