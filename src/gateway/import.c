/* SPDX-License-Identifier: MIT */
#include "gateway/import.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "gateway/toml.h"
#include "json/build.h"

#define TEXT_MAX ((size_t)1 << 20)

static const struct import_place places[] = {
#define JSON                                  false
#define TOML                                  true
#define HOST(id, name, path, pointer, format) {name, path, pointer, format},
#include "gateway/hosts.def"
#undef HOST
#undef TOML
#undef JSON
};

const struct import_place *import_place(size_t index) {
    return index < sizeof places / sizeof places[0] ? &places[index] : NULL;
}

int import_path(const struct import_place *place, const char *home,
                struct buf *out, struct err *e) {
    if (strncmp(place->path, "~/", 2) != 0)
        return buf_add_text(out, place->path, e);
    return buf_addf(out, e, "%s%s", home, place->path + 1);
}

/* -- texts -------------------------------------------------------------------
 */

static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

/* ${input:api-key}, which an editor asks for, becomes ${API_KEY}. */
static int add_input(str id, struct buf *out, struct err *e) {
    if (buf_add_text(out, "${", e)) return -1;
    for (size_t i = 0; i < id.n; i++) {
        char c = id.p[i];
        if (c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
        if (buf_add_char(out, in_name(c) ? c : '_', e)) return -1;
    }
    return buf_add_char(out, '}', e);
}

/* One reference at the start of text; how much of it was taken, 0: none. */
static size_t add_reference(str text, struct buf *out, struct err *e,
                            bool *failed) {
    if (str_starts(text, STR("${input:"))) {
        ptrdiff_t end = str_find_char(text, '}');
        if (end < 0) return 0;
        *failed = add_input(str_sub(text, 8, (size_t)end), out, e) != 0;
        return (size_t)end + 1;
    }
    size_t n = 1;
    while (n < text.n && in_name(text.p[n]))
        n++;
    if (n == 1 || (text.p[1] >= '0' && text.p[1] <= '9')) return 0;
    *failed = buf_addf(out, e, "${%.*s}", STR_ARG(str_sub(text, 1, n))) != 0;
    return n;
}

/* $NAME and ${input:x} as references of ours; the rest as it is. */
static int add_converted(str text, struct buf *out, struct err *e) {
    while (text.n) {
        bool failed = false;
        size_t taken =
            *text.p == '$' ? add_reference(text, out, e, &failed) : 0;
        if (!taken) {
            failed = buf_add_char(out, *text.p, e) != 0;
            taken = 1;
        }
        if (failed) return -1;
        text = str_sub(text, taken, text.n);
    }
    return 0;
}

/* -- values ------------------------------------------------------------------
 */

struct import {
    struct json_build b;
    bool dollar; /* $NAME and ${input:x} are references there */
    struct err *e;
};

static void put_text(struct import *im, str text) {
    AUTO_BUF struct buf out = BUF_MAX(TEXT_MAX);
    if (!im->dollar) {
        build_text(&im->b, text);
    } else if (add_converted(text, &out, im->e)) {
        im->b.failed = true;
        im->b.err = *im->e;
    } else {
        build_text(&im->b, buf_str(&out));
    }
}

static void put_value(struct import *im, const struct json *v);

static void put_items(struct import *im, const struct json *v) {
    const struct json *item = json_first(v);
    build_array(&im->b);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
        put_value(im, item);
    build_end(&im->b);
}

static void put_members(struct import *im, const struct json *v) {
    const struct json *key = json_first(v);
    build_object(&im->b);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        build_key(&im->b, json_str(key));
        put_value(im, key + 1);
    }
    build_end(&im->b);
}

static void put_value(struct import *im, const struct json *v) {
    switch (json_type(v)) {
    case JSON_STRING: put_text(im, json_str(v)); break;
    case JSON_ARRAY: put_items(im, v); break;
    case JSON_OBJECT: put_members(im, v); break;
    case JSON_NULL:
    case JSON_BOOL:
    case JSON_INT:
    case JSON_REAL:
    case JSON_BIG: build_copy(&im->b, v); break;
    }
}

/* -- members -----------------------------------------------------------------
 */

/* Other names for what we have. */
static const struct {
    const char *theirs, *ours;
} renamed[] = {
    {"httpUrl", "url"},
    {"serverUrl", "url"},
    {"enabled_tools", "allowedTools"},
    {"disabled_tools", "excludedTools"},
    {"includeTools", "allowedTools"},
    {"excludeTools", "excludedTools"},
};

/* What we take under its own name; anything else stays behind. */
static const char *const same[] = {
    "type",         "command",       "args",    "env",     "envFile",
    "cwd",          "url",           "headers", "timeout", "disabled",
    "allowedTools", "excludedTools", "oauth",   NULL,
};

static const char *our_name(str key) {
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (str_is(key, renamed[i].theirs)) return renamed[i].ours;
    for (const char *const *p = same; *p; p++)
        if (str_is(key, *p)) return *p;
    return NULL;
}

static void put_seconds(struct import *im, const char *key,
                        const struct json *v) {
    AUTO_BUF struct buf text = BUF_MAX(64);
    if (!v || !json_is_number(v)) return;
    if (buf_addf(&text, im->e, "%gs", json_number(v))) return;
    build_put_text(&im->b, key, buf_str(&text));
}

