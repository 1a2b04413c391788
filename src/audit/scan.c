/* SPDX-License-Identifier: MIT */
#include "audit/scan.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/codec.h"
#include "json/build.h"
#include "json/write.h"

enum { CHUNK = 1 << 20 };

void scan_init(struct scan *s) {
    *s = (struct scan){0};
    memset(s->last, '0', SCAN_HEX);
}

static int hash_hex(str text, char out[SCAN_HEX], struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    AUTO_BUF struct buf hex = BUF_MAX(SCAN_HEX);
    if (crypto_sha256(text, digest, e) ||
        hex_encode((str){(char *)digest, sizeof digest}, &hex, e))
        return -1;
    memcpy(out, hex.data, SCAN_HEX);
    return 0;
}

/* -- making a line ----------------------------------------------------------
 */

/* The members stand in the order of RFC 8785 and "sha256" comes last, so the
 * text that is hashed is the line up to it, closed with a brace. */
static int make_body(const struct scan *s, str at, const char *kind,
                     const struct json *data, struct buf *out, struct err *e) {
    if (buf_addf(out, e, "{\"at\":\"%.*s\",\"data\":", STR_ARG(at))) return -1;
    if (data ? json_write(data, JSON_CANONICAL, out, e)
             : buf_add_text(out, "{}", e))
        return -1;
    if (buf_add_text(out, ",\"kind\":", e) ||
        json_write_string(str_of(kind), out, e))
        return -1;
    return buf_addf(out, e, ",\"prev\":\"%.*s\",\"seq\":%" PRIu64 "}", SCAN_HEX,
                    s->last, s->tree.size + 1);
}

int scan_make_line(const struct scan *s, str at, const char *kind,
                   const struct json *data, struct buf *out, struct err *e) {
    char hash[SCAN_HEX];
    size_t start = out->len;
    if (make_body(s, at, kind, data, out, e)) return -1;
    str body = str_sub(buf_str(out), start, out->len);
    if (hash_hex(body, hash, e)) return -1;
    buf_truncate(out, out->len - 1);
    return buf_addf(out, e, ",\"sha256\":\"%.*s\"}", SCAN_HEX, hash);
}

/* -- checking a line --------------------------------------------------------
 */

static const struct json_limits line_limits = {.bytes = AUDIT_EVENT_MAX};

static int read_fields(str line, struct arena *arena, struct audit_event *ev,
                       str *prev, str *hash, struct err *e) {
    const struct json *v;
    if (json_parse(line, &line_limits, arena, &v, e)) return -1;
    ev->seq = (uint64_t)json_get_int(v, "seq", 0);
    ev->at = json_get_text(v, "at", STR(""));
    ev->kind = json_get_text(v, "kind", STR(""));
    ev->data = json_get(v, "data");
    ev->line = line;
    *prev = json_get_text(v, "prev", STR(""));
    *hash = json_get_text(v, "sha256", STR(""));
    if (!ev->seq || !ev->kind.n || !ev->data || hash->n != SCAN_HEX)
        return fail(e, ERR_INVALID, "not an event");
    return 0;
}

/* Recomputes the hash from the bytes as they stand, so a line that says the
 * same in other words (white space, order, escapes) does not pass. */
static int check_hash(str line, str hash, struct err *e) {
    static const char tail[] = ",\"sha256\":\"";
    size_t tail_len = sizeof tail - 1 + SCAN_HEX + 2; /* and "} */
    AUTO_BUF struct buf body = BUF_MAX(AUDIT_EVENT_MAX);
    char want[SCAN_HEX];
    if (line.n < tail_len ||
        !str_starts(str_sub(line, line.n - tail_len, line.n),
                    (str){tail, sizeof tail - 1}))
        return fail(e, ERR_INVALID, "its sha256 is not its last member");
    if (buf_add_str(&body, str_sub(line, 0, line.n - tail_len), e) ||
        buf_add_char(&body, '}', e) || hash_hex(buf_str(&body), want, e))
        return -1;
    if (memcmp(want, hash.p, SCAN_HEX) != 0)
        return fail(e, ERR_INVALID, "it was altered: its sha256 is another");
    return 0;
}

int scan_line(struct scan *s, str line, struct arena *arena,
              struct audit_event *ev, struct err *e) {
    struct audit_event mine;
    str prev, hash;
    if (!ev) ev = &mine;
    if (read_fields(line, arena, ev, &prev, &hash, e) ||
        check_hash(line, hash, e))
        return -1;
    if (ev->seq != s->tree.size + 1)
        return fail(e, ERR_INVALID,
                    "it says number %" PRIu64 ": events were dropped, added "
                    "or moved",
                    ev->seq);
    if (!str_eq(prev, (str){s->last, SCAN_HEX}))
        return fail(e, ERR_INVALID, "it does not follow the event before it");
    if (merkle_add(&s->tree, line, e)) return -1;
    memcpy(s->last, hash.p, SCAN_HEX);
    s->offset += line.n + 1;
    return 0;
}

