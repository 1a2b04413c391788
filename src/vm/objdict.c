/* SPDX-License-Identifier: MIT
 *
 * Dicts: the two forms and the operations on entries. Methods are in
 * dicttype.c, views in objview.c. */
#include "vm/dict.h"

#include "vm/compare.h"
#include "vm/text.h"

#define SMALL     8 /* entries searched one by one, without an index */
#define DELETED   UINT32_MAX
#define MAX_SHAPE 48 /* keys of a dict in shared form */

/* A hash as it is kept in an entry. */
static val kept(int64_t hash) {
    return ((val)hash << 1) | 1;
}

static const struct oshape *shape_at(const struct vm *vm, val shape) {
    return heap_at(&vm->heap, shape);
}

static val *shared_values(const struct vm *vm, const struct odict *d) {
    struct ostore *s = heap_at(&vm->heap, d->store);
    return (val *)s->data;
}

/* -- making -----------------------------------------------------------------
 */

val dict_new_as(struct vm *vm, val type) {
    struct odict *d = value_new(vm, KIND_DICT, type, sizeof *d);
    return d ? heap_ref(&vm->heap, d) : VAL_UNSET;
}

val dict_new(struct vm *vm) {
    struct odict *d = heap_new(vm, KIND_DICT, TYPE_VAL(dict), sizeof *d);
    return d ? heap_ref(&vm->heap, d) : VAL_UNSET;
}

val dict_from_shape(struct vm *vm, val shape, const val *values) {
    uint32_t n = shape_at(vm, shape)->len;
    val store = VAL_UNSET;
    if (n) {
        store = heap_store(vm, (uint64_t)n * sizeof(val), OBJ_TRACED);
        if (!store) return VAL_UNSET;
        struct ostore *s = heap_at(&vm->heap, store);
        memcpy(s->data, values, n * sizeof(val));
        s->used = (uint64_t)n * sizeof(val);
    }
    val v = dict_new(vm);
    if (!v || !n) return v;
    struct odict *d = dict_at(vm, v);
    d->len = d->used = n;
    d->shape = shape;
    d->store = store;
    return v;
}

static val dict_from_pairs(struct vm *vm, const val *keys, const val *values,
                           uint32_t n) {
    val d = dict_new(vm);
    for (uint32_t i = 0; d && i < n; i++)
        if (dict_set(vm, d, keys[i], values[i]) < 0) return VAL_UNSET;
    return d;
}

val dict_from_keys(struct vm *vm, val keys, const val *values) {
    uint32_t n = tuple_len(vm, keys);
    const val *key = tuple_items(vm, keys);
    if (n > MAX_SHAPE || vm->building)
        return dict_from_pairs(vm, key, values, n);
    val shape = shape_empty(vm);
    for (uint32_t i = 0; shape && i < n; i++)
        shape = shape_add(vm, shape, key[i]);
    return shape ? dict_from_shape(vm, shape, values) : VAL_UNSET;
}

/* -- the index --------------------------------------------------------------
 */

static uint64_t index_slots(const struct ostore *index) {
    return (uint64_t)1 << (63 - __builtin_clzll(index->size / 4));
}

static uint64_t slot_of(uint64_t hash, uint64_t slots) {
    uint64_t h = hash * 0x9e3779b97f4a7c15u;
    return h >> (64 - __builtin_ctzll(slots));
}

static bool is_secret(const struct odict *d) {
    return d->h.flags & OBJ_SECRET;
}

/* Of a key that is in it. */
static uint64_t entry_slot(struct vm *vm, const struct odict *d,
                           const struct dict_entry *e, uint64_t slots) {
    uint64_t hash = e->hash;
    if (is_secret(d)) hash_secret(vm, e->key, &hash);
    return slot_of(hash, slots);
}

static inline void put_from(uint32_t *index, uint64_t slots, uint64_t i,
                            uint64_t entry) {
    while (index[i])
        i = (i + 1) & (slots - 1);
    index[i] = (uint32_t)entry + 1;
}

