/* SPDX-License-Identifier: MIT */
#include "cli/pin_news.h"

#include "base/codec.h"
#include "cli/authority.h"
#include "json/build.h"

#define DIFF_BYTES  ((size_t)64 << 20)
#define DIFF_SHOWN  ((size_t)16 << 10) /* of it in the event */
#define EVENT_BYTES ((size_t)1 << 20)

static void put_hash(struct json_build *b, const char *key,
                     const struct json *v) {
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    uint8_t hash[CRYPTO_SHA256];
    struct err e;
    if (v && pin_hash(v, hash, &e) == 0 &&
        hex_encode((str){(const char *)hash, sizeof hash}, &hex, &e) == 0)
        build_put_text(b, key, buf_str(&hex));
}

static void record(struct authority *a, const struct pin_news *news, str diff) {
    AUTO_ARENA struct arena memory = ARENA_MAX(EVENT_BYTES);
    struct json_build b = JSON_BUILD(&memory);
    const struct json *data;
    struct err e;
    if (!a->audit) return;
    build_object(&b);
    build_put_text(&b, "state",
                   news->state == PIN_NEW ? STR("first-use") : STR("changed"));
    build_put_text(&b, "server", news->server);
    if (news->tool.n)
        build_put_text(&b, "tool", news->tool);
    else
        build_put_text(&b, "part", str_of(pin_part_word(news->part)));
    put_hash(&b, "before", news->before);
    put_hash(&b, "after", news->after);
    if (diff.n) build_put_text(&b, "diff", str_sub(diff, 0, DIFF_SHOWN));
    build_end(&b);
    if (build_done(&b, &data, &e) || audit_add(a->audit, "pin", data, &e))
        authority_lost(a, &e);
}

void pin_news_tell(void *data, const struct pin_news *news) {
    struct authority *a = data;
    AUTO_BUF struct buf diff = BUF_MAX(DIFF_BYTES);
    struct err e;
    if (news->state == PIN_CHANGED &&
        pin_diff(news->before, news->after, &diff, &e))
        buf_truncate(&diff, 0);
    record(a, news, buf_str(&diff));
    if (news->state != PIN_CHANGED || !a->log) return;
    str what = news->tool.n ? news->tool : str_of(pin_part_word(news->part));
    log_warn(a->log,
             "%.*s: %.*s is not what was pinned; quarantined until somebody "
             "looked at it (cordon tools diff) and pinned it again (cordon "
             "tools pin)\n%s",
             STR_ARG(news->server), STR_ARG(what), buf_text(&diff));
}

void pin_news_failed(void *data, str server, const struct err *why) {
    struct authority *a = data;
    if (a->log)
        log_error(a->log, "%.*s: its tools are quarantined: %s",
                  STR_ARG(server), why->text);
}
