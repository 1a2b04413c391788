/* SPDX-License-Identifier: MIT
 *
 * lock -- `cordon tools pin` and `cordon tools diff`: the tools there are now,
 * and the lock they are compared with.
 */
#ifndef CORDON_CLI_LOCK_H
#define CORDON_CLI_LOCK_H

#include "cli/cli.h"
#include "policy/pin.h"
#include "tools/catalogue.h"

/* A server, as it is now. */
struct lock_server {
    str name;
    const struct json *parts[PIN_PARTS]; /* NULL: not known */
    struct lock_server *next;
};

struct lock {
    const char *path;
    int held; /* its folder: nobody else changes it meanwhile */
    struct pins *pins;
    struct catalogue catalogue;
    struct lock_server *servers; /* in the catalogue's arena */
};

#define LOCK_INIT ((struct lock){.held = -1, .catalogue = CATALOGUE_INIT})
void lock_fini(struct lock *l);

/* Reads the pins: of --lock, or else of path. */
int lock_read(struct lock *l, const struct cli *cli, const char *path,
              struct err *e);

#define AUTO_LOCK __attribute__((cleanup(lock_fini)))

/* Notes what a server is that has just put its tools. */
int lock_add_server(struct lock *l, const struct registry_source *source,
                    struct err *e);

/* The commands. 1: something changed, or was refused. */
int lock_pin(struct lock *l, const struct cli *cli, struct err *e);
int lock_diff(struct lock *l, const struct cli *cli, struct err *e);

#endif
