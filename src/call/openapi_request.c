/* SPDX-License-Identifier: MIT */
#include "call/openapi_request.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/crypto.h"
#include "io/url.h"
#include "json/write.h"

#define URL_BYTES  ((size_t)64 << 10)
#define BODY_BYTES ((size_t)64 << 20)
#define VALUE      ((size_t)1 << 20) /* bytes of one parameter */

struct making {
    const struct api_op *op;
    const struct json *args;
    struct arena *arena;
    struct api_request *out;
    struct buf url, query, cookies, body;
    const char *boundary; /* of multipart */
    struct err *e;
};

/* ---- values as text ---- */

/* A string as it is, anything else as JSON. */
static int add_value(struct buf *out, const struct json *v, struct err *e) {
    if (json_type(v) == JSON_STRING) return buf_add_str(out, json_str(v), e);
    return json_write(v, JSON_COMPACT, out, e);
}

static int add_encoded(struct buf *out, const struct json *v, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(VALUE);
    if (add_value(&text, v, e)) return -1;
    return url_encode(buf_str(&text), out, e);
}

typedef int adder(struct buf *out, const struct json *v, struct err *e);

/* Items joined; of an object its keys and values in turn, or key=value. */
static int add_joined(struct buf *out, const struct json *v, const char *joint,
                      bool explode, adder *add, struct err *e) {
    enum json_type type = json_type(v);
    if (type != JSON_ARRAY && type != JSON_OBJECT) return add(out, v, e);
    size_t count = json_len(v) * (type == JSON_OBJECT ? 2 : 1);
    const struct json *item = json_first(v);
    for (size_t i = 0; i < count; i++, item = json_skip(item)) {
        bool value = type == JSON_OBJECT && i % 2 == 1;
        const char *before = i == 0 ? "" : value && explode ? "=" : joint;
        if (buf_add_text(out, before, e) || add(out, item, e)) return -1;
    }
    return 0;
}

/* ---- the path ---- */

/* A segment that is empty, "." or ".." would lead somewhere else, encoded or
 * not. */
static int check_segment(struct making *m, str name, str value) {
    bool dots = value.n > 0 && value.n <= 2;
    for (size_t i = 0; i < value.n; i++)
        dots = dots && value.p[i] == '.';
    if (value.n > 0 && !dots) return 0;
    return fail(m->e, ERR_INVALID, "%.*s: %s cannot stand in a path",
                STR_ARG(name), value.n == 0 ? "nothing" : "'.' or '..'");
}

static const struct api_param *path_param(const struct api_op *op, str wire) {
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].in == API_PATH && str_eq(op->params[i].wire, wire))
            return &op->params[i];
    return NULL;
}

static int add_segment(struct making *m, str wire) {
    const struct api_param *p = path_param(m->op, wire);
    const struct json *v = p ? json_get_str(m->args, p->name) : NULL;
    AUTO_BUF struct buf text = BUF_MAX(VALUE);
    if (!v)
        return fail(m->e, ERR_INVALID, "the path needs {%.*s}", STR_ARG(wire));
    if (add_joined(&text, v, ",", p->explode, add_value, m->e) ||
        check_segment(m, p->name, buf_str(&text)))
        return -1;
    return url_encode(buf_str(&text), &m->url, m->e);
}

static int add_path(struct making *m) {
    str rest = m->op->path;
    while (rest.p) {
        str text = str_cut(&rest, '{');
        if (buf_add_str(&m->url, text, m->e)) return -1;
        if (!rest.p) return 0;
        if (add_segment(m, str_cut(&rest, '}'))) return -1;
    }
    return 0;
}

/* ---- query and forms ---- */

static int add_pair(struct making *m, struct buf *to, str name,
                    const struct json *v) {
    if (to->len > 0 && buf_add_char(to, '&', m->e)) return -1;
    if (url_encode(name, to, m->e) || buf_add_char(to, '=', m->e)) return -1;
    return add_encoded(to, v, m->e);
}

static int add_each(struct making *m, struct buf *to, str name,
                    const struct json *v, bool deep) {
    bool object = json_type(v) == JSON_OBJECT;
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item)) {
        AUTO_BUF struct buf key = BUF_MAX(VALUE);
        str own = name;
        if (object) {
            own = json_str(item++);
            if (deep &&
                buf_addf(&key, m->e, "%.*s[%.*s]", STR_ARG(name), STR_ARG(own)))
                return -1;
            if (deep) own = buf_str(&key);
        }
        if (add_pair(m, to, own, item)) return -1;
    }
    return 0;
}

static int add_listed(struct making *m, struct buf *to,
                      const struct api_param *p, const struct json *v) {
    const char *joint = p->style == API_SPACE  ? "%20"
                        : p->style == API_PIPE ? "%7C"
                                               : ",";
    if (to->len > 0 && buf_add_char(to, '&', m->e)) return -1;
    if (url_encode(p->wire, to, m->e) || buf_add_char(to, '=', m->e)) return -1;
    return add_joined(to, v, joint, false, add_encoded, m->e);
}

