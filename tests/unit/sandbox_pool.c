/* SPDX-License-Identifier: MIT
 *
 * Tasks in slots that were made ahead. What a task may do is tested in
 * tests/e2e; here it is what one task leaves for the next.
 */
#include "sandbox/pool.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/probe.h"
#include "sandbox/jail.h"
#include "test.h"

/* What doctor asks of a machine, see cli/doctor.def. */
probe_fn doctor_process, doctor_container;

struct fixture {
    struct arena arena;
    struct cage cage;
    struct pool *pool;
};

static void set_up(struct fixture *f, enum cage_tier tier, size_t slots) {
    static const char *const argv[] = {"true", NULL};
    struct err e;
    f->arena = ARENA_MAX(1 << 20);
    cage_init(&f->cage, &f->arena);
    f->cage.tier = tier;
    f->cage.argv = argv;
    if (geteuid() != 0) f->cage.may_miss = LAYER_BIT(LAYER_CGROUP);
    if (pool_new(&f->cage, slots, &f->pool, &e)) {
        struct probe p = {.config = NULL};
        (tier == TIER_PROCESS ? doctor_process : doctor_container)(&p);
        if (p.state != PROBE_THERE) SKIP("%s", p.detail);
        test_fail(__FILE__, __LINE__, "%s", e.text);
    }
}

static void tear_down(struct fixture *f) {
    pool_free(f->pool);
    arena_fini(&f->arena);
}

/* Runs a shell script in the pool; its output is kept in *r. */
static int run(struct fixture *f, const char *script, struct cage_result *r,
               struct err *e) {
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    struct cage c = f->cage;
    c.argv = argv;
    struct jail *j;
    if (jail_start_in(f->pool, STR(""), &c, &JAIL_IO_KEEP, &j, e)) return -1;
    int rc = jail_wait(j, e);
    if (!rc) jail_result_take(j, r);
    jail_free(j);
    return rc;
}

static void expect(struct fixture *f, const char *script, const char *out) {
    struct err e;
    struct cage_result r;
    CHECK_OK(run(f, script, &r, &e), &e);
    CHECK_STR(buf_str(&r.out.kept), out);
    CHECK_EQ(r.layers & LAYER_BIT(LAYER_SECCOMP), LAYER_BIT(LAYER_SECCOMP));
    cage_result_fini(&r);
}

static void one_after_the_other(enum cage_tier tier) {
    struct fixture f;
    set_up(&f, tier, 1);
    expect(&f, "echo planted >/tmp/planted; echo $$; ls /tmp", "2\nplanted\n");
    for (int i = 0; i < 20; i++)
        expect(&f, "ls /tmp; set -- /proc/[0-9]*; echo $#", "2\n");
    tear_down(&f);
}

TEST(a_task_finds_nothing_of_the_one_before) {
    one_after_the_other(TIER_CONTAINER);
}

TEST(a_task_finds_nothing_of_the_one_before_in_tier_process) {
    one_after_the_other(TIER_PROCESS);
}

TEST(shared_memory_does_not_outlive_a_task) {
    struct fixture f;
    set_up(&f, TIER_CONTAINER, 1);
    expect(&f, "ipcmk -M 4096 >/dev/null; ipcs -m | grep -c 4096", "1\n");
    expect(&f, "ipcs -m | grep -c 4096", "0\n");
    tear_down(&f);
}

