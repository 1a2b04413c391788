/* SPDX-License-Identifier: MIT
 *
 * The supervisor of one task.
 */
#include "sandbox/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "sandbox/changes.h"
#include "sandbox/oci.h"
#include "sandbox/pool.h"
#include "sandbox/proxy.h"
#include "sandbox/report.h"
#include "sandbox/start.h"
#include "sandbox/vm/vm.h"
#include "sandbox/wasm.h"

/* Refused calls are answered by us, so a task could keep us busy with them.
 * After this many the listener closes and the kernel answers with ENOSYS. */
enum { MAX_NOTIFICATIONS = 1000, LAST_WORDS_MS = 1000 };

enum source {
    FROM_STATUS,
    FROM_PID,
    FROM_TIMER,
    FROM_OUT,
    FROM_ERR,
    FROM_CALLS,
    FROM_PROXY,
    FROM_TOOLS,
    FROM_VM
};

struct stream {
    int fd;      /* our end of the pipe; -1: none, or at its end */
    bool copied; /* it goes to `copy`, else into the result */
    int copy;    /* -1: nobody reads there any more */
    struct cage_output *output;
};

struct jail {
    const struct cage *cage;
    struct cage made; /* of a tier that makes another cage of it */
    struct started task;
    struct pool *pool; /* NULL: it has a space of its own */
    size_t slot;
    int epoll, timer, calls, scratch;
    int vm_says; /* QEMU's standard error */
    int uppers[CAGE_MAX_BINDS];
    struct proxy proxy;
    struct oci oci; /* of the tiers that have a runtime */
    struct stream out, err;
    struct vm vm;
    bool vm_writes; /* epoll is asked for room in its channel */
    struct calls tools;
    uint32_t tools_events; /* what epoll is asked to tell of them */
    bool in_tools;         /* their calls are being handed out */
    jail_call_fn *on_tool;
    void *on_tool_context;
    int64_t started_ns;
    bool reaped, ended, failed;
    struct err why; /* it did not start */
    struct cage_result result;
};

static void close_fd(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static int watch(struct jail *j, int fd, enum source from, struct err *e) {
    if (fd < 0) return 0;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = from};
    if (epoll_ctl(j->epoll, EPOLL_CTL_ADD, fd, &event) < 0)
        return fail_sys(e, "watch");
    return 0;
}

/* --- starting --- */

static int make_stream(enum jail_stream mode, int fd, uint64_t max,
                       struct stream *s, int *theirs, struct err *e) {
    s->output->kept = BUF_MAX(max);
    s->copied = mode == STREAM_COPY;
    s->copy = s->copied ? fd : -1;
    if (mode == STREAM_GIVE) {
        *theirs = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        return *theirs < 0 ? fail_sys(e, "stream") : 0;
    }
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) < 0) return fail_sys(e, "pipe");
    s->fd = pair[0];
    *theirs = pair[1];
    if (fcntl(s->fd, F_SETFL, O_NONBLOCK) < 0) return fail_sys(e, "pipe");
    return 0;
}

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

static int start_streams(struct jail *j, const struct jail_io *io, int std[3],
                         struct err *e) {
    uint64_t max = j->cage->limits.output;
    std[0] = io->in >= 0 ? fcntl(io->in, F_DUPFD_CLOEXEC, 3)
                         : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (std[0] < 0) return fail_sys(e, "standard input");
    if (make_stream(io->out.mode, io->out.fd, max, &j->out, &std[1], e) ||
        make_stream(io->err.mode, io->err.fd, max, &j->err, &std[2], e))
        return -1;
    return 0;
}

static int vm_interest(struct jail *j, struct err *e) {
    bool writes = j->vm.out.len > 0;
    if (j->vm.fd < 0 || writes == j->vm_writes) return 0;
    struct epoll_event event = {.events = EPOLLIN | (writes ? EPOLLOUT : 0),
                                .data.u32 = FROM_VM};
    if (epoll_ctl(j->epoll, EPOLL_CTL_MOD, j->vm.fd, &event) < 0)
        return fail_sys(e, "watch");
    j->vm_writes = writes;
    return 0;
}

