/* SPDX-License-Identifier: MIT
 *
 * uniqueItems: short arrays pair by pair, long ones through a table of keyed
 * hashes, so that no choice of items makes it quadratic.
 */
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "json/schema_eval.h"
#include "json/schema_num.h"

#define PAIRWISE 8

static uint64_t mix(uint64_t a, uint64_t b, const uint64_t key[2]) {
    uint64_t pair[2] = {a, b};
    return hash_bytes(pair, sizeof pair, key);
}

/* Numbers that are equal must hash alike: 1, 1.0 and 1e0. The double is the
 * common form; those beyond its precision may share a hash. */
static uint64_t hash_number(const struct json *v, const uint64_t key[2]) {
    double d = json_number(v);
    if (d == 0) d = 0; /* not -0 */
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return mix(JSON_INT, bits, key);
}

static uint64_t hash_value(const struct json *v, const uint64_t key[2]);

static uint64_t hash_array(const struct json *v, const uint64_t key[2]) {
    uint64_t h = mix(JSON_ARRAY, json_len(v), key);
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
        h = mix(h, hash_value(item, key), key);
    return h;
}

/* A sum, because the order of members does not count. */
static uint64_t hash_object(const struct json *v, const uint64_t key[2]) {
    uint64_t h = mix(JSON_OBJECT, json_len(v), key);
    const struct json *name = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, name = json_skip(name + 1))
        h += mix(hash_value(name, key), hash_value(name + 1, key), key);
    return h;
}

/* Recursion is bounded by the depth of the parsed value. */
static uint64_t hash_value(const struct json *v, const uint64_t key[2]) {
    switch (json_type(v)) {
    case JSON_NULL: return mix(JSON_NULL, 0, key);
    case JSON_BOOL: return mix(JSON_BOOL, v->as.boolean, key);
    case JSON_INT:
    case JSON_REAL:
    case JSON_BIG: return hash_number(v, key);
    case JSON_STRING: return hash_bytes(v->as.text, json_len(v), key);
    case JSON_ARRAY: return hash_array(v, key);
    case JSON_OBJECT: return hash_object(v, key);
    }
    return 0;
}

static bool equal(struct eval *x, const struct json *a, const struct json *b) {
    if (json_type(a) != json_type(b) &&
        !(json_is_number(a) && json_is_number(b)))
        return false;
    size_t n = json_nodes(a) < json_nodes(b) ? json_nodes(a) : json_nodes(b);
    return eval_spend(x, n) && json_equal(a, b);
}

static bool differ_pairwise(struct eval *x, const struct json *v) {
    const struct json *a = json_first(v);
    for (size_t i = json_len(v); i > 1; i--, a = json_skip(a)) {
        const struct json *b = json_skip(a);
        for (size_t k = i; k > 1; k--, b = json_skip(b))
            if (equal(x, a, b)) return false;
    }
    return true;
}

struct slot {
    uint64_t hash;
    const struct json *item; /* NULL: free */
};

/* False when an equal item is there already. */
static bool insert(struct eval *x, struct slot *slots, size_t mask,
                   const struct json *item) {
    uint64_t h = hash_value(item, x->s->hash_key);
    size_t i = (size_t)h & mask;
    for (; slots[i].item; i = (i + 1) & mask)
        if (!eval_spend(x, 1) ||
            (slots[i].hash == h && equal(x, slots[i].item, item)))
            return false;
    slots[i] = (struct slot){h, item};
    return true;
}

static bool differ_hashed(struct eval *x, const struct json *v) {
    size_t n = json_len(v), count = num_pow2(2 * n);
    struct arena_mark start = arena_mark(&x->s->work);
    struct slot *slots =
        arena_zalloc(&x->s->work, count, sizeof *slots, x->err);
    if (!slots) return eval_stop(x, -1);
    const struct json *item = json_first(v);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++, item = json_skip(item))
        ok = insert(x, slots, count - 1, item);
    arena_rewind(&x->s->work, start);
    return ok;
}

bool items_unique(struct eval *x, const struct json *v) {
    if (json_len(v) <= PAIRWISE) return differ_pairwise(x, v);
    return eval_spend(x, json_nodes(v)) && differ_hashed(x, v);
}
