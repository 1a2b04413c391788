/* SPDX-License-Identifier: MIT
 *
 * Slots that a steward makes for a program that serves many: who gets one, who
 * does not, and what is left of them.
 */
#include "sandbox/pools.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/probe.h"
#include "sandbox/kind.h"
#include "sandbox/zygote.h"
#include "test.h"

probe_fn doctor_container;

enum { PATIENCE_S = 60 };

struct fixture {
    struct arena arena;
    struct cage cage;
    struct steward *steward;
    struct pools *pools;
    char noted[600];
};

static void on_note(void *data, const char *text) {
    struct fixture *f = data;
    snprintf(f->noted, sizeof f->noted, "%s", text);
}

static void set_up(struct fixture *f, size_t programs, size_t pythons) {
    struct probe probe = {.config = NULL};
    struct err e;
    char module[4096];
    doctor_container(&probe);
    if (probe.state != PROBE_THERE) SKIP("%s", probe.detail);
    const char *build = getenv("B");
    snprintf(module, sizeof module, "%s/cordon-python.so",
             build ? build : "build");
#ifdef __SANITIZE_ADDRESS__ /* CPython does not load such a module */
    if (pythons) SKIP("built with sanitizers");
#endif
    *f = (struct fixture){.arena = ARENA_MAX(4 << 20)};
    cage_init(&f->cage, &f->arena);
    CHECK_OK(steward_start(module, &f->steward, &e), &e);
    struct pools_config config = {.steward = f->steward,
                                  .programs = programs,
                                  .pythons = pythons,
                                  .preload = "json",
                                  .idle_ns = 60000000000,
                                  .note = on_note,
                                  .data = f};
    CHECK_OK(pools_new(&config, &f->pools, &e), &e);
}

static void tear_down(struct fixture *f) {
    pools_free(f->pools);
    steward_free(f->steward);
    arena_fini(&f->arena);
}

/* Until this many slots are filled. */
static void await_parked(struct fixture *f, size_t wanted) {
    struct pools_count n;
    for (int i = 0; i < PATIENCE_S * 200; i++) {
        (void)pools_step(f->pools);
        pools_count(f->pools, &n);
        if (n.parked >= wanted) return;
        usleep(5000);
    }
    test_fail(__FILE__, __LINE__, "%zu of %zu slots are filled: %s", n.parked,
              wanted, f->noted);
}

static uint64_t warm(const struct fixture *f) {
    struct pools_count n;
    pools_count(f->pools, &n);
    return n.warm;
}

static void finish(struct jail *j, const char *out) {
    struct cage_result r;
    struct err e;
    CHECK_OK(jail_wait(j, &e), &e);
    jail_result_take(j, &r);
    CHECK_STR(buf_str(&r.err.kept), "");
    CHECK_STR(buf_str(&r.out.kept), out);
    CHECK_EQ(r.code, 0);
    CHECK_EQ(r.layers & LAYER_BIT(LAYER_SECCOMP), LAYER_BIT(LAYER_SECCOMP));
    cage_result_fini(&r);
    jail_free(j);
}

static void run(struct fixture *f, const char *owner, const char *script,
                const char *out) {
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    struct cage c = f->cage;
    struct jail *j;
    struct err e;
    c.argv = argv;
    CHECK_OK(pools_start(f->pools, str_of(owner), &c, &JAIL_IO_KEEP, &j, &e),
             &e);
    finish(j, out);
}

static void run_python(struct fixture *f, const char *owner, const char *text,
                       const char *out) {
    struct cage c = f->cage;
    struct jail *j;
    struct err e;
    CHECK_OK(zygote_describe(&c, str_of(text), &e), &e);
    CHECK_OK(pools_start_python(f->pools, str_of(owner), &c, str_of(text),
                                &JAIL_IO_KEEP, &j, &e),
             &e);
    finish(j, out);
}

TEST(the_second_task_of_a_kind_finds_a_slot) {
    struct fixture f;
    set_up(&f, 2, 0);
    run(&f, "ann", "echo 1; echo x >/tmp/x", "1\n");
    CHECK_EQ(warm(&f), 0);
    for (int i = 0; i < 5; i++) {
        await_parked(&f, 1);
        run(&f, "ann", "echo $$; ls /tmp", "2\n");
        CHECK_EQ(warm(&f), i + 1);
    }
    tear_down(&f);
}

TEST(variables_and_directory_are_those_of_the_task) {
    struct fixture f;
    struct err e;
    set_up(&f, 1, 0);
    pools_expect(f.pools, &f.cage, false);
    await_parked(&f, 1);
    f.cage.cwd = "/usr";
    CHECK_OK(cage_add_env(&f.cage, STR("COLOUR=red"), &e), &e);
    run(&f, "ann", "pwd; echo $COLOUR", "/usr\nred\n");
    CHECK_EQ(warm(&f), 1);
    tear_down(&f);
}

