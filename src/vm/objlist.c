/* SPDX-License-Identifier: MIT
 *
 * Lists: the store and its operations. Methods are in listtype.c. */
#include "vm/exc.h"
#include "vm/seq.h"

#define GAP_FROM                                                 \
    16 /* items; fewer are moved when one comes in front of them \
        */

static struct olist *list_at(const struct vm *vm, val list) {
    return heap_kind(&vm->heap, list, KIND_LIST);
}

static struct ostore *store_at(const struct vm *vm, val store) {
    return heap_at(&vm->heap, store);
}

/* -- making -----------------------------------------------------------------
 */

val list_new_as(struct vm *vm, val type) {
    struct olist *l = value_new(vm, KIND_LIST, type, sizeof *l);
    return l ? heap_ref(&vm->heap, l) : VAL_UNSET;
}

/* A list with room for n items, all of them in use and unset. */
static val list_alloc(struct vm *vm, uint64_t n) {
    val store = VAL_UNSET;
    if (n) {
        store = heap_store(vm, n * sizeof(val), OBJ_TRACED);
        if (!store) return VAL_UNSET;
        store_at(vm, store)->used = n * sizeof(val);
    }
    struct olist *l = heap_new(vm, KIND_LIST, TYPE_VAL(list), sizeof *l);
    if (!l) return VAL_UNSET;
    l->len = n;
    l->store = store;
    return heap_ref(&vm->heap, l);
}

val list_new(struct vm *vm, const val *items, size_t n) {
    val l = list_alloc(vm, n);
    if (l && n) memcpy(list_items(vm, l), items, n * sizeof(val));
    return l;
}

/* -- room -------------------------------------------------------------------
 */

static uint64_t room_of(const struct vm *vm, const struct olist *l) {
    return l->store ? store_at(vm, l->store)->size / sizeof(val) : 0;
}

/* Items move to the front of their store. */
static void close_gap(const struct vm *vm, struct olist *l) {
    if (!l->head) return;
    val *data = (val *)store_at(vm, l->store)->data;
    memmove(data, data + l->head, l->len * sizeof(val));
    memset(data + l->len, 0, l->head * sizeof(val));
    l->head = 0;
}

/* Room for n items in all. */
static int reserve(struct vm *vm, struct olist *l, uint64_t n) {
    uint64_t room = room_of(vm, l);
    if (l->head + n <= room) return 0;
    /* Moving pays only when the gap was made by as many pops. */
    if (n <= room && l->head >= l->len / 2) {
        close_gap(vm, l);
        return 0;
    }
    uint64_t want = l->head + n + (l->head + n) / 2 + 2;
    if (n > vm->heap.limit / sizeof(val)) want = n;
    val s = l->store ? heap_store_grow(vm, l->store, want * sizeof(val))
                     : heap_store(vm, want * sizeof(val), OBJ_TRACED);
    if (!s) return -1;
    l->store = s;
    return 0;
}

static void set_len(const struct vm *vm, struct olist *l, uint64_t n) {
    l->len = n;
    if (l->store) store_at(vm, l->store)->used = (l->head + n) * sizeof(val);
}

int list_reserve(struct vm *vm, val list, uint64_t n) {
    return reserve(vm, list_at(vm, list), n);
}

int list_append(struct vm *vm, val list, val item) {
    struct olist *l = list_at(vm, list);
    if (l->store) {
        struct ostore *s = store_at(vm, l->store);
        uint64_t at = l->head + l->len;
        if (at < s->size / sizeof(val)) {
            s->data[at] = item;
            s->used = (at + 1) * sizeof(val);
            l->len++;
            return 0;
        }
    }
    if (reserve(vm, l, l->len + 1)) return -1;
    ((val *)store_at(vm, l->store)->data)[l->head + l->len] = item;
    set_len(vm, l, l->len + 1);
    return 0;
}

void list_clear(struct vm *vm, val list) {
    struct olist *l = list_at(vm, list);
    if (l->store) heap_free(vm, l->store);
    l->store = VAL_UNSET;
    l->len = l->head = 0;
}

/* Drops items from the end; much unused room is given back. */
static void shrink(struct vm *vm, struct olist *l, uint64_t n) {
    val *items = (val *)store_at(vm, l->store)->data + l->head;
    memset(items + n, 0, (l->len - n) * sizeof(val));
    set_len(vm, l, n);
}

