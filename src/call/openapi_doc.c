/* SPDX-License-Identifier: MIT */
#include "call/openapi_doc.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/mem.h"
#include "call/openapi_schema.h"

#define API_BYTES   ((size_t)512 << 20)
#define REFERENCES  16
#define NAME_BYTES  48 /* of a tool: leaves room for the API's own name */
#define ABOUT_BYTES 1024

const struct json *api_resolve(const struct api *a, const struct json *v) {
    for (size_t i = 0; i < REFERENCES; i++) {
        str ref = json_get_text(v, "$ref", STR(""));
        if (ref.n == 0) return v;
        if (ref.p[0] != '#') return NULL;
        v = json_pointer(a->doc, str_sub(ref, 1, ref.n));
        if (!v) return NULL;
    }
    return NULL;
}

const struct api_op *api_find(const struct api *a, str tool) {
    return map_get(&a->by_name, tool);
}

void api_fini(struct api *a) {
    map_fini(&a->by_name);
    arena_fini(&a->arena);
}

/* ---- reading ---- */

struct reading {
    struct api *api;
    struct json_build out;
    struct api_defs defs;
    /* of the operation at hand */
    const struct json *item, *op; /* what stands at the path, at the method */
    struct api_op now;
    struct api_param params[API_PARAMS];
    const struct json *specs[API_PARAMS]; /* of the parameters, resolved */
    const struct json *body;              /* schema of the body, or NULL */
    bool body_required, flat;             /* its members are arguments */
    struct err *e;
};

static bool is_object(const struct json *v) {
    return v && json_type(v) == JSON_OBJECT;
}

/* ---- names ---- */

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Letters, digits, '_' and '-' of s; runs of anything else are one '_'. */
static size_t add_plain(char *out, size_t n, size_t max, str s) {
    for (size_t i = 0; i < s.n && n < max; i++) {
        if (is_plain(s.p[i]))
            out[n++] = s.p[i];
        else if (n > 0 && out[n - 1] != '_')
            out[n++] = '_';
    }
    while (n > 0 && out[n - 1] == '_')
        n--;
    return n;
}

static int name_operation(struct reading *r) {
    char name[NAME_BYTES + 16];
    str id = json_get_text(r->op, "operationId", STR(""));
    size_t n = add_plain(name, 0, NAME_BYTES, id);
    if (n == 0) {
        n = add_plain(name, 0, NAME_BYTES, r->now.method);
        for (size_t i = 0; i < n; i++)
            name[i] |= 0x20;
        name[n++] = '_';
        n = add_plain(name, n, NAME_BYTES, r->now.path);
    }
    size_t plain = n;
    for (unsigned k = 2; map_get(&r->api->by_name, (str){name, n}); k++)
        n = plain + (size_t)snprintf(name + plain, 16, "_%u", k);
    return arena_dup(&r->api->arena, (str){name, n}, &r->now.name, r->e);
}

/* ---- parameters ---- */