static int watch_all(struct jail *j, struct err *e) {
    j->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (j->epoll < 0) return fail_sys(e, "epoll");
    if (start_timer(j, e) || watch(j, j->task.status, FROM_STATUS, e) ||
        watch(j, j->task.pidfd, FROM_PID, e) ||
        watch(j, j->timer, FROM_TIMER, e) || watch(j, j->out.fd, FROM_OUT, e) ||
        watch(j, j->err.fd, FROM_ERR, e) ||
        watch(j, j->tools.fd, FROM_TOOLS, e) ||
        watch(j, j->vm.fd, FROM_VM, e) || vm_interest(j, e))
        return -1;
    j->tools_events = EPOLLIN;
    return 0;
}

static struct jail *new_jail(const struct cage *c, struct err *e) {
    struct jail *j = mem_zalloc(1, sizeof *j, e);
    if (!j) return NULL;
    j->cage = c;
    j->task = (struct started){
        .pid = -1, .pidfd = -1, .status = -1, .cgroup = CGROUP_NONE};
    j->epoll = j->timer = j->calls = j->scratch = j->vm_says = -1;
    j->proxy = PROXY_NONE;
    j->tools.fd = -1;
    j->vm = VM_NONE;
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        j->uppers[i] = -1;
    j->out = (struct stream){.fd = -1, .copy = -1, .output = &j->result.out};
    j->err = (struct stream){.fd = -1, .copy = -1, .output = &j->result.err};
    j->result.code = -1;
    j->result.arena = ARENA_MAX(8 << 20);
    return j;
}

/* The task's end becomes the first of its descriptors. */
static int open_tools(struct jail *j, int *theirs, struct err *e) {
    const struct cage *c = j->cage;
    if (!c->tools) return 0;
    if (c->fd_count == CAGE_MAX_FDS)
        return fail(e, ERR_LIMIT, "more than %d descriptors", CAGE_MAX_FDS);
    if (calls_open(&j->tools, c->tools, theirs, e)) return -1;
    struct cage made = *c;
    made.fds[0] = *theirs;
    memcpy(made.fds + 1, c->fds, c->fd_count * sizeof c->fds[0]);
    made.fd_count++;
    j->made = made;
    j->cage = &j->made;
    return 0;
}

/* QEMU's own streams are neither the task's nor of interest unless it fails:
 * what it says is kept beside the rest. */
static int launch_vm(struct jail *j, struct pool *pool, struct err *e) {
    int theirs[2] = {-1, -1}, pair[2] = {-1, -1};
    if (pool) return fail(e, ERR_UNSUPPORTED, "a pool has no machines");
    int rc = vm_cage(j->cage, &j->made, &j->vm, theirs, e);
    if (!rc && pipe2(pair, O_CLOEXEC | O_NONBLOCK) < 0)
        rc = fail_sys(e, "pipe");
    AUTO_FD int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (!rc) {
        const int std[3] = {null, null, pair[1]};
        j->cage = &j->made;
        j->vm_says = fcntl(pair[0], F_DUPFD_CLOEXEC, 3);
        j->started_ns = clock_mono_ns();
        rc = start_task(j->cage, std, &j->task, e);
        j->result.accelerator = j->vm.accelerator;
    }
    for (int i = 0; i < 2; i++) {
        close_fd(&theirs[i]);
        close_fd(&pair[i]);
    }
    close_fd(&j->out.fd); /* the guest's frames come instead */
    close_fd(&j->err.fd);
    return rc;
}

static int launch(struct jail *j, struct pool *pool, const int std[3],
                  struct err *e) {
    enum cage_tier tier = j->cage->tier;
    if (tier == TIER_MICROVM) return launch_vm(j, pool, e);
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
    if (pool_launch(pool, j->cage, std, &j->task, &j->slot, e)) return -1;
    j->pool = pool;
    return 0;
}

int jail_start_in(struct pool *pool, const struct cage *c,
                  const struct jail_io *io, struct jail **out, struct err *e) {
    struct jail *j = new_jail(c, e);
    if (!j) return -1;
    int std[3] = {-1, -1, -1}, theirs = -1;
    int rc = start_streams(j, io, std, e);
    if (!rc) rc = open_tools(j, &theirs, e);
    if (!rc) rc = launch(j, pool, std, e);
    for (int i = 0; i < 3; i++)
        close_fd(&std[i]);
    close_fd(&theirs);
    if (!rc) {
        j->result.layers = j->task.layers;
        rc = watch_all(j, e);
    }
    if (rc)
        jail_free(j);
    else
        *out = j;
    return rc;
}

