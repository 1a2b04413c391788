/* SPDX-License-Identifier: MIT */
#include "io/url.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

static bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c && strchr("-._~", c));
}

static int split_port(str authority, struct url *u, struct err *e) {
    if (authority.n && authority.p[0] == '[') {
        ptrdiff_t end = str_find_char(authority, ']');
        if (end < 0) return fail(e, ERR_INVALID, "no ']' in the host");
        u->host = str_sub(authority, 1, (size_t)end);
        authority = str_sub(authority, (size_t)end + 1, authority.n);
        (void)str_cut(&authority, ':');
    } else {
        u->host = str_cut(&authority, ':');
    }
    u->port = authority.p ? authority : STR("");
    uint64_t port = 0;
    if (u->port.n && (num_parse_u64(u->port, &port, e) || port > 65535))
        return fail(e, ERR_INVALID, "'%.*s' is no port", STR_ARG(u->port));
    return u->host.n ? 0 : fail(e, ERR_INVALID, "no host");
}

static bool has_odd_bytes(str s) {
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f || s.p[i] == '\\')
            return true;
    return false;
}

static str before_any(str *rest, const char *stops) {
    size_t n = 0;
    while (n < rest->n && !memchr(stops, rest->p[n], strlen(stops)))
        n++;
    str head = str_sub(*rest, 0, n);
    *rest = str_sub(*rest, n, rest->n);
    return head;
}

int url_parse(str text, struct url *out, struct err *e) {
    struct url u = {0};
    str rest = text;
    ptrdiff_t colon = str_find(text, STR("://"));
    if (colon < 0 || has_odd_bytes(text))
        return fail(e, ERR_INVALID, "not a URL");
    u.scheme = str_sub(text, 0, (size_t)colon);
    if (!str_eq_nocase(u.scheme, STR("http")) &&
        !str_eq_nocase(u.scheme, STR("https")))
        return fail(e, ERR_INVALID, "not an http or https URL");
    rest = str_sub(text, (size_t)colon + 3, text.n);
    str authority = before_any(&rest, "/?#");
    if (str_find_char(authority, '@') >= 0)
        return fail(e, ERR_INVALID, "a URL with a user name");
    if (split_port(authority, &u, e)) return -1;
    u.origin = str_sub(text, 0, (size_t)colon + 3 + authority.n);
    u.path = before_any(&rest, "?#");
    if (rest.n && rest.p[0] == '?') {
        rest = str_sub(rest, 1, rest.n);
        u.query = before_any(&rest, "#");
    }
    *out = u;
    return 0;
}

static str port_of(const struct url *u) {
    if (u->port.n) return u->port;
    return str_eq_nocase(u->scheme, STR("https")) ? STR("443") : STR("80");
}

bool url_same_origin(const struct url *a, const struct url *b) {
    return str_eq_nocase(a->scheme, b->scheme) &&
           str_eq_nocase(a->host, b->host) && str_eq(port_of(a), port_of(b));
}

bool url_is_local(const struct url *u) {
    char host[64];
    struct in_addr v4;
    struct in6_addr v6;
    if (str_eq_nocase(u->host, STR("localhost"))) return true;
    if (u->host.n >= sizeof host) return false;
    (void)snprintf(host, sizeof host, "%.*s", STR_ARG(u->host));
    if (inet_pton(AF_INET, host, &v4) == 1)
        return (ntohl(v4.s_addr) >> 24) == 127;
    return inet_pton(AF_INET6, host, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

int url_resolve(str base, str reference, struct buf *out, struct err *e) {
    struct url u;
    if (url_parse(base, &u, e)) return -1;
    if (str_find(reference, STR("://")) >= 0)
        return buf_add_str(out, reference, e);
    if (str_starts(reference, STR("//")))
        return buf_addf(out, e, "%.*s:%.*s", STR_ARG(u.scheme),
                        STR_ARG(reference));
    str folder = u.path;
    if (str_starts(reference, STR("/")))
        folder = STR("");
    else
        while (folder.n && folder.p[folder.n - 1] != '/')
            folder.n--;
    if (folder.n == 0 && !str_starts(reference, STR("/"))) folder = STR("/");
    return buf_addf(out, e, "%.*s%.*s%.*s", STR_ARG(u.origin), STR_ARG(folder),
                    STR_ARG(reference));
}

int url_encode(str s, struct buf *out, struct err *e) {
    for (size_t i = 0; i < s.n; i++)
        if (is_unreserved(s.p[i])
                ? buf_add_char(out, s.p[i], e)
                : buf_addf(out, e, "%%%02X", (unsigned char)s.p[i]))
            return -1;
    return 0;
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

int url_decode(str s, struct buf *out, struct err *e) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i] == '+' ? ' ' : s.p[i];
        if (c == '%' && i + 2 < s.n && hex(s.p[i + 1]) >= 0 &&
            hex(s.p[i + 2]) >= 0) {
            c = (char)(hex(s.p[i + 1]) * 16 + hex(s.p[i + 2]));
            i += 2;
        }
        if (buf_add_char(out, c, e)) return -1;
    }
    return 0;
}

bool url_query(str query, const char *name, struct buf *out) {
    struct err e;
    while (query.n) {
        str value = str_cut(&query, '&');
        str key = str_cut(&value, '=');
        AUTO_BUF struct buf plain = BUF_MAX(query.n + key.n + 1);
        if (url_decode(key, &plain, &e) || !str_is(buf_str(&plain), name))
            continue;
        return url_decode(value.p ? value : STR(""), out, &e) == 0;
    }
    return false;
}
