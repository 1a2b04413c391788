/* SPDX-License-Identifier: MIT
 *
 * worker_order -- in which order values come to a program.
 *
 * A program whose reads overlap may do one thing or another as their values
 * come. So the worker notes, among what the program drew, which calls it went
 * on without and which values it was given at which stop. When the program is
 * run again, its host answers every call it has an answer for; here the value
 * is held back until it came the first time.
 *
 * At a stop with values owed the record is CAME for each that came, then how it
 * went on: CONTINUE, or LATER for the call it stands at. With none owed it is
 * LATER or nothing.
 */
#ifndef CORDON_RUNS_WORKER_ORDER_H
#define CORDON_RUNS_WORKER_ORDER_H

#include "runs/frame.h"
#include "vm/session.h"

struct held;

struct worker_order {
    cordon_session *s;
    /* The value of a pending call, or its error: the rest of an ANSWER or
     * ANSWER_ERROR frame. */
    void (*settle)(void *data, uint64_t id, struct frame_in *f);
    void *data;
    bool owed;         /* values, when it stopped */
    struct held *held; /* answers that are not due yet, newest first */
};

/* -- as it happens ----------------------------------------------------------
 */

void order_stopped(struct worker_order *o); /* whatever follows is noted */
void order_came(struct worker_order *o, uint64_t id);
void order_later(struct worker_order *o);
void order_went_on(struct worker_order *o);

/* -- once more --------------------------------------------------------------
 */

/* The host answers the call. True: the program went on without the answer, and
 * does so again; -1: memory. */
int order_defers(struct worker_order *o, const struct frame_in *f,
                 struct err *e);
/* A program that waits is given what it was given then. */
enum cordon_status order_follow(struct worker_order *o, enum cordon_status st);

#endif
