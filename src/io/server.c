/* SPDX-License-Identifier: MIT */
#include "io/server.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/library.h"
#include "base/mem.h"
#include "base/num.h"

struct microhttpd {
#define FUNCTION(name) __typeof__(MHD_##name) *name;
#include "io/microhttpd.def"
#undef FUNCTION
};

enum {
    DEFAULT_BODY = 16 << 20,
    DEFAULT_CONNECTIONS = 1000,
    DEFAULT_IDLE_S = 60,
    DRAINED = 64 << 20,           /* over the maximum, read to no avail */
    CONNECTION_MEMORY = 7 * 1024, /* headers and one piece of body */
    STREAM_BLOCK = 128,           /* one per open stream */
    BACKLOG = 512,
    ROUNDS = 32,           /* in a row, before others get their turn */
    RESERVED = 256 << 10,  /* for a body that is announced */
    SHORT_BODY = 16 << 10, /* read from anybody */
};

struct server {
    struct loop *loop;
    struct server_config config;
    struct microhttpd mhd;
    struct MHD_Daemon *daemon;
    struct io_watch watch; /* the daemon's epoll descriptor */
    struct io_timer timer; /* its next timeout */
    struct io_task wake;   /* a turn for what was resumed */
    struct exchange *open; /* all exchanges, for server_free */
    unsigned port;
};

struct exchange {
    struct server *server;
    struct exchange *next, **link; /* in server->open */
    struct MHD_Connection *connection;
    char *method, *path;
    char peer[64];
    struct buf body;
    bool too_large; /* the body passed its maximum and was not kept */
    bool handled;   /* the handler has been called */
    enum { UNSEEN, SCREENED, LET_IN } screen; /* of a long body */
    bool at_headers; /* the next call of libmicrohttpd is still about them */
    bool suspended;  /* the connection waits for us */
    struct MHD_Response *response; /* made, not yet queued */
    unsigned status;
    bool streaming;     /* the answer's body is open */
    bool ended;         /* nothing more will be sent */
    bool cut;           /* and that is not all there was */
    struct buf backlog; /* of the stream */
    void (*gone)(void *data);
    void *gone_data;
    void (*end)(void *data);
    void *end_data;
    struct io_watch hangup; /* libmicrohttpd does not look at a connection that
                               waits for us: we see ourselves when it closes */
};

/* -- turning the daemon -----------------------------------------------------
 */

/* libmicrohttpd says how long it can wait; without a timer of ours idle
 * connections would never time out. It reads a piece of each body at a time:
 * while it has more to do it goes on, for a while. */
static void turn(struct server *s) {
    MHD_UNSIGNED_LONG_LONG ms;
    enum MHD_Result timed;
    struct err e;
    int rounds = ROUNDS;
    do {
        (void)s->mhd.run(s->daemon);
        timed = s->mhd.get_timeout(s->daemon, &ms);
    } while (timed == MHD_YES && ms == 0 && --rounds > 0);
    if (timed != MHD_YES)
        loop_timer_stop(&s->timer);
    else if (loop_timer(s->loop, &s->timer, (int64_t)ms * 1000000, &e))
        loop_post(s->loop, &s->wake);
}

static void on_ready(struct io_watch *w, uint32_t events) {
    (void)events;
    turn(w->data);
}

static void on_timer(struct io_timer *t) {
    turn(t->data);
}

static void on_wake(struct io_task *t) {
    turn(t->data);
}

static void resume(struct exchange *x) {
    if (!x->suspended) return;
    x->suspended = false;
    loop_unwatch(&x->hangup);
    x->server->mhd.resume_connection(x->connection);
    loop_post(x->server->loop, &x->server->wake);
}

/* The client closed: whoever answers is told, and what is left is closed. */
static void on_hangup(struct io_watch *w, uint32_t events) {
    struct exchange *x = w->data;
    void (*gone)(void *) = x->gone;
    struct err e;
    (void)events;
    loop_unwatch(w);
    if (!gone || x->ended) return;
    x->gone = NULL;
    gone(x->gone_data);
    if (x->streaming)
        exchange_end(x);
    else
        (void)exchange_answer(x, MHD_HTTP_REQUEST_TIMEOUT, NULL, STR(""), &e);
}

