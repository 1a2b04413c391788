/* SPDX-License-Identifier: MIT */
#include "io/client.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/library.h"
#include "base/map.h"
#include "base/mem.h"
#include "io/client_cert.h"

/* libcurl, loaded for the first request. */
struct curl {
#define FUNCTION(name) __typeof__(curl_##name) *name;
#include "io/curl.def"
#undef FUNCTION
};

enum {
    DEFAULT_ANSWER = 16 << 20,
    HEADERS_MAX = 64 * 1024,
    CONNECTIONS_KEPT = 64,
    HOSTS_MAX = 10000, /* whose certificates are remembered */
};
#define SECOND ((int64_t)1000000000)

struct client {
    struct loop *loop;
    struct curl curl;
    CURLM *multi;             /* NULL before the first request */
    struct io_timer timer;    /* libcurl's next timeout */
    struct socket *sockets;   /* every descriptor libcurl watches */
    struct request *requests; /* all that run */
    struct map certificates;  /* "https://host:port" -> hexadecimal text */
    struct map keys;          /* likewise -> "sha256//..." that is expected */
    bool busy; /* libcurl is calling us: nothing may be added or removed */
};

/* libcurl opens and closes descriptors; this is our side of one. */
struct socket {
    struct io_watch watch;
    struct client *client;
    struct socket *next, **link;
};

struct request {
    struct client *client;
    const struct curl *curl; /* its client's */
    struct request *next, **link;
    CURL *easy;
    struct curl_slist *headers;
    const struct request_events *events;
    void *data;
    bool (*guard)(void *data, const struct sockaddr *address);
    bool guarded;      /* the guard refused an address */
    struct buf head;   /* "name: value\n" lines of the last answer */
    struct buf answer; /* collected body */
    struct buf body;   /* our copy of the request's */
    bool told_headers;
    struct err err; /* why a callback of ours ended it */
    bool failed;    /* err is set */
    bool added;     /* libcurl has it */
    bool cancelled; /* to be freed; its owner is not told anything more */
};

/* -- libcurl in the loop ----------------------------------------------------
 */

static void reap(struct client *c);
static void settle(struct client *c);

static void act(struct client *c, curl_socket_t fd, int what) {
    int running;
    c->busy = true;
    (void)c->curl.multi_socket_action(c->multi, fd, what, &running);
    c->busy = false;
    settle(c);
    reap(c);
}

