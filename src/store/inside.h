/* SPDX-License-Identifier: MIT
 *
 * inside -- what the files of the store share.
 */
#ifndef CORDON_STORE_INSIDE_H
#define CORDON_STORE_INSIDE_H

#include <limits.h>

#include "store/backend.h"
#include "store/store.h"

#define OWNER_SIZE 160
#define QUEUE_BYTES                                          \
    ((size_t)192 << 20) /* two of the largest blobs and more \
                         */

struct store {
    struct backend *db;
    struct loop *loop;
    void (*lost)(void *data, str run);
    void *lost_data;
    struct buf queue; /* statements to be carried out, see queue.c */
    bool in_trouble;  /* the last write failed with `trouble` */
    struct err trouble;
    bool broken;               /* a sync failed: nothing more is written */
    struct store_wait *waits;  /* for the next sync, newest first */
    struct store_wait *served; /* being told of the last one */
    struct io_task task;       /* writes at the end of the turn */
    struct io_timer retry;     /* while in trouble */
    struct io_timer renew;     /* of leases */
    char owner[OWNER_SIZE];    /* who we are, for leases: owner.c */
    struct io_watch wake;      /* words of other processes: wake.c */
    void (*woken)(void *data, str run);
    void *woken_data;
    uint8_t key[STORE_KEY];
    char snapshots[PATH_MAX]; /* the folder: snapshots.c */
};

enum push {
    PUSH_ANY,
    PUSH_FENCED, /* changing no row means that the run was lost */
};

/* Adds a statement to the queue. */
int store_push(struct store *s, enum statement st, enum push how,
               const struct sql_value *args, size_t count, struct err *e);

/* Carries out one statement now, after the queue, on disk when it returns. */
int store_now(struct store *s, enum statement st, const struct sql_value *args,
              size_t count, int64_t *changed, struct err *e);

int store_query(struct store *s, enum statement st,
                const struct sql_value *args, size_t count, sql_row_fn *row,
                void *data, struct err *e);

/* The row, copied into the arena; ERR_MISSING when there is none. */
int store_one(struct store *s, enum statement st, const struct sql_value *args,
              size_t count, struct arena *a, struct sql_value cols[SQL_ARGS],
              struct err *e);

/* Removes what processes that were killed left behind. */
void snapshots_sweep(struct store *s);

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* -- owner.c ----------------------------------------------------------------
 */

/* Names this process so that others can tell whether it still lives. */
int owner_self(char out[OWNER_SIZE], struct err *e);

enum owner_life { OWNER_UNKNOWN, OWNER_DEAD, OWNER_ALIVE };
enum owner_life owner_look(str owner);

/* -- wake.c -----------------------------------------------------------------
 */

/* Where it cannot listen it is not woken. */
void wake_open(struct store *s);
void wake_close(struct store *s);

#endif
