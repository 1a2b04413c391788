/* SPDX-License-Identifier: MIT
 *
 * wire -- what a virtual machine and its supervisor say over the one channel
 * between them. Both ends are this machine's kind: numbers are as they lie in
 * memory.
 *
 * The guest says READY. The host sends one TASK and the FILTER of its system
 * calls, for each file a FILE and its DATA, then GO; after that standard input
 * as IN, an empty one at its end. The guest answers with OUT and ERR as they
 * come; when the program ended, with FILE and DATA of what it left, if that is
 * wanted, and one END; or with FAILED and a text. Everything the guest says is
 * hostile once the program runs.
 */
#ifndef CORDON_SANDBOX_VM_GUEST_WIRE_H
#define CORDON_SANDBOX_VM_GUEST_WIRE_H

#include <stdint.h>

enum vm_kind {
    VM_READY = 1,
    VM_TASK,
    VM_FILE,
    VM_DATA,
    VM_GO,
    VM_OUT,
    VM_ERR,
    VM_END,
    VM_FAILED,
    VM_FILTER,
    VM_IN,
};

enum { VM_MAX_FRAME = 64 << 10 }; /* bytes after the head */

struct vm_head {
    uint32_t kind, size;
};

/* Followed by argc arguments, envc variables and the working directory, each
 * with its NUL. The clock and the random numbers of a restored machine are
 * those of the snapshot until they are renewed by this. */
struct vm_task {
    int64_t sec, nsec;
    uint8_t seed[64];
    uint64_t scratch, inodes, files, file_size, pids;
    uint32_t argc, envc;
    uint32_t keep; /* files of /tmp are wanted at the end */
    uint32_t unused;
};

/* Followed by the path. Its DATA follow. */
struct vm_file {
    uint32_t mode;
};

struct vm_end {
    int32_t status; /* of wait */
    uint32_t unused;
    int64_t cpu_ns;
    uint64_t memory; /* bytes, of its largest process */
};

#endif
