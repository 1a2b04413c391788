/* SPDX-License-Identifier: MIT
 *
 * HTTP+SSE, the transport of 2024-11-05: one stream brings everything the
 * server says; its first event names the URL that our messages are posted to,
 * which must be of the same origin.
 */
#include <string.h>

#include "base/mem.h"
#include "io/sse.h"
#include "io/url.h"
#include "mcp/auth.h"
#include "mcp/client_conn.h"

enum {
    HEADERS_MOST = 256,
    HEADER_MEMORY = 1 << 20,
    URL_MAX = 8192,
    AUTH_TRIES = 3,
};
#define STREAM_IDLE (3600 * CONN_SECOND)
#define POST_WAIT   (60 * CONN_SECOND)

/* What is asked for with a token, and again with a better one. */
struct signed_ask {
    struct mcp_auth_waiter waiter;
    uint64_t generation; /* of the token that was sent */
    unsigned tries;
};

/* A message on its way, or waiting for the URL or for a token. */
struct letter {
    struct sse_link *owner;
    struct letter *next, **link;
    struct buf text;
    struct request *request; /* NULL: waiting */
    struct signed_ask ask;
};

struct sse_link {
    struct conn_link link;
    struct mcp_client *client;
    struct request *stream;
    unsigned status;
    struct sse sse;
    struct buf endpoint;    /* empty: not known yet */
    struct letter *letters; /* newest first */
    struct signed_ask ask;  /* for the stream */
};

static struct sse_link *self(struct conn_link *l) {
    return (struct sse_link *)l;
}

/* -- headers -----------------------------------------------------------------
 */

struct headers {
    struct http_header list[HEADERS_MOST + 4];
    struct buf token, proof;
    size_t count;
};

static int headers_fill(struct sse_link *s, const char *method, const char *url,
                        struct headers *h, uint64_t *generation,
                        struct err *e) {
    const struct mcp_client_config *config = &s->client->config;
    bool get = strcmp(method, "GET") == 0;
    h->list[h->count++] =
        get ? (struct http_header){"Accept", "text/event-stream"}
            : (struct http_header){"Content-Type", "application/json"};
    for (size_t i = 0; config->headers[i].name && i < HEADERS_MOST; i++)
        h->list[h->count++] = config->headers[i];
    if (config->auth && mcp_auth_sign(config->auth, method, url, &h->token,
                                      &h->proof, generation, e))
        return -1;
    if (h->token.len)
        h->list[h->count++] =
            (struct http_header){"Authorization", buf_text(&h->token)};
    if (h->proof.len)
        h->list[h->count++] = (struct http_header){"DPoP", buf_text(&h->proof)};
    return 0;
}

static struct request *ask(struct sse_link *s, struct signed_ask *sign,
                           struct request_spec *spec, struct err *e) {
    const struct mcp_client_config *config = &s->client->config;
    struct headers h = {.token = BUF_MAX(HEADER_MEMORY),
                        .proof = BUF_MAX(HEADER_MEMORY)};
    struct request *r = NULL;
    if (headers_fill(s, spec->method, spec->url, &h, &sign->generation, e) ==
        0) {
        spec->headers = h.list;
        spec->ca_file = config->ca_file;
        spec->guard = config->guard;
        r = client_start(config->http, spec, e);
    }
    buf_fini(&h.token);
    buf_fini(&h.proof);
    return r;
}

/* True when a token is being got for what was refused; done is told. */
static bool authorise(struct sse_link *s, struct signed_ask *sign,
                      struct request *r,
                      void (*done)(void *data, const struct err *e),
                      void *data) {
    struct mcp_auth *auth = s->client->config.auth;
    unsigned status = request_status(r);
    AUTO_BUF struct buf headers = BUF_MAX(HEADER_MEMORY);
    struct err e;
    if (!auth || (status != 401 && status != 403)) return false;
    mcp_auth_nonce(auth, request_header(r, "dpop-nonce"));
    if (sign->tries++ == AUTH_TRIES ||
        request_header_all(r, "www-authenticate", &headers, &e))
        return false;
    const struct mcp_challenge challenge = {.status = status,
                                            .authenticate = buf_str(&headers),
                                            .generation = sign->generation};
    sign->waiter = (struct mcp_auth_waiter){.done = done, .data = data};
    return mcp_auth_want(auth, &challenge, &sign->waiter);
}

