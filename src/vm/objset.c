/* SPDX-License-Identifier: MIT
 *
 * Sets: the table. Whole sets are combined in setops.c, methods are in
 * settype.c. */
#include "vm/set.h"

#include "vm/compare.h"
#include "vm/text.h"

#define MIN_SLOTS     8
#define LINEAR_PROBES 9
#define PERTURB_SHIFT 5

static val kept(int64_t hash) {
    return ((val)hash << 1) | 1;
}

static int64_t unkept(val hash) {
    return (int64_t)hash >> 1;
}

/* A deleted entry's hash: no kept hash is even. */
#define DELETED_HASH ((val)2)

struct set_entry *set_entries(const struct vm *vm, const struct oset *s,
                              uint64_t *slots) {
    *slots = 0;
    if (!s->store) return NULL;
    struct ostore *o = heap_at(&vm->heap, s->store);
    *slots = (uint64_t)1 << (63 - __builtin_clzll(o->size / 16));
    return (struct set_entry *)o->data;
}

val set_new_as(struct vm *vm, val type, bool frozen) {
    struct oset *s = value_new(vm, KIND_SET, type, sizeof *s);
    if (!s) return VAL_UNSET;
    if (frozen) s->h.flags |= OBJ_FROZEN;
    return heap_ref(&vm->heap, s);
}

val set_new(struct vm *vm, bool frozen) {
    return set_new_as(vm, frozen ? TYPE_VAL(frozenset) : TYPE_VAL(set), frozen);
}

static val new_table(struct vm *vm, uint64_t slots) {
    val t = heap_store(vm, slots * sizeof(struct set_entry), OBJ_TRACED);
    if (!t) return VAL_UNSET;
    struct ostore *o = heap_at(&vm->heap, t);
    o->used = o->size;
    return t;
}

/* -- probing ----------------------------------------------------------------
 *
 * A probe looks at up to ten neighbours, then jumps. */
struct probe {
    uint64_t mask, at, left, i, perturb;
};

static void probe_here(struct probe *p) {
    p->at = p->i;
    p->left = p->i + LINEAR_PROBES <= p->mask ? LINEAR_PROBES : 0;
}

static void probe_init(struct probe *p, val hash, uint64_t slots) {
    p->mask = slots - 1;
    p->perturb = (uint64_t)unkept(hash);
    p->i = p->perturb & p->mask;
    probe_here(p);
}

static void probe_next(struct probe *p) {
    if (p->left) {
        p->left--;
        p->at++;
        return;
    }
    p->perturb >>= PERTURB_SHIFT;
    p->i = (p->i * 5 + 1 + p->perturb) & p->mask;
    probe_here(p);
}

static bool is_secret(const struct oset *s) {
    return s->h.flags & OBJ_SECRET;
}

/* Where the search for an item begins, as a kept hash; false: it has no secret
 * hash, and stands in no set that goes by it. */
static bool place_of(struct vm *vm, const struct oset *s, val hash, val key,
                     val *place) {
    uint64_t secret;
    *place = hash;
    if (!is_secret(s)) return true;
    if (!hash_secret(vm, key, &secret)) return false;
    *place = kept((int64_t)secret);
    return true;
}

static void insert_clean(struct vm *vm, const struct oset *s,
                         struct set_entry *table, uint64_t slots,
                         const struct set_entry *e) {
    struct probe p;
    val place;
    place_of(vm, s, e->hash, e->key, &place);
    probe_init(&p, place, slots);
    while (table[p.at].key)
        probe_next(&p);
    table[p.at] = *e;
}

/* A fresh table, in which the items stand where s wants them now. */
static int lay_out(struct vm *vm, struct oset *s, uint64_t slots) {
    uint64_t old_slots;
    if (!vm_charge(vm, slots)) return -1;
    val t = new_table(vm, slots);
    if (!t) return -1;
    struct ostore *o = heap_at(&vm->heap, t);
    const struct set_entry *old = set_entries(vm, s, &old_slots);
    for (uint64_t i = 0; i < old_slots; i++)
        if (old[i].key)
            insert_clean(vm, s, (struct set_entry *)o->data, slots, &old[i]);
    if (s->store) heap_free(vm, s->store);
    s->store = t;
    s->used = s->len;
    return 0;
}

static int resize(struct vm *vm, struct oset *s, uint64_t min_used) {
    uint64_t slots = MIN_SLOTS;
    while (slots <= min_used)
        slots *= 2;
    return lay_out(vm, s, slots);
}

/* Too many items collide: they stand by the secret hash from now on, if every
 * one has it. */
