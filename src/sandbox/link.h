/* SPDX-License-Identifier: MIT
 *
 * link -- one connection through the proxy, while it is served.
 */
#ifndef CORDON_SANDBOX_LINK_H
#define CORDON_SANDBOX_LINK_H

#include "base/buf.h"
#include "sandbox/cage.h"
#include "sandbox/egress.h"
#include "sandbox/tls.h"

#include <stdatomic.h>
#include <sys/types.h>

/* Counted by all connections of a task together. */
struct link_quota {
    _Atomic uint64_t bytes, requests;
};

struct link {
    const struct cage *cage;
    const struct egress_rule *rules;
    size_t rule_count;
    struct link_quota *quota; /* shared memory */
    int client, server;       /* server is -1 until link_connect */
    struct tls *tls;          /* for hosts with a credential; or NULL */
    struct tls_session *inner, *outer; /* with client and server; or NULL */
    struct cage_egress event;          /* what will be told of it */
};

/* May the task go there? Decides, resolves, checks the addresses and
 * connects to one of those that were checked. The reason for a no is in the
 * event and in *e. */
int link_connect(struct link *l, str host, uint64_t port, struct err *e);

/* Whole buffers, with a time limit; a peer that stalls is an error. */
int link_send(struct link *l, int fd, str data, struct err *e);
/* Adds what comes next to b (at most room bytes); 0 at the end. */
ssize_t link_recv(struct link *l, int fd, struct buf *b, size_t room,
                  struct err *e);

/* Both ways until both ended. `first` was already read from the client. */
int link_relay(struct link *l, str first, struct err *e);
/* Only what the server says. */
int link_drain(struct link *l, struct err *e);

/* The header that the host of the event gets; NULL where there is none. */
const struct cage_credential *link_credential(const struct link *l);

/* Lets the bytes of a tunnel pass: on port 443 they must be TLS, and a server
 * name must be the one that was asked for. */
int link_tunnel(struct link *l, str first, struct err *e);

int link_no(struct link *l, struct err *e, const char *why);

/* The protocols. */
int link_http(struct link *l, struct err *e);
int link_socks(struct link *l, struct err *e);

/* A tunnel that is TLS, to a host with a credential: looked into. */
int link_intercept(struct link *l, struct err *e);

#endif