TEST(a_slot_is_never_used_by_two_owners) {
    struct fixture f;
    set_up(&f, 1, 0);
    pools_expect(f.pools, &f.cage, false);
    await_parked(&f, 1);
    run(&f, "ann", "echo 1", "1\n");
    await_parked(&f, 1);
    run(&f, "ben", "echo 2", "2\n");
    CHECK_EQ(warm(&f), 1);
    await_parked(&f, 1);
    run(&f, "ann", "echo 3", "3\n");
    CHECK_EQ(warm(&f), 2);
    tear_down(&f);
}

TEST(a_slot_at_rest_makes_room_for_another_owner) {
    struct fixture f;
    set_up(&f, 1, 0);
    pools_expect(f.pools, &f.cage, false);
    await_parked(&f, 1);
    run(&f, "ann", "echo 1", "1\n");
    await_parked(&f, 1);
    sleep(3);
    run(&f, "ben", "echo 2", "2\n"); /* which asks for one of its own */
    await_parked(&f, 1);
    run(&f, "ben", "echo 3", "3\n");
    CHECK_EQ(warm(&f), 2);
    tear_down(&f);
}

TEST(tasks_that_need_more_than_a_slot_start_cold) {
    struct fixture f;
    struct err e;
    set_up(&f, 2, 0);
    CHECK_OK(cage_add_bind(&f.cage, BIND_OVERLAY, STR("/usr/share:/data"), &e),
             &e);
    run(&f, "ann", "echo 1", "1\n");
    run(&f, "ann", "echo 2", "2\n");
    CHECK_EQ(warm(&f), 0);
    CHECK_EQ(pools_step(f.pools), -1);
    tear_down(&f);
}

TEST(python_waits_with_what_is_preloaded) {
    struct fixture f;
    set_up(&f, 0, 2);
    f.cage.keep_scratch = true;
    pools_expect(f.pools, &f.cage, true);
    await_parked(&f, 1);
    run_python(&f, "ann", "import sys, json\nprint('json' in sys.modules)",
               "True\n");
    CHECK_EQ(warm(&f), 1);
    f.cage.keep_scratch = false; /* another kind */
    run_python(&f, "ann", "print(6 * 7)", "42\n");
    CHECK_EQ(warm(&f), 1);
    tear_down(&f);
}

/* Locks are not renewed for a task; for what it forks they are. */
TEST(python_that_waited_has_threads_and_forks) {
    static const char text[] =
        "import json, os, threading, random\n"
        "got = []\n"
        "t = threading.Thread(target=lambda: got.append(1))\n"
        "t.start(); t.join()\n"
        "print(got, threading.main_thread() is threading.current_thread())\n"
        "x = random.random\n"
        "r, w = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    t = threading.Thread(target=lambda: os.write(w, b'%d' % "
        "threading.active_count()))\n"
        "    t.start(); t.join(); os._exit(0)\n"
        "os.wait()\n"
        "print(os.read(r, 9))";
    struct fixture f;
    set_up(&f, 0, 1);
    pools_expect(f.pools, &f.cage, true);
    await_parked(&f, 1);
    run_python(&f, "ann", text, "[1] True\nb'2'\n");
    CHECK_EQ(warm(&f), 1);
    tear_down(&f);
}

TEST(a_task_in_a_slot_has_a_proxy_of_its_own) {
    static const char text[] =
        "import json, os, socket\n"
        "s = socket.create_connection(('127.0.0.1', 3128))\n"
        "s.sendall(b'CONNECT a.example:443 HTTP/1.1\\r\\n"
        "Host: a.example:443\\r\\n\\r\\n')\n"
        "print(s.recv(12).decode(), os.environ['https_proxy'])";
    struct fixture f;
    struct err e;
    set_up(&f, 0, 1);
    CHECK_OK(cage_add_egress(&f.cage, STR("b.invalid:443"), &e), &e);
    pools_expect(f.pools, &f.cage, true);
    for (int i = 0; i < 2; i++) {
        struct cage c = f.cage;
        struct cage_result r;
        struct jail *j;
        await_parked(&f, 1);
        CHECK_OK(zygote_describe(&c, str_of(text), &e), &e);
        CHECK_OK(pools_start_python(f.pools, STR("ann"), &c, str_of(text),
                                    &JAIL_IO_KEEP, &j, &e),
                 &e);
        CHECK_OK(jail_wait(j, &e), &e);
        jail_result_take(j, &r);
        CHECK_STR(buf_str(&r.err.kept), "");
        CHECK_STR(buf_str(&r.out.kept), "HTTP/1.1 403 http://127.0.0.1:3128\n");
        CHECK_EQ(r.egress_count, 1);
        CHECK(!r.egress[0].allowed);
        cage_result_fini(&r);
        jail_free(j);
        CHECK_EQ(warm(&f), i + 1);
    }
    tear_down(&f);
}

