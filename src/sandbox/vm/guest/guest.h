/* SPDX-License-Identifier: MIT
 *
 * guest -- the first program of a virtual machine, in four files: the machine
 * (init.c), the channel to the host (channel.c), the task (task.c) and its
 * streams and files on the way out (pump.c, leave.c). It is no part of the
 * other programs: static, and with nothing but the C library.
 */
#ifndef CORDON_SANDBOX_VM_GUEST_GUEST_H
#define CORDON_SANDBOX_VM_GUEST_GUEST_H

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

/* --- the channel; whoever cannot speak any more switches the machine off ---
 */

int channel_open(void); /* -1: not there yet */
int channel_fd(void);
void channel_send(enum vm_kind kind, const void *p, size_t n);
void channel_get(void *p, size_t n);
_Noreturn void channel_fail(const char *what);
_Noreturn void channel_off(void);

/* --- a task --- */

void task_receive(struct task *t);
_Noreturn void task_run(const struct task *t, const int std[3]);

/* Standard streams, until the program ends. */
void pump(int in, int out, int err, pid_t pid);

/* What is in /tmp, as files. */
void leave(void);

#endif
