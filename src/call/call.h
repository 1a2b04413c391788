/* SPDX-License-Identifier: MIT
 *
 * call -- the boundary: the only way from a caller to a tool.
 *
 *     resolve -> validate and coerce -> decide -> journal the intent
 *       -> provider -> cap, redact, label -> journal the result
 *
 * Whoever calls (a model's function call, a program in code mode, CPython in a
 * sandbox, an MCP client, the command line) calls boundary_call, and gets the
 * same checks, the same decision and the same records. Errors are data a model
 * can act on.
 */
#ifndef CORDON_CALL_CALL_H
#define CORDON_CALL_CALL_H

#include "audit/audit.h"
#include "call/journal.h"
#include "call/provider.h"
#include "io/loop.h"
#include "policy/policy.h"
#include "policy/secret.h"
#include "policy/shown.h"
#include "json/coerce.h"

struct boundary;
struct store;
struct call;

struct boundary_config {
    struct loop *loop;
    struct registry *registry;
    struct policy *policy;     /* NULL: the preset `balanced` */
    struct store *store;       /* NULL: no journal, and nobody can be asked */
    struct audit *audit;       /* NULL: no record */
    struct secrets *secrets;   /* NULL: there are none */
    const struct json *limits; /* limit.h; borrowed until boundary_new returns,
                                  like redact */
    const struct json *redact; /* redact.h */
    int64_t approval_ns;       /* how long a question stands; 0: a day */
};

struct boundary *boundary_new(const struct boundary_config *config,
                              struct err *e);
void boundary_free(struct boundary *b);
struct registry *boundary_registry(struct boundary *b);
struct store *boundary_store(struct boundary *b); /* may be NULL */

/* Another policy from now on; NULL: `balanced`. It is borrowed, and questions
 * that were asked under the old one are void. */
int boundary_set_policy(struct boundary *b, struct policy *p, struct err *e);

/* Who answers what a tool asks back in a call whose caller takes no questions
 * itself: a program's, a loop's. False: it is refused, and answer was not
 * called. Zero: everything is. */
struct boundary_answers {
    bool (*ask)(void *data, const struct entry *tool, str method,
                const struct json *params,
                void (*answer)(void *to, const struct json *result), void *to);
    void *data;
};
void boundary_set_answers(struct boundary *b, struct boundary_answers answers);

/* What results of a tool that declares no output look like, as a schema; NULL
 * while nothing was learned. Good until the next call of the tool. */
const struct json *boundary_shape(struct boundary *b, const struct entry *t);

/* What the model of a session has been shown; NULL for no session. Whoever
 * shows it something that is no result of a call says so there. */
struct shown *boundary_shown(struct boundary *b, str session);

/* A run or session ended: what was counted for it is forgotten. */
void boundary_forget(struct boundary *b, str run_or_session);

/* Who calls, and on whose behalf. All may be empty but kind. */
struct caller {
    const char *kind; /* "mcp", "run", "container", "loop", "proxy", "cli",
                         "need" */
    str principal;    /* who is signed in */
    str client;       /* the program that speaks for them */
    str session;
    str run;                 /* id in the store; empty: a call of its own */
    uint64_t number;         /* of the call within the run or session */
    bool can_ask;            /* there is someone to put an approval before */
    enum integrity turn;     /* of what the model has been shown */
    struct journal *journal; /* of the run; NULL: writes get one of their own */
    /* Whether a listing may tell it of this tool; NULL: of every one. */
    bool (*sees)(void *data, str tool);
    void *sees_data;
};

enum call_status {
    CALL_FAILED, /* outcome.error says why; a model can read it */
    CALL_ASKED,  /* a person must say yes first: outcome.approval; nothing was
                    done. Make the same call again with the answer. */
    CALL_DONE,   /* outcome.result; isError in it is the tool's own word */
};

/* The codes of outcome.error: unknown_tool, invalid_arguments, denied,
 * approval_needed, approval_void, unavailable, timeout, unauthorized,
 * rate_limited, bad_response, interrupted, tool_error, too_large, loop,
 * cancelled, unknown_outcome, store. */

struct call_outcome {
    enum call_status status;
    struct entry *tool;          /* NULL when the name was not known */
    const struct json *result;   /* MCP shape, capped and redacted */
    const struct json *value;    /* what a program gets: structured content, or
                                    the text, or a handle */
    const struct labels *labels; /* of the value's leaves; policy/policy.h */
    /* {"code", "message", "path", "expected", "got", "hint", "near": [...],
     * "retryable": bool} */
    const struct json *error;
    str approval; /* id of the question, for CALL_ASKED */
    const struct coerce_change *changes; /* made to the arguments */
    size_t change_count;
};

/* What it points to must live until done is called. */
struct call_request {
    str name;
    const struct json *args;     /* an object */
    const struct labels *labels; /* of the arguments' leaves; NULL: by value
                                    match with what this session was shown */
    struct caller who;
    str approval; /* a granted one for exactly this call, or empty */
    /* Why a person must agree even where the policy allows it; NULL: no
     * reason. */
    const char *doubt;
    /* This run was taken over, and its journal has no intent of this call: an
     * approval that was spent on it just before the crash still holds. */
    bool unmade;
    /* What this very call gave before a crash, from the journal: it is labelled
     * and handed out again, and nothing is carried out. */
    const struct json *recorded;
    void (*done)(void *data, const struct call_outcome *outcome);
    void (*progress)(void *data, double progress, double total, str message);
    /* The tool asks back; NULL: see boundary_set_answers. */
    void (*asked)(void *data, str method, const struct json *params,
                  void (*answer)(void *to, const struct json *result),
                  void *to);
    void *data;
};

/* done is called exactly once, possibly before this returns (then NULL is
 * returned). What the outcome points to lives until done returns. */
struct call *boundary_call(struct boundary *b, const struct call_request *r);

/* A call that a program will make if the question `like` is answered with yes.
 * Would it be asked about likewise? Then 1, and a question of its own is in the
 * store, on the same card; else 0. Nothing is made or recorded. */
int boundary_foresee(struct boundary *b, const struct call_request *r, str like,
                     struct err *e);

/* What would be decided about a call, were it made now. Nothing is asked, made
 * or recorded. */
enum verdict boundary_verdict(struct boundary *b, const struct call_request *r);

/* From now on runs may ask for what they lack (needs.h). Once is enough. */
int boundary_offer_needs(struct boundary *b, struct err *e);

/* It was not decided by rule: a person will be asked, and done is called with
 * CALL_ASKED once the question is on disk. */
bool call_is_asking(const struct call *c);

/* As if this process had been killed: stops it, records nothing, and done is
 * not called. The next process finds an intent without a result. */
void boundary_drop(struct call *c);

/* done is called with the code "cancelled" before this returns. A write that
 * was already sent is recorded as unknown. */
void boundary_cancel(struct call *c, const char *reason);

#endif
