/* SPDX-License-Identifier: MIT
 *
 * Who waits for a token, and the beginning and end of the search for one.
 */
#include "mcp/auth.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mcp/auth_flow.h"

enum { MEMORY_MAX = 4 << 20, NONCE_MAX = 4096 };

static void destroy(struct mcp_auth *a);

int flow_set(char **to, str text, struct err *e) {
    char *copy = NULL;
    if (text.p && !(copy = mem_dup(text.p, text.n, e))) return -1;
    if (*to) mem_wipe(*to, strlen(*to));
    mem_free(*to);
    *to = copy;
    return 0;
}

static void forget(char **text) {
    struct err e;
    (void)flow_set(text, (str){NULL, 0}, &e);
}

/* -- beginning and end -------------------------------------------------------
 */

static int copy_config(struct mcp_auth *a, struct err *e) {
    struct mcp_auth_config *c = &a->config;
    const char **texts[] = {&c->server,        &c->store,
                            &c->ca_file,       &c->client_id,
                            &c->client_secret, &c->client_key,
                            &c->client_url,    &c->client_name,
                            &c->scope,         &c->redirect_uri,
                            &c->id_token,      &c->idp_token_endpoint,
                            &c->idp_client_id, &c->idp_client_secret,
                            &c->assertion};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (*texts[i] &&
            !(*texts[i] = arena_text(&a->memory, str_of(*texts[i]), e)))
            return -1;
    return 0;
}

static int set_up(struct mcp_auth *a, struct err *e) {
    struct url u;
    if (copy_config(a, e)) return -1;
    if (url_parse(str_of(a->config.server), &u, e))
        return fail_while(e, "%s", a->config.server);
    a->local = url_is_local(&u);
    if (a->config.client_key) {
        a->client_key = jwt_key_read(str_of(a->config.client_key), e);
        if (!a->client_key) return -1;
    }
    return a->config.store ? flow_load(a, e) : 0;
}

static void free_later(struct io_task *t) {
    destroy(t->data);
}

static void start_later(struct io_task *t) {
    flow_begin(t->data);
}

static void tell(struct mcp_auth *a, const struct err *e);

static void renew_later(struct io_task *t) {
    tell(t->data, NULL);
}

struct mcp_auth *mcp_auth_new(struct loop *loop,
                              const struct mcp_auth_config *config,
                              struct err *e) {
    struct mcp_auth *a = mem_zalloc(1, sizeof *a, e);
    if (!a) return NULL;
    a->loop = loop;
    a->config = *config;
    a->memory = ARENA_MAX(MEMORY_MAX);
    a->flow = ARENA_MAX(FLOW_MEMORY);
    a->free_task = (struct io_task){.fn = free_later, .data = a};
    a->start_task = (struct io_task){.fn = start_later, .data = a};
    a->renew_task = (struct io_task){.fn = renew_later, .data = a};
    if (set_up(a, e)) {
        destroy(a);
        return NULL;
    }
    return a;
}

static void destroy(struct mcp_auth *a) {
    char **texts[] = {&a->token.issuer,    &a->token.access,
                      &a->token.refresh,   &a->token.scope,
                      &a->identity.issuer, &a->identity.id,
                      &a->identity.secret, &a->identity.redirect_uri,
                      &a->server_nonce,    &a->issuer_nonce};
    while (a->waiters)
        mcp_auth_unwait(a->waiters);
    if (a->request) request_cancel(a->request);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        forget(texts[i]);
    jwt_key_free(a->key);
    jwt_key_free(a->client_key);
    loop_unpost(a->loop, &a->free_task);
    loop_unpost(a->loop, &a->start_task);
    loop_unpost(a->loop, &a->renew_task);
    arena_fini(&a->flow);
    arena_fini(&a->memory);
    mem_free(a);
}

void mcp_auth_free(struct mcp_auth *a) {
    if (!a || a->dead) return;
    a->dead = true;
    if (a->depth)
        loop_post(a->loop, &a->free_task);
    else
        destroy(a);
}

/* -- waiting -----------------------------------------------------------------
 */

void mcp_auth_unwait(struct mcp_auth_waiter *w) {
    if (!w->link) return;
    *w->link = w->next;
    if (w->next) w->next->link = w->link;
    w->link = NULL;
}

