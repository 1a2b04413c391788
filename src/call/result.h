/* SPDX-License-Identifier: MIT
 *
 * result -- what came back, as programs and models may have it.
 *
 * A program gets a value: structured content where the tool gives it; else the
 * text, and where that is a JSON object or array, what it says. Pieces that are
 * not text (images, files) are kept in the store and become handles. A model
 * is shown the result in MCP's shape, no longer than the limit; the rest stays
 * behind a handle.
 */
#ifndef CORDON_CALL_RESULT_H
#define CORDON_CALL_RESULT_H

#include "call/limit.h"
#include "call/redact.h"
#include "store/store.h"

struct result_rules {
    struct entry *tool;
    struct limit limit;
    struct redact *redact;
    struct store *store; /* NULL: what would be a handle is left out */
    str owner;           /* of handles: the session, or the run */
};

struct result {
    const struct json *shown; /* {"content": [...], ...} */
    const struct json *value; /* never NULL */
    const struct json *meta;  /* its _meta, or NULL */
    bool is_error;            /* the tool's own word */
    size_t bytes;             /* about what it measured */
};

/* ERR_PEER: it is no result or breaks the tool's own output schema; ERR_LIMIT:
 * it is too large. Everything lives in the arena. */
int result_take(const struct result_rules *rules, const struct json *raw,
                struct arena *a, struct result *out, struct err *e);

/* The text of all text pieces, one below the other. */
int result_words(const struct json *result, struct buf *out, struct err *e);

#endif