static void index_put(struct vm *vm, const struct odict *d, uint64_t entry) {
    struct ostore *o = heap_at(&vm->heap, d->index);
    const struct dict_entry *e = &dict_entries(vm, d)[entry];
    uint64_t slots = index_slots(o);
    put_from((uint32_t *)o->data, slots, entry_slot(vm, d, e, slots), entry);
}

/* Every entry, into an index that is clear. */
static void index_all(struct vm *vm, const struct odict *d) {
    struct ostore *o = heap_at(&vm->heap, d->index);
    uint32_t *index = (uint32_t *)o->data;
    const struct dict_entry *e = dict_entries(vm, d);
    uint64_t slots = index_slots(o), n = d->used;
    if (is_secret(d)) {
        for (uint64_t i = 0; i < n; i++)
            if (e[i].key) index_put(vm, d, i);
        return;
    }
    for (uint64_t i = 0; i < n; i++)
        if (e[i].key) put_from(index, slots, slot_of(e[i].hash, slots), i);
}

/* A fresh index for room entries; the entries in use are put in. */
static int make_index(struct vm *vm, struct odict *d, uint64_t room) {
    uint64_t slots = 16;
    while (slots < room + room / 2)
        slots *= 2;
    val index = heap_store(vm, slots * sizeof(uint32_t), 0);
    if (!index) return -1;
    if (d->index) heap_free(vm, d->index);
    d->index = index;
    index_all(vm, d);
    return 0;
}

static void index_again(struct vm *vm, struct odict *d) {
    struct ostore *o = heap_at(&vm->heap, d->index);
    memset(o->data, 0, o->size);
    vm_spend(vm, d->used * 4);
    index_all(vm, d);
}

/* A search was led astray: the index goes by the secret hash from now on, if
 * every key has one. */
static void turn_secret(struct vm *vm, struct odict *d) {
    const struct dict_entry *e = dict_entries(vm, d);
    uint64_t hash;
    if (d->h.flags & (OBJ_SECRET | OBJ_PLACED) || !hash_secret_ready(vm))
        return;
    for (uint64_t i = 0; i < d->used; i++)
        if (e[i].key && !hash_secret(vm, e[i].key, &hash)) {
            d->h.flags |= OBJ_PLACED;
            return;
        }
    d->h.flags |= OBJ_SECRET;
    index_again(vm, d);
}

/* A key without a secret hash is added: the index goes by hash() again. */
static void turn_plain(struct vm *vm, struct odict *d) {
    d->h.flags = (uint8_t)((d->h.flags & ~OBJ_SECRET) | OBJ_PLACED);
    if (d->index) index_again(vm, d);
}

/* Entries close up over deleted ones. */
static void compact(struct vm *vm, struct odict *d) {
    struct dict_entry *e = dict_entries(vm, d);
    uint64_t n = 0;
    for (uint64_t i = 0; i < d->used; i++)
        if (e[i].key) e[n++] = e[i];
    memset(e + n, 0, (d->used - n) * sizeof *e);
    d->used = n;
}

static uint64_t entry_room(const struct vm *vm, const struct odict *d) {
    if (!d->store) return 0;
    const struct ostore *s = heap_at(&vm->heap, d->store);
    return s->size / sizeof(struct dict_entry);
}

/* Room for one more entry. Allocates before it changes anything. */
static int reserve(struct vm *vm, struct odict *d) {
    uint64_t room = entry_room(vm, d);
    if (d->used < room && (d->index || room <= SMALL)) return 0;
    if (d->used < room) return make_index(vm, d, room);
    if (d->used >= UINT32_MAX / 2) {
        vm_raise(vm, EXC_MemoryError, "dict too large");
        return -1;
    }
    bool squeeze = d->len < d->used - d->used / 4;
    uint64_t want = squeeze ? room : (room < 4 ? 4 : room * 2);
    if (!vm_charge(vm, want)) return -1;
    val store = d->store;
    if (!store)
        store = heap_store(vm, want * sizeof(struct dict_entry), OBJ_TRACED);
    else if (!squeeze)
        store = heap_store_grow(vm, store, want * sizeof(struct dict_entry));
    if (!store) return -1;
    d->store = store;
    if (squeeze) compact(vm, d);
    if (want > SMALL && make_index(vm, d, entry_room(vm, d))) return -1;
    return 0;
}

