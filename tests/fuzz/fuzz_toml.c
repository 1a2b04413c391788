/* SPDX-License-Identifier: MIT
 *
 * TOML text. What is read is a value that can be written.
 */
#include "fuzz.h"

#include "gateway/toml.h"
#include "json/write.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    AUTO_BUF struct buf out = BUF_MAX((size_t)64 << 20);
    const struct json *v;
    struct err e;
    if (toml_parse((str){(const char *)data, size}, &a, &v, &e)) return 0;
    assert(json_type(v) == JSON_OBJECT);
    int written = json_write(v, JSON_COMPACT, &out, &e);
    assert(written == 0);
    return 0;
}
