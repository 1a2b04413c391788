/* SPDX-License-Identifier: MIT
 *
 * Code mode of `cordon serve`: runs, those of before taken up again, and the
 * tool run_code.
 */
#include <limits.h>

#include "base/dirs.h"
#include "base/mem.h"
#include "cli/serve.h"
#include "gateway/code.h"
#include "gateway/notifier.h"
#include "sandbox/tls.h"
#include "json/build.h"
#include "json/config.h"

struct part {
    struct serve *serve;
    struct runs *runs;
    struct code *code;
    struct notifier *notifier;
    struct hub_waiter settled;
    struct buf checkpoints; /* path of the folder */
    struct arena memory;    /* of what runs go on using: settings change */
};

struct runs *serve_runs(const struct serve *s) {
    const struct part *p = s->parts[SERVE_code];
    return p ? p->runs : NULL;
}

static bool allows(void *data, str scopes, str tool) {
    const struct serve *s = data;
    return !s->front || front_allows(s->front, scopes, tool);
}

static size_t count_of(const struct json *v, const char *key) {
    int64_t n = json_get_int(v, key, 0);
    return n > 0 ? (size_t)n : 0;
}

static int copy_sandbox(struct part *p, const struct json *from,
                        const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(&p->memory);
    *out = NULL;
    if (!from) return 0;
    build_copy(&b, from);
    return build_done(&b, out, e);
}

static int start_runs(struct serve *s, struct part *p, struct err *e) {
    const struct json *own = json_get(s->settings, "runs");
    const struct json *serve = json_get(s->settings, "serve");
    const struct json *sandbox;
    if (dirs_path(DIRS_STATE, "checkpoints", &p->checkpoints, e) ||
        copy_sandbox(p, json_get(serve, "sandbox"), &sandbox, e))
        return -1;
    const struct runs_config config = {
        .checkpoints = buf_text(&p->checkpoints),
        .container = json_get_bool(serve, "container", false),
        .sandbox = sandbox,
        .pools = s->pools,
        .secrets = s->authority.secrets,
        .tls = &tls_openssl,
        .workers = count_of(own, "workers"),
        .open_max = count_of(own, "open"),
        .keep_ns = config_duration(json_get(own, "keep"), 0),
        .loop = s->loop,
        .boundary = s->authority.boundary,
        .store = s->authority.store,
        .audit = s->authority.audit,
        .nursery = s->nursery,
        .allows = allows,
        .data = s};
    p->runs = runs_new(&config, e);
    return p->runs ? 0 : -1;
}

/* The secret that webhooks are signed with is a reference. */
static int set_secret(struct serve *s, struct part *p,
                      const struct json *settings, struct err *e) {
    struct buf secret = BUF_MAX(SECRET_BYTES);
    str text =
        json_get_text(json_get(settings, "runs"), "webhook_secret", STR(""));
    int status = secrets_expand(s->authority.secrets, text, &secret, e) ||
                         notifier_secret(p->notifier, buf_str(&secret), e)
                     ? fail_while(e, "runs.webhook_secret")
                     : 0;
    if (secret.len) mem_wipe(secret.data, secret.len);
    buf_fini(&secret);
    return status;
}

static int start_notifier(struct serve *s, struct part *p, struct err *e) {
    const struct json *own = json_get(s->settings, "runs");
    const struct notifier_config config = {.loop = s->loop,
                                           .http = s->http,
                                           .store = s->authority.store,
                                           .log = s->log,
                                           .audit = s->authority.audit,
                                           .hosts = json_get(own, "webhooks")};
    p->notifier = notifier_new(&config, e);
    return p->notifier ? set_secret(s, p, s->settings, e) : -1;
}

static int offer(struct serve *s, struct part *p, struct err *e) {
    if (hub_surface(s->hub) != HUB_CODE) return 0;
    const struct code_config config = {.loop = s->loop,
                                       .runs = p->runs,
                                       .store = s->authority.store,
                                       .audit = s->authority.audit};
    p->code = code_new(&config, s->hub, e);
    return p->code ? 0 : -1;
}

void serve_code_reload(struct serve *s, const struct json *settings) {
    struct part *p = s->parts[SERVE_code];
    struct err e;
    if (!p || !p->notifier) return;
    notifier_hosts(p->notifier,
                   json_get(json_get(settings, "runs"), "webhooks"));
    if (set_secret(s, p, settings, &e))
        log_warn(s->log, "%s: the one of before stays", e.text);
}

/* Once the servers are there, for runs of before need their tools. A store that
 * cannot be written still serves what needs no record. */
static void on_settled(struct hub_waiter *w) {
    struct part *p = w->data;
    struct err e;
    int found = runs_recover(p->runs, &e);
    if (found < 0)
        log_warn(p->serve->log, "runs of before: %s", e.text);
    else if (found)
        log_info(p->serve->log, "%d runs of before go on", found);
}

/* Runs are rows of the store: without one there is no code mode. */
int serve_code_start(struct serve *s, struct err *e) {
    if (!s->authority.store) return 0;
    struct part *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return -1;
    p->serve = s;
    p->checkpoints = BUF_MAX(PATH_MAX);
    p->memory = ARENA_MAX((size_t)1 << 20);
    s->parts[SERVE_code] = p;
    if (start_runs(s, p, e) || start_notifier(s, p, e) || offer(s, p, e))
        return -1;
    p->settled = (struct hub_waiter){.done = on_settled, .data = p};
    hub_wait(s->hub, &p->settled);
    return 0;
}

void serve_code_end(struct serve *s) {
    struct part *p = s->parts[SERVE_code];
    if (!p) return;
    hub_unwait(&p->settled);
    notifier_free(p->notifier);
    runs_free(p->runs);
    code_free(p->code);
    buf_fini(&p->checkpoints);
    arena_fini(&p->memory);
    mem_free(p);
    s->parts[SERVE_code] = NULL;
}
