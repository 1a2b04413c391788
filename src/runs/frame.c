/* SPDX-License-Identifier: MIT
 *
 * frame -- lengths, numbers and texts.
 */
#include "runs/frame.h"

#include <string.h>

/* -- writing ------------------------------------------------------------------
 */

void frame_bytes(struct frame_out *f, const void *p, size_t n) {
    struct err e;
    if (!f->bad && n && buf_add(f->to, p, n, &e)) f->bad = true;
}

static void number(struct frame_out *f, uint64_t v, unsigned bytes) {
    unsigned char b[8];
    for (unsigned i = 0; i < bytes; i++)
        b[i] = (unsigned char)(v >> (8 * i));
    frame_bytes(f, b, bytes);
}

struct frame_out frame_begin(struct buf *to, enum frame type) {
    struct frame_out f = {to, to->len, false};
    number(&f, 0, 4);
    frame_u8(&f, (uint8_t)type);
    return f;
}

void frame_u8(struct frame_out *f, uint8_t v) {
    number(f, v, 1);
}

void frame_u32(struct frame_out *f, uint32_t v) {
    number(f, v, 4);
}

void frame_u64(struct frame_out *f, uint64_t v) {
    number(f, v, 8);
}

void frame_str(struct frame_out *f, str s) {
    if (s.n > FRAME_MAX) f->bad = true;
    frame_u32(f, (uint32_t)s.n);
    frame_bytes(f, s.p, s.n);
}

int frame_end(struct frame_out *f, struct err *e) {
    size_t n = f->to->len - f->at;
    if (f->bad || n > FRAME_MAX) {
        buf_truncate(f->to, f->at);
        return fail(e, ERR_LIMIT, "a message to or from a worker is too long");
    }
    for (unsigned i = 0; i < 4; i++)
        f->to->data[f->at + i] = (char)((n - 4) >> (8 * i));
    return 0;
}

/* -- reading ------------------------------------------------------------------
 */

static uint64_t take(struct frame_in *f, unsigned bytes) {
    uint64_t v = 0;
    if (f->bad || f->rest.n < bytes) {
        f->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)(unsigned char)f->rest.p[i] << (8 * i);
    f->rest = str_sub(f->rest, bytes, f->rest.n);
    return v;
}

int frame_first(str bytes, struct frame_in *f, size_t *len, struct err *e) {
    struct frame_in all = {.rest = bytes};
    if (bytes.n < FRAME_HEAD) return 0;
    uint64_t n = take(&all, 4);
    if (n < 1 || n > FRAME_MAX)
        return fail(e, ERR_PEER, "a frame of %llu bytes",
                    (unsigned long long)n);
    uint64_t type = take(&all, 1);
    if (type >= FRAME_COUNT)
        return fail(e, ERR_PEER, "a frame of the unknown type %llu",
                    (unsigned long long)type);
    if (all.rest.n < n - 1) return 0;
    *f =
        (struct frame_in){(enum frame)type, str_sub(all.rest, 0, n - 1), false};
    *len = n + 4;
    return 1;
}

uint8_t frame_get_u8(struct frame_in *f) {
    return (uint8_t)take(f, 1);
}

uint32_t frame_get_u32(struct frame_in *f) {
    return (uint32_t)take(f, 4);
}

uint64_t frame_get_u64(struct frame_in *f) {
    return take(f, 8);
}

str frame_get_str(struct frame_in *f) {
    uint32_t n = frame_get_u32(f);
    if (f->bad || f->rest.n < n) {
        f->bad = true;
        return STR("");
    }
    str s = str_sub(f->rest, 0, n);
    f->rest = str_sub(f->rest, n, f->rest.n);
    return s;
}

void frame_get_bytes(struct frame_in *f, void *p, size_t n) {
    if (f->bad || f->rest.n < n) {
        f->bad = true;
        memset(p, 0, n);
        return;
    }
    memcpy(p, f->rest.p, n);
    f->rest = str_sub(f->rest, n, f->rest.n);
}
