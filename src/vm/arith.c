/* SPDX-License-Identifier: MIT
 *
 * The operators on builtin values. */
#include "vm/bigint.h"
#include "vm/bytes.h"
#include "vm/dict.h"
#include "vm/format.h"
#include "vm/number.h"
#include "vm/seq.h"
#include "vm/set.h"
#include "vm/text.h"

#include <stdio.h>

static const char *const symbols[] = {"+",  "-",  "*", "/", "//", "%", "**",
                                      "<<", ">>", "&", "|", "^",  "@"};

static bool in_place(enum op op) {
    return op >= OP_IADD && op <= OP_IMATMUL;
}

static enum op plain_op(enum op op) {
    return in_place(op) ? (enum op)(op - OP_IADD + OP_ADD) : op;
}

static enum kind kind_of(const struct vm *vm, val v) {
    if (val_is_int(v)) return KIND_INT;
    if (val_is_real(v)) return KIND_REAL;
    return (enum kind)vm_obj(vm, v)->kind;
}

/* -- numbers ----------------------------------------------------------------
 */

static val int_binary(struct vm *vm, enum op op, val a, val b) {
    val r;
    switch ((int)op) {
    case OP_ADD: return int_add(vm, a, b);
    case OP_SUB: return int_sub(vm, a, b);
    case OP_MUL: return int_mul(vm, a, b);
    case OP_DIV: return int_truediv(vm, a, b);
    case OP_FLOORDIV:
        return int_divmod(vm, a, b, &r, NULL,
                          "integer division or modulo by zero")
                   ? VAL_UNSET
                   : r;
    case OP_MOD:
        return int_divmod(vm, a, b, NULL, &r, "integer modulo by zero")
                   ? VAL_UNSET
                   : r;
    case OP_POW: return arith_power(vm, a, b, VAL_NONE);
    case OP_LSHIFT: return int_lshift(vm, a, b);
    case OP_RSHIFT: return int_rshift(vm, a, b);
    case OP_AND:
    case OP_OR:
    case OP_XOR: return int_bitwise(vm, op, a, b);
    default: return VAL_NOTIMPLEMENTED;
    }
}

static bool is_bool(val v) {
    return v == VAL_TRUE || v == VAL_FALSE;
}

static val bool_bitwise(enum op op, val a, val b) {
    bool x = a == VAL_TRUE, y = b == VAL_TRUE;
    return val_of_bool(op == OP_AND  ? (x && y)
                       : op == OP_OR ? (x || y)
                                     : x != y);
}

static int as_complex(struct vm *vm, val v, struct cplx *out) {
    if (vm_is(vm, v, KIND_COMPLEX)) {
        *out = complex_get(vm, v);
        return 0;
    }
    out->im = 0;
    return number_real(vm, v, &out->re);
}

static val number_binary(struct vm *vm, enum op op, val a, val b) {
    if (int_is(vm, a) && int_is(vm, b)) {
        if (is_bool(a) && is_bool(b) && op >= OP_AND && op <= OP_XOR)
            return bool_bitwise(op, a, b);
        if (is_bool(a)) a = val_of_int(a == VAL_TRUE);
        if (is_bool(b)) b = val_of_int(b == VAL_TRUE);
        return int_binary(vm, op, a, b);
    }
    if (vm_is(vm, a, KIND_COMPLEX) || vm_is(vm, b, KIND_COMPLEX)) {
        struct cplx x, y;
        if (as_complex(vm, a, &x) || as_complex(vm, b, &y)) return VAL_UNSET;
        return complex_binary(vm, op, x, y);
    }
    if (op > OP_POW) return VAL_NOTIMPLEMENTED;
    double x, y;
    if (number_real(vm, a, &x) || number_real(vm, b, &y)) return VAL_UNSET;
    return float_binary(vm, op, x, y);
}

static bool is_number(const struct vm *vm, val v) {
    return int_is(vm, v) || float_is(vm, v) || vm_is(vm, v, KIND_COMPLEX);
}

