/* SPDX-License-Identifier: MIT
 *
 * textcall -- tools for models whose server knows none: described in the system
 * prompt, called in the text of an answer.
 *
 * Only where it was asked for, model by model: text that looks like a call may
 * be an example. What is taken for a call must be complete, be JSON, and name a
 * tool that was offered; anything else stays text.
 */
#ifndef CORDON_AGENT_TEXTCALL_H
#define CORDON_AGENT_TEXTCALL_H

#include "agent/message.h"

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

/* Takes the calls out of the text of an answer that ended in order. */
int textcall_answer(enum textcall format, const struct offers *offers,
                    struct arena *a, struct model_answer *m, struct err *e);

#endif
