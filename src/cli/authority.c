/* SPDX-License-Identifier: MIT */
#include "cli/authority.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/dirs.h"
#include "base/file.h"
#include "cli/pin_news.h"
#include "json/build.h"
#include "json/config.h"

#define KEYS_BYTES ((size_t)4 << 20)

static struct policy *read_policy(const struct json *settings,
                                  const char *given, struct err *e) {
    str word = given ? str_of(given)
                     : json_get_text(settings, "policy", STR("balanced"));
    char path[PATH_MAX];
    enum preset preset;
    if (!preset_read(word, &preset, e)) return policy_new(preset, e);
    (void)snprintf(path, sizeof path, "%.*s", STR_ARG(word));
    return policy_load(path, e);
}

static int open_store(struct authority *a, struct loop *loop, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_STATE, "cordon.db", &path, e)) return -1;
    const struct store_config config = {.path = buf_text(&path), .loop = loop};
    a->store = store_open(&config, e);
    return a->store ? 0 : -1;
}

static int open_audit(struct authority *a, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_STATE, "audit", &path, e)) return -1;
    a->audit = audit_open(buf_text(&path), e);
    return a->audit ? 0 : -1;
}

int authority_lock(const struct json *settings, struct buf *out,
                   struct err *e) {
    str given = json_get_text(json_get(settings, "pins"), "file", STR(""));
    if (given.n) return buf_add_str(out, given, e);
    if (file_exists("tools.lock")) return buf_add_text(out, "tools.lock", e);
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_STATE, "", &folder, e) ||
        file_make_dirs(buf_text(&folder), 0700, e))
        return -1;
    return dirs_path(DIRS_STATE, "tools.lock", out, e);
}

static int open_pins(struct authority *a, const struct json *settings,
                     struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    str unknown =
        json_get_text(json_get(settings, "pins"), "new", STR("record"));
    if (authority_lock(settings, &path, e)) return -1;
    const struct pin_keeper_config config = {.path = buf_text(&path),
                                             .refuse_new =
                                                 str_is(unknown, "refuse"),
                                             .listener = {pin_news_tell, a},
                                             .failed = pin_news_failed};
    a->pins = pin_keeper_new(&config, a->registry, e);
    return a->pins ? 0 : -1;
}

static int open_registry_keys(struct authority *a, const struct json *settings,
                              struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX), text = BUF_MAX(KEYS_BYTES);
    str given =
        json_get_text(json_get(settings, "pins"), "registry_keys", STR(""));
    if (!(a->registry_keys = registry_keys_new(e))) return -1;
    if (given.n == 0) return 0;
    if (buf_add_str(&path, given, e) || file_read(buf_text(&path), &text, e) ||
        registry_keys_add(a->registry_keys, buf_str(&text), e))
        return fail_while(e, "pins.registry_keys");
    return 0;
}

/* -- what is recorded ---------------------------------------------------------
 */

static void add_row(struct authority *a, const char *kind, const char *key,
                    str value, str server) {
    AUTO_ARENA struct arena memory = ARENA_MAX(64 * 1024);
    struct json_build b = JSON_BUILD(&memory);
    const struct json *data;
    struct err e;
    if (!a->audit) return;
    build_object(&b);
    build_put_text(&b, key, value);
    if (server.n) build_put_text(&b, "server", server);
    build_end(&b);
    if (build_done(&b, &data, &e) || audit_add(a->audit, kind, data, &e))
        authority_lost(a, &e);
}

void authority_lost(struct authority *a, const struct err *why) {
    audit_lost(a->audit);
    if (a->log) log_error(a->log, "audit: %s", why->text);
}

static void on_secret(void *data, str name, str server) {
    add_row(data, "secret", "secret", str_sub(name, 0, 200), server);
}

static void note_policy(struct authority *a) {
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    struct err e;
    str hash = {(const char *)policy_hash(a->policy), CRYPTO_SHA256};
    if (hex_encode(hash, &hex, &e) == 0)
        add_row(a, "policy", "policy_sha256", buf_str(&hex), STR(""));
}

/* -- secrets behind handles ---------------------------------------------------
 */