static void watch_hangup(struct exchange *x) {
    const union MHD_ConnectionInfo *info = x->server->mhd.get_connection_info(
        x->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct err e;
    if (!info) return;
    x->hangup =
        (struct io_watch){.fd = info->connect_fd, .fn = on_hangup, .data = x};
    (void)loop_watch(x->server->loop, &x->hangup, EPOLLRDHUP, &e);
}

static void suspend(struct exchange *x) {
    x->suspended = true;
    x->server->mhd.suspend_connection(x->connection);
    watch_hangup(x);
}

/* -- the life of an exchange ------------------------------------------------
 */

static void exchange_free(struct exchange *x) {
    *x->link = x->next;
    if (x->next) x->next->link = x->link;
    if (x->end) x->end(x->end_data);
    loop_unwatch(&x->hangup);
    if (x->response) x->server->mhd.destroy_response(x->response);
    mem_free(x->method);
    mem_free(x->path);
    buf_fini(&x->body);
    buf_fini(&x->backlog);
    mem_free(x);
}

static void describe_peer(struct exchange *x) {
    const union MHD_ConnectionInfo *info = x->server->mhd.get_connection_info(
        x->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *sa = info ? info->client_addr : NULL;
    socklen_t len = sa && sa->sa_family == AF_INET6
                        ? sizeof(struct sockaddr_in6)
                        : sizeof(struct sockaddr_in);
    if (!sa ||
        getnameinfo(sa, len, x->peer, sizeof x->peer, NULL, 0, NI_NUMERICHOST))
        x->peer[0] = 0;
}

static struct exchange *exchange_new(struct server *s,
                                     struct MHD_Connection *connection,
                                     const char *method, const char *path) {
    struct err e;
    struct exchange *x = mem_zalloc(1, sizeof *x, &e);
    if (!x) return NULL;
    x->server = s;
    x->connection = connection;
    x->body = BUF_MAX(s->config.body_max);
    x->link = &s->open;
    x->next = s->open;
    if (x->next) x->next->link = &x->next;
    s->open = x;
    x->method = mem_dup(method, strlen(method), &e);
    x->path = mem_dup(path, strlen(path), &e);
    if (!x->method || !x->path) {
        exchange_free(x);
        return NULL;
    }
    describe_peer(x);
    return x;
}

static void refuse_body(struct exchange *x) {
    struct err e;
    (void)exchange_answer(x, MHD_HTTP_CONTENT_TOO_LARGE, NULL,
                          STR("request body too large\n"), &e);
}

/* A body that is a little too long is read to its end, so that the client hears
 * why it was refused; one that is absurd is not waited for. */
static bool is_absurd(const struct exchange *x) {
    str announced = exchange_header(x, "Content-Length");
    uint64_t n;
    struct err e;
    return announced.p && num_parse_u64(announced, &n, &e) == 0 &&
           n > x->server->config.body_max + DRAINED;
}

static enum MHD_Result queue(struct exchange *x) {
    const struct microhttpd *mhd = &x->server->mhd;
    struct MHD_Response *response = x->response;
    x->response = NULL;
    enum MHD_Result r = mhd->queue_response(x->connection, x->status, response);
    mhd->destroy_response(response);
    return r;
}

/* What an announcement of some size costs is bounded. */
static void make_room(struct exchange *x) {
    str announced = exchange_header(x, "Content-Length");
    uint64_t n;
    struct err e;
    if (announced.p && num_parse_u64(announced, &n, &e) == 0 && n <= RESERVED)
        (void)buf_reserve(&x->body, (size_t)n, &e);
}

static bool has_long_body(const struct exchange *x) {
    str announced = exchange_header(x, "Content-Length");
    uint64_t n;
    struct err e;
    if (!announced.p) return exchange_header(x, "Transfer-Encoding").p != NULL;
    return num_parse_u64(announced, &n, &e) || n > SHORT_BODY;
}

/* Before the body; libmicrohttpd closes a connection that is answered here. It
 * comes back here after a resume, with the body yet to come. */
static enum MHD_Result begin(struct exchange *x) {
    const struct server_config *c = &x->server->config;
    if (is_absurd(x)) {
        refuse_body(x);
        if (!x->response) return MHD_NO;
    } else if (x->screen == UNSEEN && c->screen && has_long_body(x)) {
        x->screen = SCREENED;
        c->screen(c->data, x);
    }
    if (x->response) {
        x->handled = true;
        return queue(x);
    }
    x->at_headers = x->screen == SCREENED;
    if (x->at_headers)
        suspend(x);
    else
        make_room(x);
    return MHD_YES;
}

/* libmicrohttpd calls this first with the headers, then with each piece of the
 * body, then with none, and after a resume once more. */
static enum MHD_Result on_access(void *data, struct MHD_Connection *connection,
                                 const char *url, const char *method,
                                 const char *version, const char *upload,
                                 size_t *upload_len, void **state) {
    (void)version;
    struct exchange *x = *state;
    if (!x) {
        *state = x = exchange_new(data, connection, method, url);
        return x ? begin(x) : MHD_NO;
    }
    if (x->at_headers) return begin(x);
    if (*upload_len) {
        struct err e;
        if (!x->too_large && buf_add(&x->body, upload, *upload_len, &e)) {
            x->too_large = true;
            buf_fini(&x->body);
        }
        *upload_len = 0;
        return MHD_YES;
    }
    if (!x->handled) {
        x->handled = true;
        if (x->too_large)
            refuse_body(x);
        else
            x->server->config.handle(x->server->config.data, x);
    }
    if (!x->response) {
        suspend(x);
        return MHD_YES;
    }
    return queue(x);
}

static void on_completed(void *data, struct MHD_Connection *connection,
                         void **state, enum MHD_RequestTerminationCode why) {
    (void)data, (void)connection, (void)why;
    struct exchange *x = *state;
    if (!x) return;
    *state = NULL;
    if (x->gone && !x->ended) x->gone(x->gone_data);
    exchange_free(x);
}

/* -- starting and stopping --------------------------------------------------
 */

/* "host:port" or "[v6]:port" into parts. */
static int split_address(const char *address, char host[256], char port[8],
                         struct err *e) {
    const char *colon = strrchr(address, ':');
    size_t host_len = colon ? (size_t)(colon - address) : 0;
    if (!colon || strlen(colon + 1) > 5 || !colon[1] || host_len >= 256)
        return fail(e, ERR_INVALID, "address '%s' is not HOST:PORT", address);
    bool bracketed = host_len >= 2 && address[0] == '[' && colon[-1] == ']';
    (void)snprintf(host, 256, "%.*s", (int)(host_len - (bracketed ? 2 : 0)),
                   address + (bracketed ? 1 : 0));
    (void)snprintf(port, 8, "%s", colon + 1);
    uint64_t number;
    if (num_parse_u64(str_of(port), &number, e) || number > 65535)
        return fail(e, ERR_INVALID, "address '%s': %s is no port", address,
                    port);
    return 0;
}

static int bind_one(const struct addrinfo *ai, struct err *e) {
    AUTO_FD int fd =
        socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return fail_sys(e, "socket");
    int on = 1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, ai->ai_addr, ai->ai_addrlen)) return fail_sys(e, "bind");
    if (listen(fd, BACKLOG)) return fail_sys(e, "listen");
    return fd_take(&fd);
}

