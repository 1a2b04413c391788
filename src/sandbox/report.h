/* SPDX-License-Identifier: MIT
 *
 * report -- what the processes of a start tell the supervisor.
 *
 * Messages on a SOCK_SEQPACKET pair. The program itself never holds the
 * socket: it is closed before execve, so nothing it does can look like a
 * report.
 */
#ifndef CORDON_SANDBOX_REPORT_H
#define CORDON_SANDBOX_REPORT_H

#include "base/err.h"

#include <stdint.h>

enum report_kind {
    REPORT_NONE,
    REPORT_FAILED,   /* text: why the task did not start; value: err_kind */
    REPORT_PID,      /* fd: the task's pidfd, from a launcher */
    REPORT_SCRATCH,  /* fd: the scratch directory */
    REPORT_UPPER,    /* fd: what changed in an overlay; value: bind index */
    REPORT_LISTENER, /* fd: a socket listening inside, for the proxy */
    REPORT_NOTIFY,   /* fd: refused system calls arrive here */
    REPORT_READY,    /* a launcher waits for requests */
    REPORT_ENDED,    /* value: its wait status */
};

struct report {
    uint32_t kind;
    int32_t value;
    int64_t cpu_ns;  /* REPORT_ENDED: of all its reaped processes */
    uint64_t memory; /* REPORT_ENDED: largest resident set, bytes */
    char text[512];  /* NUL-terminated */
};

/* fd is sent along unless negative. */
int report_send(int sock, const struct report *r, int fd, struct err *e);

/* 1 and a report, its fd (or -1) the caller's; 0 at end of file. */
int report_recv(int sock, struct report *r, int *fd, struct err *e);

#endif
