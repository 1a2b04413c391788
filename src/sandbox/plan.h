/* SPDX-License-Identifier: MIT
 *
 * plan -- one start of a task: what the supervisor prepared and the child does.
 *
 * Everything that can be computed, opened or refused outside is in here, so
 * that the child only makes system calls; what takes long is made while it
 * makes namespaces (handover.h). The mechanisms share one shape, `int x(const
 * struct plan *, struct err *)`, and are run in the order of the tables in
 * confine.c.
 */
#ifndef CORDON_SANDBOX_PLAN_H
#define CORDON_SANDBOX_PLAN_H

#include "sandbox/bpf.h"
#include "sandbox/cage.h"
#include "sandbox/cgroup.h"

/* Who the task believes to be. Outside it is somebody else: see ids.c. */
enum { INNER_UID = 1000, INNER_GID = 1000 };

enum {
    PROXY_PORT = 3128, /* on the sandbox's own loopback */
    PROXY_ENV = 16,    /* variables that tell programs of it */
    FD_BASE = 16,      /* ours stay above what a program is given */
};

/* Where a task finds the authorities it is to trust, when the proxy looks into
 * TLS. */
#define VIEW_TRUST   "/tmp/.cordon"
#define VIEW_TRUSTED VIEW_TRUST "/ca.pem"

struct plan {
    const struct cage *cage;
    uint32_t layers;  /* LAYER_BITs that this start will put in force */
    int landlock_abi; /* 0: the kernel has none */
    const char *const *zygote; /* what a launcher execs, see zygote.h */
    bool pooled;               /* its space was made ahead, see launcher.h */
    bool warm;                 /* it is a fork of a zygote */
    bool parked;               /* and waits for its text */
    bool has_net;     /* its network namespace was made with the others */
    bool privileged;  /* the supervisor may map any id and clone any tree */
    uint32_t outside; /* uid and gid of the task out here, if privileged */
    const char *env[CAGE_MAX_ENV + PROXY_ENV + 1];
    str trusted; /* certificates, for VIEW_TRUSTED; empty: the machine's */
    struct bpf_program *filter; /* of the list of system calls */
    int std[3];                 /* become 0, 1 and 2 */
    int fds[CAGE_MAX_FDS];      /* become 3, 4, ... */
    int status;                 /* to the supervisor, see report.h */
    int trees[CAGE_MAX_BINDS];  /* of binds, opened by a privileged parent */
    int doors[CGROUP_DIRS];     /* into its cgroup, see cgroup.h */
    int root_tree;              /* of cage->root, likewise; or -1 */
    int kvm_tree;               /* of /dev/kvm, likewise; or -1 */
};

static inline bool plan_has(const struct plan *p, enum cage_layer layer) {
    return p->layers & LAYER_BIT(layer);
}

/* A start is made of steps with a name for the error message. */
struct step {
    const char *name;
    enum cage_layer layer; /* skipped when it is not in force; or LAYER_COUNT */
    int (*run)(const struct plan *p, struct err *e);
};

/* In the first process of the task, in this order. */
int ids_enter(const struct plan *p, struct err *e);
int cgroup_enter(const struct plan *p, struct err *e);
int cgroup_enter_cpu(const struct plan *p, struct err *e);
int cgroup_hide(const struct plan *p, struct err *e);
int time_enter(const struct plan *p, struct err *e);
int view_private(const struct plan *p, struct err *e);
int view_build(const struct plan *p, struct err *e);
int view_template(const struct plan *p,
                  struct err *e);                    /* without /tmp, /proc */
int view_fresh(const struct plan *p, struct err *e); /* those, for one task */
int net_unshare(const struct plan *p, struct err *e);
int net_enter(const struct plan *p, struct err *e);
int uts_enter(const struct plan *p, struct err *e);

/* In the process that becomes the program. */
int fds_enter(const struct plan *p, struct err *e);
int cwd_enter(const struct plan *p, struct err *e);
int rlimits_apply(const struct plan *p, struct err *e);
int caps_bound(const struct plan *p, struct err *e);
int caps_drop(const struct plan *p, struct err *e);
int nnp_set(const struct plan *p, struct err *e);
int landlock_apply(const struct plan *p, struct err *e);
int seccomp_apply(const struct plan *p, struct err *e);

/* Run the tables of confine.c. A space can be made at once, or ahead of time
 * and then be freshened for each task; confine_task ends in execve. */
int confine_early(const struct plan *p, struct err *e); /* before handover */
int confine_space(const struct plan *p, struct err *e);
int confine_join(const struct plan *p, struct err *e); /* and in its program */
int confine_ahead(const struct plan *p, struct err *e);
int confine_fresh(const struct plan *p, struct err *e);
int confine_here(const struct plan *p, struct err *e); /* a task, no execve */
int confine_task(const struct plan *p, struct err *e);
int confine_parked(const struct plan *p, struct err *e); /* until it is told */
int confine_fed(const struct plan *p, struct err *e);    /* what to execute */

/* What the steps need from the machine. */
int landlock_abi(void);                                  /* 0: none */
int landlock_read_only(const char *path, struct err *e); /* nothing else */
int seccomp_compile(const struct cage *c, uint32_t layers,
                    struct bpf_program *out, struct err *e);
const char *seccomp_name(int nr); /* "ptrace"; "call 999" has no name: NULL */

/* pid 1: starts the program, reaps, forwards signals, reports the end. */
_Noreturn void init_run(const struct plan *p);

/* The same with a program that waits to be told what it is. */
_Noreturn void init_parked(const struct plan *p,
                           void (*program)(const struct plan *p));

/* Tells the supervisor why there is no task, and ends. */
_Noreturn void init_give_up(const struct plan *p, const struct err *cause);

/* The same where the program is somebody else's child. The line leads to that
 * one (zygote.c): namespaces and a word that they are ready go over it, and
 * the end of the program comes back. */
struct init_end {
    int32_t status; /* of wait */
    int64_t cpu_ns;
    uint64_t memory;
};
enum { INIT_NAMESPACES = 3 }; /* pid, ipc, mnt */
_Noreturn void init_beside(const struct plan *p, int line);

#endif
