/* SPDX-License-Identifier: MIT
 *
 * The runtime below a module: memory, tables, traps; and main, which opens the
 * preopened directories, locks the process and starts the module.
 */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "module.h"

enum {
    PAGE = 65536,
    MAX_PAGES = 65535, /* sizes are 32 bits */
    MAX_TYPES = 4096,
    MAX_SIGNATURE = 1024,
    MAX_TABLE = 10000000,
    EXIT_TRAP = 134,
};

static const char setting[] = "CORDON_WASI=";

/* wasm2c's interface has no room for a context: this process is one module. */
uint32_t wasm_rt_call_stack_depth;
static uint64_t memory_limit;
static struct {
    uint8_t bytes[MAX_SIGNATURE];
    uint32_t params, results;
} types[MAX_TYPES];
static uint32_t type_count;

static _Noreturn void die(const char *what) {
    char text[128];
    int n = snprintf(text, sizeof text, "wasm: %s\n", what);
    if (write(2, text, (size_t)n) < 0) _exit(EXIT_TRAP);
    _exit(EXIT_TRAP);
}

void wasm_rt_trap(wasm_rt_trap_t code) {
    static const char *const texts[] = {
        [WASM_RT_TRAP_NONE] = "trap",
        [WASM_RT_TRAP_OOB] = "trap: out of bounds access",
        [WASM_RT_TRAP_INT_OVERFLOW] = "trap: integer overflow",
        [WASM_RT_TRAP_DIV_BY_ZERO] = "trap: integer divide by zero",
        [WASM_RT_TRAP_INVALID_CONVERSION] = "trap: invalid conversion",
        [WASM_RT_TRAP_UNREACHABLE] = "trap: unreachable",
        [WASM_RT_TRAP_CALL_INDIRECT] = "trap: wrong indirect call",
        [WASM_RT_TRAP_UNCAUGHT_EXCEPTION] = "trap: uncaught exception",
        [WASM_RT_TRAP_EXHAUSTION] = "trap: call stack exhausted",
    };
    die(texts[code]);
}

bool wasm_rt_is_initialized(void) {
    return true;
}

/* Equal signatures have one number: indirect calls compare numbers. */
uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...) {
    uint8_t bytes[MAX_SIGNATURE] = {0};
    uint64_t n = (uint64_t)params + results;
    if (n > MAX_SIGNATURE || type_count == MAX_TYPES) die("too many types");
    va_list ap;
    va_start(ap, results);
    for (uint64_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)va_arg(ap, wasm_rt_type_t);
    va_end(ap);
    for (uint32_t i = 0; i < type_count; i++)
        if (types[i].params == params && types[i].results == results &&
            memcmp(types[i].bytes, bytes, n) == 0)
            return i + 1;
    memcpy(types[type_count].bytes, bytes, sizeof bytes);
    types[type_count].params = params;
    types[type_count].results = results;
    return ++type_count;
}

/* --- memory and tables --- */

/* The range is reserved whole, so that growing never moves it. */
void wasm_rt_allocate_memory(wasm_rt_memory_t *m, uint32_t pages,
                             uint32_t max_pages) {
    uint64_t limit = memory_limit / PAGE;
    if (limit > MAX_PAGES) limit = MAX_PAGES;
    if (max_pages < limit) limit = max_pages;
    if (pages > limit) die("the module wants more memory than its limit");
    m->data = mmap(NULL, (limit ? limit : 1) * PAGE, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m->data == MAP_FAILED) die("out of memory");
    m->pages = 0;
    m->size = 0;
    m->max_pages = (uint32_t)limit;
    if (wasm_rt_grow_memory(m, pages) == UINT32_MAX) die("out of memory");
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *m, uint32_t delta) {
    uint32_t old = m->pages;
    if (delta > m->max_pages - old) return UINT32_MAX;
    if (delta && mprotect(m->data + (size_t)old * PAGE, (size_t)delta * PAGE,
                          PROT_READ | PROT_WRITE) < 0)
        return UINT32_MAX;
    m->pages = old + delta;
    m->size = m->pages * PAGE;
    return old;
}

void wasm_rt_free_memory(wasm_rt_memory_t *m) {
    (void)m; /* the process ends */
}

static void *new_table(uint32_t n, size_t size) {
    if (n > MAX_TABLE) die("a table is too large");
    void *data = mmap(NULL, ((size_t)n + 1) * size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) die("out of memory");
    return data;
}

static void *grow_table(void *data, uint32_t from, uint32_t to, size_t size) {
    return mremap(data, ((size_t)from + 1) * size, ((size_t)to + 1) * size,
                  MREMAP_MAYMOVE);
}

