/* SPDX-License-Identifier: MIT
 *
 * What is asked of any value: truth, length, items. Each question is one switch
 * over kinds. */
#include "base/utf8.h"
#include "vm/bigint.h"
#include "vm/bytes.h"
#include "vm/compare.h"
#include "vm/dict.h"
#include "vm/iter.h"
#include "vm/seq.h"
#include "vm/set.h"
#include "vm/text.h"

void *value_new(struct vm *vm, enum kind kind, val type, uint64_t size) {
    if (!(type_at(vm, type)->flags & TYPE_HEAP))
        return heap_new(vm, kind, type, size);
    uint64_t rounded = (size + 15) & ~(uint64_t)15;
    struct obj *o = heap_new(vm, kind, type, rounded + 16);
    if (!o) return NULL;
    o->flags |= OBJ_ATTRS;
    val *attrs = (val *)((char *)o + rounded);
    attrs[0] = type_at(vm, type)->shape;
    return o;
}

static enum kind kind_of(const struct vm *vm, val v) {
    if (val_is_int(v)) return KIND_INT;
    if (val_is_real(v)) return KIND_REAL;
    return (enum kind)vm_obj(vm, v)->kind;
}

/* -- length and truth -------------------------------------------------------
 */

int64_t kind_len(struct vm *vm, val v) {
    switch ((int)kind_of(vm, v)) {
    case KIND_STR: return text_chars(vm, v);
    case KIND_LIST: return (int64_t)list_len(vm, v);
    case KIND_TUPLE: return tuple_len(vm, v);
    case KIND_DICT: return (int64_t)dict_at(vm, v)->len;
    case KIND_SET: return (int64_t)set_at(vm, v)->len;
    case KIND_BYTES: return (int64_t)bytes_get(vm, v).n;
    case KIND_VIEW: {
        const struct oview *w = heap_at(&vm->heap, v);
        return (int64_t)dict_at(vm, w->dict)->len;
    }
    case KIND_RANGE: {
        val n = range_len(vm, v);
        int64_t len;
        if (!n) return -2;
        if (!int_get(vm, n, &len)) return len;
        vm_raise(vm, EXC_OverflowError,
                 "Python int too large to convert to C ssize_t");
        return -2;
    }
    default: return -1;
    }
}

int64_t value_len(struct vm *vm, val v) {
    if (special_of(vm, v, SPECIAL_LEN)) {
        vm_slow(vm);
        return -1;
    }
    int64_t n = kind_len(vm, v);
    if (n == -1)
        vm_raise(vm, EXC_TypeError, "object of type '%s' has no len()",
                 vm_type_name(vm, v));
    return n < 0 ? -1 : n;
}

int value_truth(struct vm *vm, val v) {
    if (v == VAL_TRUE) return 1;
    if (v == VAL_FALSE || v == VAL_NONE) return 0;
    if (val_is_int(v)) return val_int(v) != 0;
    if (val_is_real(v)) return v != VAL_REAL_ZERO;
    if (value_label(vm, v) && value_plain(vm, v) != v)
        return value_truth(vm, value_plain(vm, v));
    if (special_of(vm, v, SPECIAL_BOOL) || special_of(vm, v, SPECIAL_LEN)) {
        vm_slow(vm);
        return -1;
    }
    switch ((int)kind_of(vm, v)) {
    case KIND_INT: return int_sign(vm, v) != 0;
    case KIND_REAL: return float_get(vm, v) != 0;
    case KIND_COMPLEX: {
        const struct ocomplex *c = heap_at(&vm->heap, v);
        return c->re != 0 || c->im != 0;
    }
    case KIND_RANGE: {
        val n = range_len(vm, v);
        return n ? int_sign(vm, n) != 0 : -1;
    }
    default: {
        int64_t n = kind_len(vm, v);
        return n == -1 ? 1 : n != 0;
    }
    }
}

/* -- reading an item --------------------------------------------------------
 */

static int wrong_index(struct vm *vm, const char *what, val key) {
    if (special_of(vm, key, SPECIAL_INDEX)) {
        vm_slow(vm);
        return -1;
    }
    vm_raise(vm, EXC_TypeError, "%s indices must be integers or slices, not %s",
             what, vm_type_name(vm, key));
    return -1;
}

