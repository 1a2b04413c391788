/* SPDX-License-Identifier: MIT
 *
 * What the files of a jail share. jail.c is its life; each of the others is one
 * thing that happens to it meanwhile.
 */
#ifndef CORDON_SANDBOX_JAIL_INSIDE_H
#define CORDON_SANDBOX_JAIL_INSIDE_H

#include "sandbox/jail.h"
#include "sandbox/oci.h"
#include "sandbox/pool.h"
#include "sandbox/prepare.h"
#include "sandbox/proxy.h"
#include "sandbox/report.h"
#include "sandbox/start.h"
#include "sandbox/vm/vm.h"

/* What epoll names. */
enum source {
    FROM_STATUS,
    FROM_PID,
    FROM_TIMER,
    FROM_OUT,
    FROM_ERR,
    FROM_CALLS,
    FROM_PROXY,
    FROM_TOOLS,
    FROM_VM,
    FROM_LINK, /* its place is above the lowest byte */
    FROM_PREPARED,
};

struct stream {
    int fd;      /* our end of the pipe; -1: none, or at its end */
    bool copied; /* it goes to `copy`, else into the result */
    int copy;    /* -1: nobody reads there any more */
    struct cage_output *output;
};

/* A stream between a machine and something of ours. */
struct vm_link {
    int fd; /* -1: free */
    uint32_t id;
    uint32_t room;       /* bytes that the guest still takes */
    uint32_t events;     /* what epoll is asked to tell; 0: it is not there */
    struct buf out;      /* from the guest, at most its window */
    bool sent_all, shut; /* no more to the guest; no more from it */
    bool plain;          /* a file: always ready, and epoll takes none */
};

struct jail {
    const struct cage *cage;
    struct cage made; /* of a tier that makes another cage of it */
    struct started task;
    struct pool *pool; /* NULL: it has a space of its own */
    size_t slot;
    struct prepare prepare; /* what its tier needs is being made */
    int std[3], tools_end;  /* the task's, until it is started */
    int epoll, timer, calls, scratch;
    int vm_says; /* QEMU's standard error */
    int uppers[CAGE_MAX_BINDS];
    struct proxy proxy;
    struct oci oci; /* of the tiers that have a runtime */
    struct stream out, err;
    struct vm vm;
    uint32_t vm_events;  /* what epoll is asked to tell of its channel */
    struct cage vm_task; /* what the task in it was to have */
    struct vm_link links[VM_MAX_STREAMS];
    struct tmpdir vm_door; /* has the socket on which its proxy listens */
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

void jail_close_fd(int *fd); /* and forgets it */
int jail_watch(struct jail *j, int fd, enum source from, struct err *e);
void jail_take_end(struct jail *j, int status, int64_t cpu_ns, uint64_t memory);
void jail_time_over(struct jail *j);

/* jail_streams.c: standard streams */
int jail_open_streams(struct jail *j, const struct jail_io *io, int std[3],
                      struct err *e);
void jail_on_stream(struct jail *j, struct stream *s);
void jail_keep_output(struct jail *j, struct stream *s, const char *p,
                      size_t n);

/* jail_refused.c: system calls that were refused */
void jail_on_refused(struct jail *j);

/* jail_egress.c: the proxy */
int jail_start_proxy(struct jail *j, int listener, struct err *e);
int jail_on_proxy(struct jail *j, struct err *e);
int jail_last_words(struct jail *j, struct err *e);

/* jail_tools.c: the socket to the tools; its end in the task is *theirs */
int jail_open_tools(struct jail *j, bool has_input, int *theirs, struct err *e);
int jail_on_tools(struct jail *j, struct err *e);

/* jail_machine.c: tier microvm */
int jail_start_machine(struct jail *j, struct err *e);
int jail_watch_machine(struct jail *j, struct err *e);
int jail_on_machine(struct jail *j, struct err *e);
int jail_on_link(struct jail *j, size_t place, struct err *e);
int jail_end_machine(struct jail *j, struct err *e);
void jail_close_machine(struct jail *j);

/* jail_links.c: its streams */
void jail_init_links(struct jail *j);
/* Takes the descriptor. */
int jail_add_link(struct jail *j, uint32_t id, int fd, bool only_in,
                  struct err *e);
int jail_open_door(struct jail *j, struct err *e);
int jail_link_said(struct jail *j, enum vm_kind kind, const struct vm_stream *s,
                   str data, struct err *e);
int jail_turn_link(struct jail *j, size_t place, struct err *e);
int jail_turn_links(struct jail *j, struct err *e);
void jail_close_links(struct jail *j);

#endif
