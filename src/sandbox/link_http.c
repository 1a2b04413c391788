/* SPDX-License-Identifier: MIT
 *
 * HTTP through the proxy: CONNECT, and plain requests one at a time.
 *
 * A plain request is written anew from what was understood of it: what the
 * server reads is what was checked.
 */
#include <string.h>

#include "base/clock.h"
#include "sandbox/http_head.h"
#include "sandbox/link.h"

enum { MAX_HEAD = 16384, HEAD_MS = 15000 };

static int answer(struct link *l, const char *status, const char *text,
                  struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(2048);
    if (buf_addf(&b, e,
                 "HTTP/1.1 %s\r\nContent-Type: text/plain\r\n"
                 "Connection: close\r\nContent-Length: %zu\r\n\r\n"
                 "cordon: %s\n",
                 status, strlen(text) + 9, text))
        return -1;
    return link_send(l, l->client, buf_str(&b), e);
}

/* Tells the client why, and fails with that. */
static int refuse(struct link *l, struct err *e) {
    struct err ignored;
    const char *status = e->kind == ERR_DENIED        ? "403 Forbidden"
                         : e->kind == ERR_UNSUPPORTED ? "411 Length Required"
                                                      : "400 Bad Request";
    if (!l->event.reason[0]) (void)link_no(l, &ignored, e->text);
    (void)answer(l, status, e->text, &ignored);
    return -1;
}

/* The head, and in *b behind it what came along. A client that sends it drop
 * by drop has as long as one that sends it at once. */
static int read_head(struct link *l, struct buf *b, size_t *head,
                     struct err *e) {
    int64_t until = clock_mono_ns() + HEAD_MS * 1000000ll;
    for (;;) {
        ptrdiff_t end = str_find(buf_str(b), STR("\r\n\r\n"));
        if (end >= 0) {
            *head = (size_t)end + 4;
            return 0;
        }
        if (b->len >= MAX_HEAD) return link_no(l, e, "request head too long");
        if (clock_mono_ns() > until) return link_no(l, e, "request too slow");
        ssize_t n = link_recv(l, l->client, b, 2048, e);
        if (n < 0) return -1;
        if (n == 0) return fail(e, ERR_PEER, "request cut short");
    }
}

static int serve_connect(struct link *l, const struct http_head *h, str rest,
                         struct err *e) {
    str host;
    uint64_t port;
    if (http_split_authority(h->target, 0, &host, &port, e) ||
        link_connect(l, host, port, e))
        return refuse(l, e);
    if (link_send(l, l->client,
                  STR("HTTP/1.1 200 Connection established\r\n\r\n"), e))
        return -1;
    return link_tunnel(l, rest, e);
}

/* The next token of ours in the text, where this host may have its value. */
static const struct cage_token *next_token(const struct link *l, str text,
                                           size_t *at) {
    const struct cage_token *found = NULL;
    for (size_t i = 0; i < l->cage->token_count; i++) {
        const struct cage_token *t = &l->cage->tokens[i];
        if (strcmp(t->host, l->event.host) != 0) continue;
        ptrdiff_t where = str_find(text, str_of(t->token));
        if (where < 0 || (found && (size_t)where >= *at)) continue;
        *at = (size_t)where;
        found = t;
    }
    return found;
}

static int add_value(const struct link *l, str value, struct buf *out,
                     struct err *e) {
    const struct cage_token *t;
    size_t at = 0;
    while ((t = next_token(l, value, &at))) {
        if (buf_add_str(out, str_sub(value, 0, at), e) ||
            buf_add_text(out, t->value, e))
            return -1;
        value = str_sub(value, at + strlen(t->token), value.n);
    }
    return buf_add_str(out, value, e);
}

/* Fields that are between the client and us, or that we write ourselves. */
static bool hop_field(str name) {
    static const char *const names[] = {
        "connection",
        "proxy-connection",
        "proxy-authorization",
        "keep-alive",
        "te",
        "trailer",
        "upgrade",
        "proxy-authenticate",
        "host",
        "expect",
        "http2-settings",
        NULL,
    };
    for (size_t i = 0; names[i]; i++)
        if (str_eq_nocase(name, str_of(names[i]))) return true;
    return false;
}

