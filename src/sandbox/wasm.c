/* SPDX-License-Identifier: MIT
 *
 * Compiling modules, keeping what came out, and the cage it runs in.
 */
#include "sandbox/wasm.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/dirs.h"
#include "base/file.h"
#include "sandbox/collect.h"
#include "sandbox/jail.h"
#include "stdlib/embed.h"

EMBED(wasi_host_h, "src/sandbox/wasi/host/host.h");
EMBED(wasi_wasi_def, "src/sandbox/wasi/host/wasi.def");
EMBED(wasi_rt_c, "src/sandbox/wasi/host/rt.c");
EMBED(wasi_fd_c, "src/sandbox/wasi/host/fd.c");
EMBED(wasi_path_c, "src/sandbox/wasi/host/path.c");

#define MODULE_BYTES  ((size_t)64 << 20)
#define PROGRAM_BYTES ((size_t)256 << 20)

static const struct {
    const char *name, *text;
} host_files[] = {
    {"host.h", wasi_host_h}, {"wasi.def", wasi_wasi_def}, {"rt.c", wasi_rt_c},
    {"fd.c", wasi_fd_c},     {"path.c", wasi_path_c},
};
enum { HOST_FILES = sizeof host_files / sizeof host_files[0] };

/* Checked bounds instead of guard pages: no signal handler, no 8 GiB range,
 * nothing that a lock would have to allow. The kept program depends on this
 * text as much as on the module. */
static const char script[] =
    "cd /tmp && wasm2c --no-debug-names -n module /src/module.wasm "
    "-o module.c || exit 3\n"
    "grep -q 'void Z_module_instantiate' module.h || {\n"
    "  echo \"wasm2c $(wasm2c --version) writes C that is not known here\" "
    ">&2; exit 3; }\n"
    "for cc in cc gcc clang; do command -v $cc >/dev/null && break; done\n"
    "$cc -O2 -w -fPIE -static-pie -I/src -I. $1 "
    "-DWASM_RT_MEMCHECK_SIGNAL_HANDLER=0 -DWASM_RT_MAX_CALL_STACK_DEPTH=8000 "
    "-fno-strict-aliasing -o program module.c /src/rt.c /src/fd.c "
    "/src/path.c -lm\n";

/* --- what is needed --- */

/* Where programs of a container are. */
static bool installed(const char *name) {
    static const char *const places[] = {"/usr/local/bin", "/usr/bin", "/bin"};
    char path[64];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", places[i], name);
        if (access(path, X_OK) == 0) return true;
    }
    return false;
}

int wasm_tools(struct err *e) {
    if (!installed("wasm2c"))
        return fail(e, ERR_UNSUPPORTED,
                    "no wasm2c is installed (Debian's package is wabt)");
    if (!installed("cc") && !installed("gcc") && !installed("clang"))
        return fail(e, ERR_UNSUPPORTED,
                    "no C compiler is installed (cc, gcc or clang)");
    return 0;
}

/* --- the cache --- */

static int cache_path(str module, struct buf *out, struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    struct sha256 *h = sha256_new(e);
    if (!h) return -1;
    int rc = sha256_add(h, str_of(script), e);
    for (size_t i = 0; !rc && i < HOST_FILES; i++)
        rc = sha256_add(h, str_of(host_files[i].text), e);
    if (!rc) rc = sha256_add(h, module, e);
    if (!rc) rc = sha256_end(h, digest, e);
    sha256_free(h);
    if (rc || dirs_path(DIRS_CACHE, "wasm", out, e) ||
        file_make_dirs(buf_text(out), 0700, e) || buf_add_char(out, '/', e))
        return -1;
    return hex_encode((str){(const char *)digest, sizeof digest}, out, e);
}

/* --- compiling --- */

static int put_file(const char *dir, const char *name, str text,
                    struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (buf_addf(&path, e, "%s/%s", dir, name)) return -1;
    return file_replace(buf_text(&path), text, 0644, e);
}

