/* SPDX-License-Identifier: MIT
 *
 * A strict reader of request heads (RFC 9112).
 */
#include "sandbox/http_head.h"

#include <string.h>

#include "base/num.h"

static bool token_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is_token(str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!token_char(s.p[i])) return false;
    return s.n > 0;
}

static bool is_value(str s) {
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f) return false;
    }
    return true;
}

/* The next line without its CR LF; a line that ends otherwise is none. */
static bool take_line(str *rest, str *line) {
    ptrdiff_t end = str_find(*rest, STR("\r\n"));
    if (end < 0) return false;
    *line = str_sub(*rest, 0, (size_t)end);
    *rest = str_sub(*rest, (size_t)end + 2, rest->n);
    return str_find_char(*line, '\n') < 0 && str_find_char(*line, '\r') < 0;
}

static int read_request_line(str line, struct http_head *h, struct err *e) {
    h->method = str_cut(&line, ' ');
    h->target = str_cut(&line, ' ');
    if (!is_token(h->method) || h->target.n == 0 || !is_value(h->target) ||
        (!str_is(line, "HTTP/1.1") && !str_is(line, "HTTP/1.0")))
        return fail(e, ERR_INVALID, "malformed request line");
    return 0;
}

static int read_field(str line, struct http_head *h, struct err *e) {
    if (h->field_count == HTTP_MAX_FIELDS)
        return fail(e, ERR_LIMIT, "too many header fields");
    str value = line;
    str name = str_cut(&value, ':');
    if (!value.p || !is_token(name) || !is_value(value))
        return fail(e, ERR_INVALID, "malformed header field");
    h->fields[h->field_count].name = name;
    h->fields[h->field_count++].value = str_trim(value);
    return 0;
}

/* Only a plain length: an encoding would have to be parsed to know where the
 * request ends, and what follows it is where requests are smuggled. */
static int read_length(struct http_head *h, struct err *e) {
    bool seen = false, host = false;
    for (size_t i = 0; i < h->field_count; i++) {
        str name = h->fields[i].name;
        if (str_eq_nocase(name, STR("transfer-encoding")))
            return fail(e, ERR_UNSUPPORTED, "chunked requests are not taken");
        if (str_eq_nocase(name, STR("host"))) {
            if (host) return fail(e, ERR_INVALID, "two Host fields");
            host = true;
        }
        if (!str_eq_nocase(name, STR("content-length"))) continue;
        if (seen) return fail(e, ERR_INVALID, "two Content-Length fields");
        seen = true;
        if (num_parse_u64(h->fields[i].value, &h->length, e))
            return fail(e, ERR_INVALID, "malformed Content-Length");
    }
    return 0;
}

int http_head_parse(str text, struct http_head *out, struct err *e) {
    struct http_head h = {.field_count = 0};
    str line;
    if (!take_line(&text, &line))
        return fail(e, ERR_INVALID, "malformed request line");
    if (read_request_line(line, &h, e)) return -1;
    for (;;) {
        if (!take_line(&text, &line))
            return fail(e, ERR_INVALID, "malformed header field");
        if (line.n == 0) break;
        if (read_field(line, &h, e)) return -1;
    }
    if (text.n) return fail(e, ERR_INVALID, "bytes behind the head");
    if (read_length(&h, e)) return -1;
    *out = h;
    return 0;
}

int http_split_authority(str text, uint64_t fallback, str *host, uint64_t *port,
                         struct err *e) {
    ptrdiff_t bracket = str_find_char(text, ']');
    str tail = str_sub(text, bracket < 0 ? 0 : (size_t)bracket, text.n);
    ptrdiff_t colon = str_find_char(tail, ':');
    *host = text;
    *port = fallback;
    if (colon >= 0) {
        size_t at = (size_t)colon + (bracket < 0 ? 0 : (size_t)bracket);
        *host = str_sub(text, 0, at);
        if (num_parse_u64(str_sub(text, at + 1, text.n), port, e))
            return fail(e, ERR_INVALID, "malformed port");
    }
    if (host->n == 0 || *port == 0)
        return fail(e, ERR_INVALID, "no host and port");
    return 0;
}

int http_split_url(str url, str *host, uint64_t *port, str *path,
                   struct err *e) {
    if (url.n < 7 || !str_eq_nocase(str_sub(url, 0, 7), STR("http://")))
        return fail(e, ERR_INVALID, "not an http:// address");
    str rest = str_sub(url, 7, url.n);
    size_t end = 0;
    while (end < rest.n && !strchr("/?#", rest.p[end]))
        end++;
    *path = str_sub(rest, end, rest.n);
    if (path->n && path->p[0] != '/')
        return fail(e, ERR_INVALID, "an address without a path");
    return http_split_authority(str_sub(rest, 0, end), 80, host, port, e);
}