static void put_variable(struct import *im, str key, const char *before,
                         str variable) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    if (buf_addf(&text, im->e, "%s${%.*s}", before, STR_ARG(variable))) return;
    build_key(&im->b, key);
    build_text(&im->b, buf_str(&text));
}

/* Codex names the variables that hold header values. */
static void put_codex_headers(struct import *im, const struct json *v) {
    const struct json *plain = json_get(v, "http_headers");
    const struct json *named = json_get(v, "env_http_headers");
    str token = json_get_text(v, "bearer_token_env_var", STR(""));
    if (!plain && !named && !token.n) return;
    build_key(&im->b, STR("headers"));
    build_object(&im->b);
    const struct json *key = plain ? json_first(plain) : NULL;
    for (size_t i = plain ? json_len(plain) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        build_key(&im->b, json_str(key));
        put_value(im, key + 1);
    }
    key = named ? json_first(named) : NULL;
    for (size_t i = named ? json_len(named) : 0; i > 0;
         i--, key = json_skip(key + 1))
        if (json_type(key + 1) == JSON_STRING)
            put_variable(im, json_str(key), "", json_str(key + 1));
    if (token.n) put_variable(im, STR("Authorization"), "Bearer ", token);
    build_end(&im->b);
}

/* Codex also has a list of variables to hand on. */
static void put_codex_env(struct import *im, const struct json *v) {
    const struct json *names = json_get(v, "env_vars");
    if (!names || json_type(names) != JSON_ARRAY || json_get(v, "env")) return;
    build_key(&im->b, STR("env"));
    build_object(&im->b);
    const struct json *name = json_first(names);
    for (size_t i = json_len(names); i > 0; i--, name = json_skip(name))
        if (json_type(name) == JSON_STRING)
            put_variable(im, json_str(name), "", json_str(name));
    build_end(&im->b);
}

static void put_server(struct import *im, const struct json *v) {
    const struct json *enabled = json_get(v, "enabled");
    const struct json *key = json_first(v);
    build_object(&im->b);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        const char *name = our_name(json_str(key));
        if (!name || json_type(key + 1) == JSON_NULL) continue;
        build_key(&im->b, str_of(name));
        put_value(im, key + 1);
    }
    if (enabled && json_type(enabled) == JSON_BOOL && !enabled->as.boolean &&
        !json_get(v, "disabled"))
        build_put_bool(&im->b, "disabled", true);
    put_seconds(im, "startTimeout", json_get(v, "startup_timeout_sec"));
    put_seconds(im, "timeout", json_get(v, "tool_timeout_sec"));
    put_codex_headers(im, v);
    put_codex_env(im, v);
    build_end(&im->b);
}

/* -- files -------------------------------------------------------------------
 */

static int parse(const struct import_place *place, str text, struct arena *a,
                 const struct json **out, struct err *e) {
    const struct json_limits limits = {.comments = true,
                                       .keep_duplicates = true};
    if (place->toml) return toml_parse(text, a, out, e);
    return json_parse(text, &limits, a, out, e);
}

static const struct json *member_here(const struct json *v) {
    char here[PATH_MAX];
    return getcwd(here, sizeof here) ? json_get(v, here) : NULL;
}

static const struct json *servers_in(const struct json *root,
                                     const struct import_place *place) {
    str rest = str_of(place->pointer + 1);
    const struct json *v = root;
    while (v && rest.n) {
        str name = str_cut(&rest, '/');
        v = str_is(name, ".") ? member_here(v) : json_get_str(v, name);
    }
    return v;
}

int import_read(const struct import_place *place, str text, struct arena *a,
                const struct json **out, struct err *e) {
    bool dollar =
        !strcmp(place->host, "gemini") || !strcmp(place->host, "vscode");
    struct import im = {JSON_BUILD(a), dollar, e};
    const struct json *root;
    if (parse(place, text, a, &root, e)) return -1;
    const struct json *servers = servers_in(root, place);
    if (!servers || json_type(servers) != JSON_OBJECT || !json_len(servers))
        return fail(e, ERR_MISSING, "no servers at %s", place->pointer);
    const struct json *key = json_first(servers);
    build_object(&im.b);
    for (size_t i = json_len(servers); i > 0; i--, key = json_skip(key + 1)) {
        if (json_type(key + 1) != JSON_OBJECT) continue;
        build_key(&im.b, json_str(key));
        put_server(&im, key + 1);
    }
    build_end(&im.b);
    return build_done(&im.b, out, e);
}

static const struct import_place *by_path(const char *path) {
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *end = places[i].path;
        if (!strncmp(end, "~/", 2)) end++;
        size_t m = strlen(end);
        if (n >= m && !strcmp(path + n - m, end)) return &places[i];
    }
    return NULL;
}

static const struct import_place *by_members(str text) {
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
        const struct json *root;
        struct err e;
        if (!parse(&places[i], text, &a, &root, &e) &&
            servers_in(root, &places[i]))
            return &places[i];
    }
    return NULL;
}

int import_guess(const char *path, str text, const struct import_place **out,
                 struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    const struct import_place *place = by_path(path);
    const struct import_place any = {.toml =
                                         str_ends(str_of(path), STR(".toml"))};
    const struct json *root;
    if (!place) place = by_members(text);
    if (!place && parse(&any, text, &a, &root, e)) return -1;
    if (!place) return fail(e, ERR_INVALID, "no MCP servers are found in it");
    *out = place;
    return 0;
}