static int listen_on(const char *address, struct err *e) {
    char host[256], port[8];
    if (split_address(address, host, port, e)) return -1;
    struct addrinfo want = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *list = NULL;
    int r = getaddrinfo(*host ? host : NULL, port, &want, &list);
    if (r)
        return fail(e, ERR_INVALID, "address '%s': %s", address,
                    gai_strerror(r));
    int fd = bind_one(list, e);
    freeaddrinfo(list);
    if (fd < 0) return fail_while(e, "listen on %s", address);
    return fd;
}

static unsigned port_of(int fd) {
    struct sockaddr_storage sa;
    socklen_t len = sizeof sa;
    if (getsockname(fd, (struct sockaddr *)&sa, &len)) return 0;
    return sa.ss_family == AF_INET6
               ? ntohs(((struct sockaddr_in6 *)&sa)->sin6_port)
               : ntohs(((struct sockaddr_in *)&sa)->sin_port);
}

static void quiet(void *data, const char *fmt, va_list ap) {
    (void)data, (void)fmt, (void)ap; /* a client's mistakes are not our log */
}

static struct MHD_Daemon *start_daemon(struct server *s, int fd) {
    const struct server_config *c = &s->config;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)c->key_pem},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)c->cert_pem},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                     MHD_USE_ERROR_LOG | (c->cert_pem ? MHD_USE_TLS : 0);
    return s->mhd.start_daemon(
        flags, 0, NULL, NULL, on_access, s, MHD_OPTION_EXTERNAL_LOGGER, quiet,
        NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, NULL, MHD_OPTION_CONNECTION_LIMIT, c->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, c->idle_s,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_ARRAY, c->cert_pem ? tls : &tls[2], MHD_OPTION_END);
}

