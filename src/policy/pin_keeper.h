/* SPDX-License-Identifier: MIT
 *
 * pin_keeper -- keeps a registry and tools.lock together while a process runs.
 *
 * It is the registry's guard: whatever puts tools there, they are compared with
 * the lock before anybody can call them. The file is read again when another
 * process changed it, and each change to it is made under a lock of its folder,
 * so that several processes agree. What cannot be compared or recorded is
 * quarantined.
 */
#ifndef CORDON_POLICY_PIN_KEEPER_H
#define CORDON_POLICY_PIN_KEEPER_H

#include "policy/pin.h"

struct pin_keeper;

struct pin_keeper_config {
    const char *path; /* of tools.lock; its folder exists */
    bool refuse_new;  /* what was never pinned is quarantined */
    struct pin_listener listener;
    /* The lock could not be read or written while this server was put; may be
     * NULL. */
    void (*failed)(void *data, str server, const struct err *why);
};

/* Becomes the guard of the registry. A file that cannot be read is an error
 * that says what to do. */
struct pin_keeper *pin_keeper_new(const struct pin_keeper_config *config,
                                  struct registry *r, struct err *e);
void pin_keeper_free(
    struct pin_keeper *k); /* before the registry; may be NULL */

/* Compares everything again where another process changed the file since (a
 * person pinned what was quarantined). True: something may be otherwise now. */
bool pin_keeper_refresh(struct pin_keeper *k);

/* The key that the host of a server must prove itself with before anything is
 * sent to it, in hexadecimal; NULL: none is pinned. Good until the next call
 * of a function here. */
int pin_keeper_key(struct pin_keeper *k, str server, const char **out,
                   struct err *e);

/* It had this key instead, and was sent nothing: the listener is told. */
void pin_keeper_refused(struct pin_keeper *k, str server, const char *key);

/* Nothing will be put for a while: the pinned definitions need not be held
 * until then. They are read again when they are needed. */
void pin_keeper_rest(struct pin_keeper *k); /* k may be NULL */

/* Holds the folder of a lock file until it is closed: who reads the file,
 * changes and writes it does so meanwhile. -1 on failure. */
int pin_hold_folder(const char *path, struct err *e);

#endif