/* -- whole files ------------------------------------------------------------
 */

struct reading {
    struct scan *scan;
    int (*each)(void *data, const struct audit_event *ev, struct err *e);
    void *data;
    struct arena arena;
};

static int read_line(struct reading *r, str line, struct err *e) {
    struct audit_event ev;
    struct arena_mark mark = arena_mark(&r->arena);
    if (scan_line(r->scan, line, &r->arena, &ev, e))
        return fail_while(e, "event %" PRIu64, r->scan->tree.size + 1);
    int result = r->each ? r->each(r->data, &ev, e) : 0;
    arena_rewind(&r->arena, mark);
    return result;
}

static int read_lines(struct reading *r, struct buf *input, struct err *e) {
    str rest = buf_str(input);
    for (ptrdiff_t lf; (lf = str_find_char(rest, '\n')) >= 0;) {
        if (read_line(r, str_sub(rest, 0, (size_t)lf), e)) return -1;
        rest = str_sub(rest, (size_t)lf + 1, rest.n);
    }
    buf_consume(input, input->len - rest.n);
    if (input->len > AUDIT_EVENT_MAX)
        return fail(e, ERR_LIMIT, "event %" PRIu64 ": line too long",
                    r->scan->tree.size + 1);
    return 0;
}

int scan_file(struct scan *s, int fd,
              int (*each)(void *data, const struct audit_event *ev,
                          struct err *e),
              void *data, uint64_t *torn, struct err *e) {
    struct reading r = {s, each, data, ARENA_MAX(8 << 20)};
    AUTO_BUF struct buf input = BUF_MAX(AUDIT_EVENT_MAX + CHUNK);
    uint64_t at = s->offset;
    int result = -1;
    for (;;) {
        char *room = buf_reserve(&input, CHUNK, e);
        if (!room) break;
        ssize_t n = pread(fd, room, CHUNK, (off_t)at);
        if (n < 0) {
            err_set_sys(e, "read the events");
            break;
        }
        if (n == 0) {
            *torn = input.len;
            result = 0;
            break;
        }
        at += (uint64_t)n;
        buf_commit(&input, (size_t)n);
        if ((result = read_lines(&r, &input, e))) break;
        result = -1;
    }
    arena_fini(&r.arena);
    return result;
}

/* -- the state beside the log -----------------------------------------------
 */

int scan_save(const struct scan *s, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_int(&w, "offset", (int64_t)s->offset);
    jw_put_int(&w, "size", (int64_t)s->tree.size);
    jw_put_text(&w, "last", (str){s->last, SCAN_HEX});
    jw_key(&w, "edge");
    jw_array(&w);
    for (int i = 0; i < 64; i++) {
        if (!(s->tree.size >> i & 1)) continue;
        AUTO_BUF struct buf hex = BUF_MAX(SCAN_HEX);
        if (hex_encode((str){(const char *)s->tree.edge[i], CRYPTO_SHA256},
                       &hex, e))
            return -1;
        jw_text(&w, buf_str(&hex));
    }
    jw_end_array(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int load_edge(const struct json *edge, struct scan *s, struct err *e) {
    size_t next = 0;
    for (int i = 0; i < 64; i++) {
        if (!(s->tree.size >> i & 1)) continue;
        const struct json *v = json_at(edge, next++);
        AUTO_BUF struct buf bytes = BUF_MAX(CRYPTO_SHA256);
        if (!v || json_type(v) != JSON_STRING ||
            hex_decode(json_str(v), &bytes, e) || bytes.len != CRYPTO_SHA256)
            return fail(e, ERR_INVALID, "the state file is damaged");
        memcpy(s->tree.edge[i], bytes.data, CRYPTO_SHA256);
    }
    return 0;
}

int scan_load(str text, struct scan *s, struct err *e) {
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 20);
    const struct json *v;
    struct scan read = {0};
    if (json_parse(text, NULL, &arena, &v, e)) return -1;
    str last = json_get_text(v, "last", STR(""));
    int64_t offset = json_get_int(v, "offset", -1);
    int64_t size = json_get_int(v, "size", -1);
    const struct json *edge = json_get(v, "edge");
    if (last.n != SCAN_HEX || offset < 0 || size < 0 || !edge)
        return fail(e, ERR_INVALID, "the state file is damaged");
    read.offset = (uint64_t)offset;
    read.tree.size = (uint64_t)size;
    memcpy(read.last, last.p, SCAN_HEX);
    if (load_edge(edge, &read, e)) return -1;
    *s = read;
    return 0;
}
