/* SPDX-License-Identifier: MIT
 *
 * guest -- the first program of a virtual machine: the machine (init.c), the
 * channel to the host (channel.c), the task (task.c), its streams (pump.c,
 * links.c), its network (net.c), and its files on the way out (leave.c). It is
 * no part of the other programs: static, and with nothing but the C library.
 */
#ifndef CORDON_SANDBOX_VM_GUEST_GUEST_H
#define CORDON_SANDBOX_VM_GUEST_GUEST_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "wire.h"

enum { USER = 1000, MAX_WORDS = 4096 };

struct task {
    struct vm_task head;
    char *argv[MAX_WORDS + 1];
    char *env[MAX_WORDS + 1];
    char *cwd;
};

/* --- the channel: a serial port, or a socket from the host (vsock). Whoever
 * cannot speak any more switches the machine off --- */

bool channel_open(void);  /* false: not there yet */
void channel_ready(void); /* says so, and waits for the host's first word */
int channel_fd(void);
void channel_send(enum vm_kind kind, const void *p, size_t n);
void channel_get(void *p, size_t n);
_Noreturn void channel_fail(const char *what);
_Noreturn void channel_off(void);

/* --- a task --- */

void task_receive(struct task *t);

/* std are the ends that become the program's 0, 1 and 2, and 3 if it has
 * tools. */
_Noreturn void task_run(const struct task *t, const int std[4]);

/* A loopback, if the task has one; the socket that stands for the proxy, or
 * -1. */
int net_open(enum vm_net net);

/* The program's ends of its streams, until it ends. listener and tools may be
 * -1. */
struct pump {
    int in, out, err, tools, listener;
};
void pump(const struct pump *p, pid_t pid);

/* --- streams that the host knows by number --- */

void links_add(uint32_t id, int fd, bool only_in);
void links_accept(int listener);
bool links_full(void);
void links_take(const struct vm_head *head); /* one frame from the host */

/* One entry for each stream, for poll; and what came of it. */
void links_watch(struct pollfd fds[VM_MAX_STREAMS]);
void links_turn(const struct pollfd fds[VM_MAX_STREAMS]);

/* What is in /tmp, as files; and what changed in directories that the program
 * may change (binds.c). */
void leave(void);
void leave_changes(int dir);

/* A directory that the program may change: its files are written as they come,
 * and when all are there it is covered by one that keeps changes apart. */
void binds_add(const char *text, size_t size);
bool binds_filling(void); /* files that come now are the program's own */
void binds_cover(const struct vm_task *t);
void binds_leave(void);

#endif
