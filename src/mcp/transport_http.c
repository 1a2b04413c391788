/* SPDX-License-Identifier: MIT
 *
 * The server at a URL: Streamable HTTP, in both eras.
 *
 * Each message is a POST; a call's answer comes as its body, as JSON or as an
 * event stream. The legacy era adds a session, a stream for what belongs to no
 * call, and resumption of streams that broke. In the modern era a request that
 * is given up is cut, which tells the server.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "io/sse.h"
#include "mcp/auth.h"
#include "mcp/client_conn.h"

enum {
    HEADERS_MOST = 256,
    HEADER_MEMORY = 1 << 20,
    SESSION_MAX = 1024,
    AUTH_TRIES = 3,
    CHALLENGES_MAX = 64 << 10,
    RESUME_TRIES = 8, /* in a row without an event */
};
#define RETRY_DEFAULT (1000 * CONN_MS)
#define STREAM_IDLE   (3600 * CONN_SECOND)
#define CLOSE_WAIT    (2 * CONN_SECOND)

enum post_kind {
    POST_MESSAGE, /* a call, a notification, an answer */
    POST_RESUME,  /* GET: the rest of a call's stream */
    POST_STREAM,  /* GET: what belongs to no call */
    POST_DELETE,  /* of the session */
};

struct http_link {
    struct conn_link link;
    struct mcp_client *client;
    struct post *posts;
    char session[SESSION_MAX]; /* "": none */
    unsigned sessions;         /* how many there were */
    bool closing;
};

/* One HTTP request, or several in a row for the same purpose. */
struct post {
    struct http_link *http;
    struct post *next, **link;
    enum post_kind kind;
    struct mcp_call *call; /* NULL: none, or given up */
    struct buf message;
    struct request *request; /* under way, or NULL */
    unsigned status;
    bool is_events;
    struct sse sse;
    struct buf body;
    struct io_timer again; /* resumes */
    unsigned resumed;      /* tries without an event */
    bool inside;           /* in one of its own events */
    bool over;             /* nobody wants the rest */
    bool waits_session;    /* to be sent when there is a new session */
    bool renewed;          /* was sent again for a new session */
    bool had_session;      /* the request carried a session id */
    unsigned session;      /* which one */
    struct mcp_auth_waiter waiter;
    unsigned auth_tries;
    uint64_t generation; /* of the token it was sent with */
};

static void post_send(struct post *p);
static void post_end(struct post *p);
static void open_stream(struct http_link *h);

static struct http_link *self(struct conn_link *l) {
    return (struct http_link *)l;
}

/* -- headers -----------------------------------------------------------------
 */

struct headers {
    struct arena arena;
    struct http_header list[HEADERS_MOST + 1];
    size_t count;
};

static int put(struct headers *h, const char *name, str value, struct err *e) {
    if (h->count == HEADERS_MOST) return fail(e, ERR_LIMIT, "too many headers");
    char *text = arena_text(&h->arena, value, e);
    if (!text) return -1;
    h->list[h->count++] = (struct http_header){name, text};
    return 0;
}

static int put_encoded(void *data, const char *name, str value, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(HEADER_MEMORY);
    return params_encode(value, &text, e) ? -1
                                          : put(data, name, buf_str(&text), e);
}

static int put_modern(struct headers *h, struct post *p, struct err *e) {
    struct mcp_call *call = p->call;
    if (!call) return 0;
    const char *method = call->task ? call->task_method : call->method;
    str name = call_name(call);
    if (put(h, "Mcp-Method", str_of(method), e)) return -1;
    if (name.p && put_encoded(h, "Mcp-Name", name, e)) return -1;
    return params_each(call, put_encoded, h, e);
}

/* The revision is told from initialize on, and by modern requests always. */
static int put_version(struct headers *h, struct post *p, struct err *e) {
    struct mcp_client *c = p->http->client;
    enum mcp_revision r = c->revision;
    bool modern = p->call ? p->call->era == MCP_MODERN : c->era == MCP_MODERN;
    if (modern && c->era != MCP_MODERN) r = MCP_NEWEST;
    if (p->call && p->call->handshake && !modern) return 0;
    if (!modern && r < MCP_2025_06_18) return 0;
    if (put(h, "MCP-Protocol-Version", str_of(mcp_revision_date(r)), e))
        return -1;
    return modern ? put_modern(h, p, e) : 0;
}

