/* SPDX-License-Identifier: MIT */
#include "call/sandboxed.h"

#include "json/json.h"

#define ROW_BYTES ((size_t)1 << 20)

static struct jw begin(const struct sandboxed *s, struct buf *text) {
    struct jw w = JW(text);
    jw_object(&w);
    cage_put_bytes(&w, "by", s->by);
    if (s->run.n) jw_put_text(&w, "run", s->run);
    return w;
}

static int add(struct audit *audit, const char *kind, struct jw *w,
               struct buf *text, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(8 * ROW_BYTES);
    const struct json *data;
    jw_end_object(w);
    if (jw_done(w, e) || json_parse(buf_str(text), NULL, &a, &data, e))
        return -1;
    return audit_add(audit, kind, data, e);
}

int sandboxed_start(const struct sandboxed *s, const struct cage *c,
                    struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(ROW_BYTES);
    if (!s->audit) return 0;
    if (audit_ready(s->audit, e)) return -1;
    struct jw w = begin(s, &text);
    jw_key(&w, "task");
    cage_write(c, &w);
    return add(s->audit, "sandbox.start", &w, &text, e);
}

/* A task can make its lists longer than a row may be; then they are cut, and
 * the row says so. It is never left out. */
void sandboxed_end(const struct sandboxed *s, const struct cage_result *r) {
    static const size_t most[] = {SIZE_MAX, 16, 0};
    struct err e;
    if (!s->audit) return;
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        AUTO_BUF struct buf text = BUF_MAX(ROW_BYTES);
        struct jw w = begin(s, &text);
        jw_key(&w, "result");
        cage_result_record(r, most[i], &w);
        if (i) jw_put_bool(&w, "cut", true);
        if (!add(s->audit, "sandbox.end", &w, &text, &e)) return;
    }
    audit_lost(s->audit);
}

void sandboxed_failed(const struct sandboxed *s, const struct err *why) {
    AUTO_BUF struct buf text = BUF_MAX(ROW_BYTES);
    struct err e;
    if (!s->audit) return;
    struct jw w = begin(s, &text);
    cage_put_bytes(&w, "error", str_of(why->text));
    if (add(s->audit, "sandbox.end", &w, &text, &e)) audit_lost(s->audit);
}