/* -- posting -----------------------------------------------------------------
 */

static int post(struct letter *m, struct err *e);

static void letter_free(struct letter *m) {
    if (m->request) request_cancel(m->request);
    if (m->ask.waiter.link) mcp_auth_unwait(&m->ask.waiter);
    *m->link = m->next;
    if (m->next) m->next->link = m->link;
    buf_fini(&m->text);
    mem_free(m);
}

static void on_may_post(void *data, const struct err *e) {
    struct letter *m = data;
    struct err why;
    if (!e && post(m, &why) == 0) return;
    conn_log(m->owner->client, LOG_WARN, "a message was lost: %s",
             e ? e->text : why.text);
    letter_free(m);
}

static void on_posted(void *data, struct request *r, const struct err *e) {
    struct letter *m = data;
    struct mcp_client *c = m->owner->client;
    unsigned status = request_status(r);
    m->request = NULL;
    if (!e && authorise(m->owner, &m->ask, r, on_may_post, m)) return;
    if (e)
        conn_log(c, LOG_WARN, "a message was lost: %s", e->text);
    else if (status >= 400)
        conn_log(c, LOG_WARN, "a message was refused with HTTP %u", status);
    letter_free(m);
}

static const struct request_events post_events = {.done = on_posted};

static int post(struct letter *m, struct err *e) {
    struct request_spec spec = {.method = "POST",
                                .url = buf_text(&m->owner->endpoint),
                                .body = buf_str(&m->text),
                                .timeout_ns = POST_WAIT,
                                .events = &post_events,
                                .data = m};
    m->request = ask(m->owner, &m->ask, &spec, e);
    return m->request ? 0 : -1;
}

static int sse_send(struct conn_link *l, struct mcp_call *call, str message,
                    struct err *e) {
    struct sse_link *s = self(l);
    (void)call;
    struct letter *m = mem_zalloc(1, sizeof *m, e);
    if (!m) return -1;
    *m = (struct letter){.owner = s,
                         .next = s->letters,
                         .link = &s->letters,
                         .text = BUF_MAX(message.n)};
    if (m->next) m->next->link = &m->next;
    s->letters = m;
    if (buf_add_str(&m->text, message, e) == 0 &&
        (!s->endpoint.len || post(m, e) == 0))
        return 0;
    letter_free(m);
    return -1;
}

/* Those that waited, oldest first. */
static int post_waiting(struct sse_link *s, struct err *e) {
    for (;;) {
        struct letter *oldest = NULL;
        for (struct letter *m = s->letters; m; m = m->next)
            if (!m->request && !m->ask.waiter.link) oldest = m;
        if (!oldest) return 0;
        if (post(oldest, e)) return -1;
    }
}

/* -- the stream --------------------------------------------------------------
 */

static int take_endpoint(struct sse_link *s, str where, struct err *e) {
    struct mcp_client *c = s->client;
    struct url ours, theirs;
    AUTO_BUF struct buf url = BUF_MAX(URL_MAX);
    if (url_resolve(str_of(c->config.url), where, &url, e) ||
        url_parse(str_of(c->config.url), &ours, e) ||
        url_parse(buf_str(&url), &theirs, e))
        return -1;
    if (!url_same_origin(&ours, &theirs))
        return fail(e, ERR_DENIED, "the server sends us elsewhere: %s",
                    buf_text(&url));
    buf_truncate(&s->endpoint, 0);
    if (buf_add_str(&s->endpoint, buf_str(&url), e)) return -1;
    return post_waiting(s, e);
}

