/* SPDX-License-Identifier: MIT
 *
 * Bytes and bytearrays: data and operators. Methods are in bytestype.c, codecs
 * in codec.c. */
#include "vm/bytes.h"

#include "vm/compare.h"
#include "vm/iter.h"
#include "vm/seq.h"
#include "vm/strmethods.h"

char *bytes_data(const struct vm *vm, val bytes) {
    const struct obytes *b = bytes_at(vm, bytes);
    struct ostore *s = heap_at(&vm->heap, b->store);
    return (char *)s->data + b->head;
}

str bytes_get(const struct vm *vm, val bytes) {
    uint64_t n = bytes_at(vm, bytes)->len;
    return n ? (str){bytes_data(vm, bytes), n} : (str){"", 0};
}

val bytes_alloc(struct vm *vm, val type, uint64_t n, char **p) {
    val store = VAL_UNSET;
    *p = NULL;
    if (n) {
        if (!vm_charge(vm, n / 16)) return VAL_UNSET;
        store = heap_store(vm, n, 0);
        if (!store) return VAL_UNSET;
        struct ostore *s = heap_at(&vm->heap, store);
        s->used = n;
        *p = (char *)s->data;
    }
    struct obytes *b = value_new(vm, KIND_BYTES, type, sizeof *b);
    if (!b) return VAL_UNSET;
    if (type_is_subclass(vm, type, TYPE_VAL(bytearray)))
        b->h.flags |= OBJ_MUTABLE;
    b->len = n;
    b->store = store;
    return heap_ref(&vm->heap, b);
}

static val new_as(struct vm *vm, val type, const void *p, size_t n) {
    char *out;
    val v = bytes_alloc(vm, type, n, &out);
    if (v && n) memcpy(out, p, n);
    return v;
}

val bytes_new(struct vm *vm, const void *p, size_t n) {
    return new_as(vm, TYPE_VAL(bytes), p, n);
}

val bytes_like(struct vm *vm, val like, const void *p, size_t n) {
    return new_as(
        vm, bytes_mutable(vm, like) ? TYPE_VAL(bytearray) : TYPE_VAL(bytes), p,
        n);
}

/* A store in which n bytes have room behind the gap. */
static int reserve(struct vm *vm, struct obytes *b, uint64_t n) {
    struct ostore *s = b->store ? heap_at(&vm->heap, b->store) : NULL;
    if (s && b->head + n <= s->size) return 0;
    /* Moving pays only when the gap was made by as many deletions. */
    if (s && n <= s->size && b->head >= b->len / 2) {
        memmove(s->data, (char *)s->data + b->head, b->len);
        b->head = 0;
        return 0;
    }
    uint64_t want = s ? b->head + n + (b->head + n) / 2 + 16 : n;
    val store =
        s ? heap_store_grow(vm, b->store, want) : heap_store(vm, want, 0);
    if (!store) return -1;
    b->store = store;
    return 0;
}

static int check_size_is_free(struct vm *vm, val bytes) {
    if (!bytes_at(vm, bytes)->exports) return 0;
    vm_raise(vm, EXC_BufferError,
             "Existing exports of data: object cannot be re-sized");
    return -1;
}

static void set_len(struct vm *vm, struct obytes *b, uint64_t n) {
    b->len = n;
    if (!n) b->head = 0;
    struct ostore *s = heap_at(&vm->heap, b->store);
    s->used = b->head + n;
}

int bytes_resize(struct vm *vm, val bytes, uint64_t n) {
    struct obytes *b = bytes_at(vm, bytes);
    if (check_size_is_free(vm, bytes) || reserve(vm, b, n)) return -1;
    set_len(vm, b, n);
    return 0;
}

int bytes_item(struct vm *vm, val v, const char *what, unsigned char *out) {
    int64_t i;
    if (!int_is(vm, v)) {
        if (special_of(vm, v, SPECIAL_INDEX))
            vm_slow(vm);
        else
            vm_raise(vm, EXC_TypeError,
                     "'%s' object cannot be interpreted as an integer",
                     vm_type_name(vm, v));
        return -1;
    }
    if (int_get(vm, v, &i) || i < 0 || i > 255) {
        vm_raise(vm, EXC_ValueError, "%s must be in range(0, 256)", what);
        return -1;
    }
    *out = (unsigned char)i;
    return 0;
}

val bytes_from(struct vm *vm, val v) {
    if (bytes_is(vm, v)) {
        str s = bytes_get(vm, v);
        return bytes_new(vm, s.p, s.n);
    }
    const val *items;
    uint64_t n;
    char *out;
    if (vm_is(vm, v, KIND_STR) || !val_is_ref(v) || v == VAL_NONE)
        return vm_raise(vm, EXC_TypeError,
                        "cannot convert '%s' object to bytes",
                        vm_type_name(vm, v));
    if (value_items(vm, v, &items, &n)) return VAL_UNSET;
    val r = bytes_alloc(vm, TYPE_VAL(bytes), n, &out);
    for (uint64_t i = 0; r && i < n; i++)
        if (bytes_item(vm, items[i], "bytes", (unsigned char *)&out[i]))
            return VAL_UNSET;
    return r;
}

