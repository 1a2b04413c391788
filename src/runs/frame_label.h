/* SPDX-License-Identifier: MIT
 *
 * frame_label -- labels in the frames of a worker's socket.
 *
 * A label is u8 integrity, u8 secrecy, u8 many, its readers (u32 n, then
 * texts) and its origins (u32 n, then three texts and u64). Labels of a value
 * are u32 n, then n labels, u32 m, then m of text path and u32 number of a
 * label, and the number of the one that decided. n is 0 where there are none.
 */
#ifndef CORDON_RUNS_FRAME_LABEL_H
#define CORDON_RUNS_FRAME_LABEL_H

#include "policy/label.h"
#include "runs/frame.h"

void frame_label(struct frame_out *f, const struct label *l);
void frame_labels(struct frame_out *f, const struct labels *l); /* or NULL */

/* What they point to is in the frame and in the arena. A frame that is not
 * whole becomes bad; -1 is for memory. */
int frame_get_label(struct frame_in *f, struct arena *a, struct label *out,
                    struct err *e);
/* *out is NULL where there are none. */
int frame_get_labels(struct frame_in *f, struct arena *a,
                     const struct labels **out, struct err *e);

#endif
