/* SPDX-License-Identifier: MIT
 *
 * policy -- may this happen? Deny, ask or allow, with the rule that said so.
 *
 * A rule file declares where data comes from (labels of a tool's result
 * fields), what arguments are for (roles of a sink's arguments) and what
 * follows. It is checked against the tools' definitions when it is loaded.
 * Without a file a preset holds. The decision is a pure function of the policy
 * and the call, so it can be replayed.
 */
#ifndef CORDON_POLICY_POLICY_H
#define CORDON_POLICY_POLICY_H

#include "tools/registry.h"
#include "json/json.h"

struct policy;

enum verdict { POLICY_DENY, POLICY_ASK, POLICY_ALLOW };

/* Higher is less trusted: joining takes the maximum. */
enum integrity {
    INTEGRITY_USER,    /* typed by the user, or written in the policy */
    INTEGRITY_TRUSTED, /* from a source the policy trusts */
    INTEGRITY_META,    /* a short token a third party chose: an id, a handle */
    INTEGRITY_UNTRUSTED,
};

enum secrecy {
    SECRECY_PUBLIC,
    SECRECY_READERS,
    SECRECY_PRIVATE,
    SECRECY_SECRET
};

#define ORIGINS_MAX 16

/* Where a value came from, for cards and audit. */
struct origin {
    str server, tool, field; /* field: JSON pointer into the result */
    uint64_t call;
};

struct label {
    enum integrity integrity;
    enum secrecy secrecy;
    const str *readers; /* SECRECY_READERS: sorted */
    size_t reader_count;
    const struct origin *origins;
    size_t origin_count; /* beyond ORIGINS_MAX: many is set */
    bool many;
};

/* Labels of the leaves of a JSON value. A path that is not listed takes the
 * label of its nearest listed ancestor, "" in the end. */
struct labels {
    const struct labelled {
        str path; /* JSON pointer */
        struct label label;
    } * items;
    size_t count;
    struct label pc; /* of the decision to make the call at all */
};

struct policy_call {
    const struct entry *tool;
    const struct json *args;
    const struct labels *labels; /* NULL: everything is untrusted */
    enum integrity turn;         /* of what the model has been shown */
    str principal, client, session, run;
    bool can_ask;
};

struct decision {
    enum verdict verdict;
    str rule;           /* "R2", or the preset's name */
    str reason;         /* a sentence for the card */
    str path;           /* the offending argument, or empty */
    struct label label; /* of it */
    bool irreversible;
};

/* The decision's text lives in the arena. Never fails open: on an error the
 * verdict is deny and the reason says why. */
void policy_decide(struct policy *p, const struct policy_call *c,
                   struct arena *a, struct decision *out);

/* The labels of a result by the policy's sources, joined with the labels of
 * the arguments that selected it. */
int policy_label(struct policy *p, const struct policy_call *c,
                 const struct json *value, uint64_t call, struct arena *a,
                 const struct labels **out, struct err *e);

#endif