/* Headers that are ours to set, whatever a document says. */
static bool is_our_header(str name) {
    static const char *const ours[] = {"accept",
                                       "authorization",
                                       "connection",
                                       "content-length",
                                       "content-type",
                                       "cookie",
                                       "expect",
                                       "host",
                                       "proxy-authorization",
                                       "te",
                                       "trailer",
                                       "transfer-encoding",
                                       "upgrade"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (str_eq_nocase(name, str_of(ours[i]))) return true;
    return false;
}

static bool read_place(str in, enum api_in *out) {
    static const char *const words[] = {[API_PATH] = "path",
                                        [API_QUERY] = "query",
                                        [API_HEADER] = "header",
                                        [API_COOKIE] = "cookie"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_is(in, words[i])) {
            *out = (enum api_in)i;
            return true;
        }
    return false;
}

static enum api_style style_of(const struct json *spec, enum api_in in) {
    str style = json_get_text(spec, "style", STR(""));
    if (json_get(spec, "content")) return API_JSON;
    if (str_is(style, "deepObject")) return API_DEEP;
    if (str_is(style, "spaceDelimited")) return API_SPACE;
    if (str_is(style, "pipeDelimited")) return API_PIPE;
    return in == API_PATH || in == API_HEADER ? API_SIMPLE : API_FORM;
}

static struct api_param *param_named(struct reading *r, str wire,
                                     enum api_in in) {
    for (size_t i = 0; i < r->now.param_count; i++)
        if (r->params[i].in == in && str_eq(r->params[i].wire, wire))
            return &r->params[i];
    return NULL;
}

static bool is_taken(const struct reading *r, str name) {
    for (size_t i = 0; i < r->now.param_count; i++)
        if (str_eq(r->params[i].name, name)) return true;
    return false;
}

/* "id" in the path and "id" in the query are two arguments. */
static int name_param(struct reading *r, str wire, const char *place,
                      str *name) {
    *name = wire;
    if (!is_taken(r, wire)) return 0;
    char *other =
        arena_printf(&r->api->arena, r->e, "%s_%.*s", place, STR_ARG(wire));
    if (!other) return -1;
    *name = str_of(other);
    return 0;
}

static int add_param(struct reading *r, const struct json *spec, str wire,
                     enum api_in in) {
    struct api_param p = {.wire = wire, .in = in};
    str place = json_get_text(spec, "in", STR(""));
    char word[16];
    if (r->now.param_count == API_PARAMS) return 0;
    snprintf(word, sizeof word, "%.*s", STR_ARG(place));
    if (name_param(r, wire, word, &p.name)) return -1;
    p.style = style_of(spec, in);
    p.explode = json_get_bool(spec, "explode",
                              p.style == API_FORM || p.style == API_DEEP);
    r->specs[r->now.param_count] = spec;
    r->params[r->now.param_count++] = p;
    return 0;
}

static int read_param(struct reading *r, const struct json *spec) {
    enum api_in in;
    spec = api_resolve(r->api, spec);
    str wire = json_get_text(spec, "name", STR(""));
    if (!spec || wire.n == 0 ||
        !read_place(json_get_text(spec, "in", STR("")), &in))
        return 0;
    if (in == API_HEADER && is_our_header(wire)) return 0;
    if (in == API_HEADER && str_eq_nocase(wire, STR("Idempotency-Key"))) {
        r->now.idempotency = wire;
        return 0;
    }
    struct api_param *known = param_named(r, wire, in);
    if (!known) return add_param(r, spec, wire, in);
    r->specs[known - r->params] = spec; /* the operation's own wins */
    return 0;
}

static int read_params(struct reading *r, const struct json *list) {
    if (!list || json_type(list) != JSON_ARRAY) return 0;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v))
        if (read_param(r, v)) return -1;
    return 0;
}

/* ---- the body ---- */

static enum api_body body_kind(str type) {
    str main = str_trim(str_cut(&type, ';'));
    if (str_is(main, "application/json") || str_ends(main, STR("+json")))
        return API_BODY_JSON;
    if (str_is(main, "application/x-www-form-urlencoded")) return API_BODY_FORM;
    if (str_is(main, "multipart/form-data")) return API_BODY_MULTIPART;
    return API_BODY_TEXT;
}

/* JSON before forms before the rest; of two alike the first. */
static const struct json *choose_content(struct reading *r,
                                         const struct json *content) {
    const struct json *best = NULL;
    if (!is_object(content)) return NULL;
    const struct json *key = json_first(content);
    for (size_t i = json_len(content); i > 0; i--, key = json_skip(key + 1)) {
        enum api_body kind = body_kind(json_str(key));
        if (best && kind >= r->now.body) continue;
        best = key + 1;
        r->now.body = kind;
        r->now.body_type = json_str(key);
    }
    return best;
}

