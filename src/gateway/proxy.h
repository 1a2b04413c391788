/* SPDX-License-Identifier: MIT
 *
 * proxy -- stands between an app that calls functions and its model.
 *
 *     POST /v1/chat/completions, /v1/responses, /v1/messages   GET /v1/models
 *
 * The app points its base URL here and changes nothing else. Of its tools only
 * those that fit are sent on, and never fewer than it pins, used before or
 * chose. Calls that come back are checked against the app's own schemas,
 * repaired where that loses nothing, and asked for again (a few times) where
 * they make no sense. Text is passed on as it comes, byte for byte where the
 * model speaks the app's API, translated where it does not. The app gets a
 * sound answer or an error that says what is wrong.
 */
#ifndef CORDON_GATEWAY_PROXY_H
#define CORDON_GATEWAY_PROXY_H

#include "agent/provider.h"
#include "base/log.h"
#include "call/call.h"
#include "io/server.h"
#include "tools/select/select.h"

#define PROXY_TOOLS  16 /* sent on when the config does not say */
#define PROXY_REASKS 2
#define PROXY_ROUNDS 8

struct proxy;

/* One who may ask, and how much. */
struct proxy_key {
    str name;
    str secret;       /* what the client sends as its API key */
    int64_t requests; /* a minute; 0: any number */
    int64_t tokens;   /* a day; 0: any number */
};

/* Tools of the gateway that models are offered beside the app's; they are
 * carried out here, and the app sees only what came of it. */
struct proxy_tools {
    struct boundary *boundary; /* NULL: there are none */
    const str *offer;          /* patterns of their names */
    size_t offer_count;
    int rounds;          /* of such calls for one request; 0: PROXY_ROUNDS */
    int64_t approval_ns; /* that a request waits for a person's yes; 0: not */
    /* Whether scopes let a caller use a tool; NULL: they always do. */
    bool (*allows)(void *data, str scopes, str tool);
    void *data;
};

/* Borrowed: all of it must outlive the proxy. */
struct proxy_config {
    struct loop *loop;
    struct client *client;
    struct log *log;                   /* or NULL */
    struct audit *audit;               /* may be NULL */
    const struct model_config *models; /* a request names one of them, or the
                                          first gets it */
    size_t model_count;
    size_t tools;   /* sent on; 0: PROXY_TOOLS */
    int reasks;     /* 0: PROXY_REASKS; negative: none */
    const str *pin; /* patterns of tools that are always sent */
    size_t pin_count;
    const struct proxy_key *keys; /* none: anybody may ask */
    size_t key_count;
    struct proxy_tools own;
    const struct standing *standing; /* of selection; or NULL */
};

/* Who asks, as the HTTP front knows them. */
struct proxy_caller {
    str principal;
    str scopes; /* p NULL: not limited by scopes */
};

/* before: the proxy that this one follows, whose counts and limits go on here;
 * it may be freed once it is idle. NULL: none. */
struct proxy *proxy_new(const struct proxy_config *config,
                        const struct proxy *before, struct err *e);
void proxy_free(struct proxy *p); /* open exchanges are given up */
bool proxy_idle(const struct proxy *p);

/* Whether the body of this request is worth reading: false where a key is
 * wanted and this is none, and it was answered. */
bool proxy_screen(struct proxy *p, struct exchange *x);

/* Takes an exchange if its path is one of those above; false: it does not. */
bool proxy_handle(struct proxy *p, struct exchange *x,
                  const struct proxy_caller *who);

/* Since the start. */
struct proxy_counts {
    uint64_t requests, failed; /* answered with an error */
    uint64_t tools_given, tools_sent;
    uint64_t tokens_saved;         /* estimated: four bytes a token */
    uint64_t calls, calls_changed; /* repaired or coerced */
    uint64_t calls_refused;        /* that made no sense */
    uint64_t reasked;
    uint64_t executed;                    /* calls of the gateway's own tools */
    uint64_t input_tokens, output_tokens; /* as the servers count */
};
struct proxy_counts proxy_counts(const struct proxy *p);

/* Appends them as Prometheus text. */
int proxy_metrics(const struct proxy *p, struct buf *out, struct err *e);

#endif
