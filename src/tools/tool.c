/* SPDX-License-Identifier: MIT */
#include "tools/tool.h"

/* The first of these members that is an object. */
static const struct json *first_object(const struct json *v,
                                       const char *const *keys) {
    for (; *keys; keys++) {
        const struct json *found = json_get(v, *keys);
        if (found && json_type(found) == JSON_OBJECT) return found;
    }
    return NULL;
}

static const struct json *array_of(const struct json *v, const char *key) {
    const struct json *found = json_get(v, key);
    return found && json_type(found) == JSON_ARRAY ? found : NULL;
}

static const struct json *input_of(const struct json *v) {
    static const char *const keys[] = {"inputSchema", "input_schema", "schema",
                                       "parameters", NULL};
    return first_object(v, keys);
}

static const struct json *output_of(const struct json *v) {
    static const char *const keys[] = {"outputSchema", "output_schema", NULL};
    return first_object(v, keys);
}

static str title_of(const struct json *v) {
    str title = json_get_text(v, "title", STR(""));
    if (title.n > 0) return title;
    return json_get_text(json_get(v, "annotations"), "title", STR(""));
}

static int make_id(const struct tool *t, struct arena *a, str *out,
                   struct err *e) {
    if (t->server.n == 0) {
        *out = t->name;
        return 0;
    }
    char *id =
        arena_printf(a, e, "%.*s/%.*s", STR_ARG(t->server), STR_ARG(t->name));
    if (!id) return -1;
    *out = (str){id, t->server.n + 1 + t->name.n};
    return 0;
}

int tool_read(const struct json *v, str server, struct arena *a,
              struct tool *out, struct err *e) {
    if (!v || json_type(v) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "a tool is an object");
    const struct json *inner = json_get(v, "function");
    if (inner && json_type(inner) == JSON_OBJECT) v = inner;
    struct tool t = {
        .id = json_get_text(v, "id", STR("")),
        .name = json_get_text(v, "name", STR("")),
        .title = title_of(v),
        .description = json_get_text(v, "description", STR("")),
        .server = json_get_text(v, "server", server),
        .server_text = json_get_text(v, "server_description", STR("")),
        .category = json_get_text(v, "category", STR("")),
        .input = input_of(v),
        .output = output_of(v),
        .aliases = array_of(v, "aliases"),
        .examples = array_of(v, "examples"),
        .keywords = array_of(v, "keywords"),
        .always = json_get_bool(v, "always", false),
        .definition = v,
    };
    if (t.name.n == 0) return fail(e, ERR_INVALID, "a tool without a name");
    if (t.id.n == 0 && make_id(&t, a, &t.id, e)) return -1;
    *out = t;
    return 0;
}