static bool is_steward(const char *name) {
    char path[64], comm[32] = "";
    snprintf(path, sizeof path, "/proc/%.20s/comm", name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, comm, sizeof comm - 1);
    close(fd);
    return n > 0 && strcmp(comm, "cordon-steward\n") == 0;
}

/* Ours: there may be those of others. */
static pid_t find_steward(void) {
    char path[64], list[4096] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t n = read(fd, list, sizeof list - 1);
    close(fd);
    list[n > 0 ? n : 0] = 0;
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " "))
        if (is_steward(word)) return (pid_t)strtol(word, NULL, 10);
    return -1;
}

static size_t groups_of(pid_t steward) {
    struct cgroup_base base;
    struct err e;
    char prefix[32];
    size_t found = 0;
    snprintf(prefix, sizeof prefix, "cordon-%d-", (int)steward);
    if (cgroup_here(&base, &e)) return 0;
    for (int i = 0; i < CGROUP_DIRS; i++) {
        DIR *dir = base.path[i][0] ? opendir(base.path[i]) : NULL;
        for (struct dirent *d; dir && (d = readdir(dir));)
            found += strncmp(d->d_name, prefix, strlen(prefix)) == 0;
        if (dir) closedir(dir);
    }
    return found;
}

TEST(without_its_steward_tasks_start_cold) {
    struct fixture f;
    set_up(&f, 1, 0);
    pools_expect(f.pools, &f.cage, false);
    await_parked(&f, 1);
    pid_t steward = find_steward();
    if (steward < 0) SKIP("the kernel lists no children");
    kill(steward, SIGKILL);
    run(&f, "ann", "echo 1", "1\n"); /* what was made is still there */
    for (int i = 0; i < 200 && !f.noted[0]; i++) {
        (void)pools_step(f.pools);
        usleep(10000);
    }
    CHECK(strstr(f.noted, "no more sandboxes are made ahead"));
    run(&f, "ben", "echo 2", "2\n");
    tear_down(&f);
    CHECK_EQ(groups_of(steward), 0);
}

TEST(a_slot_for_which_descriptors_lack_is_done_without) {
    struct fixture f;
    struct rlimit was, few;
    set_up(&f, 1, 0);
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &was), 0);
    int next = dup(0);
    close(next);
    few = (struct rlimit){(rlim_t)next + 1, was.rlim_max};
    pools_expect(f.pools, &f.cage, false);
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int i = 0; i < PATIENCE_S * 100 && !f.noted[0]; i++) {
        (void)pools_step(f.pools);
        usleep(10000);
    }
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &was), 0);
    CHECK(strstr(f.noted, "no descriptors are left"));
    run(&f, "ann", "echo 1", "1\n");
    CHECK_EQ(warm(&f), 0);
    tear_down(&f);
}

TEST(nothing_of_the_slots_is_left) {
    struct fixture f;
    set_up(&f, 2, 1);
    pools_expect(f.pools, &f.cage, false);
    pools_expect(f.pools, &f.cage, true);
    await_parked(&f, 2);
    pid_t steward = find_steward();
    if (steward > 0) CHECK(groups_of(steward) > 0);
    run(&f, "ann", "sleep 600 & echo 1", "1\n");
    tear_down(&f);
    if (steward > 0) CHECK_EQ(groups_of(steward), 0);
    CHECK_EQ(find_steward(), -1);
}

TEST(a_kind_reads_as_it_was_written) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    AUTO_BUF struct buf text = BUF_MAX(KIND_MAX_BYTES);
    AUTO_BUF struct buf again = BUF_MAX(KIND_MAX_BYTES);
    struct cage c, got;
    const char *preload;
    struct err e;
    cage_init(&c, &a);
    CHECK_OK(cage_add_bind(&c, BIND_RW, STR("/a:/b"), &e), &e);
    CHECK_OK(cage_add_env(&c, STR("X=y"), &e), &e);
    c.cwd = "/b";
    c.limits.memory = 12345678;
    CHECK_OK(kind_write(&c, "numpy", &text, &e), &e);
    CHECK_OK(kind_read(buf_str(&text), &a, &got, &preload, &e), &e);
    CHECK_OK(kind_write(&got, preload, &again, &e), &e);
    CHECK_EQ(again.len, text.len);
    CHECK(memcmp(again.data, text.data, text.len) == 0);
    for (size_t n = 0; n < text.len; n++)
        CHECK(kind_read((str){text.data, n}, &a, &got, &preload, &e) < 0);
}
