/* SPDX-License-Identifier: MIT */
#include "sandbox/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

typedef void body(int out);

/* Locks a child down to one descriptor, runs body, and tells how it ended;
 * *got receives a byte it may have written. */
static int locked(enum worker_memory memory, body *run, char *got) {
    int pair[2];
    CHECK_EQ(pipe(pair), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct err e;
        if (worker_lock(&pair[1], 1, memory, &e)) _exit(99);
        run(pair[1]);
        /* Not _exit: before a call that does not return the sanitizers make
         * system calls of their own, which are forbidden by now. */
        syscall(SYS_exit_group, 0);
    }
    close(pair[1]);
    int status = 0;
    if (read(pair[0], got, 1) != 1) *got = 0;
    close(pair[0]);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void write_byte(int out) {
    syscall(SYS_write, out, "x", 1);
}

TEST(a_worker_can_write_to_what_it_was_given) {
    char got;
    CHECK_EQ(locked(WORKER_FIXED, write_byte, &got), 0);
    CHECK_EQ(got, 'x');
}

static void do_open(int out) {
    syscall(SYS_openat, -100, "/", 0), (void)out;
}
static void do_socket(int out) {
    syscall(SYS_socket, 1, 1, 0), (void)out;
}
static void do_fork(int out) {
    syscall(SYS_clone, 17, 0, 0, 0, 0), (void)out;
}
static void do_exec(int out) {
    syscall(SYS_execve, "/", 0, 0), (void)out;
}
static void do_kill(int out) {
    syscall(SYS_kill, 1, 0), (void)out;
}
static void do_dup(int out) {
    syscall(SYS_dup, out);
}
static void do_mmap(int out) {
    syscall(SYS_mmap, 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    write_byte(out);
}
static void do_mmap_exec(int out) {
    syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC,
            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    write_byte(out);
}
static void do_mmap_file(int out) {
    syscall(SYS_mmap, 0, 4096, PROT_READ, MAP_PRIVATE, out, 0);
    write_byte(out);
}
static void do_mprotect_exec(int out) {
    syscall(SYS_mprotect, 0, 0, PROT_EXEC);
    write_byte(out);
}

TEST(any_other_call_ends_a_worker) {
    static body *const bodies[] = {do_open, do_socket, do_fork, do_exec,
                                   do_kill, do_dup,    do_mmap};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        char got;
        CHECK_EQ(locked(WORKER_FIXED, bodies[i], &got), 128 + SIGSYS);
        CHECK_EQ(got, 0);
    }
}

TEST(memory_may_grow_but_never_becomes_code) {
    char got;
    CHECK_EQ(locked(WORKER_GROWS, do_mmap, &got), 0);
    CHECK_EQ(got, 'x');
    CHECK_EQ(locked(WORKER_GROWS, do_mmap_exec, &got), 128 + SIGSYS);
    CHECK_EQ(locked(WORKER_GROWS, do_mmap_file, &got), 128 + SIGSYS);
    CHECK_EQ(locked(WORKER_GROWS, do_mprotect_exec, &got), 128 + SIGSYS);
}

static void write_to_all(int out) {
    for (int fd = 0; fd < 64; fd++)
        if (fd != out && syscall(SYS_write, fd, "y", 1) == 1) return;
    write_byte(out);
}

TEST(descriptors_that_were_not_named_are_gone) {
    int other = open("/dev/null", O_WRONLY);
    char got;
    CHECK_EQ(locked(WORKER_FIXED, write_to_all, &got), 0);
    CHECK_EQ(got, 'x');
    close(other);
}
