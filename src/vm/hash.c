/* SPDX-License-Identifier: MIT
 *
 * Hashes. Numbers, tuples and frozensets of them have CPython's values, because
 * the order of sets follows from them; text is keyed per run. */
#include <math.h>

#include "base/hash.h"
#include "vm/bigint.h"
#include "vm/compare.h"
#include "vm/history.h"
#include "vm/seq.h"
#include "vm/set.h"
#include "vm/text.h"

#define HASH_BITS 61
#define HASH_MOD  (((uint64_t)1 << HASH_BITS) - 1)
#define HASH_INF  314159

uint64_t value_identity(val v) {
    /* Objects never move while a run is loaded; the factor keeps ids of
     * neighbours apart as those of real addresses are. */
    return v + 0x7f0000000000u;
}

static int64_t identity_hash(val v) {
    return (int64_t)(v >> 4);
}

/* A double's value modulo 2^61-1, so that equal ints hash alike. */
static int64_t real_hash(val v, double d) {
    if (isnan(d)) return identity_hash(v);
    if (isinf(d)) return d > 0 ? HASH_INF : -HASH_INF;
    int e;
    double m = frexp(fabs(d), &e);
    uint64_t x = 0;
    while (m > 0) {
        x = ((x << 28) & HASH_MOD) | x >> (HASH_BITS - 28);
        m *= 268435456.0; /* 2^28 */
        e -= 28;
        uint64_t y = (uint64_t)m;
        m -= (double)y;
        x += y;
        if (x >= HASH_MOD) x -= HASH_MOD;
    }
    e = e >= 0 ? e % HASH_BITS : HASH_BITS - 1 - ((-1 - e) % HASH_BITS);
    x = ((x << e) & HASH_MOD) | x >> (HASH_BITS - e);
    int64_t h = d < 0 ? -(int64_t)x : (int64_t)x;
    return h == -1 ? -2 : h;
}

static int64_t complex_hash(const struct vm *vm, val v) {
    const struct ocomplex *c = heap_at(&vm->heap, v);
    uint64_t h = (uint64_t)real_hash(v, c->re) +
                 1000003u * (uint64_t)real_hash(v, c->im);
    return h == UINT64_MAX ? -2 : (int64_t)h;
}

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_5 0x27d4eb2f165667c5u

static uint64_t add_lane(uint64_t acc, int64_t hash) {
    acc += (uint64_t)hash * PRIME_2;
    return (acc << 31 | acc >> 33) * PRIME_1;
}

static int64_t finish(uint64_t acc, uint64_t n) {
    acc += n ^ (PRIME_5 ^ 3527539u);
    return acc == UINT64_MAX ? 1546275796 : (int64_t)acc;
}

static int hash_items(struct vm *vm, const val *items, uint64_t n,
                      int64_t *out) {
    uint64_t acc = PRIME_5;
    if (!vm_charge(vm, n)) return -1;
    for (uint64_t i = 0; i < n; i++) {
        int64_t h;
        if (value_hash(vm, items[i], &h) || !vm_go_on(vm)) return -1;
        acc = add_lane(acc, h);
    }
    *out = finish(acc, n);
    return 0;
}

int hash_lanes(struct vm *vm, const val *hashes, uint64_t n, int64_t *out) {
    uint64_t acc = PRIME_5;
    if (!vm_charge(vm, n)) return -1;
    for (uint64_t i = 0; i < n; i++) {
        int64_t h = 0;
        int_get(vm, hashes[i], &h);
        acc = add_lane(acc, h);
    }
    *out = finish(acc, n);
    return 0;
}

static int tuple_hash(struct vm *vm, val v, int64_t *out) {
    if (!vm_enter(vm)) {
        vm_slow(vm);
        return -1;
    }
    int bad = hash_items(vm, tuple_items(vm, v), tuple_len(vm, v), out);
    vm_leave(vm);
    return bad;
}

static int64_t frozenset_hash(const struct vm *vm, val v) {
    uint64_t n, h = 0;
    const struct oset *s = set_at(vm, v);
    const struct set_entry *e = set_entries(vm, s, &n);
    for (uint64_t i = 0; i < n; i++) {
        if (!e[i].key) continue;
        uint64_t x = (uint64_t)((int64_t)e[i].hash >> 1);
        h ^= ((x ^ 89869747u) ^ (x << 16)) * 3644798167u;
    }
    h ^= (s->len + 1) * 1927868237u;
    h ^= (h >> 11) ^ (h >> 25);
    h = h * 69069u + 907133923u;
    return h == UINT64_MAX ? 590923713 : (int64_t)h;
}

static int range_hash(struct vm *vm, val v, int64_t *out) {
    const struct orange *r = heap_at(&vm->heap, v);
    val n = range_len(vm, v), parts[3];
    if (!n) return -1;
    int64_t len;
    bool none = int_sign(vm, n) == 0;
    bool one = !int_get(vm, n, &len) && len == 1;
    parts[0] = n;
    parts[1] = none ? VAL_NONE : r->start;
    parts[2] = none || one ? VAL_NONE : r->step;
    return hash_items(vm, parts, 3, out);
}

static int unhashable(struct vm *vm, val v) {
    vm_raise(vm, EXC_TypeError, "unhashable type: '%s'", vm_type_name(vm, v));
    return -1;
}

