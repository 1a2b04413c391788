/* SPDX-License-Identifier: MIT
 *
 * The supervisor of one task.
 */
#include "sandbox/jail_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "sandbox/changes.h"
#include "sandbox/tls.h"
#include "sandbox/wasm.h"

void jail_close_fd(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

int jail_watch(struct jail *j, int fd, enum source from, struct err *e) {
    if (fd < 0) return 0;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = from};
    if (epoll_ctl(j->epoll, EPOLL_CTL_ADD, fd, &event) < 0)
        return fail_sys(e, "watch");
    return 0;
}

/* --- starting --- */

static int start_timer(struct jail *j, struct err *e) {
    j->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (j->timer < 0) return fail_sys(e, "timer");
    uint64_t wall = j->cage->limits.wall;
    struct itimerspec at = {.it_value = {.tv_sec = (time_t)(wall / 1000000000),
                                         .tv_nsec = (long)(wall % 1000000000)}};
    if (timerfd_settime(j->timer, 0, &at, NULL) < 0)
        return fail_sys(e, "timer");
    return 0;
}

static int watch_all(struct jail *j, struct err *e) {
    if (start_timer(j, e) || jail_watch(j, j->task.status, FROM_STATUS, e) ||
        jail_watch(j, j->task.pidfd, FROM_PID, e) ||
        jail_watch(j, j->timer, FROM_TIMER, e) ||
        jail_watch(j, j->out.fd, FROM_OUT, e) ||
        jail_watch(j, j->err.fd, FROM_ERR, e) ||
        jail_watch(j, j->tools.fd, FROM_TOOLS, e) || jail_watch_machine(j, e))
        return -1;
    j->tools_events = EPOLLIN;
    return 0;
}

static struct jail *new_jail(const struct cage *c, struct err *e) {
    struct jail *j = mem_zalloc(1, sizeof *j, e);
    if (!j) return NULL;
    j->cage = c;
    j->task = (struct started){.pid = -1,
                               .pidfd = -1,
                               .status = -1,
                               .listener = -1,
                               .cgroup = CGROUP_NONE};
    j->epoll = j->timer = j->calls = j->scratch = j->vm_says = -1;
    j->prepare = PREPARE_NONE;
    j->std[0] = j->std[1] = j->std[2] = j->tools_end = -1;
    j->proxy = PROXY_NONE;
    j->tools.fd = -1;
    j->vm = VM_NONE;
    jail_init_links(j);
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        j->uppers[i] = -1;
    j->out = (struct stream){.fd = -1, .copy = -1, .output = &j->result.out};
    j->err = (struct stream){.fd = -1, .copy = -1, .output = &j->result.err};
    j->result.code = -1;
    j->result.arena = ARENA_MAX(8 << 20);
    return j;
}

static int launch(struct jail *j, struct pool *pool, str owner, struct err *e) {
    const int *std = j->std;
    enum cage_tier tier = j->cage->tier;
    if (pool && (tier == TIER_MICROVM || tier == TIER_WASM))
        return fail(e, ERR_UNSUPPORTED, "a pool has no tier %s",
                    cage_tier_name(tier));
    if (tier == TIER_MICROVM) return jail_start_machine(j, e);
    if (tier == TIER_WASM) {
        if (wasm_cage(j->cage, &j->made, e)) return -1;
        j->cage = &j->made;
    }
    j->started_ns = clock_mono_ns();
    if (tier == TIER_OCI || tier == TIER_GVISOR) {
        if (pool) return fail(e, ERR_UNSUPPORTED, "a pool has no runtimes");
        return oci_start(j->cage, std, &j->oci, &j->task, e);
    }
    if (!pool) return start_task(j->cage, std, &j->task, e);
    if (pool_launch(pool, owner, j->cage, std, &j->task, &j->slot, e))
        return -1;
    j->pool = pool;
    return 0;
}

/* The namespace of a slot outlives its tasks, and so does the socket in it;
 * each task has a proxy of its own. */
static int join_proxy(struct jail *j, struct err *e) {
    if (!j->pool || j->cage->net != NET_EGRESS) return 0;
    int listener = pool_listener(j->pool, j->slot, e);
    return listener < 0 ? -1 : jail_start_proxy(j, listener, e);
}

