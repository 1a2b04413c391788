/* SPDX-License-Identifier: MIT
 *
 * Equality and order of builtin values, and membership. */
#include "vm/compare.h"

#include "vm/bigint.h"
#include "vm/dict.h"
#include "vm/iter.h"
#include "vm/seq.h"
#include "vm/set.h"
#include "vm/text.h"

#include <math.h>
#include <stdio.h>

/* -- helpers ----------------------------------------------------------------
 */

/* The truth of `c op 0`. */
static val by_sign(enum op op, int c) {
    switch ((int)op) {
    case OP_EQ: return val_of_bool(c == 0);
    case OP_NE: return val_of_bool(c != 0);
    case OP_LT: return val_of_bool(c < 0);
    case OP_LE: return val_of_bool(c <= 0);
    case OP_GT: return val_of_bool(c > 0);
    default: return val_of_bool(c >= 0);
    }
}

static val by_order(enum op op, double a, double b) {
    switch ((int)op) {
    case OP_EQ: return val_of_bool(a == b);
    case OP_NE: return val_of_bool(a != b);
    case OP_LT: return val_of_bool(a < b);
    case OP_LE: return val_of_bool(a <= b);
    case OP_GT: return val_of_bool(a > b);
    default: return val_of_bool(a >= b);
    }
}

static enum special special_for(enum op op) {
    return (enum special)(SPECIAL_EQ + (op - OP_EQ));
}

