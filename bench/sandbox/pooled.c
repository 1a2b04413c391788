/* SPDX-License-Identifier: MIT
 *
 * Times sandboxes started from a running program, one after the other, and
 * prints the milliseconds of each, one a line.
 *
 *     pooled COUNT pool|cold|plain container|process PROGRAM [ARG...]
 *     pooled COUNT python container - TEXT MODULE.so PRELOAD
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sandbox/jail.h"
#include "sandbox/pool.h"
#include "sandbox/zygote.h"

static int run_jail(struct pool *pool, const struct cage *c, struct err *e) {
    struct jail *j;
    struct cage_result r;
    if (jail_start_in(pool, c, &JAIL_IO_KEEP, &j, e)) return -1;
    int rc = jail_wait(j, e);
    if (!rc) {
        jail_result_take(j, &r);
        rc = r.code == 0 ? 0 : fail(e, ERR_SYSTEM, "exit %d", r.code);
        cage_result_fini(&r);
    }
    jail_free(j);
    return rc;
}

static int run_plain(const struct cage *c, struct err *e) {
    pid_t pid;
    int status;
    if (posix_spawn(&pid, c->argv[0], NULL, NULL,
                    (char *const *)(uintptr_t)c->argv,
                    (char *const *)(uintptr_t)c->env))
        return fail(e, ERR_SYSTEM, "spawn");
    waitpid(pid, &status, 0);
    return status ? fail(e, ERR_SYSTEM, "status %d", status) : 0;
}

static int run_all(struct pool *pool, const struct cage *c, long count,
                   bool plain, struct err *e) {
    for (; count > 0; count--) {
        int64_t start = clock_mono_ns();
        if (plain ? run_plain(c, e) : run_jail(pool, c, e)) return -1;
        printf("%.4f\n", (double)(clock_mono_ns() - start) / 1e6);
    }
    return 0;
}

/* A pool for programs, or of zygotes for Python text. */
static int make_pool(char **argv, const struct cage *c, struct pool **out,
                     struct err *e) {
    if (strcmp(argv[2], "pool") == 0) return pool_new(c, 2, out, e);
    if (strcmp(argv[2], "python") != 0) return 0;
    return zygote_pool(c, argv[6], argv[7], 2, out, e);
}

static int bench(char **argv, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct cage c;
    struct pool *pool = NULL;
    const char *const text[] = {"python3", argv[5], NULL};
    bool python = strcmp(argv[2], "python") == 0;
    cage_init(&c, &a);
    if (geteuid() != 0) c.may_miss = LAYER_BIT(LAYER_CGROUP);
    c.argv = python ? text : (const char *const *)(argv + 4);
    if (cage_set_tier(&c, str_of(argv[3]), e)) return -1;
    if (!python && cage_add_bind(&c, BIND_RO, str_of(argv[4]), e)) return -1;
    if (make_pool(argv, &c, &pool, e)) return -1;
    bool plain = strcmp(argv[2], "plain") == 0;
    int rc = run_all(pool, &c, strtol(argv[1], NULL, 10), plain, e);
    pool_free(pool);
    return rc;
}

int main(int argc, char **argv) {
    struct err e;
    if (argc < 5 || (strcmp(argv[2], "python") == 0 && argc < 8)) return 2;
    if (!bench(argv, &e)) return 0;
    fprintf(stderr, "%s\n", e.text);
    return 1;
}