static void close_ends(struct jail *j) {
    for (int i = 0; i < 3; i++)
        jail_close_fd(&j->std[i]);
    jail_close_fd(&j->tools_end);
}

/* Once all that its tier needs is there. */
static int begin(struct jail *j, struct pool *pool, str owner, struct err *e) {
    int rc = launch(j, pool, owner, e);
    close_ends(j);
    if (rc) return -1;
    j->result.layers = j->task.layers;
    j->result.warm = j->pool != NULL;
    return watch_all(j, e) || join_proxy(j, e) ? -1 : 0;
}

static int begin_or_prepare(struct jail *j, struct pool *pool, str owner,
                            struct err *e) {
    j->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (j->epoll < 0) return fail_sys(e, "epoll");
    if (pool || !prepare_wanted(j->cage)) return begin(j, pool, owner, e);
    if (prepare_start(j->cage, &j->prepare, e)) return -1;
    return jail_watch(j, j->prepare.fd, FROM_PREPARED, e);
}

static int on_prepared(struct jail *j, struct err *e) {
    return prepare_end(&j->prepare, e) || begin(j, NULL, STR(""), e) ? -1 : 0;
}

int jail_start_in(struct pool *pool, str owner, const struct cage *c,
                  const struct jail_io *io, struct jail **out, struct err *e) {
    struct jail *j = new_jail(c, e);
    if (!j) return -1;
    int rc = jail_open_streams(j, io, j->std, e);
    if (!rc) rc = jail_open_tools(j, io->in >= 0, &j->tools_end, e);
    if (!rc) rc = begin_or_prepare(j, pool, owner, e);
    if (rc)
        jail_free(j);
    else
        *out = j;
    return rc;
}

struct jail_io jail_io_ours(bool keep) {
    struct jail_io io = {.in = STDIN_FILENO};
    if (keep) return io;
    io.out.mode = io.err.mode = STREAM_COPY;
    io.out.fd = STDOUT_FILENO;
    io.err.fd = STDERR_FILENO;
    return io;
}

int jail_start(const struct cage *c, const struct jail_io *io,
               struct jail **out, struct err *e) {
    return jail_start_in(NULL, STR(""), c, io, out, e);
}

/* --- watching --- */

static void keep_fd(int *slot, int fd) {
    jail_close_fd(slot);
    *slot = fd;
}

void jail_take_end(struct jail *j, int status, int64_t cpu_ns,
                   uint64_t memory) {
    struct cage_result *out = &j->result;
    j->ended = true;
    out->cpu_ns = cpu_ns;
    out->memory_peak = memory;
    if (WIFEXITED(status)) {
        out->code = WEXITSTATUS(status);
        return;
    }
    out->signal = WTERMSIG(status);
    if (out->signal == SIGSYS) out->stop = STOP_SYSCALL;
}

static void take_failure(struct jail *j, const struct report *r) {
    j->failed = true;
    err_set(&j->why, (enum err_kind)r->value, "%s", r->text);
}

static int take_report(struct jail *j, const struct report *r, int fd,
                       struct err *e) {
    switch ((enum report_kind)r->kind) {
    case REPORT_PID:
        keep_fd(&j->task.pidfd, fd);
        return jail_watch(j, fd, FROM_PID, e);
    case REPORT_SCRATCH: keep_fd(&j->scratch, fd); return 0;
    case REPORT_UPPER:
        if (r->value < 0 || r->value >= CAGE_MAX_BINDS) break;
        keep_fd(&j->uppers[r->value], fd);
        return 0;
    case REPORT_NOTIFY:
        keep_fd(&j->calls, fd);
        return jail_watch(j, j->calls, FROM_CALLS, e);
    case REPORT_ENDED: jail_take_end(j, r->value, r->cpu_ns, r->memory); break;
    case REPORT_FAILED: take_failure(j, r); break;
    case REPORT_LISTENER: return jail_start_proxy(j, fd, e);
    case REPORT_READY:
    case REPORT_NONE: break;
    }
    if (fd >= 0) close(fd);
    return 0;
}