static int add_query(struct making *m, struct buf *to,
                     const struct api_param *p, const struct json *v) {
    bool parts = json_type(v) == JSON_ARRAY || json_type(v) == JSON_OBJECT;
    if (!parts || p->style == API_JSON) return add_pair(m, to, p->wire, v);
    if (p->style == API_DEEP || p->explode)
        return add_each(m, to, p->wire, v, p->style == API_DEEP);
    return add_listed(m, to, p, v);
}

/* ---- headers ---- */

static bool is_header_text(str s) {
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c < 0x20 ? c != '\t' : c == 0x7f) return false;
    }
    return true;
}

static bool is_token(str s) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (c >= '0' && c <= '9') ||
                    (c != 0 && strchr("!#$%&'*+-.^_`|~", c));
        if (!good) return false;
    }
    return s.n > 0;
}

int api_request_header(struct api_request *r, str name, str value,
                       struct arena *a, struct err *e) {
    if (!is_token(name))
        return fail(e, ERR_INVALID, "'%.*s' is no name of a header",
                    STR_ARG(str_sub(name, 0, 64)));
    if (!is_header_text(value))
        return fail(e, ERR_INVALID, "%.*s: a header is one line of text",
                    STR_ARG(name));
    if (r->header_count == REQUEST_HEADERS)
        return fail(e, ERR_LIMIT, "more than %d headers", REQUEST_HEADERS);
    struct http_header h = {arena_text(a, name, e), NULL};
    if (h.name) h.value = arena_text(a, value, e);
    if (!h.value) return -1;
    r->headers[r->header_count++] = h;
    r->headers[r->header_count] = (struct http_header){NULL, NULL};
    return 0;
}

static int add_header(struct making *m, const struct api_param *p,
                      const struct json *v) {
    AUTO_BUF struct buf text = BUF_MAX(VALUE);
    int failed = p->style == API_JSON
                     ? add_value(&text, v, m->e)
                     : add_joined(&text, v, ",", p->explode, add_value, m->e);
    if (failed) return -1;
    return api_request_header(m->out, p->wire, buf_str(&text), m->arena, m->e);
}

/* Encoded, because a ';' would begin another one. */
static int add_cookie(struct making *m, const struct api_param *p,
                      const struct json *v) {
    struct buf *to = &m->cookies;
    if (to->len > 0 && buf_add_text(to, "; ", m->e)) return -1;
    if (url_encode(p->wire, to, m->e) || buf_add_char(to, '=', m->e)) return -1;
    return add_joined(to, v, "%2C", false, add_encoded, m->e);
}

int api_request_query(struct api_request *r, str name, str value,
                      struct arena *a, struct err *e) {
    AUTO_BUF struct buf url = BUF_MAX(URL_BYTES);
    if (buf_add_text(&url, r->url, e) ||
        buf_add_char(&url, strchr(r->url, '?') ? '&' : '?', e) ||
        url_encode(name, &url, e) || buf_add_char(&url, '=', e) ||
        url_encode(value, &url, e))
        return -1;
    char *longer = arena_text(a, buf_str(&url), e);
    if (!longer) return -1;
    r->url = longer;
    return 0;
}

/* ---- the body ---- */

/* A quote or a line break in a name would end it. */
static int add_part(struct making *m, str name, const struct json *v) {
    AUTO_BUF struct buf quoted = BUF_MAX(VALUE);
    if (url_encode(name, &quoted, m->e) ||
        buf_addf(&m->body, m->e,
                 "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n",
                 m->boundary, buf_text(&quoted)) ||
        add_value(&m->body, v, m->e))
        return -1;
    return buf_add_text(&m->body, "\r\n", m->e);
}

/* Not to be found in any value: it is a digest of them all. */
static int choose_boundary(struct making *m) {
    AUTO_BUF struct buf all = BUF_MAX(BODY_BYTES);
    uint8_t digest[CRYPTO_SHA256];
    char hex[33];
    if (json_write(m->args, JSON_COMPACT, &all, m->e) ||
        crypto_sha256(buf_str(&all), digest, m->e))
        return -1;
    for (size_t i = 0; i < 16; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    m->boundary = arena_printf(m->arena, m->e, "cordon-%s", hex);
    return m->boundary ? 0 : -1;
}

static int add_member(struct making *m, str name, const struct api_param *p,
                      const struct json *v) {
    if (m->op->body == API_BODY_MULTIPART) return add_part(m, name, v);
    struct api_param plain = {.wire = name, .style = API_FORM, .explode = true};
    return add_query(m, &m->body, p ? p : &plain, v);
}

/* The whole body was one argument: an object of members. */
static int add_members(struct making *m, const struct json *v) {
    if (json_type(v) != JSON_OBJECT)
        return fail(m->e, ERR_INVALID, "the body of a form is an object");
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1))
        if (add_member(m, json_str(key), NULL, key + 1)) return -1;
    return 0;
}

