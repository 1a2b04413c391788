/* SPDX-License-Identifier: MIT
 *
 * proxy_job -- one exchange of the proxy; for proxy*.c alone.
 */
#ifndef CORDON_GATEWAY_PROXY_JOB_H
#define CORDON_GATEWAY_PROXY_JOB_H

#include "agent/emit.h"
#include "gateway/proxy.h"
#include "gateway/toolset.h"

struct key_state {
    int64_t minute, day;      /* the ones being counted */
    int64_t requests, tokens; /* in them */
};

struct proxy {
    struct proxy_config config;
    struct toolset_cache *sets;
    struct job *jobs;
    struct key_state *keys;
    struct proxy_counts counts;
};

struct job {
    struct proxy *proxy;
    struct job *next, **link;
    struct exchange *x; /* NULL once it is answered or gone */
    enum api api;       /* the app's */
    bool wants_stream;
    bool same; /* the model speaks the app's API */
    struct arena arena;
    struct model_request q; /* as the model gets it */
    struct offers given;    /* all tools of the app */
    struct toolset *set;
    struct model_config upstream;
    size_t key; /* index + 1; 0: none */
    struct turn *turn;
    int asked;              /* again */
    struct part_list first; /* what was said before it was asked again */
    struct usage before;    /* of the attempts before this one */
    /* -- a stream to the app */
    bool opened;         /* its headers are out */
    struct buf held;     /* events that are not passed on yet */
    size_t told[2];      /* bytes of text and of thinking that were heard */
    size_t passed[2];    /* of them passed on */
    size_t parts_passed; /* and whole parts before them */
    size_t events_passed;
    bool emitting;
    struct emit emit;
    struct io_timer ping;
};

/* Ends the exchange with an error in the API's shape, also in the middle of a
 * stream, and frees the job. */
void job_fail(struct job *j, unsigned status, const char *code,
              const char *message);
void job_free(struct job *j);

/* The exchange, which the job then has no more. */
struct exchange *job_take_exchange(struct job *j);

/* Ends it with an answer; changed says that m is not what the server sent. */
void job_answer(struct job *j, const struct model_answer *m, bool changed);

/* Passes on what a server says went wrong. */
void job_server_error(struct job *j, const struct model_answer *m);

/* Text to the app as it comes. */
extern const struct turn_events job_turn_events;
int job_ask(struct job *j, struct err *e);
void job_settle(struct job *j, const struct model_answer *m);

#endif