static int load(struct microhttpd *out, struct err *e) {
    static const struct library_symbol symbols[] = {
#define FUNCTION(name) {"MHD_" #name, offsetof(struct microhttpd, name)},
#include "io/microhttpd.def"
#undef FUNCTION
        {NULL, 0}};
    return library_load(LIBMICROHTTPD, symbols, out, e);
}

static int start(struct server *s, struct err *e) {
    AUTO_FD int fd = listen_on(s->config.address, e);
    if (fd < 0 || load(&s->mhd, e)) return -1;
    s->port = port_of(fd);
    s->daemon = start_daemon(s, fd);
    if (!s->daemon)
        return fail(e, ERR_INVALID, "HTTP server on %s did not start%s",
                    s->config.address,
                    s->config.cert_pem ? ": certificate or key not usable"
                                       : "");
    fd_take(&fd); /* the daemon closes it */
    const union MHD_DaemonInfo *info =
        s->mhd.get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    s->watch.fd = info->epoll_fd;
    return loop_watch(s->loop, &s->watch, EPOLLIN, e);
}

struct server *server_new(struct loop *loop, const struct server_config *config,
                          struct err *e) {
    struct server *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->loop = loop;
    s->config = *config;
    if (!s->config.body_max) s->config.body_max = DEFAULT_BODY;
    if (!s->config.connections) s->config.connections = DEFAULT_CONNECTIONS;
    if (!s->config.idle_s) s->config.idle_s = DEFAULT_IDLE_S;
    s->watch = (struct io_watch){.fd = -1, .fn = on_ready, .data = s};
    s->timer = (struct io_timer){.fn = on_timer, .data = s};
    s->wake = (struct io_task){.fn = on_wake, .data = s};
    if (start(s, e)) {
        server_free(s);
        return NULL;
    }
    return s;
}

unsigned server_port(const struct server *s) {
    return s->port;
}

void server_quiesce(struct server *s) {
    int fd = s->mhd.quiesce_daemon(s->daemon);
    fd_auto_close(&fd);
}

/* libmicrohttpd refuses to stop while connections are suspended. */
void server_free(struct server *s) {
    if (!s) return;
    for (struct exchange *x = s->open; x; x = x->next)
        if (x->suspended) {
            x->suspended = false;
            loop_unwatch(&x->hangup);
            s->mhd.resume_connection(x->connection);
        }
    loop_unwatch(&s->watch);
    loop_timer_stop(&s->timer);
    loop_unpost(s->loop, &s->wake);
    if (s->daemon) s->mhd.stop_daemon(s->daemon);
    assert(!s->open);
    mem_free(s);
}

/* -- the request ------------------------------------------------------------
 */

str exchange_method(const struct exchange *x) {
    return str_of(x->method);
}

