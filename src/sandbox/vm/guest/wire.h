/* SPDX-License-Identifier: MIT
 *
 * wire -- what a virtual machine and its supervisor say over the one channel
 * between them. Both ends are this machine's kind: numbers are as they lie in
 * memory.
 *
 * The guest says READY. The host sends one TASK and the FILTER of its system
 * calls, for each file a FILE and its DATA, then GO. Files that come after a
 * BIND are those of a directory that the program may change. The guest answers
 * with OUT and ERR as they come; when the program ended, with FILE and DATA of
 * what it left in its scratch, if that is wanted, and after a BIND of what it
 * changed there, and one END; or with FAILED and a text. Everything the guest
 * says is hostile once the program runs.
 *
 * Meanwhile streams run beside: standard input, the socket to the tools, and
 * one for each connection to the proxy, which the guest begins with OPEN. BYTES
 * carry a stream's data, an empty one the end of that direction; nobody sends
 * more than VM_WINDOW bytes that were not acknowledged by MORE. SHUT breaks a
 * stream off.
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
    VM_OPEN,
    VM_BYTES,
    VM_MORE,
    VM_SHUT,
    VM_BIND,
};

enum {
    VM_MAX_FRAME = 64 << 10, /* bytes after the head */
    VM_WINDOW = 64 << 10,    /* of a stream, in each direction */
    VM_CHUNK = 16 << 10,     /* of it in one frame at most */
    VM_MAX_STREAMS = 34,     /* at a time */
    VM_MAX_BINDS = 32,       /* that the program may change */
    VM_PORT = 1024,          /* where the guest listens, if it has vsock */
    VM_PROXY_PORT = 3128,    /* and where on its own loopback */
};

/* The first streams; those of connections are counted from VM_FIRST_LINK on,
 * and no number comes twice. */
enum { VM_STDIN, VM_TOOLS, VM_FIRST_LINK };

struct vm_head {
    uint32_t kind, size;
};

/* Of OPEN, BYTES (followed by data), MORE and SHUT. */
struct vm_stream {
    uint32_t id;
    uint32_t room; /* of MORE: bytes that were taken */
};

enum vm_net { VM_NET_NONE, VM_NET_LOOPBACK, VM_NET_PROXY };

/* Followed by argc arguments, envc variables and the working directory, each
 * with its NUL. The clock and the random numbers of a restored machine are
 * those of the snapshot until they are renewed by this. */
struct vm_task {
    int64_t sec, nsec;
    uint8_t seed[64];
    uint64_t scratch, inodes, files, file_size, pids;
    uint32_t argc, envc;
    uint32_t keep;  /* files of /tmp are wanted at the end */
    uint32_t net;   /* enum vm_net */
    uint32_t tools; /* descriptor 3 of the program is the socket to them */
    uint32_t unused;
};

/* Followed by the path. Its DATA follow. What was deleted in a directory that
 * the program may change is a character device, as overlayfs has it; a link has
 * no text. */
struct vm_file {
    uint32_t mode; /* with VM_OPAQUE: a directory that hides the old one */
};
#define VM_OPAQUE (1u << 16)

/* On the way in followed by the path. */
struct vm_bind {
    uint32_t index;
};

struct vm_end {
    int32_t status; /* of wait */
    uint32_t unused;
    int64_t cpu_ns;
    uint64_t memory; /* bytes, of its largest process */
};

#endif
