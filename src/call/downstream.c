/* SPDX-License-Identifier: MIT
 *
 * The life of a server: started, ready, failed, started again, retired.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "call/downstream_link.h"
#include "json/build.h"

#define MEMORY_MAX  ((size_t)8 << 20)
#define PAUSE_LEAST (500 * DOWN_MS)
#define PAUSE_MOST  (60 * DOWN_SECOND)
#define CALM        (10 * DOWN_SECOND)
#define PATIENCE    (30 * DOWN_SECOND)
#define END_WAIT    (6 * DOWN_SECOND)

static void start(struct downstream *d);

/* -- failing and starting again ----------------------------------------------
 */

void downstream_settle(struct downstream *d) {
    d->settled = true;
    if (!d->retiring && d->config.events->settled)
        d->config.events->settled(d->config.data, d);
}

static int64_t pause_for(unsigned failures) {
    int64_t ns = PAUSE_LEAST;
    for (unsigned i = 1; i < failures && ns < PAUSE_MOST; i++)
        ns *= 2;
    return ns < PAUSE_MOST ? ns : PAUSE_MOST;
}

/* From the loop: the client may not be freed inside its own callback. */
static void after_end(struct io_task *t) {
    struct downstream *d = t->data;
    struct err e;
    mcp_client_free(d->client);
    d->client = NULL;
    if (d->retiring) {
        d->state = DOWN_ENDED;
        loop_timer_stop(&d->timer);
        void (*gone)(void *) = d->gone;
        void *data = d->gone_data;
        if (gone) gone(data);
        return;
    }
    (void)loop_timer(d->loop, &d->timer, pause_for(d->failures), &e);
    downstream_settle(d);
}

static void failed(struct downstream *d, const struct err *why) {
    (void)snprintf(d->fault, sizeof d->fault, "%s", why->text);
    if (!d->retiring)
        log_warn(d->config.log, "%s: %s", d->config.name, why->text);
    d->state = DOWN_PAUSING;
    d->failures++;
    loop_timer_stop(&d->timer);
    calls_fail(d, why);
    loop_post(d->loop, &d->task);
}

/* -- what the client tells ---------------------------------------------------
 */

static void keep_instructions(struct downstream *d, struct mcp_client *c) {
    str text = mcp_client_instructions(c);
    struct err e;
    mem_free(d->instructions);
    d->instructions = text.p ? mem_dup(text.p, text.n, &e) : NULL;
}

static void on_level_set(void *data, const struct mcp_reply *reply) {
    (void)data;
    (void)reply; /* a server that cannot is no worse for it */
}

static void ask_for_logs(struct mcp_client *c) {
    const struct json *can = mcp_client_capabilities(c);
    AUTO_ARENA struct arena a = ARENA_MAX(4096);
    struct json_build b = JSON_BUILD(&a);
    struct err e;
    struct mcp_call_spec spec = {
        .method = "logging/setLevel", .raw = true, .done = on_level_set};
    if (mcp_client_era(c) != MCP_LEGACY || !json_get(can, "logging")) return;
    build_object(&b);
    build_put_text(&b, "level", STR("info"));
    build_end(&b);
    if (!build_done(&b, &spec.params, &e)) (void)mcp_call(c, &spec, &e);
}

static void on_ready(void *data, struct mcp_client *c) {
    struct downstream *d = data;
    struct err e;
    bool renewed = d->state == DOWN_READY;
    d->state = DOWN_READY;
    d->fault[0] = '\0';
    keep_instructions(d, c);
    ask_for_logs(c);
    if (!renewed) {
        loop_timer_stop(&d->timer);
        (void)loop_timer(d->loop, &d->timer, CALM, &e);
        lists_watch(d);
    }
    calls_send(d);
    lists_fetch(d);
}

static void on_closed(void *data, struct mcp_client *c, const struct err *e) {
    static const struct err closed = {ERR_PEER, "the connection was closed"};
    (void)c;
    failed(data, e ? e : &closed);
}

static bool is_list_change(str method, enum downstream_list *list) {
    if (str_is(method, "notifications/tools/list_changed"))
        *list = DOWN_TOOLS;
    else if (str_is(method, "notifications/prompts/list_changed"))
        *list = DOWN_PROMPTS;
    else if (str_is(method, "notifications/resources/list_changed"))
        *list = DOWN_RESOURCES;
    else
        return false;
    return true;
}

static void on_notified(void *data, struct mcp_client *c, str method,
                        const struct json *params) {
    struct downstream *d = data;
    enum downstream_list list;
    (void)c;
    if (is_list_change(method, &list)) {
        lists_changed(d, list);
        if (list == DOWN_RESOURCES) lists_changed(d, DOWN_TEMPLATES);
    } else if (str_is(method, "notifications/message")) {
        calls_logged(d, params);
    } else if (!d->retiring && d->config.events->notified) {
        d->config.events->notified(d->config.data, d, method, params);
    }
}

static void on_asked(void *data, struct mcp_client *c, struct mcp_ask *ask) {
    (void)c;
    calls_asked(data, ask);
}

static void on_said(void *data, struct mcp_client *c, str line) {
    (void)c;
    down_log_line(data, line);
}

static const struct mcp_client_events client_events = {
    .ready = on_ready,
    .closed = on_closed,
    .notified = on_notified,
    .asked = on_asked,
    .said = on_said,
};

/* -- starting ----------------------------------------------------------------
 */