val arith_power(struct vm *vm, val a, val b, val mod) {
    if (mod && mod != VAL_NONE) {
        if (int_is(vm, a) && int_is(vm, b) && int_is(vm, mod))
            return int_powmod(vm, a, b, mod);
        if (is_number(vm, a) && is_number(vm, b))
            return vm_raise(vm, EXC_TypeError,
                            "pow() 3rd argument not allowed unless all "
                            "arguments are integers");
        return VAL_NOTIMPLEMENTED;
    }
    if (int_is(vm, a) && int_is(vm, b)) {
        if (int_sign(vm, b) >= 0) return int_pow(vm, a, b);
        double x, y;
        if (int_to_real(vm, a, &x) || int_to_real(vm, b, &y)) return VAL_UNSET;
        return float_binary(vm, OP_POW, x, y);
    }
    if (!is_number(vm, a) || !is_number(vm, b)) return VAL_NOTIMPLEMENTED;
    return number_binary(vm, OP_POW, a, b);
}

/* -- sequences --------------------------------------------------------------
 */

static val tuple_concat(struct vm *vm, val a, val b) {
    uint32_t n = tuple_len(vm, a), m = tuple_len(vm, b);
    if (!m && type_of(vm, a) == TYPE_VAL(tuple)) return a;
    if (!n && type_of(vm, b) == TYPE_VAL(tuple)) return b;
    val *out;
    if (!vm_charge(vm, (n + m) / 8)) return VAL_UNSET;
    val t = tuple_alloc(vm, (size_t)n + m, &out);
    if (!t) return VAL_UNSET;
    memcpy(out, tuple_items(vm, a), n * sizeof(val));
    memcpy(out + n, tuple_items(vm, b), m * sizeof(val));
    return t;
}

static val concat(struct vm *vm, val a, val b) {
    enum kind k = kind_of(vm, a);
    if (k != kind_of(vm, b)) return VAL_NOTIMPLEMENTED;
    switch ((int)k) {
    case KIND_STR: return text_concat(vm, a, b);
    case KIND_LIST: return list_concat(vm, a, b);
    case KIND_TUPLE: return tuple_concat(vm, a, b);
    case KIND_BYTES: return bytes_concat(vm, a, b);
    default: return VAL_NOTIMPLEMENTED;
    }
}

static val text_repeat(struct vm *vm, val text, val by) {
    str s = text_get(vm, text);
    uint64_t times;
    if (seq_repeat(vm, by, s.n, 1, &times)) return VAL_UNSET;
    if (times == 0 || s.n == 0) return TEXT_EMPTY_VAL;
    if (times == 1 && type_of(vm, text) == TYPE_VAL(str)) return text;
    char *out;
    val v = text_alloc(vm, s.n * times, text_chars(vm, text) * times, &out);
    if (!v) return VAL_UNSET;
    if (s.n == 1) {
        memset(out, s.p[0], times);
        return v;
    }
    for (uint64_t i = 0; i < times; i++)
        memcpy(out + i * s.n, s.p, s.n);
    return v;
}

static val tuple_repeat(struct vm *vm, val t, val by) {
    uint64_t n = tuple_len(vm, t), times;
    if (seq_repeat(vm, by, n, sizeof(val), &times)) return VAL_UNSET;
    if (times == 0 || n == 0) return VAL_EMPTY_TUPLE;
    if (times == 1 && type_of(vm, t) == TYPE_VAL(tuple)) return t;
    val *out;
    val v = tuple_alloc(vm, n * times, &out);
    for (uint64_t i = 0; v && i < times; i++)
        memcpy(out + i * n, tuple_items(vm, t), n * sizeof(val));
    return v;
}

static val repeat_list(struct vm *vm, val list, val by) {
    uint64_t n = list_len(vm, list), times;
    if (seq_repeat(vm, by, n, sizeof(val), &times)) return VAL_UNSET;
    return list_repeat(vm, list_items(vm, list), n, n ? times : 0);
}

static val repeat(struct vm *vm, val seq, val by) {
    switch ((int)kind_of(vm, seq)) {
    case KIND_STR: return text_repeat(vm, seq, by);
    case KIND_LIST: return repeat_list(vm, seq, by);
    case KIND_TUPLE: return tuple_repeat(vm, seq, by);
    case KIND_BYTES: return bytes_repeat(vm, seq, by);
    default: return VAL_NOTIMPLEMENTED;
    }
}

static bool is_sequence(const struct vm *vm, val v) {
    enum kind k = kind_of(vm, v);
    return k == KIND_STR || k == KIND_LIST || k == KIND_TUPLE ||
           k == KIND_BYTES;
}