enum op compare_reflected(enum op op) {
    switch ((int)op) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

/* Python code decides about these two. */
static bool in_python(const struct vm *vm, enum op op, val a, val b) {
    if (op == OP_NE &&
        (special_of(vm, a, SPECIAL_EQ) || special_of(vm, b, SPECIAL_EQ)))
        return true;
    return special_of(vm, a, special_for(op)) ||
           special_of(vm, b, special_for(compare_reflected(op)));
}

static enum kind kind_of(const struct vm *vm, val v) {
    if (val_is_int(v)) return KIND_INT;
    if (val_is_real(v)) return KIND_REAL;
    enum kind k = (enum kind)vm_obj(vm, v)->kind;
    return k == KIND_BOOL ? KIND_INT : k;
}

/* Gives up an operation that nests too deeply for C. */
static val too_deep(struct vm *vm) {
    return vm_slow(vm);
}

/* -- numbers ----------------------------------------------------------------
 */

static val compare_int_real(const struct vm *vm, enum op op, val i, double d) {
    if (isnan(d)) return val_of_bool(op == OP_NE);
    return by_sign(op, int_cmp_real(vm, i, d));
}

static val compare_complex(const struct vm *vm, enum op op, val a, val b) {
    if (op != OP_EQ && op != OP_NE) return VAL_NOTIMPLEMENTED;
    const struct ocomplex *c = heap_at(&vm->heap, a);
    bool same;
    enum kind k = kind_of(vm, b);
    if (k == KIND_COMPLEX) {
        const struct ocomplex *d = heap_at(&vm->heap, b);
        same = c->re == d->re && c->im == d->im;
    } else if (k == KIND_REAL) {
        same = c->im == 0 && c->re == float_get(vm, b);
    } else {
        same = c->im == 0 && !isnan(c->re) && !int_cmp_real(vm, b, c->re);
    }
    return val_of_bool(same == (op == OP_EQ));
}

static bool number_kind(enum kind k) {
    return k == KIND_INT || k == KIND_REAL || k == KIND_COMPLEX;
}

static val compare_numbers(struct vm *vm, enum op op, val a, val b) {
    enum kind x = kind_of(vm, a), y = kind_of(vm, b);
    if (x == KIND_COMPLEX) return compare_complex(vm, op, a, b);
    if (y == KIND_COMPLEX) return compare_complex(vm, op, b, a);
    if (x == KIND_INT && y == KIND_INT) {
        vm_spend(vm, int_limbs(vm, a) / 2);
        return by_sign(op, int_cmp(vm, a, b));
    }
    if (x == KIND_INT) return compare_int_real(vm, op, a, float_get(vm, b));
    if (y == KIND_INT)
        return compare_int_real(vm, compare_reflected(op), b, float_get(vm, a));
    return by_order(op, float_get(vm, a), float_get(vm, b));
}

/* -- sequences --------------------------------------------------------------
 */

static int bytewise(struct vm *vm, str a, str b) {
    vm_spend(vm, (a.n < b.n ? a.n : b.n) / 16);
    int c = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* UTF-8 sorts as its code points do. */
static val compare_text(struct vm *vm, enum op op, val a, val b) {
    if (op == OP_EQ || op == OP_NE)
        return val_of_bool(text_equal(vm, a, b) == (op == OP_EQ));
    return by_sign(op, bytewise(vm, text_get(vm, a), text_get(vm, b)));
}

static val compare_bytes(struct vm *vm, enum op op, str a, str b) {
    bool equality = op == OP_EQ || op == OP_NE;
    if (equality && a.n != b.n) return val_of_bool(op == OP_NE);
    return by_sign(op, bytewise(vm, a, b));
}

static val compare_spans(struct vm *vm, enum op op, const val *a, uint64_t n,
                         const val *b, uint64_t m) {
    bool equality = op == OP_EQ || op == OP_NE;
    if (equality && n != m) return val_of_bool(op == OP_NE);
    uint64_t both = n < m ? n : m;
    if (!vm_charge(vm, both)) return VAL_UNSET;
    for (uint64_t i = 0; i < both; i++) {
        int same = value_equal(vm, a[i], b[i]);
        if (same < 0 || !vm_go_on(vm)) return VAL_UNSET;
        if (same) continue;
        if (equality) return val_of_bool(op == OP_NE);
        return compare_rich(vm, op, a[i], b[i]);
    }
    return by_sign(op, (n > m) - (n < m));
}

static val compare_seq(struct vm *vm, enum op op, val a, val b) {
    if (!vm_enter(vm)) return too_deep(vm);
    val r;
    if (vm_is(vm, a, KIND_LIST))
        r = compare_spans(vm, op, list_items(vm, a), list_len(vm, a),
                          list_items(vm, b), list_len(vm, b));
    else
        r = compare_spans(vm, op, tuple_items(vm, a), tuple_len(vm, a),
                          tuple_items(vm, b), tuple_len(vm, b));
    vm_leave(vm);
    return r;
}

static val compare_slices(struct vm *vm, enum op op, val a, val b) {
    const struct oslice *x = heap_at(&vm->heap, a), *y = heap_at(&vm->heap, b);
    const val s[3] = {x->start, x->stop, x->step};
    const val t[3] = {y->start, y->stop, y->step};
    return compare_spans(vm, op, s, 3, t, 3);
}

/* Equal as sequences: same length, and same start and step where they matter.
 */
static val compare_ranges(struct vm *vm, enum op op, val a, val b) {
    if (op != OP_EQ && op != OP_NE) return VAL_NOTIMPLEMENTED;
    const struct orange *x = heap_at(&vm->heap, a), *y = heap_at(&vm->heap, b);
    val n = range_len(vm, a), m = range_len(vm, b);
    if (!n || !m) return VAL_UNSET;
    bool same = int_cmp(vm, n, m) == 0;
    if (same && int_sign(vm, n) > 0) same = !int_cmp(vm, x->start, y->start);
    if (same && int_cmp(vm, n, val_of_int(1)) > 0)
        same = !int_cmp(vm, x->step, y->step);
    return val_of_bool(same == (op == OP_EQ));
}

/* -- dicts and sets ---------------------------------------------------------
 */

static int equal_entries(struct vm *vm, val a, val b) {
    if (dict_at(vm, a)->len != dict_at(vm, b)->len) return 0;
    if (!vm_charge(vm, dict_at(vm, a)->len)) return -1;
    val k, v, other;
    for (uint64_t i = 0; dict_next(vm, a, &i, &k, &v);) {
        int found = dict_get(vm, b, k, &other);
        int same = found > 0 ? value_equal(vm, v, other) : found;
        if (same <= 0) return same;
        if (!vm_go_on(vm)) return -1;
    }
    return 1;
}

static val compare_dicts(struct vm *vm, enum op op, val a, val b) {
    if (op != OP_EQ && op != OP_NE) return VAL_NOTIMPLEMENTED;
    if (!vm_enter(vm)) return too_deep(vm);
    int same = equal_entries(vm, a, b);
    vm_leave(vm);
    return same < 0 ? VAL_UNSET : val_of_bool(same == (op == OP_EQ));
}

static bool sizes_allow(enum op op, uint64_t n, uint64_t m) {
    return op == OP_EQ || op == OP_NE ? n == m
           : op == OP_LT              ? n < m
           : op == OP_GT              ? n > m
                                      : true;
}

val compare_sets(struct vm *vm, enum op op, val a, val b) {
    uint64_t n = set_at(vm, a)->len, m = set_at(vm, b)->len;
    bool turn = op == OP_GT || op == OP_GE;
    int sub =
        sizes_allow(op, n, m) ? set_subset(vm, turn ? b : a, turn ? a : b) : 0;
    if (sub < 0) return VAL_UNSET;
    return val_of_bool(op == OP_NE ? !sub : sub);
}

static bool set_like(const struct vm *vm, val v) {
    if (vm_is(vm, v, KIND_SET)) return true;
    return vm_is(vm, v, KIND_VIEW) &&
           ((struct oview *)heap_at(&vm->heap, v))->what != 1;
}

/* Each item of one is in the other; items of a dict need not be hashable. */
static int all_within(struct vm *vm, val a, val b) {
    val it = iter_new(vm, a), item;
    if (!it) return -1;
    for (;;) {
        enum iter_step step = iter_next(vm, it, &item);
        if (step != ITER_ITEM) return step == ITER_END ? 1 : -1;
        int found = kind_contains(vm, b, item);
        if (found <= 0) return found;
        if (!vm_charge(vm, 1)) return -1;
    }
}

/* A view compared with a set or another view. */
static val compare_views(struct vm *vm, enum op op, val a, val b) {
    int64_t n = value_len(vm, a), m = value_len(vm, b);
    bool turn = op == OP_GT || op == OP_GE;
    int sub = sizes_allow(op, (uint64_t)n, (uint64_t)m)
                  ? all_within(vm, turn ? b : a, turn ? a : b)
                  : 0;
    if (sub < 0) return VAL_UNSET;
    return val_of_bool(op == OP_NE ? !sub : sub);
}

/* -- all kinds --------------------------------------------------------------
 */

static bool same_native(const struct vm *vm, val a, val b) {
    const struct onative *x = heap_at(&vm->heap, a), *y = heap_at(&vm->heap, b);
    return x->number == y->number && x->self == y->self;
}

static val compare_identity(struct vm *vm, enum op op, val a, val b) {
    if (op != OP_EQ && op != OP_NE) return VAL_NOTIMPLEMENTED;
    bool same = a == b;
    if (!same && vm_is(vm, a, KIND_METHOD) && vm_is(vm, b, KIND_METHOD)) {
        const struct omethod *x = heap_at(&vm->heap, a);
        const struct omethod *y = heap_at(&vm->heap, b);
        same = x->self == y->self && x->func == y->func;
    }
    if (!same && vm_is(vm, a, KIND_NATIVE) && vm_is(vm, b, KIND_NATIVE))
        same = same_native(vm, a, b);
    return val_of_bool(same == (op == OP_EQ));
}

static val compare_same_kind(struct vm *vm, enum op op, enum kind k, val a,
                             val b) {
    switch ((int)k) {
    case KIND_STR: return compare_text(vm, op, a, b);
    case KIND_BYTES:
        return compare_bytes(vm, op, bytes_get(vm, a), bytes_get(vm, b));
    case KIND_LIST:
    case KIND_TUPLE: return compare_seq(vm, op, a, b);
    case KIND_DICT: return compare_dicts(vm, op, a, b);
    case KIND_SET: return compare_sets(vm, op, a, b);
    case KIND_RANGE: return compare_ranges(vm, op, a, b);
    case KIND_SLICE: return compare_slices(vm, op, a, b);
    default: return compare_identity(vm, op, a, b);
    }
}

val compare_try(struct vm *vm, enum op op, val a, val b) {
    a = value_plain(vm, a);
    b = value_plain(vm, b);
    enum kind x = kind_of(vm, a), y = kind_of(vm, b);
    if (number_kind(x) && number_kind(y)) return compare_numbers(vm, op, a, b);
    if (x == KIND_VIEW || y == KIND_VIEW) {
        val p = dict_proxied(vm, a), q = dict_proxied(vm, b);
        if (p != a || q != b) return compare_try(vm, op, p, q);
        if (set_like(vm, a) && set_like(vm, b))
            return compare_views(vm, op, a, b);
    }
    if (x == y) return compare_same_kind(vm, op, x, a, b);
    if (op != OP_EQ && op != OP_NE) return VAL_NOTIMPLEMENTED;
    return val_of_bool((a == b) == (op == OP_EQ));
}

const char *compare_symbol(enum op op) {
    static const char *const symbols[] = {"==", "!=", "<", "<=", ">", ">="};
    return symbols[op - OP_EQ];
}

val compare_rich(struct vm *vm, enum op op, val a, val b) {
    if (in_python(vm, op, a, b)) return vm_slow(vm);
    val r = compare_try(vm, op, a, b);
    if (r != VAL_NOTIMPLEMENTED) return r;
    char left[80];
    snprintf(left, sizeof left, "%s", vm_type_name(vm, a));
    return vm_raise(vm, EXC_TypeError,
                    "'%s' not supported between instances of '%s' and '%s'",
                    compare_symbol(op), left, vm_type_name(vm, b));
}

int value_equal(struct vm *vm, val a, val b) {
    a = value_plain(vm, a);
    b = value_plain(vm, b);
    if (a == b) return 1;
    if (val_both_int(a, b)) return 0;
    if (in_python(vm, OP_EQ, a, b)) {
        vm_slow(vm);
        return -1;
    }
    val r = compare_try(vm, OP_EQ, a, b);
    return r == VAL_UNSET ? -1 : r == VAL_TRUE;
}

/* -- membership -------------------------------------------------------------
 */

static int among(struct vm *vm, const val *items, uint64_t n, val item) {
    for (uint64_t i = 0; i < n; i++) {
        if (i % 64 == 63 && !vm_charge(vm, 64)) return -1;
        int same = value_equal(vm, items[i], item);
        if (same) return same;
        if (!vm_go_on(vm)) return -1;
    }
    return 0;
}

static int text_contains(struct vm *vm, val text, val item) {
    if (!vm_is(vm, item, KIND_STR)) {
        vm_raise(vm, EXC_TypeError,
                 "'in <string>' requires string as left operand, not %s",
                 vm_type_name(vm, item));
        return -1;
    }
    str s = text_get(vm, text), sub = text_get(vm, item);
    if (!vm_charge(vm, s.n / 8)) return -1;
    return sub.n == 0 || memmem(s.p, s.n, sub.p, sub.n) != NULL;
}

/* An iterator is consumed up to the item, as `in` does. */
static int iter_contains(struct vm *vm, val container, val item) {
    val it = iter_new(vm, container), got;
    if (!it) return -1;
    for (;;) {
        enum iter_step step = iter_next(vm, it, &got);
        if (step != ITER_ITEM) return step == ITER_END ? 0 : -1;
        int same = value_equal(vm, got, item);
        if (same || !vm_charge(vm, 1)) return same ? same : -1;
    }
}

static int view_contains(struct vm *vm, val view, val item) {
    const struct oview *w = heap_at(&vm->heap, view);
    val v;
    if (w->what == 0) return dict_get(vm, w->dict, item, &v);
    if (w->what == 1) return iter_contains(vm, view, item);
    if (!vm_is(vm, item, KIND_TUPLE) || tuple_len(vm, item) != 2) return 0;
    const val *pair = tuple_items(vm, item);
    int found = dict_get(vm, w->dict, pair[0], &v);
    return found > 0 ? value_equal(vm, v, pair[1]) : found;
}

static int set_contains(struct vm *vm, val set, val item) {
    val key = set_as_key(vm, item);
    return key ? set_has(vm, set, key) : -1;
}

int value_contains(struct vm *vm, val container, val item) {
    if (special_of(vm, container, SPECIAL_CONTAINS)) {
        vm_slow(vm);
        return -1;
    }
    return kind_contains(vm, container, item);
}

int kind_contains(struct vm *vm, val container, val item) {
    bool found;
    val v;
    switch ((int)kind_of(vm, container)) {
    case KIND_LIST:
        return among(vm, list_items(vm, container), list_len(vm, container),
                     item);
    case KIND_TUPLE:
        return among(vm, tuple_items(vm, container), tuple_len(vm, container),
                     item);
    case KIND_DICT: return dict_get(vm, container, item, &v);
    case KIND_SET: return set_contains(vm, container, item);
    case KIND_STR: return text_contains(vm, container, item);
    case KIND_VIEW: return view_contains(vm, container, item);
    case KIND_BYTES: return bytes_contains(vm, container, item);
    case KIND_RANGE:
        if (!int_is(vm, item)) return iter_contains(vm, container, item);
        v = range_find(vm, container, item, &found);
        return v ? found : -1;
    case KIND_ITER: return iter_contains(vm, container, item);
    default: break;
    }
    if (special_of(vm, container, SPECIAL_ITER) ||
        special_of(vm, container, SPECIAL_GETITEM) ||
        vm_is(vm, container, KIND_GENERATOR) || vm_is(vm, container, KIND_TYPE))
        vm_slow(vm);
    else
        vm_raise(vm, EXC_TypeError, "argument of type '%s' is not iterable",
                 vm_type_name(vm, container));
    return -1;
}
