/* SPDX-License-Identifier: MIT
 *
 * bound -- the boundary as an agent's tools.
 *
 * Offers what fits the conversation, chosen anew every round: by what the user
 * said last, and by each step of a plan the model gave since. What was offered
 * once stays, so that prompt caches do. Carries calls out through
 * boundary_call, the only way there is.
 */
#ifndef CORDON_AGENT_BOUND_H
#define CORDON_AGENT_BOUND_H

#include "agent/agent.h"
#include "call/call.h"
#include "runs/runs.h"

#define BOUND_TOOLS 16 /* offered when nobody says how many */

struct bound;
struct bound_call;

/* How tools are put before the model. */
enum bound_mode {
    BOUND_AUTO,  /* as calls; where they are too many, code mode beside them */
    BOUND_CALLS, /* those that fit, each as itself */
    BOUND_CODE,  /* search, describe and run code: the same three always */
};

struct bound_config {
    struct boundary *boundary;
    enum bound_mode mode;
    struct runs *runs; /* NULL: there is no code mode. Its `allows` must be
                          bound_allows, with the bound as data */
    size_t tools;      /* offered at most; 0: BOUND_TOOLS */
    const str *only;   /* patterns of names; none: all */
    size_t only_count;
    const str *pinned; /* patterns of names that are always offered */
    size_t pinned_count;
    struct caller who; /* session and principal; its text is borrowed */
    /* A person must say yes first: bound_answer is called once, now or later.
     * NULL: nobody can be asked. */
    void (*approve)(void *data, struct bound_call *c, str approval);
    void *data;
};

struct bound *bound_new(const struct bound_config *config, struct err *e);
void bound_free(struct bound *b); /* after its agent; b may be NULL */

struct agent_tools bound_tools(struct bound *b);

/* The answer to approve: yes makes the call again with the approval, which was
 * granted in the store; no ends it. */
void bound_answer(struct bound_call *c, bool yes);

/* Whether a program of the model may use this tool: for struct runs_config. */
bool bound_allows(void *bound, str scopes, str tool);

/* What else the model is shown, so that its words can be traced: what the user
 * said, and what came from somewhere without being a call's result (a resource,
 * a prompt). */
int bound_said(struct bound *b, str text, struct err *e);
int bound_attached(struct bound *b, str server, str what, str text,
                   struct err *e);

/* Restricts what is offered from the next round on, as `only` does; NULL: as
 * the config has it. The patterns are borrowed. */
void bound_only(struct bound *b, const str *only, size_t count);

/* The result of an MCP call as parts. */
int bound_content(const struct json *result, struct arena *a,
                  struct part_list *out, struct err *e);

#endif