/* -- finding ----------------------------------------------------------------
 */

/* 1 equal, 0 not, -1 raised or slow. */
static int same_key(struct vm *vm, const struct dict_entry *e, val key) {
    if (e->key == key) return 1;
    if (vm_is(vm, key, KIND_STR) && vm_is(vm, e->key, KIND_STR))
        return text_equal(vm, e->key, key);
    return value_equal(vm, e->key, key);
}

static int64_t scan_small(struct vm *vm, const struct odict *d, val hash,
                          val key) {
    const struct dict_entry *e = dict_entries(vm, d);
    for (uint64_t i = 0; i < d->used; i++) {
        if (e[i].hash != hash || !e[i].key) continue;
        int same = same_key(vm, &e[i], key);
        if (same) return same < 0 ? -2 : (int64_t)i;
    }
    return -1;
}

/* Beyond the first slot; `twins` counts other keys of the same hash. */
static __attribute__((noinline)) int64_t
probe_from(struct vm *vm, struct odict *d, val hash, val key, uint64_t i) {
    const struct ostore *o = heap_at(&vm->heap, d->index);
    const uint32_t *index = (const uint32_t *)o->data;
    const struct dict_entry *e = dict_entries(vm, d);
    uint64_t slots = index_slots(o), steps = 1, twins = 0;
    int64_t found = -1;
    for (; index[i]; i = (i + 1) & (slots - 1), steps++) {
        if (steps % 32 == 0 && !vm_charge(vm, 32)) return -2;
        if (index[i] == DELETED) continue;
        const struct dict_entry *at = &e[index[i] - 1];
        if (at->hash != hash) continue;
        int same = same_key(vm, at, key);
        if (same < 0) return -2;
        if (same) {
            found = (int64_t)index[i] - 1;
            break;
        }
        twins++;
    }
    if (twins >= HASH_TWINS || steps >= HASH_PROBES) turn_secret(vm, d);
    return found;
}

/* A key without a secret hash may equal one that has it. */
static __attribute__((noinline)) int64_t
probe_secret(struct vm *vm, struct odict *d, val hash, val key) {
    const struct ostore *o = heap_at(&vm->heap, d->index);
    uint64_t where;
    if (!hash_secret(vm, key, &where))
        return vm_charge(vm, d->used) ? scan_small(vm, d, hash, key) : -2;
    return probe_from(vm, d, hash, key, slot_of(where, index_slots(o)));
}

/* Most searches end where they begin. */
static int64_t probe(struct vm *vm, struct odict *d, val hash, val key) {
    if (is_secret(d)) return probe_secret(vm, d, hash, key);
    const struct ostore *o = heap_at(&vm->heap, d->index);
    uint64_t slots = index_slots(o), i = slot_of(hash, slots);
    uint32_t first = ((const uint32_t *)o->data)[i];
    if (!first) return -1;
    if (first == DELETED) return probe_from(vm, d, hash, key, i);
    const struct dict_entry *at = &dict_entries(vm, d)[first - 1];
    if (at->hash == hash) {
        int same = same_key(vm, at, key);
        if (same) return same < 0 ? -2 : (int64_t)first - 1;
    }
    return probe_from(vm, d, hash, key, (i + 1) & (slots - 1));
}

static int64_t find_hashed(struct vm *vm, struct odict *d, val hash, val key) {
    return d->index ? probe(vm, d, hash, key) : scan_small(vm, d, hash, key);
}

/* The usual key: a str of that very class. */
static inline bool plain_text(const struct vm *vm, val key) {
    return val_is_ref(key) &&
           vm_obj(vm, key)->type == (uint32_t)(TYPE_VAL(str) / 8);
}

static inline val text_kept(struct vm *vm, val key) {
    uint32_t hash = text_at_ref(vm, key)->hash;
    return kept(hash ? hash : text_hash(vm, key));
}

static int64_t find_shared(struct vm *vm, const struct odict *d, val key) {
    if (!vm_is(vm, key, KIND_STR)) {
        int64_t hash;
        return value_hash(vm, key, &hash) ? -2 : -1;
    }
    val name =
        vm_obj(vm, key)->flags & OBJ_INTERNED ? key : text_interned(vm, key);
    return name ? shape_find(vm, d->shape, name) : -1;
}