static int write_head(const struct link *l, const struct http_head *h, str path,
                      struct buf *out, struct err *e) {
    const struct cage_credential *cred = link_credential(l);
    bool v6 = strchr(l->event.host, ':') != NULL;
    if (buf_addf(out, e, "%.*s %.*s HTTP/1.1\r\nHost: %s%s%s",
                 STR_ARG(h->method), STR_ARG(path.n ? path : STR("/")),
                 v6 ? "[" : "", l->event.host, v6 ? "]" : ""))
        return -1;
    if (l->event.port != (l->outer ? 443 : 80) &&
        buf_addf(out, e, ":%u", l->event.port))
        return -1;
    if (buf_add_text(out, "\r\nConnection: close\r\n", e)) return -1;
    for (size_t i = 0; i < h->field_count; i++) {
        str name = h->fields[i].name;
        if (hop_field(name)) continue;
        if (cred && str_eq_nocase(name, str_of(cred->header))) continue;
        if (buf_addf(out, e, "%.*s: ", STR_ARG(name)) ||
            add_value(l, h->fields[i].value, out, e) ||
            buf_add_text(out, "\r\n", e))
            return -1;
    }
    if (cred && buf_addf(out, e, "%s: %s\r\n", cred->header, cred->value))
        return -1;
    return buf_add_text(out, "\r\n", e);
}

/* Exactly as many bytes as were announced; what comes behind them is not
 * passed on. */
static int send_body(struct link *l, str first, uint64_t length,
                     struct err *e) {
    if (first.n > length) first.n = (size_t)length;
    if (link_send(l, l->server, first, e)) return -1;
    for (uint64_t left = length - first.n; left;) {
        AUTO_BUF struct buf b = BUF_MAX(16384);
        size_t room = left < 16384 ? (size_t)left : 16384;
        ssize_t n = link_recv(l, l->client, &b, room, e);
        if (n < 0) return -1;
        if (n == 0) return fail(e, ERR_PEER, "body cut short");
        if (link_send(l, l->server, buf_str(&b), e)) return -1;
        left -= (uint64_t)n;
    }
    return 0;
}

/* The request, written anew, and the answer. */
static int pass_request(struct link *l, const struct http_head *h, str path,
                        str rest, struct err *e) {
    AUTO_BUF struct buf head = BUF_MAX(4 * MAX_HEAD);
    if (write_head(l, h, path, &head, e) ||
        link_send(l, l->server, buf_str(&head), e) ||
        send_body(l, rest, h->length, e))
        return -1;
    return link_drain(l, e);
}

static int serve_plain(struct link *l, const struct http_head *h, str rest,
                       struct err *e) {
    str host, path;
    uint64_t port;
    if (http_split_url(h->target, &host, &port, &path, e) ||
        link_connect(l, host, port, e))
        return refuse(l, e);
    return pass_request(l, h, path, rest, e);
}

/* The server first: where it is not who it should be, the task's handshake
 * fails as it would without us. */
static int open_both(struct link *l, struct err *e) {
    if (l->cage->tls->connect(l->tls, l->server, l->event.host, &l->outer, e))
        return link_no(l, e, e->text);
    if (l->cage->tls->accept(l->tls, l->client, l->event.host, &l->inner, e))
        return link_no(l, e, e->text);
    return 0;
}

int link_intercept(struct link *l, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(MAX_HEAD + 4096);
    size_t head = 0;
    struct http_head h;
    int rc = open_both(l, e);
    if (!rc && (read_head(l, &b, &head, e) ||
                http_head_parse(str_sub(buf_str(&b), 0, head), &h, e)))
        rc = refuse(l, e);
    if (!rc && (h.target.n == 0 || h.target.p[0] != '/')) {
        (void)fail(e, ERR_INVALID, "not the path of a request");
        rc = refuse(l, e);
    }
    if (!rc)
        rc =
            pass_request(l, &h, h.target, str_sub(buf_str(&b), head, b.len), e);
    l->cage->tls->end(l->inner);
    l->cage->tls->end(l->outer);
    l->inner = l->outer = NULL;
    return rc;
}

int link_http(struct link *l, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(MAX_HEAD + 4096);
    size_t head = 0;
    struct http_head h;
    if (read_head(l, &b, &head, e) ||
        http_head_parse(str_sub(buf_str(&b), 0, head), &h, e))
        return refuse(l, e);
    str rest = str_sub(buf_str(&b), head, b.len);
    return str_is(h.method, "CONNECT") ? serve_connect(l, &h, rest, e)
                                       : serve_plain(l, &h, rest, e);
}
