/* SPDX-License-Identifier: MIT
 *
 * A small stub resolver (RFC 1035).
 */
#include "sandbox/dns.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"

enum {
    HEADER = 12,
    TYPE_A = 1,
    TYPE_AAAA = 28,
    CLASS_IN = 1,
    RCODE_NO_NAME = 3,
    WAIT_MS = 3000,
    MAX_SERVERS = 3,
};

static void add_address(struct dns_answer *a, const uint8_t *bytes,
                        size_t size) {
    if (a->count == DNS_MAX_ADDRESSES) return;
    struct dns_address *at = &a->list[a->count++];
    at->size = (uint8_t)size;
    memcpy(at->bytes, bytes, size);
}

static bool add_text(struct dns_answer *a, const char *text) {
    uint8_t bytes[16];
    if (inet_pton(AF_INET, text, bytes) == 1)
        add_address(a, bytes, 4);
    else if (inet_pton(AF_INET6, text, bytes) == 1)
        add_address(a, bytes, 16);
    else
        return false;
    return true;
}

/* --- the hosts file --- */

static str next_word(str *line) {
    *line = str_trim(*line);
    size_t n = 0;
    while (n < line->n && line->p[n] != ' ' && line->p[n] != '\t')
        n++;
    str word = str_sub(*line, 0, n);
    *line = str_sub(*line, n, line->n);
    return word;
}

void dns_read_hosts(str text, const char *name, struct dns_answer *out) {
    while (text.n) {
        str line = str_cut(&text, '\n');
        line = str_cut(&line, '#');
        str address = next_word(&line);
        char copy[64];
        if (address.n >= sizeof copy) continue;
        memcpy(copy, address.p, address.n);
        copy[address.n] = 0;
        for (str word; (word = next_word(&line)).n;)
            if (str_eq_nocase(word, str_of(name))) (void)add_text(out, copy);
    }
}

/* --- messages --- */

size_t dns_query(const char *name, uint16_t id, bool v6,
                 uint8_t out[DNS_QUERY_SIZE]) {
    if (strlen(name) > 253) return 0;
    uint8_t *p = out;
    const uint8_t head[HEADER] = {(uint8_t)(id >> 8), (uint8_t)id, 1, 0, 0, 1};
    memcpy(p, head, HEADER);
    p += HEADER;
    for (str rest = str_of(name); rest.p;) {
        str label = str_cut(&rest, '.');
        if (label.n == 0 || label.n > 63) return 0;
        *p++ = (uint8_t)label.n;
        memcpy(p, label.p, label.n);
        p += label.n;
    }
    *p++ = 0;
    const uint8_t tail[] = {0, v6 ? TYPE_AAAA : TYPE_A, 0, CLASS_IN};
    memcpy(p, tail, sizeof tail);
    return (size_t)(p + sizeof tail - out);
}

struct reader {
    const uint8_t *p;
    size_t n, at;
};

static bool read_u16(struct reader *r, uint16_t *out) {
    if (r->n - r->at < 2) return false;
    *out = (uint16_t)(r->p[r->at] << 8 | r->p[r->at + 1]);
    r->at += 2;
    return true;
}

static bool skip(struct reader *r, size_t n) {
    if (r->n - r->at < n) return false;
    r->at += n;
    return true;
}

/* A name ends in a zero label or in a pointer; where the pointer leads is of
 * no interest. */
static bool skip_name(struct reader *r) {
    while (r->at < r->n) {
        uint8_t len = r->p[r->at++];
        if (len == 0) return true;
        if (len >= 0xc0) return skip(r, 1);
        if (len >= 0x40 || !skip(r, len)) return false;
    }
    return false;
}

static bool read_record(struct reader *r, bool v6, struct dns_answer *out) {
    uint16_t type, class, length;
    if (!skip_name(r) || !read_u16(r, &type) || !read_u16(r, &class) ||
        !skip(r, 4) || !read_u16(r, &length) || r->n - r->at < length)
        return false;
    size_t size = v6 ? 16 : 4;
    if (class == CLASS_IN && type == (v6 ? TYPE_AAAA : TYPE_A) &&
        length == size)
        add_address(out, r->p + r->at, size);
    return skip(r, length);
}

