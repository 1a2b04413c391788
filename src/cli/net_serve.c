/* SPDX-License-Identifier: MIT
 *
 * cordon serve: all configured servers as one, for a host on standard input and
 * output or for many over HTTP. The configuration file is watched: what changes
 * in it takes effect, and a file with a mistake changes nothing.
 */
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/models.h"
#include "cli/programs.h"
#include "cli/ready.h"
#include "cli/serve.h"
#include "cli/settings.h"
#include "cli/toolbox.h"
#include "gateway/import.h"
#include "gateway/sample.h"
#include "io/notify.h"
#include "runs/nursery.h"
#include "json/build.h"

#define SETTINGS_MAX ((size_t)64 << 20)
#define FILE_BYTES   ((size_t)16 << 20)
#define END_NS       ((int64_t)8 * 1000000000)
#define DIRECT       4 /* tools, see bench/tokens */

struct program {
    struct serve serve;
    struct steward *steward; /* who makes sandboxes; NULL: nobody */
    struct ready *ready;
    struct arena memory; /* of the settings that hold */
    struct notify notify, lock_notify;
    struct hub_waiter settled;
    struct io_timer deadline; /* of an orderly end */
    bool gone;
    bool signalled;
};

/* -- settings ----------------------------------------------------------------
 */

static int load(struct program *p, struct arena *a, const struct json **out,
                struct err *e) {
    const struct json *root;
    if (settings_load(p->serve.cli, a, &root, e)) return -1;
    return toolbox_settings(p->serve.cli, root, a, out, e);
}

/* -- references --------------------------------------------------------------
 */

/* Only the HTTP front's own texts: servers are expanded one by one. */
static int front_settings(struct serve *s, const struct json *root,
                          struct arena *a, const struct json **out,
                          struct err *e) {
    const struct json *http = json_pointer(root, STR("/serve/http"));
    *out = NULL;
    return http ? secrets_expand_json(s->authority.secrets, http, a, out, e)
                : 0;
}

/* -- reloading ---------------------------------------------------------------
 */

static int apply(struct program *p, const struct json *root, struct arena *a,
                 struct err *e) {
    struct servers_context context = authority_context(&p->serve.authority);
    const struct json *http;
    if (front_settings(&p->serve, root, a, &http, e) ||
        authority_reload(&p->serve.authority, root,
                         args_text(&p->serve.cli->args, "policy"), e) ||
        serve_sources_reload(&p->serve, root, e))
        return -1;
    serve_code_reload(&p->serve, root);
    if (p->serve.front && front_reload(p->serve.front, http, e)) return -1;
    if (serve_proxy_reload(&p->serve, root, e)) return -1;
    if (serve_selecting_reload(&p->serve, root, e)) return -1;
    return hub_configure(p->serve.hub, root, &context, e);
}

static void on_changed(void *data) {
    struct program *p = data;
    struct arena memory = ARENA_MAX(SETTINGS_MAX);
    const struct json *root;
    struct err e;
    if (load(p, &memory, &root, &e) || apply(p, root, &memory, &e)) {
        log_error(p->serve.log, "the configuration stays as it was: %s",
                  e.text);
        arena_fini(&memory);
        return;
    }
    arena_fini(&p->memory);
    p->memory = memory;
    p->serve.settings = root;
    log_info(p->serve.log, "the configuration was read again");
}

/* -- starting ----------------------------------------------------------------
 */

static enum hub_surface surface_of(const struct serve *s) {
    const char *given = args_text(&s->cli->args, "surface");
    str name = given ? str_of(given)
                     : json_get_text(json_get(s->settings, "serve"), "surface",
                                     STR("code"));
    if (str_is(name, "all")) return HUB_ALL;
    return str_is(name, "select") ? HUB_SELECT : HUB_CODE;
}

static bool allows(void *data, str scopes, str name) {
    struct serve *s = data;
    return !s->front || front_allows(s->front, scopes, name);
}

static int open_front(struct serve *s, struct arena *a, struct err *e) {
    const char *given = args_text(&s->cli->args, "http");
    str named = json_get_text(json_pointer(s->settings, STR("/serve/http")),
                              "address", STR(""));
    const struct json *settings;
    if (!given && !named.n) return 0;
    if (!given && !(given = arena_text(a, named, e))) return -1;
    if (front_settings(s, s->settings, a, &settings, e)) return -1;
    const struct front_config config = {
        .address = given, .settings = settings, .http = s->http, .log = s->log};
    s->front = front_new(s->loop, &config, e);
    return s->front ? 0 : -1;
}

/* Once everything is mounted: whoever reads this line may connect. */
static int tell_address(struct serve *s, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(1024);
    if (!s->front) return 0;
    if (buf_addf(&text, e, "listening on port %u\n", front_port(s->front)))
        return -1;
    return cli_out(buf_str(&text), e);
}

static int model_for(void *data, str name, struct arena *a,
                     struct model_config *out, struct err *e) {
    const struct serve *s = data;
    return models_choose(s->settings, s->authority.secrets,
                         name.n ? name.p : NULL, NULL, a, out, e);
}

