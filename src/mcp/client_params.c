/* SPDX-License-Identifier: MIT
 *
 * Arguments that a tool wants repeated as HTTP headers (x-mcp-header).
 *
 * A declaration is good on a string, an integer or a boolean that is reached
 * from the schema's root through `properties` alone; its name is a token that
 * no other declaration of the tool has. A tool that breaks this is left out.
 */
#include <stdio.h>
#include <string.h>

#include "base/codec.h"
#include "base/mem.h"
#include "mcp/client_conn.h"

enum { DECLARED_MAX = 64, DEPTH_MAX = 64, NAME_MAX_BYTES = 128 };

struct declared {
    const char *header;      /* "Mcp-Param-Region" */
    const char *const *path; /* keys from the arguments down, ended by NULL */
};

struct tool_params {
    bool only_task; /* of a legacy server: it wants to be called as a task */
    struct arena arena;
    struct declared list[DECLARED_MAX];
    size_t count;
};

/* -- finding the declarations ------------------------------------------------
 */

/* A walk through a schema. */
struct walk {
    struct tool_params *to; /* NULL: only look for faults */
    str path[DEPTH_MAX];
    size_t depth;
    str names[DECLARED_MAX];
    size_t count;
    const char *fault;
    struct err *e;
    bool failed; /* for want of memory */
};

static bool is_token(str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!memchr("!#$%&'*+-.^_`|~0123456789"
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                    s.p[i], 25 + 52))
            return false;
    return s.n > 0;
}

static bool is_simple(const struct json *schema) {
    str type = json_get_text(schema, "type", STR(""));
    return str_is(type, "string") || str_is(type, "integer") ||
           str_is(type, "boolean");
}

static const char *fault_of(struct walk *w, const struct json *schema,
                            const struct json *name) {
    if (json_type(name) != JSON_STRING || !is_token(json_str(name)))
        return "x-mcp-header is not a token";
    if (json_len(name) > NAME_MAX_BYTES) return "x-mcp-header is too long";
    if (!is_simple(schema))
        return "x-mcp-header stands on what is no string, integer or boolean";
    for (size_t i = 0; i < w->count; i++)
        if (str_eq_nocase(w->names[i], json_str(name)))
            return "x-mcp-header names a header twice";
    if (w->count == DECLARED_MAX) return "too many x-mcp-header";
    return NULL;
}

static int keep(struct walk *w, str name) {
    struct tool_params *t = w->to;
    struct declared *d = &t->list[t->count];
    const char **path =
        arena_zalloc(&t->arena, w->depth + 1, sizeof *path, w->e);
    if (!path) return -1;
    for (size_t i = 0; i < w->depth; i++)
        if (!(path[i] = arena_text(&t->arena, w->path[i], w->e))) return -1;
    d->path = path;
    d->header = arena_printf(&t->arena, w->e, "Mcp-Param-%.*s", STR_ARG(name));
    if (!d->header) return -1;
    t->count++;
    return 0;
}

static void declare(struct walk *w, const struct json *schema,
                    const struct json *name) {
    w->fault = fault_of(w, schema, name);
    if (w->fault) return;
    w->names[w->count++] = json_str(name);
    if (w->to && keep(w, json_str(name))) w->failed = true;
}

/* A declaration anywhere in here could not be found from the arguments. */
static bool hides_one(const struct json *v, unsigned depth) {
    if (json_type(v) < JSON_ARRAY || depth == DEPTH_MAX) return false;
    bool object = json_type(v) == JSON_OBJECT;
    const struct json *p = json_first(v);
    for (size_t i = json_len(v); i > 0; i--) {
        const struct json *item = object ? p + 1 : p;
        if (object && str_is(json_str(p), "x-mcp-header")) return true;
        if (hides_one(item, depth + 1)) return true;
        p = json_skip(item);
    }
    return false;
}

/* Keywords whose values are not schemas. */
static bool is_data(str key) {
    return str_is(key, "default") || str_is(key, "enum") ||
           str_is(key, "const") || str_is(key, "examples");
}

static void walk_schema(struct walk *w, const struct json *schema);

static void walk_properties(struct walk *w, const struct json *properties) {
    if (json_type(properties) != JSON_OBJECT) return;
    if (w->depth == DEPTH_MAX) return;
    const struct json *key = json_first(properties);
    for (size_t i = json_len(properties); i > 0;
         i--, key = json_skip(key + 1)) {
        w->path[w->depth++] = json_str(key);
        walk_schema(w, key + 1);
        w->depth--;
        if (w->fault || w->failed) return;
    }
}

static void walk_schema(struct walk *w, const struct json *schema) {
    if (json_type(schema) != JSON_OBJECT) return;
    const struct json *name = json_get(schema, "x-mcp-header");
    if (name) declare(w, schema, name);
    const struct json *key = json_first(schema);
    for (size_t i = json_len(schema); i > 0 && !w->fault && !w->failed;
         i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "properties"))
            walk_properties(w, key + 1);
        else if (!is_data(json_str(key)) && hides_one(key + 1, 0))
            w->fault = "x-mcp-header stands where arguments cannot be found";
    }
}

const char *params_fault(const struct json *tool) {
    struct err e;
    struct walk w = {.e = &e};
    const struct json *schema = json_get(tool, "inputSchema");
    if (schema) walk_schema(&w, schema);
    return w.fault;
}

