/* SPDX-License-Identifier: MIT
 *
 * Calls to a server that is kept running, and its questions in between.
 */
#include "base/mem.h"
#include "call/downstream_link.h"
#include "mcp/rpc.h"
#include "json/build.h"

#define MEMORY_MAX ((size_t)512 << 20)

static void call_free(struct downstream_call *c) {
    struct downstream *d = c->d;
    *c->link = c->next;
    if (c->next) c->next->link = c->link;
    d->call_count--;
    arena_fini(&c->memory);
    mem_free(c);
}

static void call_end(struct downstream_call *c, const struct mcp_reply *reply) {
    struct downstream *d = c->d;
    c->spec.done(c->spec.data, reply);
    call_free(c);
    downstream_maybe_close(d);
}

static void on_done(void *data, const struct mcp_reply *reply) {
    struct downstream_call *c = data;
    c->call = NULL;
    call_end(c, reply);
}

static void on_progress(void *data, const struct json *params) {
    struct downstream_call *c = data;
    if (c->spec.progress) c->spec.progress(c->spec.data, params);
}

static int send_call(struct downstream_call *c, struct err *e) {
    const struct mcp_call_spec spec = {.method = c->spec.method,
                                       .params = c->spec.params,
                                       .timeout_ns = c->spec.timeout_ns,
                                       .max_ns = c->spec.max_ns,
                                       .log_level = "info",
                                       .done = on_done,
                                       .progress = on_progress,
                                       .data = c};
    c->call = mcp_call(c->d->client, &spec, e);
    return c->call ? 0 : -1;
}

/* -- making ------------------------------------------------------------------
 */

/* A call that can be sent now needs no copy: the client makes its own. */
static int keep_spec(struct downstream_call *c, struct err *e) {
    struct json_build b = JSON_BUILD(&c->memory);
    c->spec.method = arena_text(&c->memory, str_of(c->spec.method), e);
    if (!c->spec.method) return -1;
    if (!c->spec.params) return 0;
    build_copy(&b, c->spec.params);
    return build_done(&b, &c->spec.params, e);
}

static int begin(struct downstream_call *c, struct err *e) {
    struct downstream *d = c->d;
    if (arena_dup(&c->memory, c->spec.owner, &c->spec.owner, e)) return -1;
    switch (d->state) {
    case DOWN_READY: return send_call(c, e);
    case DOWN_STARTING: return keep_spec(c, e);
    case DOWN_PAUSING:
    case DOWN_ENDED: break;
    }
    return fail(e, ERR_PEER, "the server %s is down: %s", d->config.name,
                d->fault[0] ? d->fault : "it was removed");
}

struct downstream_call *downstream_call(struct downstream *d,
                                        const struct downstream_spec *spec,
                                        struct err *e) {
    if (d->call_count == DOWN_CALLS_MAX || d->retiring) {
        err_set(e, ERR_LIMIT,
                d->retiring ? "the server is being removed"
                            : "too many calls at once");
        return NULL;
    }
    struct downstream_call *c = mem_zalloc(1, sizeof *c, e);
    if (!c) return NULL;
    *c = (struct downstream_call){.d = d,
                                  .next = d->calls,
                                  .link = &d->calls,
                                  .memory = ARENA_MAX(MEMORY_MAX),
                                  .spec = *spec};
    if (c->next) c->next->link = &c->next;
    d->calls = c;
    d->call_count++;
    if (!begin(c, e)) return c;
    call_free(c);
    return NULL;
}

void downstream_cancel(struct downstream_call *c, const char *reason) {
    struct downstream *d = c->d;
    if (c->call) mcp_call_cancel(c->call, reason);
    call_free(c);
    downstream_maybe_close(d);
}

/* Oldest first, as they came. */
void calls_send(struct downstream *d) {
    for (;;) {
        struct downstream_call *oldest = NULL;
        for (struct downstream_call *c = d->calls; c; c = c->next)
            if (!c->call) oldest = c;
        struct err e;
        if (!oldest || d->state != DOWN_READY) return;
        if (send_call(oldest, &e))
            call_end(oldest, &(struct mcp_reply){.err = &e});
    }
}

static struct downstream_call *next_to_fail(const struct downstream *d) {
    struct downstream_call *c = d->calls;
    while (c && c->call && !d->retiring)
        c = c->next;
    return c;
}

/* Those under way were ended by the client before. The end of one call may end
 * others: the list is looked at anew each time. */
void calls_fail(struct downstream *d, const struct err *why) {
    struct err copy = *why;
    struct downstream_call *c;
    err_context(&copy, "%s", d->config.name);
    while ((c = next_to_fail(d))) {
        if (c->call) mcp_call_cancel(c->call, "the server is removed");
        c->call = NULL;
        call_end(c, &(struct mcp_reply){.err = &copy});
    }
}

/* -- questions and messages --------------------------------------------------
 */

/* The call that something of the server most likely belongs to: the newest, as
 * long as all that it could be have one owner. */
static struct downstream_call *likely(const struct downstream *d) {
    struct downstream_call *found = NULL;
    for (struct downstream_call *c = d->calls; c; c = c->next) {
        if (!c->call || !c->spec.asked) continue;
        if (found && !str_eq(found->spec.owner, c->spec.owner)) return NULL;
        if (!found) found = c;
    }
    return found;
}

static bool has_calls(const struct downstream *d) {
    for (const struct downstream_call *c = d->calls; c; c = c->next)
        if (c->call && c->spec.asked) return true;
    return false;
}

void calls_asked(struct downstream *d, struct mcp_ask *ask) {
    struct downstream_call *c = mcp_ask_call(ask);
    if (!c) c = likely(d);
    if (c && c->spec.asked)
        c->spec.asked(c->spec.data, ask);
    else if (!c && has_calls(d))
        mcp_ask_refuse(ask, RPC_INTERNAL, "it is not clear which call asks");
    else if (d->config.events->asked && !d->retiring)
        d->config.events->asked(d->config.data, d, ask);
    else
        mcp_ask_refuse(ask, RPC_NO_METHOD, "there is nobody to ask");
}

void calls_logged(struct downstream *d, const struct json *params) {
    struct downstream_call *c = likely(d);
    if (c && c->spec.logged)
        c->spec.logged(c->spec.data, params);
    else if (c && d->config.events->logged && !d->retiring)
        d->config.events->logged(d->config.data, d, c->spec.owner, params);
    else
        log_debug(d->config.log, "%s: %.*s", d->config.name,
                  STR_ARG(json_get_text(params, "data", STR("(a message)"))));
}