static int declare(struct secrets *s, str name, const struct json *v,
                   struct err *e) {
    AUTO_BUF struct buf servers = BUF_MAX(4096);
    const struct json *list = json_get(v, "servers");
    str value = json_get_text(v, "value", STR(""));
    if (!secret_refers(value))
        return fail(e, ERR_INVALID,
                    "value: a reference is wanted, such as ${env:NAME}");
    if (!list || json_type(list) != JSON_ARRAY || json_len(list) == 0)
        return fail(e, ERR_INVALID, "servers: say which may get it");
    const struct json *at = json_first(list);
    for (size_t i = 0; i < json_len(list); i++, at = json_skip(at))
        if (buf_addf(&servers, e, "%s%.*s", i ? "," : "",
                     STR_ARG(json_str(at))))
            return -1;
    return secrets_declare(s, name, value, buf_str(&servers), e);
}

static int declare_secrets(struct authority *a, const struct json *settings,
                           struct err *e) {
    const struct json *all = json_get(settings, "secrets");
    if (!all) return 0;
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0; i--, key = json_skip(key + 1))
        if (declare(a->secrets, json_str(key), key + 1, e))
            return fail_while(e, "secrets.%.*s", STR_ARG(json_str(key)));
    return 0;
}

static int open_all(struct authority *a, struct loop *loop,
                    const struct json *settings, const char *policy,
                    struct err *e) {
    bool record = json_get_bool(settings, "record", true);
    if (!(a->secrets = secrets_new(e)) || !(a->registry = registry_new(e)) ||
        !(a->policy = read_policy(settings, policy, e)))
        return -1;
    if (record && (open_store(a, loop, e) || open_audit(a, e))) return -1;
    secrets_listen(a->secrets, (struct secret_listener){on_secret, a});
    if (open_pins(a, settings, e) || open_registry_keys(a, settings, e) ||
        declare_secrets(a, settings, e))
        return -1;
    const struct boundary_config config = {
        .loop = loop,
        .registry = a->registry,
        .policy = a->policy,
        .store = a->store,
        .audit = a->audit,
        .secrets = a->secrets,
        .limits = json_get(settings, "limits"),
        .redact = json_get(settings, "redact"),
        .approval_ns = config_duration(
            json_pointer(settings, STR("/approvals/expire")), 0)};
    a->boundary = boundary_new(&config, e);
    return a->boundary ? 0 : -1;
}

int authority_open(struct authority *a, struct loop *loop,
                   const struct json *settings, const char *policy,
                   struct log *log, struct err *e) {
    *a = (struct authority){.log = log};
    if (!open_all(a, loop, settings, policy, e)) return 0;
    authority_close(a, NULL);
    return -1;
}

int authority_reload(struct authority *a, const struct json *settings,
                     const char *policy, struct err *e) {
    struct policy *now = read_policy(settings, policy, e);
    if (!now) return -1;
    if (boundary_set_policy(a->boundary, now, e)) {
        policy_free(now);
        return -1;
    }
    policy_free(a->policy);
    a->policy = now;
    note_policy(a);
    return 0;
}

static int expand_secret(void *data, str reference, struct buf *out,
                         struct err *e) {
    struct authority *a = data;
    AUTO_BUF struct buf text = BUF_MAX(PATH_MAX);
    if (buf_addf(&text, e, "${%.*s}", STR_ARG(reference))) return -1;
    return secrets_expand(a->secrets, buf_str(&text), out, e);
}

struct servers_context authority_context(struct authority *a) {
    if (!getcwd(a->folder, sizeof a->folder)) a->folder[0] = '\0';
    return (struct servers_context){.env = (const char *const *)environ,
                                    .folder = a->folder,
                                    .secret = expand_secret,
                                    .data = a};
}

struct provider_host authority_host(struct authority *a, struct loop *loop,
                                    struct client *http, struct log *log) {
    return (struct provider_host){.loop = loop,
                                  .registry = a->registry,
                                  .http = http,
                                  .secrets = a->secrets,
                                  .folder = authority_context(a).folder,
                                  .log = log,
                                  .audit = a->audit};
}

void authority_close(struct authority *a, struct log *log) {
    struct err e;
    boundary_free(a->boundary);
    if (a->audit && audit_sync(a->audit, &e) && log)
        log_warn(log, "audit: %s", e.text);
    if (a->audit) audit_close(a->audit);
    if (store_close(a->store, &e) && log) log_warn(log, "store: %s", e.text);
    policy_free(a->policy);
    pin_keeper_free(a->pins);
    registry_keys_free(a->registry_keys);
    registry_free(a->registry);
    secrets_free(a->secrets);
    *a = (struct authority){0};
}