static int on_event(void *data, const struct sse_event *ev, struct err *e) {
    struct sse_link *s = data;
    if (str_is(ev->type, "endpoint")) return take_endpoint(s, ev->data, e);
    if (str_is(ev->type, "message")) (void)conn_take(s->client, NULL, ev->data);
    return s->client->dead ? fail(e, ERR_PEER, "over") : 0;
}

static void on_headers(void *data, struct request *r, unsigned status) {
    (void)r;
    ((struct sse_link *)data)->status = status;
}

static int on_body(void *data, struct request *r, str piece) {
    struct sse_link *s = data;
    struct err e;
    (void)r;
    if (s->status != 200) return 0;
    if (sse_feed(&s->sse, piece, on_event, s, &e) == 0) return 0;
    if (!s->client->dead) conn_lost(s->client, &e);
    return -1;
}

static int open_stream(struct sse_link *s, struct err *e);

static void on_may_listen(void *data, const struct err *e) {
    struct sse_link *s = data;
    struct err why;
    if (!e && open_stream(s, &why) == 0) return;
    if (e) err_set(&why, ERR_DENIED, "%s", e->text);
    conn_lost(s->client, &why);
}

static void on_done(void *data, struct request *r, const struct err *e) {
    struct sse_link *s = data;
    struct mcp_client *c = s->client;
    struct err why;
    s->stream = NULL;
    if (c->dead) return;
    if (!e && authorise(s, &s->ask, r, on_may_listen, s)) return;
    if (e)
        why = *e;
    else if (s->status != 200)
        err_set(&why, ERR_PEER, "the server answers with HTTP %u", s->status);
    else
        err_set(&why, ERR_PEER, "the server ended its stream");
    conn_lost(c, &why);
}

static const struct request_events stream_events = {
    .headers = on_headers, .body = on_body, .done = on_done};

static int open_stream(struct sse_link *s, struct err *e) {
    struct request_spec spec = {.method = "GET",
                                .url = s->client->config.url,
                                .timeout_ns = -1,
                                .idle_ns = STREAM_IDLE,
                                .events = &stream_events,
                                .data = s};
    s->stream = ask(s, &s->ask, &spec, e);
    return s->stream ? 0 : -1;
}

/* -- what the client asks of a link ------------------------------------------
 */

static void sse_drop(struct conn_link *l, struct mcp_call *call, bool tell,
                     const char *reason) {
    struct sse_link *s = self(l);
    struct err e;
    if (!tell || call->handshake || !call->id || !s->stream) return;
    AUTO_BUF struct buf text = BUF_MAX(s->client->config.message_max);
    if (call_write_cancelled(call, reason, &text, &e) == 0)
        (void)sse_send(l, NULL, buf_str(&text), &e);
}

static void sse_ready(struct conn_link *l) {
    (void)l;
}

static void sse_close(struct conn_link *l) {
    conn_closed(self(l)->client);
}

static void sse_free(struct conn_link *l) {
    struct sse_link *s = self(l);
    while (s->letters)
        letter_free(s->letters);
    if (s->stream) request_cancel(s->stream);
    if (s->ask.waiter.link) mcp_auth_unwait(&s->ask.waiter);
    sse_fini(&s->sse);
    buf_fini(&s->endpoint);
    mem_free(s);
}

struct conn_link *transport_sse(struct mcp_client *c, struct err *e) {
    struct sse_link *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->link =
        (struct conn_link){sse_send, sse_drop, sse_ready, sse_close, sse_free};
    s->client = c;
    s->endpoint = BUF_MAX(URL_MAX);
    sse_init(&s->sse, c->config.message_max);
    if (open_stream(s, e) == 0) return &s->link;
    sse_free(&s->link);
    return NULL;
}
