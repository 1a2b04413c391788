/* SPDX-License-Identifier: MIT
 *
 * vendor -- who speaks an API, and how it deviates: the rows of vendors.def.
 */
#ifndef CORDON_AGENT_VENDOR_H
#define CORDON_AGENT_VENDOR_H

#include "agent/message.h"

enum vendor_flag {
    VENDOR_STRICT = 1 << 0,
    VENDOR_PARALLEL = 1 << 1,
    VENDOR_CHOICE_ANY = 1 << 2,
    VENDOR_CHOICE_UPPER = 1 << 3,
    VENDOR_CHOICE_NONE = 1 << 4,
    VENDOR_CHOICE_WORD = 1 << 5,
    VENDOR_TOKENS_NEW = 1 << 6,
    VENDOR_USAGE_ASKED = 1 << 7,
    VENDOR_RESULT_IMAGE = 1 << 8,
    VENDOR_CACHE_MARKS = 1 << 9,
    VENDOR_GRAMMAR = 1 << 10,
    VENDOR_ID9 = 1 << 11,
    VENDOR_LOGPROBS = 1 << 12,
};

struct vendor {
    const char *name;
    enum api api;
    const char *base_url; /* "": must be given */
    const char *key_env;
    unsigned flags;
};

/* NULL past the last one. */
const struct vendor *vendor_at(size_t index);

/* The row of that name; the error names the nearest. */
const struct vendor *vendor_find(str name, struct err *e);

/* The first row of an API: what is assumed when nobody says. */
const struct vendor *vendor_of_api(enum api api);

static inline bool vendor_has(const struct vendor *v, enum vendor_flag flag) {
    return (v->flags & flag) != 0;
}

#endif
