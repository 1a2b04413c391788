/* SPDX-License-Identifier: MIT */
#include "gateway/servers.h"

#include <string.h>

#include "base/file.h"
#include "base/num.h"
#include "json/build.h"
#include "json/write.h"

#define MEMORY_MAX ((size_t)64 << 20)
#define TEXT_MAX   ((size_t)1 << 20)
enum { ENV_MAX = 500, ENV_FILE = 1 << 20 };

/* Reading one server. */
struct reading {
    const struct servers_context *context;
    struct arena *arena;
    const struct json *object;
};

/* -- references --------------------------------------------------------------
 */

static const char *env_value(const char *const *env, str name) {
    for (; env && *env; env++)
        if (!strncmp(*env, name.p, name.n) && (*env)[name.n] == '=')
            return *env + name.n + 1;
    return NULL;
}

/* What editors put in place of these names. */
static const char *builtin_value(const struct servers_context *c, str name) {
    if (str_is(name, "userHome")) return env_value(c->env, STR("HOME"));
    if (str_is(name, "workspaceFolder")) return c->folder;
    if (str_is(name, "pathSeparator") || str_is(name, "/")) return "/";
    return NULL;
}

static int add_env(const struct servers_context *c, str name,
                   const str *fallback, struct buf *out, struct err *e) {
    const char *value = env_value(c->env, name);
    if (!value) value = builtin_value(c, name);
    if (value && (*value || !fallback)) return buf_add_text(out, value, e);
    if (fallback) return buf_add_str(out, *fallback, e);
    return fail(e, ERR_MISSING, "the variable %.*s is not set", STR_ARG(name));
}

static int add_reference(const struct servers_context *c, str name,
                         struct buf *out, struct err *e) {
    ptrdiff_t dash = str_find(name, STR(":-"));
    if (dash > 0) {
        str fallback = str_sub(name, (size_t)dash + 2, name.n);
        return add_env(c, str_sub(name, 0, (size_t)dash), &fallback, out, e);
    }
    if (str_starts(name, STR("env:")))
        return add_env(c, str_sub(name, 4, name.n), NULL, out, e);
    if (str_find_char(name, ':') < 0) return add_env(c, name, NULL, out, e);
    if (!c->secret)
        return fail(e, ERR_INVALID, "${%.*s} is not a known reference",
                    STR_ARG(name));
    return c->secret(c->data, name, out, e);
}

int servers_expand(const struct servers_context *c, str text, struct buf *out,
                   struct err *e) {
    for (;;) {
        ptrdiff_t at = str_find(text, STR("${"));
        if (at < 0) return buf_add_str(out, text, e);
        str rest = str_sub(text, (size_t)at + 2, text.n);
        ptrdiff_t end = str_find_char(rest, '}');
        if (end < 0) return fail(e, ERR_INVALID, "a ${ without its }");
        if (buf_add_str(out, str_sub(text, 0, (size_t)at), e) ||
            add_reference(c, str_sub(rest, 0, (size_t)end), out, e))
            return -1;
        text = str_sub(rest, (size_t)end + 1, rest.n);
    }
}

static const char *expanded(struct reading *r, str text, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(TEXT_MAX);
    if (servers_expand(r->context, text, &out, e)) return NULL;
    return arena_text(r->arena, buf_str(&out), e);
}

/* A path people may begin with "~/". */
static const char *expanded_path(struct reading *r, str text, struct err *e) {
    const char *home = env_value(r->context->env, STR("HOME"));
    const char *path = expanded(r, text, e);
    if (!path || !home || strncmp(path, "~/", 2) != 0) return path;
    return arena_printf(r->arena, e, "%s%s", home, path + 1);
}

/* -- members -----------------------------------------------------------------
 */

/* The first of the names that is there: hosts differ in how they call it. */
static const struct json *member(const struct json *v,
                                 const char *const *names) {
    for (; *names; names++) {
        const struct json *m = json_get(v, *names);
        if (m && json_type(m) != JSON_NULL) return m;
    }
    return NULL;
}
#define MEMBER(v, ...) member(v, (const char *const[]){__VA_ARGS__, NULL})

/* Environments and headers hold numbers and truth values as well. */
static int add_scalar(struct reading *r, const struct json *v, struct buf *out,
                      struct err *e) {
    if (json_type(v) == JSON_STRING)
        return servers_expand(r->context, json_str(v), out, e);
    if (json_type(v) >= JSON_ARRAY || json_type(v) == JSON_NULL)
        return fail(e, ERR_INVALID, "a text is wanted, not %s",
                    json_type_name(json_type(v)));
    return json_write(v, JSON_COMPACT, out, e);
}

