/* SPDX-License-Identifier: MIT */
#include "json/schema_names.h"

#include <string.h>

#include "base/hash.h"

#define MAX_PROBES 8 /* more in a row: the names were chosen to collide */

static uint64_t load(const char *p, size_t n) {
    uint64_t v = 0;
    memcpy(&v, p, n);
    return v;
}

/* First and last bytes and the length: enough to tell names people choose. */
static uint64_t short_hash(str s) {
    uint64_t head = 0, tail = 0;
    if (s.n >= 8) {
        head = load(s.p, 8);
        tail = load(s.p + s.n - 8, 8);
    } else if (s.n >= 4) {
        head = load(s.p, 4);
        tail = load(s.p + s.n - 4, 4);
    } else if (s.n > 0) {
        head = (unsigned char)s.p[0];
        tail = ((uint64_t)(unsigned char)s.p[s.n / 2] << 8) |
               (unsigned char)s.p[s.n - 1];
    }
    uint64_t h = head * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29) ^ tail) * 0xbf58476d1ce4e5b9u;
    return (h ^ (h >> 32) ^ s.n) * 0x94d049bb133111ebu;
}

static size_t first_slot(const struct names *n, str s) {
    uint64_t h = n->keyed ? hash_bytes(s.p, s.n, n->key) : short_hash(s);
    return (size_t)(h >> n->shift);
}

static void clear_slots(struct names *n, size_t slots) {
    memset(n->slots, 0, slots * sizeof *n->slots);
}

static bool same(str a, str b) {
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* The slot that holds the name, or the free one where it belongs. */
static size_t probe(const struct names *n, str name, size_t *probes) {
    size_t mask = ((size_t)1 << (64 - n->shift)) - 1;
    size_t at = first_slot(n, name);
    for (; n->slots[at]; at = (at + 1) & mask, ++*probes)
        if (same(n->list[n->slots[at] - 1], name)) break;
    return at;
}

/* False when some name needs too many probes. */
static bool fill_slots(struct names *n, size_t max_probes) {
    for (uint32_t i = 0; i < n->count; i++) {
        size_t probes = 0, at = probe(n, n->list[i], &probes);
        if (probes > max_probes) return false;
        if (!n->slots[at]) n->slots[at] = i + 1;
    }
    return true;
}

int names_init(struct names *n, const str *list, size_t count, struct arena *a,
               struct err *e) {
    if (count >= UINT32_MAX / 4)
        return fail(e, ERR_LIMIT, "%zu names in one schema", count);
    *n = (struct names){.count = (uint32_t)count, .shift = 62};
    size_t slots = 4;
    for (; slots < 2 * count; slots *= 2)
        n->shift--;
    n->list = arena_alloc(a, (count + 1) * sizeof *list, e);
    n->slots = arena_alloc(a, slots * sizeof *n->slots, e);
    if (!n->list || !n->slots) return -1;
    if (count > 0) memcpy(n->list, list, count * sizeof *list);
    clear_slots(n, slots);
    if (fill_slots(n, MAX_PROBES)) return 0;
    if (hash_random(n->key, sizeof n->key, e)) return -1;
    n->keyed = true;
    clear_slots(n, slots);
    fill_slots(n, slots);
    return 0;
}

uint32_t names_find(const struct names *n, str name) {
    size_t probes = 0, at = probe(n, name, &probes);
    return n->slots[at] ? n->slots[at] - 1 : NAMES_NONE;
}
