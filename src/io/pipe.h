/* SPDX-License-Identifier: MIT
 *
 * pipe -- a non-blocking byte stream in the loop: lines in, bytes out.
 *
 * Both directions are bounded. A line longer than the maximum is dropped whole
 * (its length is counted, its first bytes are told) and reading goes on with
 * the next one; a peer that does not read fills the output queue, and then
 * pipe_send fails with ERR_LIMIT instead of growing or blocking.
 * Lines end with LF; a CR before it is removed. Bytes, not characters: UTF-8
 * may be split anywhere between reads.
 */
#ifndef CORDON_IO_PIPE_H
#define CORDON_IO_PIPE_H

#include "base/buf.h"
#include "io/loop.h"

struct pipe_events {
    /* One line without its end; the bytes are good during the call only. */
    void (*line)(void *data, str line);
    /* A line over the maximum was dropped. May be NULL. */
    void (*overlong)(void *data, size_t bytes, str beginning);
    /* The reading side ended: end of file (e is NULL) or an error. Called
     * once; a last line without LF was delivered before. */
    void (*closed)(void *data, const struct err *e);
};

struct pipe {
    struct loop *loop;
    struct io_watch in, out; /* the same fd twice is one watch: see pipe.c */
    const struct pipe_events *events;
    void *data;
    struct buf input; /* bytes of the unfinished line; lent by the loop */
    size_t scanned;   /* input before this has no LF */
    size_t dropping;  /* bytes of an overlong line seen so far; 0: none */
    size_t line_max;
    struct buf output; /* not yet written */
    size_t sent;       /* bytes of output already written */
    bool finish;       /* close the writing side when output is empty */
    bool in_closed;
    bool is_file; /* the reading side is always ready: a turn of the loop, */
    struct io_task turn; /* a piece of it */
    bool *gone;          /* set during callbacks: the owner freed the pipe */
};

/* in and out are descriptors of pipes, files or one socket (in == out allowed);
 * either may be -1. They become the pipe's and are made non-blocking. */
int pipe_init(struct pipe *p, struct loop *loop, int in, int out,
              size_t line_max, size_t output_max,
              const struct pipe_events *events, void *data, struct err *e);

/* Queues bytes; writes at once what the kernel takes. A broken pipe is not
 * reported here but through `closed`. */
int pipe_send(struct pipe *p, str bytes, struct err *e);

/* The line and its LF as one. */
int pipe_send_line(struct pipe *p, str line, struct err *e);

/* Bytes queued and not yet taken by the kernel. */
size_t pipe_backlog(const struct pipe *p);

/* Stops and starts delivery: backpressure towards the peer. */
int pipe_pause(struct pipe *p, bool paused, struct err *e);

/* Closes the writing side once everything queued is out (EOF for the peer). */
void pipe_finish(struct pipe *p);

void pipe_fini(struct pipe *p); /* closes both; no callback follows */

#endif
