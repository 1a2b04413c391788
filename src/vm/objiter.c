/* SPDX-License-Identifier: MIT
 *
 * Iterators over builtin containers. Their classes are in itertype.c. */
#include "vm/iter.h"

#include "base/utf8.h"
#include "vm/bigint.h"
#include "vm/dict.h"
#include "vm/seq.h"
#include "vm/set.h"
#include "vm/text.h"

/* -- making -----------------------------------------------------------------
 */

val iter_make(struct vm *vm, val type, enum iter_what what, val source) {
    struct oiter *it = heap_new(vm, KIND_ITER, type, sizeof *it);
    if (!it) return VAL_UNSET;
    it->what = what;
    it->source = source;
    return heap_ref(&vm->heap, it);
}

val iter_over_frame(struct vm *vm, val type, val generator) {
    return iter_make(vm, type, ITER_FRAME, generator);
}

/* start, step and count fit inline ints: the fast form. */
static val range_walk(struct vm *vm, int64_t start, int64_t step, int64_t n) {
    val v = iter_make(vm, TYPE_VAL(range_iterator), ITER_RANGE, VAL_NONE);
    if (!v) return VAL_UNSET;
    struct oiter *it = iter_at(vm, v);
    it->pos = (uint64_t)start;
    it->extra[0] = val_of_int(n);
    it->extra[1] = val_of_int(step);
    return v;
}

static bool fits_walk(int64_t start, int64_t step, int64_t n) {
    int64_t last;
    return val_int_fits(start) && val_int_fits(step) && val_int_fits(n) &&
           !__builtin_mul_overflow(step, n, &last) &&
           !__builtin_add_overflow(last, start, &last) && val_int_fits(last);
}

static val range_iter(struct vm *vm, val range, bool back) {
    const struct orange *r = heap_at(&vm->heap, range);
    int64_t start, step, n;
    val len = range_len(vm, range);
    if (!len) return VAL_UNSET;
    if (!int_get(vm, r->start, &start) && !int_get(vm, r->step, &step) &&
        !int_get(vm, len, &n) && fits_walk(start, step, n)) {
        if (!back) return range_walk(vm, start, step, n);
        return range_walk(vm, start + (n - 1) * step, -step, n);
    }
    val source = range;
    if (back) {
        source = range_slice(vm, range,
                             slice_new(vm, VAL_NONE, VAL_NONE, val_of_int(-1)));
        if (!source) return VAL_UNSET;
    }
    val v = iter_make(vm, TYPE_VAL(longrange_iterator), ITER_RANGE_BIG, source);
    if (!v) return VAL_UNSET;
    iter_at(vm, v)->extra[0] = val_of_int(0);
    iter_at(vm, v)->extra[1] = len;
    return v;
}

static val dict_iter(struct vm *vm, val dict, unsigned what, bool back) {
    static const enum type_id types[2][3] = {
        {TYPE_ID_dict_keyiterator, TYPE_ID_dict_valueiterator,
         TYPE_ID_dict_itemiterator},
        {TYPE_ID_dict_reversekeyiterator, TYPE_ID_dict_reversevalueiterator,
         TYPE_ID_dict_reverseitemiterator},
    };
    enum iter_what first = back ? ITER_KEYS_BACK : ITER_KEYS;
    val v = iter_make(vm, TYPE_AT(types[back][what]),
                      (enum iter_what)(first + what), dict);
    if (!v) return VAL_UNSET;
    struct oiter *it = iter_at(vm, v);
    it->extra[0] = val_of_int((int64_t)dict_at(vm, dict)->len);
    if (back) it->pos = dict_at(vm, dict)->used;
    return v;
}

static val set_iter(struct vm *vm, val set) {
    val v = iter_make(vm, TYPE_VAL(set_iterator), ITER_SET, set);
    if (!v) return VAL_UNSET;
    iter_at(vm, v)->extra[0] = val_of_int((int64_t)set_at(vm, set)->len);
    return v;
}

static val bytes_iter(struct vm *vm, val v) {
    bool mutable = vm_obj(vm, v)->flags & OBJ_MUTABLE;
    return iter_make(
        vm, mutable ? TYPE_VAL(bytearray_iterator) : TYPE_VAL(bytes_iterator),
        ITER_BYTES, v);
}

static val not_iterable(struct vm *vm, val v) {
    return vm_raise(vm, EXC_TypeError, "'%s' object is not iterable",
                    vm_type_name(vm, v));
}

