/* SPDX-License-Identifier: MIT
 *
 * worker_label -- labels in the locked process: what came in a frame goes to
 * the interpreter as numbers, and back.
 *
 * Apart from worker_child.c because the interpreter's own labels and those of
 * policy go by the same names.
 */
#ifndef CORDON_RUNS_WORKER_LABEL_H
#define CORDON_RUNS_WORKER_LABEL_H

#include "cordon.h"
#include "runs/frame.h"

struct worker_labels;

/* saved: what worker_labels_save wrote, or empty. */
struct worker_labels *worker_labels_new(cordon_session *s, str saved,
                                        struct err *e);
int worker_labels_save(const struct worker_labels *l, struct buf *out,
                       struct err *e);

/* What the rest of the frame says; -1: memory is short or it is not whole. */
int worker_labels_turn(struct worker_labels *l, struct frame_in *f,
                       struct err *e);
int worker_labels_literals(struct worker_labels *l, struct frame_in *f,
                           struct err *e);

/* A value with the labels that are the rest of the frame. */
enum cordon_status worker_labels_answer(struct worker_labels *l, str json,
                                        struct frame_in *f, struct err *e);
int worker_labels_resolve(struct worker_labels *l, uint64_t id, str json,
                          struct frame_in *f, struct err *e);
int worker_labels_set(struct worker_labels *l, const char *name, str json,
                      struct frame_in *f, struct err *e);

/* Of the arguments of the waiting call, with paths "/args/0" and the like. */
int worker_labels_put_call(struct worker_labels *l, struct frame_out *f,
                           struct err *e);
int worker_labels_put(struct worker_labels *l, cordon_label_id id,
                      struct frame_out *f, struct err *e);

#endif
