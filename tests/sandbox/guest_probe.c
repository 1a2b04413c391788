/* SPDX-License-Identifier: MIT
 *
 * The hostile program: runs the catalogue and prints TAP.
 *
 *     probe [ID...]
 *
 * Each line says what happened: "F1 read /etc/shadow: EACCES".
 */
#include "probe/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum expect { OPEN, BLOCKED, KILLED };

static const struct probe {
    const char *id, *name;
    enum expect expect;
    const char *layers;
    probe_fn *run;
} probes[] = {
#define PROBE(id, name, expect, layers, fn) {#id, name, expect, layers, fn},
#include "probe/probes.def"
#undef PROBE
};
enum { PROBES = sizeof probes / sizeof probes[0], PATIENCE_S = 10 };

int probe_result(long rc) {
    return rc >= 0 ? 0 : errno;
}

const char *probe_env(const char *name) {
    const char *text = getenv(name);
    return text ? text : "";
}

int probe_open(const char *path, int flags) {
    int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0) close(fd);
    return probe_result(fd);
}

/* The result travels through a pipe: an exit status has too few bits. */
static int run_one(const struct probe *p, int *signal_out) {
    int pair[2], result = -1, status = 0;
    if (pipe(pair) < 0) return -1;
    pid_t pid = fork();
    if (pid == 0) {
        alarm(PATIENCE_S);
        result = p->run();
        _exit(write(pair[1], &result, sizeof result) != sizeof result);
    }
    close(pair[1]);
    if (read(pair[0], &result, sizeof result) != sizeof result) result = -1;
    close(pair[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    *signal_out = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return result;
}

static const char *outcome(int result, int sig, char *text, size_t size) {
    if (sig)
        snprintf(text, size, "killed by %s", strsignal(sig));
    else if (result == PROBE_NOT)
        snprintf(text, size, "not there");
    else if (result == 0)
        snprintf(text, size, "it worked");
    else if (result < 0)
        snprintf(text, size, "no result");
    else
        snprintf(text, size, "%s", strerror(result));
    return text;
}

static bool as_expected(const struct probe *p, int result, int sig) {
    switch (p->expect) {
    case OPEN: return result == 0 && !sig;
    case BLOCKED: return result > 0 && !sig;
    case KILLED: return sig == SIGSYS;
    }
    return false;
}

static bool chosen(const struct probe *p, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], p->id) == 0) return true;
    return argc == 1;
}

int main(int argc, char **argv) {
    int n = 0, bad = 0;
    char text[128];
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < PROBES; i++) {
        const struct probe *p = &probes[i];
        if (!chosen(p, argc, argv)) continue;
        int sig = 0, result = run_one(p, &sig);
        bool good = as_expected(p, result, sig);
        bad += !good;
        printf("%sok %d - %s %s: %s\n", good ? "" : "not ", ++n, p->id, p->name,
               outcome(result, sig, text, sizeof text));
    }
    printf("1..%d\n", n);
    return bad != 0;
}
