/* SPDX-License-Identifier: MIT
 *
 * The runner that every unit test program is linked with.
 */
#include "test.h"

#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_SKIP        77
#define TIMEOUT_S        20
#define TORTURE_ROUNDS   100000
#define SKIP_REASON_SIZE 256

static struct test *first, **last = &first;

/* Shared with the child, so that a skip can give its reason. */
static char *skip_reason;

void test_register(struct test *t) {
    *last = t;
    last = &t->next;
}

static void end_child(int status) __attribute__((noreturn));
static void end_child(int status) {
    fflush(stdout);
    _exit(status);
}

void test_note(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fputs("# ", stdout);
    vprintf(fmt, ap);
    putchar('\n');
    va_end(ap);
}

void test_fail(const char *file, int line, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    printf("# %s:%d: ", file, line);
    vprintf(fmt, ap);
    putchar('\n');
    va_end(ap);
    end_child(1);
}

void test_skip(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(skip_reason, SKIP_REASON_SIZE, fmt, ap);
    va_end(ap);
    end_child(EXIT_SKIP);
}

void test_eq(const char *file, int line, const char *text, long long got,
             long long want) {
    if (got != want)
        test_fail(file, line, "%s is %lld, expected %lld", text, got, want);
}

void test_str(const char *file, int line, const char *text, str got,
              const char *want) {
    if (!str_is(got, want))
        test_fail(file, line, "%s is \"%.*s\", expected \"%s\"", text,
                  STR_ARG(got), want);
}

void test_has(const char *file, int line, const char *text, const char *got,
              const char *want) {
    if (!strstr(got, want))
        test_fail(file, line, "%s is \"%s\", without \"%s\"", text, got, want);
}

void test_ok(const char *file, int line, const char *text, int result,
             const struct err *e) {
    if (result != 0)
        test_fail(file, line, "%s failed: %s (%s)", text, e->text,
                  err_code(e->kind));
}

void test_failed(const char *file, int line, const char *text, int result,
                 const struct err *e, enum err_kind want) {
    if (result == 0) test_fail(file, line, "%s did not fail", text);
    if (e->kind != want)
        test_fail(file, line, "%s failed with %s (%s), expected %s", text,
                  err_code(e->kind), e->text, err_code(want));
}

struct torture torture_begin(void) {
    struct torture t = {1, mem_live(), false};
    mem_fail_after(t.round);
    return t;
}

void torture_step(const char *file, int line, const char *text,
                  struct torture *t, int result) {
    bool injected = mem_failed();
    mem_fail_after(0);
    if (mem_live() != t->live_before)
        test_fail(file, line, "%s leaks %zd allocations when number %zu fails",
                  text, (ssize_t)(mem_live() - t->live_before), t->round);
    if (injected && result == 0)
        test_fail(file, line, "%s hides that allocation %zu failed", text,
                  t->round);
    if (!injected && result != 0)
        test_fail(file, line, "%s fails without a failed allocation", text);
    if (t->round >= TORTURE_ROUNDS)
        test_fail(file, line, "%s needs over %d allocations", text,
                  TORTURE_ROUNDS);
    t->done = !injected;
    if (!t->done) mem_fail_after(++t->round);
}

/* Named after the process, so that the runner finds it again. */
static void folder_of(pid_t pid, char *path, size_t size) {
    const char *base = getenv("TMPDIR");
    snprintf(path, size, "%s/cordon-test-%d", base ? base : "/tmp", (int)pid);
}

const char *test_folder(void) {
    static char path[256];
    folder_of(getpid(), path, sizeof path);
    if (mkdir(path, 0700) || chdir(path))
        test_fail(path, 0, "%s", strerror(errno));
    return path;
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *at) {
    (void)st, (void)type, (void)at;
    return remove(path);
}

static void remove_folder_of(pid_t pid) {
    char path[256];
    folder_of(pid, path, sizeof path);
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void run_child(const struct test *t) __attribute__((noreturn));
static void run_child(const struct test *t) {
    setpgid(0, 0);
    t->run();
    if (mem_live() != 0)
        test_fail(t->name, 0, "%zu allocations were not freed", mem_live());
    fflush(stdout);
    exit(0); /* not _exit: the leak checker of the sanitizers runs here */
}

static int timeout_ms(void) {
    const char *set = getenv("TEST_TIMEOUT");
    long s = set ? strtol(set, NULL, 10) : TIMEOUT_S;
    return (int)(s > 0 ? s : TIMEOUT_S) * 1000;
}

/* Waits for the child; past the timeout it and its group are killed. */
static int wait_child(pid_t pid, bool *late) {
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd p = {.fd = pidfd, .events = POLLIN};
    int ready;
    do
        ready = poll(&p, 1, timeout_ms());
    while (ready < 0 && errno == EINTR);
    *late = ready == 0;
    kill(-pid, SIGKILL); /* also whatever the test left running */
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(pidfd);
    return status;
}

static bool report(size_t number, const char *name, int status, bool late) {
    int code = !late && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (late)
        printf("# timed out after %d s\n", timeout_ms() / 1000);
    else if (WIFSIGNALED(status))
        printf("# killed by signal %d (%s)\n", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    else if (code != 0 && code != EXIT_SKIP)
        printf("# exit status %d\n", code);
    bool passed = code == 0 || code == EXIT_SKIP;
    printf("%s %zu - %s", passed ? "ok" : "not ok", number, name);
    if (code == EXIT_SKIP) printf(" # SKIP %s", skip_reason);
    putchar('\n');
    return passed;
}

static bool run_one(size_t number, const struct test *t) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0) {
        perror("fork");
        exit(1);
    }
    if (pid == 0) run_child(t);
    setpgid(pid, pid); /* as the child does: whoever comes first */
    bool late;
    int status = wait_child(pid, &late);
    remove_folder_of(pid);
    return report(number, t->name, status, late);
}

static bool wanted(const struct test *t, char *const *patterns) {
    if (!*patterns) return true;
    for (; *patterns; patterns++)
        if (str_glob(str_of(*patterns), str_of(t->name))) return true;
    return false;
}

int main(int argc, char **argv) {
    (void)argc;
    setvbuf(stdout, NULL, _IOLBF, 0);
    skip_reason = mmap(NULL, SKIP_REASON_SIZE, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (skip_reason == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    size_t count = 0, failed = 0;
    bool here = getenv("TEST_NOFORK") != NULL;
    for (const struct test *t = first; t; t = t->next) {
        if (!wanted(t, argv + 1)) continue;
        count++;
        if (here)
            t->run();
        else
            failed += !run_one(count, t);
    }
    printf("1..%zu\n", count);
    return failed > 0;
}
