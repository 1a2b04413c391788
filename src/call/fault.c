/* SPDX-License-Identifier: MIT */
#include "call/fault.h"

#include "json/build.h"

static void put(struct json_build *b, const char *key, str text) {
    if (text.n) build_put_text(b, key, text);
}

const struct json *fault_json(const struct fault *f, struct arena *a) {
    static const struct json out_of_memory[] = {
        {JSON_OBJECT | (uint64_t)2 << 8, {.span = 5}},
        {JSON_STRING | (uint64_t)4 << 8, {.text = "code"}},
        {JSON_STRING | (uint64_t)6 << 8, {.text = "memory"}},
        {JSON_STRING | (uint64_t)7 << 8, {.text = "message"}},
        {JSON_STRING | (uint64_t)15 << 8, {.text = "memory is short"}},
    };
    struct json_build b = JSON_BUILD(a);
    const struct json *out;
    struct err e;
    build_object(&b);
    build_put_text(&b, "code", str_of(f->code));
    put(&b, "message", f->message);
    put(&b, "path", f->path);
    put(&b, "expected", f->expected);
    put(&b, "got", f->got);
    put(&b, "hint", f->hint);
    put(&b, "rule", f->rule);
    if (f->near_count) {
        build_key(&b, STR("near"));
        build_array(&b);
        for (size_t i = 0; i < f->near_count; i++)
            build_text(&b, f->near[i]);
        build_end(&b);
    }
    build_put_bool(&b, "retryable", f->retryable);
    if (f->retry_ms) build_put_int(&b, "retry_after_ms", f->retry_ms);
    if (f->server_code) build_put_int(&b, "server_code", f->server_code);
    if (f->server_data) build_put(&b, "server_data", f->server_data);
    build_end(&b);
    return build_done(&b, &out, &e) ? out_of_memory : out;
}