val iter_new(struct vm *vm, val v) {
    if (special_of(vm, v, SPECIAL_ITER)) return vm_slow(vm);
    return kind_iter(vm, v);
}

val kind_iter(struct vm *vm, val v) {
    if (!val_is_ref(v)) return not_iterable(vm, v);
    switch ((int)vm_obj(vm, v)->kind) {
    case KIND_LIST: return iter_make(vm, TYPE_VAL(list_iterator), ITER_LIST, v);
    case KIND_TUPLE:
        return iter_make(vm, TYPE_VAL(tuple_iterator), ITER_TUPLE, v);
    case KIND_STR: return iter_make(vm, TYPE_VAL(str_iterator), ITER_TEXT, v);
    case KIND_BYTES: return bytes_iter(vm, v);
    case KIND_RANGE: return range_iter(vm, v, false);
    case KIND_DICT: return dict_iter(vm, v, 0, false);
    case KIND_SET: return set_iter(vm, v);
    case KIND_VIEW: {
        const struct oview *w = heap_at(&vm->heap, v);
        return dict_iter(vm, w->dict, (unsigned)w->what, false);
    }
    case KIND_ITER:
    case KIND_GENERATOR: return v;
    default: break;
    }
    if (special_of(vm, v, SPECIAL_GETITEM) || vm_is(vm, v, KIND_TYPE))
        return vm_slow(vm);
    return not_iterable(vm, v);
}

static val back_from(struct vm *vm, val type, enum iter_what what, val v,
                     uint64_t pos) {
    val it = iter_make(vm, type, what, v);
    if (it) iter_at(vm, it)->pos = pos;
    return it;
}

val iter_reversed(struct vm *vm, val v) {
    if (special_of(vm, v, SPECIAL_REVERSED)) return vm_slow(vm);
    return kind_reversed(vm, v);
}

val kind_reversed(struct vm *vm, val v) {
    switch (val_is_ref(v) ? (int)vm_obj(vm, v)->kind : -1) {
    case KIND_LIST:
        return back_from(vm, TYPE_VAL(list_reverseiterator), ITER_LIST_BACK, v,
                         list_len(vm, v));
    case KIND_TUPLE:
        return back_from(vm, TYPE_VAL(reversed), ITER_SEQUENCE_BACK, v,
                         tuple_len(vm, v));
    case KIND_STR:
        return back_from(vm, TYPE_VAL(reversed), ITER_TEXT_BACK, v,
                         text_get(vm, v).n);
    case KIND_BYTES:
        return back_from(vm, TYPE_VAL(reversed), ITER_SEQUENCE_BACK, v,
                         bytes_get(vm, v).n);
    case KIND_RANGE: return range_iter(vm, v, true);
    case KIND_DICT: return dict_iter(vm, v, 0, true);
    case KIND_VIEW: {
        const struct oview *w = heap_at(&vm->heap, v);
        return dict_iter(vm, w->dict, (unsigned)w->what, true);
    }
    default: break;
    }
    if (special_of(vm, v, SPECIAL_GETITEM)) return vm_slow(vm);
    return vm_raise(vm, EXC_TypeError, "'%s' object is not reversible",
                    vm_type_name(vm, v));
}

/* -- stepping ---------------------------------------------------------------
 */

static enum iter_step ended(struct oiter *it) {
    it->source = VAL_UNSET;
    return ITER_END;
}

static enum iter_step next_text(struct vm *vm, struct oiter *it, val *item) {
    str s = text_get(vm, it->source);
    if (it->pos >= s.n) return ended(it);
    unsigned char c = (unsigned char)s.p[it->pos];
    if (c < 0x80) {
        it->pos++;
        *item = CHAR_VAL(c);
        return ITER_ITEM;
    }
    uint32_t cp = 0;
    size_t n = utf8_decode_loose(s.p + it->pos, s.n - it->pos, &cp);
    *item = text_char(vm, cp);
    if (!*item) return ITER_RAISED;
    it->pos += n;
    return ITER_ITEM;
}

static enum iter_step next_text_back(struct vm *vm, struct oiter *it,
                                     val *item) {
    str s = text_get(vm, it->source);
    if (it->pos == 0) return ended(it);
    uint64_t at = it->pos - 1;
    while (at > 0 && ((unsigned char)s.p[at] & 0xc0) == 0x80)
        at--;
    uint32_t cp = 0;
    utf8_decode_loose(s.p + at, s.n - at, &cp);
    *item = text_char(vm, cp);
    if (!*item) return ITER_RAISED;
    it->pos = at;
    return ITER_ITEM;
}

