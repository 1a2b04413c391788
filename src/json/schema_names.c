/* SPDX-License-Identifier: MIT */
#include "json/schema_names.h"

#include "base/hash.h"

#define MAX_PROBES 8 /* more in a row: the names were chosen to collide */

/* First and last bytes and the length: enough to tell names people choose. */
static uint64_t short_hash(const struct name *k) {
    uint64_t h = k->head * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29) ^ k->tail) * 0xbf58476d1ce4e5b9u;
    return (h ^ (h >> 32) ^ k->text.n) * 0x94d049bb133111ebu;
}

/* The slot that holds the name, or the free one where it belongs. */
static size_t probe(const struct names *n, const struct name *k,
                    size_t *probes) {
    size_t mask = ((size_t)1 << (64 - n->shift)) - 1;
    uint64_t h =
        n->keyed ? hash_bytes(k->text.p, k->text.n, n->key) : short_hash(k);
    size_t at = (size_t)(h >> n->shift);
    for (; n->slots[at]; at = (at + 1) & mask, ++*probes)
        if (name_equal(&n->list[n->slots[at] - 1], k)) break;
    return at;
}

/* False when some name needs too many probes. */
static bool fill_slots(struct names *n, size_t slots, size_t max_probes) {
    memset(n->slots, 0, slots * sizeof *n->slots);
    for (uint32_t i = 0; i < n->count; i++) {
        size_t probes = 0, at = probe(n, &n->list[i], &probes);
        if (probes > max_probes) return false;
        if (!n->slots[at]) n->slots[at] = i + 1;
    }
    return true;
}

/* So that names_at() does not find them either. */
static void hide_repeats(struct names *n) {
    for (uint32_t i = 0; i < n->count; i++)
        if (names_find(n, &n->list[i]) != i)
            n->list[i].text = (str){"", SIZE_MAX};
}

int names_init(struct names *n, const str *list, size_t count, struct arena *a,
               struct err *e) {
    if (count >= UINT32_MAX / 4)
        return fail(e, ERR_LIMIT, "%zu names in one schema", count);
    *n = (struct names){.count = (uint32_t)count, .shift = 62};
    size_t slots = 4;
    for (; slots < 2 * count; slots *= 2)
        n->shift--;
    n->list = arena_alloc(a, (count + 1) * sizeof *n->list, e);
    n->slots = arena_alloc(a, slots * sizeof *n->slots, e);
    if (!n->list || !n->slots) return -1;
    for (size_t i = 0; i < count; i++)
        n->list[i] = name_of(list[i]);
    if (!fill_slots(n, slots, MAX_PROBES)) {
        if (hash_random(n->key, sizeof n->key, e)) return -1;
        n->keyed = true;
        fill_slots(n, slots, slots);
    }
    hide_repeats(n);
    return 0;
}

uint32_t names_find(const struct names *n, const struct name *name) {
    size_t probes = 0, at = probe(n, name, &probes);
    return n->slots[at] ? n->slots[at] - 1 : NAMES_NONE;
}
