/* SPDX-License-Identifier: MIT
 *
 * zygote -- a CPython that has imported what tasks need, and forks for each.
 *
 * It is a launcher (launcher.h) that happens to be python3: the interpreter is
 * started in the slot, loads a small module of ours (cordon-python.so), and
 * from then on answers the launcher's requests. Each task is a fork of it in
 * a fresh sandbox; the request's second argument is the program's text.
 *
 * What children would share is renewed or bounded: random generators are
 * seeded anew, the environment is fixed, no descriptor is inherited; hash seed
 * and addresses are those of the zygote, so a pool replaces it after
 * ZYGOTE_TASKS tasks.
 *
 * A task leaves the value of its last expression as repr text in
 * ZYGOTE_VALUE, relative to its scratch; an uncaught exception prints its
 * traceback to stderr and ends it with status 1.
 */
#ifndef CORDON_SANDBOX_ZYGOTE_H
#define CORDON_SANDBOX_ZYGOTE_H

#include "sandbox/pool.h"

#define ZYGOTE_VALUE ".cordon-value"
enum { ZYGOTE_TASKS = 256 };

/* A pool of zygotes. module is the path of cordon-python.so; preload names
 * modules, separated by commas, that are imported if they are there. Tasks
 * have argv {"python3", TEXT}. */
int zygote_pool(const struct cage *like, const char *module,
                const char *preload, size_t slots, struct pool **out,
                struct err *e);

/* For tasks that are started one by one, without a zygote: makes argv of a
 * cage run the same text in the same way. */
int zygote_describe(struct cage *c, str text, struct err *e);

/* The Python text behind all of this. */
const char *zygote_text(void);

/* In the launcher, when its space is ready: becomes the interpreter. */
_Noreturn void zygote_exec(const struct plan *p, int control);

#endif
