/* SPDX-License-Identifier: MIT
 *
 * Deciding, connecting and carrying bytes.
 */
#include "sandbox/link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "sandbox/dns.h"
#include "sandbox/sni.h"

enum { CONNECT_MS = 10000, STALL_MS = 15000, IDLE_MS = 60000, CHUNK = 16384 };

int link_no(struct link *l, struct err *e, const char *why) {
    l->event.allowed = false;
    snprintf(l->event.reason, sizeof l->event.reason, "%s", why);
    return fail(e, ERR_DENIED, "%s", why);
}

/* It was let through, and ended before its time. */
static int cut(struct link *l, struct err *e, const char *why) {
    snprintf(l->event.reason, sizeof l->event.reason, "%s", why);
    return fail(e, ERR_LIMIT, "%s", why);
}

/* --- where to --- */

static bool listed(const struct link *l) {
    for (size_t i = 0; i < l->rule_count; i++)
        if (egress_match(&l->rules[i], l->event.host, l->event.port))
            return true;
    return false;
}

/* All of them must be public: a name with one private address is either a
 * mistake or an attempt, and which one is tried first is chance. */
static int check_addresses(struct link *l, const struct dns_answer *a,
                           struct err *e) {
    if (a->count == 0) return link_no(l, e, "the name has no address");
    for (size_t i = 0; i < a->count; i++)
        if (!egress_public(a->list[i].bytes, a->list[i].size))
            return link_no(l, e, "the name leads to a private address");
    return 0;
}

static int wait_for(int fd, short what, int ms) {
    struct pollfd p = {fd, what, 0};
    int rc;
    do
        rc = poll(&p, 1, ms);
    while (rc < 0 && errno == EINTR);
    return rc;
}

static int dial(const struct dns_address *a, uint16_t port) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6,
                              .sin6_port = htons(port)};
    memcpy(&v4.sin_addr, a->bytes, 4);
    memcpy(&v6.sin6_addr, a->bytes, 16);
    bool six = a->size == 16;
    AUTO_FD int fd = socket(six ? AF_INET6 : AF_INET,
                            SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    int rc = connect(fd, six ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4,
                     six ? sizeof v6 : sizeof v4);
    if (rc < 0 && errno != EINPROGRESS) return -1;
    int problem = 0;
    socklen_t size = sizeof problem;
    if (wait_for(fd, POLLOUT, CONNECT_MS) <= 0 ||
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size) < 0 || problem)
        return -1;
    return fd_take(&fd);
}

int link_connect(struct link *l, str host, uint64_t port, struct err *e) {
    snprintf(l->event.host, sizeof l->event.host, "%.*s", STR_ARG(host));
    if (port == 0 || port > 65535) return link_no(l, e, "not a port");
    l->event.port = (uint16_t)port;
    if (egress_canonical(host, l->event.host, e))
        return link_no(l, e, "not a host name");
    if (!listed(l)) return link_no(l, e, "not on the egress list");
    struct dns_answer a;
    if (dns_resolve(l->event.host, &a, e))
        return link_no(l, e, "the name does not resolve");
    if (check_addresses(l, &a, e)) return -1;
    for (size_t i = 0; i < a.count && l->server < 0; i++)
        l->server = dial(&a.list[i], l->event.port);
    if (l->server < 0) return link_no(l, e, "no connection");
    l->event.allowed = true;
    return 0;
}

/* --- bytes --- */

static int spend(struct link *l, size_t n, struct err *e) {
    uint64_t before = atomic_fetch_add(&l->quota->bytes, n);
    if (before + n > l->cage->limits.traffic)
        return cut(l, e, "traffic limit reached");
    return 0;
}

int link_send(struct link *l, int fd, str data, struct err *e) {
    if (fd == l->server) {
        if (spend(l, data.n, e)) return -1;
        l->event.sent += data.n;
    }
    struct tls_session *session = fd == l->server ? l->outer : l->inner;
    if (session) return l->cage->tls->write(session, data, e);
    while (data.n) {
        if (wait_for(fd, POLLOUT, STALL_MS) <= 0)
            return fail(e, ERR_TIMEOUT, "peer does not read");
        ssize_t n = send(fd, data.p, data.n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0) return fail_sys(e, "send");
        data = str_sub(data, (size_t)n, data.n);
    }
    return 0;
}

static ssize_t receive(struct link *l, int fd, char *to, size_t room,
                       struct err *e) {
    struct tls_session *session = fd == l->server ? l->outer : l->inner;
    if (session) return l->cage->tls->read(session, to, room, e);
    if (wait_for(fd, POLLIN, STALL_MS) <= 0)
        return fail(e, ERR_TIMEOUT, "peer is silent");
    ssize_t n;
    do
        n = recv(fd, to, room, 0);
    while (n < 0 && errno == EINTR);
    return n < 0 ? fail_sys(e, "receive") : n;
}

