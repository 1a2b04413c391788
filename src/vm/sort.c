/* SPDX-License-Identifier: MIT */
#include "vm/sort.h"

#include "vm/number.h"
#include "vm/text.h"

#include <endian.h>
#include <math.h>

#define RADIX_FROM 128 /* fewer items are merged */
#define RUN        16  /* insertion-sorted before merging */

struct item {
    uint64_t rank;
    val key;
    val item;
};

enum how { BY_INT, BY_REAL, BY_TEXT, BY_COMPARING };

struct sorter {
    struct vm *vm;
    enum how how;
    bool reverse;
    bool failed;
};

/* -- ranks ------------------------------------------------------------------
 */

static uint64_t int_rank(val v) {
    return v ^ (uint64_t)1 << 63;
}

static uint64_t real_rank(double d) {
    uint64_t bits;
    d += 0.0; /* -0.0 and 0.0 are equal */
    memcpy(&bits, &d, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t text_rank(str s) {
    uint64_t word = 0;
    memcpy(&word, s.p, s.n < 8 ? s.n : 8);
    return be64toh(word);
}

/* Text that is longer than its rank, or holds a NUL, may differ behind it. */
static int text_tie(struct vm *vm, val a, val b) {
    str x = text_get(vm, a), y = text_get(vm, b);
    vm_spend(vm, 2 + (x.n < y.n ? x.n : y.n) / 16);
    int c = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
    return c ? c : (x.n > y.n) - (x.n < y.n);
}

static bool small_int(val v) {
    return val_is_int(v) && val_int(v) < (int64_t)1 << 53 &&
           val_int(v) > -((int64_t)1 << 53);
}

static enum how how_to(const struct vm *vm, const val *keys, uint64_t n) {
    bool ints = true, reals = true, texts = true;
    for (uint64_t i = 0; i < n && (ints || reals || texts); i++) {
        val k = keys[i];
        ints = ints && val_is_int(k);
        reals = reals && (val_is_real(k) || small_int(k));
        texts =
            texts && vm_is(vm, k, KIND_STR) && !special_of(vm, k, SPECIAL_LT);
    }
    return ints ? BY_INT : reals ? BY_REAL : texts ? BY_TEXT : BY_COMPARING;
}

static uint64_t rank_of(const struct sorter *s, val key) {
    uint64_t r = 0;
    switch (s->how) {
    case BY_INT: r = int_rank(key); break;
    case BY_REAL:
        r = real_rank(val_is_int(key) ? (double)val_int(key) : val_real(key));
        break;
    case BY_TEXT: r = text_rank(text_get(s->vm, key)); break;
    case BY_COMPARING: return 0;
    }
    return s->reverse ? ~r : r;
}

/* -- merging ----------------------------------------------------------------
 */

/* b must come before a, which stood in front of it. */
static bool before(struct sorter *s, const struct item *b,
                   const struct item *a) {
    if (b->rank != a->rank) return b->rank < a->rank;
    if (s->how == BY_INT || s->how == BY_REAL) return false;
    if (s->failed) return false;
    s->failed = !vm_go_on(s->vm);
    if (s->how == BY_TEXT) {
        int c = text_tie(s->vm, b->key, a->key);
        return s->reverse ? c > 0 : c < 0;
    }
    if (s->failed) return false;
    val r = s->reverse ? compare_rich(s->vm, OP_LT, a->key, b->key)
                       : compare_rich(s->vm, OP_LT, b->key, a->key);
    s->failed = r == VAL_UNSET;
    return r == VAL_TRUE;
}

static void insertion(struct sorter *s, struct item *a, uint64_t n) {
    for (uint64_t i = 1; i < n && !s->failed; i++) {
        struct item x = a[i];
        uint64_t j = i;
        while (j > 0 && before(s, &x, &a[j - 1])) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}

static void merge(struct sorter *s, const struct item *a, uint64_t n,
                  const struct item *b, uint64_t m, struct item *out) {
    /* Runs that are in order already cost one comparison. */
    if (n && m && !before(s, &b[0], &a[n - 1])) {
        memcpy(out, a, n * sizeof *a);
        memcpy(out + n, b, m * sizeof *b);
        return;
    }
    while (n && m) {
        if (before(s, b, a)) {
            *out++ = *b++;
            m--;
        } else {
            *out++ = *a++;
            n--;
        }
        if (s->failed) break;
    }
    memcpy(out, a, n * sizeof *a);
    memcpy(out + n, b, m * sizeof *b);
}

/* The result is in a. */
static void merge_sort(struct sorter *s, struct item *a, struct item *spare,
                       uint64_t n) {
    for (uint64_t i = 0; i < n; i += RUN)
        insertion(s, a + i, n - i < RUN ? n - i : RUN);
    struct item *from = a, *to = spare;
    for (uint64_t w = RUN; w < n && !s->failed; w *= 2) {
        for (uint64_t i = 0; i < n; i += 2 * w) {
            uint64_t left = n - i < w ? n - i : w;
            uint64_t right = n - i - left < w ? n - i - left : w;
            merge(s, from + i, left, from + i + left, right, to + i);
        }
        struct item *swap = from;
        from = to;
        to = swap;
    }
    if (from != a) memcpy(a, from, n * sizeof *a);
}

/* -- radix ------------------------------------------------------------------
 */

/* By bytes of the rank from the lowest, skipping those that never differ. */
static void radix_sort(struct item *a, struct item *spare, uint64_t n) {
    uint64_t differ = 0;
    for (uint64_t i = 1; i < n; i++)
        differ |= a[i].rank ^ a[0].rank;
    struct item *from = a, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!(differ >> shift & 0xff)) continue;
        uint64_t at[256] = {0}, sum = 0;
        for (uint64_t i = 0; i < n; i++)
            at[from[i].rank >> shift & 0xff]++;
        for (int k = 0; k < 256; k++) {
            uint64_t c = at[k];
            at[k] = sum;
            sum += c;
        }
        for (uint64_t i = 0; i < n; i++)
            to[at[from[i].rank >> shift & 0xff]++] = from[i];
        struct item *swap = from;
        from = to;
        to = swap;
    }
    if (from != a) memcpy(a, from, n * sizeof *a);
}

static void merge_ties(struct sorter *s, struct item *a, struct item *spare,
                       uint64_t n) {
    for (uint64_t i = 0; i < n;) {
        uint64_t j = i + 1;
        while (j < n && a[j].rank == a[i].rank)
            j++;
        if (j - i > 1) merge_sort(s, a + i, spare, j - i);
        i = j;
    }
}

static bool in_order(struct sorter *s, const struct item *a, uint64_t n) {
    for (uint64_t i = 1; i < n; i++)
        if (before(s, &a[i], &a[i - 1])) return false;
    return true;
}

static void sort_items(struct sorter *s, struct item *a, struct item *spare,
                       uint64_t n) {
    if (s->how != BY_COMPARING && n >= RADIX_FROM) {
        if (in_order(s, a, n)) return;
        radix_sort(a, spare, n);
        if (s->how == BY_TEXT) merge_ties(s, a, spare, n);
    } else {
        merge_sort(s, a, spare, n);
    }
}

/* -- the whole --------------------------------------------------------------
 */

static uint64_t cost(uint64_t n, enum how how) {
    uint64_t log = n ? 64 - (uint64_t)__builtin_clzll(n) : 0;
    return n * (how == BY_COMPARING ? 8 * log : log);
}

int sort_by_keys(struct vm *vm, const val *keys, const val *items, uint64_t n,
                 bool reverse, val *out) {
    struct sorter s = {.vm = vm, .reverse = reverse};
    s.how = how_to(vm, keys, n);
    if (!vm_charge(vm, cost(n, s.how))) return -1;
    if (n > vm->heap.limit / sizeof(struct item)) {
        vm_raise_args(vm, EXC_MemoryError, NULL, 0);
        return -1;
    }
    val store = heap_store_raw(vm, 2 * n * sizeof(struct item));
    if (!store) return -1;
    struct ostore *o = heap_at(&vm->heap, store);
    struct item *a = (struct item *)o->data;
    for (uint64_t i = 0; i < n; i++)
        a[i] = (struct item){rank_of(&s, keys[i]), keys[i], items[i]};
    sort_items(&s, a, a + n, n);
    for (uint64_t i = 0; i < n && !s.failed; i++)
        out[i] = a[i].item;
    heap_free(vm, store);
    return s.failed ? -1 : 0;
}

int sort_reverse(struct vm *vm, val reverse) {
    int64_t number = 0;
    if (reverse && value_index(vm, reverse, &number)) return -1;
    return number != 0;
}
