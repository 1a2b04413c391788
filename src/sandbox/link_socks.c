/* SPDX-License-Identifier: MIT
 *
 * SOCKS5 (RFC 1928): no authentication, CONNECT only.
 */
#include <arpa/inet.h>
#include <string.h>

#include "sandbox/link.h"

enum {
    VERSION = 5,
    COMMAND_CONNECT = 1,
    TYPE_V4 = 1,
    TYPE_NAME = 3,
    TYPE_V6 = 4,
    REPLY_OK = 0,
    REPLY_REFUSED = 2,
    REPLY_NO_COMMAND = 7,
};

/* Reads until b has n bytes. */
static int need(struct link *l, struct buf *b, size_t n, struct err *e) {
    while (b->len < n) {
        ssize_t got = link_recv(l, l->client, b, n - b->len, e);
        if (got < 0) return -1;
        if (got == 0) return fail(e, ERR_PEER, "SOCKS request cut short");
    }
    return 0;
}

static unsigned byte(const struct buf *b, size_t i) {
    return (unsigned char)b->data[i];
}

static int reply(struct link *l, unsigned code, struct err *e) {
    const char text[] = {VERSION, (char)code, 0, TYPE_V4, 0, 0, 0, 0, 0, 0};
    return link_send(l, l->client, (str){text, sizeof text}, e);
}

static int greet(struct link *l, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(257);
    if (need(l, &b, 2, e) || need(l, &b, 2 + byte(&b, 1), e)) return -1;
    if (byte(&b, 0) != VERSION) return link_no(l, e, "not SOCKS5");
    return link_send(l, l->client, (str){"\x05\x00", 2}, e);
}

/* The address in the request as text; *b holds the request up to its port. */
static int read_target(struct link *l, struct buf *b, char host[256],
                       struct err *e) {
    if (need(l, b, 5, e)) return -1;
    unsigned type = byte(b, 3);
    size_t size = type == TYPE_V4 ? 4 : type == TYPE_V6 ? 16 : byte(b, 4);
    size_t at = type == TYPE_NAME ? 5 : 4;
    if (need(l, b, at + size + 2, e)) return -1;
    const char *p = b->data + at;
    if (type == TYPE_V4 || type == TYPE_V6) {
        int family = type == TYPE_V4 ? AF_INET : AF_INET6;
        return inet_ntop(family, p, host, 256) ? 0 : fail_sys(e, "address");
    }
    if (type != TYPE_NAME || memchr(p, 0, size))
        return link_no(l, e, "not a SOCKS address");
    memcpy(host, p, size);
    host[size] = 0;
    return 0;
}

int link_socks(struct link *l, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(600);
    char host[256];
    if (greet(l, e) || read_target(l, &b, host, e)) return -1;
    uint64_t port = byte(&b, b.len - 2) << 8 | byte(&b, b.len - 1);
    if (byte(&b, 1) != COMMAND_CONNECT) {
        (void)reply(l, REPLY_NO_COMMAND, e);
        return link_no(l, e, "only CONNECT");
    }
    if (link_connect(l, str_of(host), port, e)) {
        struct err ignored;
        (void)reply(l, REPLY_REFUSED, &ignored);
        return -1;
    }
    if (reply(l, REPLY_OK, e)) return -1;
    return link_tunnel(l, (str){"", 0}, e);
}
