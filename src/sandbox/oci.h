/* SPDX-License-Identifier: MIT
 *
 * oci -- the same task on an OCI runtime that is installed.
 *
 * Writes a bundle (config.json and a root directory) for a cage and drives
 * crun, runc, youki or kata-runtime, or for tier gvisor runsc. What the
 * runtime does with it is the runtime's promise; the layers a result lists are
 * those the bundle asked for.
 *
 * The runtime is not trusted with more than its task: it runs in user, pid and
 * mount namespaces of its own, as nobody's root, in a cgroup with the task's
 * limits. Its end takes everything it started along, the bundle and its state
 * included; only an empty folder in /tmp is left, on which they were mounted.
 */
#ifndef CORDON_SANDBOX_OCI_H
#define CORDON_SANDBOX_OCI_H

#include "sandbox/start.h"
#include "sandbox/tmpdir.h"

enum { OCI_RANGE = 65536 }; /* ids that root can give a runtime */

struct oci_runtime {
    const char *name;
    enum cage_tier tier;
    const char *options[4]; /* that it gets before the command */
    uint64_t memory, pids;  /* it needs these for itself */
    bool hide;              /* it must not see the host's cgroups */
    bool one_id;            /* its files must be those of its root */
    bool whole;             /* it works for the host's root only */
    bool large;             /* its own code runs under the program's limits,
                               and reserves much that it never uses */
    bool tells;             /* of refused calls */
    bool passes;            /* descriptors on */
    bool untried;           /* no test of ours has met it */
};

struct oci {
    const struct oci_runtime *kind;
    char runtime[256]; /* path of the program */
    struct tmpdir dir; /* where the bundle is mounted, for the runtime alone */
    uint32_t outside;  /* first of its ids out here; 0: the caller's own */
    bool counted;      /* its group limits the task as a whole */
};

/* Whether the scratch is a file system of ours: because it is wanted at the
 * end, or because the runtime's own heeds no number of files. */
static inline bool oci_own_scratch(const struct cage *c) {
    return c->keep_scratch || c->tier == TIER_GVISOR;
}

/* How many ids it has, and which of them the program gets. */
static inline uint32_t oci_ids(const struct oci *o) {
    return o->outside && !o->kind->one_id ? OCI_RANGE : 1;
}
static inline uint32_t oci_user(const struct oci *o) {
    return oci_ids(o) > 1 ? INNER_UID : 0;
}

/* The first runtime for the tier that is in PATH. */
int oci_find(enum cage_tier tier, struct oci *out, struct err *e);

/* The text of config.json. */
#define OCI_TRUSTED "ca.pem"
#define OCI_REFUSED "refused" /* where it says who is told of refused calls */
int oci_config(const struct cage *c, const struct oci *o, struct buf *out,
               struct err *e);

/* The runtime runs in the foreground: its end is the task's. */
int oci_start(const struct cage *c, const int std[3], struct oci *oci,
              struct started *out, struct err *e);

/* Removes the folder, after the end. */
void oci_stop(struct oci *oci);

/* In the first process of the runtime's namespaces: makes the place, runs it
 * and ends as it does. trees are those of the binds, root_tree that of the
 * image; -1 where there is none. */
struct oci_space {
    const struct oci *oci;
    const struct cage *cage;
    str config;  /* the text of config.json */
    str trusted; /* certificates for a task whose proxy looks into TLS */
    int status;  /* a byte comes when the ids are mapped; reports go out */
    int std[3];
    int fds[CAGE_MAX_FDS]; /* as in a plan */
    int trees[CAGE_MAX_BINDS], root_tree;
    int doors[CGROUP_DIRS];
};
_Noreturn void oci_enter(const struct oci_space *s);

/* In there: makes the bundle; and after the runtime's end whether it never
 * started the program, and why. */
int oci_bundle(const struct oci_space *s, struct err *e);
bool oci_failed(const struct oci *oci, struct err *why);

/* Waits for the descriptor of refused calls, passes it on to the supervisor,
 * and ends. */
int oci_listen(const struct oci *o, struct err *e);
_Noreturn void oci_pass_on(int listener, int status);

#endif