static val tuple_getitem(struct vm *vm, val t, val key) {
    uint64_t i;
    if (int_is(vm, key)) {
        if (seq_index(vm, key, tuple_len(vm, t), "tuple index out of range",
                      &i))
            return VAL_UNSET;
        return tuple_items(vm, t)[i];
    }
    if (!vm_is(vm, key, KIND_SLICE)) {
        wrong_index(vm, "tuple", key);
        return VAL_UNSET;
    }
    struct span s;
    if (slice_span(vm, key, tuple_len(vm, t), &s)) return VAL_UNSET;
    if (s.count == 0) return VAL_EMPTY_TUPLE;
    if (s.count == tuple_len(vm, t) && s.step == 1 &&
        type_of(vm, t) == TYPE_VAL(tuple))
        return t;
    val *out;
    if (!vm_charge(vm, s.count / 8)) return VAL_UNSET;
    val v = tuple_alloc(vm, s.count, &out);
    for (uint64_t k = 0; v && k < s.count; k++)
        out[k] = tuple_items(vm, t)[s.start + (int64_t)k * s.step];
    return v;
}

static val list_getitem(struct vm *vm, val list, val key) {
    uint64_t i;
    struct span s;
    if (int_is(vm, key)) {
        if (seq_index(vm, key, list_len(vm, list), "list index out of range",
                      &i))
            return VAL_UNSET;
        return list_items(vm, list)[i];
    }
    if (!vm_is(vm, key, KIND_SLICE)) {
        wrong_index(vm, "list", key);
        return VAL_UNSET;
    }
    if (slice_span(vm, key, list_len(vm, list), &s)) return VAL_UNSET;
    return list_of_span(vm, list, &s);
}

static val text_stepped(struct vm *vm, val text, const struct span *s) {
    struct build b;
    build_init(&b, vm);
    if (!vm_charge(vm, s->count)) return VAL_UNSET;
    if (text_ascii(vm, text)) {
        const char *p = text_get(vm, text).p + s->start;
        char *out = build_room(&b, s->count);
        for (uint64_t i = 0; out && i < s->count; i++)
            out[i] = p[(int64_t)i * s->step];
        if (out) b.n = b.chars = s->count;
        return build_take(&b);
    }
    str all = text_get(vm, text);
    if (!vm_charge(vm, all.n * 4)) return VAL_UNSET;
    size_t at = text_offset(vm, text, (uint64_t)s->start);
    for (uint64_t i = 0; i < s->count && !b.failed; i++) {
        uint32_t cp = 0;
        utf8_decode_loose(all.p + at, all.n - at, &cp);
        build_char(&b, cp);
        at = text_step(all, at, s->step);
    }
    return build_take(&b);
}

static val text_getitem(struct vm *vm, val text, val key) {
    uint64_t i;
    struct span s;
    if (int_is(vm, key)) {
        if (seq_index(vm, key, text_chars(vm, text),
                      "string index out of range", &i))
            return VAL_UNSET;
        return text_at(vm, text, i);
    }
    if (!vm_is(vm, key, KIND_SLICE)) {
        if (special_of(vm, key, SPECIAL_INDEX)) return vm_slow(vm);
        return vm_raise(vm, EXC_TypeError,
                        "string indices must be integers, not '%s'",
                        vm_type_name(vm, key));
    }
    if (slice_span(vm, key, text_chars(vm, text), &s)) return VAL_UNSET;
    if (s.step != 1 && s.count > 1) return text_stepped(vm, text, &s);
    return text_slice(vm, text, (uint64_t)s.start, (uint64_t)s.start + s.count);
}

static val dict_getitem(struct vm *vm, val dict, val key) {
    val v;
    int found = dict_get(vm, dict, key, &v);
    if (found > 0) return v;
    if (found < 0) return VAL_UNSET;
    if (special_of(vm, dict, SPECIAL_MISSING)) return vm_slow(vm);
    return vm_raise_args(vm, EXC_KeyError, &key, 1);
}

static val range_getitem(struct vm *vm, val range, val key) {
    if (vm_is(vm, key, KIND_SLICE)) return range_slice(vm, range, key);
    if (!int_is(vm, key)) {
        wrong_index(vm, "range", key);
        return VAL_UNSET;
    }
    val n = range_len(vm, range);
    if (n && int_sign(vm, key) < 0) key = int_add(vm, key, n);
    if (!n || !key) return VAL_UNSET;
    if (int_sign(vm, key) < 0 || int_cmp(vm, key, n) >= 0)
        return vm_raise(vm, EXC_IndexError, "range object index out of range");
    return range_item(vm, range, key);
}