static int turn_secret(struct vm *vm, struct oset *s) {
    uint64_t slots, hash;
    const struct set_entry *e = set_entries(vm, s, &slots);
    if (s->h.flags & (OBJ_SECRET | OBJ_PLACED) || !hash_secret_ready(vm))
        return 0;
    for (uint64_t i = 0; i < slots; i++)
        if (e[i].key && !hash_secret(vm, e[i].key, &hash)) {
            s->h.flags |= OBJ_PLACED;
            return 0;
        }
    s->h.flags |= OBJ_SECRET;
    if (lay_out(vm, s, slots) == 0) return 0;
    s->h.flags &= (uint8_t)~OBJ_SECRET;
    return -1;
}

/* Before an item without a secret hash is added to a set that goes by it. */
static int make_placeable(struct vm *vm, struct oset *s, val item) {
    uint64_t slots, secret;
    if (hash_secret(vm, item, &secret)) return 0;
    set_entries(vm, s, &slots);
    uint8_t flags = s->h.flags;
    s->h.flags = (uint8_t)((flags & ~OBJ_SECRET) | OBJ_PLACED);
    if (lay_out(vm, s, slots) == 0) return 0;
    s->h.flags = flags;
    return -1;
}

static int same_key(struct vm *vm, const struct set_entry *e, val key) {
    if (e->key == key) return 1;
    if (vm_is(vm, key, KIND_STR) && vm_is(vm, e->key, KIND_STR))
        return text_equal(vm, e->key, key);
    return value_equal(vm, e->key, key);
}

/* Where a search ended that found nothing. */
struct gap {
    uint64_t at;
    bool astray; /* it met more than chance would put in its way */
};

static int64_t search(struct vm *vm, const struct set_entry *table,
                      struct probe *p, val hash, val key, struct gap *gap) {
    uint64_t steps = 0, twins = 0;
    for (;; probe_next(p)) {
        const struct set_entry *e = &table[p->at];
        if (!e->hash) break;
        if (++steps % 32 == 0 && !vm_charge(vm, 32)) return -2;
        if (e->hash != hash) continue;
        int same = same_key(vm, e, key);
        if (same) return same < 0 ? -2 : (int64_t)p->at;
        twins++;
    }
    gap->at = p->at;
    gap->astray = twins >= HASH_TWINS || steps >= HASH_PROBES;
    return -1;
}

/* An item without a secret hash may equal one that has it. */
static int64_t search_all(struct vm *vm, const struct set_entry *table,
                          uint64_t slots, val hash, val key) {
    if (!vm_charge(vm, slots)) return -2;
    for (uint64_t i = 0; i < slots; i++) {
        if (!table[i].key || table[i].hash != hash) continue;
        int same = same_key(vm, &table[i], key);
        if (same) return same < 0 ? -2 : (int64_t)i;
    }
    return -1;
}

/* Slot of the key, or -1 and in *gap the free slot where the search ended, or
 * -2. */
static int64_t find_hashed(struct vm *vm, const struct oset *s, val hash,
                           val key, struct gap *gap) {
    uint64_t slots;
    const struct set_entry *table = set_entries(vm, s, &slots);
    gap->astray = false;
    if (!slots) return -1;
    /* Most searches end where they begin. */
    val place;
    if (!place_of(vm, s, hash, key, &place))
        return search_all(vm, table, slots, hash, key);
    uint64_t first = (uint64_t)unkept(place) & (slots - 1);
    if (table[first].key == key) return (int64_t)first;
    if (!table[first].hash) {
        gap->at = first;
        return -1;
    }
    struct probe p;
    probe_init(&p, place, slots);
    return search(vm, table, &p, hash, key, gap);
}

int64_t set_find(struct vm *vm, val set, val item) {
    int64_t hash;
    struct gap unused;
    if (value_hash(vm, item, &hash)) return -2;
    return find_hashed(vm, set_at(vm, set), kept(hash), item, &unused);
}

/* Of a set whose items stand by their secret hashes. */
static val all_same_hash(struct vm *vm, const struct oset *s, val hash) {
    uint64_t slots;
    const struct set_entry *e = set_entries(vm, s, &slots);
    val list = list_new(vm, NULL, 0);
    if (!vm_charge(vm, slots)) return VAL_UNSET;
    for (uint64_t i = 0; list && i < slots; i++)
        if (e[i].key && e[i].hash == hash &&
            list_append(vm, list, val_of_int((int64_t)i)))
            return VAL_UNSET;
    return list;
}

