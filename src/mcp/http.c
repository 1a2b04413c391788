/* SPDX-License-Identifier: MIT
 *
 * Streamable HTTP: a POST a message, answered with JSON or with a stream of
 * events; sessions and a GET stream for legacy clients.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/num.h"
#include "io/server.h"
#include "mcp/serve.h"

enum { BACKLOG_MAX = 64 << 20 };
enum { GET_STREAM = 0 }; /* its number; those of requests follow */
#define PING_NS ((int64_t)15 * 1000000000)

/* One exchange that is being answered. */
struct peer {
    struct mcp_channel channel; /* first */
    struct mcp_server *server;
    struct exchange *x;
    struct mcp_request *request; /* NULL for a GET stream */
    const char *new_session;     /* id to tell with the answer */
    struct mcp_session *session; /* that keeps its events; NULL: none does */
    struct peer *next, **link;   /* in session->streams */
    uint64_t stream, last_event; /* numbers, for Last-Event-ID */
    bool streaming;
    struct io_timer ping; /* a client that is gone shows when we send */
};

static void forget_session(struct peer *p) {
    if (!p->session) return;
    if (p->session->stream == &p->channel) p->session->stream = NULL;
    *p->link = p->next;
    if (p->next) p->next->link = p->link;
    p->session = NULL;
}

static void peer_free(struct peer *p) {
    forget_session(p);
    loop_timer_stop(&p->ping);
    if (p->x) exchange_on_gone(p->x, NULL, NULL);
    mem_free(p);
}

bool http_is_open(const struct mcp_session *s) {
    for (const struct peer *p = s->streams; p; p = p->next)
        if (p->x) return true;
    return false;
}

void http_drop(struct mcp_session *s) {
    while (s->streams) {
        if (s->streams->request) s->streams->request->channel = NULL;
        peer_free(s->streams);
    }
}

/* Streams of requests go on without it; nobody else holds the others. */
void http_forget(struct mcp_session *s) {
    while (s->streams) {
        struct peer *p = s->streams;
        forget_session(p);
        if (p->request) continue;
        if (p->x) exchange_end(p->x);
        peer_free(p);
    }
}

/* -- sending ----------------------------------------------------------------
 */

static void on_ping(struct io_timer *t) {
    struct peer *p = t->data;
    struct err e;
    (void)exchange_send(p->x, STR(": ping\n\n"), &e);
    (void)loop_timer(p->server->loop, t, PING_NS, &e);
}

/* Streams of a session can be taken up again after a lost connection. */
static void make_resumable(struct peer *p, struct mcp_session *s,
                           uint64_t number) {
    p->session = s;
    p->stream = number;
    p->next = s->streams;
    p->link = &s->streams;
    if (p->next) p->next->link = &p->next;
    s->streams = p;
}

static int open_stream(struct peer *p, struct err *e) {
    const struct http_header headers[] = {
        {"Content-Type", "text/event-stream"},
        {"Cache-Control", "no-cache"},
        {"X-Accel-Buffering", "no"},
        {p->new_session ? "Mcp-Session-Id" : NULL, p->new_session},
        {NULL, NULL},
    };
    if (exchange_stream(p->x, 200, headers, BACKLOG_MAX, e)) return -1;
    p->streaming = true;
    p->ping = (struct io_timer){.fn = on_ping, .data = p};
    return loop_timer(p->server->loop, &p->ping, PING_NS, e);
}

/* The first event has an id and no data, so that a client can come back even
 * when it lost the stream before anything was said. */
static int start_stream(struct peer *p, struct err *e) {
    char first[64];
    if (open_stream(p, e)) return -1;
    if (!p->session || p->session->revision < MCP_2025_11_25) return 0;
    (void)snprintf(first, sizeof first,
                   "id: %" PRIu64 "-%" PRIu64 "\ndata: \n\n", p->stream,
                   p->last_event);
    return exchange_send(p->x, str_of(first), e);
}

static int start_answer(struct peer *p, struct err *e) {
    struct mcp_session *s = p->request ? p->request->session : NULL;
    if (s && !p->session) make_resumable(p, s, ++s->last_stream);
    return start_stream(p, e);
}

static int write_event(struct peer *p, str message, struct buf *out,
                       struct err *e) {
    if (p->session && buf_addf(out, e, "id: %" PRIu64 "-%" PRIu64 "\n",
                               p->stream, ++p->last_event))
        return -1;
    if (buf_add_text(out, "event: message\ndata: ", e) ||
        buf_add_str(out, message, e))
        return -1;
    return buf_add_text(out, "\n\n", e);
}

