/* SPDX-License-Identifier: MIT
 *
 * A task in a virtual machine: QEMU is what runs in the cage, and the task is
 * what the guest tells of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "sandbox/changes.h"
#include "sandbox/jail_inside.h"
#include "sandbox/tls.h"

/* --- starting --- */

/* The monitor's own streams are neither the task's nor of interest unless it
 * fails: what it says is kept beside the rest. */
static int start_monitor(struct jail *j, struct err *e) {
    int pair[2];
    AUTO_FD int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return fail_sys(e, "/dev/null");
    if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) < 0) return fail_sys(e, "pipe");
    AUTO_FD int theirs = pair[1];
    const int std[3] = {null, null, theirs};
    j->vm_says = pair[0];
    j->cage = &j->made;
    j->result.accelerator = j->vm.accelerator;
    j->started_ns = clock_mono_ns();
    return start_task(j->cage, std, &j->task, e);
}

/* What the first process reported, or the monitor said, is why it ended. */
static int tell_end(struct jail *j, struct err *e) {
    char text[400];
    struct report r;
    struct pollfd p = {j->task.status, POLLIN, 0};
    int fd = -1;
    while (poll(&p, 1, 0) > 0 && report_recv(j->task.status, &r, &fd, e) > 0) {
        if (fd >= 0) close(fd);
        if (r.kind == REPORT_FAILED)
            return fail(e, (enum err_kind)r.value, "%s", r.text);
    }
    ssize_t n = read(j->vm_says, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    return fail(e, ERR_SYSTEM, "the machine ended before its program: %.300s",
                n > 0 ? text : "no reason given");
}

static int is_alive(void *context, struct err *e) {
    struct jail *j = context;
    struct pollfd p = {j->task.pidfd, POLLIN, 0};
    return poll(&p, 1, 0) > 0 ? tell_end(j, e) : 0;
}

/* The ends that the guest is given copies of. */
static int add_links(struct jail *j, struct err *e) {
    int in = fcntl(j->std[0], F_DUPFD_CLOEXEC, 3);
    if (in < 0) return fail_sys(e, "standard input");
    if (jail_add_link(j, VM_STDIN, in, true, e)) return -1;
    if (!j->vm_task.tools) return 0;
    int tools = fcntl(j->tools_end, F_DUPFD_CLOEXEC, 3);
    if (tools < 0 || fcntl(tools, F_SETFL, O_NONBLOCK) < 0)
        return fail_sys(e, "tools");
    return jail_add_link(j, VM_TOOLS, tools, false, e);
}

/* The authority is made before the machine, which is told of it, and is the
 * task's afterwards. */
static int start_with(struct jail *j, struct tls_ca **ca, struct err *e) {
    AUTO_BUF struct buf trusted = BUF_MAX(4 << 20);
    int theirs[2] = {-1, -1};
    if (start_has_authority(&j->vm_task) &&
        start_authority(&j->vm_task, ca, &trusted, e))
        return -1;
    int rc =
        vm_cage(&j->vm_task, buf_str(&trusted), &j->made, &j->vm, theirs, e);
    if (!rc) rc = start_monitor(j, e);
    for (int i = 0; i < 2; i++)
        jail_close_fd(&theirs[i]);
    return rc;
}

int jail_start_machine(struct jail *j, struct err *e) {
    struct tls_ca *ca = NULL;
    j->vm_task = *j->cage;
    int rc = start_with(j, &ca, e);
    jail_close_fd(&j->out.fd); /* the guest's frames come instead */
    jail_close_fd(&j->err.fd);
    if (rc) {
        if (ca) j->vm_task.tls->ca_free(ca);
        return -1;
    }
    j->task.ca = ca;
    if (j->vm.door.path[0] && vm_attach(&j->vm, is_alive, j, e)) return -1;
    if (add_links(j, e)) return -1;
    return j->vm_task.net == NET_EGRESS ? jail_open_door(j, e) : 0;
}

/* --- watching --- */

static int interest(struct jail *j, struct err *e) {
    if (jail_turn_links(j, e)) return -1;
    uint32_t events = EPOLLIN | (j->vm.out.len ? EPOLLOUT : 0);
    struct epoll_event event = {.events = events, .data.u32 = FROM_VM};
    if (events == j->vm_events) return 0;
    if (epoll_ctl(j->epoll, EPOLL_CTL_MOD, j->vm.fd, &event) < 0)
        return fail_sys(e, "watch");
    j->vm_events = events;
    return 0;
}

int jail_watch_machine(struct jail *j, struct err *e) {
    if (j->vm.fd < 0) return 0;
    if (jail_watch(j, j->vm.fd, FROM_VM, e)) return -1;
    j->vm_events = EPOLLIN;
    return interest(j, e);
}

int jail_on_link(struct jail *j, size_t place, struct err *e) {
    if (j->vm.fd < 0 || j->vm.ended) return 0;
    return jail_turn_link(j, place, e) || interest(j, e) ? -1 : 0;
}

static void output(void *context, bool is_err, const char *p, size_t n) {
    struct jail *j = context;
    jail_keep_output(j, is_err ? &j->err : &j->out, p, n);
}

static int stream(void *context, enum vm_kind kind, const struct vm_stream *s,
                  str data, struct err *e) {
    return jail_link_said(context, kind, s, data, e);
}

/* The end of the program is the end of the machine. */
int jail_on_machine(struct jail *j, struct err *e) {
    const struct vm_taker taker = {j, output, stream};
    if (vm_turn(&j->vm, &taker, e)) return -1;
    if (j->vm.fd >= 0 && !j->vm.ended) return interest(j, e);
    jail_close_links(j);
    vm_close(&j->vm);
    if (j->vm.ended)
        syscall(SYS_pidfd_send_signal, j->task.pidfd, SIGKILL, NULL, 0);
    return 0;
}

/* --- the end --- */

/* The task's own binds, not those of its monitor. */
static int take_changes(struct jail *j, struct err *e) {
    const struct cage *c = &j->vm_task;
    for (size_t i = 0; i < c->bind_count; i++) {
        const struct vm_keep *k = j->vm.binds[i];
        if (!k) continue;
        if (c->binds[i].kind == BIND_RW
                ? changes_apply(k->top, &c->binds[i], e)
                : changes_list(k->top, &c->binds[i], &j->result, e))
            return -1;
    }
    return 0;
}

/* What the guest said of its program, or why there is none. */
int jail_end_machine(struct jail *j, struct err *e) {
    j->result.violation_count = 0; /* QEMU's attempts, not the task's */
    j->result.violation_total = 0;
    j->result.layers &= cage_tier_layers(TIER_MICROVM);
    if (j->vm.ended) {
        const struct vm_end *end = &j->vm.end;
        jail_take_end(j, end->status, end->cpu_ns, end->memory);
        j->scratch = j->vm.keep.dir;
        j->vm.keep.dir = -1;
        return take_changes(j, e);
    }
    return j->result.stop == STOP_NONE ? tell_end(j, e) : 0;
}

void jail_close_machine(struct jail *j) {
    jail_close_fd(&j->vm_says);
    jail_close_links(j);
    vm_close(&j->vm);
    vm_forget_kept(&j->vm);
}