static void start(struct downstream *d) {
    const struct downstream_config *from = &d->config;
    struct err e;
    const struct mcp_client_config config = {
        .command = from->command ? &d->command : NULL,
        .url = from->url,
        .http = from->http,
        .headers = from->headers,
        .ca_file = from->ca_file,
        .auth = from->auth,
        .name = "cordon",
        .version = "0.1.0",
        .can = from->can,
        .log = from->log,
        .connect_ns = from->start_ns,
        .call_ns = from->call_ns,
        .events = &client_events,
        .data = d};
    d->state = DOWN_STARTING;
    d->client_number++;
    int ready =
        from->events->starting ? from->events->starting(from->data, d, &e) : 0;
    d->client = ready == 0 ? mcp_client_new(d->loop, &config, &e) : NULL;
    if (!d->client) failed(d, &e);
}

/* One timer for all: the next start while it pauses, the end of a calm while
 * it is ready (its failures are then forgotten), the end of patience when it
 * retires. */
static void on_timer(struct io_timer *t) {
    struct downstream *d = t->data;
    if (d->retiring) {
        struct err why = {ERR_PEER, "the server was removed"};
        calls_fail(d, &why);
        if (d->state == DOWN_ENDED) return;
        loop_post(d->loop, &d->task);
    } else if (d->state == DOWN_READY) {
        d->failures = 0;
    } else if (d->state == DOWN_PAUSING) {
        start(d);
    }
}

static int copy_texts(struct downstream *d, const char *const **list,
                      struct err *e) {
    size_t n = 0;
    while ((*list)[n])
        n++;
    const char **copy = arena_zalloc(&d->memory, n + 1, sizeof *copy, e);
    if (!copy) return -1;
    for (size_t i = 0; i < n; i++)
        if (!(copy[i] = arena_text(&d->memory, str_of((*list)[i]), e)))
            return -1;
    *list = copy;
    return 0;
}

static int copy_text(struct downstream *d, const char **text, struct err *e) {
    if (!*text) return 0;
    *text = arena_text(&d->memory, str_of(*text), e);
    return *text ? 0 : -1;
}

static int copy_headers(struct downstream *d, struct err *e) {
    size_t n = 0;
    while (d->config.headers && d->config.headers[n].name)
        n++;
    struct http_header *copy = arena_zalloc(&d->memory, n + 1, sizeof *copy, e);
    if (!copy) return -1;
    for (size_t i = 0; i < n; i++) {
        copy[i] = d->config.headers[i];
        if (copy_text(d, &copy[i].name, e) || copy_text(d, &copy[i].value, e))
            return -1;
    }
    d->config.headers = copy;
    return 0;
}

static int copy_config(struct downstream *d, struct err *e) {
    struct json_build b = JSON_BUILD(&d->memory);
    if (copy_text(d, &d->config.name, e) || copy_text(d, &d->config.url, e) ||
        copy_text(d, &d->config.ca_file, e) || copy_headers(d, e))
        return -1;
    if (d->config.command) {
        d->command = *d->config.command;
        if (copy_texts(d, &d->command.argv, e) ||
            (d->command.env && copy_texts(d, &d->command.env, e)) ||
            copy_text(d, &d->command.cwd, e))
            return -1;
    }
    if (!d->config.can) return 0;
    build_copy(&b, d->config.can);
    return build_done(&b, &d->config.can, e);
}

struct downstream *downstream_new(struct loop *loop,
                                  const struct downstream_config *config,
                                  struct err *e) {
    struct downstream *d = mem_zalloc(1, sizeof *d, e);
    if (!d) return NULL;
    d->loop = loop;
    d->memory = ARENA_MAX(MEMORY_MAX);
    d->config = *config;
    d->watched = MAP_MAX(DOWN_WATCHED_MAX);
    d->log_fd = -1;
    d->timer = (struct io_timer){.fn = on_timer, .data = d};
    d->task = (struct io_task){.fn = after_end, .data = d};
    if (copy_config(d, e)) {
        downstream_free(d);
        return NULL;
    }
    start(d);
    return d;
}

/* -- ending ------------------------------------------------------------------
 */

void downstream_maybe_close(struct downstream *d) {
    struct err e;
    if (!d->retiring || d->calls || d->state == DOWN_ENDED) return;
    if (!d->client) {
        loop_post(d->loop, &d->task);
        return;
    }
    mcp_client_close(d->client);
    loop_timer_stop(&d->timer);
    (void)loop_timer(d->loop, &d->timer, END_WAIT, &e);
}

void downstream_retire(struct downstream *d, void (*gone)(void *data),
                       void *data) {
    struct err e;
    d->retiring = true;
    d->gone = gone;
    d->gone_data = data;
    loop_timer_stop(&d->timer);
    (void)loop_timer(d->loop, &d->timer, PATIENCE, &e);
    downstream_maybe_close(d);
}

void downstream_free(struct downstream *d) {
    if (!d) return;
    d->retiring = true;
    while (d->calls)
        downstream_cancel(d->calls, "the gateway ends");
    loop_timer_stop(&d->timer);
    loop_unpost(d->loop, &d->task);
    mcp_client_free(d->client);
    lists_fini(d);
    map_fini(&d->watched);
    fd_auto_close(&d->log_fd);
    mem_free(d->instructions);
    arena_fini(&d->memory);
    mem_free(d);
}

/* -- what is known -----------------------------------------------------------
 */

const char *downstream_name(const struct downstream *d) {
    return d->config.name;
}

enum downstream_state downstream_state(const struct downstream *d) {
    return d->state;
}

bool downstream_has_settled(const struct downstream *d) {
    return d->settled;
}

const char *downstream_fault(const struct downstream *d) {
    return d->fault;
}

struct mcp_client *downstream_client(const struct downstream *d) {
    return d->state == DOWN_READY ? d->client : NULL;
}

str downstream_instructions(const struct downstream *d) {
    return str_of(d->instructions);
}
