/* SPDX-License-Identifier: MIT
 *
 * The proxy process.
 */
#include "sandbox/proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sandbox/ids.h"
#include "sandbox/link.h"
#include "sandbox/plan.h"

enum {
    MAX_LINKS = 32,
    LINK_S = 3600,
    NOBODY = 65534,
    LISTENER = 3,
    EVENTS = 4
};

struct server {
    const struct cage *cage;
    struct egress_rule rules[CAGE_MAX_EGRESS];
    struct link_quota *quota;
    const struct tls_ca *ca; /* NULL: no host has a credential */
    struct tls *tls;
    int links; /* connections being served */
};

/* One record is one write, below what a pipe keeps whole. */
static void tell(const struct cage_egress *event) {
    if (write(EVENTS, event, sizeof *event) < 0) _exit(1);
}

static int serve(struct link *l, struct err *e) {
    char first;
    if (atomic_fetch_add(&l->quota->requests, 1) >= l->cage->limits.requests)
        return link_no(l, e, "request limit reached");
    ssize_t n = recv(l->client, &first, 1, MSG_PEEK);
    if (n <= 0) return link_no(l, e, "no request");
    return first == 5 ? link_socks(l, e) : link_http(l, e);
}

static _Noreturn void run_link(const struct server *s, int client) {
    struct link l = {
        .cage = s->cage,
        .rules = s->rules,
        .rule_count = s->cage->egress_count,
        .quota = s->quota,
        .tls = s->tls,
        .client = client,
        .server = -1,
        .event = {.at_ns = clock_wall_ns()},
    };
    struct timeval patience = {.tv_sec = 15};
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    alarm(LINK_S);
    struct err e;
    if (serve(&l, &e) && !l.event.reason[0])
        (void)snprintf(l.event.reason, sizeof l.event.reason, "%.63s", e.text);
    tell(&l.event);
    _exit(0);
}

static void reap(struct server *s, int flags) {
    while (s->links > 0 && waitpid(-1, NULL, flags) > 0)
        s->links--;
}

static _Noreturn void run(struct server *s) {
    for (;;) {
        int client = accept4(LISTENER, NULL, NULL, SOCK_CLOEXEC);
        if (client < 0 && errno != EINTR) _exit(1);
        reap(s, WNOHANG);
        if (s->links == MAX_LINKS) reap(s, 0);
        if (client < 0) continue;
        pid_t pid = fork();
        if (pid == 0) run_link(s, client);
        if (pid > 0) s->links++;
        close(client);
    }
}

/* It reads what hostile code writes, so it keeps as little as it can: no
 * privilege, no file but those under /etc, no program to run; the rest is in
 * proxy_lock.c. */
static int shed(struct err *e) {
    struct plan bare = {.layers = 0};
    struct rlimit none = {0, 0};
    if (ids_free_choice() &&
        (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
         setresuid(NOBODY, NOBODY, NOBODY) < 0))
        return fail_sys(e, "ids");
    if (setrlimit(RLIMIT_CORE, &none) < 0 || setrlimit(RLIMIT_FSIZE, &none) < 0)
        return fail_sys(e, "rlimits");
    if (caps_bound(&bare, e) || caps_drop(&bare, e) || nnp_set(&bare, e))
        return -1;
    return landlock_abi() ? landlock_read_only("/etc", e) : 0;
}

/* Whoever started us may take SIGTERM in its own way: here it ends us. */
static void obey(void) {
    sigset_t none;
    sigemptyset(&none);
    signal(SIGTERM, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void child(struct server *s, int listener, int events,
                            pid_t parent) {
    struct err e;
    setpgid(0, 0);
    int high[2] = {fcntl(listener, F_DUPFD, FD_BASE),
                   fcntl(events, F_DUPFD, FD_BASE)};
    if (high[0] < 0 || high[1] < 0 || dup2(high[0], LISTENER) < 0 ||
        dup2(high[1], EVENTS) < 0)
        _exit(1);
    close_range(EVENTS + 1, ~0u, 0);
    close_range(0, LISTENER - 1, 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    obey();
    if (s->ca && s->cage->tls->start(s->ca, &s->tls, &e)) _exit(1);
    if (shed(&e)) _exit(1);
    /* After the ids changed, which clears it; the parent may be gone by
     * then. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || proxy_lock(&e)) _exit(1);
    run(s);
}

static int prepare(struct server *s, const struct cage *c,
                   const struct tls_ca *ca, struct err *e) {
    *s = (struct server){.cage = c, .ca = ca};
    for (size_t i = 0; i < c->egress_count; i++)
        if (egress_parse(str_of(c->egress[i]), &s->rules[i], e)) return -1;
    s->quota = mmap(NULL, sizeof *s->quota, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return s->quota == MAP_FAILED ? fail_sys(e, "quota") : 0;
}

int proxy_start(const struct cage *c, const struct tls_ca *ca, int listener,
                struct proxy *out, struct err *e) {
    struct server s;
    int pair[2];
    pid_t parent = getpid(), pid = -1;
    if (prepare(&s, c, ca, e)) {
        close(listener);
        return fail_while(e, "proxy");
    }
    if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) == 0) {
        fcntl(pair[1], F_SETFL, 0); /* the proxy waits for a reader */
        pid = fork();
        if (pid == 0) child(&s, listener, pair[1], parent);
        close(pair[1]);
        if (pid < 0) close(pair[0]);
    }
    close(listener);
    munmap(s.quota, sizeof *s.quota);
    if (pid < 0) return fail_sys(e, "proxy");
    setpgid(pid, pid); /* whoever comes first */
    *out = (struct proxy){pid, pair[0]};
    return 0;
}

int proxy_event(const struct proxy *p, struct cage_egress *out) {
    struct cage_egress event;
    ssize_t n = read(p->events, &event, sizeof event);
    if (n == (ssize_t)sizeof event) {
        *out = event;
        return 1;
    }
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

/* Only the process that accepts: its children have no such signal set. */
void proxy_quit(const struct proxy *p) {
    if (p->pid > 0) kill(p->pid, SIGTERM);
}

void proxy_stop(struct proxy *p) {
    if (p->pid > 0) {
        kill(-p->pid, SIGKILL);
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (p->events >= 0) close(p->events);
    *p = PROXY_NONE;
}
