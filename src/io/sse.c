/* SPDX-License-Identifier: MIT */
#include "io/sse.h"

#include <string.h>

#include "base/num.h"

enum { ID_MAX = 4096, TYPE_MAX = 256 };

/* Who is told of events. */
struct listener {
    int (*event)(void *data, const struct sse_event *ev, struct err *e);
    void *data;
};

void sse_init(struct sse *s, size_t max) {
    *s = (struct sse){.line = BUF_MAX(max),
                      .data = BUF_MAX(max),
                      .type = BUF_MAX(TYPE_MAX),
                      .id = BUF_MAX(ID_MAX),
                      .retry_ms = -1};
}

void sse_restart(struct sse *s) {
    buf_truncate(&s->line, 0);
    buf_truncate(&s->data, 0);
    buf_truncate(&s->type, 0);
    s->after_cr = s->begun = false;
}

void sse_fini(struct sse *s) {
    buf_fini(&s->line);
    buf_fini(&s->data);
    buf_fini(&s->type);
    buf_fini(&s->id);
}

static int dispatch(struct sse *s, const struct listener *to, struct err *e) {
    str data = buf_str(&s->data);
    struct sse_event ev = {
        .type = s->type.len ? buf_str(&s->type) : STR("message"),
        .id = buf_str(&s->id),
        .data = str_sub(data, 0, data.n ? data.n - 1 : 0),
    };
    int stop = ev.data.n ? to->event(to->data, &ev, e) : 0;
    buf_truncate(&s->data, 0);
    buf_truncate(&s->type, 0);
    return stop ? -1 : 0;
}

static int set(struct buf *b, str value, struct err *e) {
    buf_truncate(b, 0);
    return buf_add_str(b, value, e);
}

static void set_retry(struct sse *s, str value) {
    struct err e;
    uint64_t ms;
    if (num_parse_u64(value, &ms, &e) == 0 && ms <= INT32_MAX)
        s->retry_ms = (int64_t)ms;
}

static int field(struct sse *s, str name, str value, struct err *e) {
    if (str_is(name, "data"))
        return buf_add_str(&s->data, value, e) ||
                       buf_add_char(&s->data, '\n', e)
                   ? -1
                   : 0;
    if (str_is(name, "event")) return set(&s->type, value, e);
    if (str_is(name, "id") && str_find_char(value, '\0') < 0)
        return set(&s->id, value, e);
    if (str_is(name, "retry")) set_retry(s, value);
    return 0;
}

static int take_line(struct sse *s, str line, const struct listener *to,
                     struct err *e) {
    if (!s->begun) {
        s->begun = true;
        if (str_starts(line, STR("\xef\xbb\xbf")))
            line = str_sub(line, 3, line.n);
    }
    if (line.n == 0) return dispatch(s, to, e);
    str name = str_cut(&line, ':'), value = line;
    if (name.n == 0) return 0; /* a comment */
    if (!value.p) value = STR("");
    if (value.n && value.p[0] == ' ') value = str_sub(value, 1, value.n);
    return field(s, name, value, e);
}

/* Bytes before the next line end. *lf is where the next LF was found to be, or
 * the end: it is looked for once, however many lines end with CR before it. */
static size_t to_line_end(str s, const char **lf) {
    if (!*lf || *lf < s.p) {
        ptrdiff_t at = str_find_char(s, '\n');
        *lf = s.p + (at < 0 ? s.n : (size_t)at);
    }
    str line = {s.p, (size_t)(*lf - s.p)};
    ptrdiff_t cr = str_find_char(line, '\r');
    return cr < 0 ? line.n : (size_t)cr;
}

/* The line that ends here, whether it lay in one piece or not. */
static int end_line(struct sse *s, str tail, const struct listener *to,
                    struct err *e) {
    bool whole = s->line.len == 0 && tail.n <= s->line.max;
    if (whole) return take_line(s, tail, to, e);
    if (buf_add_str(&s->line, tail, e)) return -1;
    int r = take_line(s, buf_str(&s->line), to, e);
    buf_truncate(&s->line, 0);
    return r;
}

int sse_feed(struct sse *s, str bytes,
             int (*event)(void *data, const struct sse_event *ev,
                          struct err *e),
             void *data, struct err *e) {
    const struct listener to = {event, data};
    const char *lf = NULL;
    while (bytes.n) {
        if (s->after_cr && bytes.p[0] == '\n')
            bytes = str_sub(bytes, 1, bytes.n);
        s->after_cr = false;
        size_t n = to_line_end(bytes, &lf);
        str piece = str_sub(bytes, 0, n);
        if (n == bytes.n) return buf_add_str(&s->line, piece, e);
        s->after_cr = bytes.p[n] == '\r';
        bytes = str_sub(bytes, n + 1, bytes.n);
        if (end_line(s, piece, &to, e)) return -1;
    }
    return 0;
}