/* Milliseconds where it is a bare number, as other hosts have it. */
static int64_t duration(const struct json *v) {
    int64_t ns = 0;
    struct err e;
    if (!v) return 0;
    if (json_type(v) == JSON_INT && v->as.integer > 0 &&
        v->as.integer < INT64_MAX / 1000000)
        return v->as.integer * 1000000;
    if (json_type(v) == JSON_STRING &&
        !num_parse_duration(json_str(v), &ns, &e))
        return ns;
    return 0;
}

/* -- a program ---------------------------------------------------------------
 */

static int read_argv(struct reading *r, struct server_spec *s,
                     const struct json *command, struct err *e) {
    const struct json *args = json_get(r->object, "args");
    size_t n = args && json_type(args) == JSON_ARRAY ? json_len(args) : 0;
    const char **argv = arena_zalloc(r->arena, n + 2, sizeof *argv, e);
    if (!argv || !(argv[0] = expanded_path(r, json_str(command), e))) return -1;
    const struct json *item = n ? json_first(args) : NULL;
    for (size_t i = 0; i < n; i++, item = json_skip(item)) {
        AUTO_BUF struct buf word = BUF_MAX(TEXT_MAX);
        if (add_scalar(r, item, &word, e)) return fail_while(e, "args[%zu]", i);
        if (!(argv[i + 1] = arena_text(r->arena, buf_str(&word), e))) return -1;
    }
    s->argv = argv;
    return 0;
}

/* What a program needs to run at all; the rest of our environment is none of
 * its business. */
static const char *const inherited[] = {
    "HOME", "LANG",   "LC_ALL", "LOGNAME", "PATH", "SHELL",
    "TERM", "TMPDIR", "TZ",     "USER",    NULL,
};

struct env_list {
    const char **items;
    size_t count;
};

static int put_env(struct env_list *l, const char *assignment, struct err *e) {
    size_t n = strcspn(assignment, "=") + 1;
    size_t i = 0;
    while (i < l->count && strncmp(l->items[i], assignment, n) != 0)
        i++;
    if (i == ENV_MAX) return fail(e, ERR_LIMIT, "too many variables");
    l->items[i] = assignment;
    if (i == l->count) l->count++;
    return 0;
}

static int put_inherited(struct reading *r, struct env_list *l, struct err *e) {
    for (const char *const *name = inherited; *name; name++) {
        const char *value = env_value(r->context->env, str_of(*name));
        if (!value) continue;
        const char *text = arena_printf(r->arena, e, "%s=%s", *name, value);
        if (!text || put_env(l, text, e)) return -1;
    }
    return 0;
}

/* Lines NAME=value; comments, "export" and quotes around the value go. */
static int put_env_file(struct reading *r, struct env_list *l, str path,
                        struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(ENV_FILE);
    const char *name = expanded_path(r, path, e);
    if (!name || file_read(name, &text, e)) return -1;
    for (str rest = buf_str(&text); rest.p;) {
        str line = str_trim(str_cut(&rest, '\n'));
        if (!line.n || line.p[0] == '#') continue;
        if (str_starts(line, STR("export "))) line = str_sub(line, 7, line.n);
        str value = line, key = str_trim(str_cut(&value, '='));
        value = str_trim(value);
        if (!key.n || !value.p) continue;
        if (value.n >= 2 && (value.p[0] == '"' || value.p[0] == '\'') &&
            value.p[value.n - 1] == value.p[0])
            value = str_sub(value, 1, value.n - 1);
        const char *one = arena_printf(r->arena, e, "%.*s=%.*s", STR_ARG(key),
                                       STR_ARG(value));
        if (!one || put_env(l, one, e)) return -1;
    }
    return 0;
}

static int put_own_env(struct reading *r, struct env_list *l,
                       const struct json *env, struct err *e) {
    const struct json *key = json_first(env);
    for (size_t i = json_len(env); i > 0; i--, key = json_skip(key + 1)) {
        AUTO_BUF struct buf text = BUF_MAX(TEXT_MAX);
        if (buf_add_str(&text, json_str(key), e) || buf_add_char(&text, '=', e))
            return -1;
        if (json_type(key + 1) != JSON_NULL && add_scalar(r, key + 1, &text, e))
            return fail_while(e, "env.%.*s", STR_ARG(json_str(key)));
        const char *one = arena_text(r->arena, buf_str(&text), e);
        if (!one || put_env(l, one, e)) return -1;
    }
    return 0;
}