int jail_start(const struct cage *c, const struct jail_io *io,
               struct jail **out, struct err *e) {
    return jail_start_in(NULL, c, io, out, e);
}

/* --- watching --- */

static void keep_fd(int *slot, int fd) {
    close_fd(slot);
    *slot = fd;
}

static void take_end(struct jail *j, const struct report *r) {
    struct cage_result *out = &j->result;
    j->ended = true;
    out->cpu_ns = r->cpu_ns;
    out->memory_peak = r->memory;
    if (WIFEXITED(r->value)) {
        out->code = WEXITSTATUS(r->value);
        return;
    }
    out->signal = WTERMSIG(r->value);
    if (out->signal == SIGSYS) out->stop = STOP_SYSCALL;
}

static void take_failure(struct jail *j, const struct report *r) {
    j->failed = true;
    err_set(&j->why, (enum err_kind)r->value, "%s", r->text);
}

static int start_proxy(struct jail *j, int listener, struct err *e) {
    if (j->proxy.pid > 0) {
        close(listener);
        return fail(e, ERR_INTERNAL, "a second listener");
    }
    if (proxy_start(j->cage, listener, &j->proxy, e)) return -1;
    return watch(j, j->proxy.events, FROM_PROXY, e);
}

static int take_report(struct jail *j, const struct report *r, int fd,
                       struct err *e) {
    switch ((enum report_kind)r->kind) {
    case REPORT_PID:
        keep_fd(&j->task.pidfd, fd);
        return watch(j, fd, FROM_PID, e);
    case REPORT_SCRATCH: keep_fd(&j->scratch, fd); return 0;
    case REPORT_UPPER:
        if (r->value < 0 || r->value >= CAGE_MAX_BINDS) break;
        keep_fd(&j->uppers[r->value], fd);
        return 0;
    case REPORT_NOTIFY:
        keep_fd(&j->calls, fd);
        return watch(j, j->calls, FROM_CALLS, e);
    case REPORT_ENDED: take_end(j, r); break;
    case REPORT_FAILED: take_failure(j, r); break;
    case REPORT_LISTENER: return start_proxy(j, fd, e);
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
        close_fd(&j->task.status);
        /* Nobody is left who could say more. */
        if (j->pool && j->task.pidfd < 0 && !j->reaped)
            return fail(e, ERR_SYSTEM, "the launcher died");
        return 0;
    }
    return take_report(j, &r, fd, e);
}

/* In a pool the launcher is the parent and does the waiting. */
static int on_pid(struct jail *j, struct err *e) {
    siginfo_t info = {.si_code = 0};
    int rc = j->pool ? 0 : -1;
    while (rc < 0) {
        rc = waitid(P_PIDFD, (id_t)j->task.pidfd, &info, WEXITED);
        if (rc < 0 && errno != EINTR) return fail_sys(e, "wait");
    }
    close_fd(&j->task.pidfd);
    j->reaped = true;
    if (j->oci.dir[0]) {
        /* Nobody else tells: the runtime ends as its container did. */
        j->ended = info.si_code == CLD_EXITED;
        if (j->ended) j->result.code = info.si_status;
        oci_stop(&j->oci);
    }
    return 0;
}

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

static void on_timer(struct jail *j) {
    uint64_t ticks;
    if (read(j->timer, &ticks, sizeof ticks) < 0) return;
    j->result.stop = STOP_TIME;
    jail_kill(j);
}

/* Whoever reads from us may be slow, or gone; the task's time runs on. POLLOUT
 * of a pipe promises room for PIPE_BUF bytes. */
static void copy_out(struct jail *j, struct stream *s, str data) {
    while (data.n && s->copy >= 0) {
        struct pollfd p[] = {{s->copy, POLLOUT, 0}, {j->timer, POLLIN, 0}};
        if (poll(p, 2, -1) < 0 && errno == EINTR) continue;
        if (p[1].revents) on_timer(j);
        if (!p[0].revents) {
            if (j->result.stop == STOP_TIME) s->copy = -1;
            continue;
        }
        ssize_t n =
            write(s->copy, data.p, data.n < PIPE_BUF ? data.n : PIPE_BUF);
        if (n < 0 && errno != EINTR && errno != EAGAIN) s->copy = -1;
        if (n > 0) data = str_sub(data, (size_t)n, data.n);
    }
}

