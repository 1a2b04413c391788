/* SPDX-License-Identifier: MIT
 *
 * policy -- may this happen? Deny, ask or allow, with the rule that said so.
 *
 * A rule file declares where data comes from (labels of a tool's result
 * fields), what arguments are for (roles of a sink's arguments) and what
 * follows. It is checked against the tools' definitions when it is loaded.
 * Without a file a preset holds. The decision is a pure function of the policy,
 * the call and what is handed over with it, so it can be replayed.
 */
#ifndef CORDON_POLICY_POLICY_H
#define CORDON_POLICY_POLICY_H

#include "base/crypto.h"
#include "policy/label.h"
#include "tools/registry.h"
#include "json/json.h"

struct policy;
struct spent;

enum verdict { POLICY_DENY, POLICY_ASK, POLICY_ALLOW };

const char *verdict_word(enum verdict v); /* "deny", "ask", "allow" */

/* What holds where no rule decides. */
enum preset { POLICY_BALANCED, POLICY_PERMISSIVE, POLICY_STRICT };

int preset_read(str word, enum preset *out, struct err *e);

/* -- a life -----------------------------------------------------------------
 */

struct policy *policy_new(enum preset preset, struct err *e);

/* From the text of a rule file; name stands in messages. The error has the
 * first mistake with its line. */
struct policy *policy_parse(str text, const char *name, struct err *e);
struct policy *policy_load(const char *path, struct err *e);

/* From {"allow": [...], "ask": [...], "deny": [...]} (also inside
 * "permissions"), as coding agents keep them. A pattern that could never match
 * is an error. */
struct policy *policy_import(const struct json *settings, const char *name,
                             struct err *e);
void policy_free(struct policy *p); /* p may be NULL */

/* Of its text: what approvals are bound to. */
const uint8_t *policy_hash(const struct policy *p);

/* -- deciding ---------------------------------------------------------------
 */

struct policy_call {
    const struct entry *tool;
    const struct json *args;
    const struct labels *labels; /* NULL: everything is untrusted */
    enum integrity turn;         /* of what the model has been shown */
    str principal, client, session, run;
    bool can_ask;
    const struct spent *spent; /* what was done before; NULL: nothing */
    /* Has a person agreed to this before (decision.key)? NULL: no. */
    bool (*granted)(void *data, const char *key);
    void *data;
};

/* What a yes is good for beyond this one call. */
enum remember {
    REMEMBER_NOTHING,
    REMEMBER_IF_TOLD, /* the person may choose it */
    REMEMBER_SESSION, /* always: the question is put once a session */
};

#define POLICY_KEY (2 * CRYPTO_SHA256 + 1) /* hexadecimal and a NUL */

struct decision {
    enum verdict verdict;
    str rule;           /* "R2", or the preset's name */
    str name;           /* "dest", may be empty */
    str reason;         /* a sentence for the card */
    str path;           /* the offending argument, or empty */
    struct label label; /* of it */
    str classes;        /* "send, irreversible", for the card */
    bool irreversible;
    bool shadowed;      /* the policy only watches: what it would have */
    enum verdict would; /* said is here, and the verdict is allow */
    enum remember remember;
    int64_t remember_ns;  /* for how long at most */
    char key[POLICY_KEY]; /* what to remember it by; "" for nothing */
};

/* The decision's text lives in the arena or the policy. Never fails open: on
 * an error the verdict is deny and the reason says why. */
void policy_decide(struct policy *p, const struct policy_call *c,
                   struct arena *a, struct decision *out);

/* The labels of a result by the policy's sources, joined with the labels of
 * the arguments that selected it. meta is the result's own _meta, or NULL: what
 * it says can only tighten, unless the policy calls the server's labels
 * authoritative. */
int policy_label(struct policy *p, const struct policy_call *c,
                 const struct json *value, const struct json *meta,
                 uint64_t call, struct arena *a, const struct labels **out,
                 struct err *e);

/* -- limits -----------------------------------------------------------------
 */

/* Counts what runs and sessions did, for "20/run" and "amount > 100/run". */
struct spent *spent_new(struct err *e);
void spent_free(struct spent *s); /* s may be NULL */

/* After a call was let through: bytes are those of its arguments. */
int policy_spend(struct policy *p, struct spent *s, const struct policy_call *c,
                 struct err *e);

/* The run or session ended. */
void spent_end(struct spent *s, str run_or_session);

/* -- checking ---------------------------------------------------------------
 */

struct policy_problem {
    size_t line; /* of the rule file; 0: of the tools */
    bool error;  /* else a warning */
    str text;
};

struct policy_report {
    const struct policy_problem *problems; /* in the order of the file */
    size_t count, errors;
};

/* Against the tools there are: names, arguments, rules that never match, sink
 * arguments without a rule, tools without a word, dangerous combinations. */
int policy_check(struct policy *p, const struct tool *tools, size_t count,
                 struct arena *a, struct policy_report *out, struct err *e);

/* Runs the tests of the file; a test that fails is an error. *passed counts
 * the others. */
int policy_test(struct policy *p, const struct tool *tools, size_t count,
                struct arena *a, struct policy_report *out, size_t *passed,
                struct err *e);

#endif
