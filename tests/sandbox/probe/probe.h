/* SPDX-License-Identifier: MIT
 *
 * probe -- one thing that hostile code tries.
 *
 * Each probe runs in a process of its own under a watchdog. It returns 0 when
 * the attack worked, else the errno that stopped it (or PROBE_NOT when the
 * thing is simply not there). A probe that was killed has been stopped too.
 */
#ifndef CORDON_TESTS_SANDBOX_PROBE_H
#define CORDON_TESTS_SANDBOX_PROBE_H

enum { PROBE_NOT = 1000 }; /* not there: nothing to attack */

typedef int probe_fn(void);

#define PROBE(id, name, expect, layers, fn) probe_fn fn;
#include "probes.def"
#undef PROBE

/* The result of a system call as a probe reports it. */
int probe_result(long rc);

/* Text the test put into the environment, or "". */
const char *probe_env(const char *name);

/* Tries to open for reading or writing. */
int probe_open(const char *path, int flags);

#endif
