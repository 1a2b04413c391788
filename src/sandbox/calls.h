/* SPDX-License-Identifier: MIT
 *
 * calls -- a task's one way to tools: frames over a socket it inherits.
 *
 * A frame is a length (4 bytes, most significant first) and that many bytes of
 * JSON. The first one goes to the task and names what it may call:
 *     {"names": ["mail.send", "weather"]}
 * then the task asks, and each question gets one answer, in any order:
 *     {"id": 1, "name": "mail.send", "args": [], "kwargs": {"to": "x"}}
 *     {"id": 1, "result": ...}
 *     {"id": 1, "error": {"type": "ToolDenied", "message": "..."}}
 * The task is hostile: what is not such a frame ends the conversation, frames
 * and unanswered questions are limited, and nobody waits for it to read.
 * Whether a call may happen is not decided here.
 */
#ifndef CORDON_SANDBOX_CALLS_H
#define CORDON_SANDBOX_CALLS_H

#include "base/arena.h"
#include "base/buf.h"
#include "json/json.h"

enum {
    CALLS_MAX_FRAME = 8 << 20,   /* bytes of one frame */
    CALLS_MAX_WAITING = 64,      /* questions without an answer */
    CALLS_MAX_BACKLOG = 32 << 20 /* bytes the task has not read yet */
};

struct calls {
    int fd; /* ours, never blocking; -1: none, or over */
    struct buf in, out;
    int64_t waiting[CALLS_MAX_WAITING]; /* ids without an answer */
    size_t waiting_count;
};

/* A question. Everything lives in the arena it was read into. */
struct task_call {
    int64_t id;
    str name;
    const struct json *args;   /* an array */
    const struct json *kwargs; /* an object */
};

/* Makes the pair; *theirs is for the task. names ends with NULL. */
int calls_open(struct calls *c, const char *const *names, int *theirs,
               struct err *e);
void calls_close(struct calls *c);

/* Reads what has come and writes what can go. -1: the task broke the rules,
 * or memory ran out; 0 otherwise. The end of the conversation closes it. */
int calls_turn(struct calls *c, struct err *e);

/* 1 and a question, 0 when there is none, -1 as above. */
int calls_next(struct calls *c, struct arena *a, struct task_call *out,
               struct err *e);

/* Answers. An id that nobody waits for is an error of the caller. One that is
 * too large fails with ERR_LIMIT, and the call still waits. */
int calls_answer(struct calls *c, int64_t id, const struct json *result,
                 struct err *e);
int calls_refuse(struct calls *c, int64_t id, const char *type,
                 const char *message, struct err *e);

/* Whether something waits to be written. */
bool calls_full(const struct calls *c);

/* For tests: a frame's JSON as a question. */
int calls_parse(str text, struct arena *a, struct task_call *out,
                struct err *e);

#endif
