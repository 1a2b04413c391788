/* SPDX-License-Identifier: MIT
 *
 * inside -- what the files of the boundary share.
 */
#ifndef CORDON_CALL_INSIDE_H
#define CORDON_CALL_INSIDE_H

#include "call/call.h"
#include "call/fault.h"
#include "call/gate.h"
#include "call/redact.h"
#include "call/result.h"

#define CALL_BYTES ((size_t)256 << 20) /* of memory for one call */

struct boundary {
    struct loop *loop;
    struct registry *registry;
    struct policy *policy;     /* in force */
    struct policy *own_policy; /* the preset, when none was given */
    struct store *store;
    struct audit *audit;
    struct secrets *secrets;
    struct spent *spent;
    struct limits *limits;
    struct redact *redact;
    struct gates gates;
    int64_t approval_ns;
    struct boundary_answers answers;
    struct call *calls;                  /* all that have not ended */
    struct call *waiting, *waiting_last; /* at a gate, in order */
    bool pumping;
    struct io_timer pump; /* when a rate lets the next one in */
    struct map repeats;   /* repeat.c */
    uint64_t seed[2];     /* of its hashes */
    struct map seen;      /* session -> struct seen; seen.c */
    size_t seen_bytes;    /* of all of them */
    uint64_t seen_count;  /* uses */
    struct seen *seen_last;
    bool seen_dropped;      /* one had to go: not even its name is known */
    struct map shapes;      /* shape.c */
    struct provider *needs; /* or NULL */
};

enum stage {
    STAGE_NEW,
    STAGE_GATE,     /* waits for its turn */
    STAGE_INTENT,   /* the intent is on its way to the disk */
    STAGE_QUESTION, /* so is the question */
    STAGE_PROVIDER,
    STAGE_PAUSE, /* between two attempts */
};

struct call {
    struct boundary *boundary;
    struct call *next, *prev;           /* of boundary.calls */
    struct call *wait_next, *wait_prev; /* of boundary.waiting */
    struct arena arena;
    struct call_request request;
    struct entry *tool; /* held; NULL when there is none */
    struct coerce_result args;
    const struct labels *labels; /* of the arguments; NULL: untrusted */
    enum integrity turn;
    struct limit limit;
    struct decision decision;
    enum stage stage;
    struct gate *gates[2]; /* of the server, of the tool; inside when entered */
    bool entered;
    bool trial;  /* it finds out whether the server works again */
    bool write;  /* nobody said that it only reads */
    bool repeat; /* the user said that it may be repeated */
    unsigned attempts;
    bool sent;           /* the other side may have acted */
    const char *finding; /* of a detector in the result, or NULL */
    int64_t began;
    struct provider_call provider;
    struct store_wait wait;
    struct io_timer deadline, pause;
    struct journal own; /* for a write that belongs to no run */
    char own_run[STORE_ID];
    char key[JOURNAL_KEY];
    char approval[STORE_ID]; /* the question that was put */
    bool *gone;              /* set when the call ends while it is begun */
};

/* -- question.c: decide, ask ------------------------------------------------
 */

/* 1: go on; 0: the call ended or waits. */
int call_decide(struct call *c);
void call_policy(const struct call *c, struct policy_call *out);

/* -- record.c: audit --------------------------------------------------------
 */

void call_record(struct call *c, const struct call_outcome *o, size_t bytes);

/* -- suspect.c: results that give orders ------------------------------------
 */

/* What was found in it, in words, or NULL. */
const char *suspect_find(const struct json *v);
int suspect_lower(const struct labels **labels, struct arena *a, struct err *e);

/* -- seen.c: what models were shown -----------------------------------------
 */

int seen_label(struct call *c, struct err *e);
void seen_result(struct call *c, const struct json *value,
                 const struct labels *labels);
void seen_forget(struct boundary *b, str session);
void seen_fini(struct boundary *b);

/* -- repeat.c: loops --------------------------------------------------------
 */

/* How often this very call gave the same result in a row. */
unsigned repeat_count(struct call *c);
void repeat_note(struct call *c, const struct json *value);
void repeat_forget(struct boundary *b);

/* -- shape.c: what results look like ----------------------------------------
 */

void shape_note(struct call *c, const struct json *value);
void shape_fini(struct boundary *b);

/* -- line.c: whose turn it is -----------------------------------------------
 */

void line_init(struct boundary *b);
/* call_go follows when the gates let it in. */
void line_join(struct call *c);
void line_leave(struct call *c);    /* the line, or the gates it is inside of */
void line_pump(struct boundary *b); /* lets in whoever may go */

/* -- attempt.c: the provider's turn -----------------------------------------
 */

void attempt_init(struct call *c);
void call_attempt(struct call *c);
void attempt_stop(struct call *c); /* where the provider has it */

/* -- call.c -----------------------------------------------------------------
 */

void call_go(struct call *c); /* it is inside: the intent, then the attempt */
void call_refuse(struct call *c, struct fault *f);
void call_refuse_with(struct call *c, const char *code, bool retryable,
                      const char *text);
void call_asked(struct call *c); /* the question is on disk */

#endif
