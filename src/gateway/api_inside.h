/* SPDX-License-Identifier: MIT
 *
 * api_inside -- what the files of the HTTP API share.
 */
#ifndef CORDON_GATEWAY_API_INSIDE_H
#define CORDON_GATEWAY_API_INSIDE_H

#include "gateway/api.h"
#include "json/write.h"

#define API_BYTES ((size_t)64 << 20)

struct api {
    struct api_config config;
    struct arena arena;    /* of a copy of its sandbox: settings change */
    struct api_call *open; /* that will be answered later */
};

/* One request. */
struct api_call {
    struct api *api;
    struct api_call *next, *prev; /* of api.open, once kept */
    struct exchange *exchange;    /* NULL: the client is gone */
    struct arena arena;
    str principal, scopes;
    str id;                  /* of the path, or empty */
    const struct json *body; /* an object; empty where there was none */
    struct buf out;
    struct jw w; /* writes to out */
    unsigned status;
    bool kept;  /* it is in api.open, and told when the client goes away */
    bool later; /* its handler will answer it */
    struct hub_waiter early; /* it came before the servers were there */
    /* For answers that come later. */
    struct run_waiter waiter;
    struct io_timer timer;
    struct call *call;
    struct select_wait found;
    struct api_task *task; /* api_sandbox.c */
    char run[STORE_ID];
    uint64_t seen; /* events that were sent */
};

/* Each writes its answer to c->w and returns 0, or keeps the call and returns
 * 0, or fails. */
#define ROUTE(id, method, path, body, query, text) \
    int api_##id(struct api_call *c, struct err *e);
#include "gateway/api.def"
#undef ROUTE

/* The call is answered later: with api_answer or api_fail. */
void api_keep(struct api_call *c);
void api_answer(struct api_call *c);
void api_fail(struct api_call *c, const struct err *e);
void api_drop(struct api_call *c); /* the answer was given another way */

/* Kills it, where it still runs; NULL is fine. */
void api_task_free(struct api_task *t);

/* Sees everything, or asked for something of its own. */
bool api_may_see(const struct api_call *c, str principal);
bool api_may_approve(const struct api_call *c);
int64_t api_query_int(const struct api_call *c, const char *name, int64_t none);

#endif
