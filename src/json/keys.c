/* SPDX-License-Identifier: MIT */
#include "json/keys.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static bool same_key(const struct json *a, const struct json *b) {
    return a->head == b->head &&
           memcmp(a->as.text, b->as.text, json_len(a)) == 0;
}

/* A few objects' worth of keys fits a table on the stack. Its hash is quick
 * and can be defeated, but with so few keys that costs an attacker's victim no
 * more than comparing each with each. */
#define FEW_KEYS  48
#define FEW_SLOTS 256

/* The first and last bytes, in words that may overlap, and the length. */
static unsigned quick_hash(const struct json *key) {
    size_t n = json_len(key);
    const char *p = key->as.text;
    uint64_t head = 0, tail = 0;
    if (n >= 8) {
        memcpy(&head, p, 8);
        memcpy(&tail, p + n - 8, 8);
    } else if (n >= 4) {
        memcpy(&head, p, 4);
        memcpy(&tail, p + n - 4, 4);
    } else if (n > 0) {
        head = (unsigned char)p[0] | (uint64_t)(unsigned char)p[n / 2] << 8;
        tail = (unsigned char)p[n - 1];
    }
    uint64_t h = (head ^ tail * 0x9e3779b97f4a7c15 ^ n) * 0xff51afd7ed558ccd;
    return (unsigned)(h >> 56);
}

static const struct json *repeated_of_few(const struct json *object) {
    const struct json *keys[FEW_KEYS + 1]; /* from 1; 0 is a free slot */
    unsigned char slots[FEW_SLOTS] = {0};
    const struct json *key = json_first(object);
    unsigned char n = (unsigned char)json_len(object);
    for (unsigned char i = 1; i <= n; i++, key = json_skip(key + 1)) {
        unsigned slot = quick_hash(key);
        for (; slots[slot] != 0; slot = (slot + 1) % FEW_SLOTS)
            if (same_key(keys[slots[slot]], key)) return key;
        slots[slot] = i;
        keys[i] = key;
    }
    return NULL;
}

static int repeated_of_many(const struct keys *k, const struct json *object,
                            const struct json **repeat, struct err *e) {
    size_t count = json_len(object), mask = num_pow2(count * 2) - 1;
    AUTO_MEM const struct json **slots = mem_zalloc(mask + 1, sizeof *slots, e);
    if (!slots) return -1;
    const struct json *key = json_first(object);
    *repeat = NULL;
    for (; count > 0; count--, key = json_skip(key + 1)) {
        size_t slot = hash_bytes(key->as.text, json_len(key), k->seed) & mask;
        for (; slots[slot]; slot = (slot + 1) & mask)
            if (same_key(slots[slot], key)) break;
        if (slots[slot]) {
            *repeat = key;
            return 0;
        }
        slots[slot] = key;
    }
    return 0;
}

int keys_repeated(struct keys *k, const struct json *object,
                  const struct json **repeat, struct err *e) {
    if (json_len(object) <= FEW_KEYS) {
        *repeat = json_len(object) > 1 ? repeated_of_few(object) : NULL;
        return 0;
    }
    if (!k->seeded && hash_random(k->seed, sizeof k->seed, e)) return -1;
    k->seeded = true;
    return repeated_of_many(k, object, repeat, e);
}

/* Text as UTF-16, one unit at a time. */
struct units {
    str rest;
    uint32_t low; /* second half of a pair, still to come; 0: none */
};

static int32_t next_unit(struct units *u) {
    uint32_t cp = u->low;
    u->low = 0;
    if (cp != 0) return (int32_t)cp;
    size_t n = utf8_decode_loose(u->rest.p, u->rest.n, &cp);
    if (n == 0) return -1;
    u->rest = str_sub(u->rest, n, u->rest.n);
    if (cp < 0x10000) return (int32_t)cp;
    u->low = 0xdc00 + (cp - 0x10000) % 0x400;
    return (int32_t)(0xd800 + (cp - 0x10000) / 0x400);
}

int keys_utf16(str a, str b) {
    size_t same = 0;
    while (same < a.n && same < b.n && a.p[same] == b.p[same])
        same++;
    while (same > 0 && same < a.n && ((unsigned char)a.p[same] & 0xc0) == 0x80)
        same--;
    struct units x = {str_sub(a, same, a.n), 0}, y = {str_sub(b, same, b.n), 0};
    int32_t left, right;
    do {
        left = next_unit(&x);
        right = next_unit(&y);
    } while (left == right && left >= 0);
    return (left > right) - (left < right);
}

static int by_order(const void *a, const void *b, void *order) {
    const struct json *const *x = a, *const *y = b;
    keys_order *const *compare = order;
    return (*compare)(json_str(*x), json_str(*y));
}

const struct json **keys_sorted(const struct json *object, keys_order *order,
                                struct err *e) {
    size_t n = json_len(object);
    const struct json **keys = mem_zalloc(n, sizeof(struct json *), e);
    if (!keys) return NULL;
    const struct json *key = json_first(object);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1))
        keys[i] = key;
    qsort_r(keys, n, sizeof(struct json *), by_order, &order);
    return keys;
}