static enum iter_step next_range(struct vm *vm, struct oiter *it, val *item) {
    (void)vm;
    int64_t left = val_int(it->extra[0]);
    if (left <= 0) return ended(it);
    *item = val_of_int((int64_t)it->pos);
    it->pos += (uint64_t)val_int(it->extra[1]);
    it->extra[0] = val_of_int(left - 1);
    return ITER_ITEM;
}

static enum iter_step next_range_big(struct vm *vm, struct oiter *it,
                                     val *item) {
    if (int_cmp(vm, it->extra[0], it->extra[1]) >= 0) return ended(it);
    *item = range_item(vm, it->source, it->extra[0]);
    val next = *item ? int_add(vm, it->extra[0], val_of_int(1)) : VAL_UNSET;
    if (!next) return ITER_RAISED;
    it->extra[0] = next;
    return ITER_ITEM;
}

static enum iter_step give_entry(struct vm *vm, struct oiter *it, unsigned what,
                                 uint64_t entry, val *item) {
    val pair[2] = {VAL_UNSET, VAL_UNSET};
    if (what != 1) pair[0] = dict_key_at(vm, it->source, entry);
    if (what != 0) pair[1] = *dict_value_at(vm, it->source, entry);
    *item = what == 2 ? tuple_new(vm, pair, 2) : pair[what];
    return *item ? ITER_ITEM : ITER_RAISED;
}

static enum iter_step changed_size(struct vm *vm, const char *what) {
    vm_raise(vm, EXC_RuntimeError, "%s changed size during iteration", what);
    return ITER_RAISED;
}

static enum iter_step next_entry(struct vm *vm, struct oiter *it, val *item) {
    const struct odict *d = dict_at(vm, it->source);
    if ((int64_t)d->len != val_int(it->extra[0]))
        return changed_size(vm, "dictionary");
    uint64_t from = it->pos ? it->pos : dict_first(vm, d), at = from;
    while (at < d->used && !dict_key_at(vm, it->source, at))
        at++;
    vm_spend(vm, (at - from) * 2);
    if (at >= d->used) return ended(it);
    enum iter_step got = give_entry(vm, it, it->what - ITER_KEYS, at, item);
    if (got == ITER_ITEM) it->pos = at + 1;
    return got;
}

static enum iter_step next_entry_back(struct vm *vm, struct oiter *it,
                                      val *item) {
    const struct odict *d = dict_at(vm, it->source);
    if ((int64_t)d->len != val_int(it->extra[0]))
        return changed_size(vm, "dictionary");
    uint64_t from = it->pos < d->used ? it->pos : d->used, at = from;
    while (at > 0 && !dict_key_at(vm, it->source, at - 1))
        at--;
    vm_spend(vm, (from - at) * 2);
    if (at == 0) return ended(it);
    enum iter_step got =
        give_entry(vm, it, it->what - ITER_KEYS_BACK, at - 1, item);
    if (got == ITER_ITEM) it->pos = at - 1;
    return got;
}

static enum iter_step next_set(struct vm *vm, struct oiter *it, val *item) {
    if ((int64_t)set_at(vm, it->source)->len != val_int(it->extra[0]))
        return changed_size(vm, "Set");
    uint64_t from = it->pos;
    bool found = set_next(vm, it->source, &it->pos, item);
    vm_spend(vm, it->pos - from);
    return found ? ITER_ITEM : ended(it);
}

static enum iter_step next_list(struct vm *vm, struct oiter *it, val *item) {
    if (it->pos >= list_len(vm, it->source)) return ended(it);
    *item = list_items(vm, it->source)[it->pos++];
    return ITER_ITEM;
}

val iter_over_deque(struct vm *vm, val items) {
    const struct olist *l = heap_at(&vm->heap, items);
    val v = iter_make(vm, TYPE_VAL(list_iterator), ITER_DEQUE, items);
    if (!v) return VAL_UNSET;
    iter_at(vm, v)->extra[0] = val_of_int((int64_t)l->len);
    iter_at(vm, v)->extra[1] = val_of_int((int64_t)l->head);
    return v;
}

