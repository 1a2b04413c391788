/* SPDX-License-Identifier: MIT
 *
 * gate -- how many at once and how often, for one server or one tool; and the
 * breaker that spares a server which keeps failing.
 */
#ifndef CORDON_CALL_GATE_H
#define CORDON_CALL_GATE_H

#include "base/map.h"
#include "call/limit.h"

#include <stdint.h>

struct gate {
    unsigned active, max; /* calls inside */
    double rate;          /* a second; 0: not limited */
    double tokens;        /* calls that may begin at once */
    int64_t filled;       /* when tokens was right; monotonic ns */
    unsigned failures;    /* one after another */
    int64_t closed_until; /* the breaker; 0: it is shut, calls pass */
    bool trying;          /* one call finds out whether it works again */
};

struct gates {
    struct map all; /* name -> struct gate */
};

#define GATES_INIT ((struct gates){MAP_MAX((size_t)1 << 20)})

/* The gate of that name, made with these limits when it is new. */
struct gate *gates_get(struct gates *g, str name, const struct limit *l,
                       struct err *e);
void gates_fini(struct gates *g);

#define GATE_FULL (-1)
/* 0: a call may enter now; GATE_FULL: when another leaves; else in that many
 * ns. */
int64_t gate_wait(struct gate *g, int64_t now);
void gate_enter(struct gate *g);
void gate_leave(struct gate *g);

/* How long the breaker still refuses, 0 when it does not. A call that passes
 * after a closed time is the trial: until it ended, others are refused. */
int64_t gate_refuses(struct gate *g, int64_t now);
void gate_report(struct gate *g, bool worked, int64_t now);
/* The trial ended and told nothing, as when it was cancelled: the next call is
 * one. After a report this does nothing. */
void gate_give_up(struct gate *g);

#endif