static int send_event(struct mcp_channel *c, str message, struct err *e) {
    struct peer *p = (struct peer *)c;
    AUTO_BUF struct buf event = BUF_MAX(MCP_MESSAGE_MAX + 128);
    if (p->x && !p->streaming && start_answer(p, e)) return -1;
    if (write_event(p, message, &event, e)) return -1;
    if (p->session)
        replay_keep(p->session, p->stream, p->last_event, buf_str(&event));
    return p->x ? exchange_send(p->x, buf_str(&event), e) : 0;
}

static void answer_json(struct peer *p, str message, unsigned status) {
    const struct http_header headers[] = {
        {"Content-Type", "application/json"},
        {p->new_session ? "Mcp-Session-Id" : NULL, p->new_session},
        {NULL, NULL},
    };
    struct err e;
    if (exchange_answer(p->x, status, message.n ? headers : NULL, message, &e))
        log_warn(p->server->log, "answer lost: %s", e.text);
}

static void finish_exchange(struct mcp_channel *c, str message,
                            unsigned status) {
    struct peer *p = (struct peer *)c;
    struct err e;
    if (!p->streaming) {
        answer_json(p, message, status);
    } else {
        if (message.n && send_event(c, message, &e))
            log_warn(p->server->log, "answer lost: %s", e.text);
        if (p->x) exchange_end(p->x);
    }
    peer_free(p);
}

/* For a modern client going away means cancel; a legacy one may come back, so
 * its request runs on. */
static void on_gone(void *data) {
    struct peer *p = data;
    struct mcp_request *r = p->request;
    loop_timer_stop(&p->ping);
    if (p->session) { /* what follows is kept until it comes back */
        p->x = NULL;
        return;
    }
    if (r) {
        r->channel = NULL;
        if (r->era == MCP_MODERN) request_cancelled(r);
    }
    mem_free(p);
}

static struct peer *peer_new(struct mcp_server *s, struct exchange *x,
                             struct err *e) {
    struct peer *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->channel = (struct mcp_channel){send_event, finish_exchange};
    p->server = s;
    p->x = x;
    exchange_on_gone(x, on_gone, p);
    return p;
}

/* An answer before there is a request to speak of. */
static void refuse_exchange(struct exchange *x, unsigned status, int code,
                            const struct json *id, const char *why) {
    const struct http_header headers[] = {{"Content-Type", "application/json"},
                                          {NULL, NULL}};
    AUTO_BUF struct buf out = BUF_MAX(4096);
    struct err e;
    if (rpc_write_error(id, code, str_of(why), NULL, &out, &e) ||
        exchange_answer(x, status, headers, buf_str(&out), &e))
        exchange_end(x);
}

static void accept_exchange(struct exchange *x, unsigned status) {
    struct err e;
    if (exchange_answer(x, status, NULL, STR(""), &e)) exchange_end(x);
}

/* -- POST -------------------------------------------------------------------
 */

static bool has(str text, const char *part) {
    return str_find(text, str_of(part)) >= 0;
}

static bool acceptable(struct exchange *x) {
    str type = exchange_header(x, "Content-Type");
    str accept = exchange_header(x, "Accept");
    if (!type.p || !has(type, "application/json")) {
        refuse_exchange(x, 415, RPC_INVALID_REQUEST, NULL,
                        "Content-Type must be application/json");
        return false;
    }
    if (!accept.p ||
        !(has(accept, "*/*") || (has(accept, "application/json") &&
                                 has(accept, "text/event-stream")))) {
        refuse_exchange(x, 406, RPC_INVALID_REQUEST, NULL,
                        "Accept must list application/json and "
                        "text/event-stream");
        return false;
    }
    return true;
}

static enum mcp_revision header_revision(const struct exchange *x) {
    return mcp_revision_of(
        str_trim(exchange_header(x, "MCP-Protocol-Version")));
}

static void post_modern(struct mcp_request *r, struct exchange *x) {
    r->era = MCP_MODERN;
    if (core_accept_era(r) && header_check_version(r, x) &&
        core_accept_version(r) && header_check(r, x) && core_accept_modern(r))
        core_dispatch(r);
}

/* The session that a legacy message belongs to, or NULL after a refusal. */
static struct mcp_session *legacy_session(struct mcp_server *s,
                                          struct exchange *x, str principal,
                                          const struct json *id) {
    str given = exchange_header(x, "Mcp-Session-Id");
    str version = exchange_header(x, "MCP-Protocol-Version");
    if (!given.p) {
        refuse_exchange(x, 400, RPC_INVALID_REQUEST, id,
                        "Mcp-Session-Id is missing: send initialize first");
        return NULL;
    }
    struct mcp_session *session = session_find(s, given, principal);
    if (!session)
        refuse_exchange(x, 404, RPC_INVALID_REQUEST, id, "no such session");
    if (session && version.p && header_revision(x) == MCP_REVISIONS) {
        refuse_exchange(x, 400, RPC_INVALID_REQUEST, id,
                        "unsupported MCP-Protocol-Version");
        return NULL;
    }
    return session;
}