/* What is over the limit is read and dropped: a full pipe would stop a program
 * that only talks too much. */
static void keep_output(struct jail *j, struct stream *s, const char *p,
                        size_t n) {
    struct buf *kept = &s->output->kept;
    size_t room =
        kept->max -
        (size_t)(s->output->total < kept->max ? s->output->total : kept->max);
    size_t take = n < room ? n : room;
    struct err e;
    s->output->total += n;
    if (take == 0) return;
    if (s->copied) {
        copy_out(j, s, (str){p, take});
    } else if (buf_add(kept, p, take, &e)) {
        kept->max = kept->len; /* out of memory: keep what there is */
    }
}

static void on_stream(struct jail *j, struct stream *s) {
    char chunk[65536];
    ssize_t n = read(s->fd, chunk, sizeof chunk);
    if (n > 0)
        keep_output(j, s, chunk, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        close_fd(&s->fd);
}

static void note_violation(struct cage_result *r, int nr) {
    const char *name = seccomp_name(nr);
    if (!name) name = "unknown";
    r->violation_total++;
    for (size_t i = 0; i < r->violation_count; i++) {
        if (strcmp(r->violations[i].name, name) != 0) continue;
        r->violations[i].count++;
        return;
    }
    if (r->violation_count < CAGE_MAX_VIOLATIONS)
        r->violations[r->violation_count++] = (struct cage_violation){name, 1};
}

static void on_call(struct jail *j) {
    struct seccomp_notif call = {0};
    if (ioctl(j->calls, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0) {
        if (errno != ENOENT && errno != EINTR) close_fd(&j->calls);
        return;
    }
    note_violation(&j->result, call.data.nr);
    struct seccomp_notif_resp answer = {.id = call.id, .error = -EPERM};
    (void)ioctl(j->calls, SECCOMP_IOCTL_NOTIF_SEND, &answer); /* may be dead */
    if (j->result.violation_total >= MAX_NOTIFICATIONS) close_fd(&j->calls);
}

static int keep_event(struct cage_result *r, const struct cage_egress *ev,
                      struct err *e) {
    if (r->egress_count == CAGE_MAX_ATTEMPTS) {
        r->egress_dropped++;
        return 0;
    }
    struct cage_egress *grown =
        mem_resize(r->egress, r->egress_count + 1, sizeof *grown, e);
    if (!grown) return -1;
    r->egress = grown;
    r->egress[r->egress_count++] = *ev;
    return 0;
}

static int on_proxy(struct jail *j, struct err *e) {
    struct cage_egress event;
    int rc;
    while ((rc = proxy_event(&j->proxy, &event)) > 0)
        if (keep_event(&j->result, &event, e)) return -1;
    if (rc < 0) close_fd(&j->proxy.events);
    return 0;
}

/* --- tools --- */

void jail_on_call(struct jail *j, jail_call_fn *fn, void *context) {
    j->on_tool = fn;
    j->on_tool_context = context;
}

/* What is not wanted now must not wake us: a task with too many calls in
 * flight waits for the first answer. */
static int tools_interest(struct jail *j, struct err *e) {
    if (j->tools.fd < 0) return 0;
    bool busy = j->tools.waiting_count == CALLS_MAX_WAITING;
    uint32_t want =
        (busy ? 0 : EPOLLIN) | (calls_full(&j->tools) ? EPOLLOUT : 0);
    if (want == j->tools_events) return 0;
    struct epoll_event event = {.events = want, .data.u32 = FROM_TOOLS};
    if (epoll_ctl(j->epoll, EPOLL_CTL_MOD, j->tools.fd, &event) < 0)
        return fail_sys(e, "watch");
    j->tools_events = want;
    return 0;
}

static int give_tool(struct jail *j, const struct call *call, struct err *e) {
    if (!j->on_tool)
        return calls_refuse(&j->tools, call->id, NULL, "there are no tools", e);
    j->on_tool(j->on_tool_context, j, call);
    return 0;
}

/* A task that breaks the rules loses its tools, not its life. */
static int on_tools(struct jail *j, struct err *e) {
    struct err broken;
    if (j->in_tools || calls_turn(&j->tools, &broken)) return 0;
    int rc = 0;
    j->in_tools = true;
    while (!rc) {
        AUTO_ARENA struct arena a = ARENA_MAX((size_t)8 * CALLS_MAX_FRAME);
        struct call call;
        if (calls_next(&j->tools, &a, &call, &broken) <= 0) break;
        rc = give_tool(j, &call, e);
    }
    j->in_tools = false;
    return rc ? -1 : tools_interest(j, e);
}

int jail_answer(struct jail *j, int64_t id, const struct json *result,
                struct err *e) {
    if (calls_answer(&j->tools, id, result, e)) return -1;
    return on_tools(j, e); /* there may be calls that waited for room */
}

int jail_refuse(struct jail *j, int64_t id, const char *type,
                const char *message, struct err *e) {
    if (calls_refuse(&j->tools, id, type, message, e)) return -1;
    return on_tools(j, e);
}

/* --- machines --- */

static void vm_output(void *context, bool is_err, const char *p, size_t n) {
    struct jail *j = context;
    keep_output(j, is_err ? &j->err : &j->out, p, n);
}

/* The end of the program is the end of the machine. */
static int on_vm(struct jail *j, struct err *e) {
    if (vm_turn(&j->vm, vm_output, j, e)) return -1;
    if (!j->vm.ended) return vm_interest(j, e);
    vm_close(&j->vm);
    syscall(SYS_pidfd_send_signal, j->task.pidfd, SIGKILL, NULL, 0);
    return 0;
}

/* What the guest said of its program, or why there is none. */
static int end_vm(struct jail *j, struct err *e) {
    char text[400];
    j->result.violation_count = 0; /* QEMU's attempts, not the task's */
    j->result.violation_total = 0;
    if (j->vm.ended) {
        struct report r = {.value = j->vm.end.status,
                           .cpu_ns = j->vm.end.cpu_ns,
                           .memory = j->vm.end.memory};
        take_end(j, &r);
        return 0;
    }
    if (j->result.stop != STOP_NONE) return 0;
    ssize_t n = read(j->vm_says, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    return fail(e, ERR_SYSTEM, "the machine ended before its program: %.300s",
                n > 0 ? text : "no reason given");
}

static int on_event(struct jail *j, const struct epoll_event *ev,
                    struct err *e) {
    switch ((enum source)ev->data.u32) {
    case FROM_STATUS: return j->task.status < 0 ? 0 : on_status(j, e);
    case FROM_PID: return j->reaped ? 0 : on_pid(j, e);
    case FROM_TIMER: on_timer(j); return 0;
    case FROM_OUT: on_stream(j, &j->out); return 0;
    case FROM_ERR: on_stream(j, &j->err); return 0;
    case FROM_PROXY: return on_proxy(j, e);
    case FROM_VM: return j->vm.fd < 0 ? 0 : on_vm(j, e);
    case FROM_TOOLS: return j->tools.fd < 0 ? 0 : on_tools(j, e);
    case FROM_CALLS:
        /* Hang-up without a call: every process with the filter is gone. */
        if (ev->events & EPOLLIN)
            on_call(j);
        else
            close_fd(&j->calls);
        return 0;
    }
    return 0;
}

/* --- the end --- */

/* Links that end with the task have something to tell yet. One whose server
 * keeps it waiting is not waited for. */
static int last_words(struct jail *j, struct err *e) {
    int64_t end = clock_mono_ns() + LAST_WORDS_MS * 1000000LL;
    proxy_quit(&j->proxy);
    while (j->proxy.events >= 0) {
        struct pollfd p = {j->proxy.events, POLLIN, 0};
        int64_t left = (end - clock_mono_ns()) / 1000000;
        if (left <= 0 || poll(&p, 1, (int)left) <= 0) return 0;
        if (on_proxy(j, e)) return -1;
    }
    return 0;
}

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
    if (r->accelerator && end_vm(j, e)) return -1;
    if (last_words(j, e)) return -1;
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
        close_fd(&j->task.status);
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
    close_fd(&j->task.status);
    close_fd(&j->task.pidfd);
    close_fd(&j->epoll);
    close_fd(&j->timer);
    close_fd(&j->calls);
    close_fd(&j->scratch);
    close_fd(&j->vm_says);
    vm_close(&j->vm);
    close_fd(&j->out.fd);
    close_fd(&j->err.fd);
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        close_fd(&j->uppers[i]);
    proxy_stop(&j->proxy);
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