/* Can its members stand beside the parameters? */
static bool is_flat(const struct reading *r, const struct json *schema) {
    const struct json *all = json_get(schema, "properties");
    const struct json *more = json_get(schema, "additionalProperties");
    bool open = more && !(json_type(more) == JSON_BOOL && !more->as.boolean);
    if (!is_object(all) || json_len(all) == 0 || open ||
        json_get(schema, "allOf") || json_get(schema, "oneOf") ||
        json_get(schema, "anyOf") || json_get_bool(schema, "nullable", false) ||
        r->now.body == API_BODY_TEXT)
        return false;
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1))
        if (is_taken(r, json_str(key))) return false;
    return json_len(all) + r->now.param_count <= API_PARAMS;
}

static int add_member(struct reading *r, str name, enum api_in in,
                      const struct json *spec) {
    struct api_param p = {.wire = name, .in = in, .style = API_FORM};
    if (r->now.param_count == API_PARAMS) return 0;
    if (name_param(r, name, "request", &p.name)) return -1;
    p.explode = true;
    r->specs[r->now.param_count] = spec;
    r->params[r->now.param_count++] = p;
    return 0;
}

static int read_body(struct reading *r) {
    const struct json *body =
        api_resolve(r->api, json_get(r->op, "requestBody"));
    const struct json *media = choose_content(r, json_get(body, "content"));
    r->body = NULL;
    r->flat = false;
    if (!media) return 0;
    r->body = json_get(media, "schema");
    r->body_required = json_get_bool(body, "required", false);
    const struct json *schema = api_resolve(r->api, r->body);
    if (!is_flat(r, schema)) return add_member(r, STR("body"), API_BODY, body);
    r->flat = true;
    r->body = schema;
    const struct json *all = json_get(schema, "properties");
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1))
        if (!json_get_bool(key + 1, "readOnly", false) &&
            add_member(r, json_str(key), API_MEMBER, key + 1))
            return -1;
    return 0;
}

/* ---- the tool ---- */

static bool lists(const struct json *names, str name) {
    if (!names || json_type(names) != JSON_ARRAY) return false;
    const struct json *v = json_first(names);
    for (size_t i = json_len(names); i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING && str_eq(json_str(v), name))
            return true;
    return false;
}

static bool is_required(const struct reading *r, size_t i) {
    const struct api_param *p = &r->params[i];
    switch (p->in) {
    case API_PATH: return true;
    case API_QUERY:
    case API_HEADER:
    case API_COOKIE: return json_get_bool(r->specs[i], "required", false);
    case API_BODY: return r->body_required;
    case API_MEMBER:
        return r->body_required &&
               lists(json_get(r->body, "required"), p->wire);
    }
    return false;
}

static void write_param(struct reading *r, size_t i) {
    const struct json *spec = r->specs[i], *schema = json_get(spec, "schema");
    enum api_in in = r->params[i].in;
    str text = json_get_text(spec, "description", STR(""));
    build_key(&r->out, r->params[i].name);
    if (in == API_MEMBER) {
        api_schema(&r->defs, spec);
        return;
    }
    if (in == API_BODY) schema = r->body;
    const struct json *content = json_get(spec, "content");
    if (in != API_BODY && is_object(content) && json_len(content) > 0)
        schema = json_get(json_first(content) + 1, "schema");
    api_schema_described(&r->defs, schema, text);
}

static void write_input(struct reading *r) {
    struct json_build *b = &r->out;
    r->defs = (struct api_defs){.api = r->api, .out = b};
    build_key(b, STR("inputSchema"));
    build_object(b);
    build_put_text(b, "type", STR("object"));
    build_key(b, STR("properties"));
    build_object(b);
    for (size_t i = 0; i < r->now.param_count; i++)
        write_param(r, i);
    build_end(b);
    build_key(b, STR("required"));
    build_array(b);
    for (size_t i = 0; i < r->now.param_count; i++)
        if (is_required(r, i)) build_text(b, r->params[i].name);
    build_end(b);
    build_put_bool(b, "additionalProperties", false);
    api_schema_defs(&r->defs);
    build_end(b);
}