/* -- operators --------------------------------------------------------------
 */

val bytes_concat(struct vm *vm, val a, val b) {
    str x = bytes_get(vm, a), y = bytes_get(vm, b);
    char *out;
    val type = bytes_mutable(vm, a) ? TYPE_VAL(bytearray) : TYPE_VAL(bytes);
    val v = bytes_alloc(vm, type, x.n + y.n, &out);
    if (v && x.n) memcpy(out, x.p, x.n);
    if (v && y.n) memcpy(out + x.n, y.p, y.n);
    return v;
}

val bytes_repeat(struct vm *vm, val bytes, val by) {
    str s = bytes_get(vm, bytes);
    uint64_t times;
    char *out;
    if (seq_repeat(vm, by, s.n, 1, &times)) return VAL_UNSET;
    val type = bytes_mutable(vm, bytes) ? TYPE_VAL(bytearray) : TYPE_VAL(bytes);
    val v = bytes_alloc(vm, type, s.n * times, &out);
    for (uint64_t i = 0; v && s.n && i < times; i++)
        memcpy(out + i * s.n, s.p, s.n);
    return v;
}

val bytes_change(struct vm *vm, enum op op, val a, val b) {
    uint64_t had = bytes_get(vm, a).n;
    if (op == OP_ADD && bytes_is(vm, b)) {
        uint64_t more = bytes_get(vm, b).n;
        if (!more) return a;
        if (!vm_charge(vm, more / 16) || bytes_resize(vm, a, had + more))
            return VAL_UNSET;
        memmove(bytes_data(vm, a) + had, bytes_get(vm, b).p, more);
        return a;
    }
    if (op != OP_MUL || !int_is(vm, b)) return VAL_NOTIMPLEMENTED;
    uint64_t times;
    if (seq_repeat(vm, b, had, 1, &times) ||
        (had && bytes_resize(vm, a, had * times)))
        return VAL_UNSET;
    for (uint64_t i = 1; had && i < times; i++)
        memcpy(bytes_data(vm, a) + i * had, bytes_data(vm, a), had);
    return a;
}

static const char *index_words(struct vm *vm, val bytes) {
    return bytes_mutable(vm, bytes) ? "bytearray index out of range"
                                    : "index out of range";
}

static int wrong_index(struct vm *vm, val bytes, val key) {
    if (special_of(vm, key, SPECIAL_INDEX))
        vm_slow(vm);
    else
        vm_raise(vm, EXC_TypeError,
                 "%s indices must be integers or slices, not %s",
                 bytes_mutable(vm, bytes) ? "bytearray" : "byte",
                 vm_type_name(vm, key));
    return -1;
}

val bytes_getitem(struct vm *vm, val bytes, val key) {
    str s = bytes_get(vm, bytes);
    uint64_t i;
    if (int_is(vm, key)) {
        if (seq_index(vm, key, s.n, index_words(vm, bytes), &i))
            return VAL_UNSET;
        return val_of_int((unsigned char)s.p[i]);
    }
    struct span span;
    if (!vm_is(vm, key, KIND_SLICE)) {
        wrong_index(vm, bytes, key);
        return VAL_UNSET;
    }
    if (slice_span(vm, key, s.n, &span)) return VAL_UNSET;
    if (span.step == 1)
        return bytes_like(vm, bytes, s.p + span.start, span.count);
    char *out;
    val type = bytes_mutable(vm, bytes) ? TYPE_VAL(bytearray) : TYPE_VAL(bytes);
    val v = bytes_alloc(vm, type, span.count, &out);
    for (uint64_t k = 0; v && k < span.count; k++)
        out[k] = s.p[span.start + (int64_t)k * span.step];
    return v;
}

static int immutable(struct vm *vm, val bytes, const char *what) {
    vm_raise(vm, EXC_TypeError, "'%s' object %s", vm_type_name(vm, bytes),
             what);
    return -1;
}

/* Bytes in front are left in the store. */
static bool drop_front(struct vm *vm, val bytes, uint64_t n) {
    struct obytes *b = bytes_at(vm, bytes);
    if (b->head + n > UINT32_MAX) return false;
    b->head += (uint32_t)n;
    set_len(vm, b, b->len - n);
    return true;
}

