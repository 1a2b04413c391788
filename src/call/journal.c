/* SPDX-License-Identifier: MIT */
#include "call/journal.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/codec.h"
#include "json/write.h"

int journal_add(struct journal *j, const char *kind, str data, struct err *e) {
    struct store_event ev = {j->next, str_of(kind), data, clock_wall_ns()};
    if (store_event_add(j->store, j->run, j->fence, &ev, e))
        return fail_while(e, "journal");
    j->next++;
    return 0;
}

static int put_draws(struct journal *j, struct jw *w, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(JOURNAL_EVENT);
    if (!j->draws || j->draws->len == 0) return 0;
    if (base64_encode(buf_str(j->draws), &text, e)) return -1;
    jw_put_text(w, "draws", buf_str(&text));
    return 0;
}

int journal_intent(struct journal *j, const struct intent *i, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(JOURNAL_EVENT);
    struct jw w = JW(&text);
    char as[512];
    jw_object(&w);
    jw_put_int(&w, "call", (int64_t)i->call);
    jw_put_text(&w, "tool", i->tool);
    snprintf(as, sizeof as, "%.*s%s%.*s", STR_ARG(i->space),
             i->space.n ? "." : "", STR_ARG(i->method));
    jw_put_text(&w, "as", str_of(as));
    jw_key(&w, "args");
    jw_value(&w, i->args);
    jw_put_text(&w, "key", i->key);
    if (i->approval.n) jw_put_text(&w, "approval", i->approval);
    jw_put_bool(&w, "write", i->write);
    if (i->reads) jw_put_bool(&w, "reads", true);
    if (put_draws(j, &w, e)) return fail_while(e, "journal");
    jw_end_object(&w);
    if (jw_done(&w, e)) return fail_while(e, "journal");
    if (journal_add(j, "intent", buf_str(&text), e)) return -1;
    if (j->draws) buf_truncate(j->draws, 0);
    return 0;
}

bool journal_labelled(const struct label *l) {
    return l->integrity != INTEGRITY_USER || l->secrecy != SECRECY_PUBLIC ||
           l->origin_count || l->many;
}

static void put_labels(struct jw *w, const struct labels *labels) {
    jw_key(w, "labels");
    jw_object(w);
    for (size_t i = 0; labels && i < labels->count; i++) {
        jw_key_str(w, labels->items[i].path);
        jw_bool(w, journal_labelled(&labels->items[i].label));
    }
    jw_end_object(w);
}

int journal_result(struct journal *j, const struct journal_result *r,
                   struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(JOURNAL_EVENT);
    struct jw w = JW(&text);
    jw_object(&w);
    jw_put_int(&w, "call", (int64_t)r->call);
    jw_put_text(&w, "status", str_of(r->status));
    if (r->value) {
        jw_key(&w, "value");
        jw_value(&w, r->value);
        put_labels(&w, r->labels);
    }
    if (r->error) {
        jw_key(&w, "error");
        jw_value(&w, r->error);
    }
    jw_put_int(&w, "us", r->ns / 1000);
    jw_end_object(&w);
    if (jw_done(&w, e)) return fail_while(e, "journal");
    return journal_add(j, "result", buf_str(&text), e);
}

int journal_key(str scope, uint64_t call, str tool, const struct json *args,
                char out[JOURNAL_KEY], struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(JOURNAL_EVENT);
    AUTO_BUF struct buf hex = BUF_MAX(JOURNAL_KEY);
    uint8_t hash[CRYPTO_SHA256];
    struct jw w = JW(&text);
    jw_array(&w);
    jw_text(&w, scope);
    jw_int(&w, (int64_t)call);
    jw_text(&w, tool);
    jw_end_array(&w);
    if (jw_done(&w, e) || json_write(args, JSON_CANONICAL, &text, e) ||
        crypto_sha256(buf_str(&text), hash, e) ||
        hex_encode((str){(const char *)hash, sizeof hash}, &hex, e))
        return fail_while(e, "key of the call");
    memcpy(out, hex.data, hex.len + 1);
    return 0;
}
