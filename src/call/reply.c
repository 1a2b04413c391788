/* SPDX-License-Identifier: MIT */
#include "call/reply.h"

#include "base/codec.h"
#include "base/utf8.h"
#include "json/build.h"
#include "json/write.h"

#define TEXT_BYTES ((size_t)256 << 20)

static void put_text(struct json_build *b, str text) {
    build_object(b);
    build_put_text(b, "type", STR("text"));
    build_put_text(b, "text", text);
    build_end(b);
}

static int put_binary(struct json_build *b, str bytes, str media,
                      struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    bool image = str_starts(media, STR("image/"));
    if (base64_encode(bytes, &text, e)) return -1;
    build_object(b);
    build_put_text(b, "type", image ? STR("image") : STR("resource"));
    if (!image) {
        build_key(b, STR("resource"));
        build_object(b);
        build_put_text(b, "uri", STR("cordon:result"));
    }
    build_put_text(b, "mimeType", media);
    build_put_text(b, image ? "data" : "blob", buf_str(&text));
    if (!image) build_end(b);
    build_end(b);
    return 0;
}

static int put_content(struct json_build *b, const struct reply *r,
                       struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    bool bad = utf8_valid(r->text.p, r->text.n) < r->text.n;
    if (!r->value && (r->media.n > 0 || bad))
        return put_binary(
            b, r->text,
            r->media.n > 0 ? r->media : STR("application/octet-stream"), e);
    if (!r->value) {
        put_text(b, r->text);
        return 0;
    }
    if (json_write(r->value, JSON_COMPACT, &text, e)) return -1;
    put_text(b, buf_str(&text));
    return 0;
}

static int make(const struct reply *r, struct arena *a, const struct json **out,
                struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    build_key(&b, STR("content"));
    build_array(&b);
    if (put_content(&b, r, e)) return -1;
    build_end(&b);
    if (r->value && json_type(r->value) == JSON_OBJECT)
        build_put(&b, "structuredContent", r->value);
    if (r->is_error) build_put_bool(&b, "isError", true);
    if (r->meta) build_put(&b, "_meta", r->meta);
    build_end(&b);
    return build_done(&b, out, e);
}

void reply_done(struct provider_call *c, const struct reply *r) {
    struct provider_result result;
    struct err e;
    if (make(r, c->arena, &result.result, &e)) {
        err_context(&e, "result");
        provider_failed(c, "bad_response", true, &e);
        return;
    }
    provider_done(c, &result);
}

void reply_refuse(struct provider_call *c, const struct err *why) {
    reply_done(c, &(struct reply){.text = str_of(why->text), .is_error = true});
}
