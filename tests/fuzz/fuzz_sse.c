/* SPDX-License-Identifier: MIT
 *
 * Event streams. The events are the same whether the bytes come in one piece or
 * one by one.
 */
#include "fuzz.h"

#include "io/sse.h"

#include <assert.h>

enum { ROOM = 1 << 20 };

static int hear(void *data, const struct sse_event *ev, struct err *e) {
    struct buf *to = data;
    assert(ev->data.n > 0 && ev->type.n > 0);
    return buf_addf(to, e, "%zu %zu %zu;", ev->type.n, ev->id.n, ev->data.n) ||
                   buf_add_str(to, ev->type, e) || buf_add_str(to, ev->id, e) ||
                   buf_add_str(to, ev->data, e)
               ? -1
               : 0;
}

/* True when all of it was taken. */
static bool read_in(str text, size_t piece, struct buf *out) {
    struct sse s;
    struct err e;
    bool good = true;
    sse_init(&s, 1000);
    for (size_t at = 0; good && at < text.n; at += piece)
        good = sse_feed(&s, str_sub(text, at, at + piece), hear, out, &e) == 0;
    sse_fini(&s);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_BUF struct buf whole = BUF_MAX(ROOM), bytes = BUF_MAX(ROOM);
    str text = {(const char *)data, size};
    bool a = read_in(text, size + 1, &whole), b = read_in(text, 1, &bytes);
    assert(a == b);
    assert(str_eq(buf_str(&whole), buf_str(&bytes)));
    return 0;
}
