/* SPDX-License-Identifier: MIT */
#include "call/sandboxed.h"

#include "json/json.h"

#define ROW_BYTES ((size_t)1 << 20)

static struct jw begin(struct buf *text, str who) {
    struct jw w = JW(text);
    jw_object(&w);
    cage_put_bytes(&w, "by", who);
    return w;
}

/* An audit log that cannot be written stops the next call (record_ready); this
 * row belongs to one that was let through already. */
static void add(struct audit *audit, const char *kind, struct jw *w,
                struct buf *text) {
    AUTO_ARENA struct arena a = ARENA_MAX(8 * ROW_BYTES);
    const struct json *data;
    struct err e;
    jw_end_object(w);
    if (jw_done(w, &e) || json_parse(buf_str(text), NULL, &a, &data, &e))
        return;
    (void)audit_add(audit, kind, data, &e);
}

void sandboxed_start(struct audit *audit, str who, const struct cage *c) {
    AUTO_BUF struct buf text = BUF_MAX(ROW_BYTES);
    if (!audit) return;
    struct jw w = begin(&text, who);
    jw_key(&w, "task");
    cage_write(c, &w);
    add(audit, "sandbox.start", &w, &text);
}

void sandboxed_end(struct audit *audit, str who, const struct cage_result *r) {
    AUTO_BUF struct buf text = BUF_MAX(ROW_BYTES);
    if (!audit) return;
    struct jw w = begin(&text, who);
    jw_key(&w, "result");
    cage_result_record(r, &w);
    add(audit, "sandbox.end", &w, &text);
}

void sandboxed_failed(struct audit *audit, str who, const struct err *why) {
    AUTO_BUF struct buf text = BUF_MAX(ROW_BYTES);
    if (!audit) return;
    struct jw w = begin(&text, who);
    cage_put_bytes(&w, "error", str_of(why->text));
    add(audit, "sandbox.end", &w, &text);
}