static void on_socket(struct io_watch *w, uint32_t events) {
    struct socket *s = w->data;
    int what = (events & EPOLLIN ? CURL_CSELECT_IN : 0) |
               (events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
               (events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    act(s->client, w->fd, what);
}

static void on_timer(struct io_timer *t) {
    act(t->data, CURL_SOCKET_TIMEOUT, 0);
}

static int want_timer(CURLM *multi, long ms, void *data) {
    (void)multi;
    struct client *c = data;
    struct err e;
    if (ms < 0) {
        loop_timer_stop(&c->timer);
        return 0;
    }
    return loop_timer(c->loop, &c->timer, (int64_t)ms * 1000000, &e);
}

static void socket_free(struct socket *s) {
    loop_unwatch(&s->watch);
    *s->link = s->next;
    if (s->next) s->next->link = s->link;
    mem_free(s);
}

static struct socket *socket_new(struct client *c, curl_socket_t fd) {
    struct err e;
    struct socket *s = mem_zalloc(1, sizeof *s, &e);
    if (!s) return NULL;
    s->client = c;
    s->watch = (struct io_watch){.fd = fd, .fn = on_socket, .data = s};
    s->link = &c->sockets;
    s->next = c->sockets;
    if (s->next) s->next->link = &s->next;
    c->sockets = s;
    c->curl.multi_assign(c->multi, fd, s);
    return s;
}

static int want_socket(CURL *easy, curl_socket_t fd, int what, void *data,
                       void *assigned) {
    (void)easy;
    struct client *c = data;
    struct socket *s = assigned;
    struct err e;
    if (what == CURL_POLL_REMOVE) {
        if (s) socket_free(s);
        return 0;
    }
    if (!s && !(s = socket_new(c, fd))) return -1;
    uint32_t events = (what & CURL_POLL_IN ? EPOLLIN : 0) |
                      (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    return loop_watch(c->loop, &s->watch, events, &e);
}

/* -- the life of a request --------------------------------------------------
 */

static void request_free(struct request *r) {
    *r->link = r->next;
    if (r->next) r->next->link = r->link;
    if (r->added) r->curl->multi_remove_handle(r->client->multi, r->easy);
    if (r->easy) r->curl->easy_cleanup(r->easy);
    r->curl->slist_free_all(r->headers);
    buf_fini(&r->head);
    buf_fini(&r->answer);
    buf_fini(&r->body);
    mem_free(r);
}

void request_cancel(struct request *r) {
    r->cancelled = true;
    if (!r->client->busy) request_free(r);
}

static void explain(struct request *r, CURLcode code) {
    if (r->failed) return;
    const char *url = "";
    r->curl->easy_getinfo(r->easy, CURLINFO_EFFECTIVE_URL, &url);
    if (r->guarded)
        err_set(&r->err, ERR_DENIED, "%s: its address is not allowed", url);
    else if (code == CURLE_OPERATION_TIMEDOUT)
        err_set(&r->err, ERR_TIMEOUT, "%s: no answer in time", url);
    else if (code == CURLE_SSL_PINNEDPUBKEYNOTMATCH)
        err_set(&r->err, ERR_DENIED,
                "%s: the key of its certificate is not the pinned one; nothing "
                "was sent",
                url);
    else
        err_set(&r->err, ERR_PEER, "%s: %s", url, r->curl->easy_strerror(code));
}

/* Only the request that made the connection has the certificate. */
static void note_certificate(struct request *r) {
    AUTO_BUF struct buf origin = BUF_MAX(HEADERS_MAX);
    struct curl_certinfo *chain = NULL;
    const char *url = NULL;
    struct err e;
    char *hex, *old = NULL;
    if (r->curl->easy_getinfo(r->easy, CURLINFO_EFFECTIVE_URL, &url) || !url ||
        r->curl->easy_getinfo(r->easy, CURLINFO_CERTINFO, &chain) || !chain ||
        client_origin(url, &origin, &e) || !(hex = client_cert_key(chain)))
        return;
    if (map_put(&r->client->certificates, buf_str(&origin), hex, (void **)&old,
                &e))
        old = hex;
    mem_free(old);
}

const char *client_certificate(const struct client *c, const char *url) {
    AUTO_BUF struct buf origin = BUF_MAX(HEADERS_MAX);
    struct err e;
    if (client_origin(url, &origin, &e)) return NULL;
    return map_get(&c->certificates, buf_str(&origin));
}

/* In the form of "pin-sha256", which libcurl compares after the handshake and
 * before the request. */
static char *key_option(const char *key, struct err *e) {
    AUTO_BUF struct buf raw = BUF_MAX(CRYPTO_SHA256);
    AUTO_BUF struct buf text = BUF_MAX(256);
    if (hex_decode(str_of(key), &raw, e)) return NULL;
    if (raw.len != CRYPTO_SHA256) {
        err_set(e, ERR_INVALID, "the pinned key '%.80s' is no SHA-256", key);
        return NULL;
    }
    if (buf_add_text(&text, "sha256//", e) ||
        base64_encode(buf_str(&raw), &text, e))
        return NULL;
    return buf_take(&text, e);
}

int client_expect_key(struct client *c, const char *url, const char *key,
                      struct err *e) {
    AUTO_BUF struct buf origin = BUF_MAX(HEADERS_MAX);
    char *option, *old = NULL;
    if (client_origin(url, &origin, e)) return -1;
    if (!key) {
        mem_free(map_del(&c->keys, buf_str(&origin)));
        return 0;
    }
    if (!(option = key_option(key, e))) return -1;
    if (map_put(&c->keys, buf_str(&origin), option, (void **)&old, e)) {
        mem_free(option);
        return -1;
    }
    mem_free(old);
    return 0;
}

static const char *expected_key(const struct client *c, const char *url) {
    AUTO_BUF struct buf origin = BUF_MAX(HEADERS_MAX);
    struct err e;
    if (!c->keys.live || client_origin(url, &origin, &e)) return NULL;
    return map_get(&c->keys, buf_str(&origin));
}

static void tell_headers(struct request *r) {
    if (r->told_headers) return;
    r->told_headers = true;
    note_certificate(r);
    if (r->events->headers) r->events->headers(r->data, r, request_status(r));
}

static void finish(struct request *r, CURLcode code) {
    if (code == CURLE_OK) tell_headers(r);
    if (code == CURLE_SSL_PINNEDPUBKEYNOTMATCH) note_certificate(r);
    if (code != CURLE_OK) explain(r, code);
    r->events->done(r->data, r, code == CURLE_OK ? NULL : &r->err);
    request_free(r);
}

/* What was started or cancelled from within callbacks of libcurl. A request
 * that cannot be added has failed. */
static void settle(struct client *c) {
    for (struct request *r = c->requests, *next; r; r = next) {
        next = r->next;
        if (r->cancelled) {
            request_free(r);
        } else if (!r->added) {
            r->added = c->curl.multi_add_handle(c->multi, r->easy) == CURLM_OK;
            if (r->added) continue;
            finish(r, CURLE_OUT_OF_MEMORY);
            next = c->requests; /* the callback may have changed the list */
        }
    }
}

/* A done callback may start or cancel others, so each message is fetched
 * afresh. */
static void reap(struct client *c) {
    int left;
    for (CURLMsg *m; (m = c->curl.multi_info_read(c->multi, &left));) {
        if (m->msg != CURLMSG_DONE) continue;
        struct request *r = NULL;
        c->curl.easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &r);
        finish(r, m->data.result);
    }
}

/* -- callbacks of a transfer ------------------------------------------------
 */

static size_t on_header(char *p, size_t size, size_t n, void *data) {
    struct request *r = data;
    str line = str_trim((str){p, size * n});
    if (str_starts(line, STR("HTTP/"))) buf_truncate(&r->head, 0);
    if (buf_add_str(&r->head, line, &r->err) ||
        buf_add_char(&r->head, '\n', &r->err)) {
        r->failed = true;
        return 0;
    }
    return n * size;
}

static size_t on_body(char *p, size_t size, size_t n, void *data) {
    struct request *r = data;
    str piece = {p, size * n};
    if (r->cancelled) return 0;
    tell_headers(r);
    if (r->events->body) {
        if (!r->events->body(r->data, r, piece)) return piece.n;
        if (r->cancelled) return 0;
        err_set(&r->err, ERR_PEER, "ended by the reader");
        r->failed = true;
        return 0;
    }
    if (!buf_add_str(&r->answer, piece, &r->err)) return piece.n;
    r->failed = true;
    err_context(&r->err, "answer");
    return 0;
}

static curl_socket_t open_socket(void *data, curlsocktype purpose,
                                 struct curl_sockaddr *sa) {
    (void)purpose;
    struct request *r = data;
    if (r->guard && !r->guard(r->data, &sa->addr)) {
        r->guarded = true;
        return CURL_SOCKET_BAD;
    }
    return socket(sa->family, sa->socktype | SOCK_CLOEXEC, sa->protocol);
}

/* -- setting up -------------------------------------------------------------
 */

static long to_ms(int64_t ns, int64_t fallback) {
    int64_t v = ns ? ns : fallback;
    return v < 0 ? 0 : (long)((v + 999999) / 1000000); /* 0: no limit */
}

static int add_line(struct request *r, const char *line, struct err *e) {
    struct curl_slist *list = r->curl->slist_append(r->headers, line);
    if (!list) return fail(e, ERR_MEMORY, "no memory for a header");
    r->headers = list;
    return 0;
}

static int add_header(struct request *r, const char *name, const char *value,
                      struct err *e) {
    AUTO_BUF struct buf line = BUF_MAX(HEADERS_MAX);
    if (strpbrk(name, "\r\n:") || strpbrk(value, "\r\n"))
        return fail(e, ERR_INVALID, "header '%s' holds a line break", name);
    if (buf_addf(&line, e, *value ? "%s: %s" : "%s;", name, value)) return -1;
    return add_line(r, buf_text(&line), e);
}

static int set_headers(struct request *r, const struct http_header *h,
                       struct err *e) {
    for (; h && h->name; h++)
        if (add_header(r, h->name, h->value, e)) return -1;
    /* libcurl would wait a second for "100 Continue"; a name with nothing
     * behind the colon takes the header out. */
    if (add_line(r, "Expect:", e)) return -1;
    r->curl->easy_setopt(r->easy, CURLOPT_HTTPHEADER, r->headers);
    return 0;
}

static int set_body(struct request *r, const struct request_spec *spec,
                    struct err *e) {
    const char *method = spec->method;
    if (!method) method = spec->body.p ? "POST" : "GET";
    if (spec->body.p) {
        r->body = BUF_MAX(spec->body.n);
        if (buf_add_str(&r->body, spec->body, e)) return -1;
        r->curl->easy_setopt(r->easy, CURLOPT_POSTFIELDS, buf_text(&r->body));
        r->curl->easy_setopt(r->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                             (curl_off_t)r->body.len);
    }
    if (str_is(str_of(method), "HEAD"))
        r->curl->easy_setopt(r->easy, CURLOPT_NOBODY, 1L);
    r->curl->easy_setopt(r->easy, CURLOPT_CUSTOMREQUEST, method);
    return 0;
}

static void set_limits(struct request *r, const struct request_spec *spec) {
    CURL *h = r->easy;
    r->curl->easy_setopt(h, CURLOPT_TIMEOUT_MS,
                         to_ms(spec->timeout_ns, 60 * SECOND));
    r->curl->easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS,
                         to_ms(spec->connect_ns, 10 * SECOND));
    int64_t idle = spec->idle_ns ? spec->idle_ns : 300 * SECOND;
    r->curl->easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
    r->curl->easy_setopt(h, CURLOPT_LOW_SPEED_TIME,
                         (long)(idle < SECOND ? 1 : idle / SECOND));
}

static void set_trust(struct request *r, const struct request_spec *spec) {
    CURL *h = r->easy;
    r->curl->easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
    r->curl->easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
    r->curl->easy_setopt(h, CURLOPT_NETRC, CURL_NETRC_IGNORED);
    r->curl->easy_setopt(h, CURLOPT_PROXY, spec->proxy ? spec->proxy : "");
    if (spec->ca_file) r->curl->easy_setopt(h, CURLOPT_CAINFO, spec->ca_file);
    r->curl->easy_setopt(h, CURLOPT_CERTINFO, 1L); /* see client_certificate */
    const char *key = expected_key(r->client, spec->url);
    if (key) r->curl->easy_setopt(h, CURLOPT_PINNEDPUBLICKEY, key);
    r->curl->easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    r->curl->easy_setopt(h, CURLOPT_OPENSOCKETDATA, r);
}

static int set_up(struct request *r, const struct request_spec *spec,
                  struct err *e) {
    CURL *h = r->easy = r->curl->easy_init();
    if (!h) return fail(e, ERR_MEMORY, "no memory for a request");
    r->curl->easy_setopt(h, CURLOPT_PRIVATE, r);
    r->curl->easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    r->curl->easy_setopt(h, CURLOPT_URL, spec->url);
    r->curl->easy_setopt(h, CURLOPT_USERAGENT, "cordon");
    r->curl->easy_setopt(h, CURLOPT_HEADERFUNCTION, on_header);
    r->curl->easy_setopt(h, CURLOPT_HEADERDATA, r);
    r->curl->easy_setopt(h, CURLOPT_WRITEFUNCTION, on_body);
    r->curl->easy_setopt(h, CURLOPT_WRITEDATA, r);
    set_limits(r, spec);
    set_trust(r, spec);
    if (set_headers(r, spec->headers, e) || set_body(r, spec, e)) return -1;
    if (r->client->busy) return 0; /* settle() adds it */
    CURLMcode m = r->curl->multi_add_handle(r->client->multi, h);
    if (m) return fail(e, ERR_INTERNAL, "%s", r->curl->multi_strerror(m));
    r->added = true;
    return 0;
}

static int load(struct curl *out, struct err *e) {
    static const struct library_symbol symbols[] = {
#define FUNCTION(name) {"curl_" #name, offsetof(struct curl, name)},
#include "io/curl.def"
#undef FUNCTION
        {NULL, 0}};
    return library_load(LIBCURL, symbols, out, e);
}

static int open_multi(struct client *c, struct err *e) {
    const struct curl *curl = &c->curl;
    if (c->multi) return 0;
    if (load(&c->curl, e)) return -1;
    CURLM *m = c->multi = curl->multi_init();
    if (!m) return fail(e, ERR_MEMORY, "no memory for the HTTP client");
    curl->multi_setopt(m, CURLMOPT_SOCKETFUNCTION, want_socket);
    curl->multi_setopt(m, CURLMOPT_SOCKETDATA, c);
    curl->multi_setopt(m, CURLMOPT_TIMERFUNCTION, want_timer);
    curl->multi_setopt(m, CURLMOPT_TIMERDATA, c);
    curl->multi_setopt(m, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS_KEPT);
    return 0;
}

struct request *client_start(struct client *c, const struct request_spec *spec,
                             struct err *e) {
    if (open_multi(c, e)) return NULL;
    struct request *r = mem_zalloc(1, sizeof *r, e);
    if (!r) return NULL;
    *r = (struct request){
        .client = c,
        .curl = &c->curl,
        .next = c->requests,
        .link = &c->requests,
        .events = spec->events,
        .data = spec->data,
        .guard = spec->guard,
        .head = BUF_MAX(HEADERS_MAX),
        .answer = BUF_MAX(spec->answer_max ? spec->answer_max : DEFAULT_ANSWER),
    };
    if (r->next) r->next->link = &r->next;
    c->requests = r;
    if (set_up(r, spec, e)) {
        request_free(r);
        return NULL;
    }
    return r;
}

struct client *client_new(struct loop *loop, struct err *e) {
    struct client *c = mem_zalloc(1, sizeof *c, e);
    if (!c) return NULL;
    c->loop = loop;
    c->certificates = MAP_MAX(HOSTS_MAX);
    c->keys = MAP_MAX(HOSTS_MAX);
    c->timer = (struct io_timer){.fn = on_timer, .data = c};
    return c;
}

void client_free(struct client *c) {
    const struct map_entry *it;
    if (!c) return;
    while (c->requests)
        request_free(c->requests);
    if (c->multi) c->curl.multi_cleanup(c->multi);
    while (c->sockets)
        socket_free(c->sockets);
    loop_timer_stop(&c->timer);
    for (size_t i = 0; (it = map_next(&c->certificates, &i));)
        mem_free(it->value);
    for (size_t i = 0; (it = map_next(&c->keys, &i));)
        mem_free(it->value);
    map_fini(&c->certificates);
    map_fini(&c->keys);
    mem_free(c);
}

/* -- what came back ---------------------------------------------------------
 */

unsigned request_status(const struct request *r) {
    long status = 0;
    r->curl->easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    return (unsigned)status;
}

str request_header(const struct request *r, const char *name) {
    str rest = buf_str(&r->head);
    while (rest.n) {
        str value = str_cut(&rest, '\n');
        str key = str_cut(&value, ':');
        if (value.p && str_eq_nocase(str_trim(key), str_of(name)))
            return str_trim(value);
    }
    return (str){NULL, 0};
}

int request_header_all(const struct request *r, const char *name,
                       struct buf *out, struct err *e) {
    str rest = buf_str(&r->head);
    size_t start = out->len;
    while (rest.n) {
        str value = str_cut(&rest, '\n');
        str key = str_cut(&value, ':');
        if (!value.p || !str_eq_nocase(str_trim(key), str_of(name))) continue;
        if (buf_addf(out, e, "%s%.*s", out->len > start ? ", " : "",
                     STR_ARG(str_trim(value))))
            return -1;
    }
    return 0;
}

str request_answer(const struct request *r) {
    return buf_str(&r->answer);
}
