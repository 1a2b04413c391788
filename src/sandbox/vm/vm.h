/* SPDX-License-Identifier: MIT
 *
 * vm -- tier microvm: a task in a virtual machine with a kernel of its own.
 *
 * QEMU's microvm board, the distribution's kernel, our own first program
 * (vm/guest) in an initramfs that we make, one serial channel and no other
 * device. A machine that has booted and waits for a task is saved once, kept in
 * the cache, and restored for every task. QEMU itself runs in a container: who
 * breaks out of the guest is in there. Firecracker (firecracker.h) takes its
 * place where it is installed and KVM works.
 *
 * With KVM where that works, else with QEMU's own translation (TCG), which is
 * slow and says so. What a machine is made of (kernel, programs, QEMU,
 * accelerator) names its snapshot.
 */
#ifndef CORDON_SANDBOX_VM_VM_H
#define CORDON_SANDBOX_VM_VM_H

#include "sandbox/cage.h"
#include "sandbox/tmpdir.h"
#include "sandbox/vm/guest/wire.h"

/* Where things are; found once for each start. */
enum vm_monitor { VM_QEMU, VM_FIRECRACKER };

struct vm_parts {
    enum vm_monitor monitor;
    char program[4096]; /* of the monitor */
    char kernel[256];
    char release[128]; /* of the kernel: names its modules */
    char guest[4096];  /* our first program */
    bool kvm;
    bool disk;       /* it has one, with Python */
    uint64_t memory; /* bytes of the machine */
};

/* What is missing is said. What did not work before is left out: KVM, if there
 * is a file "no-kvm" in the cache, and Firecracker, with "no-firecracker"; the
 * files say why. */
int vm_find(struct vm_parts *out, struct err *e);

/* Appends why something was given up; nothing where it was not. */
#define VM_NO_KVM         "microvm/no-kvm"
#define VM_NO_FIRECRACKER "microvm/no-firecracker"
void vm_why_not(const char *what, struct buf *out);

/* Appends the folder of the snapshot for these parts; whether it is made. */
int vm_folder(const struct vm_parts *p, struct buf *out, struct err *e);
bool vm_folder_is_made(const char *folder);

/* A snapshot for these parts, made where there is none; its folder is appended
 * to out. Where no machine starts with KVM, *p has none afterwards. */
int vm_snapshot(struct vm_parts *p, const struct cage *c, struct buf *out,
                struct err *e);

/* The folder's files. */
#define VM_STATE  "state"
#define VM_KERNEL "kernel"
#define VM_INITRD "initrd"
#define VM_DISK   "disk"   /* where there is Python */
#define VM_MEMORY "memory" /* Firecracker's */

/* What was made so far: machines, and the disks they share. */
struct vm_stock {
    size_t count;
    uint64_t bytes; /* on the disk, what is shared once */
    char folder[4096];
};
int vm_stock(struct vm_stock *out, struct err *e);

/* Removes machines that were not used for long, or are more than a few, the
 * oldest first, and disks that no machine has. Never the one named keep. */
void vm_prune(const char *keep);

/* It was used now. */
void vm_touch(const char *folder);

/* The files that lie in such a folder go, and it. */
void vm_forget(const char *folder);

/* Whom the machine trusts: the host's list, where it has one. */
#define VM_CERTIFICATES "/etc/ssl/certs/ca-certificates.crt"

/* Writes the initramfs. */
int vm_image(const struct vm_parts *p, uint32_t may_miss, const char *path,
             struct err *e);

/* Whether a disk can be made here, and putting it into a snapshot's folder. */
bool vm_disk_wanted(void);
int vm_disk(uint32_t may_miss, const char *folder, struct err *e);

/* The argv of QEMU; strings live in the arena. channel and incoming are
 * descriptors, incoming -1 for a fresh boot, monitor -1 for a restored one. */
const char *const *vm_argv(const struct vm_parts *p, int channel, int incoming,
                           int monitor, struct arena *a, struct err *e);

/* Whether a snapshot for this cage is there, and making it. */
bool vm_is_ready(const struct cage *c);
int vm_make_ready(const struct cage *c, struct err *e);

/* --- one machine that runs a task --- */

/* What it sends of its scratch; or what changed in a directory, as overlayfs
 * keeps it (changes.h). */
struct vm_keep {
    struct tmpdir folder;
    int top, dir, file; /* the folder, where files go, and the one being sent */
    uint64_t bytes, files; /* that may still come */
    bool changes;
};
#define VM_KEEP_NONE ((struct vm_keep){.top = -1, .dir = -1, .file = -1})

int vm_keep_open(struct vm_keep *k, const struct cage_limits *l, bool changes,
                 struct err *e);
int vm_keep_file(struct vm_keep *k, str body, struct err *e);
int vm_keep_data(struct vm_keep *k, str body, struct err *e);
void vm_keep_close(struct vm_keep *k);

struct vm {
    int fd; /* our end of the channel; -1: none */
    struct buf in, out;
    const char *accelerator; /* "kvm" or "tcg" */
    struct tmpdir door;      /* of Firecracker's sockets; else none */
    bool ended;
    struct vm_end end;
    struct vm_keep keep, *binds[CAGE_MAX_BINDS]; /* NULL: it is read-only */
    struct vm_keep *into; /* what is being sent; NULL: the scratch */
};

#define VM_NONE ((struct vm){.fd = -1, .keep = VM_KEEP_NONE})

/* From a cage of this tier to the cage of its monitor, which inherits theirs;
 * the caller closes them. trusted are certificates that the task finds, or
 * empty. A monitor with a door has no channel yet. */
int vm_cage(const struct cage *c, str trusted, struct cage *out, struct vm *vm,
            int theirs[2], struct err *e);

/* Restores the machine of a monitor with a door, which was started, and opens
 * its channel. alive is asked while that takes time: 0, or it is not and *e
 * says so. */
int vm_attach(struct vm *vm, int (*alive)(void *context, struct err *e),
              void *context, struct err *e);

/* Who takes what the guest sends. */
struct vm_taker {
    void *context;
    void (*output)(void *context, bool is_err, const char *p, size_t n);
    /* OPEN, BYTES, MORE or SHUT of a stream. */
    int (*stream)(void *context, enum vm_kind kind, const struct vm_stream *s,
                  str data, struct err *e);
};

/* Writes what can go and reads what came. -1: the guest broke the rules, or
 * says that it failed. */
int vm_turn(struct vm *vm, const struct vm_taker *taker, struct err *e);

/* Sends one of those; what is open is bounded by the window of each. */
int vm_stream(struct vm *vm, enum vm_kind kind, uint32_t id, uint32_t room,
              str data, struct err *e);

/* The channel; what was kept stays until vm_forget_kept. */
void vm_close(struct vm *vm);
void vm_forget_kept(struct vm *vm);

#endif
