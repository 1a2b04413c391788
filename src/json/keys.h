/* SPDX-License-Identifier: MIT
 *
 * keys -- the keys of an object as a set: repeated ones, and sorted ones.
 */
#ifndef CORDON_JSON_KEYS_H
#define CORDON_JSON_KEYS_H

#include "json/json.h"

/* Finds repeated keys in time linear in the keys, whoever chose them. */
struct keys {
    uint64_t seed[2]; /* of the hash for large objects; drawn at first use */
    bool seeded;
};

/* *repeat is the first key node that equals one before it, or NULL. */
int keys_repeated(struct keys *k, const struct json *object,
                  const struct json **repeat, struct err *e);

typedef int keys_order(str a, str b);

/* By UTF-16 code units, as RFC 8785 sorts. Both are loose UTF-8. */
int keys_utf16(str a, str b);

/* The key nodes of an object in that order; the caller owns the array
 * (mem_free() it). */
const struct json **keys_sorted(const struct json *object, keys_order *order,
                                struct err *e);

#endif