static int read_env(struct reading *r, struct server_spec *s, struct err *e) {
    const struct json *env = json_get(r->object, "env");
    str file = json_get_text(r->object, "envFile", STR(""));
    const char *items[ENV_MAX];
    struct env_list l = {items, 0};
    if (put_inherited(r, &l, e)) return -1;
    if (file.n && put_env_file(r, &l, file, e)) return fail_while(e, "envFile");
    if (env && put_own_env(r, &l, env, e)) return -1;
    const char **kept = arena_zalloc(r->arena, l.count + 1, sizeof *kept, e);
    if (!kept) return -1;
    memcpy(kept, items, l.count * sizeof *kept);
    s->env = kept;
    return 0;
}

static int read_program(struct reading *r, struct server_spec *s,
                        const struct json *command, struct err *e) {
    str cwd = json_get_text(r->object, "cwd", STR(""));
    if (read_argv(r, s, command, e) || read_env(r, s, e)) return -1;
    if (!cwd.n) return 0;
    s->cwd = expanded_path(r, cwd, e);
    return s->cwd ? 0 : fail_while(e, "cwd");
}

/* -- a URL -------------------------------------------------------------------
 */

static int read_headers(struct reading *r, struct server_spec *s,
                        const struct json *headers, struct err *e) {
    struct http_header *list =
        arena_zalloc(r->arena, json_len(headers) + 1, sizeof *list, e);
    if (!list) return -1;
    const struct json *key = json_first(headers);
    for (size_t i = 0; i < json_len(headers); i++, key = json_skip(key + 1)) {
        AUTO_BUF struct buf value = BUF_MAX(TEXT_MAX);
        if (add_scalar(r, key + 1, &value, e))
            return fail_while(e, "headers.%.*s", STR_ARG(json_str(key)));
        list[i].name = arena_text(r->arena, json_str(key), e);
        list[i].value = arena_text(r->arena, buf_str(&value), e);
        if (!list[i].name || !list[i].value) return -1;
    }
    s->headers = list;
    return 0;
}

static int read_url(struct reading *r, struct server_spec *s,
                    const struct json *url, struct err *e) {
    const struct json *headers = json_get(r->object, "headers");
    s->url = expanded(r, json_str(url), e);
    if (!s->url) return -1;
    if (strncmp(s->url, "http://", 7) != 0 &&
        strncmp(s->url, "https://", 8) != 0)
        return fail(e, ERR_INVALID, "url: neither http:// nor https://");
    str ca = json_get_text(r->object, "ca", STR(""));
    if (ca.n && !(s->ca = expanded_path(r, ca, e))) return fail_while(e, "ca");
    return headers ? read_headers(r, s, headers, e) : 0;
}

/* -- a server ----------------------------------------------------------------
 */

static int read_way(struct reading *r, struct server_spec *s, struct err *e) {
    const struct json *command = json_get(r->object, "command");
    const struct json *url = MEMBER(r->object, "url", "httpUrl", "serverUrl");
    if (command && url)
        return fail(e, ERR_INVALID, "it has a command and a URL");
    if (command && json_type(command) == JSON_STRING)
        return read_program(r, s, command, e);
    if (url && json_type(url) == JSON_STRING) return read_url(r, s, url, e);
    return fail(e, ERR_INVALID, "it has neither a command nor a URL");
}

/* A misspelt restriction must not be no restriction. */
static int check_spelling(const struct json *object, struct err *e) {
    static const char *const known[] = {
        "allowedTools", "excludedTools", "includeTools", "excludeTools",
        "disabled",     "enabled",       "sandbox",      "tools",
        "prefix",       "headers",       "timeout",      "startTimeout",
        NULL,
    };
    const struct json *key = json_first(object);
    for (size_t i = json_len(object); i > 0; i--, key = json_skip(key + 1)) {
        const char *near = str_nearest(json_str(key), known);
        if (near && !str_is(json_str(key), near))
            return fail(e, ERR_INVALID,
                        "unknown key \"%.*s\"; did you mean "
                        "\"%s\"?",
                        STR_ARG(json_str(key)), near);
    }
    return 0;
}

static const struct json *sampling_of(const struct json *v) {
    const struct json *said = json_get(v, "sampling");
    bool named = said && json_type(said) == JSON_STRING && json_len(said);
    return named || json_get_bool(v, "sampling", false) ? said : NULL;
}