#define TABLE(kind)                                                            \
    void wasm_rt_allocate_##kind##_table(wasm_rt_##kind##_table_t *t,          \
                                         uint32_t n, uint32_t max) {           \
        t->data = new_table(n, sizeof *t->data);                               \
        t->size = n;                                                           \
        t->max_size = max < MAX_TABLE ? max : MAX_TABLE;                       \
    }                                                                          \
    uint32_t wasm_rt_grow_##kind##_table(wasm_rt_##kind##_table_t *t,          \
                                         uint32_t delta,                       \
                                         wasm_rt_##kind##_t init) {            \
        uint32_t old = t->size;                                                \
        if (old > t->max_size || delta > t->max_size - old) return UINT32_MAX; \
        void *grown = grow_table(t->data, old, old + delta, sizeof *t->data);  \
        if (grown == MAP_FAILED) return UINT32_MAX;                            \
        t->data = grown;                                                       \
        t->size = old + delta;                                                 \
        for (uint32_t i = old; i < t->size; i++)                               \
            t->data[i] = init;                                                 \
        return old;                                                            \
    }                                                                          \
    void wasm_rt_free_##kind##_table(wasm_rt_##kind##_table_t *t) {            \
        (void)t;                                                               \
    }
TABLE(funcref)
TABLE(externref)

/* --- the lock --- */

static const uint16_t calls[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_openat2,
    SYS_mkdirat,
    SYS_unlinkat,
    SYS_renameat,
    SYS_symlinkat,
    SYS_linkat,
    SYS_readlinkat,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_fsync,
    SYS_fdatasync,
    SYS_utimensat,
    SYS_getdents64,
    SYS_fcntl,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_getrandom,
    SYS_sched_yield,

    SYS_munmap,
    SYS_mremap,
    SYS_exit_group,
    SYS_restart_syscall,
};
enum { CALLS = sizeof calls / sizeof calls[0] };

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "this architecture has no lock"
#endif

#define LOAD(field) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define EQUAL(value, yes, no) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)

/* From here on only these calls; memory is never made executable. */
static void lock(void) {
    struct sock_filter code[2 * CALLS + 16] = {
        LOAD(arch),
        EQUAL(ARCH, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        EQUAL(SYS_mmap, 1, 0),
        EQUAL(SYS_mprotect, 0, 4),
        LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        RETURN(SECCOMP_RET_KILL_PROCESS),
    };
    unsigned short n = 10;
    for (size_t i = 0; i < CALLS; i++) {
        code[n++] = (struct sock_filter)EQUAL(calls[i], 0, 1);
        code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    }
    code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS);
    struct sock_fprog program = {n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
        die("cannot lock the process");
}

/* --- main --- */

static void preopen(host *h, const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == ENOTDIR) return; /* a bound file is no directory */
    int at = fd < 0 ? -1 : host_add(h, fd, RIGHT_ALL, RIGHT_ALL);
    if (at < 0) die("cannot open a preopened directory");
    h->fds[at].preopen = path;
}

/* "bytes of memory\n/dir\n/dir\n", made by the cage. */
static void configure(host *h, char *text) {
    char *line = strchr(text, '\n');
    if (!line) die("no settings");
    memory_limit = strtoull(text, NULL, 10);
    while (*++line) {
        char *end = strchr(line, '\n');
        if (!end) die("no settings");
        *end = 0;
        preopen(h, line);
        line = end;
    }
}

static char *take_setting(char **env) {
    char *found = NULL;
    char **to = env;
    for (; *env; env++)
        if (strncmp(*env, setting, sizeof setting - 1) == 0)
            found = *env + sizeof setting - 1;
        else
            *to++ = *env;
    *to = NULL;
    return found;
}

int main(int argc, char **argv, char **env) {
    static host h;
    static Z_module_instance_t module;
    (void)argc;
    h.argv = argv;
    h.env = env;
    for (int i = 0; i < MAX_FDS; i++)
        h.fds[i].fd = -1;
    for (int i = 0; i < 3; i++)
        h.fds[i] = (struct entry){.fd = i, .rights = RIGHT_ALL};
    char *text = take_setting(env);
    if (!text) die("no settings");
    configure(&h, text);
    Z_module_init_module();
    lock();
#ifdef MODULE_IMPORTS
    h.memory = Z_moduleZ_memory(&module);
    Z_module_instantiate(&module, &h);
#else
    Z_module_instantiate(&module);
#endif
    Z_moduleZ__start(&module);
    _exit(0);
}
