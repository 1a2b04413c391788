/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/hash.h"
#include "base/mem.h"

#include <assert.h>
#include <string.h>

#define FIRST_CAP 8

/* The index has at least twice as many slots as there may be entries, so a
 * probe always meets a free slot. A hole keeps its slot: probes walk over it
 * until the table is rebuilt. */

/* The slot that holds the key, or the free slot where the probe ended. */
static size_t find_slot(const struct map *m, str key, uint64_t hash) {
    size_t slot = (size_t)hash & (m->slots - 1);
    for (; m->index[slot] != 0; slot = (slot + 1) & (m->slots - 1)) {
        const struct map_entry *en = &m->entries[m->index[slot] - 1];
        if (en->key && en->hash == hash &&
            str_eq((str){en->key, en->key_len}, key))
            break;
    }
    return slot;
}

static struct map_entry *find(const struct map *m, str key) {
    if (m->live == 0) return NULL;
    size_t slot = find_slot(m, key, hash_bytes(key.p, key.n, m->seed));
    return m->index[slot] != 0 ? &m->entries[m->index[slot] - 1] : NULL;
}

void *map_get(const struct map *m, str key) {
    const struct map_entry *en = find(m, key);
    return en ? en->value : NULL;
}

static void index_all(struct map *m) {
    memset(m->index, 0, m->slots * sizeof m->index[0]);
    for (size_t i = 0; i < m->used; i++) {
        size_t slot = (size_t)m->entries[i].hash & (m->slots - 1);
        while (m->index[slot] != 0)
            slot = (slot + 1) & (m->slots - 1);
        m->index[slot] = (uint32_t)i + 1;
    }
}

static void drop_holes(struct map *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->used; i++)
        if (m->entries[i].key) m->entries[kept++] = m->entries[i];
    m->used = kept;
    index_all(m);
}

static int enlarge(struct map *m, struct err *e) {
    size_t cap = m->cap ? m->cap * 2 : FIRST_CAP;
    if (cap > UINT32_MAX / 2)
        return fail(e, ERR_LIMIT, "more than %zu entries", m->cap);
    uint32_t *index = mem_zalloc(cap * 2, sizeof index[0], e);
    if (!index) return -1;
    struct map_entry *entries =
        mem_resize(m->entries, cap, sizeof entries[0], e);
    if (!entries) {
        mem_free(index);
        return -1;
    }
    mem_free(m->index);
    m->entries = entries;
    m->index = index;
    m->cap = cap;
    m->slots = cap * 2;
    drop_holes(m);
    return 0;
}

static int make_room(struct map *m, struct err *e) {
    if (m->live >= m->max)
        return fail(e, ERR_LIMIT, "more than %zu entries", m->max);
    if (m->used < m->cap) return 0;
    if (m->cap == 0 && hash_random(m->seed, sizeof m->seed, e)) return -1;
    if (m->live >= m->cap / 2) return enlarge(m, e);
    drop_holes(m);
    return 0;
}

int map_put(struct map *m, str key, void *value, void **old, struct err *e) {
    assert(value);
    struct map_entry *en = find(m, key);
    if (en) {
        if (old) *old = en->value;
        en->value = value;
        return 0;
    }
    if (make_room(m, e)) return -1;
    char *copy = mem_dup(key.p, key.n, e);
    if (!copy) return -1;
    uint64_t hash = hash_bytes(key.p, key.n, m->seed);
    m->index[find_slot(m, key, hash)] = (uint32_t)m->used + 1;
    m->entries[m->used++] = (struct map_entry){copy, key.n, hash, value};
    m->live++;
    if (old) *old = NULL;
    return 0;
}

void *map_del(struct map *m, str key) {
    struct map_entry *en = find(m, key);
    if (!en) return NULL;
    void *value = en->value;
    mem_free(en->key);
    en->key = NULL;
    en->value = NULL;
    m->live--;
    return value;
}

const struct map_entry *map_next(const struct map *m, size_t *i) {
    while (*i < m->used) {
        const struct map_entry *en = &m->entries[(*i)++];
        if (en->key) return en;
    }
    return NULL;
}

void map_fini(struct map *m) {
    for (size_t i = 0; i < m->used; i++)
        mem_free(m->entries[i].key);
    mem_free(m->entries);
    mem_free(m->index);
    *m = MAP_MAX(m->max);
}
