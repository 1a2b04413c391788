/* SPDX-License-Identifier: MIT
 *
 * errand -- one request of a host on its way to a server and back.
 *
 * When the server asks something in between, the errand stays and the host is
 * asked: a legacy one while its request waits, a modern one by ending its
 * request with input-required, whose sealed state names the errand. The next
 * request with that state finds it again. Nobody else can: the state is bound
 * to who asked and what for.
 *
 * Inside the hub: its other parts use what hub_inside.h has of it.
 */
#ifndef CORDON_GATEWAY_ERRAND_H
#define CORDON_GATEWAY_ERRAND_H

#include "base/hash.h"
#include "gateway/hub_inside.h"
#include "store/store.h"

enum { ERRAND_KEY = 72 };

/* Something the server wants to know. */
struct question {
    char key[ERRAND_KEY];
    const char *method;
    const struct json *params;
    void (*answer)(void *to, const struct json *result);
    void *to;
};

struct errand {
    struct hub *hub;
    struct errand *next, **link;
    struct mcp_request *request;  /* NULL: between two rounds */
    struct member *member;        /* whose URIs are in the result; or NULL */
    struct call *call;            /* through the boundary, */
    struct downstream_call *down; /* or straight to the server */
    struct call_request tool;     /* what the boundary was asked */
    char approval[STORE_ID];      /* what a person is asked about it */
    char id[HASH_ID_SIZE];
    unsigned pages;      /* to visit before the call is made again */
    unsigned page_turns; /* how often it wanted that */
    bool page_declined;
    struct arena memory; /* of the questions */
    struct question questions[HUB_QUESTIONS_MAX];
    size_t question_count;
    unsigned next_key;
    bool can[MCP_QUESTIONS];   /* what the host can be asked */
    bool lacks[MCP_QUESTIONS]; /* what it was to be asked and cannot be */
    bool promised;             /* it becomes a task when its server has begun */
    struct io_timer beginning;
    struct io_timer breath;   /* until the questions so far are asked */
    struct io_timer patience; /* until nobody is thought to come back */
};

/* -- life (errand.c) ---------------------------------------------------------
 */

void errand_free(struct errand *t);
struct errand *errand_find(struct hub *h, str id);
/* Takes the request out of the errand, to be answered. */
struct mcp_request *errand_take(struct errand *t);
/* The same call once more, with the answer to t->approval. */
void errand_call_again(struct errand *t);

/* -- questions (errand_ask.c) ------------------------------------------------
 */

void errand_learn(struct errand *t); /* what its host can be asked */
/* The server wants to know something; answer is called once, with NULL where
 * there is nobody to ask. */
void errand_ask(struct errand *t, str method, const struct json *params,
                void (*answer)(void *to, const struct json *result), void *to);
/* A person must agree first. True when the host is being asked; then the errand
 * goes on. */
bool errand_ask_approval(struct errand *t, str approval);
/* A legacy server wants pages visited first (-32042), which a modern host is
 * asked like anything else. True when it is; then the errand goes on. */
bool errand_ask_pages(struct errand *t, const struct json *error);
/* Whoever still waits for an answer learns that there is none. */
void errand_drop_questions(struct errand *t);
/* The call failed, and what the server asked before its host cannot be asked:
 * a modern one is told so. False: that is not so. */
bool errand_refuse_lacking(const bool lacks[MCP_QUESTIONS],
                           struct mcp_request *r);

/* -- tasks (errand_task.c) ---------------------------------------------------
 */

/* Before the call is made: it is a task from now on, or will be one (*later).
 * False after the request was refused. */
bool errand_promise(struct mcp_request *r, const struct member *m,
                    const struct entry *tool, bool *later);
/* What was promised is due when the server does not ask anything soon, */
void errand_expect(struct errand *t);
/* or shows that it has begun. It may end the errand. */
void errand_begun(struct errand *t);
/* Before it is answered. False: the request was refused. */
bool errand_keep_promise(struct errand *t);

#endif
