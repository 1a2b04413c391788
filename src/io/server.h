/* SPDX-License-Identifier: MIT
 *
 * server -- HTTP/1.1 in the loop (libmicrohttpd inside our epoll).
 *
 * A request reaches the handler with its whole body, which is bounded; a long
 * one is read only for whom the screener lets send it. The handler answers at
 * once or later, with one body or with a stream (SSE) whose backlog is bounded
 * too: a client that does not read loses the stream, it does not grow us. Who
 * may ask is not decided here: see gateway.
 */
#ifndef CORDON_IO_SERVER_H
#define CORDON_IO_SERVER_H

#include "base/buf.h"
#include "io/loop.h"

struct server;
struct exchange; /* one request and its answer */

struct server_config {
    const char *address;  /* "127.0.0.1:8080", "[::1]:0", "localhost:8080" */
    const char *cert_pem; /* contents of the files; both or neither */
    const char *key_pem;
    size_t body_max;      /* 0: 16 MiB */
    unsigned connections; /* 0: 1000 */
    unsigned idle_s;      /* silence that ends a connection; 0: 60 */
    void (*handle)(void *data, struct exchange *x);
    /* Sees a request with a long body (or one of unknown length) when only its
     * headers are there. It answers, and the body is not read and the
     * connection closed, or calls exchange_read_on; at once or later. NULL:
     * every body is read. */
    void (*screen)(void *data, struct exchange *x);
    void *data;
};

/* Binds and starts answering. The error says what is wrong: address in use, no
 * such host, certificate not usable. */
struct server *server_new(struct loop *loop, const struct server_config *config,
                          struct err *e);
unsigned server_port(const struct server *s);

/* Accepts no more; what is being answered goes on. */
void server_quiesce(struct server *s);
void server_free(struct server *s); /* open exchanges are told gone */

/* -- the request ------------------------------------------------------------
 */

str exchange_method(const struct exchange *x);
str exchange_path(const struct exchange *x); /* decoded, without the query */
str exchange_query(const struct exchange *x, const char *name);
str exchange_header(const struct exchange *x, const char *name);
str exchange_body(const struct exchange *x); /* p is NULL for absent ones */
str exchange_peer(const struct exchange *x); /* the client's address */

/* Of a screener: the body may come, and then the handler is called. */
void exchange_read_on(struct exchange *x);

/* Told once if the client goes away before the answer is complete; afterwards
 * the exchange may not be used. */
void exchange_on_gone(struct exchange *x, void (*gone)(void *data), void *data);

/* Told once when the exchange is over, however it ended. */
void exchange_on_end(struct exchange *x, void (*end)(void *data), void *data);

/* -- the answer -------------------------------------------------------------
 */

struct http_header {
    const char *name, *value;
};

/* headers end with a NULL name and may be NULL. The exchange ends. */
int exchange_answer(struct exchange *x, unsigned status,
                    const struct http_header *headers, str body, struct err *e);

/* Sends the headers and leaves the body open. */
int exchange_stream(struct exchange *x, unsigned status,
                    const struct http_header *headers, size_t backlog_max,
                    struct err *e);

/* Queues bytes of an open stream; ERR_LIMIT when the client is too slow. A
 * machine that vanished is noticed only when something is sent: send a comment
 * (": ping") every now and then. */
int exchange_send(struct exchange *x, str bytes, struct err *e);

/* Ends the body once everything queued is out. The exchange ends. */
void exchange_end(struct exchange *x);

/* Ends a stream in the middle: what is queued goes out, and the client sees
 * that it was not all. The exchange ends. */
void exchange_cut(struct exchange *x);

#endif
