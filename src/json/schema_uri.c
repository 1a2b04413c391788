/* SPDX-License-Identifier: MIT */
#include "json/schema_uri.h"

#include <string.h>

struct parts {
    str scheme;    /* with its ':' */
    str authority; /* with its "//" */
    str path;
    str query; /* with its '?' */
};

str uri_without_fragment(str uri, str *fragment) {
    str rest = uri;
    str front = str_cut(&rest, '#');
    *fragment = rest;
    return front;
}

static bool is_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t scheme_length(str s) {
    if (s.n == 0 || !is_alpha(s.p[0])) return 0;
    for (size_t i = 1; i < s.n; i++) {
        char c = s.p[i];
        if (c == ':') return i + 1;
        bool ok = is_alpha(c) || (c >= '0' && c <= '9') || c == '+' ||
                  c == '-' || c == '.';
        if (!ok) return 0;
    }
    return 0;
}

static size_t until(str s, size_t from, const char *stops) {
    while (from < s.n && !(s.p[from] && strchr(stops, s.p[from])))
        from++;
    return from;
}

static struct parts split(str s) {
    struct parts p = {0};
    size_t n = scheme_length(s);
    p.scheme = str_sub(s, 0, n);
    s = str_sub(s, n, s.n);
    n = str_starts(s, STR("//")) ? until(s, 2, "/?") : 0;
    p.authority = str_sub(s, 0, n);
    s = str_sub(s, n, s.n);
    n = until(s, 0, "?");
    p.path = str_sub(s, 0, n);
    p.query = str_sub(s, n, s.n);
    return p;
}

/* Drops the last segment of what was added since `start`. */
static void drop_segment(struct buf *out, size_t start) {
    size_t n = out->len;
    while (n > start && out->data[n - 1] != '/')
        n--;
    buf_truncate(out, n > start ? n - 1 : start);
}

/* Appends path without "." and ".." segments (RFC 3986, 5.2.4). */
static int add_path(str path, struct buf *out, struct err *e) {
    size_t start = out->len;
    while (path.n > 0) {
        size_t end = until(path, path.p[0] == '/' ? 1 : 0, "/");
        str segment = str_sub(path, 0, end);
        str name =
            str_starts(segment, STR("/")) ? str_sub(segment, 1, end) : segment;
        path = str_sub(path, end, path.n);
        bool up = str_is(name, ".."), here = str_is(name, ".");
        if (up) drop_segment(out, start);
        if ((up || here) && path.n == 0 && buf_add_char(out, '/', e)) return -1;
        if (!up && !here && buf_add_str(out, segment, e)) return -1;
    }
    return 0;
}

/* base's path up to its last '/', then the relative path. */
static int merge_paths(const struct parts *base, str path, struct buf *out,
                       struct err *e) {
    AUTO_BUF struct buf merged = BUF_MAX(out->max);
    size_t n = base->path.n;
    while (n > 0 && base->path.p[n - 1] != '/')
        n--;
    bool rooted = base->authority.n > 0 && base->path.n == 0;
    if (rooted && buf_add_char(&merged, '/', e)) return -1;
    if (buf_add(&merged, base->path.p, n, e) || buf_add_str(&merged, path, e))
        return -1;
    return add_path(buf_str(&merged), out, e);
}

static int add_two(str a, str b, struct buf *out, struct err *e) {
    return buf_add_str(out, a, e) || buf_add_str(out, b, e) ? -1 : 0;
}

int uri_resolve(str base_text, str ref_text, struct buf *out, struct err *e) {
    struct parts base = split(base_text), ref = split(ref_text);
    if (ref.scheme.n > 0) return buf_add_str(out, ref_text, e);
    if (ref.authority.n > 0) return add_two(base.scheme, ref_text, out, e);
    if (add_two(base.scheme, base.authority, out, e)) return -1;
    if (ref.path.n == 0)
        return add_two(base.path, ref.query.n ? ref.query : base.query, out, e);
    int bad = ref.path.p[0] == '/' ? add_path(ref.path, out, e)
                                   : merge_paths(&base, ref.path, out, e);
    return bad ? -1 : buf_add_str(out, ref.query, e);
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

int uri_decode(str s, struct buf *out, struct err *e) {
    for (size_t i = 0; i < s.n; i++) {
        int high = s.p[i] == '%' && i + 2 < s.n ? hex_value(s.p[i + 1]) : -1;
        int low = high >= 0 ? hex_value(s.p[i + 2]) : -1;
        char c = low >= 0 ? (char)(high * 16 + low) : s.p[i];
        if (low >= 0) i += 2;
        if (buf_add_char(out, c, e)) return -1;
    }
    return 0;
}