int list_resize(struct vm *vm, val list, uint64_t n) {
    struct olist *l = list_at(vm, list);
    if (n == 0) {
        list_clear(vm, list);
        return 0;
    }
    if (n <= l->len) {
        shrink(vm, l, n);
        return 0;
    }
    if (reserve(vm, l, n)) return -1;
    set_len(vm, l, n);
    return 0;
}

/* -- items ------------------------------------------------------------------
 */

/* Room in front for as many items as pay for moving all of them there, and as
 * much behind: whoever inserts in turn at both ends does not move them each
 * time. */
static int make_gap(struct vm *vm, struct olist *l) {
    uint64_t gap = l->len / 8 + 4, want = l->len + 2 * gap;
    if (!vm_charge(vm, l->len / 16)) return -1;
    if (room_of(vm, l) < want) {
        val s = heap_store_grow(vm, l->store, want * sizeof(val));
        if (!s) return -1;
        l->store = s;
    }
    val *data = (val *)store_at(vm, l->store)->data;
    memmove(data + gap, data, l->len * sizeof(val));
    memset(data, 0, gap * sizeof(val));
    l->head = gap;
    set_len(vm, l, l->len);
    return 0;
}

int list_insert(struct vm *vm, val list, uint64_t at, val item) {
    struct olist *l = list_at(vm, list);
    if (at == 0 && !l->head && l->len >= GAP_FROM && make_gap(vm, l)) return -1;
    if (at == 0 && l->head) {
        l->head--;
        l->len++;
    } else {
        if (!vm_charge(vm, (l->len - at) / 16)) return -1;
        if (reserve(vm, l, l->len + 1)) return -1;
        set_len(vm, l, l->len + 1);
        val *items = list_items(vm, list);
        memmove(items + at + 1, items + at, (l->len - 1 - at) * sizeof(val));
    }
    list_items(vm, list)[at] = item;
    return 0;
}

val list_take(struct vm *vm, val list, uint64_t at) {
    struct olist *l = list_at(vm, list);
    val *items = list_items(vm, list), v = items[at];
    if (at == 0) {
        items[0] = VAL_UNSET;
        l->head++;
        l->len--;
        if (!l->len) l->head = 0;
        set_len(vm, l, l->len);
        return v;
    }
    if (!vm_charge(vm, (l->len - at) / 16)) return VAL_UNSET;
    memmove(items + at, items + at + 1, (l->len - at - 1) * sizeof(val));
    items[l->len - 1] = VAL_UNSET;
    set_len(vm, l, l->len - 1);
    return v;
}

static int append_all(struct vm *vm, val list, const val *from, uint64_t n) {
    struct olist *l = list_at(vm, list);
    uint64_t had = l->len;
    if (!n) return 0;
    if (!vm_charge(vm, n / 8) || reserve(vm, l, had + n)) return -1;
    set_len(vm, l, had + n);
    memcpy(list_items(vm, list) + had, from, n * sizeof(val));
    return 0;
}

int list_extend(struct vm *vm, val list, val iterable) {
    const val *items;
    uint64_t n;
    if (value_items(vm, iterable, &items, &n)) return -1;
    if (iterable != list) return append_all(vm, list, items, n);
    /* The items may move while room is made. */
    if (reserve(vm, list_at(vm, list), n * 2)) return -1;
    return append_all(vm, list, list_items(vm, list), n);
}

val list_concat(struct vm *vm, val a, val b) {
    uint64_t n = list_len(vm, a), m = list_len(vm, b);
    if (!vm_charge(vm, (n + m) / 8)) return VAL_UNSET;
    val l = list_alloc(vm, n + m);
    if (!l) return VAL_UNSET;
    if (n) memcpy(list_items(vm, l), list_items(vm, a), n * sizeof(val));
    if (m) memcpy(list_items(vm, l) + n, list_items(vm, b), m * sizeof(val));
    return l;
}

val list_repeat(struct vm *vm, const val *items, uint64_t n, uint64_t times) {
    val l = list_alloc(vm, n * times);
    if (!l || n * times == 0) return l;
    val *out = list_items(vm, l);
    if (n == 1) {
        for (uint64_t i = 0; i < times; i++)
            out[i] = items[0];
        return l;
    }
    for (uint64_t i = 0; i < times; i++)
        memcpy(out + i * n, items, n * sizeof(val));
    return l;
}

/* -- slices -----------------------------------------------------------------
 */

