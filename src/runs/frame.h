/* SPDX-License-Identifier: MIT
 *
 * frame -- messages of a worker's socket as bytes, and back.
 *
 * A frame is a 4-byte length (of what follows), a type and a body of numbers
 * and counted texts. Reading checks every step: a body that ends early makes
 * `bad` true and all further reads empty, so that a reader checks once.
 */
#ifndef CORDON_RUNS_FRAME_H
#define CORDON_RUNS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define FRAME_HEAD 5
#define FRAME_MAX  ((size_t)1088 << 20) /* the largest state and a little */

enum frame {
#define FRAME(name, body) FRAME_##name,
#include "runs/frames.def"
#undef FRAME
    FRAME_COUNT,
};

/* -- writing: begin, add, end; a failure in between stays -------------------
 */

struct frame_out {
    struct buf *to;
    size_t at; /* where the frame begins */
    bool bad;
};

struct frame_out frame_begin(struct buf *to, enum frame type);
void frame_u8(struct frame_out *f, uint8_t v);
void frame_u32(struct frame_out *f, uint32_t v);
void frame_u64(struct frame_out *f, uint64_t v);
void frame_str(struct frame_out *f, str s);
void frame_bytes(struct frame_out *f, const void *p, size_t n);
/* -1: memory is short or the frame too long; nothing of it is left. */
int frame_end(struct frame_out *f, struct err *e);

/* -- reading ----------------------------------------------------------------
 */

struct frame_in {
    enum frame type;
    str rest;
    bool bad;
};

/* The first frame of `bytes`: 1 and its whole length, 0: it is not all there,
 * -1: this is no frame. */
int frame_first(str bytes, struct frame_in *f, size_t *len, struct err *e);
uint8_t frame_get_u8(struct frame_in *f);
uint32_t frame_get_u32(struct frame_in *f);
uint64_t frame_get_u64(struct frame_in *f);
str frame_get_str(struct frame_in *f);
void frame_get_bytes(struct frame_in *f, void *p, size_t n);

#endif
