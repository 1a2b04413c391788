/* SPDX-License-Identifier: MIT
 *
 * fuzz_stub -- any JSON as a list of tools: names, stubs, binding, shapes.
 *
 * A stub is one clean line of bounded length, whatever the schema holds, and
 * what binding gives is an object.
 */
#include "base/utf8.h"
#include "tools/names.h"
#include "tools/plain.h"
#include "tools/stub.h"

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#define STUB_BYTES ((size_t)1 << 20)

static void check_line(str text) {
    for (size_t at = 0, n; at < text.n; at += n) {
        uint32_t cp;
        n = utf8_decode(text.p + at, text.n - at, &cp);
        if (n == 0 || plain_is_invisible(cp)) abort();
        if (cp < 0x20 && !(cp == '\n' && at + 1 == text.n)) abort();
    }
}

static void check_entry(struct registry *r, struct entry *t,
                        const struct json *doc, struct arena *a) {
    struct err e;
    const struct json *args;
    AUTO_BUF struct buf out = BUF_MAX(STUB_BYTES);
    if (t->name.n == 0 || t->name.n > NAME_MAX_VENDOR) abort();
    if (!t->fault && registry_find(r, t->name) != t) abort();
    const struct json *shape = shape_learn(NULL, doc, a);
    shape = shape_learn(shape, t->definition, a);
    if (stub_write(t, STUB_BRIEF, shape, &out, &e)) abort();
    check_line(buf_str(&out));
    if (stub_write(t, STUB_FULL, shape, &out, &e) && e.kind != ERR_LIMIT)
        abort();
    if (stub_bind(t, t->definition, a, &args, &e) == 0 &&
        json_type(args) != JSON_OBJECT)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    str text = {(const char *)data, size}, near[3];
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    const struct json *doc = NULL;
    struct json_limits limits = {.depth = 64, .keep_duplicates = true};
    if (json_parse(text, &limits, &a, &doc, &e)) return 0;
    struct registry *r = registry_new(&e);
    struct registry_source s = {.server = STR("fuzz"), .overrides = doc};
    if (r && registry_put(r, &s, doc, &e) >= 0) {
        for (size_t i = 0; i < registry_count(r) && i < 8; i++)
            check_entry(r, registry_at(r, i), doc, &a);
        (void)registry_near(r, str_sub(text, 0, 20), near, 3);
        if (registry_put(r, &s, doc, &e) < 0) abort();
    }
    registry_free(r);
    return 0;
}
