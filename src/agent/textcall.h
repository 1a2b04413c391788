/* SPDX-License-Identifier: MIT
 *
 * textcall -- tools for models whose server knows none: described in the system
 * prompt, called in the text of an answer.
 *
 * Only where it was asked for, model by model: text that looks like a call may
 * be an example. What is taken for a call must be complete, be JSON, and name a
 * tool that was offered; anything else stays text. While text streams, only
 * what may be the beginning of a call is held back.
 */
#ifndef CORDON_AGENT_TEXTCALL_H
#define CORDON_AGENT_TEXTCALL_H

#include "agent/message.h"
#include "base/buf.h"

enum textcall {
#define FORMAT(id, name, before, after, arguments) TEXTCALL_##id,
#include "agent/textcalls.def"
#undef FORMAT
    TEXTCALL_COUNT
};

int textcall_parse(str name, enum textcall *out, struct err *e);

/* What stands before and after a call (empty: nothing), and what the member of
 * its arguments is called. */
struct textcall_words {
    str before, after;
    const char *arguments;
};
struct textcall_words textcall_words(enum textcall format);

/* The request without tools: they are described in a system message, and calls
 * and results of the conversation are text. */
int textcall_request(enum textcall format, const struct model_request *q,
                     struct arena *a, struct model_request *out, struct err *e);

/* -- answers (textcall_read.c) ----------------------------------------------
 */

/* Told in the order of the text. Of a call args is NULL when its end is
 * missing; they live in the reader's arena. A function may be NULL. */
struct textcall_events {
    int (*text)(void *data, str text, struct err *e);
    int (*call)(void *data, str name, const struct json *args, struct err *e);
};

/* Text that arrives piece by piece, cut anywhere. What cannot be part of a call
 * is told at once; what may be the beginning of one is held back until it is
 * known. However the text is cut, the same is told. */
struct textcall_reader {
    enum textcall format;
    const struct offers *offers;
    struct arena *arena;
    const struct textcall_events *events;
    void *data;
    struct buf held;
    size_t mark;  /* of held: white space before the call that has begun */
    bool within;  /* the call's beginning was seen */
    size_t read;  /* of held: in search of its end */
    bool quoted;  /* there: within a string */
    bool escaped; /* and after a backslash */
    bool told;    /* some text, since the last call */
};

void textcall_begin(struct textcall_reader *r, enum textcall format,
                    const struct offers *offers, struct arena *a,
                    const struct textcall_events *events, void *data);
int textcall_feed(struct textcall_reader *r, str piece, struct err *e);
/* What is held is all there is; whole: the text ended in order. More may
 * follow as another text. */
int textcall_flush(struct textcall_reader *r, bool whole, struct err *e);
void textcall_fini(struct textcall_reader *r);

/* Takes the calls out of the text of an answer. They may be carried out only if
 * it ended in order; else they say what was begun. */
int textcall_answer(enum textcall format, const struct offers *offers,
                    struct arena *a, struct model_answer *m, struct err *e);

#endif
