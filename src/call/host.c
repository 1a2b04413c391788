/* SPDX-License-Identifier: MIT */
#include "call/host.h"

#define PATTERNS 256

static int read_patterns(const struct json *config, const char *key, str *out,
                         size_t *count, struct err *e) {
    const struct json *list = json_get(config, key);
    *count = 0;
    if (!list) return 0;
    if (json_type(list) != JSON_ARRAY || json_len(list) > PATTERNS)
        return fail(e, ERR_INVALID, "%s: a list of at most %d patterns", key,
                    PATTERNS);
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v)) {
        if (json_type(v) != JSON_STRING)
            return fail(e, ERR_INVALID, "%s: a pattern is text", key);
        out[(*count)++] = json_str(v);
    }
    return 0;
}

int host_put(const struct provider_host *h, struct provider *p,
             const struct json *config, str about, const struct json *tools,
             struct err *e) {
    str allow[PATTERNS], exclude[PATTERNS];
    struct registry_source source = {
        .server = p->server,
        .server_text = about,
        .provider = p,
        .allow = allow,
        .exclude = exclude,
        .overrides = json_get(config, "tools"),
    };
    if (read_patterns(config, "allow", allow, &source.allow_count, e) ||
        read_patterns(config, "exclude", exclude, &source.exclude_count, e))
        return -1;
    return registry_put(h->registry, &source, tools, e) < 0 ? -1 : 0;
}

int host_expand(const struct provider_host *h, str text, struct buf *out,
                struct err *e) {
    if (h->secrets) return secrets_expand(h->secrets, text, out, e);
    if (secret_refers(text))
        return fail(e, ERR_UNSUPPORTED, "secrets cannot be looked up here");
    return buf_add_str(out, text, e);
}

char *host_path(const struct provider_host *h, str path, struct arena *a,
                struct err *e) {
    if ((path.n > 0 && path.p[0] == '/') || !h->folder)
        return arena_text(a, path, e);
    return arena_printf(a, e, "%s/%.*s", h->folder, STR_ARG(path));
}

int host_check_members(const struct json *config, const char *const *known,
                       struct err *e) {
    if (!config || json_type(config) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "not an object");
    const struct json *key = json_first(config);
    for (size_t i = json_len(config); i > 0; i--, key = json_skip(key + 1)) {
        size_t k = 0;
        while (known[k] && !str_is(json_str(key), known[k]))
            k++;
        if (known[k]) continue;
        const char *near = str_nearest(json_str(key), known);
        return fail(e, ERR_INVALID, "no member %.*s%s%s%s",
                    STR_ARG(str_sub(json_str(key), 0, 64)),
                    near ? "; did you mean " : "", near ? near : "",
                    near ? "?" : "");
    }
    return 0;
}
