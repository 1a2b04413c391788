/* SPDX-License-Identifier: MIT
 *
 * ids -- who a task is, inside and outside.
 *
 * Inside, every task is uid 1000. Outside it is never 0: started by root it
 * gets a uid of its own from a range that no account uses, so that two tasks
 * can neither signal each other nor share per-user limits; started by anybody
 * else it is that user.
 */
#ifndef CORDON_SANDBOX_IDS_H
#define CORDON_SANDBOX_IDS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether this process may give a task any uid: root can, but not the root of
 * a user namespace that was given few. */
bool ids_free_choice(void);

/* A new outside uid (and gid) for a task that root starts. */
int ids_outside(uint32_t *out, struct err *e);

/* Writes the maps of pid's new user namespace: to `outside`, or where that is
 * 0 to the ids this process has. */
int ids_map(pid_t pid, uint32_t outside, struct err *e);

/* The same from 0 on, for a program that wants to be root in there. */
int ids_map_range(pid_t pid, uint32_t outside, uint32_t count, struct err *e);

/* A user namespace that maps an owner of files to the task's outside uid and
 * gid, for mounts that shift ids. Kept, for most that is shifted has the same
 * owner. */
struct ids_shift {
    uint32_t outside;
    uid_t uid;
    gid_t gid;
    int ns;                        /* or -1 */
    pid_t maker;                   /* dead, not reaped; or 0 */
    _Alignas(16) char stack[8192]; /* the maker's; a dynamic linker may save
                                      every vector register on it */
};
#define IDS_SHIFT(to) ((struct ids_shift){.outside = (to), .ns = -1})

/* Makes s->ns one for files of uid and gid. */
int ids_shift_from(struct ids_shift *s, uid_t uid, gid_t gid, struct err *e);

/* Closes it, and waits for its maker: better not while somebody waits for us.
 */
void ids_shift_end(struct ids_shift *s);

#endif