val value_getitem(struct vm *vm, val container, val key) {
    switch ((int)kind_of(vm, container)) {
    case KIND_LIST: return list_getitem(vm, container, key);
    case KIND_DICT: return dict_getitem(vm, container, key);
    case KIND_TUPLE: return tuple_getitem(vm, container, key);
    case KIND_STR: return text_getitem(vm, container, key);
    case KIND_RANGE: return range_getitem(vm, container, key);
    case KIND_BYTES: return bytes_getitem(vm, container, key);
    default:
        if (special_of(vm, container, SPECIAL_GETITEM) ||
            vm_is(vm, container, KIND_TYPE))
            return vm_slow(vm);
        return vm_raise(vm, EXC_TypeError, "'%s' object is not subscriptable",
                        vm_type_name(vm, container));
    }
}

/* -- changing an item -------------------------------------------------------
 */

static int list_setitem(struct vm *vm, val list, val key, val item) {
    uint64_t i;
    if (vm_is(vm, key, KIND_SLICE)) return list_set_span(vm, list, key, item);
    if (!int_is(vm, key)) return wrong_index(vm, "list", key);
    if (seq_index(vm, key, list_len(vm, list),
                  "list assignment index out of range", &i))
        return -1;
    list_items(vm, list)[i] = item;
    return 0;
}

int value_setitem(struct vm *vm, val container, val key, val item) {
    switch ((int)kind_of(vm, container)) {
    case KIND_LIST: return list_setitem(vm, container, key, item);
    case KIND_DICT: return dict_set(vm, container, key, item);
    case KIND_BYTES: return bytes_setitem(vm, container, key, item);
    default:
        if (special_of(vm, container, SPECIAL_SETITEM))
            vm_slow(vm);
        else
            vm_raise(vm, EXC_TypeError,
                     "'%s' object does not support item assignment",
                     vm_type_name(vm, container));
        return -1;
    }
}

static int list_delitem(struct vm *vm, val list, val key) {
    uint64_t i;
    if (vm_is(vm, key, KIND_SLICE)) return list_del_span(vm, list, key);
    if (!int_is(vm, key)) return wrong_index(vm, "list", key);
    if (seq_index(vm, key, list_len(vm, list),
                  "list assignment index out of range", &i))
        return -1;
    return list_take(vm, list, i) ? 0 : -1;
}

static int dict_delitem(struct vm *vm, val dict, val key) {
    int was = dict_del(vm, dict, key);
    if (was == 0) vm_raise_args(vm, EXC_KeyError, &key, 1);
    return was == 1 ? 0 : -1;
}

int value_delitem(struct vm *vm, val container, val key) {
    switch ((int)kind_of(vm, container)) {
    case KIND_LIST: return list_delitem(vm, container, key);
    case KIND_DICT: return dict_delitem(vm, container, key);
    case KIND_BYTES: return bytes_delitem(vm, container, key);
    default: break;
    }
    if (special_of(vm, container, SPECIAL_DELITEM)) {
        vm_slow(vm);
        return -1;
    }
    bool sequence = vm_is(vm, container, KIND_TUPLE) ||
                    vm_is(vm, container, KIND_STR) ||
                    vm_is(vm, container, KIND_RANGE);
    vm_raise(vm, EXC_TypeError,
             sequence ? "'%s' object doesn't support item deletion"
                      : "'%s' object does not support item deletion",
             vm_type_name(vm, container));
    return -1;
}

/* -- all items --------------------------------------------------------------
 */

val list_from(struct vm *vm, val iterable) {
    if (vm_is(vm, iterable, KIND_LIST) &&
        !special_of(vm, iterable, SPECIAL_ITER)) {
        uint64_t n = list_len(vm, iterable);
        if (!vm_charge(vm, n / 8)) return VAL_UNSET;
        return list_new(vm, list_items(vm, iterable), n);
    }
    if (vm_is(vm, iterable, KIND_TUPLE) &&
        !special_of(vm, iterable, SPECIAL_ITER))
        return list_new(vm, tuple_items(vm, iterable), tuple_len(vm, iterable));
    val it = iter_new(vm, iterable);
    if (!it) return VAL_UNSET;
    if (!vm_is(vm, it, KIND_ITER)) return vm_slow(vm);
    return iter_drain(vm, it);
}

int value_items(struct vm *vm, val iterable, const val **items, uint64_t *n) {
    bool plain = !special_of(vm, iterable, SPECIAL_ITER);
    if (plain && vm_is(vm, iterable, KIND_TUPLE)) {
        *items = tuple_items(vm, iterable);
        *n = tuple_len(vm, iterable);
        return 0;
    }
    val list = plain && vm_is(vm, iterable, KIND_LIST)
                   ? iterable
                   : list_from(vm, iterable);
    if (!list) return -1;
    *items = list_items(vm, list);
    *n = list_len(vm, list);
    return 0;
}
