/* SPDX-License-Identifier: MIT
 *
 * The list is written as the configuration of another kind: an OpenAPI document
 * for http.c, or commands for command.c.
 */
#include "call/functions.h"

#include <string.h>

#include "base/file.h"
#include "call/command.h"
#include "call/http.h"
#include "io/url.h"
#include "json/build.h"

#define LIST_BYTES ((size_t)16 << 20)
#define MEMORY     ((size_t)256 << 20)

/* -- reading what programs send ----------------------------------------------
 */

struct function {
    str name, description;
    const struct json *schema; /* of the arguments; NULL: none said */
};

static const struct json *inner_of(const struct json *v) {
    static const char *const wraps[] = {"function", "toolSpec", "custom"};
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
        const struct json *inner = json_get(v, wraps[i]);
        if (inner && json_type(inner) == JSON_OBJECT) return inner;
    }
    return v;
}

static const struct json *schema_of(const struct json *v) {
    static const char *const keys[] = {"parameters", "input_schema",
                                       "inputSchema", "parametersJsonSchema"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct json *schema = json_get(v, keys[i]);
        if (!schema || json_type(schema) != JSON_OBJECT) continue;
        const struct json *bedrock = json_get(schema, "json");
        return bedrock && !json_get(schema, "type") ? bedrock : schema;
    }
    return NULL;
}

static int read_function(const struct json *v, struct function *out,
                         struct err *e) {
    v = inner_of(v);
    *out = (struct function){json_get_text(v, "name", STR("")),
                             json_get_text(v, "description", STR("")),
                             schema_of(v)};
    if (out->name.n == 0)
        return fail(e, ERR_INVALID,
                    "an entry that is no function: it has no "
                    "name");
    for (size_t i = 0; i < out->name.n; i++) {
        char c = out->name.p[i];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (c >= '0' && c <= '9') || strchr("_-.", c);
        if (!fine || out->name.p[0] == '.' || out->name.p[0] == '-')
            return fail(e, ERR_INVALID, "'%.*s' is no name of a function",
                        STR_ARG(str_sub(out->name, 0, 80)));
    }
    return 0;
}

/* Gemini has its functions one list deeper. */
static const struct json *nested(const struct json *v) {
    const struct json *list = json_get(v, "functionDeclarations");
    if (!list) list = json_get(v, "function_declarations");
    return list && json_type(list) == JSON_ARRAY ? list : NULL;
}

struct adapting {
    struct json_build *build;
    const struct json *config;
    void (*put)(struct adapting *a, const struct function *f);
};

static int each(struct adapting *a, const struct json *list, bool top,
                struct err *e) {
    const struct json *v = json_first(list);
    struct function f;
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v)) {
        const struct json *deeper = top ? nested(v) : NULL;
        if (deeper) {
            if (each(a, deeper, false, e)) return -1;
            continue;
        }
        if (read_function(v, &f, e)) return fail_while(e, "functions");
        a->put(a, &f);
    }
    return 0;
}

static int read_list(const struct provider_host *h, const struct json *config,
                     struct arena *a, const struct json **out, struct err *e) {
    const struct json *v = json_get(config, "functions");
    AUTO_BUF struct buf text = BUF_MAX(LIST_BYTES);
    if (v && json_type(v) == JSON_STRING) {
        char *path = host_path(h, json_str(v), a, e);
        if (!path || file_read(path, &text, e)) return -1;
        if (json_parse(buf_str(&text), NULL, a, &v, e))
            return fail_while(e, "%s", path);
    }
    if (v && json_type(v) == JSON_OBJECT) v = json_get(v, "tools");
    if (!v || json_type(v) != JSON_ARRAY)
        return fail(e, ERR_INVALID,
                    "functions: a list of tools, or a path to one");
    *out = v;
    return 0;
}

/* -- as an HTTP API ----------------------------------------------------------
 */

static void put_schema(struct json_build *b, const char *key,
                       const struct json *schema) {
    build_key(b, str_of(key));
    if (schema) {
        build_copy(b, schema);
        return;
    }
    build_object(b);
    build_put_text(b, "type", STR("object"));
    build_end(b);
}

static void put_operation(struct adapting *a, const struct function *f) {
    struct json_build *b = a->build;
    AUTO_BUF struct buf path = BUF_MAX(256);
    struct err e;
    if (buf_addf(&path, &e, "/%.*s", STR_ARG(str_sub(f->name, 0, 200)))) return;
    build_key(b, buf_str(&path));
    build_object(b);
    build_key(b, STR("post"));
    build_object(b);
    build_put_text(b, "operationId", f->name);
    build_put_text(b, "description", f->description);
    build_key(b, STR("requestBody"));
    build_object(b);
    build_put_bool(b, "required", true);
    build_key(b, STR("content"));
    build_object(b);
    build_key(b, STR("application/json"));
    build_object(b);
    put_schema(b, "schema", f->schema);
    for (int open = 0; open < 5; open++)
        build_end(b);
}

