/* SPDX-License-Identifier: MIT
 *
 * workflow -- steps for a small model: a few tools at a time instead of thirty.
 *
 *   {"start": "find", "steps": {
 *      "find": {"say": "Find the customer.", "tools": ["crm__search*"],
 *               "turns": 4, "next": [{"called": "crm__get*", "to": "write"},
 *                                    {"says": "NOT FOUND", "to": "end"},
 *                                    {"to": "find"}]},
 *      "write": {"say": "Write the mail.", "tools": ["mail__draft"]}}}
 *
 * A step says something to the model and lets it use only its tools. When the
 * model has answered, the first entry of "next" that fits says where to go; an
 * entry without a condition always fits, and so does a plain name in place of
 * the list. Without "next", or with "end", it is over.
 */
#ifndef CORDON_AGENT_WORKFLOW_H
#define CORDON_AGENT_WORKFLOW_H

#include "agent/message.h"
#include "base/buf.h"

#define WORKFLOW_STEPS 256 /* in a file, and taken in one run */

struct workflow_move {
    str called; /* pattern of a tool that was called in the step; empty: any */
    str says;   /* text in the answer; empty: any */
    size_t to;  /* number of a step; WORKFLOW_END */
};
#define WORKFLOW_END ((size_t)-1)

struct workflow_step {
    str name, say;
    const str *tools; /* patterns; none: no tools at all */
    size_t tool_count;
    int turns; /* 0: the default of the agent */
    const struct workflow_move *moves;
    size_t move_count;
};

struct workflow {
    const struct workflow_step *steps;
    size_t count, start;
};

/* Checks the whole: every name it goes to exists, every step can be reached,
 * the end can be reached from each. Lives in the arena and in v. */
int workflow_read(const struct json *v, struct arena *a, struct workflow *out,
                  struct err *e);

/* Every pattern fits at least one of these names. */
int workflow_check(const struct workflow *w, const str *names, size_t count,
                   struct err *e);

/* Where to go after a step whose messages are those from `first` on. */
size_t workflow_next(const struct workflow_step *s,
                     const struct message *first);

/* Draws it. */
int workflow_text(const struct workflow *w, struct buf *out, struct err *e);
int workflow_svg(const struct workflow *w, struct buf *out, struct err *e);

#endif