TEST(all_slots_can_be_in_use_at_once) {
    const char *const argv[] = {"/bin/sh", "-c", "cat; hostname", NULL};
    struct err e;
    struct fixture f;
    struct jail *j[3];
    int hold[2];
    set_up(&f, TIER_CONTAINER, 2);
    CHECK_EQ(pipe(hold), 0);
    f.cage.argv = argv;
    struct jail_io io = {.in = hold[0]};
    for (int i = 0; i < 2; i++)
        CHECK_OK(jail_start_in(f.pool, STR(""), &f.cage, &io, &j[i], &e), &e);
    CHECK_FAIL(jail_start_in(f.pool, STR(""), &f.cage, &io, &j[2], &e), &e,
               ERR_LIMIT);
    close(hold[1]);
    close(hold[0]);
    for (int i = 0; i < 2; i++) {
        struct cage_result r;
        CHECK_OK(jail_wait(j[i], &e), &e);
        jail_result_take(j[i], &r);
        CHECK_STR(buf_str(&r.out.kept), "cordon\n");
        cage_result_fini(&r);
        jail_free(j[i]);
    }
    expect(&f, "echo again", "again\n");
    tear_down(&f);
}

TEST(limits_hold_in_a_slot_and_leave_it_usable) {
    struct err e;
    struct fixture f;
    struct cage_result r;
    set_up(&f, TIER_CONTAINER, 1);
    f.cage.limits.wall = 300000000;
    CHECK_OK(run(&f, "sleep 60", &r, &e), &e);
    CHECK_EQ(r.stop, STOP_TIME);
    cage_result_fini(&r);
    f.cage.limits.wall = 20000000000;
    if (geteuid() == 0) {
        CHECK_OK(run(&f,
                     "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; "
                     "while :; do x=$x$x; done",
                     &r, &e),
                 &e);
        CHECK_EQ(r.stop, STOP_MEMORY);
        cage_result_fini(&r);
    }
    expect(&f, "echo fine", "fine\n");
    tear_down(&f);
}

/* Everybody in the slot's uid: the launcher has no other children. */
static int first_child(void) {
    char path[64], text[32];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *in = fopen(path, "r");
    CHECK(in && fgets(text, sizeof text, in));
    fclose(in);
    CHECK_EQ(sscanf(text, "%d", &pid), 1);
    return pid;
}

TEST(a_killed_launcher_is_replaced) {
    struct fixture f;
    set_up(&f, TIER_CONTAINER, 1);
    expect(&f, "echo one", "one\n");
    CHECK_EQ(kill(first_child(), SIGKILL), 0);
    usleep(20000);
    expect(&f, "echo two", "two\n");
    tear_down(&f);
}

/* Somebody tidied up: the launcher is dead and its groups are removed. */
TEST(a_slot_whose_cgroup_is_gone_is_replaced) {
    struct fixture f;
    char command[200];
    set_up(&f, TIER_CONTAINER, 1);
    expect(&f, "echo one", "one\n");
    CHECK_EQ(kill(first_child(), SIGKILL), 0);
    usleep(50000);
    snprintf(command, sizeof command,
             "find /sys/fs/cgroup -depth -type d -name 'cordon-%d-*' -exec "
             "rmdir {} + 2>/dev/null; true",
             (int)getpid());
    CHECK_EQ(system(command), 0);
    expect(&f, "echo two", "two\n");
    tear_down(&f);
}

TEST(a_jail_freed_early_leaves_a_working_slot) {
    const char *const argv[] = {"sleep", "60", NULL};
    struct err e;
    struct fixture f;
    set_up(&f, TIER_CONTAINER, 1);
    f.cage.argv = argv;
    for (int i = 0; i < 5; i++) {
        struct jail *j;
        CHECK_OK(jail_start_in(f.pool, STR(""), &f.cage, &JAIL_IO_KEEP, &j, &e),
                 &e);
        if (i % 2) usleep(5000);
        jail_free(j);
    }
    expect(&f, "echo fine", "fine\n");
    tear_down(&f);
}

TEST(a_task_of_another_kind_is_refused) {
    struct err e;
    struct fixture f;
    struct jail *j;
    set_up(&f, TIER_CONTAINER, 1);
    f.cage.limits.memory = 1 << 20;
    CHECK_FAIL(jail_start_in(f.pool, STR(""), &f.cage, &JAIL_IO_KEEP, &j, &e),
               &e, ERR_INVALID);
    tear_down(&f);
}