static int on_status(struct jail *j, struct err *e) {
    struct report r;
    int fd = -1;
    int rc = report_recv(j->task.status, &r, &fd, e);
    if (rc < 0) return -1;
    if (rc == 0) {
        jail_close_fd(&j->task.status);
        /* Nobody is left who could say more. */
        if (j->pool && j->task.pidfd < 0 && !j->reaped)
            return fail(e, ERR_SYSTEM, "the launcher died");
        return 0;
    }
    if (take_report(j, &r, fd, e)) return -1;
    /* pid 1 has no more to say; in a pool its launcher sees it off. */
    if (j->pool && j->ended) jail_close_fd(&j->task.status);
    return 0;
}

/* A runtime makes a place to mount the certificates on, in the scratch. */
static void forget_trust(const struct jail *j) {
    if (!j->task.ca || j->scratch < 0) return;
    (void)unlinkat(j->scratch, &VIEW_TRUSTED[sizeof "/tmp"], 0);
    (void)unlinkat(j->scratch, &VIEW_TRUST[sizeof "/tmp"], AT_REMOVEDIR);
}

/* In a pool the launcher is the parent and does the waiting. */
static int on_pid(struct jail *j, struct err *e) {
    siginfo_t info = {.si_code = 0};
    int rc = j->pool ? 0 : -1;
    while (rc < 0) {
        rc = waitid(P_PIDFD, (id_t)j->task.pidfd, &info, WEXITED);
        if (rc < 0 && errno != EINTR) return fail_sys(e, "wait");
    }
    jail_close_fd(&j->task.pidfd);
    j->reaped = true;
    if (j->oci.dir.path[0]) {
        /* Nobody else tells: the runtime ends as its container did. */
        j->ended = info.si_code == CLD_EXITED;
        if (j->ended) j->result.code = info.si_status;
        oci_stop(&j->oci);
        forget_trust(j);
    }
    return 0;
}

/* What is made for it is not for it alone: that is given up by jail_free. */
void jail_kill(struct jail *j) {
    if (j->task.pidfd < 0) return;
    if (j->result.stop == STOP_NONE) j->result.stop = STOP_KILLED;
    syscall(SYS_pidfd_send_signal, j->task.pidfd, SIGKILL, NULL, 0);
    cgroup_kill(&j->task.cgroup);
}

void jail_signal(struct jail *j, int signal) {
    if (j->task.pidfd >= 0)
        syscall(SYS_pidfd_send_signal, j->task.pidfd, signal, NULL, 0);
}

void jail_time_over(struct jail *j) {
    uint64_t ticks;
    if (read(j->timer, &ticks, sizeof ticks) < 0) return;
    j->result.stop = STOP_TIME;
    jail_kill(j);
}

static int on_event(struct jail *j, const struct epoll_event *ev,
                    struct err *e) {
    switch ((enum source)(ev->data.u32 & 0xff)) {
    case FROM_STATUS: return j->task.status < 0 ? 0 : on_status(j, e);
    case FROM_PID: return j->reaped ? 0 : on_pid(j, e);
    case FROM_TIMER: jail_time_over(j); return 0;
    case FROM_OUT: jail_on_stream(j, &j->out); return 0;
    case FROM_ERR: jail_on_stream(j, &j->err); return 0;
    case FROM_PROXY: return jail_on_proxy(j, e);
    case FROM_PREPARED: return on_prepared(j, e);
    case FROM_VM: return j->vm.fd < 0 ? 0 : jail_on_machine(j, e);
    case FROM_LINK: return jail_on_link(j, ev->data.u32 >> 8, e);
    case FROM_TOOLS: return j->tools.fd < 0 ? 0 : jail_on_tools(j, e);
    case FROM_CALLS:
        /* Hang-up without a call: every process with the filter is gone. */
        if (ev->events & EPOLLIN)
            jail_on_refused(j);
        else
            jail_close_fd(&j->calls);
        return 0;
    }
    return 0;
}

/* --- the end --- */

