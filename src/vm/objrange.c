/* SPDX-License-Identifier: MIT */
#include "vm/bigint.h"
#include "vm/seq.h"
#include "vm/slots.h"

static const struct orange *range_at(const struct vm *vm, val range) {
    return heap_kind(&vm->heap, range, KIND_RANGE);
}

val range_new(struct vm *vm, val start, val stop, val step) {
    struct orange *r = heap_new(vm, KIND_RANGE, TYPE_VAL(range), sizeof *r);
    if (!r) return VAL_UNSET;
    r->start = start;
    r->stop = stop;
    r->step = step;
    return heap_ref(&vm->heap, r);
}

/* floor((stop - start - 1) / step) + 1, at least 0; signs turned for a negative
 * step. */
static val big_len(struct vm *vm, val start, val stop, val step) {
    bool down = int_sign(vm, step) < 0;
    val span = down ? int_sub(vm, start, stop) : int_sub(vm, stop, start);
    val by = down ? int_neg(vm, step) : step, q;
    if (!span || !by) return VAL_UNSET;
    if (int_sign(vm, span) <= 0) return val_of_int(0);
    span = int_sub(vm, span, val_of_int(1));
    if (!span || int_divmod(vm, span, by, &q, NULL, "")) return VAL_UNSET;
    return int_add(vm, q, val_of_int(1));
}

val range_len(struct vm *vm, val range) {
    const struct orange *r = range_at(vm, range);
    if (!val_both_int(r->start, r->stop) || r->step != val_of_int(1))
        return big_len(vm, r->start, r->stop, r->step);
    int64_t n = val_int(r->stop) - val_int(r->start);
    return n > 0 ? int_new(vm, n) : val_of_int(0);
}

val range_item(struct vm *vm, val range, val index) {
    const struct orange *r = range_at(vm, range);
    val offset = int_mul(vm, index, r->step);
    return offset ? int_add(vm, r->start, offset) : VAL_UNSET;
}

val range_slice(struct vm *vm, val range, val slice) {
    const struct orange *r = range_at(vm, range);
    val n = range_len(vm, range), at[3];
    if (!n || !slice || slice_far(vm, slice, n, at)) return VAL_UNSET;
    val by = int_mul(vm, r->step, at[2]);
    val from = range_item(vm, range, at[0]);
    val to = range_item(vm, range, at[1]);
    return by && from && to ? range_new(vm, from, to, by) : VAL_UNSET;
}

val range_find(struct vm *vm, val range, val item, bool *found) {
    const struct orange *r = range_at(vm, range);
    val n = range_len(vm, range), q, rem;
    val offset = n ? int_sub(vm, item, r->start) : VAL_UNSET;
    if (!offset || int_divmod(vm, offset, r->step, &q, &rem, ""))
        return VAL_UNSET;
    *found =
        int_sign(vm, rem) == 0 && int_sign(vm, q) >= 0 && int_cmp(vm, q, n) < 0;
    return q;
}

/* -- methods ----------------------------------------------------------------
 */

/* An argument as exactly an int; VAL_UNSET: raised or slow. */
static val int_argument(struct vm *vm, val v) {
    if (int_is(vm, v)) return int_plain(vm, v);
    if (special_of(vm, v, SPECIAL_INDEX)) return vm_slow(vm);
    return vm_raise(vm, EXC_TypeError,
                    "'%s' object cannot be interpreted as an integer",
                    vm_type_name(vm, v));
}

static val range_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val start = int_argument(vm, args[1]), stop, step = val_of_int(1);
    if (!start) return VAL_UNSET;
    if (!args[2]) return range_new(vm, val_of_int(0), start, step);
    if (!(stop = int_argument(vm, args[2]))) return VAL_UNSET;
    if (args[3] && !(step = int_argument(vm, args[3]))) return VAL_UNSET;
    if (int_sign(vm, step) == 0)
        return vm_raise(vm, EXC_ValueError, "range() arg 3 must not be zero");
    return range_new(vm, start, stop, step);
}

static val range_count(struct vm *vm, const val *args, size_t n) {
    (void)n;
    bool found = false;
    if (int_is(vm, args[1])) {
        if (!range_find(vm, args[0], args[1], &found)) return VAL_UNSET;
        return val_of_int(found);
    }
    int in = value_contains(vm, args[0], args[1]);
    return in < 0 ? VAL_UNSET : val_of_int(in);
}

static val range_index(struct vm *vm, const val *args, size_t n) {
    (void)n;
    bool found = false;
    if (!int_is(vm, args[1])) {
        const val *items;
        uint64_t len;
        if (value_items(vm, args[0], &items, &len)) return VAL_UNSET;
        for (uint64_t i = 0; i < len; i++) {
            int same = value_equal(vm, items[i], args[1]);
            if (same) return same < 0 ? VAL_UNSET : val_of_int((int64_t)i);
        }
        return vm_raise(vm, EXC_ValueError,
                        "sequence.index(x): x not in sequence");
    }
    val q = range_find(vm, args[0], args[1], &found);
    if (!q || found) return q;
    val text = value_repr(vm, args[1]);
    if (!text) return VAL_UNSET;
    return vm_raise(vm, EXC_ValueError, "%.*s is not in range",
                    STR_ARG(text_get(vm, text)));
}

static val range_start(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return range_at(vm, args[0])->start;
}

static val range_stop(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return range_at(vm, args[0])->stop;
}

static val range_step(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return range_at(vm, args[0])->step;
}

static const struct native methods[] = {
    {"__new__", "cls, start, stop=None, step=1, /", range_make,
     "The ints from start up to, not including, stop.", "_range_new"},
    {"count", "self, value, /", range_count, "How often value occurs.",
     "_seq_count"},
    {"index", "self, value, /", range_index, "Index of value.", "_seq_index"},
#define SLOTS_SEQUENCE
#define SLOTS_COMPARE
#define SLOTS_HASH
#define SLOTS_REVERSED
#include "vm/slots.def"
    {0},
};

static const struct native getters[] = {
    {"start", "self", range_start, "The first value.", NULL},
    {"stop", "self", range_stop, "The value that ends it.", NULL},
    {"step", "self", range_step, "The distance of neighbours.", NULL},
    {0},
};

const struct native_type native_range = {
    "range",
    KIND_RANGE,
    NULL,
    TYPE_FINAL,
    methods,
    getters,
    "An immutable arithmetic sequence of ints.",
};