static int open_hub(struct serve *s, struct err *e) {
    const struct samples_config samples = {.loop = s->loop,
                                           .http = s->http,
                                           .audit = s->authority.audit,
                                           .model = model_for,
                                           .data = s};
    if (!(s->samples = samples_new(&samples, e))) return -1;
    int64_t direct =
        json_get_int(json_get(s->settings, "serve"), "direct", DIRECT);
    const struct hub_config config = {
        .loop = s->loop,
        .log = s->log,
        .http = s->http,
        .boundary = s->authority.boundary,
        .audit = s->authority.audit,
        .pins = s->authority.pins,
        .registry_keys = s->authority.registry_keys,
        .surface = surface_of(s),
        .direct = direct > 0 ? (size_t)direct : 0,
        .wait_ns =
            config_duration(json_pointer(s->settings, STR("/serve/wait")), 0),
        .allows = allows,
        .data = s,
        .samples = s->samples};
    s->hub = hub_new(&config, e);
    return s->hub ? 0 : -1;
}

static int start_parts(struct serve *s, struct err *e) {
#define PART(id, what) \
    if (serve_##id##_start(s, e)) return fail_while(e, "%s", what);
#include "cli/serve.def"
#undef PART
    return 0;
}

static int watch_file(struct program *p, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (settings_find(args_text(&p->serve.cli->args, "config"), &path, e))
        return -1;
    if (!path.len) return 0;
    return notify_init(&p->notify, p->serve.loop, buf_text(&path), on_changed,
                       p, e);
}

/* Somebody pinned what was quarantined, or another process something new. */
static void on_lock_changed(void *data) {
    struct program *p = data;
    if (pin_keeper_refresh(p->serve.authority.pins))
        hub_tools_changed(p->serve.hub);
}

static int watch_lock(struct program *p, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (authority_lock(p->serve.settings, &path, e)) return -1;
    return notify_init(&p->lock_notify, p->serve.loop, buf_text(&path),
                       on_lock_changed, p, e);
}

/* The lists of all servers were put. */
static void on_settled(struct hub_waiter *w) {
    struct program *p = w->data;
    pin_keeper_rest(p->serve.authority.pins);
}

static void rest_when_settled(struct program *p) {
    p->settled = (struct hub_waiter){.done = on_settled, .data = p};
    hub_wait(p->serve.hub, &p->settled);
}

static void on_signal(void *data, int number) {
    struct program *p = data;
    if (number == SIGHUP) {
        on_changed(p);
        return;
    }
    p->signalled = true;
    loop_stop(p->serve.loop);
}

static int start(struct program *p, struct err *e) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, 0};
    struct serve *s = &p->serve;
    if (load(p, &p->memory, &s->settings, e)) return -1;
    if (!(s->loop = loop_new(e)) || !(s->http = client_new(s->loop, e)) ||
        authority_open(&s->authority, s->loop, s->settings,
                       args_text(&s->cli->args, "policy"), s->log, e))
        return -1;
    p->ready = ready_new(s->loop, p->steward, s->settings, s->log);
    s->pools = p->ready ? ready_pools(p->ready) : NULL;
    struct servers_context context = authority_context(&s->authority);
    if (loop_signals(s->loop, signals, on_signal, p, e) || open_hub(s, e) ||
        hub_configure(s->hub, s->settings, &context, e) ||
        open_front(s, &p->memory, e) || start_parts(s, e) || watch_file(p, e) ||
        watch_lock(p, e))
        return -1;
    rest_when_settled(p);
    return tell_address(s, e);
}

/* -- ending ------------------------------------------------------------------
 */

static void on_gone(void *data) {
    ((struct program *)data)->gone = true;
}

static void on_deadline(struct io_timer *t) {
    on_gone(t->data);
}

/* Servers get their time to end; a second signal cuts it short. */
static void end_servers(struct program *p) {
    struct err e;
    p->deadline = (struct io_timer){.fn = on_deadline, .data = p};
    p->signalled = false;
    if (loop_timer(p->serve.loop, &p->deadline, END_NS, &e)) return;
    hub_close(p->serve.hub, on_gone, p);
    while (!p->gone && !p->signalled && !loop_step(p->serve.loop, -1, &e))
        continue;
    loop_timer_stop(&p->deadline);
}

static void finish(struct program *p) {
    struct serve *s = &p->serve;
    notify_fini(&p->notify);
    notify_fini(&p->lock_notify);
    front_free(s->front);
#define PART(id, what) serve_##id##_end(s);
#include "cli/serve.def"
#undef PART
    samples_free(s->samples);
    hub_unwait(&p->settled);
    hub_free(s->hub);
    authority_close(&s->authority, s->log);
    client_free(s->http);
    ready_free(p->ready);
    if (s->loop) loop_free(s->loop);
    nursery_free(s->nursery);
    ready_steward_end(p->steward);
    arena_fini(&p->memory);
}

int net_serve(struct cli *cli, struct err *e) {
    struct program p = {.serve = {.cli = cli, .log = &cli->log},
                        .memory = ARENA_MAX(SETTINGS_MAX)};
    /* Before there is a secret in this process. */
    int result = nursery_start(&p.serve.nursery, e);
    if (!result) p.steward = ready_steward(&cli->log);
    if (!result) result = start(&p, e);
    if (!result) result = loop_run(p.serve.loop, e);
    if (!result) end_servers(&p);
    finish(&p);
    return result;
}