static int gather(struct jail *j, struct err *e) {
    struct cage_result *r = &j->result;
    r->wall_ns = clock_mono_ns() - j->started_ns;
    struct cgroup_usage use;
    if (j->pool)
        pool_usage(j->pool, j->slot, &use);
    else
        cgroup_usage(&j->task.cgroup, &use);
    if (use.memory_peak) r->memory_peak = use.memory_peak;
    r->pids_refused = use.pids_refused;
    if (use.oom_kills && r->stop == STOP_NONE && r->code != 0)
        r->stop = STOP_MEMORY;
    if (r->accelerator && jail_end_machine(j, e)) return -1;
    if (jail_last_words(j, e)) return -1;
    proxy_stop(&j->proxy);
    if (!j->ended) r->signal = SIGKILL; /* pid 1 was killed with the rest */
    for (size_t i = 0; i < j->cage->bind_count; i++)
        if (j->uppers[i] >= 0 &&
            changes_list(j->uppers[i], &j->cage->binds[i], r, e))
            return -1;
    return cgroup_close(&j->task.cgroup, e);
}

/* Where the end was told, pid 1 was the last one alive; taking its namespaces
 * down costs it more than the task did, and in a pool somebody else waits for
 * that. */
static bool over(const struct jail *j) {
    bool gone = j->reaped || (j->pool && (j->ended || j->failed));
    return gone && j->task.status < 0 && j->out.fd < 0 && j->err.fd < 0;
}

static int turn(struct jail *j, int patience_ms, struct err *e) {
    struct epoll_event events[8];
    int n = epoll_wait(j->epoll, events, 8, patience_ms);
    if (n < 0 && errno != EINTR) return fail_sys(e, "epoll");
    for (int i = 0; i < n; i++)
        if (on_event(j, &events[i], e)) return -1;
    if (!over(j)) return 0;
    if (j->failed) {
        *e = j->why;
        return -1;
    }
    return gather(j, e) ? -1 : 1;
}

int jail_step(struct jail *j, struct err *e) {
    return turn(j, 0, e);
}

int jail_wait(struct jail *j, struct err *e) {
    int rc;
    while ((rc = turn(j, -1, e)) == 0)
        continue;
    return rc < 0 ? -1 : 0;
}

int jail_fd(const struct jail *j) {
    return j->epoll;
}

int jail_scratch(const struct jail *j) {
    return j->scratch;
}

void jail_result_take(struct jail *j, struct cage_result *out) {
    *out = j->result;
    j->result = (struct cage_result){.code = -1};
}

static void end_task(struct jail *j) {
    struct err e;
    bool told = j->pool && j->ended;
    bool running = !j->reaped && !told && (j->task.pid > 0 || j->pool);
    if (running) {
        jail_kill(j);
        /* Closing tells pid 1 as well, should its pidfd not have come yet. */
        jail_close_fd(&j->task.status);
        if (j->task.pidfd >= 0) {
            struct pollfd gone = {j->task.pidfd, POLLIN, 0};
            while (poll(&gone, 1, -1) < 0 && errno == EINTR)
                continue;
            (void)on_pid(j, &e);
        }
    }
    if (j->pool) pool_release(j->pool, j->slot);
    j->pool = NULL;
}

void jail_free(struct jail *j) {
    if (!j) return;
    end_task(j);
    prepare_stop(&j->prepare);
    close_ends(j);
    jail_close_fd(&j->task.status);
    jail_close_fd(&j->task.pidfd);
    jail_close_fd(&j->epoll);
    jail_close_fd(&j->timer);
    jail_close_fd(&j->calls);
    jail_close_fd(&j->scratch);
    jail_close_machine(j);
    jail_close_fd(&j->out.fd);
    jail_close_fd(&j->err.fd);
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        jail_close_fd(&j->uppers[i]);
    proxy_stop(&j->proxy);
    if (j->task.ca) j->cage->tls->ca_free(j->task.ca);
    oci_stop(&j->oci);
    calls_close(&j->tools);
    struct err e;
    (void)cgroup_close(&j->task.cgroup, &e);
    cage_result_fini(&j->result);
    mem_free(j);
}

int jail_run(const struct cage *c, const struct jail_io *io,
             struct cage_result *out, struct err *e) {
    struct jail *j = NULL;
    if (jail_start(c, io, &j, e)) return -1;
    int rc = jail_wait(j, e);
    if (!rc) jail_result_take(j, out);
    jail_free(j);
    return rc;
}