static void remove_sources(const char *dir) {
    char path[PATH_MAX];
    for (size_t i = 0; i < HOST_FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, host_files[i].name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/module.wasm", dir);
    unlink(path);
    rmdir(dir);
}

static int write_sources(const char *dir, str module, struct err *e) {
    for (size_t i = 0; i < HOST_FILES; i++)
        if (put_file(dir, host_files[i].name, str_of(host_files[i].text), e))
            return -1;
    return put_file(dir, "module.wasm", module, e);
}

/* A compiler needs more than a task. */
static int compiler_cage(struct cage *c, const char *dir, bool imports,
                         const char **argv, struct err *e) {
    char bind[PATH_MAX + 8];
    snprintf(bind, sizeof bind, "%s:/src", dir);
    argv[0] = "/bin/sh";
    argv[1] = "-c";
    argv[2] = script;
    argv[3] = "sh";
    argv[4] = imports ? "-DMODULE_IMPORTS" : "-DMODULE_ALONE";
    argv[5] = NULL;
    c->argv = argv;
    c->limits.memory = 2ull << 30;
    c->limits.scratch = 1ull << 30;
    c->limits.file_size = 1ull << 30;
    c->limits.wall = 300ull * 1000000000;
    c->keep_scratch = true;
    return cage_add_bind(c, BIND_RO, str_of(bind), e);
}

static int check_result(struct jail *j, struct err *e) {
    struct cage_result r;
    jail_result_take(j, &r);
    int rc = 0;
    if (r.stop == STOP_TIME)
        rc = fail(e, ERR_LIMIT, "compiling it took too long");
    else if (r.code != 0)
        rc = fail(e, ERR_INVALID, "it does not compile: %.300s",
                  r.err.kept.len ? buf_text(&r.err.kept) : "no reason given");
    cage_result_fini(&r);
    return rc;
}

static int run_compiler(const struct cage *c, struct buf *program,
                        struct err *e) {
    struct jail *j = NULL;
    if (jail_start(c, &JAIL_IO_KEEP, &j, e)) return -1;
    int rc = jail_wait(j, e);
    if (!rc) rc = check_result(j, e);
    if (!rc) rc = collect_file(jail_scratch(j), "program", program, e);
    jail_free(j);
    return rc;
}

/* What is to be compiled, and how. */
struct job {
    str module;
    struct wasm_facts facts;
    uint32_t may_miss;
    const char *target;
};

static int compile_in(const char *dir, const struct job *job, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    AUTO_BUF struct buf program = BUF_MAX(PROGRAM_BYTES);
    const char *argv[6];
    struct cage c;
    cage_init(&c, &a);
    c.may_miss = job->may_miss;
    if (write_sources(dir, job->module, e) ||
        compiler_cage(&c, dir, job->facts.imports, argv, e) ||
        run_compiler(&c, &program, e))
        return -1;
    return file_replace(job->target, buf_str(&program), 0700, e);
}

static int compile(const struct job *job, struct err *e) {
    AUTO_BUF struct buf dir = BUF_MAX(PATH_MAX);
    if (buf_addf(&dir, e, "%s-XXXXXX", job->target)) return -1;
    if (!mkdtemp(dir.data)) return fail_sys(e, "%s", buf_text(&dir));
    int rc = compile_in(buf_text(&dir), job, e);
    remove_sources(buf_text(&dir));
    return rc;
}

int wasm_compile(const char *path, uint32_t may_miss, struct buf *out,
                 struct err *e) {
    AUTO_BUF struct buf module = BUF_MAX(MODULE_BYTES);
    AUTO_BUF struct buf target = BUF_MAX(PATH_MAX);
    struct job job = {.may_miss = may_miss};
    if (file_read(path, &module, e)) return -1;
    job.module = buf_str(&module);
    if (wasm_examine(job.module, &job.facts, e) ||
        cache_path(job.module, &target, e))
        return fail_while(e, "%s", path);
    job.target = buf_text(&target);
    if (access(job.target, X_OK) != 0 && (wasm_tools(e) || compile(&job, e)))
        return fail_while(e, "%s", path);
    return buf_add_str(out, buf_str(&target), e);
}

bool wasm_is_ready(const struct cage *c) {
    AUTO_BUF struct buf module = BUF_MAX(MODULE_BYTES);
    AUTO_BUF struct buf target = BUF_MAX(PATH_MAX);
    struct err e;
    return c->argv && c->argv[0] && !file_read(c->argv[0], &module, &e) &&
           !cache_path(buf_str(&module), &target, &e) &&
           access(buf_text(&target), X_OK) == 0;
}

/* --- running --- */

/* Read by wasi/host/rt.c. Bound files are no directories; it passes over
 * them. */
static int settings(const struct cage *c, struct buf *out, struct err *e) {
    if (buf_addf(out, e, "CORDON_WASI=%llu\n/tmp\n",
                 (unsigned long long)c->limits.memory))
        return -1;
    for (size_t i = 0; i < c->bind_count; i++) {
        if (strchr(c->binds[i].to, '\n'))
            return fail(e, ERR_INVALID, "a bind's name holds a line end");
        if (buf_addf(out, e, "%s\n", c->binds[i].to)) return -1;
    }
    return 0;
}

int wasm_cage(const struct cage *c, struct cage *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(128 << 10);
    AUTO_BUF struct buf bind = BUF_MAX(PATH_MAX);
    if (cage_check(c, e)) return -1;
    if (settings(c, &text, e) ||
        wasm_compile(c->argv[0], c->may_miss, &bind, e))
        return fail_while(e, "tier wasm");
    size_t n = 0;
    while (c->argv[n])
        n++;
    const char **argv = arena_zalloc(c->arena, n + 1, sizeof *argv, e);
    if (!argv) return -1;
    memcpy(argv, c->argv, n * sizeof *argv);
    argv[0] = "/module";
    struct cage run = *c;
    run.argv = argv;
    if (cage_add_env(&run, buf_str(&text), e) ||
        buf_add_text(&bind, ":/module", e) ||
        cage_add_bind(&run, BIND_RO, buf_str(&bind), e))
        return fail_while(e, "tier wasm");
    *out = run;
    return 0;
}
