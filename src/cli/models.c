/* SPDX-License-Identifier: MIT */
#include "cli/models.h"

#include "agent/textcall.h"
#include "json/build.h"
#include "json/config.h"

#include <stdlib.h>

static str text_of(const struct json *v, const char *key) {
    return json_get_text(v, key, STR(""));
}

static double price_of(const struct json *v, const char *key) {
    const struct json *n = json_get(v, key);
    return n && json_is_number(n) ? json_number(n) : 0;
}

static int expand(struct secrets *s, str text, struct arena *a, str *out,
                  struct err *e) {
    AUTO_BUF struct buf value = BUF_MAX(SECRET_BYTES);
    if (!secret_refers(text)) return arena_dup(a, text, out, e);
    if (secrets_expand(s, text, &value, e)) return -1;
    return arena_dup(a, buf_str(&value), out, e);
}

/* The vendor's own variable, where the configuration says nothing. */
static const char *key_of_vendor(const struct vendor *v) {
    const char *value = *v->key_env ? getenv(v->key_env) : NULL;
    return value && *value ? value : NULL;
}

static int find_key(struct secrets *s, const struct json *v, struct arena *a,
                    struct model_config *c, struct err *e) {
    str given = text_of(v, "key");
    const char *value = key_of_vendor(c->vendor);
    if (given.n > 0) return expand(s, given, a, &c->key, e);
    c->key = STR("");
    if (!value) return 0;
    if (secrets_add(s, str_of(c->vendor->key_env), str_of(value), e)) return -1;
    return arena_dup(a, str_of(value), &c->key, e);
}

static int read_headers(struct secrets *s, const struct json *v,
                        struct arena *a, const struct http_header **out,
                        struct err *e) {
    const struct json *headers = json_get(v, "headers");
    if (!headers) return 0;
    size_t n = json_len(headers);
    struct http_header *h = arena_zalloc(a, n + 1, sizeof *h, e);
    const struct json *key = json_first(headers);
    for (size_t i = 0; h && i < n; i++, key = json_skip(key + 1)) {
        str value;
        h[i].name = arena_text(a, json_str(key), e);
        if (!h[i].name || expand(s, json_str(key + 1), a, &value, e)) return -1;
        h[i].value = value.p;
    }
    *out = h;
    return h ? 0 : -1;
}

/* What this server cannot do is better said now. */
static int check_features(const struct model_config *c, struct err *e) {
    if (c->grammar && !vendor_has(c->vendor, VENDOR_GRAMMAR))
        return fail(e, ERR_UNSUPPORTED, "grammar: \"%s\" takes none",
                    c->vendor->name);
    if (c->grammar && !c->text_calls)
        return fail(e, ERR_INVALID,
                    "grammar: only where calls are written as text; \"calls\" "
                    "is \"native\"");
    if (c->ask_below < 0 || c->ask_below > 1)
        return fail(e, ERR_INVALID, "ask_below: from 0 to 1");
    if (c->ask_below > 0 && !vendor_has(c->vendor, VENDOR_LOGPROBS))
        return fail(e, ERR_UNSUPPORTED,
                    "ask_below: \"%s\" does not tell how likely its tokens "
                    "were",
                    c->vendor->name);
    return 0;
}

static int read_model(str name, const struct json *v, struct model_config *out,
                      struct err *e) {
    struct model_config c = {
        .name = name,
        .model = text_of(v, "model"),
        .url = text_of(v, "url"),
        .proxy = text_of(v, "proxy"),
        .ca_file = text_of(v, "ca"),
        .timeout_ns = config_duration(json_get(v, "timeout"), 0),
        .idle_ns = config_duration(json_get(v, "idle"), 0),
        .retries = (int)json_get_int(v, "retries", 0),
        .max_tokens = json_get_int(v, "max_tokens", 0),
        .temperature = json_get(v, "temperature"),
        .input_price = price_of(v, "input_price"),
        .output_price = price_of(v, "output_price"),
        .parallel =
            json_get(v, "parallel") ? json_get_bool(v, "parallel", true) : -1,
        .strict = json_get_bool(v, "strict", false),
        .grammar = json_get_bool(v, "grammar", false),
        .ask_below = price_of(v, "ask_below"),
    };
    str provider = text_of(v, "provider");
    c.vendor = vendor_find(provider.n > 0 ? provider : STR("compatible"), e);
    if (json_get(v, "retries") && c.retries == 0) c.retries = -1;
    str calls = text_of(v, "calls");
    enum textcall format = TEXTCALL_HERMES;
    c.text_calls = calls.n > 0 ? !str_is(calls, "native") : c.grammar;
    if (c.text_calls && calls.n > 0 && textcall_parse(calls, &format, e))
        return fail_while(e, "models.%.*s.calls", STR_ARG(name));
    c.text_format = (int)format;
    if (!c.vendor || check_features(&c, e))
        return fail_while(e, "models.%.*s", STR_ARG(name));
    c.key = text_of(v, "key");
    if (c.key.n == 0 && key_of_vendor(c.vendor)) c.key = STR("${env}");
    *out = c;
    return 0;
}

/* Its secrets: only of a model that is to be asked, so that one whose key is
 * not here does not stand in the way of the others. */
static int resolve(const struct json *root, struct secrets *s, struct arena *a,
                   struct model_config *c, struct err *e) {
    const struct json *v = json_get_str(json_get(root, "models"), c->name);
    if (find_key(s, v, a, c, e) || read_headers(s, v, a, &c->headers, e))
        return fail_while(e, "models.%.*s", STR_ARG(c->name));
    return 0;
}