int64_t dict_find(struct vm *vm, val dict, val key) {
    struct odict *d = dict_at(vm, dict);
    if (plain_text(vm, key))
        return d->shape ? find_shared(vm, d, key)
                        : find_hashed(vm, d, text_kept(vm, key), key);
    if (d->shape && !special_of(vm, key, SPECIAL_EQ) &&
        !special_of(vm, key, SPECIAL_HASH))
        return find_shared(vm, d, key);
    int64_t hash;
    if (value_hash(vm, key, &hash)) return -2;
    return find_hashed(vm, d, kept(hash), key);
}

val dict_same_hash(struct vm *vm, val dict, int64_t hash) {
    const struct odict *d = dict_at(vm, dict);
    const struct dict_entry *e = dict_entries(vm, d);
    val list = list_new(vm, NULL, 0);
    bool all = !d->index || is_secret(d);
    if (all && !vm_charge(vm, d->used)) return VAL_UNSET;
    for (uint64_t i = 0; list && all && i < d->used; i++)
        if (e[i].key && e[i].hash == kept(hash) &&
            list_append(vm, list, val_of_int((int64_t)i)))
            return VAL_UNSET;
    if (!list || all) return list;
    const struct ostore *o = heap_at(&vm->heap, d->index);
    const uint32_t *index = (const uint32_t *)o->data;
    uint64_t slots = index_slots(o), i = slot_of(kept(hash), slots);
    for (; index[i]; i = (i + 1) & (slots - 1)) {
        if (!vm_charge(vm, 1)) return VAL_UNSET;
        if (index[i] == DELETED || e[index[i] - 1].hash != kept(hash)) continue;
        if (list_append(vm, list, val_of_int((int64_t)index[i] - 1)))
            return VAL_UNSET;
    }
    return list;
}

val dict_key_at(const struct vm *vm, val dict, uint64_t entry) {
    const struct odict *d = dict_at(vm, dict);
    if (d->shape) return shape_key(vm, d->shape, (uint32_t)entry);
    return dict_entries(vm, d)[entry].key;
}

val *dict_value_at(const struct vm *vm, val dict, uint64_t entry) {
    const struct odict *d = dict_at(vm, dict);
    if (d->shape) return &shared_values(vm, d)[entry];
    return &dict_entries(vm, d)[entry].value;
}

/* -- changing ---------------------------------------------------------------
 */

int dict_own(struct vm *vm, val dict) {
    struct odict *d = dict_at(vm, dict);
    if (!d->shape) return 0;
    struct odict fresh = {.h = d->h, .version = d->version};
    uint64_t room = d->len < 4 ? 4 : d->len + 1;
    fresh.store = heap_store(vm, room * sizeof(struct dict_entry), OBJ_TRACED);
    if (!fresh.store) return -1;
    struct dict_entry *e = dict_entries(vm, &fresh);
    for (uint64_t i = 0; i < d->len; i++) {
        val key = shape_key(vm, d->shape, (uint32_t)i);
        e[i] = (struct dict_entry){kept(text_hash(vm, key)), key,
                                   shared_values(vm, d)[i]};
    }
    fresh.len = fresh.used = d->len;
    struct ostore *s = heap_at(&vm->heap, fresh.store);
    s->used = s->size / sizeof *e * sizeof *e;
    if (entry_room(vm, &fresh) > SMALL &&
        make_index(vm, &fresh, entry_room(vm, &fresh)))
        return -1;
    heap_free(vm, d->store);
    d->shape = VAL_UNSET;
    d->store = fresh.store;
    d->index = fresh.index;
    d->len = d->used = fresh.len;
    return 0;
}