static int read_server(struct reading *r, struct server_spec *s,
                       struct err *e) {
    const struct json *v = r->object;
    str prefix = json_get_text(v, "prefix", str_of(s->name));
    s->disabled = json_get_bool(v, "disabled", false) ||
                  !json_get_bool(v, "enabled", true);
    s->timeout_ns = duration(json_get(v, "timeout"));
    s->start_ns = duration(json_get(v, "startTimeout"));
    s->allowed = MEMBER(v, "allowedTools", "includeTools");
    s->excluded = MEMBER(v, "excludedTools", "excludeTools");
    s->tools = json_get(v, "tools");
    s->sandbox = json_get(v, "sandbox");
    s->oauth = json_get(v, "oauth");
    s->sampling = sampling_of(v);
    s->prefix = arena_text(r->arena, prefix, e);
    return s->prefix ? 0 : -1;
}

/* What a restart would take from it: the object with everything in place. */
static int make_mark(struct reading *r, struct server_spec *s, struct err *e) {
    AUTO_BUF struct buf mark = BUF_MAX(4 * TEXT_MAX);
    if (json_write(r->object, JSON_CANONICAL, &mark, e)) return -1;
    for (const char *const *p = s->argv; p && *p; p++)
        if (buf_addf(&mark, e, "\n%s", *p)) return -1;
    for (const char *const *p = s->env; p && *p; p++)
        if (buf_addf(&mark, e, "\n%s", *p)) return -1;
    for (const struct http_header *h = s->headers; h && h->name; h++)
        if (buf_addf(&mark, e, "\n%s:%s", h->name, h->value)) return -1;
    s->mark = arena_text(r->arena, buf_str(&mark), e);
    return s->mark ? 0 : -1;
}

/* Only lack of memory is an error of the whole. */
static int add_server(struct servers *out, const struct json *key,
                      const struct servers_context *context, struct err *e) {
    struct server_spec *s = &out->list[out->count];
    struct reading r = {context, &out->arena, key + 1};
    *s =
        (struct server_spec){.name = arena_text(&out->arena, json_str(key), e)};
    if (!s->name || read_server(&r, s, e)) return -1;
    if (!s->disabled && (check_spelling(r.object, e) || read_way(&r, s, e))) {
        if (e->kind == ERR_MEMORY) return -1;
        s->problem = arena_text(&out->arena, str_of(e->text), e);
        if (!s->problem) return -1;
    }
    out->count++;
    return make_mark(&r, s, e);
}

static int read_all(const struct json *root,
                    const struct servers_context *context, struct servers *out,
                    struct err *e) {
    struct json_build b = JSON_BUILD(&out->arena);
    const struct json *found = json_get(root, "mcpServers"), *servers;
    if (!found) return 0;
    build_copy(&b, found); /* what the specs point into */
    if (build_done(&b, &servers, e)) return -1;
    out->list =
        arena_zalloc(&out->arena, json_len(servers) + 1, sizeof *out->list, e);
    if (!out->list) return -1;
    const struct json *key = json_first(servers);
    for (size_t i = json_len(servers); i > 0; i--, key = json_skip(key + 1))
        if (add_server(out, key, context, e)) return -1;
    for (size_t i = 0; i < out->count; i++)
        out->list[i].record = json_get_bool(root, "record", true);
    return 0;
}

int servers_read(const struct json *root, const struct servers_context *context,
                 struct servers *out, struct err *e) {
    struct servers made = {.arena = ARENA_MAX(MEMORY_MAX)};
    if (read_all(root, context, &made, e)) {
        servers_fini(&made);
        return fail_while(e, "mcpServers");
    }
    *out = made;
    return 0;
}

void servers_fini(struct servers *s) {
    arena_fini(&s->arena);
    *s = (struct servers){0};
}

const struct server_spec *servers_find(const struct servers *s, str name) {
    for (size_t i = 0; i < s->count; i++)
        if (str_is(name, s->list[i].name)) return &s->list[i];
    return NULL;
}

static bool any_matches(const struct json *globs, str tool) {
    if (json_type(globs) != JSON_ARRAY) return false;
    const struct json *glob = json_first(globs);
    for (size_t i = json_len(globs); i > 0; i--, glob = json_skip(glob))
        if (json_type(glob) == JSON_STRING && str_glob(json_str(glob), tool))
            return true;
    return false;
}

bool server_has_token(const struct server_spec *s) {
    for (const struct http_header *h = s->headers; h && h->name; h++)
        if (str_eq_nocase(str_of(h->name), STR("authorization"))) return true;
    return false;
}

bool server_offers(const struct server_spec *s, str tool) {
    if (s->allowed && !any_matches(s->allowed, tool)) return false;
    return !s->excluded || !any_matches(s->excluded, tool);
}