val set_same_hash(struct vm *vm, val set, int64_t hash) {
    uint64_t slots;
    const struct oset *s = set_at(vm, set);
    if (is_secret(s)) return all_same_hash(vm, s, kept(hash));
    const struct set_entry *table = set_entries(vm, s, &slots);
    val list = list_new(vm, NULL, 0);
    if (!list || !slots) return list;
    struct probe p;
    for (probe_init(&p, kept(hash), slots); table[p.at].hash; probe_next(&p)) {
        if (!vm_charge(vm, 1)) return VAL_UNSET;
        if (table[p.at].hash == kept(hash) &&
            list_append(vm, list, val_of_int((int64_t)p.at)))
            return VAL_UNSET;
    }
    return list;
}

/* -- adding, deleting -------------------------------------------------------
 */

static int ensure_table(struct vm *vm, struct oset *s) {
    if (s->store) return 0;
    s->store = new_table(vm, MIN_SLOTS);
    return s->store ? 0 : -1;
}

/* A free slot was filled: grow when three fifths are. */
static int after_add(struct vm *vm, struct oset *s) {
    uint64_t slots;
    set_entries(vm, s, &slots);
    s->version++;
    if (s->used * 5 < (slots - 1) * 3) return 0;
    return resize(vm, s, s->len > 50000 ? s->len * 2 : s->len * 4);
}

static int add_at(struct vm *vm, struct oset *s, uint64_t at, val hash,
                  val key) {
    uint64_t slots;
    struct set_entry *table = set_entries(vm, s, &slots);
    /* When this add makes the table grow, there must be room for that first;
     * a table is never left full. */
    table[at] = (struct set_entry){hash, key};
    s->used++;
    s->len++;
    if (!after_add(vm, s)) return 1;
    table[at] = (struct set_entry){0};
    s->used--;
    s->len--;
    return -1;
}

int set_add_hashed(struct vm *vm, val set, int64_t hash, val item) {
    struct oset *s = set_at(vm, set);
    struct gap gap = {0};
    if (ensure_table(vm, s)) return -1;
    if (is_secret(s) && make_placeable(vm, s, item)) return -1;
    int64_t found = find_hashed(vm, s, kept(hash), item, &gap);
    if (found != -1) return found == -2 ? -1 : 0;
    if (gap.astray && !(s->h.flags & (OBJ_SECRET | OBJ_PLACED))) {
        if (turn_secret(vm, s)) return -1;
        found = find_hashed(vm, s, kept(hash), item, &gap);
        if (found == -2) return -1;
    }
    return add_at(vm, s, gap.at, kept(hash), item);
}

int set_add_new(struct vm *vm, val set, int64_t hash, val item) {
    struct oset *s = set_at(vm, set);
    uint64_t slots;
    val place;
    if (ensure_table(vm, s)) return -1;
    if (is_secret(s) && make_placeable(vm, s, item)) return -1;
    const struct set_entry *table = set_entries(vm, s, &slots);
    struct probe p;
    place_of(vm, s, kept(hash), item, &place);
    for (probe_init(&p, place, slots); table[p.at].hash; probe_next(&p))
        if (!vm_charge(vm, 1)) return -1;
    return add_at(vm, s, p.at, kept(hash), item) < 0 ? -1 : 0;
}

int set_add(struct vm *vm, val set, val item) {
    int64_t hash;
    if (value_hash(vm, item, &hash)) return -1;
    return set_add_hashed(vm, set, hash, item);
}

int set_has(struct vm *vm, val set, val item) {
    const struct oset *s = set_at(vm, set);
    if (val_is_int(item) && !is_secret(s) &&
        (uint64_t)val_int(item) < ((uint64_t)1 << 61) - 1) {
        /* Such an int is its hash. */
        uint64_t slots;
        const struct set_entry *t = set_entries(vm, s, &slots);
        uint64_t first = (uint64_t)val_int(item) & (slots - 1);
        if (!slots || !t[first].hash) return 0;
        if (t[first].key == item) return 1;
    }
    int64_t at = set_find(vm, set, item);
    return at == -2 ? -1 : at >= 0;
}

void set_del_at(struct vm *vm, val set, uint64_t slot) {
    struct oset *s = set_at(vm, set);
    uint64_t slots;
    struct set_entry *table = set_entries(vm, s, &slots);
    table[slot] = (struct set_entry){DELETED_HASH, VAL_UNSET};
    s->len--;
    s->version++;
}

int set_del(struct vm *vm, val set, val item) {
    int64_t at = set_find(vm, set, item);
    if (at < 0) return at == -2 ? -1 : 0;
    set_del_at(vm, set, (uint64_t)at);
    return 1;
}

void set_clear(struct vm *vm, val set) {
    struct oset *s = set_at(vm, set);
    if (s->store) heap_free(vm, s->store);
    s->store = VAL_UNSET;
    s->len = s->used = 0;
    s->h.flags &= (uint8_t) ~(OBJ_SECRET | OBJ_PLACED);
    s->version++;
}

