/* SPDX-License-Identifier: MIT
 *
 * front_inside -- inside the front: tokens, keys and rates.
 */
#ifndef CORDON_GATEWAY_FRONT_INSIDE_H
#define CORDON_GATEWAY_FRONT_INSIDE_H

#include "base/map.h"
#include "gateway/front.h"

/* Who has asked how much. */
struct rates {
    struct map by_name; /* principal -> struct rate */
    double per_second;  /* 0: no limit */
    double burst;
    size_t concurrent; /* 0: no limit */
};

struct rate {
    double left;
    int64_t at_ns;
    size_t open; /* exchanges being answered */
};

enum { RATES_MAX = 100000 };

/* NULL: refused, with the seconds after which to come back in *wait. */
struct rate *rates_take(struct rates *r, str principal, int64_t now_ns,
                        unsigned *wait);
void rates_fini(struct rates *r);

/* -- tokens (front_token.c) ---------------------------------------------------
 */

struct keys;

struct tokens {
    const struct json *list;  /* "tokens", or NULL */
    const struct json *oauth; /* "oauth", or NULL */
    struct keys *keys;        /* of the authorization server */
};

enum token_verdict {
    TOKEN_REFUSED,
    TOKEN_GOOD,
    TOKEN_NARROW,  /* known, but without the scope that is wanted */
    TOKEN_PENDING, /* keys are being fetched */
};

/* Texts of *who live in the arena. */
enum token_verdict tokens_check(const struct tokens *t, str authorization,
                                struct arena *a, struct front_caller *who,
                                struct err *why);

/* -- keys of an authorization server (front_keys.c) ---------------------------
 */

struct keys *keys_new(struct loop *loop, struct client *http,
                      const struct json *oauth, struct log *log, struct err *e);
void keys_free(struct keys *k);

/* The set ({"keys": [...]}), or NULL while there is none yet. */
const struct json *keys_set(const struct keys *k);
/* A token was signed with a key that is not there: look again, if that was not
 * done just now. True when an answer is to come. */
bool keys_refresh(struct keys *k);

/* Told once, from the loop, when the fetching under way has ended. */
struct keys_waiter {
    void (*done)(struct keys_waiter *w);
    void *data;
    struct keys_waiter *next, **link;
};
void keys_wait(struct keys *k, struct keys_waiter *w);
void keys_unwait(struct keys_waiter *w);

#endif
