/* SPDX-License-Identifier: MIT
 *
 * Frames of a worker's socket. What is read from a frame lies within it, and a
 * frame that was read is written again as the same bytes.
 */
#include "fuzz.h"

#include "runs/frame.h"

#include <assert.h>
#include <string.h>

static void read_all(struct frame_in f, str whole) {
    while (!f.bad && f.rest.n) {
        str s = frame_get_str(&f);
        if (f.bad) break;
        assert(s.n == 0 || (s.p >= whole.p && s.p + s.n <= whole.p + whole.n));
        frame_get_u8(&f);
        frame_get_u32(&f);
        frame_get_u64(&f);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_BUF struct buf again = BUF_MAX((size_t)1 << 24);
    str rest = {(const char *)data, size};
    struct frame_in f;
    struct err e;
    size_t len;
    while (frame_first(rest, &f, &len, &e) == 1) {
        assert(len >= FRAME_HEAD && len <= rest.n);
        read_all(f, rest);
        struct frame_out out = frame_begin(&again, f.type);
        frame_bytes(&out, f.rest.p, f.rest.n);
        assert(frame_end(&out, &e) == 0);
        assert(again.len == len && !memcmp(again.data, rest.p, len));
        buf_truncate(&again, 0);
        rest = str_sub(rest, len, rest.n);
    }
    return 0;
}
