/* SPDX-License-Identifier: MIT
 *
 * proxy -- the only way out of a sandbox with an egress list.
 *
 * A process of its own, outside of the sandbox, that answers a socket which
 * was made inside (net.c). It speaks HTTP CONNECT, plain HTTP and SOCKS5 on
 * the one port, and forks for each connection, so that one that misbehaves
 * harms no other. Every attempt is told as an event.
 */
#ifndef CORDON_SANDBOX_PROXY_H
#define CORDON_SANDBOX_PROXY_H

#include "sandbox/cage.h"

#include <sys/types.h>

struct proxy {
    pid_t pid;  /* leads a process group of its own */
    int events; /* struct cage_egress records arrive here */
};

#define PROXY_NONE ((struct proxy){.pid = -1, .events = -1})

/* In the proxy: only the calls it needs from now on. */
int proxy_lock(struct err *e);

/* Takes the listener. ca is the sandbox's authority, NULL where no host has a
 * credential. */
struct tls_ca;
int proxy_start(const struct cage *c, const struct tls_ca *ca, int listener,
                struct proxy *out, struct err *e);

/* 1 and an event, 0 when there is none now, -1 at the end. */
int proxy_event(const struct proxy *p, struct cage_egress *out);

/* No new connections; those being served may come to their end and tell it,
 * which the end of the events (-1 above) shows. */
void proxy_quit(const struct proxy *p);

void proxy_stop(struct proxy *p);

#endif
