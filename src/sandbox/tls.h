/* SPDX-License-Identifier: MIT
 *
 * tls -- the two ends of a TLS connection that the proxy looks into.
 *
 * Only for hosts that have a credential: the proxy is the server to the task,
 * with a certificate of an authority that was made for this one sandbox, and
 * the client to the real server, whose certificate is verified as any other
 * program would. The task trusts the authority by a file among its own; its
 * key never leaves the supervisor and the proxy.
 */
#ifndef CORDON_SANDBOX_TLS_H
#define CORDON_SANDBOX_TLS_H

#include "base/buf.h"

#include <sys/types.h>

struct tls_ca;
struct tls;
struct tls_session;

/* The calls, as a table, because the lean program has no TLS: it would start
 * half as fast. Who links it in gives a cage &tls_openssl. */
struct tls_way {
    /* The authority of one sandbox, and what the task is to trust: the
     * machine's authorities and this one, as the text of a file. */
    int (*ca_new)(struct tls_ca **out, struct err *e);
    void (*ca_free)(struct tls_ca *ca); /* NULL is fine */
    int (*ca_bundle)(const struct tls_ca *ca, struct buf *out, struct err *e);

    /* The proxy's side, made before it is locked. */
    int (*start)(const struct tls_ca *ca, struct tls **out, struct err *e);

    /* One connection each; the descriptor stays the caller's. */
    int (*accept)(struct tls *t, int fd, const char *host,
                  struct tls_session **out, struct err *e);
    int (*connect)(struct tls *t, int fd, const char *host,
                   struct tls_session **out, struct err *e);
    void (*end)(struct tls_session *s); /* says goodbye; NULL is fine */

    /* A peer that stalls is an error. 0 of read is the end. */
    int (*write)(struct tls_session *s, str data, struct err *e);
    ssize_t (*read)(struct tls_session *s, void *to, size_t room,
                    struct err *e);
};

extern const struct tls_way tls_openssl;

#endif
