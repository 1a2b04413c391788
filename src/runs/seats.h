/* SPDX-License-Identifier: MIT
 *
 * seats -- as many workers as there may be at once, and who sits in them.
 *
 * A seat is what a run has of a worker: it asks for one, is told when it is
 * there, speaks to it, and is told what comes of it, all in the loop. While a
 * run only waits (for tools) its worker may be wanted by another: then it is
 * asked to leave, and it saves its state, gives the seat up and asks again
 * later. A worker serves one seat and ends with it; the next one gets another.
 */
#ifndef CORDON_RUNS_SEATS_H
#define CORDON_RUNS_SEATS_H

#include "io/loop.h"
#include "runs/nursery.h"
#include "runs/worker.h"

struct seats;

enum seat_state {
    SEAT_NONE,
    SEAT_WANTED, /* in the queue */
    SEAT_TAKEN,
    SEAT_IDLE, /* taken, and nothing is being run: it may be asked to leave */
};

struct seat {
    /* A worker is there; it has no session yet. */
    void (*seated)(struct seat *s);
    /* What came of a request. The last one is WORKER_GONE. The seat may be left
     * in it. */
    void (*event)(struct seat *s, const struct worker_event *ev);
    void (*leave)(struct seat *s); /* somebody else needs the worker */
    void *data;
    struct seats *seats;
    struct worker *worker; /* NULL unless taken */
    enum seat_state state;
    struct io_watch watch;
    struct seat *next, *before; /* of the queue, or of those idle */
};

/* nursery NULL: one is started now. max 0: 16. */
struct seats *seats_new(struct loop *loop, struct nursery *nursery, size_t max,
                        struct err *e);
void seats_free(struct seats *all); /* every seat was left */

/* Asks for a worker; `seated` or, where there can be none, an event follows,
 * never before this returns. */
void seat_take(struct seats *all, struct seat *s);
/* Ends the worker, or the wish for one. */
void seat_leave(struct seat *s);
/* It only waits from now on, or not any more. */
void seat_rest(struct seat *s, bool resting);
/* After requests: lets the loop send what the kernel did not take at once. */
void seat_sent(struct seat *s);

#endif