static void post_legacy(struct mcp_request *r, struct peer *p) {
    struct err e;
    r->era = MCP_LEGACY;
    if (!core_accept_era(r)) return;
    r->method = mcp_method_of(r->msg.method, MCP_LEGACY);
    if (r->method == MCP_METHODS) {
        refuse_with(r, 200, RPC_NO_METHOD, NULL, "method not found");
        return;
    }
    if (r->method == MCP_INITIALIZE) {
        r->session = session_new(p->server, r->who.principal, &e);
        if (!r->session) {
            refuse_with(r, 503, RPC_INTERNAL, NULL, e.text);
            return;
        }
        p->new_session = r->session->id;
    }
    r->owner = r->session; /* cancellation comes by another POST */
    core_dispatch(r);
}

static void post_request(struct mcp_server *s, struct exchange *x,
                         struct mcp_request *r) {
    struct err e;
    bool starts = str_is(r->msg.method, "initialize");
    enum mcp_revision rev = header_revision(x);
    bool modern =
        core_is_modern(&r->msg) || (!starts && rev != MCP_REVISIONS &&
                                    mcp_revision_era(rev) == MCP_MODERN);
    if (!modern && !starts) {
        r->session = legacy_session(s, x, r->who.principal, r->msg.id);
        if (!r->session) {
            mcp_request_end(r);
            return;
        }
    }
    struct peer *p = peer_new(s, x, &e);
    if (!p) {
        refuse_exchange(x, 503, RPC_INTERNAL, r->msg.id, e.text);
        mcp_request_end(r);
        return;
    }
    p->request = r;
    r->channel = &p->channel;
    if (modern)
        post_modern(r, x);
    else
        post_legacy(r, p);
}

/* Notifications and answers to our own requests. */
static void post_other(struct mcp_server *s, struct exchange *x,
                       const struct mcp_request *r) {
    const struct rpc_message *m = &r->msg;
    enum mcp_revision rev = header_revision(x);
    bool modern = rev != MCP_REVISIONS && mcp_revision_era(rev) == MCP_MODERN;
    if (modern && m->kind != RPC_NOTIFICATION) {
        refuse_exchange(x, 400, RPC_INVALID_REQUEST, NULL,
                        "responses are not posted in this revision");
        return;
    }
    if (modern) {
        accept_exchange(x, 202);
        return;
    }
    struct mcp_session *session = legacy_session(s, x, r->who.principal, NULL);
    if (!session) return;
    accept_exchange(x, 202);
    if (m->kind == RPC_NOTIFICATION)
        core_notification(s, session, session, m);
    else
        session_take_answer(session, m);
}

static int keep_who(struct mcp_request *r, const struct mcp_who *who,
                    struct err *e) {
    if (arena_dup(&r->arena, who->principal, &r->who.principal, e)) return -1;
    if (!who->scopes.p) return 0;
    return arena_dup(&r->arena, who->scopes, &r->who.scopes, e);
}

static void post(struct mcp_server *s, struct exchange *x,
                 const struct mcp_who *who) {
    const struct json_limits limits = {.bytes = MCP_MESSAGE_MAX};
    const struct json *v;
    struct err e;
    if (!acceptable(x)) return;
    struct mcp_request *r = request_new(s, NULL, NULL, &e);
    if (!r || keep_who(r, who, &e)) {
        refuse_exchange(x, 503, RPC_INTERNAL, NULL, e.text);
        if (r) mcp_request_end(r);
        return;
    }
    if (json_parse(exchange_body(x), &limits, &r->arena, &v, &e)) {
        refuse_exchange(x, 400, RPC_PARSE_ERROR, NULL, e.text);
        mcp_request_end(r);
        return;
    }
    r->msg = rpc_sort(v);
    if (r->msg.kind == RPC_REQUEST) {
        post_request(s, x, r);
        return;
    }
    if (r->msg.kind == RPC_INVALID)
        refuse_exchange(x, 400, RPC_INVALID_REQUEST, r->msg.id,
                        "not a JSON-RPC message");
    else
        post_other(s, x, r);
    mcp_request_end(r);
}

/* -- GET and DELETE ---------------------------------------------------------
 */