static int put_session(struct headers *h, struct post *p, struct err *e) {
    struct mcp_client *c = p->http->client;
    p->had_session = p->http->session[0] && c->era == MCP_LEGACY &&
                     !(p->call && p->call->handshake);
    p->session = p->http->sessions;
    if (p->had_session && put(h, "Mcp-Session-Id", str_of(p->http->session), e))
        return -1;
    bool get = p->kind == POST_RESUME || p->kind == POST_STREAM;
    if (get && p->sse.id.len)
        return put(h, "Last-Event-ID", buf_str(&p->sse.id), e);
    return 0;
}

static int put_token(struct headers *h, struct post *p, const char *method,
                     struct err *e) {
    struct mcp_client *c = p->http->client;
    AUTO_BUF struct buf token = BUF_MAX(HEADER_MEMORY);
    AUTO_BUF struct buf proof = BUF_MAX(HEADER_MEMORY);
    if (!c->config.auth) return 0;
    if (mcp_auth_sign(c->config.auth, method, c->config.url, &token, &proof,
                      &p->generation, e))
        return -1;
    if (token.len && put(h, "Authorization", buf_str(&token), e)) return -1;
    return proof.len ? put(h, "DPoP", buf_str(&proof), e) : 0;
}

static int put_all(struct headers *h, struct post *p, const char *method,
                   struct err *e) {
    const struct http_header *more = p->http->client->config.headers;
    bool get = p->kind == POST_RESUME || p->kind == POST_STREAM;
    str accept = get ? STR("text/event-stream")
                     : STR("application/json, text/event-stream");
    if (put(h, "Accept", accept, e)) return -1;
    if (p->kind == POST_MESSAGE &&
        put(h, "Content-Type", STR("application/json"), e))
        return -1;
    for (; more->name; more++)
        if (put(h, more->name, str_of(more->value), e)) return -1;
    if (put_version(h, p, e) || put_session(h, p, e)) return -1;
    return put_token(h, p, method, e);
}

/* -- the answer --------------------------------------------------------------
 */