/* Replaces `count` bytes at `at` by others. */
static int splice(struct vm *vm, val bytes, uint64_t at, uint64_t count,
                  str with) {
    uint64_t len = bytes_get(vm, bytes).n, rest = len - at - count;
    if (with.n != count && check_size_is_free(vm, bytes)) return -1;
    if (!vm_charge(vm, with.n / 16)) return -1;
    if (at == 0 && with.n < count && drop_front(vm, bytes, count - with.n)) {
        if (with.n) memcpy(bytes_data(vm, bytes), with.p, with.n);
        return 0;
    }
    if (with.n == count) rest = 0; /* it stays where it is */
    if (!vm_charge(vm, rest / 16)) return -1;
    if (with.n > count && bytes_resize(vm, bytes, len - count + with.n))
        return -1;
    char *p = len || with.n ? bytes_data(vm, bytes) : NULL;
    if (rest) memmove(p + at + with.n, p + at + count, rest);
    if (with.n) memcpy(p + at, with.p, with.n);
    return with.n < count ? bytes_resize(vm, bytes, len - count + with.n) : 0;
}

/* Every so many, from the first one on: what stays closes up behind it. */
static int del_steps(struct vm *vm, val bytes, struct span s) {
    uint64_t len = bytes_get(vm, bytes).n;
    if (!s.count) return 0;
    if (check_size_is_free(vm, bytes) || !vm_charge(vm, len / 4)) return -1;
    uint64_t step = (uint64_t)(s.step < 0 ? -s.step : s.step);
    uint64_t first = s.step < 0
                         ? (uint64_t)(s.start + (int64_t)(s.count - 1) * s.step)
                         : (uint64_t)s.start;
    char *p = bytes_data(vm, bytes);
    uint64_t to = first;
    for (uint64_t i = first, gone = 0; i < len; i++) {
        bool goes = gone < s.count && i == first + gone * step;
        if (goes)
            gone++;
        else
            p[to++] = p[i];
    }
    return bytes_resize(vm, bytes, to);
}

static int del_span(struct vm *vm, val bytes, const struct span *s) {
    if (s->step != 1) return del_steps(vm, bytes, *s);
    return splice(vm, bytes, (uint64_t)s->start, s->count, (str){0});
}

static int set_slice(struct vm *vm, val bytes, val key, val item) {
    struct span s;
    if (slice_span(vm, key, bytes_get(vm, bytes).n, &s)) return -1;
    if (int_is(vm, item) || float_is(vm, item) || vm_is(vm, item, KIND_STR)) {
        vm_raise(vm, EXC_TypeError,
                 "can assign only bytes, buffers, or iterables of ints in "
                 "range(0, 256)");
        return -1;
    }
    val from = bytes_from(vm, item);
    if (!from) return -1;
    str with = bytes_get(vm, from);
    if (s.step == 1) return splice(vm, bytes, (uint64_t)s.start, s.count, with);
    if (with.n == 0) return del_span(vm, bytes, &s);
    if (with.n != s.count) {
        vm_raise(vm, EXC_ValueError,
                 "attempt to assign bytes of size %zu to extended slice of "
                 "size %llu",
                 with.n, (unsigned long long)s.count);
        return -1;
    }
    for (uint64_t i = 0; i < s.count; i++)
        bytes_data(vm, bytes)[s.start + (int64_t)i * s.step] = with.p[i];
    return 0;
}

int bytes_setitem(struct vm *vm, val bytes, val key, val item) {
    uint64_t i;
    unsigned char c;
    if (!bytes_mutable(vm, bytes))
        return immutable(vm, bytes, "does not support item assignment");
    if (vm_is(vm, key, KIND_SLICE)) return set_slice(vm, bytes, key, item);
    if (!int_is(vm, key)) return wrong_index(vm, bytes, key);
    if (seq_index(vm, key, bytes_get(vm, bytes).n, index_words(vm, bytes),
                  &i) ||
        bytes_item(vm, item, "byte", &c))
        return -1;
    bytes_data(vm, bytes)[i] = (char)c;
    return 0;
}

int bytes_delitem(struct vm *vm, val bytes, val key) {
    uint64_t i;
    struct span s;
    if (!bytes_mutable(vm, bytes))
        return immutable(vm, bytes, "doesn't support item deletion");
    if (int_is(vm, key)) {
        if (seq_index(vm, key, bytes_get(vm, bytes).n, index_words(vm, bytes),
                      &i))
            return -1;
        return splice(vm, bytes, i, 1, (str){0});
    }
    if (!vm_is(vm, key, KIND_SLICE)) return wrong_index(vm, bytes, key);
    if (slice_span(vm, key, bytes_get(vm, bytes).n, &s)) return -1;
    return del_span(vm, bytes, &s);
}

int bytes_contains(struct vm *vm, val bytes, val item) {
    str s = bytes_get(vm, bytes);
    if (!vm_charge(vm, s.n / 8)) return -1;
    if (bytes_is(vm, item)) return find_bytes(s, bytes_get(vm, item)) >= 0;
    unsigned char c;
    if (!int_is(vm, item)) {
        vm_raise(vm, EXC_TypeError, "a bytes-like object is required, not '%s'",
                 vm_type_name(vm, item));
        return -1;
    }
    if (bytes_item(vm, item, "byte", &c)) return -1;
    return s.n && memchr(s.p, c, s.n) != NULL;
}
