/* SPDX-License-Identifier: MIT
 *
 * emit -- an answer written as the stream of events that an API's clients
 * expect. The other direction of stream.h.
 *
 * Text goes out as it comes; calls go out whole, because before that nobody
 * knows whether they make sense.
 */
#ifndef CORDON_AGENT_EMIT_H
#define CORDON_AGENT_EMIT_H

#include "agent/message.h"
#include "base/buf.h"

struct emit {
    enum api api;
    bool usage; /* Chat: the client asked for it */
    bool open;  /* a block of text is not ended yet */
    enum part_kind kind;
    size_t index;             /* of the next block or item */
    size_t calls;             /* written so far */
    uint64_t number;          /* Responses: of the next event */
    int64_t created;          /* seconds since 1970 */
    struct buf text;          /* of the open block */
    struct model_answer head; /* id and model */
};

/* head has the id and the model, borrowed while the stream lasts. Bedrock has
 * no such stream: ERR_UNSUPPORTED. */
int emit_begin(struct emit *x, const struct model_answer *head, struct buf *out,
               struct err *e);

/* Some more text, thinking or refusal. */
int emit_text(struct emit *x, enum part_kind kind, str text, struct buf *out,
              struct err *e);

/* A part as a whole: a call, or what only this API knows. Other parts are
 * told by emit_text. */
int emit_part(struct emit *x, const struct part *p, struct buf *out,
              struct err *e);

/* The end, with the reason, the usage and, where the API repeats it, the whole
 * of m. */
int emit_end(struct emit *x, const struct model_answer *m, struct buf *out,
             struct err *e);

/* The end, because of an error. */
int emit_error(struct emit *x, const struct model_error *error, struct buf *out,
               struct err *e);

void emit_fini(struct emit *x);

#endif
