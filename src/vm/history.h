/* SPDX-License-Identifier: MIT
 *
 * history -- what reached a run from outside, in the order in which it came.
 *
 * A journal is a sequence of records: a type (history.def), a length and a
 * body. A session that records appends one for each thing that could be
 * different another time. A session that replays takes them from the front
 * instead of asking, and appends what it took to its own journal, so that the
 * two are one when the old one is used up and the run goes on alive.
 *
 * The journal is the host's own file. It is checked when it is read, but it is
 * trusted to be what was recorded: keep it as safe as the run's results.
 */
#ifndef CORDON_VM_HISTORY_H
#define CORDON_VM_HISTORY_H

#include "base/buf.h"
#include "vm/value.h"

struct vm;

enum history_type {
#define RECORD(name, body) HISTORY_##name,
#include "vm/history.def"
#undef RECORD
    HISTORY_COUNT,
};

struct history {
    bool record;    /* cordon_journal() is wanted */
    bool draws;     /* only what the run draws itself (clocks, limits) and the
                       order of values: its host gives programs, inputs and
                       answers again, and has what is replayed */
    bool failed;    /* it could not be written on: memory */
    bool diverged;  /* what happens is not what was recorded */
    struct buf out; /* recorded */
    struct buf in;  /* to be replayed; `at` is the next record */
    size_t at;
    bool following;   /* what happens is done by the journal: it is in it */
    str labels;       /* of the places of the value that comes next */
    struct buf noted; /* likewise, while it is recorded */
};

/* -- records ----------------------------------------------------------------
 */

struct record {
    enum history_type type;
    str body;
};

void history_add(struct history *j, enum history_type type, str body);
/* The next record to replay; false: there is none. */
bool history_peek(const struct history *j, struct record *out);
void history_skip(struct history *j);
/* The next record, taken; it must be of this type and length, else the replay
 * has diverged. False: it is not replaying any more, or diverged. */
bool history_take(struct history *j, enum history_type type, void *body,
                  size_t n);
static inline bool history_replaying(const struct history *j) {
    return j && j->at < j->in.len;
}

/* Bodies are numbers of 8 bytes and counted texts. */
int history_put(struct buf *to, const uint64_t *words, size_t n,
                const str *texts, size_t ntexts);
bool history_get(str body, uint64_t *words, size_t n, str *texts,
                 size_t ntexts);

/* -- what the interpreter asks ----------------------------------------------
 */

/* The clocks of Python's time module. */
int64_t history_clock(struct vm *vm, bool wall);
/* 64 bits nobody could foresee, from a seed of the run's own. False: the kernel
 * gave none. */
bool history_entropy(struct vm *vm, uint64_t *out);
/* Of a limit that another run would not reach at the same step. */
void history_limit(struct vm *vm, unsigned limit);
/* The step at which the recorded run was ended so, and by which limit; false:
 * it was not, or not yet. */
bool history_next_limit(const struct vm *vm, uint64_t *step, unsigned *limit);

#endif
