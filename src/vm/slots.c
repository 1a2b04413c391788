/* SPDX-License-Identifier: MIT */
#include "vm/slots.h"

#include "vm/bigint.h"
#include "vm/compare.h"
#include "vm/format.h"
#include "vm/iter.h"
#include "vm/number.h"
#include "vm/repr.h"

/* A slot that is one expression of args[]. */
#define SLOT(fn, expression)                                  \
    val slot_##fn(struct vm *vm, const val *args, size_t n) { \
        (void)vm;                                             \
        (void)n;                                              \
        return expression;                                    \
    }

static val of_truth(int truth) {
    return truth < 0 ? VAL_UNSET : val_of_bool(truth);
}

/* -- comparison -------------------------------------------------------------
 */

static int number_rank(const struct vm *vm, val v) {
    if (int_is(vm, v)) return 1;
    if (float_is(vm, v)) return 2;
    return vm_is(vm, v, KIND_COMPLEX) ? 3 : 0;
}

/* b is of a kind a knows nothing of: then NotImplemented lets b answer; the
 * operator itself falls back to identity. */
static bool foreign(const struct vm *vm, val a, val b) {
    int x = number_rank(vm, a), y = number_rank(vm, b);
    if (x) return y == 0 || y > x;
    if (y) return true;
    bool views = vm_is(vm, a, KIND_VIEW) && vm_is(vm, b, KIND_SET);
    return vm_obj(vm, a)->kind != vm_obj(vm, b)->kind && !views;
}

static val compare(struct vm *vm, enum op op, const val *args) {
    if (foreign(vm, args[0], args[1])) return VAL_NOTIMPLEMENTED;
    return compare_try(vm, op, args[0], args[1]);
}

SLOT(eq, compare(vm, OP_EQ, args))
SLOT(ne, compare(vm, OP_NE, args))
SLOT(lt, compare(vm, OP_LT, args))
SLOT(le, compare(vm, OP_LE, args))
SLOT(gt, compare(vm, OP_GT, args))
SLOT(ge, compare(vm, OP_GE, args))

val slot_hash(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t h;
    int bad = val_is_ref(args[0]) ? kind_hash(vm, args[0], &h)
                                  : value_hash(vm, args[0], &h);
    return bad ? VAL_UNSET : int_new(vm, h);
}

/* -- text -------------------------------------------------------------------
 */

SLOT(repr, kind_repr(vm, args[0]))
SLOT(str, kind_str(vm, args[0]))

val slot_format(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (!vm_is(vm, args[1], KIND_STR))
        return vm_raise(vm, EXC_TypeError,
                        "__format__() argument must be str, not %s",
                        vm_type_name(vm, args[1]));
    return kind_format(vm, args[0], args[1]);
}

/* -- containers -------------------------------------------------------------
 */

val slot_bool_(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val v = int_is(vm, args[0]) ? int_plain(vm, args[0]) : args[0];
    return of_truth(v ? value_truth(vm, v) : -1);
}

val slot_len(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t len = kind_len(vm, args[0]);
    return len < 0 ? VAL_UNSET : int_new(vm, len);
}

val slot_next(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val item;
    switch (iter_next(vm, args[0], &item)) {
    case ITER_ITEM: return item;
    case ITER_END: return vm_raise_args(vm, EXC_StopIteration, NULL, 0);
    case ITER_RAISED: break;
    }
    return VAL_UNSET;
}

SLOT(iter, kind_iter(vm, args[0]))
SLOT(reversed, kind_reversed(vm, args[0]))
SLOT(self, args[0])
SLOT(contains, of_truth(kind_contains(vm, args[0], args[1])))
SLOT(getitem, value_getitem(vm, args[0], args[1]))
SLOT(setitem,
     value_setitem(vm, args[0], args[1], args[2]) ? VAL_UNSET : VAL_NONE)
SLOT(delitem, value_delitem(vm, args[0], args[1]) ? VAL_UNSET : VAL_NONE)

val slot_generic(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return vm_slow(vm);
}

/* -- arithmetic -------------------------------------------------------------
 */

#define BINARY(fn, op)    SLOT(fn, arith_try(vm, op, args[0], args[1]))
#define REFLECTED(fn, op) SLOT(fn, arith_try(vm, op, args[1], args[0]))

BINARY(add, OP_ADD)
REFLECTED(radd, OP_ADD)
BINARY(sub, OP_SUB)
REFLECTED(rsub, OP_SUB)
BINARY(mul, OP_MUL)
REFLECTED(rmul, OP_MUL)
BINARY(truediv, OP_DIV)
REFLECTED(rtruediv, OP_DIV)
BINARY(floordiv, OP_FLOORDIV)
REFLECTED(rfloordiv, OP_FLOORDIV)
BINARY(mod, OP_MOD)
REFLECTED(rmod, OP_MOD)
REFLECTED(rpow, OP_POW)
BINARY(lshift, OP_LSHIFT)
REFLECTED(rlshift, OP_LSHIFT)
BINARY(rshift, OP_RSHIFT)
REFLECTED(rrshift, OP_RSHIFT)
BINARY(and_, OP_AND)
REFLECTED(rand, OP_AND)
BINARY(or_, OP_OR)
REFLECTED(ror, OP_OR)
BINARY(xor_, OP_XOR)
REFLECTED(rxor, OP_XOR)
BINARY(iadd, OP_IADD)
BINARY(imul, OP_IMUL)
BINARY(ior, OP_IOR)
BINARY(iand, OP_IAND)
BINARY(isub, OP_ISUB)
BINARY(ixor, OP_IXOR)

SLOT(pow, arith_power(vm, args[0], args[1], args[2]))
SLOT(divmod, number_divmod(vm, args[0], args[1]))
SLOT(rdivmod, number_divmod(vm, args[1], args[0]))
SLOT(neg, arith_unary(vm, OP_NEG, args[0]))
SLOT(pos, arith_unary(vm, OP_POS, args[0]))
SLOT(invert, arith_unary(vm, OP_INVERT, args[0]))
SLOT(abs, number_abs(vm, args[0]))
SLOT(index, int_plain(vm, args[0]))
SLOT(int_, number_trunc(vm, args[0]))

val slot_float_(struct vm *vm, const val *args, size_t n) {
    (void)n;
    double d;
    return number_real(vm, args[0], &d) ? VAL_UNSET : float_new(vm, d);
}

val slot_complex_(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct cplx c = complex_get(vm, args[0]);
    return complex_new(vm, c.re, c.im);
}