/* What a good answer holds: "200" before "201" before "2XX". */
static const struct json *answer_schema(struct reading *r) {
    const struct json *all = json_get(r->op, "responses");
    const struct json *found = json_get(all, "200");
    if (!found) found = json_get(all, "201");
    if (!found) found = json_get(all, "2XX");
    const struct json *content =
        json_get(api_resolve(r->api, found), "content");
    if (!is_object(content)) return NULL;
    const struct json *key = json_first(content);
    for (size_t i = json_len(content); i > 0; i--, key = json_skip(key + 1))
        if (body_kind(json_str(key)) == API_BODY_JSON)
            return json_get(key + 1, "schema");
    return NULL;
}

static void write_hints(struct reading *r) {
    struct json_build *b = &r->out;
    str m = r->now.method;
    bool reads = str_is(m, "GET") || str_is(m, "HEAD") || str_is(m, "OPTIONS");
    build_key(b, STR("annotations"));
    build_object(b);
    build_put_bool(b, "readOnlyHint", reads);
    build_put_bool(b, "idempotentHint",
                   reads || str_is(m, "PUT") || str_is(m, "DELETE"));
    build_put_bool(b, "destructiveHint", !reads && !str_is(m, "POST"));
    build_end(b);
}

static int write_description(struct reading *r) {
    str summary = str_trim(json_get_text(r->op, "summary", STR("")));
    str text = str_trim(json_get_text(r->op, "description", STR("")));
    bool old = json_get_bool(r->op, "deprecated", false);
    bool stop = summary.n > 0 && summary.p[summary.n - 1] == '.';
    AUTO_BUF struct buf all = BUF_MAX((size_t)1 << 20);
    if (str_eq(summary, text)) text = STR("");
    if (buf_addf(&all, r->e, "%.*s%s%s%.*s%s", STR_ARG(summary),
                 summary.n > 0 && !stop ? "." : "",
                 summary.n > 0 && text.n > 0 ? "\n" : "", STR_ARG(text),
                 old ? "\nDeprecated." : ""))
        return -1;
    build_put_text(&r->out, "description", buf_str(&all));
    return 0;
}

static int write_tool(struct reading *r) {
    struct json_build *b = &r->out;
    build_object(b);
    build_put_text(b, "name", r->now.name);
    if (write_description(r)) return -1;
    write_input(r);
    write_hints(r);
    const struct json *answer = answer_schema(r);
    if (answer) {
        build_key(b, STR("_meta"));
        build_object(b);
        build_key(b, STR("cordon/shape"));
        api_shape(r->api, b, answer);
        build_end(b);
    }
    build_end(b);
    return 0;
}

/* ---- operations ---- */

/* The first server's URL with the defaults of its variables in place. */
static int read_server(struct reading *r, const struct json *servers,
                       str *out) {
    const struct json *server = json_at(servers, 0);
    str rest = json_get_text(server, "url", STR(""));
    const struct json *variables = json_get(server, "variables");
    AUTO_BUF struct buf url = BUF_MAX(4096);
    while (rest.p) {
        str text = str_cut(&rest, '{');
        if (buf_add_str(&url, text, r->e)) return -1;
        if (!rest.p) break;
        str name = str_cut(&rest, '}');
        str value =
            json_get_text(json_get_str(variables, name), "default", STR(""));
        if (buf_add_str(&url, value, r->e)) return -1;
    }
    return arena_dup(&r->api->arena, buf_str(&url), out, r->e);
}

static int keep_operation(struct reading *r) {
    struct api *a = r->api;
    size_t bytes = (r->now.param_count + 1) * sizeof *r->now.params;
    r->now.params = arena_alloc(&a->arena, bytes, r->e);
    if (!r->now.params) return -1;
    for (size_t i = 0; i < r->now.param_count; i++)
        r->now.params[i] = r->params[i];
    struct api_op *slot = &a->ops[a->count];
    *slot = r->now;
    if (map_put(&a->by_name, r->now.name, slot, NULL, r->e)) return -1;
    a->count++;
    return 0;
}

