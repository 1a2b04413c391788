/* SPDX-License-Identifier: MIT
 *
 * replay -- a run once more, from its journal alone: nothing is called.
 */
#ifndef CORDON_RUNS_REPLAY_H
#define CORDON_RUNS_REPLAY_H

#include "base/buf.h"
#include "store/store.h"

struct replay {
    bool same;                  /* it took the same way to the same end */
    uint64_t calls;             /* that were handed out again */
    uint64_t at;                /* the call where it differed; 0: none */
    char why[256];              /* it differs, in words */
    uint64_t steps, steps_then; /* equal in the same build; 0: not known */
};

/* The run's outcome as it comes out now is appended as JSON. */
int replay_run(struct store *s, str id, struct replay *out, struct buf *outcome,
               struct err *e);

#endif
