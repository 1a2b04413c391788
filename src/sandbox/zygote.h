/* SPDX-License-Identifier: MIT
 *
 * zygote -- a CPython that has imported what tasks need, and forks for each.
 *
 * It is the child of a launcher (launcher.h): python3, started in the slot,
 * loads a small module of ours (cordon-python.so) and forks when the launcher
 * passes on a request. Each task is one fork of it in a fresh sandbox, whose
 * pid 1 is the launcher's, small and without a trace of Python; the request's
 * second argument is the program's text. A parked task was forked and confined
 * ahead and waits for its text, so that it runs at once.
 *
 * What children would share is renewed or bounded: random generators are
 * seeded anew, the environment is fixed, no descriptor is inherited; hash seed
 * and addresses are those of the zygote, so a pool replaces it after
 * ZYGOTE_TASKS tasks.
 *
 * A task leaves the value of its last expression as repr text in ZYGOTE_VALUE
 * and, if it has such a form, as JSON in ZYGOTE_JSON, relative to its scratch;
 * plots that were drawn and not saved become figure-N.png there. An uncaught
 * exception prints its traceback to stderr and ends it with status 1. Where the
 * cage names tools they are functions of the program ("mail.send" is send in
 * mail), as in the script tier.
 */
#ifndef CORDON_SANDBOX_ZYGOTE_H
#define CORDON_SANDBOX_ZYGOTE_H

#include "sandbox/pool.h"

#define ZYGOTE_VALUE ".cordon-value"
#define ZYGOTE_JSON  ".cordon-json"
enum { ZYGOTE_TASKS = 256 };

/* A pool of zygotes. module is the path of cordon-python.so; preload names
 * modules, separated by commas, that are imported if they are there. Tasks
 * have argv {"python3", TEXT}. */
int zygote_pool(const struct cage *like, const char *module,
                const char *preload, size_t slots, struct pool **out,
                struct err *e);

/* Where cordon-python.so is: beside the program, or where an installed one has
 * it. */
int zygote_module(struct buf *out, struct err *e);

/* For tasks that are started one by one, without a zygote: makes argv of a
 * cage run the same text in the same way. */
int zygote_describe(struct cage *c, str text, struct err *e);

/* The Python text behind all of this. */
const char *zygote_text(void);

/* In the launcher, when its space is ready: starts the interpreter and waits
 * until it has imported everything. *out is its socket. */
int zygote_start(const struct plan *p, int *out, struct err *e);

#endif