static enum iter_step next_of_deque(struct vm *vm, struct oiter *it,
                                    val *item) {
    const struct olist *l = heap_at(&vm->heap, it->source);
    if ((uint64_t)val_int(it->extra[0]) == l->len &&
        (uint64_t)val_int(it->extra[1]) == l->head)
        return next_list(vm, it, item);
    vm_raise(vm, EXC_RuntimeError, "deque mutated during iteration");
    return ITER_RAISED;
}

static enum iter_step next_list_back(struct vm *vm, struct oiter *it,
                                     val *item) {
    if (it->pos == 0 || it->pos > list_len(vm, it->source)) return ended(it);
    *item = list_items(vm, it->source)[--it->pos];
    return ITER_ITEM;
}

static enum iter_step next_tuple(struct vm *vm, struct oiter *it, val *item) {
    if (it->pos >= tuple_len(vm, it->source)) return ended(it);
    *item = tuple_items(vm, it->source)[it->pos++];
    return ITER_ITEM;
}

static enum iter_step next_bytes(struct vm *vm, struct oiter *it, val *item) {
    str s = bytes_get(vm, it->source);
    if (it->pos >= s.n) return ended(it);
    *item = val_of_int((unsigned char)s.p[it->pos++]);
    return ITER_ITEM;
}

static enum iter_step next_sequence_back(struct vm *vm, struct oiter *it,
                                         val *item) {
    if (it->pos == 0) return ended(it);
    val v = value_getitem(vm, it->source, val_of_int((int64_t)it->pos - 1));
    if (!v) return ITER_RAISED;
    it->pos--;
    *item = v;
    return ITER_ITEM;
}

static enum iter_step next_enumerate(struct vm *vm, struct oiter *it,
                                     val *item) {
    val count = it->extra[0];
    val pair[2] = {VAL_UNSET, VAL_UNSET}, t = tuple_new(vm, pair, 2);
    val next = VAL_UNSET;
    if (t)
        next = val_is_int(count) && val_int(count) < INT_INLINE_MAX
                   ? count + 2 /* one more, tagged */
                   : int_add(vm, count, val_of_int(1));
    if (!next) return ITER_RAISED;
    val *items = tuple_items(vm, t);
    enum iter_step got = iter_next(vm, it->source, &items[1]);
    if (got != ITER_ITEM) return got;
    items[0] = count;
    it->extra[0] = next;
    *item = t;
    return ITER_ITEM;
}

static void zip_mismatch(struct vm *vm, size_t i, const char *how) {
    if (i == 1)
        vm_raise(vm, EXC_ValueError, "zip() argument 2 is %s than argument 1",
                 how);
    else
        vm_raise(vm, EXC_ValueError,
                 "zip() argument %zu is %s than arguments 1-%zu", i + 1, how,
                 i);
}

/* The i-th iterator ended: with strict the others must have, too. */
static enum iter_step zip_end(struct vm *vm, struct oiter *it, size_t i) {
    const val *sources = tuple_items(vm, it->source);
    uint32_t n = tuple_len(vm, it->source);
    bool strict = it->state;
    it->source = VAL_UNSET;
    if (!strict) return ITER_END;
    if (i > 0) {
        zip_mismatch(vm, i, "shorter");
        return ITER_RAISED;
    }
    for (size_t k = 1; k < n; k++) {
        val ignored;
        enum iter_step got = iter_next(vm, sources[k], &ignored);
        if (got == ITER_RAISED) return got;
        if (got == ITER_END) continue;
        zip_mismatch(vm, k, "longer");
        return ITER_RAISED;
    }
    return ITER_END;
}

static enum iter_step next_zip(struct vm *vm, struct oiter *it, val *item) {
    uint32_t n = tuple_len(vm, it->source);
    const val *sources = tuple_items(vm, it->source);
    if (n == 0) return ended(it);
    val *out;
    val t = tuple_alloc(vm, n, &out);
    if (!t) return ITER_RAISED;
    for (uint32_t i = 0; i < n; i++) {
        enum iter_step got = iter_next(vm, sources[i], &out[i]);
        if (got == ITER_RAISED) return got;
        if (got == ITER_END) return zip_end(vm, it, i);
    }
    *item = t;
    return ITER_ITEM;
}

