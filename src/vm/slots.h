/* SPDX-License-Identifier: MIT
 *
 * slots -- operators as methods of builtin classes: int.__add__, list.__len__.
 *
 * One native per operator serves every builtin class; it works by the layout of
 * self and never asks self's own class, so a subclass can call it through
 * super(). A class includes slots.def in its table of methods after defining
 * the groups it has.
 */
#ifndef CORDON_VM_SLOTS_H
#define CORDON_VM_SLOTS_H

#include "vm/native.h"

#define SLOT(fn) val slot_##fn(struct vm *vm, const val *args, size_t n)
SLOT(eq);
SLOT(ne);
SLOT(lt);
SLOT(le);
SLOT(gt);
SLOT(ge);
SLOT(hash);
SLOT(repr);
SLOT(str);
SLOT(format);
SLOT(bool_);
SLOT(len);
SLOT(iter);
SLOT(reversed);
SLOT(contains);
SLOT(getitem);
SLOT(setitem);
SLOT(delitem);
SLOT(next);
SLOT(add);
SLOT(radd);
SLOT(sub);
SLOT(rsub);
SLOT(mul);
SLOT(rmul);
SLOT(truediv);
SLOT(rtruediv);
SLOT(floordiv);
SLOT(rfloordiv);
SLOT(mod);
SLOT(rmod);
SLOT(pow);
SLOT(rpow);
SLOT(divmod);
SLOT(rdivmod);
SLOT(lshift);
SLOT(rlshift);
SLOT(rshift);
SLOT(rrshift);
SLOT(and_);
SLOT(rand);
SLOT(or_);
SLOT(ror);
SLOT(xor_);
SLOT(rxor);
SLOT(iadd);
SLOT(imul);
SLOT(ior);
SLOT(iand);
SLOT(isub);
SLOT(ixor);
SLOT(neg);
SLOT(pos);
SLOT(invert);
SLOT(abs);
SLOT(int_);
SLOT(float_);
SLOT(index);
SLOT(complex_);
SLOT(self);
SLOT(generic);
#undef SLOT

#endif