static val multiply(struct vm *vm, val a, val b) {
    if (is_sequence(vm, a) && int_is(vm, b)) return repeat(vm, a, b);
    if (is_sequence(vm, b) && int_is(vm, a)) return repeat(vm, b, a);
    if ((is_sequence(vm, a) && special_of(vm, b, SPECIAL_INDEX)) ||
        (is_sequence(vm, b) && special_of(vm, a, SPECIAL_INDEX)))
        return vm_slow(vm);
    return VAL_NOTIMPLEMENTED;
}

/* -- sets and dicts ---------------------------------------------------------
 */

static val set_binary(struct vm *vm, enum op op, val a, val b) {
    switch ((int)op) {
    case OP_OR: return set_or(vm, a, b);
    case OP_AND: return set_and(vm, a, b);
    case OP_SUB: return set_minus(vm, a, b);
    case OP_XOR: return set_xor(vm, a, b);
    default: return VAL_NOTIMPLEMENTED;
    }
}

static val set_in_place(struct vm *vm, enum op op, val a, val b) {
    int bad;
    switch ((int)op) {
    case OP_OR: bad = set_merge(vm, a, b); break;
    case OP_SUB: bad = set_minus_update(vm, a, b); break;
    case OP_XOR: bad = set_xor_update(vm, a, b); break;
    case OP_AND: {
        val r = set_and(vm, a, b);
        bad = !r;
        if (r) set_swap(vm, a, r);
        break;
    }
    default: return VAL_NOTIMPLEMENTED;
    }
    return bad ? VAL_UNSET : a;
}

/* dict_keys and dict_items behave as sets, with any iterable beside them. */
static bool set_view(const struct vm *vm, val v) {
    return vm_is(vm, v, KIND_VIEW) &&
           ((const struct oview *)heap_at(&vm->heap, v))->what != 1 &&
           dict_proxied(vm, v) == v;
}

static val view_binary(struct vm *vm, enum op op, val a, val b) {
    if (op != OP_OR && op != OP_AND && op != OP_SUB && op != OP_XOR)
        return VAL_NOTIMPLEMENTED;
    val x = set_new(vm, false), y = set_new(vm, false);
    if (!x || !y || set_update(vm, x, a) < 0 || set_update(vm, y, b) < 0)
        return VAL_UNSET;
    return set_binary(vm, op, x, y);
}

static val dict_or(struct vm *vm, val a, val b) {
    val r = dict_copy(vm, a);
    return r && !dict_update(vm, r, b) ? r : VAL_UNSET;
}

static val group_binary(struct vm *vm, enum op op, val a, val b) {
    if (vm_is(vm, a, KIND_SET) && vm_is(vm, b, KIND_SET))
        return set_binary(vm, op, a, b);
    if (set_view(vm, a) || (set_view(vm, b) && vm_is(vm, a, KIND_SET)))
        return view_binary(vm, op, a, b);
    val p = dict_proxied(vm, a), q = dict_proxied(vm, b);
    if (op == OP_OR && vm_is(vm, p, KIND_DICT) && vm_is(vm, q, KIND_DICT))
        return dict_or(vm, p, q);
    /* int | None and the like make a union of types. */
    if (op == OP_OR && (vm_is(vm, a, KIND_TYPE) || vm_is(vm, b, KIND_TYPE)))
        return vm_slow(vm);
    return VAL_NOTIMPLEMENTED;
}

/* -- in place ---------------------------------------------------------------
 */

static val list_multiply_in_place(struct vm *vm, val list, val by) {
    uint64_t n = list_len(vm, list), times;
    if (!int_is(vm, by)) return VAL_NOTIMPLEMENTED;
    if (seq_repeat(vm, by, n, sizeof(val), &times)) return VAL_UNSET;
    if (list_resize(vm, list, n * times)) return VAL_UNSET;
    for (uint64_t i = 1; i < times && n; i++)
        memcpy(list_items(vm, list) + i * n, list_items(vm, list),
               n * sizeof(val));
    return list;
}

static val change(struct vm *vm, enum op op, val a, val b) {
    enum kind k = kind_of(vm, a);
    if (k == KIND_LIST && op == OP_ADD)
        return list_extend(vm, a, b) ? VAL_UNSET : a;
    if (k == KIND_LIST && op == OP_MUL) return list_multiply_in_place(vm, a, b);
    if (k == KIND_SET && vm_is(vm, b, KIND_SET) &&
        !(vm_obj(vm, a)->flags & OBJ_FROZEN))
        return set_in_place(vm, op, a, b);
    if (k == KIND_DICT && op == OP_OR) {
        if (!vm_is(vm, b, KIND_DICT)) return vm_slow(vm);
        return dict_update(vm, a, b) ? VAL_UNSET : a;
    }
    if (k == KIND_BYTES && vm_obj(vm, a)->flags & OBJ_MUTABLE)
        return bytes_change(vm, op, a, b);
    return VAL_NOTIMPLEMENTED;
}