str exchange_path(const struct exchange *x) {
    return str_of(x->path);
}

str exchange_body(const struct exchange *x) {
    return buf_str(&x->body);
}

str exchange_peer(const struct exchange *x) {
    return str_of(x->peer);
}

static str lookup(const struct exchange *x, enum MHD_ValueKind kind,
                  const char *name) {
    const char *value = NULL;
    size_t len = 0;
    if (x->server->mhd.lookup_connection_value_n(
            x->connection, kind, name, strlen(name), &value, &len) != MHD_YES)
        return (str){NULL, 0};
    return (str){value ? value : "", len};
}

str exchange_query(const struct exchange *x, const char *name) {
    return lookup(x, MHD_GET_ARGUMENT_KIND, name);
}

str exchange_header(const struct exchange *x, const char *name) {
    return lookup(x, MHD_HEADER_KIND, name);
}

void exchange_read_on(struct exchange *x) {
    x->screen = LET_IN;
    resume(x);
}

void exchange_on_gone(struct exchange *x, void (*gone)(void *data),
                      void *data) {
    x->gone = gone;
    x->gone_data = data;
}

void exchange_on_end(struct exchange *x, void (*end)(void *data), void *data) {
    x->end = end;
    x->end_data = data;
}

/* -- the answer -------------------------------------------------------------
 */

static int set_response(struct exchange *x, unsigned status,
                        const struct http_header *headers,
                        struct MHD_Response *response, struct err *e) {
    const struct microhttpd *mhd = &x->server->mhd;
    if (!response) return fail(e, ERR_MEMORY, "no memory for an HTTP answer");
    for (; headers && headers->name; headers++) {
        if (mhd->add_response_header(response, headers->name, headers->value) ==
            MHD_YES)
            continue;
        mhd->destroy_response(response);
        return fail(e, ERR_INVALID, "header '%s' cannot be sent",
                    headers->name);
    }
    x->response = response;
    x->status = status;
    resume(x);
    return 0;
}

int exchange_answer(struct exchange *x, unsigned status,
                    const struct http_header *headers, str body,
                    struct err *e) {
    assert(!x->response && !x->streaming);
    struct MHD_Response *r = x->server->mhd.create_response_from_buffer(
        body.n, (void *)(uintptr_t)body.p, MHD_RESPMEM_MUST_COPY);
    if (set_response(x, status, headers, r, e)) return -1;
    x->ended = true;
    return 0;
}

static ssize_t give_block(void *data, uint64_t pos, char *out, size_t max) {
    (void)pos;
    struct exchange *x = data;
    if (!x->backlog.len && x->ended)
        return x->cut ? MHD_CONTENT_READER_END_WITH_ERROR
                      : MHD_CONTENT_READER_END_OF_STREAM;
    if (!x->backlog.len) {
        suspend(x);
        return 0;
    }
    size_t n = x->backlog.len < max ? x->backlog.len : max;
    memcpy(out, x->backlog.data, n);
    buf_consume(&x->backlog, n);
    return (ssize_t)n;
}

int exchange_stream(struct exchange *x, unsigned status,
                    const struct http_header *headers, size_t backlog_max,
                    struct err *e) {
    assert(!x->response && !x->streaming);
    struct MHD_Response *r = x->server->mhd.create_response_from_callback(
        MHD_SIZE_UNKNOWN, STREAM_BLOCK, give_block, x, NULL);
    x->backlog = BUF_MAX(backlog_max);
    if (set_response(x, status, headers, r, e)) return -1;
    x->streaming = true;
    return 0;
}

int exchange_send(struct exchange *x, str bytes, struct err *e) {
    assert(x->streaming && !x->ended);
    if (buf_add_str(&x->backlog, bytes, e))
        return fail_while(e, "the client does not read its stream");
    resume(x);
    return 0;
}

void exchange_end(struct exchange *x) {
    x->ended = true;
    resume(x);
}

void exchange_cut(struct exchange *x) {
    assert(x->streaming);
    x->cut = true;
    exchange_end(x);
}