static void wait_for(struct mcp_auth *a, struct mcp_auth_waiter *w) {
    w->link = &a->waiters;
    w->next = a->waiters;
    if (w->next) w->next->link = &w->next;
    a->waiters = w;
}

/* Those who come to wait meanwhile wait for the next one. */
static void tell(struct mcp_auth *a, const struct err *e) {
    struct mcp_auth_waiter *now = a->waiters;
    a->waiters = NULL;
    if (now) now->link = &now;
    a->depth++;
    while (now) {
        struct mcp_auth_waiter *w = now;
        mcp_auth_unwait(w);
        w->done(w->data, e);
    }
    a->depth--;
}

static void end_flow(struct mcp_auth *a, const struct err *e) {
    struct err copy;
    if (e) copy = *e;
    a->running = a->visiting = false;
    arena_fini(&a->flow);
    if (e && a->config.log)
        log_line(a->config.log, LOG_WARN, "mcp: authorisation: %s", e->text);
    tell(a, e ? &copy : NULL);
}

void flow_fail_err(struct mcp_auth *a, const struct err *e) {
    if (a->running) end_flow(a, e);
}

void flow_fail(struct mcp_auth *a, enum err_kind kind, const char *fmt, ...) {
    struct err e = {.kind = kind};
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(e.text, sizeof e.text, fmt, ap);
    va_end(ap);
    flow_fail_err(a, &e);
}

void flow_succeed(struct mcp_auth *a) {
    struct err e;
    a->generation++;
    if (a->config.store && flow_save(a, &e) && a->config.log)
        log_line(a->config.log, LOG_WARN, "mcp: tokens are not kept: %s",
                 e.text);
    end_flow(a, NULL);
}

static bool read_challenge(struct mcp_auth *a,
                           const struct mcp_challenge *challenge,
                           const struct flow_challenge *c) {
    struct err e;
    arena_fini(&a->flow);
    a->status = challenge->status;
    a->dpop_wanted = c->dpop;
    a->metadata_url = a->wanted_scope = NULL;
    if (c->resource_metadata.p &&
        !(a->metadata_url = arena_text(&a->flow, c->resource_metadata, &e)))
        return false;
    return !c->scope.p ||
           (a->wanted_scope = arena_text(&a->flow, c->scope, &e));
}

bool mcp_auth_want(struct mcp_auth *a, const struct mcp_challenge *challenge,
                   struct mcp_auth_waiter *w) {
    struct flow_challenge c = flow_read_challenge(challenge->authenticate);
    bool newer = challenge->generation != a->generation && a->token.access;
    bool nonce = c.error.p && str_is(c.error, "use_dpop_nonce");
    if (challenge->status == 403 &&
        !(c.error.p && str_is(c.error, "insufficient_scope")))
        return false;
    if (a->running) {
        wait_for(a, w);
        return true;
    }
    if ((newer || nonce) && a->token.access) {
        wait_for(a, w);
        loop_post(a->loop, &a->renew_task);
        return true;
    }
    if (!read_challenge(a, challenge, &c)) return false;
    a->running = true;
    wait_for(a, w);
    loop_post(a->loop, &a->start_task);
    return true;
}

void flow_begin(struct mcp_auth *a) {
    a->prm = NULL;
    a->resource = a->config.server;
    a->as = (struct flow_server){0};
    a->depth++;
    flow_discover(a);
    a->depth--;
}

/* -- using the token ---------------------------------------------------------
 */

void mcp_auth_nonce(struct mcp_auth *a, str nonce) {
    struct err e;
    if (nonce.n && nonce.n < NONCE_MAX)
        (void)flow_set(&a->server_nonce, nonce, &e);
}

int mcp_auth_sign(struct mcp_auth *a, const char *method, const char *url,
                  struct buf *authorization, struct buf *proof,
                  uint64_t *generation, struct err *e) {
    *generation = a->generation;
    if (!a->token.access) return 0;
    const char *scheme = a->token.dpop ? "DPoP" : "Bearer";
    if (buf_addf(authorization, e, "%s %s", scheme, a->token.access)) return -1;
    if (!a->token.dpop) return 0;
    return flow_proof(a, method, url, a->server_nonce, a->token.access, proof,
                      e);
}
