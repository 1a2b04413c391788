/* SPDX-License-Identifier: MIT */
#include "cli/toolbox.h"

#include <signal.h>

#include "call/sources.h"
#include "cli/settings.h"
#include "gateway/import.h"
#include "json/build.h"

#define SETTINGS_MAX ((size_t)64 << 20)
#define FILE_BYTES   ((size_t)16 << 20)
#define END_NS       ((int64_t)5 * 1000000000)

/* -- settings ----------------------------------------------------------------
 */

static int add_file(const char *path, struct json_build *b, struct arena *a,
                    struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    const struct json *servers;
    const struct import_place *place;
    if (config_read(path, &text, e)) return -1;
    if (import_guess(path, buf_str(&text), &place, e) ||
        import_read(place, buf_str(&text), a, &servers, e))
        return fail_while(e, "%s", path);
    const struct json *key = json_first(servers);
    for (size_t i = json_len(servers); i > 0; i--, key = json_skip(key + 1)) {
        build_key(b, json_str(key));
        build_copy(b, key + 1);
    }
    return 0;
}

/* The configuration with the servers of --servers in it. A name that stands
 * twice is refused when the whole is checked. */
static int with_files(struct cli *cli, const struct json *root, struct arena *a,
                      const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    const struct json *own = json_get(root, "mcpServers");
    const char *path;
    *out = root;
    if (!args_nth(&cli->args, "servers", 0)) return 0;
    build_object(&b);
    const struct json *key = json_first(root);
    for (size_t i = json_len(root); i > 0; i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "mcpServers")) continue;
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    build_key(&b, STR("mcpServers"));
    build_object(&b);
    key = own ? json_first(own) : NULL;
    for (size_t i = own ? json_len(own) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    for (size_t i = 0; (path = args_nth(&cli->args, "servers", i)); i++)
        if (add_file(path, &b, a, e)) return -1;
    build_end(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

static int check_names(const struct json *servers, struct err *e) {
    const struct json *key = servers ? json_first(servers) : NULL;
    for (size_t i = servers ? json_len(servers) : 0; i > 0;
         i--, key = json_skip(key + 1))
        if (json_get_str(servers, json_str(key)) != key + 1)
            return fail(e, ERR_INVALID, "there are two servers \"%.*s\"",
                        STR_ARG(json_str(key)));
    return 0;
}

int toolbox_settings(struct cli *cli, const struct json *root, struct arena *a,
                     const struct json **out, struct err *e) {
    if (with_files(cli, root, a, out, e)) return -1;
    return check_names(json_get(*out, "mcpServers"), e);
}

/* -- a life
 * --------------------------------------------------------------------
 */

static void on_signal(void *data, int number) {
    struct toolbox *t = data;
    (void)number;
    t->signalled = true;
    loop_stop(t->loop);
}

static void on_settled(struct hub_waiter *w) {
    struct toolbox *t = w->data;
    t->settled = true;
}

static int wait_for_servers(struct toolbox *t, struct err *e) {
    t->waiter = (struct hub_waiter){.done = on_settled, .data = t};
    hub_wait(t->hub, &t->waiter);
    while (!t->settled && !t->signalled)
        if (loop_step(t->loop, -1, e)) return -1;
    hub_unwait(&t->waiter);
    return t->signalled ? fail(e, ERR_TIMEOUT, "interrupted") : 0;
}

static struct provider_host host_of(struct toolbox *t) {
    return authority_host(&t->authority, t->loop, t->http, &t->cli->log);
}

static int open_sources(struct toolbox *t, struct err *e) {
    const struct provider_host host = host_of(t);
    t->sources = sources_open(&host, t->settings, e);
    return t->sources ? 0 : -1;
}

static int open_selecting(struct toolbox *t, struct err *e) {
    const struct provider_host host = host_of(t);
    t->selecting = selecting_new(&host, t->settings, e);
    return t->selecting ? 0 : -1;
}

/* The keeper stays where hosts must still have the pinned keys. */
static void set_guard(struct toolbox *t, struct registry_guard guard,
                      bool any_key) {
    if (any_key) {
        pin_keeper_free(t->authority.pins);
        t->authority.pins = NULL;
    }
    registry_set_guard(t->authority.registry, guard);
}

static int open_all(struct toolbox *t, const struct registry_guard *guard,
                    bool any_key, struct err *e) {
    static const int signals[] = {SIGINT, SIGTERM, 0};
    const char *policy = guard ? NULL : args_text(&t->cli->args, "policy");
    const struct json *root;
    if (settings_load(t->cli, &t->memory, &root, e) ||
        toolbox_settings(t->cli, root, &t->memory, &t->settings, e))
        return -1;
    if (!(t->loop = loop_new(e)) || !(t->http = client_new(t->loop, e)) ||
        loop_signals(t->loop, signals, on_signal, t, e) ||
        authority_open(&t->authority, t->loop, t->settings, policy,
                       &t->cli->log, e))
        return -1;
    if (guard) set_guard(t, *guard, any_key);
    const struct hub_config config = {.loop = t->loop,
                                      .log = &t->cli->log,
                                      .http = t->http,
                                      .boundary = t->authority.boundary,
                                      .audit = t->authority.audit,
                                      .pins = t->authority.pins,
                                      .registry_keys =
                                          t->authority.registry_keys,
                                      .surface = HUB_ALL};
    struct servers_context context = authority_context(&t->authority);
    if (!(t->hub = hub_new(&config, e)) || open_selecting(t, e) ||
        hub_configure(t->hub, t->settings, &context, e) || open_sources(t, e))
        return -1;
    return wait_for_servers(t, e);
}

int toolbox_open(struct toolbox *t, struct cli *cli, struct err *e) {
    *t = (struct toolbox){.cli = cli, .memory = ARENA_MAX(SETTINGS_MAX)};
    return open_all(t, NULL, false, e);
}

int toolbox_look(struct toolbox *t, struct cli *cli,
                 struct registry_guard guard, bool any_key, struct err *e) {
    *t = (struct toolbox){.cli = cli, .memory = ARENA_MAX(SETTINGS_MAX)};
    return open_all(t, &guard, any_key, e);
}

static void on_gone(void *data) {
    ((struct toolbox *)data)->gone = true;
}

static void on_deadline(struct io_timer *timer) {
    on_gone(timer->data);
}

/* Servers get their time to end. */
static void end_servers(struct toolbox *t) {
    struct io_timer deadline = {.fn = on_deadline, .data = t};
    struct err e;
    if (!t->hub || loop_timer(t->loop, &deadline, END_NS, &e)) return;
    hub_close(t->hub, on_gone, t);
    while (!t->gone && loop_step(t->loop, -1, &e) == 0)
        continue;
    loop_timer_stop(&deadline);
}

void toolbox_close(struct toolbox *t) {
    end_servers(t);
    sources_close(t->sources);
    hub_free(t->hub);
    selecting_free(t->selecting);
    authority_close(&t->authority, &t->cli->log);
    client_free(t->http);
    if (t->loop) loop_free(t->loop);
    arena_fini(&t->memory);
}
