/* SPDX-License-Identifier: MIT
 *
 * provider -- what carries out a call once the boundary let it through.
 *
 * One file each: an MCP server, an HTTP API, a database, a command, a C
 * function. A provider sees arguments that fit the schema, and secrets that
 * nobody else sees. It ends every call exactly once, now or later.
 */
#ifndef CORDON_CALL_PROVIDER_H
#define CORDON_CALL_PROVIDER_H

#include "tools/registry.h"

struct provider;
struct provider_call;
struct store;

struct provider_class {
    const char *kind; /* "mcp", "http", "sql", "command", "callback" */
    /* Starts it. Ends by provider_done or provider_failed. */
    void (*call)(struct provider *p, struct provider_call *c);
    /* Nobody wants the answer: stop what can be stopped; no end is called. */
    void (*cancel)(struct provider *p, struct provider_call *c);
    void (*free)(struct provider *p);
};

/* First member of every provider. */
struct provider {
    const struct provider_class *class;
    str server; /* whose tools it carries out */
};

/* One call, owned by the boundary; valid until it ended or was cancelled. */
struct provider_call {
    struct entry *tool;
    const struct json *args;    /* validated and coerced */
    str owner;                  /* on whose behalf: caller.principal */
    str holder;                 /* whose handles it may read: session, or run */
    const struct caller *who;   /* that made it */
    str idempotency_key;        /* 64 hex digits; sent where there is a place */
    int64_t deadline_ns;        /* monotonic */
    size_t result_max;          /* bytes of result worth reading */
    struct arena *arena;        /* lives as long as the call */
    const struct json *refusal; /* the JSON-RPC error a server answered with,
                                   when that is why it failed */
    void *state;                /* the provider's own */
    struct call *boundary;      /* the boundary's own */
};

/* What came back. Exactly one shape: MCP's. */
struct provider_result {
    /* {"content": [...], "structuredContent": ..., "isError": ..., "_meta"}:
     * the whole result as an object; providers that are not MCP make it with
     * result_structured() or result_text() below. */
    const struct json *result;
};

/* Where handles are kept; NULL: nowhere. */
struct store *provider_store(const struct provider_call *c);

void provider_done(struct provider_call *c, const struct provider_result *r);

/* It could not be carried out. `code` is stable: "unavailable", "timeout",
 * "unauthorized", "rate_limited", "bad_response", "interrupted". `sent` says
 * whether the other side may have acted on it. */
void provider_failed(struct provider_call *c, const char *code, bool sent,
                     const struct err *why);
/* It was not sent, because its server is down and is being started again: no
 * breaker need spare such a server. */
void provider_down(struct provider_call *c, const struct err *why);
void provider_progress(struct provider_call *c, double progress, double total,
                       str message);

/* The server asks something back in the middle of the call (elicitation,
 * sampling, roots): passed to whoever made the call. answer is called once,
 * with NULL when nobody can. */
void provider_ask(struct provider_call *c, str method,
                  const struct json *params,
                  void (*answer)(void *data, const struct json *result),
                  void *data);

const struct json *result_structured(struct arena *a, const struct json *value,
                                     struct err *e);
const struct json *result_text(struct arena *a, str text, struct err *e);

#endif