int dict_add(struct vm *vm, val dict, int64_t hash, val key, val value) {
    struct odict *d = dict_at(vm, dict);
    if (dict_own(vm, dict) || reserve(vm, d)) return -1;
    struct ostore *s = heap_at(&vm->heap, d->store);
    struct dict_entry *e = (struct dict_entry *)s->data + d->used;
    *e = (struct dict_entry){kept(hash), key, value};
    uint64_t secret;
    if (is_secret(d) && !hash_secret(vm, key, &secret)) turn_plain(vm, d);
    if (d->index) index_put(vm, d, d->used);
    d->used++;
    d->len++;
    d->version++;
    if (s->used < d->used * sizeof *e) s->used = d->used * sizeof *e;
    return 0;
}

int dict_get(struct vm *vm, val dict, val key, val *out) {
    int64_t i = dict_find(vm, dict, key);
    if (i >= 0) *out = *dict_value_at(vm, dict, (uint64_t)i);
    return i == -2 ? -1 : i >= 0;
}

int dict_set(struct vm *vm, val dict, val key, val item) {
    struct odict *d = dict_at(vm, dict);
    if (d->shape) {
        int64_t i = dict_find(vm, dict, key);
        if (i == -2) return -1;
        if (i >= 0) {
            shared_values(vm, d)[i] = item;
            return 0;
        }
    }
    int64_t hash;
    if (plain_text(vm, key))
        hash = text_hash(vm, key);
    else if (value_hash(vm, key, &hash))
        return -1;
    if (!d->shape) {
        int64_t i = find_hashed(vm, d, kept(hash), key);
        if (i == -2) return -1;
        if (i >= 0) {
            dict_entries(vm, d)[i].value = item;
            return 0;
        }
    }
    return dict_add(vm, dict, hash, key, item);
}

static void index_delete(struct vm *vm, const struct odict *d, uint64_t entry) {
    struct ostore *o = heap_at(&vm->heap, d->index);
    uint32_t *index = (uint32_t *)o->data;
    uint64_t slots = index_slots(o);
    uint64_t i = entry_slot(vm, d, &dict_entries(vm, d)[entry], slots);
    while (index[i] != entry + 1)
        i = (i + 1) & (slots - 1);
    /* No tombstone is needed where the run of slots ends anyway. */
    index[i] = index[(i + 1) & (slots - 1)] ? DELETED : 0;
}

uint64_t dict_first(const struct vm *vm, const struct odict *d) {
    if (d->shape || !d->used) return 0;
    const struct dict_entry *e = dict_entries(vm, d);
    return e->key || !val_is_int(e->hash) ? 0 : (uint64_t)val_int(e->hash);
}

/* The entry was deleted and others are left. Who takes the first one again and
 * again would pass by all that are gone each time: the very first entry, once
 * deleted, keeps in place of its hash how many are gone at least. */
static void note_first(struct vm *vm, const struct odict *d, uint64_t entry) {
    struct dict_entry *e = dict_entries(vm, d);
    uint64_t from = dict_first(vm, d), first = from;
    if (e->key || (entry && entry != from)) return;
    while (first < d->used && !e[first].key)
        first++;
    vm_spend(vm, first - from);
    e->hash = val_of_int((int64_t)first);
}

int dict_del_at(struct vm *vm, val dict, uint64_t entry) {
    if (dict_own(vm, dict)) return -1;
    struct odict *d = dict_at(vm, dict);
    struct dict_entry *e = &dict_entries(vm, d)[entry];
    if (d->index) index_delete(vm, d, entry);
    *e = (struct dict_entry){0};
    d->len--;
    d->version++;
    if (entry + 1 == d->used) d->used--;
    if (d->len == 0)
        dict_clear(vm, dict);
    else
        note_first(vm, d, entry);
    return 0;
}

int dict_del(struct vm *vm, val dict, val key) {
    int64_t i = dict_find(vm, dict, key);
    if (i < 0) return i == -2 ? -1 : 0;
    return dict_del_at(vm, dict, (uint64_t)i) ? -1 : 1;
}

void dict_clear(struct vm *vm, val dict) {
    struct odict *d = dict_at(vm, dict);
    if (d->store) heap_free(vm, d->store);
    if (d->index) heap_free(vm, d->index);
    d->store = d->index = d->shape = VAL_UNSET;
    d->len = d->used = 0;
    d->h.flags &= (uint8_t) ~(OBJ_SECRET | OBJ_PLACED);
    d->version++;
}

