/* SPDX-License-Identifier: MIT
 *
 * client -- HTTP requests in the loop (libcurl's multi interface).
 *
 * Nothing is followed, trusted or unbounded by default: no redirects, http and
 * https only, certificates verified, a limit on the answer's size, on its
 * headers and on every kind of waiting. The guard decides about each address
 * after name resolution and before a connection is made, so a name that
 * resolves to a private address (rebinding included) is refused there.
 */
#ifndef CORDON_IO_CLIENT_H
#define CORDON_IO_CLIENT_H

#include "base/buf.h"
#include "io/loop.h"
#include "io/server.h" /* struct http_header */

#include <sys/socket.h>

struct client;
struct request;

/* What happened to a request. Any of the functions may be NULL except done. */
struct request_events {
    /* Status and all headers are there. */
    void (*headers)(void *data, struct request *r, unsigned status);
    /* A piece of the body; with this set the body is not collected. A non-zero
     * return ends the request. */
    int (*body)(void *data, struct request *r, str piece);
    /* The end, called once: e is NULL when the answer is complete, whatever its
     * status. Afterwards the request is freed. */
    void (*done)(void *data, struct request *r, const struct err *e);
};

struct request_spec {
    const char *method; /* NULL: GET, or POST with a body */
    const char *url;
    const struct http_header *headers; /* ends with a NULL name; may be NULL */
    str body;
    size_t answer_max;   /* collected bytes; 0: 16 MiB */
    int64_t timeout_ns;  /* for the whole; 0: 60 s; negative: none (a stream) */
    int64_t idle_ns;     /* silence that ends a stream; 0: 300 s */
    int64_t connect_ns;  /* 0: 10 s */
    const char *proxy;   /* NULL: none; the environment is not consulted */
    const char *ca_file; /* NULL: the system's */
    /* false refuses the address; NULL: every address is allowed. */
    bool (*guard)(void *data, const struct sockaddr *address);
    const struct request_events *events;
    void *data;
};

struct client *client_new(struct loop *loop, struct err *e);
void client_free(struct client *c); /* running requests end without a word */

/* Starts; everything in the spec but data and events is copied. */
struct request *client_start(struct client *c, const struct request_spec *spec,
                             struct err *e);

/* Ends it now; done is not called. Allowed in any callback but its own done. */
void request_cancel(struct request *r);

unsigned request_status(const struct request *r);
str request_header(const struct request *r,
                   const char *name); /* p NULL: none */
/* Appends all headers of that name, with ", " between them. */
int request_header_all(const struct request *r, const char *name,
                       struct buf *out, struct err *e);
str request_answer(const struct request *r); /* the collected body */

/* SHA-256 of the public key (SubjectPublicKeyInfo, in hexadecimal) with which
 * the host of a URL proved itself at the newest handshake; NULL: there was
 * none. Good until the next request. */
const char *client_certificate(const struct client *c, const char *url);

/* From now on the host of an https URL must prove itself with this key (in
 * hexadecimal, as above; NULL: with any): else the handshake fails and nothing
 * is sent. Connections that are open stay. */
int client_expect_key(struct client *c, const char *url, const char *key,
                      struct err *e);

/* A guard that refuses loopback, private, link-local, multicast, metadata and
 * all other addresses that are not on the public Internet. */
bool guard_public_only(void *data, const struct sockaddr *address);

#endif
