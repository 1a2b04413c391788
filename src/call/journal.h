/* SPDX-License-Identifier: MIT
 *
 * journal -- what a run did and got, event by event, in the store.
 *
 *     {"call":3,"tool":"mail__send","as":"mail.send","args":{...},"key":"...",
 *      "write":true}
 *     {"call":3,"status":"done","value":{...},"labels":{"":true},"us":120}
 *
 * "labels" says which places of the value were not simply the user's: a replay
 * takes as many steps only where it has labels in the same places.
 *
 * An intent stands before its call, a result after it. After a crash an intent
 * without a result is a call whose outcome is unknown.
 */
#ifndef CORDON_CALL_JOURNAL_H
#define CORDON_CALL_JOURNAL_H

#include "base/crypto.h"
#include "policy/label.h"
#include "store/store.h"
#include "json/json.h"

#define JOURNAL_EVENT ((size_t)16 << 20) /* bytes of one event */

struct journal {
    struct store *store;
    str run;
    uint64_t fence;    /* of our claim */
    bool lost;         /* another process has the run now */
    uint64_t next;     /* number of the next event */
    struct buf *draws; /* bytes that go with the next intent ("draws", base64)
                          and are gone then; may be NULL */
};

/* Queued; see store_when_durable. */
int journal_add(struct journal *j, const char *kind, str data, struct err *e);

struct intent {
    uint64_t call;
    str tool;
    str space, method; /* what programs call it by */
    const struct json *args;
    str key;
    str approval; /* that allowed it, or empty */
    bool write;
    bool reads; /* the program need not wait for its value */
};

int journal_intent(struct journal *j, const struct intent *i, struct err *e);

struct journal_result {
    uint64_t call;
    const char *status;          /* "done", "failed", "unknown", "asked" */
    const struct json *value;    /* or NULL */
    const struct json *error;    /* or NULL */
    const struct labels *labels; /* of the value; NULL: untrusted throughout */
    int64_t ns;                  /* it took */
};

int journal_result(struct journal *j, const struct journal_result *r,
                   struct err *e);
/* It says more than that the value is the user's. */
bool journal_labelled(const struct label *l);

/* What makes a repeated write recognisable: SHA-256 over run, call number, tool
 * and canonical arguments, as 64 hexadecimal digits and a NUL. */
#define JOURNAL_KEY (2 * CRYPTO_SHA256 + 1)
int journal_key(str scope, uint64_t call, str tool, const struct json *args,
                char out[JOURNAL_KEY], struct err *e);

#endif