int dns_read(str reply, uint16_t id, bool v6, struct dns_answer *out,
             struct err *e) {
    struct reader r = {(const uint8_t *)reply.p, reply.n, 0};
    uint16_t got, flags, questions, answers;
    if (!read_u16(&r, &got) || !read_u16(&r, &flags) ||
        !read_u16(&r, &questions) || !read_u16(&r, &answers) || !skip(&r, 4) ||
        got != id || !(flags & 0x8000))
        return fail(e, ERR_PEER, "not a reply");
    if ((flags & 15) == RCODE_NO_NAME) return 0;
    if (flags & 15) return fail(e, ERR_PEER, "name server says %d", flags & 15);
    if (flags & 0x0200) return fail(e, ERR_PEER, "reply was cut");
    for (; questions; questions--)
        if (!skip_name(&r) || !skip(&r, 4))
            return fail(e, ERR_PEER, "malformed reply");
    for (; answers; answers--)
        if (!read_record(&r, v6, out))
            return fail(e, ERR_PEER, "malformed reply");
    return 0;
}

/* --- asking --- */

struct servers {
    struct sockaddr_storage list[MAX_SERVERS];
    size_t count;
};

static void add_server(struct servers *s, str text) {
    char copy[64];
    if (s->count == MAX_SERVERS || text.n >= sizeof copy) return;
    memcpy(copy, text.p, text.n);
    copy[text.n] = 0;
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(53)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(53)};
    if (inet_pton(AF_INET, copy, &v4.sin_addr) == 1)
        memcpy(&s->list[s->count++], &v4, sizeof v4);
    else if (inet_pton(AF_INET6, copy, &v6.sin6_addr) == 1)
        memcpy(&s->list[s->count++], &v6, sizeof v6);
}

static void read_servers(struct servers *s) {
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(64 << 10);
    if (!file_read("/etc/resolv.conf", &text, &e)) {
        for (str rest = buf_str(&text); rest.n;) {
            str line = str_cut(&rest, '\n');
            if (str_is(next_word(&line), "nameserver"))
                add_server(s, next_word(&line));
        }
    }
    if (s->count == 0) add_server(s, STR("127.0.0.1"));
}

/* The socket is connected: replies from elsewhere do not arrive. */
static int ask_one(const struct sockaddr_storage *server, const char *name,
                   bool v6, struct dns_answer *out, struct err *e) {
    uint8_t query[DNS_QUERY_SIZE], reply[4096];
    uint16_t id;
    if (hash_random(&id, sizeof id, e)) return -1;
    size_t n = dns_query(name, id, v6, query);
    if (!n) return fail(e, ERR_INVALID, "name too long");
    AUTO_FD int fd = socket(server->ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = server->ss_family == AF_INET ? sizeof(struct sockaddr_in)
                                                  : sizeof(struct sockaddr_in6);
    if (fd < 0 || connect(fd, (const struct sockaddr *)server, size) < 0 ||
        send(fd, query, n, 0) < 0)
        return fail_sys(e, "name server");
    struct pollfd wait = {fd, POLLIN, 0};
    if (poll(&wait, 1, WAIT_MS) <= 0)
        return fail(e, ERR_TIMEOUT, "name server is silent");
    ssize_t got = recv(fd, reply, sizeof reply, 0);
    if (got < 0) return fail_sys(e, "name server");
    return dns_read((str){(char *)reply, (size_t)got}, id, v6, out, e);
}

static int ask(const struct servers *s, const char *name, bool v6,
               struct dns_answer *out, struct err *e) {
    for (size_t i = 0; i < s->count; i++)
        if (!ask_one(&s->list[i], name, v6, out, e)) return 0;
    return -1;
}

int dns_resolve(const char *name, struct dns_answer *out, struct err *e) {
    struct dns_answer a = {.count = 0};
    struct err ignored;
    if (!add_text(&a, name)) {
        AUTO_BUF struct buf hosts = BUF_MAX(1 << 20);
        if (!file_read("/etc/hosts", &hosts, &ignored))
            dns_read_hosts(buf_str(&hosts), name, &a);
    }
    if (a.count == 0) {
        struct servers s = {.count = 0};
        read_servers(&s);
        /* One family is enough; both silent is an error. */
        int four = ask(&s, name, false, &a, e);
        int six = ask(&s, name, true, &a, four ? e : &ignored);
        if (four && six) return fail_while(e, "%s", name);
    }
    *out = a;
    return 0;
}