/* -- remembering -------------------------------------------------------------
 */

static void tool_free(struct tool_params *t) {
    if (!t) return;
    arena_fini(&t->arena);
    mem_free(t);
}

static int learn_tool(struct mcp_client *c, const struct json *tool,
                      struct err *e) {
    str name = json_get_text(tool, "name", STR(""));
    const struct json *schema = json_get(tool, "inputSchema");
    if (!schema || !hides_one(schema, 0)) {
        tool_free(map_del(&c->params, name));
        return 0;
    }
    struct tool_params *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return -1;
    t->arena = ARENA_MAX(1 << 20);
    struct walk w = {.to = t, .e = e};
    void *old = NULL;
    walk_schema(&w, schema);
    if (w.failed || map_put(&c->params, name, t, &old, e)) {
        tool_free(t);
        return -1;
    }
    tool_free(old);
    return 0;
}

/* A legacy server that has tasks says which tools it has only so. */
static int learn_task(struct mcp_client *c, const struct json *tool,
                      struct err *e) {
    str name = json_get_text(tool, "name", STR(""));
    str support = json_get_text(json_get(tool, "execution"), "taskSupport",
                                STR("forbidden"));
    void *old = NULL;
    if (!str_is(support, "required")) {
        tool_free(map_del(&c->params, name));
        return 0;
    }
    struct tool_params *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return -1;
    t->only_task = true;
    if (map_put(&c->params, name, t, &old, e)) {
        tool_free(t);
        return -1;
    }
    tool_free(old);
    return 0;
}

int params_learn(struct mcp_client *c, const struct json *result,
                 struct err *e) {
    const struct json *tools = json_get(result, "tools");
    bool headers = c->era == MCP_MODERN && c->config.url;
    bool tasks = c->era == MCP_LEGACY && rounds_has_tasks(c);
    if (!(headers || tasks) || !tools || json_type(tools) != JSON_ARRAY)
        return 0;
    const struct json *tool = json_first(tools);
    for (size_t i = json_len(tools); i > 0; i--, tool = json_skip(tool))
        if (json_type(tool) == JSON_OBJECT &&
            (headers ? learn_tool : learn_task)(c, tool, e))
            return -1;
    return 0;
}

bool params_only_task(const struct mcp_call *call) {
    if (!str_is(str_of(call->method), "tools/call")) return false;
    const struct tool_params *t = map_get(
        &call->client->params, json_get_text(call->params, "name", STR("")));
    return t && t->only_task;
}

void params_forget(struct mcp_client *c) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&c->params, &i));)
        tool_free(it->value);
    map_fini(&c->params);
}

/* -- the headers of a call ---------------------------------------------------
 */

static bool is_plain(str v) {
    if (v.n && (v.p[0] == ' ' || v.p[v.n - 1] == ' ' || v.p[0] == '\t' ||
                v.p[v.n - 1] == '\t'))
        return false;
    if (str_starts(v, STR("=?base64?")) && str_ends(v, STR("?="))) return false;
    for (size_t i = 0; i < v.n; i++) {
        unsigned char ch = (unsigned char)v.p[i];
        if ((ch < 0x20 && ch != '\t') || ch >= 0x7f) return false;
    }
    return true;
}

int params_encode(str value, struct buf *out, struct err *e) {
    if (is_plain(value)) return buf_add_str(out, value, e);
    if (buf_add_text(out, "=?base64?", e) || base64_encode(value, out, e))
        return -1;
    return buf_add_text(out, "?=", e);
}

static const struct json *follow(const struct json *v,
                                 const char *const *path) {
    for (; v && *path; path++)
        v = json_type(v) == JSON_OBJECT ? json_get(v, *path) : NULL;
    return v;
}

/* The value as text; p NULL: it has none. */
static str text_of(const struct json *v, char *room, size_t size) {
    switch (json_type(v)) {
    case JSON_STRING: return json_str(v);
    case JSON_BIG: return json_str(v);
    case JSON_BOOL: return v->as.boolean ? STR("true") : STR("false");
    case JSON_INT:
        (void)snprintf(room, size, "%lld", (long long)v->as.integer);
        return str_of(room);
    case JSON_REAL: /* 5.0 is an integer too */
        if (v->as.real != (double)(int64_t)v->as.real) break;
        (void)snprintf(room, size, "%lld", (long long)v->as.real);
        return str_of(room);
    case JSON_NULL:
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    return (str){NULL, 0};
}

int params_each(struct mcp_call *call,
                int (*add)(void *data, const char *name, str value,
                           struct err *e),
                void *data, struct err *e) {
    if (call->task || !str_is(str_of(call->method), "tools/call")) return 0;
    str name = json_get_text(call->params, "name", STR(""));
    const struct tool_params *t = map_get(&call->client->params, name);
    const struct json *arguments = json_get(call->params, "arguments");
    for (size_t i = 0; t && i < t->count; i++) {
        char room[32];
        const struct json *v = follow(arguments, t->list[i].path);
        str value = v ? text_of(v, room, sizeof room) : (str){NULL, 0};
        if (value.p && add(data, t->list[i].header, value, e)) return -1;
    }
    return 0;
}
