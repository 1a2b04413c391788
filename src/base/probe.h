/* SPDX-License-Identifier: MIT
 *
 * probe -- one question to this machine, asked by `cordon doctor`.
 *
 * A probe looks and changes nothing that stays. It is one function and one row
 * in cli/doctor.def; any folder may have some.
 */
#ifndef CORDON_BASE_PROBE_H
#define CORDON_BASE_PROBE_H

enum probe_state {
    PROBE_MISSING, /* not there; the detail says why and what would help */
    PROBE_PARTLY,  /* there with a restriction that the detail names */
    PROBE_THERE,
};

struct probe {
    const char *config; /* given to it: the file of --config, or NULL */
    enum probe_state state;
    char detail[256]; /* a phrase: a version, a limit, a reason */
};

typedef void probe_fn(struct probe *p);

/* Fills p; the shortest way to write the end of a probe. */
void probe_says(struct probe *p, enum probe_state state, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