static void copy_members(struct json_build *b, const struct json *from,
                         const char *const *keys) {
    for (; *keys; keys++)
        if (json_get(from, *keys)) build_put(b, *keys, json_get(from, *keys));
}

/* The address up to the tool's name, which comes last. */
static int base_of(const struct json *config, str *out, struct err *e) {
    str url = json_get_text(config, "url", STR(""));
    ptrdiff_t at = str_find(url, STR("{name}"));
    *out = at < 0 ? url : str_sub(url, 0, (size_t)at);
    if (at >= 0 && (size_t)at + 6 != url.n)
        return fail(e, ERR_INVALID,
                    "url: {name} comes last; for other "
                    "addresses describe it under \"apis\"");
    while (out->n > 0 && out->p[out->n - 1] == '/')
        out->n--;
    return 0;
}

static const char *const common[] = {"description", "allow",  "exclude",
                                     "tools",       "limits", NULL};

static int as_api(const struct json *config, const struct json *list,
                  struct json_build *b, struct err *e) {
    static const char *const own[] = {"auth", "headers", "idempotency", NULL};
    struct adapting a = {b, config, put_operation};
    str base;
    if (base_of(config, &base, e)) return -1;
    build_object(b);
    copy_members(b, config, common);
    copy_members(b, config, own);
    build_put_text(b, "url", base);
    build_key(b, STR("document"));
    build_object(b);
    build_put_text(b, "openapi", STR("3.1.0"));
    build_key(b, STR("paths"));
    build_object(b);
    if (each(&a, list, true, e)) return -1;
    for (int open = 0; open < 3; open++)
        build_end(b);
    return 0;
}

/* -- as programs -------------------------------------------------------------
 */

static void put_argv(struct json_build *b, const struct json *argv, str name) {
    build_key(b, STR("argv"));
    build_array(b);
    const struct json *v = json_first(argv);
    for (size_t i = json_len(argv); i > 0; i--, v = json_skip(v)) {
        if (json_type(v) == JSON_STRING && str_is(json_str(v), "{name}"))
            build_text(b, name);
        else
            build_copy(b, v);
    }
    build_end(b);
}

static void put_command(struct adapting *a, const struct function *f) {
    static const char *const own[] = {
        "argv", "stdin", "output", "readOnly", "idempotent", "sandbox", NULL};
    struct json_build *b = a->build;
    const struct json *bound =
        json_get_str(json_get(a->config, "bind"), f->name);
    const struct json *argv = json_get(a->config, "argv");
    if (!bound && !argv) return; /* nothing carries it out */
    build_key(b, f->name);
    build_object(b);
    build_put_text(b, "description", f->description);
    put_schema(b, "schema", f->schema);
    if (bound) {
        copy_members(b, bound, own);
    } else {
        put_argv(b, argv, f->name);
        build_put_text(b, "stdin", STR("json"));
    }
    build_end(b);
}

static int as_commands(const struct json *config, const struct json *list,
                       struct json_build *b, struct err *e) {
    struct adapting a = {b, config, put_command};
    const struct json *argv = json_get(config, "argv");
    const struct json *bind = json_get(config, "bind");
    if (argv && json_type(argv) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "argv: a list of texts");
    if (bind && json_type(bind) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "bind: an object by name of function");
    build_object(b);
    copy_members(b, config, common);
    if (json_get(config, "sandbox"))
        build_put(b, "sandbox", json_get(config, "sandbox"));
    build_key(b, STR("commands"));
    build_object(b);
    if (each(&a, list, true, e)) return -1;
    build_end(b);
    build_end(b);
    return 0;
}

/* -- a life ------------------------------------------------------------------
 */

static struct provider *open_functions(const struct provider_host *h, str name,
                                       const struct json *config,
                                       struct arena *a, struct err *e) {
    static const char *const known[] = {
        "functions", "url",         "argv",    "bind",        "auth",
        "headers",   "idempotency", "sandbox", "description", "allow",
        "exclude",   "tools",       "limits",  NULL};
    struct json_build b = JSON_BUILD(a);
    const struct json *list, *adapted;
    bool api = json_get(config, "url") != NULL;
    if (host_check_members(config, known, e)) return NULL;
    if (api == (json_get(config, "argv") || json_get(config, "bind"))) {
        err_set(e, ERR_INVALID,
                "either \"url\", or \"argv\" and \"bind\", says what carries "
                "the functions out");
        return NULL;
    }
    if (read_list(h, config, a, &list, e) ||
        (api ? as_api : as_commands)(config, list, &b, e) ||
        build_done(&b, &adapted, e))
        return NULL;
    return (api ? provider_http_new : provider_command_new)(h, name, adapted,
                                                            e);
}

struct provider *provider_functions_new(const struct provider_host *h, str name,
                                        const struct json *config,
                                        struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(MEMORY);
    struct provider *p = open_functions(h, name, config, &a, e);
    if (!p) err_context(e, "functions %.*s", STR_ARG(name));
    return p;
}
