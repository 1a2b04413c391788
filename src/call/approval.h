/* SPDX-License-Identifier: MIT
 *
 * approval -- a question to a person about one call, and the answer.
 *
 * It is bound to the hash of everything that was asked about: who, which run
 * and call, the tool as it is pinned, the arguments, where they came from, the
 * policy. It is good for one call and expires. Beyond that a yes may be
 * remembered only as narrowly as the policy says (decision.key), or for like
 * calls of the same run: same tool, same rule, same argument at fault.
 */
#ifndef CORDON_CALL_APPROVAL_H
#define CORDON_CALL_APPROVAL_H

#include "audit/audit.h"
#include "call/journal.h"
#include "policy/policy.h"

struct approval_ask {
    str principal, client, session, run;
    uint64_t number; /* of the call in its run; 0 without one */
    const struct entry *tool;
    const struct json *args;
    const struct labels *labels; /* may be NULL */
    const struct decision *decision;
    const uint8_t *policy; /* its hash */
    str finding;           /* what a detector said of the arguments, or empty */
};

int approval_binding(const struct approval_ask *q, char out[JOURNAL_KEY],
                     struct err *e);

/* What makes calls alike: the same card. */
int approval_batch_key(const struct approval_ask *q, char out[JOURNAL_KEY],
                       struct err *e);

/* Puts the question in the store (queued), or finds the one that stands. */
int approval_make(struct store *s, const struct approval_ask *q,
                  int64_t expires, char id[STORE_ID], struct err *e);

/* A person said yes to calls like this one before. */
bool approval_remembered(struct store *s, str key);
bool approval_covers(struct store *s, const struct approval_ask *q);

enum approval_choice {
    APPROVE_NOT,      /* and the program may catch it */
    APPROVE_ONCE,     /* this call */
    APPROVE_ALIKE,    /* and like ones of this run */
    APPROVE_REMEMBER, /* and what the policy lets be remembered */
};

/* "deny", "once", "alike", "remember" */
int approval_choice_read(str word, enum approval_choice *out, struct err *e);
const char *approval_choice_word(enum approval_choice choice);

/* A question that no policy put: about a call of a run that was under way when
 * everything stopped. Yes means: make it again. */
int approval_unknown(struct store *s, const struct approval_ask *q,
                     int64_t expires, char id[STORE_ID], struct err *e);

/* The questions on one card, in the order of their calls. */
#define APPROVAL_BATCH 100
struct approval_batch {
    size_t count;
    str ids[APPROVAL_BATCH];
    uint64_t numbers[APPROVAL_BATCH];
    const struct json *args[APPROVAL_BATCH];
    str differs[16]; /* names of arguments that are not the same in all */
    size_t differ_count;
};
int approval_batch(struct store *s, const struct store_approval *p,
                   struct arena *a, struct approval_batch *out, struct err *e);

/* A member "batch" {"count", "differs", "rows"} of an open object, where there
 * is more than one. */
struct jw;
int approval_put_batch(struct store *s, const struct store_approval *p,
                       struct jw *w, struct err *e);

/* Calls fn for each card: of like calls that stand for the first one only. fn
 * may use the store. */
int approval_cards(struct store *s, const struct store_approval_filter *f,
                   store_approval_fn *fn, void *data, struct err *e);

/* Answers it: durable when this returns. by says who and how ("cli:root").
 * audit may be NULL. */
int approval_answer(struct store *s, struct audit *audit, str id,
                    enum approval_choice choice, str by, struct err *e);

/* The card in plain words, for a terminal or a form; every byte that could
 * mislead is shown escaped. Like calls stand in a table of what differs. */
int approval_describe(struct store *s, const struct store_approval *p,
                      struct buf *out, struct err *e);

#endif