enum iter_step iter_next(struct vm *vm, val iter, val *item) {
    if (!vm_is(vm, iter, KIND_ITER)) {
        vm_slow(vm);
        return ITER_RAISED;
    }
    struct oiter *it = iter_at(vm, iter);
    if (!it->source) return ITER_END;
    switch ((enum iter_what)it->what) {
    case ITER_LIST: return next_list(vm, it, item);
    case ITER_DEQUE: return next_of_deque(vm, it, item);
    case ITER_LIST_BACK: return next_list_back(vm, it, item);
    case ITER_TUPLE: return next_tuple(vm, it, item);
    case ITER_TEXT: return next_text(vm, it, item);
    case ITER_TEXT_BACK: return next_text_back(vm, it, item);
    case ITER_BYTES: return next_bytes(vm, it, item);
    case ITER_RANGE: return next_range(vm, it, item);
    case ITER_RANGE_BIG: return next_range_big(vm, it, item);
    case ITER_KEYS:
    case ITER_VALUES:
    case ITER_ITEMS: return next_entry(vm, it, item);
    case ITER_KEYS_BACK:
    case ITER_VALUES_BACK:
    case ITER_ITEMS_BACK: return next_entry_back(vm, it, item);
    case ITER_SET: return next_set(vm, it, item);
    case ITER_ENUMERATE: return next_enumerate(vm, it, item);
    case ITER_ZIP: return next_zip(vm, it, item);
    case ITER_SEQUENCE_BACK: return next_sequence_back(vm, it, item);
    case ITER_FRAME:
    case ITER_ASEND: break;
    }
    vm_slow(vm);
    return ITER_RAISED;
}

/* -- draining ---------------------------------------------------------------
 */

uint64_t iter_hint(struct vm *vm, val iter) {
    const struct oiter *it = iter_at(vm, iter);
    if (!it->source) return 0;
    uint64_t n = 0;
    switch ((int)it->what) {
    case ITER_DEQUE:
    case ITER_LIST: n = list_len(vm, it->source); break;
    case ITER_TUPLE: n = tuple_len(vm, it->source); break;
    case ITER_RANGE: return (uint64_t)val_int(it->extra[0]);
    case ITER_LIST_BACK:
    case ITER_SEQUENCE_BACK: return it->pos;
    case ITER_KEYS:
    case ITER_VALUES:
    case ITER_ITEMS:
    case ITER_SET: return (uint64_t)val_int(it->extra[0]);
    case ITER_BYTES: n = bytes_get(vm, it->source).n; break;
    case ITER_ENUMERATE: return iter_hint(vm, it->source);
    default: return 0;
    }
    return n > it->pos ? n - it->pos : 0;
}

/* Where an iterator and those nested in it stand, to go back there. */
struct places {
    size_t n;
    struct {
        val iter;
        struct oiter was;
    } at[ITER_NESTING + 2];
};

/* False: more are nested than C steps through. */
static bool remember(const struct vm *vm, val iter, struct places *p) {
    const struct oiter *it = iter_at(vm, iter);
    if (p->n == sizeof p->at / sizeof p->at[0]) return false;
    p->at[p->n].iter = iter;
    p->at[p->n++].was = *it;
    if (!it->source) return true;
    if (it->what == ITER_ENUMERATE) return remember(vm, it->source, p);
    if (it->what != ITER_ZIP) return true;
    for (uint32_t i = 0; i < tuple_len(vm, it->source); i++)
        if (!remember(vm, tuple_items(vm, it->source)[i], p)) return false;
    return true;
}

static void go_back(const struct vm *vm, const struct places *p) {
    for (size_t i = 0; i < p->n; i++)
        *iter_at(vm, p->at[i].iter) = p->at[i].was;
}

val iter_drain(struct vm *vm, val iter) {
    struct places before;
    before.n = 0;
    if (iter_at(vm, iter)->what == ITER_FRAME || !remember(vm, iter, &before))
        return vm_slow(vm);
    uint64_t n = iter_hint(vm, iter);
    if (n > vm->heap.limit / sizeof(val))
        return vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    val list = list_new(vm, NULL, 0), item;
    if (!list || (n && list_reserve(vm, list, n))) return VAL_UNSET;
    for (uint64_t i = 0;; i++) {
        enum iter_step got = iter_next(vm, iter, &item);
        if (got == ITER_END) return list;
        if (got == ITER_RAISED || (i % 64 == 63 && !vm_charge(vm, 64)) ||
            list_append(vm, list, item)) {
            go_back(vm, &before);
            return VAL_UNSET;
        }
    }
}