/* -- all operators ----------------------------------------------------------
 */

static val remainder_of(struct vm *vm, val a, val b) {
    if (vm_is(vm, a, KIND_STR)) return text_percent(vm, a, b);
    if (vm_is(vm, a, KIND_BYTES)) return bytes_percent(vm, a, b);
    return VAL_NOTIMPLEMENTED;
}

val arith_try(struct vm *vm, enum op op, val a, val b) {
    a = value_plain(vm, a);
    b = value_plain(vm, b);
    if (in_place(op)) {
        val r = change(vm, plain_op(op), a, b);
        if (r != VAL_NOTIMPLEMENTED) return r;
        op = plain_op(op);
    }
    if (is_number(vm, a) && is_number(vm, b))
        return number_binary(vm, op, a, b);
    switch ((int)op) {
    case OP_ADD: return concat(vm, a, b);
    case OP_MUL: return multiply(vm, a, b);
    case OP_MOD: return remainder_of(vm, a, b);
    case OP_OR:
    case OP_AND:
    case OP_SUB:
    case OP_XOR: return group_binary(vm, op, a, b);
    default: return VAL_NOTIMPLEMENTED;
    }
}

static val cannot_concat(struct vm *vm, val a, val b) {
    if (vm_is(vm, a, KIND_BYTES)) {
        char other[80];
        snprintf(other, sizeof other, "%s", vm_type_name(vm, b));
        return vm_raise(vm, EXC_TypeError, "can't concat %s to %s", other,
                        vm_type_name(vm, a));
    }
    const char *name = vm_is(vm, a, KIND_STR)    ? "str"
                       : vm_is(vm, a, KIND_LIST) ? "list"
                                                 : "tuple";
    return vm_raise(vm, EXC_TypeError,
                    "can only concatenate %s (not \"%s\") to %s", name,
                    vm_type_name(vm, b), name);
}

val arith_unsupported(struct vm *vm, enum op op, val a, val b) {
    enum op plain = plain_op(op);
    if (plain == OP_ADD && is_sequence(vm, a)) return cannot_concat(vm, a, b);
    if (plain == OP_MUL && (is_sequence(vm, a) || is_sequence(vm, b)))
        return vm_raise(vm, EXC_TypeError,
                        "can't multiply sequence by non-int of type '%s'",
                        vm_type_name(vm, is_sequence(vm, a) ? b : a));
    char left[80];
    snprintf(left, sizeof left, "%s", vm_type_name(vm, a));
    const char *more = in_place(op) ? "=" : op == OP_POW ? " or pow()" : "";
    return vm_raise(vm, EXC_TypeError,
                    "unsupported operand type(s) for %s%s: '%s' and '%s'",
                    symbols[plain - OP_ADD], more, left, vm_type_name(vm, b));
}

val arith_binary(struct vm *vm, enum op op, val a, val b) {
    val r = arith_try(vm, op, a, b);
    return r == VAL_NOTIMPLEMENTED ? arith_unsupported(vm, op, a, b) : r;
}

static val float_unary(struct vm *vm, enum op op, val a) {
    double d = float_get(vm, a);
    return float_new(vm, op == OP_NEG ? -d : d);
}

static val complex_unary(struct vm *vm, enum op op, val a) {
    struct cplx c = complex_get(vm, a);
    if (op == OP_NEG) return complex_new(vm, -c.re, -c.im);
    return complex_new(vm, c.re, c.im);
}

val arith_unary(struct vm *vm, enum op op, val a) {
    if (int_is(vm, a)) {
        if (op == OP_NEG) return int_neg(vm, a);
        return op == OP_POS ? int_plain(vm, a) : int_invert(vm, a);
    }
    if (op != OP_INVERT && float_is(vm, a)) return float_unary(vm, op, a);
    if (op != OP_INVERT && vm_is(vm, a, KIND_COMPLEX))
        return complex_unary(vm, op, a);
    const char *symbol = op == OP_NEG ? "-" : op == OP_POS ? "+" : "~";
    return vm_raise(vm, EXC_TypeError, "bad operand type for unary %s: '%s'",
                    symbol, vm_type_name(vm, a));
}
