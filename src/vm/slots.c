/* SPDX-License-Identifier: MIT */
#include "vm/slots.h"

#include "vm/bigint.h"
#include "vm/compare.h"
#include "vm/format.h"
#include "vm/iter.h"
#include "vm/number.h"
#include "vm/repr.h"

#include <math.h>

#define SLOT(fn)                                              \
    val slot_##fn(struct vm *vm, const val *args, size_t n) { \
        (void)vm;                                             \
        (void)n;
#define END }

/* -- comparison -------------------------------------------------------------
 */

#define COMPARE(fn, op)                                    \
    SLOT(fn) return compare_try(vm, op, args[0], args[1]); \
    END

/* a == b of unrelated kinds is NotImplemented here, so that the other side is
 * asked; the operator itself falls back to identity. */
static val equality(struct vm *vm, enum op op, val a, val b) {
    val r = compare_try(vm, op, a, b);
    if (r == val_of_bool(op == OP_NE) && type_of(vm, a) != type_of(vm, b) &&
        (!val_is_ref(a) || !val_is_ref(b) ||
         vm_obj(vm, a)->kind != vm_obj(vm, b)->kind) &&
        !(int_is(vm, a) || float_is(vm, a) || vm_is(vm, a, KIND_COMPLEX)))
        return VAL_NOTIMPLEMENTED;
    return r;
}

SLOT(eq) return equality(vm, OP_EQ, args[0], args[1]);
END SLOT(ne) return equality(vm, OP_NE, args[0], args[1]);
END COMPARE(lt, OP_LT) COMPARE(le, OP_LE) COMPARE(gt, OP_GT) COMPARE(ge, OP_GE)

    SLOT(hash) int64_t h;
if (!val_is_ref(args[0]) ? value_hash(vm, args[0], &h)
                         : kind_hash(vm, args[0], &h))
    return VAL_UNSET;
return int_new(vm, h);
END

    /* -- text
     * -------------------------------------------------------------------
     */

    SLOT(repr) return kind_repr(vm, args[0]);
END SLOT(str) return kind_str(vm, args[0]);
END

    SLOT(format) if (!vm_is(vm, args[1], KIND_STR)) return vm_raise(
        vm, EXC_TypeError, "__format__() argument must be str, not %s",
        vm_type_name(vm, args[1]));
return kind_format(vm, args[0], args[1]);
END

/* -- containers -------------------------------------------------------------
 */

SLOT(bool_)
int t = value_truth(vm, int_is(vm, args[0]) ? int_plain(vm, args[0]) : args[0]);
return t < 0 ? VAL_UNSET : val_of_bool(t);
END

SLOT(len)
int64_t len = kind_len(vm, args[0]);
return len < 0 ? VAL_UNSET : int_new(vm, len);
END

    SLOT(iter) return kind_iter(vm, args[0]);
END SLOT(reversed) return kind_reversed(vm, args[0]);
END SLOT(self) return args[0];
END

SLOT(next)
val item;
switch (iter_next(vm, args[0], &item)) {
case ITER_ITEM: return item;
case ITER_END: return vm_raise_args(vm, EXC_StopIteration, NULL, 0);
case ITER_RAISED: break;
}
return VAL_UNSET;
END

SLOT(contains)
int in = kind_contains(vm, args[0], args[1]);
return in < 0 ? VAL_UNSET : val_of_bool(in);
END

    SLOT(getitem) return value_getitem(vm, args[0], args[1]);
END

    SLOT(setitem) if (value_setitem(vm, args[0], args[1],
                                    args[2])) return VAL_UNSET;
return VAL_NONE;
END

    SLOT(delitem) if (value_delitem(vm, args[0], args[1])) return VAL_UNSET;
return VAL_NONE;
END

    SLOT(generic)(void) args;
return vm_slow(vm);
END

/* -- arithmetic -------------------------------------------------------------
 */

#define BINARY(fn, op)                                   \
    SLOT(fn) return arith_try(vm, op, args[0], args[1]); \
    END
#define REFLECTED(fn, op)                                \
    SLOT(fn) return arith_try(vm, op, args[1], args[0]); \
    END

    BINARY(add, OP_ADD) REFLECTED(radd, OP_ADD) BINARY(sub, OP_SUB) REFLECTED(
        rsub, OP_SUB) BINARY(mul, OP_MUL) REFLECTED(rmul, OP_MUL)
        BINARY(truediv, OP_DIV) REFLECTED(rtruediv, OP_DIV) BINARY(floordiv,
                                                                   OP_FLOORDIV)
            REFLECTED(rfloordiv, OP_FLOORDIV) BINARY(mod, OP_MOD) REFLECTED(
                rmod, OP_MOD) REFLECTED(rpow, OP_POW) BINARY(lshift, OP_LSHIFT)
                REFLECTED(rlshift, OP_LSHIFT) BINARY(rshift, OP_RSHIFT)
                    REFLECTED(rrshift, OP_RSHIFT) BINARY(and_, OP_AND)
                        REFLECTED(rand, OP_AND) BINARY(or_, OP_OR)
                            REFLECTED(ror, OP_OR) BINARY(xor_, OP_XOR)
                                REFLECTED(rxor, OP_XOR) BINARY(iadd, OP_IADD)
                                    BINARY(imul, OP_IMUL) BINARY(ior, OP_IOR)
                                        BINARY(iand, OP_IAND) BINARY(isub,
                                                                     OP_ISUB)
                                            BINARY(ixor, OP_IXOR)

                                                SLOT(pow) return arith_power(
                                                    vm, args[0], args[1],
                                                    args[2]);
END SLOT(divmod) return number_divmod(vm, args[0], args[1]);
END SLOT(rdivmod) return number_divmod(vm, args[1], args[0]);
END SLOT(neg) return arith_unary(vm, OP_NEG, args[0]);
END SLOT(pos) return arith_unary(vm, OP_POS, args[0]);
END SLOT(invert) return arith_unary(vm, OP_INVERT, args[0]);
END SLOT(abs) return number_abs(vm, args[0]);
END SLOT(index) return int_plain(vm, args[0]);
END SLOT(int_) return number_trunc(vm, args[0]);
END

SLOT(float_)
double d;
if (number_real(vm, args[0], &d)) return VAL_UNSET;
return float_new(vm, d);
END

SLOT(complex_)
struct cplx c = complex_get(vm, args[0]);
return complex_new(vm, c.re, c.im);
END