/* `index` remembers where the last pop ended. */
val set_pop(struct vm *vm, val set) {
    struct oset *s = set_at(vm, set);
    uint64_t slots;
    const struct set_entry *table = set_entries(vm, s, &slots);
    if (!s->len)
        return vm_raise_args(vm, EXC_KeyError,
                             (val[]){text_of(vm, "pop from an empty set")}, 1);
    uint64_t at = s->index ? (uint64_t)val_int(s->index) & (slots - 1) : 0;
    uint64_t steps = 0;
    while (!table[at].key) {
        at = (at + 1) & (slots - 1);
        steps++;
    }
    if (!vm_charge(vm, steps)) return VAL_UNSET;
    val key = table[at].key;
    set_del_at(vm, set, at);
    s->index = val_of_int((int64_t)at + 1);
    return key;
}

bool set_next(const struct vm *vm, val set, uint64_t *pos, val *item) {
    uint64_t slots;
    const struct set_entry *table = set_entries(vm, set_at(vm, set), &slots);
    while (*pos < slots && !table[*pos].key)
        ++*pos;
    if (*pos >= slots) return false;
    *item = table[(*pos)++].key;
    return true;
}

/* -- whole sets -------------------------------------------------------------
 */

static uint64_t mask_of(const struct vm *vm, const struct oset *s) {
    uint64_t slots;
    set_entries(vm, s, &slots);
    return slots ? slots - 1 : MIN_SLOTS - 1;
}

static void copy_clean(struct vm *vm, struct oset *s, const struct oset *from) {
    uint64_t slots, n;
    struct set_entry *table = set_entries(vm, s, &slots);
    const struct set_entry *e = set_entries(vm, from, &n);
    s->h.flags |= from->h.flags & (OBJ_SECRET | OBJ_PLACED);
    if (slots == n && from->used == from->len) {
        memcpy(table, e, n * sizeof *e);
    } else {
        for (uint64_t i = 0; i < n; i++)
            if (e[i].key) insert_clean(vm, s, table, slots, &e[i]);
    }
    s->used = s->len = from->len;
    s->version++;
}

/* A set that has no table yet becomes as the other one. */
static int set_become(struct vm *vm, struct oset *s, const struct oset *from) {
    uint64_t slots = MIN_SLOTS, n;
    if (from->len * 5 >= (MIN_SLOTS - 1) * 3)
        while (slots <= from->len * 2)
            slots *= 2;
    const struct set_entry *e = set_entries(vm, from, &n);
    if (!vm_charge(vm, slots)) return -1;
    if (slots != n || from->used != from->len) {
        s->store = new_table(vm, slots);
        if (s->store) copy_clean(vm, s, from);
        return s->store ? 0 : -1;
    }
    val t = heap_store_raw(vm, n * sizeof *e);
    if (!t) return -1;
    struct ostore *o = heap_at(&vm->heap, t);
    memcpy(o->data, e, n * sizeof *e);
    memset((struct set_entry *)o->data + n, 0, o->size - n * sizeof *e);
    o->h.flags = OBJ_TRACED;
    o->used = o->size;
    s->store = t;
    s->h.flags |= from->h.flags & (OBJ_SECRET | OBJ_PLACED);
    s->used = s->len = from->len;
    s->version++;
    return 0;
}

int set_merge(struct vm *vm, val set, val other) {
    struct oset *s = set_at(vm, set);
    const struct oset *o = set_at(vm, other);
    if (set == other || !o->len) return 0;
    if (!s->store) return set_become(vm, s, o);
    if (!vm_charge(vm, o->len) || ensure_table(vm, s)) return -1;
    if ((s->used + o->len) * 5 >= mask_of(vm, s) * 3 &&
        resize(vm, s, (s->len + o->len) * 2))
        return -1;
    if (s->used == 0) {
        copy_clean(vm, s, o);
        return 0;
    }
    uint64_t n;
    const struct set_entry *e = set_entries(vm, o, &n);
    for (uint64_t i = 0; i < n; i++)
        if (e[i].key && set_add_entry(vm, set, &e[i])) return -1;
    return 0;
}

int64_t set_find_entry(struct vm *vm, val set, const struct set_entry *e) {
    struct gap unused;
    return find_hashed(vm, set_at(vm, set), e->hash, e->key, &unused);
}

int set_add_entry(struct vm *vm, val set, const struct set_entry *e) {
    return set_add_hashed(vm, set, unkept(e->hash), e->key) < 0 ? -1 : 0;
}

int set_squeeze(struct vm *vm, val set) {
    struct oset *s = set_at(vm, set);
    if (s->used - s->len <= mask_of(vm, s) / 4) return 0;
    return resize(vm, s, s->len > 50000 ? s->len * 2 : s->len * 4);
}
