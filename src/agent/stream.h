/* SPDX-License-Identifier: MIT
 *
 * stream -- an answer that arrives piece by piece.
 *
 * Bytes may be cut anywhere. At any time stream_answer() gives what there is so
 * far; only when the server has said why it stopped does that answer have a
 * stop other than STOP_NONE, so a stream that was cut never has calls that may
 * be executed.
 */
#ifndef CORDON_AGENT_STREAM_H
#define CORDON_AGENT_STREAM_H

#include "agent/message.h"
#include "base/buf.h"
#include "io/sse.h"

#define STREAM_SLOTS 4096                /* parts of one answer */
#define STREAM_BYTES ((size_t)256 << 20) /* of one answer */
#define STREAM_EVENT ((size_t)16 << 20)  /* of one event */

/* Told of text as it comes: PART_TEXT, PART_THINKING or PART_REFUSAL. */
struct stream_sink {
    void (*delta)(void *data, enum part_kind kind, str text);
    void *data;
};

/* A part that is being written. */
struct slot {
    enum part_kind kind;
    int64_t index;             /* the API's own number; -1: none */
    str id, name;              /* in the stream's arena */
    const struct json *native; /* what began it, or what it is as a whole */
    struct buf text;           /* text, or arguments so far */
    struct buf extra;          /* signature; citations; see the codecs */
    bool whole;                /* native is all of it */
    bool custom;
    bool done; /* its end was seen */
    /* Chat: how far the arguments were looked at, and how that was left. */
    struct balance {
        size_t at, depth;
        bool quoted, escaped;
        bool broken; /* they will never be a value */
    } balance;
};

struct stream {
    enum api api;
    struct stream_sink sink;
    struct arena arena;
    struct sse sse;
    bool lines;      /* events come as lines of JSON, not as SSE */
    bool begun;      /* the first byte was seen */
    bool keep;       /* a codec keeps something of the event it reads */
    bool ended;      /* the server said why it stopped */
    bool blank_stop; /* Chat: the last reason to stop was an empty text */
    bool odd;        /* Chat: calls were not told apart as the API says */
    size_t events;   /* read so far */
    size_t bytes;
    struct buf line;
    struct model_answer head; /* all but the parts */
    enum stop stop;           /* told, but not yet in force */
    struct slot **slots;
    size_t count, cap;
};

/* sink may be NULL. */
struct stream *stream_new(enum api api, const struct stream_sink *sink,
                          struct err *e);
void stream_free(struct stream *s); /* s may be NULL */

/* Bytes as they came: SSE, or one JSON event a line. */
int stream_feed(struct stream *s, str bytes, struct err *e);

/* The bytes are over. The last event counts even where the empty line after it
 * is missing, if it is whole. */
void stream_close(struct stream *s);

/* One event; type may be empty. */
int stream_event(struct stream *s, str type, str data, struct err *e);

/* Has a call begun, or the end been told? What comes from here on is not mere
 * text any more. */
bool stream_past_text(const struct stream *s);

/* What there is so far; lives in the arena and in the stream. */
int stream_answer(struct stream *s, struct arena *a, struct model_answer *out,
                  struct err *e);

/* -- for the codecs ---------------------------------------------------------
 */

struct slot *stream_add(struct stream *s, enum part_kind kind, int64_t index,
                        struct err *e);
struct slot *stream_at(struct stream *s, int64_t index); /* or NULL */
struct slot *stream_last(struct stream *s, enum part_kind kind);

/* Appends and tells the sink. */
int stream_text(struct stream *s, struct slot *slot, str text, struct err *e);

/* The server stopped, for this reason. */
void stream_stop(struct stream *s, str word);
void stream_end(struct stream *s);
void stream_error(struct stream *s, const struct json *v);

#endif