static int add_json_members(struct making *m, bool *any) {
    struct jw w = JW(&m->body);
    jw_object(&w);
    for (size_t i = 0; i < m->op->param_count; i++) {
        const struct api_param *p = &m->op->params[i];
        const struct json *v = json_get_str(m->args, p->name);
        if (p->in != API_MEMBER || !v) continue;
        *any = true;
        jw_key_str(&w, p->wire);
        jw_value(&w, v);
    }
    jw_end_object(&w);
    return jw_done(&w, m->e);
}

static int add_form_members(struct making *m, bool *any) {
    for (size_t i = 0; i < m->op->param_count; i++) {
        const struct api_param *p = &m->op->params[i];
        const struct json *v = json_get_str(m->args, p->name);
        if (p->in != API_MEMBER || !v) continue;
        *any = true;
        if (add_member(m, p->wire, p, v)) return -1;
    }
    return 0;
}

static const struct json *whole_body(const struct making *m) {
    for (size_t i = 0; i < m->op->param_count; i++)
        if (m->op->params[i].in == API_BODY)
            return json_get_str(m->args, m->op->params[i].name);
    return NULL;
}

static int write_body(struct making *m, bool *any) {
    const struct json *whole = whole_body(m);
    *any = whole != NULL;
    switch (m->op->body) {
    case API_NO_BODY: return 0;
    case API_BODY_TEXT: return whole ? add_value(&m->body, whole, m->e) : 0;
    case API_BODY_JSON:
        return whole ? json_write(whole, JSON_COMPACT, &m->body, m->e)
                     : add_json_members(m, any);
    case API_BODY_FORM:
    case API_BODY_MULTIPART:
        return whole ? add_members(m, whole) : add_form_members(m, any);
    }
    return 0;
}

static bool has_members(const struct api_op *op) {
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].in == API_MEMBER) return true;
    return false;
}

static int add_body(struct making *m) {
    bool any = false;
    AUTO_BUF struct buf type = BUF_MAX(1024);
    bool multipart = m->op->body == API_BODY_MULTIPART;
    if (multipart && choose_boundary(m)) return -1;
    if (write_body(m, &any)) return -1;
    /* An object without members is still a body where one is expected. */
    if (!any && !(m->op->body == API_BODY_JSON && has_members(m->op))) return 0;
    if (multipart && buf_addf(&m->body, m->e, "--%s--\r\n", m->boundary))
        return -1;
    if (buf_add_str(&type, m->op->body_type, m->e) ||
        (multipart && buf_addf(&type, m->e, "; boundary=%s", m->boundary)))
        return -1;
    if (arena_dup(m->arena, buf_str(&m->body), &m->out->body, m->e)) return -1;
    return api_request_header(m->out, STR("Content-Type"), buf_str(&type),
                              m->arena, m->e);
}

/* ---- all of it ---- */

static int add_param(struct making *m, const struct api_param *p) {
    const struct json *v = json_get_str(m->args, p->name);
    if (!v || json_type(v) == JSON_NULL) return 0;
    switch (p->in) {
    case API_QUERY: return add_query(m, &m->query, p, v);
    case API_HEADER: return add_header(m, p, v);
    case API_COOKIE: return add_cookie(m, p, v);
    case API_PATH:
    case API_MEMBER:
    case API_BODY: return 0;
    }
    return 0;
}

static int make(struct making *m, str base) {
    if (buf_add_str(&m->url, base, m->e) || add_path(m)) return -1;
    for (size_t i = 0; i < m->op->param_count; i++)
        if (add_param(m, &m->op->params[i])) return -1;
    if (m->query.len > 0 && (buf_add_char(&m->url, '?', m->e) ||
                             buf_add_str(&m->url, buf_str(&m->query), m->e)))
        return -1;
    if (m->cookies.len > 0 &&
        api_request_header(m->out, STR("Cookie"), buf_str(&m->cookies),
                           m->arena, m->e))
        return -1;
    if (add_body(m)) return -1;
    m->out->url = arena_text(m->arena, buf_str(&m->url), m->e);
    m->out->method = arena_text(m->arena, m->op->method, m->e);
    return m->out->url && m->out->method ? 0 : -1;
}

int api_request_make(const struct api_op *op, str base, const struct json *args,
                     struct arena *a, struct api_request *out, struct err *e) {
    struct making m = {.op = op, .args = args, .arena = a, .out = out, .e = e};
    m.url = m.query = m.cookies = BUF_MAX(URL_BYTES);
    m.body = BUF_MAX(BODY_BYTES);
    *out = (struct api_request){.body = {NULL, 0}};
    int failed = make(&m, base);
    buf_fini(&m.url);
    buf_fini(&m.query);
    buf_fini(&m.cookies);
    buf_fini(&m.body);
    return failed ? -1 : 0;
}