/* By layout, without asking the class. */
int kind_hash(struct vm *vm, val v, int64_t *out) {
    switch ((int)vm_obj(vm, v)->kind) {
    case KIND_STR: *out = (int64_t)text_hash(vm, v); return 0;
    case KIND_NONE: *out = identity_hash(value_plain(vm, v)); return 0;
    case KIND_BOOL: *out = value_plain(vm, v) == VAL_TRUE; return 0;
    case KIND_INT:
        vm_spend(vm, 8 * int_limbs(vm, v));
        *out = int_hash(vm, v);
        return 0;
    case KIND_REAL: *out = real_hash(v, float_get(vm, v)); return 0;
    case KIND_COMPLEX: *out = complex_hash(vm, v); return 0;
    case KIND_TUPLE: return tuple_hash(vm, v, out);
    case KIND_RANGE: return range_hash(vm, v, out);
    case KIND_BYTES: {
        if (vm_obj(vm, v)->flags & OBJ_MUTABLE) return unhashable(vm, v);
        str s = bytes_get(vm, v);
        *out = bytes_hash(vm, s.p, s.n);
        return 0;
    }
    case KIND_SET:
        if (!(vm_obj(vm, v)->flags & OBJ_FROZEN)) return unhashable(vm, v);
        *out = frozenset_hash(vm, v);
        return 0;
    case KIND_LIST:
    case KIND_DICT:
    case KIND_SLICE:
    case KIND_VIEW: return unhashable(vm, v);
    case KIND_METHOD: {
        const struct omethod *m = heap_at(&vm->heap, v);
        *out = identity_hash(m->self) * 31 + identity_hash(m->func);
        return 0;
    }
    default: *out = identity_hash(v); return 0;
    }
}

int value_hash(struct vm *vm, val v, int64_t *hash) {
    if (val_is_int(v)) {
        int64_t i = val_int(v);
        if (i >= 0 && i < (int64_t)HASH_MOD) {
            *hash = i;
            return 0;
        }
        int64_t m = i < 0 ? -(int64_t)((uint64_t)-i % HASH_MOD)
                          : (int64_t)((uint64_t)i % HASH_MOD);
        *hash = m == -1 ? -2 : m;
        return 0;
    }
    if (val_is_real(v)) {
        *hash = real_hash(v, val_real(v));
        return 0;
    }
    if (special_of(vm, v, SPECIAL_HASH)) {
        vm_slow(vm);
        return -1;
    }
    return kind_hash(vm, v, hash);
}

/* -- tables under attack ------------------------------------------------------
 *
 * hash() of text is the same in every run, so data can be made whose keys all
 * collide. A table that meets too many such keys in one search is laid out anew
 * by a second hash, under a key of the run that data cannot know. It is drawn
 * as random numbers are: a replay gets the same one, and with it the same steps
 * and the same order of a set.
 */

#define SECRET_DEPTH 8 /* tuples within tuples */

bool hash_secret_ready(struct vm *vm) {
    struct root *root = vm_root(vm);
    if (root->hash_keyed) return true;
    if (vm->building || !history_entropy(vm, &root->hash_key[0]) ||
        !history_entropy(vm, &root->hash_key[1]))
        return false;
    root->hash_keyed = 1;
    return true;
}

uint64_t hash_secret_bytes(struct vm *vm, str s) {
    if (s.n > 256) vm_spend(vm, s.n / 4);
    return hash_bytes(s.p, s.n, vm_root(vm)->hash_key);
}

static uint64_t secret_of(struct vm *vm, const void *p, size_t n) {
    return hash_secret_bytes(vm, (str){p, n});
}

static bool secret(struct vm *vm, val key, int depth, uint64_t *out);

static bool secret_tuple(struct vm *vm, val tuple, int depth, uint64_t *out) {
    uint64_t pair[2] = {0, 0};
    if (depth == SECRET_DEPTH) return false;
    for (uint32_t i = 0; i < tuple_len(vm, tuple); i++) {
        if (!secret(vm, tuple_items(vm, tuple)[i], depth + 1, &pair[1]))
            return false;
        pair[0] = secret_of(vm, pair, sizeof pair);
    }
    *out = pair[0];
    return true;
}

/* Equal keys have the same, whatever their classes: what is not text, bytes or
 * a tuple of them goes by its hash(). */
static bool secret(struct vm *vm, val key, int depth, uint64_t *out) {
    int64_t hash;
    if (val_is_ref(key)) {
        if (special_of(vm, key, SPECIAL_HASH) ||
            special_of(vm, key, SPECIAL_EQ))
            return false;
        if (vm_is(vm, key, KIND_STR)) {
            *out = hash_secret_bytes(vm, text_get(vm, key));
            return true;
        }
        if (vm_is(vm, key, KIND_BYTES)) {
            *out = hash_secret_bytes(vm, bytes_get(vm, key));
            return true;
        }
        if (vm_is(vm, key, KIND_TUPLE))
            return secret_tuple(vm, key, depth, out);
    }
    if (value_hash(vm, key, &hash)) return false;
    *out = secret_of(vm, &hash, sizeof hash);
    return true;
}

bool hash_secret(struct vm *vm, val key, uint64_t *out) {
    return secret(vm, key, 0, out);
}
