/* SPDX-License-Identifier: MIT
 *
 * firecracker -- the other monitor of tier microvm, where its program and KVM
 * are there: driven through its socket, in the same cage as QEMU, with the same
 * guest, which it reaches over vsock.
 *
 * Both sockets are made by Firecracker in a folder that is bound writable as
 * FC_DOOR; the files of the snapshot are below /vm. Written after its
 * documented interface; here it has never met the real program.
 */
#ifndef CORDON_SANDBOX_VM_FIRECRACKER_H
#define CORDON_SANDBOX_VM_FIRECRACKER_H

#include "sandbox/vm/vm.h"

#define FC_DOOR "/door"

/* One that runs, as seen from outside. */
struct fc {
    const char *door; /* the folder on this side */
    /* 0: it runs; else it does not, and *e says why, or nothing. */
    int (*alive)(void *context, struct err *e);
    void *context;
    int64_t deadline; /* of all that is asked, on the monotonic clock */
};

/* Where it is, from PATH; false: nowhere. */
bool fc_find(char *out, size_t size);

/* Its cage: the program, the folder of the snapshot, and the door. */
int fc_cage(const struct vm_parts *p, const char *folder, const char *door,
            bool may_write, struct cage *c, struct err *e);

/* One request; what is not an answer of 2xx is an error with its reason. */
int fc_ask(const struct fc *f, const char *method, const char *path,
           const char *body, struct err *e);

/* Configures a machine and starts it; saves it; starts a saved one. */
int fc_boot(const struct fc *f, const struct vm_parts *p, struct err *e);
int fc_save(const struct fc *f, struct err *e);
int fc_restore(const struct fc *f, struct err *e);

/* The channel to the guest, once it listens. The caller's to close. */
int fc_connect(const struct fc *f, int *out, struct err *e);

/* The uncompressed kernel that it wants, made of the distribution's. */
int fc_kernel(const struct vm_parts *p, uint32_t may_miss, const char *path,
              struct err *e);

#endif