ssize_t link_recv(struct link *l, int fd, struct buf *b, size_t room,
                  struct err *e) {
    char *to = buf_reserve(b, room, e);
    if (!to) return -1;
    ssize_t n = receive(l, fd, to, room, e);
    if (n < 0) return -1;
    buf_commit(b, (size_t)n);
    if (fd == l->server) {
        l->event.received += (uint64_t)n;
        if (spend(l, (size_t)n, e)) return -1;
    }
    return n;
}

/* One turn in one direction; 0 at its end. */
static ssize_t carry(struct link *l, int from, int to, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(CHUNK);
    ssize_t n = link_recv(l, from, &b, CHUNK, e);
    if (n > 0 && link_send(l, to, buf_str(&b), e)) return -1;
    if (n == 0) shutdown(to, SHUT_WR);
    return n;
}

int link_relay(struct link *l, str first, struct err *e) {
    if (first.n && link_send(l, l->server, first, e)) return -1;
    struct pollfd p[] = {{l->client, POLLIN, 0}, {l->server, POLLIN, 0}};
    while (p[0].fd >= 0 || p[1].fd >= 0) {
        int rc = poll(p, 2, IDLE_MS);
        if (rc < 0 && errno == EINTR) continue;
        if (rc <= 0) return cut(l, e, "idle for too long");
        for (int i = 0; i < 2; i++) {
            if (p[i].fd < 0 || !p[i].revents) continue;
            ssize_t n = carry(l, p[i].fd, i ? l->client : l->server, e);
            if (n < 0) return -1;
            if (n == 0) p[i].fd = -1;
        }
    }
    return 0;
}

int link_drain(struct link *l, struct err *e) {
    for (;;) {
        ssize_t n = carry(l, l->server, l->client, e);
        if (n <= 0) return (int)n;
    }
}

/* --- tunnels --- */

static int check_name(struct link *l, enum sni_answer answer, str name,
                      struct err *e) {
    bool web = l->event.port == 443;
    struct in6_addr scrap;
    bool address = inet_pton(AF_INET, l->event.host, &scrap) == 1 ||
                   inet_pton(AF_INET6, l->event.host, &scrap) == 1;
    char asked[EGRESS_HOST_SIZE];
    switch (answer) {
    case SNI_NOT_TLS: return web ? link_no(l, e, "not TLS") : 0;
    case SNI_MORE: return link_no(l, e, "the TLS hello never ended");
    case SNI_NONE:
        return address || !web ? 0 : link_no(l, e, "no server name in TLS");
    case SNI_FOUND: break;
    }
    if (egress_canonical(name, asked, e) || strcmp(asked, l->event.host) != 0)
        return link_no(l, e, "TLS asks for another server");
    return 0;
}

const struct cage_credential *link_credential(const struct link *l) {
    for (size_t i = 0; i < l->cage->credential_count; i++)
        if (strcmp(l->cage->credentials[i].host, l->event.host) == 0)
            return &l->cage->credentials[i];
    return NULL;
}

/* Something is put into what goes there. */
static bool has_secret(const struct link *l) {
    for (size_t i = 0; i < l->cage->token_count; i++)
        if (strcmp(l->cage->tokens[i].host, l->event.host) == 0) return true;
    return link_credential(l) != NULL;
}

/* Whether the client speaks first: a server that does (mail, ssh) would wait
 * for ever if we waited for the client. However late it comes, what the client
 * says first is looked at. */
static bool client_first(const struct link *l) {
    struct pollfd p[] = {{l->client, POLLIN, 0}, {l->server, POLLIN, 0}};
    int rc;
    do
        rc = poll(p, 2, IDLE_MS);
    while (rc < 0 && errno == EINTR);
    return rc <= 0 || p[0].revents;
}

/* What the client says next begins a TLS handshake. */
static bool speaks_tls(const struct link *l) {
    char byte = 0;
    if (l->event.port != 443 && !client_first(l)) return false;
    return wait_for(l->client, POLLIN, STALL_MS) > 0 &&
           recv(l->client, &byte, 1, MSG_PEEK) == 1 && byte == 22;
}

int link_tunnel(struct link *l, str first, struct err *e) {
    if (first.n == 0 && l->tls && has_secret(l) && speaks_tls(l))
        return link_intercept(l, e);
    AUTO_BUF struct buf hello = BUF_MAX(SNI_MAX_BYTES + CHUNK);
    if (buf_add_str(&hello, first, e)) return -1;
    str name = {0};
    /* On the web port the client speaks. */
    bool web = l->event.port == 443;
    if (!web && hello.len == 0 && !client_first(l))
        return link_relay(l, buf_str(&hello), e);
    int64_t until = clock_mono_ns() + STALL_MS * 1000000ll;
    enum sni_answer answer;
    while ((answer = sni_read(buf_str(&hello), &name)) == SNI_MORE) {
        if (hello.len >= SNI_MAX_BYTES || clock_mono_ns() > until) break;
        ssize_t n = link_recv(l, l->client, &hello, 4096, e);
        if (n < 0) return -1;
        if (n == 0) break;
    }
    if (check_name(l, answer, name, e)) return -1;
    return link_relay(l, buf_str(&hello), e);
}