static int send_kept(void *data, str event, struct err *e) {
    return exchange_send(data, event, e);
}

/* The connection of before is lost, also where that does not show yet. */
static void let_go(struct peer *p) {
    if (!p->x) return;
    loop_timer_stop(&p->ping);
    exchange_on_gone(p->x, NULL, NULL);
    exchange_end(p->x);
    p->x = NULL;
}

/* A stream that has not ended goes on over the new connection. */
static void take_up(struct peer *p, struct exchange *x, uint64_t number) {
    struct err e;
    let_go(p);
    p->x = x;
    if (open_stream(p, &e)) {
        p->x = NULL;
        refuse_exchange(x, 503, RPC_INTERNAL, NULL, e.text);
        return;
    }
    exchange_on_gone(x, on_gone, p);
    if (replay_after(p->session, p->stream, number, send_kept, x, &e))
        log_warn(p->server->log, "a stream was not taken up: %s", e.text);
}

/* One whose answer was given is told to the end. */
static void tell_rest(struct mcp_session *session, struct exchange *x,
                      uint64_t stream, uint64_t number) {
    static const struct http_header headers[] = {
        {"Content-Type", "text/event-stream"},
        {"Cache-Control", "no-cache"},
        {NULL, NULL}};
    struct err e;
    if (exchange_stream(x, 200, headers, BACKLOG_MAX, &e)) {
        refuse_exchange(x, 503, RPC_INTERNAL, NULL, e.text);
        return;
    }
    (void)replay_after(session, stream, number, send_kept, x, &e);
    exchange_end(x);
}

/* False when nothing is known of the event: then it is a stream like any. */
static bool resume(struct mcp_session *session, struct exchange *x, str id) {
    uint64_t stream, number;
    struct err e;
    str rest = id, first = str_cut(&rest, '-');
    if (!rest.p || num_parse_u64(first, &stream, &e) ||
        num_parse_u64(rest, &number, &e))
        return false;
    for (struct peer *p = session->streams; p; p = p->next) {
        if (p->stream != stream) continue;
        take_up(p, x, number);
        return true;
    }
    if (!replay_has(session, stream)) return false;
    tell_rest(session, x, stream, number);
    return true;
}

/* For what belongs to no request. A client that lost it and does not say where
 * begins anew. */
static void open_get_stream(struct mcp_server *s, struct mcp_session *session,
                            struct exchange *x) {
    struct peer *p = (struct peer *)session->stream;
    struct err e;
    if (p && p->x) {
        refuse_exchange(x, 409, RPC_INVALID_REQUEST, NULL,
                        "this session has its stream already");
        return;
    }
    if (p) {
        take_up(p, x, p->last_event);
        return;
    }
    p = peer_new(s, x, &e);
    if (p) make_resumable(p, session, GET_STREAM);
    if (!p || start_stream(p, &e)) {
        if (p) peer_free(p);
        refuse_exchange(x, 503, RPC_INTERNAL, NULL, e.text);
        return;
    }
    session->stream = &p->channel;
}

static void get(struct mcp_server *s, struct exchange *x,
                const struct mcp_who *who) {
    if (!exchange_header(x, "Mcp-Session-Id").p) {
        refuse_exchange(x, 405, RPC_INVALID_REQUEST, NULL,
                        "streams belong to a session of an older revision");
        return;
    }
    struct mcp_session *session = legacy_session(s, x, who->principal, NULL);
    if (!session) return;
    str last = exchange_header(x, "Last-Event-ID");
    if (last.p && resume(session, x, last)) return;
    open_get_stream(s, session, x);
}

static void end_session(struct mcp_server *s, struct exchange *x,
                        const struct mcp_who *who) {
    if (!exchange_header(x, "Mcp-Session-Id").p) {
        refuse_exchange(x, 405, RPC_INVALID_REQUEST, NULL,
                        "there is no session to end");
        return;
    }
    struct mcp_session *session = legacy_session(s, x, who->principal, NULL);
    if (!session) return;
    accept_exchange(x, 200);
    session_free(session);
}

void mcp_serve_http(struct mcp_server *s, struct exchange *x,
                    const struct mcp_who *who) {
    static const struct mcp_who nobody = {{"", 0}, {NULL, 0}};
    str method = exchange_method(x);
    if (!who) who = &nobody;
    if (str_is(method, "POST"))
        post(s, x, who);
    else if (str_is(method, "GET"))
        get(s, x, who);
    else if (str_is(method, "DELETE"))
        end_session(s, x, who);
    else
        refuse_exchange(x, 405, RPC_INVALID_REQUEST, NULL,
                        "only POST, GET and DELETE are known here");
}
