/* SPDX-License-Identifier: MIT */
#include "call/http_auth.h"

#include "base/codec.h"
#include "base/mem.h"

static int add(struct http_auth *auth, struct auth_rule rule, struct err *e) {
    if (auth->count == AUTH_RULES)
        return fail(e, ERR_LIMIT, "more than %d credentials", AUTH_RULES);
    auth->rules[auth->count++] = rule;
    return 0;
}

/* ---- configuration ---- */

/* How the document wants a scheme's value to be sent. */
static int read_scheme(const struct api *api, str scheme,
                       struct auth_rule *rule, struct err *e) {
    const struct json *all =
        json_get(json_get(api->doc, "components"), "securitySchemes");
    const struct json *v = api_resolve(api, json_get_str(all, scheme));
    str type = json_get_text(v, "type", STR(""));
    str in = json_get_text(v, "in", STR(""));
    rule->scheme = scheme;
    if (!v)
        return fail(e, ERR_INVALID, "auth: the document has no scheme '%.*s'",
                    STR_ARG(scheme));
    rule->place = AUTH_BEARER;
    if (str_is(type, "oauth2") || str_is(type, "openIdConnect")) return 0;
    if (str_is(type, "http")) {
        if (str_eq_nocase(json_get_text(v, "scheme", STR("")), STR("basic")))
            rule->place = AUTH_BASIC;
        return 0;
    }
    rule->name = json_get_text(v, "name", STR(""));
    if (!str_is(type, "apiKey") || rule->name.n == 0)
        return fail(e, ERR_UNSUPPORTED, "auth: scheme '%.*s' is of type %.*s",
                    STR_ARG(scheme), STR_ARG(type));
    rule->place = str_is(in, "query")    ? AUTH_QUERY
                  : str_is(in, "cookie") ? AUTH_COOKIE
                                         : AUTH_HEADER;
    return 0;
}

static int read_one(struct http_auth *auth, const struct json *v,
                    const struct api *api, struct err *e) {
    static const char *const known[] = {"bearer", "basic", "header", "query",
                                        "scheme", "value", NULL};
    static const char *const named[] = {"header", "query", "scheme"};
    if (host_check_members(v, known, e)) return fail_while(e, "auth");
    str bearer = json_get_text(v, "bearer", STR(""));
    str basic = json_get_text(v, "basic", STR(""));
    str value = json_get_text(v, "value", STR(""));
    if (bearer.n > 0) return add(auth, (struct auth_rule){.value = bearer}, e);
    if (basic.n > 0)
        return add(auth, (struct auth_rule){AUTH_BASIC, .value = basic}, e);
    for (size_t i = 0; i < 3 && value.n > 0; i++) {
        str name = json_get_text(v, named[i], STR(""));
        struct auth_rule rule = {i == 0 ? AUTH_HEADER : AUTH_QUERY,
                                 .name = name, .value = value};
        if (name.n == 0) continue;
        if (i == 2 && read_scheme(api, name, &rule, e)) return -1;
        return add(auth, rule, e);
    }
    return fail(e, ERR_INVALID,
                "auth: bearer, basic, or header, query or scheme with value");
}

static int read_headers(struct http_auth *auth, const struct json *headers,
                        struct err *e) {
    if (!headers) return 0;
    if (json_type(headers) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "headers: an object of texts");
    const struct json *key = json_first(headers);
    for (size_t i = json_len(headers); i > 0; i--, key = json_skip(key + 1)) {
        if (json_type(key + 1) != JSON_STRING)
            return fail(e, ERR_INVALID, "headers: an object of texts");
        struct auth_rule rule = {AUTH_HEADER, .name = json_str(key),
                                 .value = json_str(key + 1)};
        if (add(auth, rule, e)) return -1;
    }
    return 0;
}

int http_auth_read(struct http_auth *auth, const struct json *config,
                   const struct api *api, struct err *e) {
    const struct json *v = json_get(config, "auth");
    auth->count = 0;
    if (v && json_type(v) == JSON_ARRAY) {
        const struct json *item = json_first(v);
        for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
            if (read_one(auth, item, api, e)) return -1;
    } else if (v && read_one(auth, v, api, e)) {
        return -1;
    }
    return read_headers(auth, json_get(config, "headers"), e);
}

/* ---- a request ---- */

/* [{"a": []}, {"b": [], "c": []}]: does any of them name the scheme? */
static bool asks_for(const struct json *security, str scheme) {
    if (!security || json_type(security) != JSON_ARRAY) return false;
    const struct json *v = json_first(security);
    for (size_t i = json_len(security); i > 0; i--, v = json_skip(v))
        if (json_get_str(v, scheme)) return true;
    return false;
}

static int apply(const struct auth_rule *rule, str value, struct api_request *r,
                 struct arena *a, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(2 * SECRET_BYTES);
    switch (rule->place) {
    case AUTH_BEARER:
    case AUTH_BASIC:
        if (rule->place == AUTH_BEARER
                ? buf_addf(&text, e, "Bearer %.*s", STR_ARG(value))
                : buf_add_text(&text, "Basic ", e) ||
                      base64_encode(value, &text, e))
            return -1;
        return api_request_header(r, STR("Authorization"), buf_str(&text), a,
                                  e);
    case AUTH_HEADER: return api_request_header(r, rule->name, value, a, e);
    case AUTH_QUERY: return api_request_query(r, rule->name, value, a, e);
    case AUTH_COOKIE:
        if (buf_addf(&text, e, "%.*s=%.*s", STR_ARG(rule->name),
                     STR_ARG(value)))
            return -1;
        return api_request_header(r, STR("Cookie"), buf_str(&text), a, e);
    }
    return 0;
}

int http_auth_apply(const struct http_auth *auth, const struct provider_host *h,
                    const struct api_op *op, struct api_request *r,
                    struct arena *a, struct err *e) {
    for (size_t i = 0; i < auth->count; i++) {
        const struct auth_rule *rule = &auth->rules[i];
        AUTO_BUF struct buf value = BUF_MAX(SECRET_BYTES);
        if (rule->scheme.n > 0 && !asks_for(op->security, rule->scheme))
            continue;
        int failed = host_expand(h, rule->value, &value, e) ||
                     apply(rule, buf_str(&value), r, a, e);
        if (value.data) mem_wipe(value.data, value.len);
        if (failed) return fail_while(e, "auth");
    }
    return 0;
}
