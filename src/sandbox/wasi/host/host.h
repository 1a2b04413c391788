/* SPDX-License-Identifier: MIT
 *
 * host -- what a WebAssembly module finds outside of itself.
 *
 * These files are not part of Cordon's programs: they are compiled together
 * with the C text that wasm2c makes of a module (sandbox/wasm.h), into a
 * program that runs in a cage. The module's memory is hostile: every address
 * it gives is checked here before it is used.
 */
#ifndef CORDON_SANDBOX_WASI_HOST_HOST_H
#define CORDON_SANDBOX_WASI_HOST_HOST_H

#include "wasm-rt.h"

#include <stddef.h>

enum { MAX_FDS = 256, MAX_PATH = 4096, MAX_IOVECS = 1024 };

/* Numbers that WASI gives to errors; the rest is in fd.c. */
enum { WASI_OK = 0, WASI_BADF = 8, WASI_FAULT = 21, WASI_INVAL = 28 };

struct entry {
    int fd;              /* -1: free */
    const char *preopen; /* the name it is known by, or NULL */
    uint64_t rights, inherited;
};

/* wasm2c passes this to every imported function. */
struct Z_wasi_snapshot_preview1_instance_t {
    wasm_rt_memory_t *memory;
    char **argv, **env;
    struct entry fds[MAX_FDS];
};
typedef struct Z_wasi_snapshot_preview1_instance_t host;

#define WASI(name) Z_wasi_snapshot_preview1Z_##name

/* A module that declares one of them in another way does not compile. */
#define CALL(name, result, parameters) result WASI(name) parameters;
#include "wasi.def"
#undef CALL

/* n bytes of the module's memory, or NULL where it has none there. */
void *host_at(const host *h, uint32_t address, uint64_t n);

uint32_t host_errno(int error);
int host_fd(const host *h, uint32_t fd); /* -1: not open */

/* Puts fd into the table; the number, or -1 when it is full. */
int host_add(host *h, int fd, uint64_t rights, uint64_t inherited);

/* Rights of WASI that matter here. */
enum {
    RIGHT_READ = 1 << 1,
    RIGHT_WRITE = 1 << 6,
    RIGHT_ALLOCATE = 1 << 8,
    RIGHT_READDIR = 1 << 14,
    RIGHT_SET_SIZE = 1 << 22,
    RIGHT_ALL = (1 << 30) - 1,
};

/* Little-endian, as the module's memory is. */
static inline void put16(void *p, uint16_t v) {
    memcpy(p, &v, sizeof v);
}
static inline void put32(void *p, uint32_t v) {
    memcpy(p, &v, sizeof v);
}
static inline void put64(void *p, uint64_t v) {
    memcpy(p, &v, sizeof v);
}
static inline uint32_t get32(const void *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline uint64_t get64(const void *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

struct stat;
void host_put_stat(char *out, const struct stat *st);
uint8_t host_file_type(unsigned mode);

#endif
