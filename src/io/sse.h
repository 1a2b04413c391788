/* SPDX-License-Identifier: MIT
 *
 * sse -- a reader of event streams (text/event-stream), fed piece by piece.
 *
 * Lines may end with LF, CR or CR LF and pieces may be cut anywhere. What one
 * event may hold is bounded; a stream that goes past it is an error, because
 * its events could no longer be told apart.
 */
#ifndef CORDON_IO_SSE_H
#define CORDON_IO_SSE_H

#include "base/buf.h"

struct sse_event {
    str type; /* "message" when the stream names none */
    str id;   /* the last id seen; empty: none */
    str data; /* lines joined with LF; never empty */
};

struct sse {
    struct buf line; /* the unfinished one */
    struct buf data; /* of the event being read, each line with its LF */
    struct buf type;
    struct buf id;    /* of the last event; stays over events */
    int64_t retry_ms; /* how long to wait before coming back; -1: not told */
    bool after_cr;    /* an LF now belongs to the line before */
    bool begun;       /* the first bytes (a BOM, maybe) are behind us */
};

/* max: bytes of one event. */
void sse_init(struct sse *s, size_t max);

/* Calls `event` for each event that the bytes complete. A non-zero return of it
 * ends the feeding, which then fails as well (with *e as `event` set it). An
 * event without data is not told, but its id and its retry count. */
int sse_feed(struct sse *s, str bytes,
             int (*event)(void *data, const struct sse_event *ev,
                          struct err *e),
             void *data, struct err *e);

/* Forgets a half-read event: the next bytes are those of a new connection. */
void sse_restart(struct sse *s);

void sse_fini(struct sse *s);

#endif