void dict_trim(struct vm *vm, val dict) {
    struct odict *d = dict_at(vm, dict);
    uint64_t slots = 16;
    if (d->shape || !d->store) return;
    heap_store_trim(vm, d->store, d->used * sizeof(struct dict_entry));
    while (slots < d->used + d->used / 2)
        slots *= 2;
    if (!d->index || index_slots(heap_at(&vm->heap, d->index)) <= slots) return;
    heap_store_trim(vm, d->index, slots * sizeof(uint32_t));
    index_again(vm, d);
}

/* -- text keys, walking, merging --------------------------------------------
 */

static bool is_text(const struct vm *vm, val key, str text) {
    return key && vm_is(vm, key, KIND_STR) && str_eq(text_get(vm, key), text);
}

static val get_indexed(struct vm *vm, const struct odict *d, str key) {
    const struct ostore *o = heap_at(&vm->heap, d->index);
    const uint32_t *index = (const uint32_t *)o->data;
    const struct dict_entry *e = dict_entries(vm, d);
    val hash = kept(bytes_hash(vm, key.p, key.n));
    uint64_t where = is_secret(d) ? hash_secret_bytes(vm, key) : hash;
    uint64_t slots = index_slots(o), i = slot_of(where, slots);
    for (; index[i]; i = (i + 1) & (slots - 1)) {
        if (index[i] == DELETED || e[index[i] - 1].hash != hash) continue;
        if (is_text(vm, e[index[i] - 1].key, key)) return e[index[i] - 1].value;
    }
    return VAL_UNSET;
}

val dict_get_text(struct vm *vm, val dict, str key) {
    const struct odict *d = dict_at(vm, dict);
    if (!d->shape && d->index) return get_indexed(vm, d, key);
    for (uint64_t i = 0; i < d->used; i++)
        if (is_text(vm, dict_key_at(vm, dict, i), key))
            return *dict_value_at(vm, dict, i);
    return VAL_UNSET;
}

int dict_set_text(struct vm *vm, val dict, str key, val item) {
    val name = text_intern(vm, key);
    return name ? dict_set(vm, dict, name, item) : -1;
}

bool dict_next(const struct vm *vm, val dict, uint64_t *pos, val *key,
               val *item) {
    const struct odict *d = dict_at(vm, dict);
    if (*pos == 0) *pos = dict_first(vm, d);
    for (; *pos < d->used; ++*pos) {
        val k = dict_key_at(vm, dict, *pos);
        if (!k) continue;
        *key = k;
        *item = *dict_value_at(vm, dict, (*pos)++);
        return true;
    }
    return false;
}

/* An entry whose hash is known; only own forms. */
static int set_hashed(struct vm *vm, val dict, const struct dict_entry *e) {
    struct odict *d = dict_at(vm, dict);
    int64_t i = find_hashed(vm, d, e->hash, e->key);
    if (i == -2) return -1;
    if (i < 0)
        return dict_add(vm, dict, (int64_t)e->hash >> 1, e->key, e->value);
    dict_entries(vm, d)[i].value = e->value;
    return 0;
}

int dict_update(struct vm *vm, val dict, val from) {
    if (dict == from) return 0;
    const struct odict *f = dict_at(vm, from);
    if (!vm_charge(vm, f->len)) return -1;
    if (f->shape || dict_at(vm, dict)->shape) {
        val k, v;
        for (uint64_t i = 0; dict_next(vm, from, &i, &k, &v);)
            if (dict_set(vm, dict, k, v)) return -1;
        return 0;
    }
    for (uint64_t i = 0; i < f->used; i++) {
        struct dict_entry e = dict_entries(vm, f)[i];
        if (e.key && set_hashed(vm, dict, &e)) return -1;
    }
    return 0;
}

val dict_copy(struct vm *vm, val dict) {
    const struct odict *d = dict_at(vm, dict);
    if (!vm_charge(vm, d->len)) return VAL_UNSET;
    if (d->shape) return dict_from_shape(vm, d->shape, shared_values(vm, d));
    val v = dict_new(vm);
    return v && !dict_update(vm, v, dict) ? v : VAL_UNSET;
}