static int read_operation(struct reading *r, str path, const char *method,
                          const struct json *op) {
    const struct json *servers = json_get(op, "servers");
    if (!servers) servers = json_get(r->item, "servers");
    r->op = op;
    r->now = (struct api_op){.method = str_of(method), .path = path};
    r->now.security = json_get(op, "security");
    if (!r->now.security) r->now.security = json_get(r->api->doc, "security");
    if (servers && read_server(r, servers, &r->now.server)) return -1;
    if (r->api->count == API_OPERATIONS)
        return fail(r->e, ERR_LIMIT, "more than %d operations", API_OPERATIONS);
    if (name_operation(r) || read_params(r, json_get(r->item, "parameters")) ||
        read_params(r, json_get(op, "parameters")) || read_body(r) ||
        keep_operation(r))
        return -1;
    return write_tool(r);
}

static int read_path(struct reading *r, str path, const struct json *item) {
    static const char *const methods[][2] = {
        {"get", "GET"},       {"put", "PUT"},         {"post", "POST"},
        {"delete", "DELETE"}, {"options", "OPTIONS"}, {"head", "HEAD"},
        {"patch", "PATCH"}};
    r->item = api_resolve(r->api, item);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct json *op = json_get(r->item, methods[i][0]);
        if (is_object(op) && read_operation(r, path, methods[i][1], op))
            return fail_while(r->e, "%s %.*s", methods[i][1], STR_ARG(path));
    }
    return 0;
}

static int read_paths(struct reading *r) {
    const struct json *paths = json_get(r->api->doc, "paths");
    build_array(&r->out);
    const struct json *key = is_object(paths) ? json_first(paths) : NULL;
    for (size_t i = key ? json_len(paths) : 0; i > 0; i--) {
        if (json_len(key) > 0 && json_str(key).p[0] == '/' &&
            read_path(r, json_str(key), key + 1))
            return -1;
        key = json_skip(key + 1);
    }
    build_end(&r->out);
    return build_done(&r->out, &r->api->tools, r->e);
}

static size_t count_operations(const struct json *paths) {
    size_t n = 0;
    const struct json *key = is_object(paths) ? json_first(paths) : NULL;
    for (size_t i = key ? json_len(paths) : 0; i > 0; i--) {
        n += 7; /* methods of a path at most */
        key = json_skip(key + 1);
    }
    return n < API_OPERATIONS ? n : API_OPERATIONS;
}

static int read_head(struct reading *r) {
    struct api *a = r->api;
    str version = json_get_text(a->doc, "openapi", STR(""));
    const struct json *info = json_get(a->doc, "info");
    if (!str_starts(version, STR("3.")))
        return fail(r->e, ERR_INVALID, "not an OpenAPI 3 document in JSON%s",
                    json_get(a->doc, "swagger") ? ": Swagger 2 is not read"
                                                : "");
    a->nullable = str_starts(version, STR("3.0"));
    a->title = json_get_text(info, "title", STR(""));
    a->about =
        str_sub(json_get_text(info, "description", a->title), 0, ABOUT_BYTES);
    const struct json *servers = json_get(a->doc, "servers");
    if (servers && read_server(r, servers, &a->base)) return -1;
    a->ops =
        arena_zalloc(&a->arena, count_operations(json_get(a->doc, "paths")) + 1,
                     sizeof *a->ops, r->e);
    return a->ops ? 0 : -1;
}

int api_read(const struct json *doc, struct api *out, struct err *e) {
    struct api a = {.doc = doc,
                    .arena = ARENA_MAX(API_BYTES),
                    .by_name = MAP_MAX(API_OPERATIONS)};
    AUTO_MEM struct reading *r = mem_zalloc(1, sizeof *r, e);
    if (!r) return -1;
    r->api = &a;
    r->e = e;
    r->out = JSON_BUILD(&a.arena);
    if (read_head(r) || read_paths(r)) {
        api_fini(&a);
        return -1;
    }
    *out = a;
    return 0;
}