val list_of_span(struct vm *vm, val list, const struct span *s) {
    if (!vm_charge(vm, s->count / 8)) return VAL_UNSET;
    val l = list_alloc(vm, s->count);
    if (!l || !s->count) return l;
    val *out = list_items(vm, l);
    const val *in = list_items(vm, list) + s->start;
    if (s->step == 1) {
        memcpy(out, in, s->count * sizeof(val));
        return l;
    }
    for (uint64_t i = 0; i < s->count; i++)
        out[i] = in[(int64_t)i * s->step];
    return l;
}

/* Items in front leave a gap. */
static void drop_front(struct vm *vm, struct olist *l, uint64_t n) {
    memset((val *)store_at(vm, l->store)->data + l->head, 0, n * sizeof(val));
    l->head += n;
    set_len(vm, l, l->len - n);
}

/* Replaces `count` items at `at` by n others. */
static int splice(struct vm *vm, val list, uint64_t at, uint64_t count,
                  const val *from, uint64_t n) {
    struct olist *l = list_at(vm, list);
    uint64_t len = l->len, rest = len - at - count;
    if (at == 0 && n < count && rest) {
        if (!vm_charge(vm, count / 8)) return -1;
        drop_front(vm, l, count - n);
        if (n) memcpy(list_items(vm, list), from, n * sizeof(val));
        return 0;
    }
    if (!vm_charge(vm, (rest + n) / 8)) return -1;
    if (n > count && list_resize(vm, list, len - count + n)) return -1;
    val *items = list_items(vm, list);
    if (rest && n != count)
        memmove(items + at + n, items + at + count, rest * sizeof(val));
    if (n) memcpy(items + at, from, n * sizeof(val));
    return n < count ? list_resize(vm, list, len - count + n) : 0;
}

/* a[x:y:step] = items with a step other than 1: the counts must agree. */
static int set_stepped(struct vm *vm, val list, const struct span *s,
                       const val *from, uint64_t n) {
    if (n != s->count) {
        vm_raise(vm, EXC_ValueError,
                 "attempt to assign sequence of size %llu to extended slice of "
                 "size %llu",
                 (unsigned long long)n, (unsigned long long)s->count);
        return -1;
    }
    if (!vm_charge(vm, n)) return -1;
    val *items = list_items(vm, list);
    for (uint64_t i = 0; i < n; i++)
        items[s->start + (int64_t)i * s->step] = from[i];
    return 0;
}

int list_set_span(struct vm *vm, val list, val slice, val from) {
    struct span s;
    const val *items;
    uint64_t n;
    if (slice_span(vm, slice, list_len(vm, list), &s)) return -1;
    /* What is assigned may be the list itself, or a part of it: copied. */
    val copy = list_from(vm, from);
    if (!copy && exc_is(vm, EXC_TypeError)) {
        exc_take(vm);
        vm_raise(vm, EXC_TypeError,
                 s.step == 1 ? "can only assign an iterable"
                             : "must assign iterable to extended slice");
    }
    if (!copy || value_items(vm, copy, &items, &n)) return -1;
    if (s.step != 1) return set_stepped(vm, list, &s, items, n);
    return splice(vm, list, (uint64_t)s.start, s.count, items, n);
}

int list_del_span(struct vm *vm, val list, val slice) {
    struct span s;
    if (slice_span(vm, slice, list_len(vm, list), &s)) return -1;
    if (!s.count) return 0;
    if (s.step < 0) {
        s.start += s.step * ((int64_t)s.count - 1);
        s.step = -s.step;
    }
    uint64_t len = list_len(vm, list), to = (uint64_t)s.start;
    if (s.step == 1) return splice(vm, list, to, s.count, NULL, 0);
    if (!vm_charge(vm, len)) return -1;
    val *items = list_items(vm, list);
    uint64_t last = to + (s.count - 1) * (uint64_t)s.step;
    for (uint64_t i = to; i < len; i++)
        if (i > last || (i - (uint64_t)s.start) % (uint64_t)s.step)
            items[to++] = items[i];
    return list_resize(vm, list, to);
}

void list_reverse(struct vm *vm, val list) {
    uint64_t n = list_len(vm, list);
    val *items = list_items(vm, list);
    for (uint64_t i = 0; i < n / 2; i++) {
        val v = items[i];
        items[i] = items[n - 1 - i];
        items[n - 1 - i] = v;
    }
}
