/* SPDX-License-Identifier: MIT
 *
 * serve -- the supervisor of one stdio server: its cages, and running them.
 *
 * What arrives here was packed by confine.h.
 */
#ifndef CORDON_SANDBOX_SERVE_H
#define CORDON_SANDBOX_SERVE_H

#include "sandbox/cage.h"

struct serve {
    const char *by;    /* whose sandbox it is, for the log */
    const char *audit; /* folder of the log; NULL: nothing is recorded */
    const char *home;
    bool fetches;       /* the command is a package runner */
    const char *wanted; /* what must have been installed, as one text */
    struct cage install, run;
};

/* From the packed text to cages. Makes nothing and starts nothing. */
int serve_describe(struct serve *s, str packed, const char *const *argv,
                   struct arena *a, struct err *e);

/* Installs what is not installed, starts the server on our standard streams
 * and stays until it ends. Its exit status. */
struct confine_watch;
int serve_run(const struct serve *s, const struct confine_watch *watch,
              struct err *e);

#endif
