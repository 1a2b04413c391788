/* SPDX-License-Identifier: MIT
 *
 * Times sandboxes started from a running program and prints the milliseconds
 * of each, one a line.
 *
 *     pooled COUNT pool|rush|cold|plain container|process PROGRAM [ARG...]
 *     pooled COUNT python|parked|many MODULE.so PRELOAD TEXT
 *
 * pool starts tasks that were ready, rush those of slots alone. python forks
 * each task when it is asked for; parked measures tasks that were ready, from
 * the text to the first byte of output; many keeps all slots busy and prints
 * tasks per second.
 */
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "sandbox/jail.h"
#include "sandbox/pool.h"
#include "sandbox/zygote.h"

enum { SLOTS = 4 };

static double since_ms(int64_t start) {
    return (double)(clock_mono_ns() - start) / 1e6;
}

static int finish(struct jail *j, struct err *e) {
    struct cage_result r;
    jail_result_take(j, &r);
    int rc = r.code == 0 ? 0 : fail(e, ERR_SYSTEM, "exit %d", r.code);
    cage_result_fini(&r);
    jail_free(j);
    return rc;
}

static int run_jail(struct pool *pool, const struct cage *c, struct err *e) {
    struct jail *j;
    if (jail_start_in(pool, STR(""), c, &JAIL_IO_KEEP, &j, e)) return -1;
    if (!jail_wait(j, e)) return finish(j, e);
    jail_free(j);
    return -1;
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

static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static int await_parked(struct pool *pool, struct err *e) {
    for (int i = 0; i < 5000; i++) {
        pool_tend(pool);
        rest(); /* asked for is not ready: give it the time to be */
        if (pool_parked(pool)) return 0;
    }
    return fail(e, ERR_SYSTEM, "nothing was parked");
}

static int run_all(struct pool *pool, const struct cage *c, long count,
                   bool plain, bool ready, struct err *e) {
    for (; count > 0; count--) {
        if (ready && await_parked(pool, e)) return -1;
        if (plain) rest(); /* as those that are ready have had */
        int64_t start = clock_mono_ns();
        if (plain ? run_plain(c, e) : run_jail(pool, c, e)) return -1;
        printf("%.4f\n", since_ms(start));
    }
    return 0;
}

/* --- Python --- */

static int run_parked(struct pool *pool, const struct cage *c, struct err *e) {
    int pair[2];
    char first;
    struct jail *j;
    if (await_parked(pool, e)) return -1;
    if (pipe(pair) < 0) return fail_sys(e, "pipe");
    AUTO_FD int ours = pair[0], theirs = pair[1];
    struct jail_io io = {.in = -1, .out = {STREAM_GIVE, theirs}};
    int64_t start = clock_mono_ns();
    if (jail_start_in(pool, STR(""), c, &io, &j, e)) return -1;
    if (read(ours, &first, 1) == 1) printf("%.4f\n", since_ms(start));
    if (!jail_wait(j, e)) return finish(j, e);
    jail_free(j);
    return -1;
}

static int run_many(struct pool *pool, const struct cage *c, long count,
                    struct err *e) {
    struct jail *jails[SLOTS] = {0};
    struct pollfd fds[SLOTS];
    long started = 0, ended = 0;
    int64_t start = clock_mono_ns();
    while (ended < count) {
        for (int i = 0; i < SLOTS; i++) {
            if (!jails[i] && started++ < count &&
                jail_start_in(pool, STR(""), c, &JAIL_IO_KEEP, &jails[i], e))
                return -1;
            fds[i] =
                (struct pollfd){jails[i] ? jail_fd(jails[i]) : -1, POLLIN, 0};
        }
        poll(fds, SLOTS, -1);
        for (int i = 0; i < SLOTS; i++) {
            if (!jails[i] || !fds[i].revents) continue;
            int rc = jail_step(jails[i], e);
            if (rc < 0 || (rc > 0 && finish(jails[i], e))) return -1;
            if (rc > 0) jails[i] = NULL, ended++;
        }
    }
    printf("%.1f\n", (double)count * 1e3 / since_ms(start));
    return 0;
}

static int python(char **argv, struct cage *c, struct err *e) {
    const char *const text[] = {"python3", argv[5], NULL};
    long count = strtol(argv[1], NULL, 10);
    struct pool *pool;
    int rc = 0;
    c->argv = text;
    if (zygote_pool(c, argv[3], argv[4], SLOTS, &pool, e)) return -1;
    if (strcmp(argv[2], "many") == 0) {
        rc = run_many(pool, c, count, e);
    } else if (strcmp(argv[2], "parked") == 0) {
        for (; !rc && count > 0; count--)
            rc = run_parked(pool, c, e);
    } else {
        c->limits.inodes--; /* none that is parked is like it */
        rc = run_all(pool, c, count, false, false, e);
    }
    pool_free(pool);
    return rc;
}

static int programs(char **argv, struct cage *c, struct err *e) {
    struct pool *pool = NULL;
    bool ready = strcmp(argv[2], "pool") == 0;
    bool rush = strcmp(argv[2], "rush") == 0;
    c->argv = (const char *const *)(argv + 4);
    if (cage_set_tier(c, str_of(argv[3]), e) ||
        cage_add_bind(c, BIND_RO, str_of(argv[4]), e) ||
        ((ready || rush) && pool_new(c, SLOTS, &pool, e)))
        return -1;
    int rc = run_all(pool, c, strtol(argv[1], NULL, 10),
                     strcmp(argv[2], "plain") == 0, ready, e);
    pool_free(pool);
    return rc;
}

int main(int argc, char **argv) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct cage c;
    if (argc < 5) return 2;
    bool warm = argv[2][0] == 'm' || strncmp(argv[2], "pa", 2) == 0 ||
                strcmp(argv[2], "python") == 0;
    if (warm && argc < 6) return 2;
    cage_init(&c, &a);
    if (geteuid() != 0) c.may_miss = LAYER_BIT(LAYER_CGROUP);
    if (!(warm ? python : programs)(argv, &c, &e)) return 0;
    fprintf(stderr, "%s\n", e.text);
    return 1;
}