int models_read(const struct json *root, struct arena *a, struct models *out,
                struct err *e) {
    const struct json *models = json_get(root, "models");
    size_t n = models ? json_len(models) : 0;
    struct model_config *list = arena_zalloc(a, n + 1, sizeof *list, e);
    if (!list) return -1;
    const struct json *key = models ? json_first(models) : NULL;
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1))
        if (read_model(json_str(key), key + 1, &list[i], e)) return -1;
    *out = (struct models){list, n};
    return 0;
}

static const struct model_config *find(const struct models *m, str name) {
    for (size_t i = 0; i < m->count; i++)
        if (str_eq(m->list[i].name, name)) return &m->list[i];
    return NULL;
}

static int missing(const struct models *m, str name, struct err *e) {
    if (name.n == 0)
        return fail(e, ERR_USAGE,
                    m->count == 0
                        ? "no model is configured: give --provider and "
                          "--model, or \"models\" in cordon.json"
                        : "which model? say --model NAME, or \"model\" in "
                          "cordon.json");
    return fail(e, ERR_MISSING,
                "no model \"%.*s\" is configured; with --provider it is taken "
                "as that provider's",
                STR_ARG(name));
}

int models_choose(const struct json *root, struct secrets *s, const char *name,
                  const char *provider, struct arena *a,
                  struct model_config *out, struct err *e) {
    struct models all;
    str wanted = name ? str_of(name) : text_of(root, "model");
    if (models_read(root, a, &all, e)) return -1;
    if (provider) {
        struct model_config c = {
            .name = wanted, .model = wanted, .parallel = -1};
        c.vendor = vendor_find(str_of(provider), e);
        if (!c.vendor || find_key(s, NULL, a, &c, e)) return -1;
        *out = c;
        return 0;
    }
    const struct model_config *found =
        wanted.n == 0 && all.count == 1 ? &all.list[0] : find(&all, wanted);
    if (!found) return missing(&all, wanted, e);
    struct model_config c = *found;
    if (resolve(root, s, a, &c, e)) return -1;
    *out = c;
    return 0;
}

/* -- the proxy --------------------------------------------------------------
 */

static int proxy_models(const struct json *v, struct models *all,
                        struct arena *a, struct err *e) {
    const struct json *names = json_get(v, "models");
    if (!names) return 0;
    size_t n = json_len(names);
    struct model_config *list = arena_zalloc(a, n + 1, sizeof *list, e);
    const struct json *item = json_first(names);
    if (!list) return -1;
    for (size_t i = 0; i < n; i++, item = json_skip(item)) {
        const struct model_config *found = find(all, json_str(item));
        if (!found) {
            (void)missing(all, json_str(item), e);
            return fail_while(e, "proxy.models");
        }
        list[i] = *found;
    }
    *all = (struct models){list, n};
    return 0;
}

static int proxy_keys(const struct json *v, struct secrets *s, struct arena *a,
                      struct proxy_config *out, struct err *e) {
    const struct json *keys = json_get(v, "keys");
    if (!keys) return 0;
    size_t n = json_len(keys);
    struct proxy_key *list = arena_zalloc(a, n + 1, sizeof *list, e);
    const struct json *key = json_first(keys);
    if (!list) return -1;
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1)) {
        list[i].name = json_str(key);
        list[i].requests = json_get_int(key + 1, "requests", 0);
        list[i].tokens = json_get_int(key + 1, "tokens", 0);
        if (expand(s, text_of(key + 1, "key"), a, &list[i].secret, e))
            return fail_while(e, "proxy.keys");
        if (list[i].secret.n == 0)
            return fail(e, ERR_INVALID, "proxy.keys.%.*s: no \"key\"",
                        STR_ARG(list[i].name));
    }
    out->keys = list;
    out->key_count = n;
    return 0;
}

static int read_list(const struct json *list, struct arena *a, const str **out,
                     size_t *count, struct err *e) {
    if (!list) return 0;
    str *items = arena_zalloc(a, json_len(list) + 1, sizeof *items, e);
    const struct json *item = json_first(list);
    if (!items) return -1;
    for (size_t i = 0; i < json_len(list); i++, item = json_skip(item))
        items[i] = json_str(item);
    *out = items;
    *count = json_len(list);
    return 0;
}

/* The settings may be replaced while the proxy still works by them. */
int models_proxy(const struct json *settings, struct secrets *s,
                 struct arena *a, struct proxy_config *out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    const struct json *root, *v;
    struct models all;
    struct proxy_config c = {0};
    build_copy(&b, settings);
    if (build_done(&b, &root, e)) return -1;
    v = json_get(root, "proxy");
    if (models_read(root, a, &all, e) || proxy_models(v, &all, a, e) ||
        proxy_keys(v, s, a, &c, e) ||
        read_list(json_get(v, "pin"), a, &c.pin, &c.pin_count, e) ||
        read_list(json_get(v, "execute"), a, &c.own.offer, &c.own.offer_count,
                  e))
        return -1;
    if (all.count == 0) return missing(&all, STR(""), e);
    for (size_t i = 0; i < all.count; i++)
        if (resolve(root, s, a, &all.list[i], e)) return -1;
    c.models = all.list;
    c.model_count = all.count;
    c.tools = (size_t)json_get_int(v, "tools", 0);
    c.reasks = (int)json_get_int(v, "reasks", 0);
    if (json_get(v, "reasks") && c.reasks == 0) c.reasks = -1;
    c.own.rounds = (int)json_get_int(v, "rounds", 0);
    c.own.approval_ns = config_duration(json_get(v, "approvals"), 0);
    *out = c;
    return 0;
}
