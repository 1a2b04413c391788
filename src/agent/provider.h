/* SPDX-License-Identifier: MIT
 *
 * provider -- asks model servers, over HTTP, in the loop.
 *
 * A turn is one request and its answer, streamed or not. What can be tried
 * again without anybody noticing is: connection errors, 408, 409, 429 and 5xx,
 * as long as nothing of the answer was passed on, waiting as long as the server
 * asks. An answer with stop ERROR is what a server said instead of an answer; a
 * struct err is that there was no sensible answer at all.
 */
#ifndef CORDON_AGENT_PROVIDER_H
#define CORDON_AGENT_PROVIDER_H

#include "agent/codec.h"
#include "io/client.h"

#define PROVIDER_RETRIES 2
#define PROVIDER_TIMEOUT ((int64_t)600 * 1000000000)
#define PROVIDER_IDLE    ((int64_t)300 * 1000000000)

/* Where a model is and how to speak to it. Zero means the default. */
struct model_config {
    const struct vendor *vendor;
    str name;  /* what users call it */
    str model; /* what the server calls it */
    str url;   /* empty: the vendor's */
    str key;   /* empty: none is sent */
    str proxy, ca_file;
    const struct http_header *headers; /* further ones; ends with NULL */
    int64_t timeout_ns, idle_ns;
    int retries;                      /* 0: PROVIDER_RETRIES; -1: none */
    int64_t max_tokens;               /* 0: not said */
    const struct json *temperature;   /* or NULL */
    double input_price, output_price; /* of a million tokens; 0: not known */
    int parallel;     /* several calls at once: 1, 0, or -1 for not said */
    bool strict;      /* schemas are enforced while the model writes */
    bool text_calls;  /* the server reads no calls: see textcall.h */
    int text_format;  /* enum textcall */
    bool grammar;     /* the server samples by a grammar of the calls */
    double ask_below; /* a call, or none, that the model was less sure of is a
                         person's to decide; 0: never */
    struct audit *audit; /* each request has its row there; NULL: none */
    const char *by;      /* who asks: "loop", "proxy", "sampling", "router" */
    str of;              /* on whose behalf; may be empty */
};

struct audit;
struct turn;

struct turn_events {
    /* More text; may be NULL. */
    void (*delta)(void *data, enum part_kind kind, str text);
    /* An event of a streamed answer as it came, after it was read; plain: up
     * to here there is nothing but text. May be NULL. */
    void (*event)(void *data, str raw, bool plain);
    /* It is tried again, in a while; may be NULL. */
    void (*retry)(void *data, const char *why, int64_t wait_ns);
    /* The end, once. m is NULL when e is set. */
    void (*done)(void *data, const struct model_answer *m, const struct err *e);
};

/* Everything is copied; the config's strings too. The turn is the caller's: it
 * is freed by turn_free, which also ends one that is under way, and may be
 * called in done. What done was given lives until then. */
struct turn *turn_start(struct client *client, struct loop *loop,
                        const struct model_config *config,
                        const struct model_request *q,
                        const struct turn_events *events, void *data,
                        struct err *e);
void turn_free(struct turn *t); /* t may be NULL */

unsigned turn_status(const struct turn *t); /* of HTTP; 0: none came */
/* A header of the answer: p NULL when there is none. */
str turn_header(const struct turn *t, const char *name);
str turn_body(const struct turn *t); /* of an answer that was no stream */

/* Events read, and parts begun, of a streamed answer. */
size_t turn_events_read(const struct turn *t);
size_t turn_parts(const struct turn *t);
/* Is what it writes now text? */
bool turn_in_text(const struct turn *t);
/* What there is of it so far; lives in the arena and in the turn. */
int turn_heard(const struct turn *t, struct arena *a, struct model_answer *out,
               struct err *e);

/* The calls are not as an app could read them: their events were not in order,
 * or their tools' names are ours. */
bool turn_odd(const struct turn *t);

/* Appends the address of a request, and the headers that prove who asks to a
 * list with room for 8 (the values live in the arena). */
int provider_url(const struct model_config *config, const char *path,
                 bool stream, struct buf *out, struct err *e);
int provider_headers(const struct model_config *config, struct arena *a,
                     const struct http_header **out, struct err *e);

/* How long to wait before attempt n (from 0) is repeated; -1: it is not. */
int64_t provider_wait(const struct model_config *config, unsigned status,
                      str retry_after, str retry_after_ms, str should_retry,
                      str body, int attempt);

#endif
