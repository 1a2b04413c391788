/* SPDX-License-Identifier: MIT
 *
 * A task in a virtual machine: QEMU is what runs in the cage, and the task is
 * what the guest tells of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "sandbox/jail_inside.h"

/* --- starting --- */

/* QEMU's own streams are neither the task's nor of interest unless it fails:
 * what it says is kept beside the rest. */
static int start_qemu(struct jail *j, struct err *e) {
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

int jail_start_machine(struct jail *j, int in, struct err *e) {
    int theirs[2] = {-1, -1};
    int rc = vm_cage(j->cage, &j->made, &j->vm, theirs, e);
    if (!rc) rc = start_qemu(j, e);
    for (int i = 0; i < 2; i++)
        jail_close_fd(&theirs[i]);
    jail_close_fd(&j->out.fd); /* the guest's frames come instead */
    jail_close_fd(&j->err.fd);
    if (rc) return -1;
    j->input = fcntl(in, F_DUPFD_CLOEXEC, 3);
    return j->input < 0 ? fail_sys(e, "standard input") : 0;
}

/* --- input --- */

static int read_input(struct jail *j, struct err *e) {
    char chunk[VM_INPUT_BYTES];
    ssize_t n = read(j->input, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (n <= 0) jail_close_fd(&j->input);
    return vm_input(&j->vm, (str){chunk, n > 0 ? (size_t)n : 0}, e);
}

static int fill_from_file(struct jail *j, struct err *e) {
    while (j->input_plain && j->input >= 0 && vm_has_room(&j->vm))
        if (read_input(j, e)) return -1;
    return 0;
}

/* --- watching --- */

static int ask_for(struct jail *j, int fd, uint32_t events, enum source from,
                   uint32_t *now, struct err *e) {
    struct epoll_event event = {.events = events, .data.u32 = from};
    if (fd < 0 || events == *now) return 0;
    if (epoll_ctl(j->epoll, EPOLL_CTL_MOD, fd, &event) < 0)
        return fail_sys(e, "watch");
    *now = events;
    return 0;
}

/* Who has nothing to give must not wake us, nor who gives what there is no
 * room for. */
static int interest(struct jail *j, struct err *e) {
    if (fill_from_file(j, e)) return -1;
    uint32_t channel = EPOLLIN | (j->vm.out.len ? EPOLLOUT : 0);
    uint32_t input = vm_has_room(&j->vm) ? EPOLLIN : 0;
    if (ask_for(j, j->vm.fd, channel, FROM_VM, &j->vm_events, e)) return -1;
    return j->input_plain
               ? 0
               : ask_for(j, j->input, input, FROM_INPUT, &j->input_events, e);
}

int jail_watch_machine(struct jail *j, struct err *e) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = FROM_INPUT};
    if (j->vm.fd < 0) return 0;
    if (jail_watch(j, j->vm.fd, FROM_VM, e)) return -1;
    j->vm_events = j->input_events = EPOLLIN;
    if (epoll_ctl(j->epoll, EPOLL_CTL_ADD, j->input, &event) < 0) {
        if (errno != EPERM) return fail_sys(e, "watch");
        j->input_plain = true;
    }
    return interest(j, e);
}

int jail_on_input(struct jail *j, struct err *e) {
    if (j->vm.fd < 0 || j->vm.ended) {
        jail_close_fd(&j->input);
        return 0;
    }
    return read_input(j, e) ? -1 : interest(j, e);
}

static void output(void *context, bool is_err, const char *p, size_t n) {
    struct jail *j = context;
    jail_keep_output(j, is_err ? &j->err : &j->out, p, n);
}

/* The end of the program is the end of the machine. */
int jail_on_machine(struct jail *j, struct err *e) {
    if (vm_turn(&j->vm, output, j, e)) return -1;
    if (j->vm.fd >= 0 && !j->vm.ended) return interest(j, e);
    jail_close_fd(&j->input);
    vm_close(&j->vm);
    if (j->vm.ended)
        syscall(SYS_pidfd_send_signal, j->task.pidfd, SIGKILL, NULL, 0);
    return 0;
}

/* --- the end --- */

/* What the guest said of its program, or why there is none. */
int jail_end_machine(struct jail *j, struct err *e) {
    char text[400];
    j->result.violation_count = 0; /* QEMU's attempts, not the task's */
    j->result.violation_total = 0;
    if (j->vm.ended) {
        const struct vm_end *end = &j->vm.end;
        jail_take_end(j, end->status, end->cpu_ns, end->memory);
        j->scratch = j->vm.keep.dir;
        j->vm.keep.dir = -1;
        return 0;
    }
    if (j->result.stop != STOP_NONE) return 0;
    ssize_t n = read(j->vm_says, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    return fail(e, ERR_SYSTEM, "the machine ended before its program: %.300s",
                n > 0 ? text : "no reason given");
}

void jail_close_machine(struct jail *j) {
    jail_close_fd(&j->vm_says);
    jail_close_fd(&j->input);
    vm_close(&j->vm);
    vm_keep_close(&j->vm.keep);
}