static void fail_post(struct post *p, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void fail_post(struct post *p, enum err_kind kind, const char *fmt,
                      ...) {
    struct err e = {.kind = kind};
    struct mcp_call *call = p->call;
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(e.text, sizeof e.text, fmt, ap);
    va_end(ap);
    if (!call) {
        conn_log(p->http->client, LOG_WARN, "%s", e.text);
        return;
    }
    call->status = p->status;
    call_fail(call, &e);
}

static int on_event(void *data, const struct sse_event *ev, struct err *e) {
    struct post *p = data;
    p->resumed = 0;
    if (!str_is(ev->type, "message")) return 0;
    (void)conn_take(p->http->client, p->call, ev->data);
    return p->over || p->http->client->dead ? fail(e, ERR_PEER, "over") : 0;
}

static void set_session(struct http_link *h, str id) {
    (void)snprintf(h->session, SESSION_MAX, "%.*s", STR_ARG(id));
    h->sessions++;
}

static void on_headers(void *data, struct request *r, unsigned status) {
    struct post *p = data;
    struct mcp_client *c = p->http->client;
    str type = request_header(r, "content-type");
    str session = request_header(r, "mcp-session-id");
    p->status = status;
    p->is_events = status == 200 && str_starts(type, STR("text/event-stream"));
    if (c->config.auth)
        mcp_auth_nonce(c->config.auth, request_header(r, "dpop-nonce"));
    if (p->call && p->call->handshake && p->call->era == MCP_LEGACY &&
        session.n && session.n < SESSION_MAX && status == 200)
        set_session(p->http, session);
}

static int on_body(void *data, struct request *r, str piece) {
    struct post *p = data;
    struct err e;
    (void)r;
    if (p->over) return -1;
    p->inside = true;
    int result = p->is_events ? sse_feed(&p->sse, piece, on_event, p, &e)
                              : buf_add_str(&p->body, piece, &e);
    p->inside = false;
    if (result && !p->over) fail_post(p, e.kind, "answer: %s", e.text);
    return result;
}

/* -- resuming ----------------------------------------------------------------
 */

static void on_again(struct io_timer *t) {
    post_send(t->data);
}

/* A call's stream is asked for a few times, exactly as often as the server
 * wants; the other one for ever, at growing distances. */
static bool come_back(struct post *p) {
    struct http_link *h = p->http;
    struct err e;
    bool forever = p->kind == POST_STREAM;
    if (h->closing || (p->resumed >= RESUME_TRIES && !forever)) return false;
    int64_t ns =
        p->sse.retry_ms >= 0 ? p->sse.retry_ms * CONN_MS : RETRY_DEFAULT;
    if (forever) ns <<= p->resumed < RESUME_TRIES ? p->resumed : RESUME_TRIES;
    p->resumed++;
    sse_restart(&p->sse);
    return loop_timer(h->client->loop, &p->again, ns, &e) == 0;
}

/* A call's stream ended without its answer. In the legacy era that is no end,
 * as long as the events had ids. */
static bool resume(struct post *p) {
    if (!p->call || !p->sse.id.len || p->call->era != MCP_LEGACY) return false;
    p->kind = POST_RESUME;
    return come_back(p);
}

/* -- sessions ----------------------------------------------------------------
 */

/* The request was not looked at, so sending it once more is safe. Several may
 * find out that a session is gone; the first of them has it replaced. */
static bool renew(struct post *p) {
    struct http_link *h = p->http;
    if (p->status != 404 || !p->had_session || p->renewed || h->closing)
        return false;
    if (p->kind != POST_MESSAGE) return false;
    p->renewed = true;
    if (h->client->state == CONN_READY && p->session != h->sessions) {
        post_send(p);
        return true;
    }
    p->waits_session = true;
    if (p->session == h->sessions) h->session[0] = '\0';
    conn_renew(h->client);
    return true;
}

/* -- authorisation -----------------------------------------------------------
 */

static void on_authorised(void *data, const struct err *e) {
    struct post *p = data;
    struct mcp_client *c = p->http->client;
    if (p->call) call_pause(p->call, false);
    if (!e) {
        post_send(p);
        return;
    }
    conn_enter(c);
    fail_post(p, ERR_DENIED, "%s", e->text);
    conn_leave(c);
    post_end(p);
}

static bool authorise(struct post *p, struct request *r) {
    struct mcp_client *c = p->http->client;
    if ((p->status != 401 && p->status != 403) || !c->config.auth) return false;
    AUTO_BUF struct buf headers = BUF_MAX(CHALLENGES_MAX);
    struct err e;
    if (p->auth_tries++ == AUTH_TRIES) return false;
    if (request_header_all(r, "www-authenticate", &headers, &e)) return false;
    const struct mcp_challenge challenge = {
        .status = p->status,
        .authenticate = buf_str(&headers),
        .generation = p->generation,
    };
    p->waiter = (struct mcp_auth_waiter){.done = on_authorised, .data = p};
    if (!mcp_auth_want(c->config.auth, &challenge, &p->waiter)) return false;
    if (p->call) call_pause(p->call, true); /* a person may have to log in */
    return true;
}

/* -- the end of a request ----------------------------------------------------
 */

static void take_body(struct post *p) {
    struct mcp_client *c = p->http->client;
    struct mcp_call *call = p->call;
    if (call) call->status = p->status;
    bool json = p->body.len > 0 && conn_take(c, call, buf_str(&p->body));
    if (c->dead || !p->call) return; /* answered */
    if (p->status == 401 || p->status == 403)
        fail_post(p, ERR_DENIED, "the server refuses us (HTTP %u)", p->status);
    else if (p->status >= 300)
        fail_post(p, ERR_PEER, "the server answers with HTTP %u", p->status);
    else
        fail_post(p, ERR_PEER, "the server's answer holds no result%s",
                  json ? "" : " (not JSON)");
}

/* Without a call only a refusal is worth a word. */
static void take_ack(struct post *p) {
    if (p->status >= 400 && p->kind == POST_MESSAGE)
        conn_log(p->http->client, LOG_WARN,
                 "a message was refused with HTTP %u", p->status);
}

static void stream_ended(struct post *p, const struct err *e) {
    if (p->is_events && resume(p)) return;
    if (p->call)
        fail_post(p, e ? e->kind : ERR_PEER, "%s",
                  e ? e->text : "the stream ended before the answer");
    post_end(p);
}

static void get_ended(struct post *p) {
    bool refused = p->status >= 400 && p->status < 500;
    bool wanted = p->kind == POST_STREAM || p->call;
    if (wanted && !refused && come_back(p)) return;
    if (p->kind == POST_RESUME && p->call)
        fail_post(p, ERR_PEER, "the stream could not be resumed");
    post_end(p);
}

static void finish(struct post *p, struct request *r, const struct err *e) {
    struct mcp_client *c = p->http->client;
    if (p->over || p->kind == POST_DELETE) {
        bool deleted = p->kind == POST_DELETE;
        post_end(p);
        if (deleted) conn_closed(c);
    } else if (renew(p) || (!e && authorise(p, r))) {
        return;
    } else if (p->kind != POST_MESSAGE) {
        get_ended(p);
    } else if (e || p->is_events) {
        stream_ended(p, e);
    } else {
        if (p->call)
            take_body(p);
        else
            take_ack(p);
        post_end(p);
    }
}

static void on_done(void *data, struct request *r, const struct err *e) {
    struct post *p = data;
    struct mcp_client *c = p->http->client;
    p->request = NULL;
    if (c->dead) return;
    conn_enter(c);
    finish(p, r, e);
    conn_leave(c);
}

static const struct request_events post_events = {
    .headers = on_headers, .body = on_body, .done = on_done};

/* -- a request's life --------------------------------------------------------
 */

static struct post *post_new(struct http_link *h, enum post_kind kind,
                             struct mcp_call *call, str message,
                             struct err *e) {
    struct mcp_client *c = h->client;
    struct post *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    *p = (struct post){.http = h,
                       .next = h->posts,
                       .link = &h->posts,
                       .kind = kind,
                       .call = call,
                       .message = BUF_MAX(message.n),
                       .body = BUF_MAX(c->config.message_max),
                       .again = {.fn = on_again, .data = p}};
    sse_init(&p->sse, c->config.message_max);
    if (p->next) p->next->link = &p->next;
    h->posts = p;
    if (buf_add_str(&p->message, message, e)) {
        post_end(p);
        return NULL;
    }
    if (call) call->wire = p;
    return p;
}

static void post_end(struct post *p) {
    if (p->call) p->call->wire = NULL;
    if (p->request) request_cancel(p->request);
    if (p->waiter.link) mcp_auth_unwait(&p->waiter);
    loop_timer_stop(&p->again);
    *p->link = p->next;
    if (p->next) p->next->link = p->link;
    sse_fini(&p->sse);
    buf_fini(&p->message);
    buf_fini(&p->body);
    mem_free(p);
}

static int start_request(struct post *p, struct err *e) {
    static const char *const methods[] = {[POST_MESSAGE] = "POST",
                                          [POST_RESUME] = "GET",
                                          [POST_STREAM] = "GET",
                                          [POST_DELETE] = "DELETE"};
    struct mcp_client *c = p->http->client;
    struct headers h = {.arena = ARENA_MAX(HEADER_MEMORY)};
    bool brief = p->kind == POST_DELETE;
    int result = put_all(&h, p, methods[p->kind], e);
    const struct request_spec spec = {
        .method = methods[p->kind],
        .url = c->config.url,
        .headers = h.list,
        .body = p->kind == POST_MESSAGE ? buf_str(&p->message) : (str){NULL, 0},
        .timeout_ns = brief ? CLOSE_WAIT : -1, /* calls have their own */
        .idle_ns = STREAM_IDLE,
        .ca_file = c->config.ca_file,
        .guard = c->config.guard,
        .events = &post_events,
        .data = p,
    };
    buf_truncate(&p->body, 0);
    p->is_events = false;
    p->status = 0;
    if (result == 0) {
        p->request = client_start(c->config.http, &spec, e);
        result = p->request ? 0 : -1;
    }
    arena_fini(&h.arena);
    return result;
}

static void post_send(struct post *p) {
    struct mcp_client *c = p->http->client;
    struct err e;
    if (start_request(p, &e) == 0) return;
    conn_enter(c);
    fail_post(p, e.kind, "%s", e.text);
    conn_leave(c);
    post_end(p);
}

/* -- what the client asks of a link ------------------------------------------
 */

static int http_send(struct conn_link *l, struct mcp_call *call, str message,
                     struct err *e) {
    struct http_link *h = self(l);
    if (call && call->wire) { /* an earlier message of the same call */
        struct post *old = call->wire;
        old->call = NULL;
        call->wire = NULL;
    }
    struct post *p = post_new(h, POST_MESSAGE, call, message, e);
    if (!p) return -1;
    /* Between two sessions only the handshake may pass. */
    bool handshake = call && call->handshake;
    if (h->client->state == CONN_STARTING && !handshake && call) {
        p->waits_session = true;
        return 0;
    }
    if (start_request(p, e) == 0) return 0;
    post_end(p);
    return -1;
}

/* No request is under way; something else will start the next. */
static bool is_waiting(const struct post *p) {
    return p->again.place || p->waits_session || p->waiter.link;
}

/* A call that ended by its answer leaves the request to end by itself, so that
 * the connection can be used again. */
static void http_drop(struct conn_link *l, struct mcp_call *call, bool tell,
                      const char *reason) {
    struct http_link *h = self(l);
    struct post *p = call->wire;
    struct err e;
    if (tell && call->era == MCP_LEGACY && !call->handshake && call->id) {
        AUTO_BUF struct buf text = BUF_MAX(h->client->config.message_max);
        if (call_write_cancelled(call, reason, &text, &e) == 0)
            (void)http_send(l, NULL, buf_str(&text), &e);
    }
    call->wire = NULL;
    if (!p) return;
    p->call = NULL;
    if (is_waiting(p) || (tell && p->request && !p->inside))
        post_end(p);
    else if (tell)
        p->over = true;
}

static struct post *next_waiting(struct http_link *h) {
    struct post *p = h->posts;
    while (p && !p->waits_session)
        p = p->next;
    return p;
}

static void http_ready(struct conn_link *l) {
    struct http_link *h = self(l);
    for (struct post *p; !h->client->dead && (p = next_waiting(h));) {
        p->waits_session = false;
        post_send(p);
    }
    if (h->client->era == MCP_LEGACY && !h->client->dead) open_stream(h);
}

/* What belongs to no call; a server without such a stream says 405. */
static void open_stream(struct http_link *h) {
    struct err e;
    for (struct post *old = h->posts; old; old = old->next) {
        if (old->kind != POST_STREAM) continue;
        if (old->session == h->sessions) return;
        post_end(old); /* of an earlier session */
        break;
    }
    struct post *p = post_new(h, POST_STREAM, NULL, STR(""), &e);
    if (p) post_send(p);
}

static void http_close(struct conn_link *l) {
    struct http_link *h = self(l);
    struct err e;
    h->closing = true;
    struct post *p = h->session[0] && h->client->era == MCP_LEGACY
                         ? post_new(h, POST_DELETE, NULL, STR(""), &e)
                         : NULL;
    if (p && start_request(p, &e) == 0) return;
    if (p) post_end(p);
    conn_closed(h->client);
}

static void http_free(struct conn_link *l) {
    struct http_link *h = self(l);
    while (h->posts)
        post_end(h->posts);
    mem_free(h);
}

struct conn_link *transport_http(struct mcp_client *c, struct err *e) {
    struct http_link *h = mem_zalloc(1, sizeof *h, e);
    if (!h) return NULL;
    h->link = (struct conn_link){http_send, http_drop, http_ready, http_close,
                                 http_free};
    h->client = c;
    return &h->link;
}
