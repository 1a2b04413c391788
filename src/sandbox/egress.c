/* SPDX-License-Identifier: MIT
 *
 * The egress list.
 */
#include "sandbox/egress.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/num.h"

/* --- names --- */

static bool name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

static bool label_ok(str label) {
    if (label.n == 0 || label.n > 63) return false;
    if (label.p[0] == '-' || label.p[label.n - 1] == '-') return false;
    for (size_t i = 0; i < label.n; i++)
        if (!name_char(label.p[i])) return false;
    return true;
}

/* A last label that starts with a digit is an address in some notation
 * (2130706433, 0x7f.1, 127.1): libraries disagree on them, so none is taken
 * but the one inet_pton knows. No top-level domain starts with a digit. */
static bool looks_numeric(str last) {
    return last.n && last.p[0] >= '0' && last.p[0] <= '9';
}

static bool name_ok(str name) {
    str last = name;
    for (str rest = name; rest.p;) {
        last = str_cut(&rest, '.');
        if (!label_ok(last)) return false;
    }
    return !looks_numeric(last);
}

static int lower(str host, char out[EGRESS_HOST_SIZE], struct err *e) {
    if (host.n == 0 || host.n >= EGRESS_HOST_SIZE - 1)
        return fail(e, ERR_INVALID, "not a host name: its length is %zu",
                    host.n);
    for (size_t i = 0; i < host.n; i++) {
        char c = host.p[i];
        out[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    out[host.n] = 0;
    return 0;
}

/* inet_pton takes exactly dotted-quad and RFC 4291 text; inet_ntop gives each
 * address one spelling. */
static bool canonical_address(const char *text, char out[EGRESS_HOST_SIZE]) {
    unsigned char bytes[16];
    if (inet_pton(AF_INET, text, bytes) == 1)
        return inet_ntop(AF_INET, bytes, out, EGRESS_HOST_SIZE) != NULL;
    if (inet_pton(AF_INET6, text, bytes) == 1)
        return inet_ntop(AF_INET6, bytes, out, EGRESS_HOST_SIZE) != NULL;
    return false;
}

int egress_canonical(str host, char out[EGRESS_HOST_SIZE], struct err *e) {
    char text[EGRESS_HOST_SIZE], address[EGRESS_HOST_SIZE];
    if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
        host = str_sub(host, 1, host.n - 1);
    if (lower(host, text, e)) return -1;
    if (canonical_address(text, address)) {
        memcpy(out, address, sizeof address);
        return 0;
    }
    size_t n = host.n;
    if (n > 1 && text[n - 1] == '.') text[--n] = 0;
    if (!name_ok((str){text, n}))
        return fail(e, ERR_INVALID, "not a host name: \"%.*s\"", STR_ARG(host));
    memcpy(out, text, sizeof text);
    return 0;
}

/* --- rules --- */

/* "[::1]:443" and "host:443"; without a port, 443. */
static int split_port(str text, str *host, uint16_t *port, struct err *e) {
    ptrdiff_t colon = -1;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == ':') colon = (ptrdiff_t)i;
    ptrdiff_t bracket = str_find_char(text, ']');
    *host = text;
    *port = 443;
    if (colon < 0 || colon < bracket) return 0;
    uint64_t n;
    if (num_parse_u64(str_sub(text, (size_t)colon + 1, text.n), &n, e) ||
        n == 0 || n > 65535)
        return fail(e, ERR_INVALID, "\"%.*s\": not a port", STR_ARG(text));
    *host = str_sub(text, 0, (size_t)colon);
    *port = (uint16_t)n;
    return 0;
}

int egress_parse(str text, struct egress_rule *out, struct err *e) {
    struct egress_rule r = {.below = false};
    str host;
    if (split_port(text, &host, &r.port, e)) return -1;
    if (str_starts(host, STR("*."))) {
        r.below = true;
        host = str_sub(host, 2, host.n);
        if (str_find_char(host, '.') < 0)
            return fail(e, ERR_INVALID, "\"%.*s\" covers a whole domain",
                        STR_ARG(text));
    }
    if (egress_canonical(host, r.host, e)) return fail_while(e, "egress rule");
    *out = r;
    return 0;
}

bool egress_match(const struct egress_rule *rule, const char *host,
                  uint16_t port) {
    if (rule->port != port) return false;
    if (!rule->below) return strcmp(rule->host, host) == 0;
    size_t n = strlen(host), tail = strlen(rule->host);
    return n > tail + 1 && host[n - tail - 1] == '.' &&
           strcmp(host + n - tail, rule->host) == 0;
}

/* --- addresses --- */

struct range {
    uint8_t address[16];
    unsigned bits;
};

static const struct range v4[] = {
    {{0}, 8},          /* this network */
    {{10}, 8},         /* private */
    {{100, 64}, 10},   /* carrier-grade NAT */
    {{127}, 8},        /* loopback */
    {{169, 254}, 16},  /* link-local; metadata services live here */
    {{172, 16}, 12},   /* private */
    {{192, 0, 0}, 24}, /* protocol assignments */
    {{192, 168}, 16},  /* private */
    {{198, 18}, 15},   /* benchmarks */
    {{224}, 3},        /* multicast, reserved, broadcast */
};

static const struct range v6[] = {
    {{0xfc}, 7},           /* private */
    {{0xfe, 0x80}, 9},     /* link-local and the old site-local */
    {{0xff}, 8},           /* multicast */
    {{0x01, 0x00}, 8},     /* discard, and the rest of 0100::/8 */
    {{0x20, 0x01, 0}, 23}, /* Teredo and other protocols */
};

static bool inside(const uint8_t *a, const struct range *r) {
    unsigned whole = r->bits / 8, rest = r->bits % 8;
    if (memcmp(a, r->address, whole) != 0) return false;
    if (!rest) return true;
    uint8_t mask = (uint8_t)(0xff << (8 - rest));
    return (a[whole] & mask) == (r->address[whole] & mask);
}

static bool public_v4(const uint8_t *a) {
    for (size_t i = 0; i < sizeof v4 / sizeof v4[0]; i++)
        if (inside(a, &v4[i])) return false;
    return true;
}

/* IPv6 addresses that carry an IPv4 one lead to it. */
static const struct {
    uint8_t prefix[12];
    unsigned bytes, at;
} carriers[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 12, 12}, /* mapped */
    {{0}, 12, 12},                   /* compatible; ::1 and :: too */
    {{0, 0x64, 0xff, 0x9b}, 12, 12}, /* NAT64 */
    {{0x20, 0x02}, 2, 2},            /* 6to4 */
};

bool egress_public(const uint8_t *a, size_t size) {
    if (size == 4) return public_v4(a);
    if (size != 16) return false;
    for (size_t i = 0; i < sizeof carriers / sizeof carriers[0]; i++)
        if (memcmp(a, carriers[i].prefix, carriers[i].bytes) == 0)
            return public_v4(a + carriers[i].at);
    for (size_t i = 0; i < sizeof v6 / sizeof v6[0]; i++)
        if (inside(a, &v6[i])) return false;
    return true;
}
