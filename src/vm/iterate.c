/* SPDX-License-Identifier: MIT
 *
 * iterate -- iter() and next() where Python code has a say.
 */
#include "vm/exc.h"
#include "vm/iter.h"
#include "vm/ops.h"
#include "vm/slow.h"

static enum step not_iterable(struct vm *vm, val v) {
    vm_raise(vm, EXC_TypeError, "'%s' object is not iterable",
             vm_type_name(vm, v));
    return STEP_RAISE;
}

enum step iterate(struct vm *vm, val v, struct ret ret) {
    val type = type_of(vm, v);
    if (special_of(vm, v, SPECIAL_ITER)) {
        val fn = type_special(vm, type, SPECIAL_ITER);
        if (value_plain(vm, fn) == VAL_NONE) return not_iterable(vm, v);
        val room[2] = {VAL_UNSET, v};
        if (ret.how == RET_VALUE) ret.how = RET_ITER;
        return call_any(vm, fn, room + 1, 1, VAL_UNSET, ret);
    }
    if (type == TYPE_VAL(coroutine) || type == TYPE_VAL(async_generator))
        return not_iterable(vm, v);
    val it = iter_new(vm, v);
    if (it) return deliver(vm, ret, it);
    bool wanted = vm->slow_wanted;
    vm->slow_wanted = false;
    if (wanted && special_of(vm, v, SPECIAL_GETITEM) &&
        !vm_is(vm, v, KIND_TYPE))
        return call_in_prelude(vm, PRELUDE_op_sequence_iter, &v, 1, ret);
    if (!vm_root(vm)->exception) return not_iterable(vm, v);
    return STEP_RAISE;
}

static enum step next_c(struct vm *vm, val it, struct ret ret) {
    val item;
    switch (iter_next(vm, it, &item)) {
    case ITER_ITEM: return deliver(vm, ret, item);
    case ITER_END: return gen_end(vm, ret, VAL_NONE, false);
    case ITER_RAISED: break;
    }
    if (!vm->slow_wanted) return STEP_RAISE;
    vm->slow_wanted = false;
    vm_raise(vm, EXC_TypeError,
             "an iterator written in Python is inside a "
             "builtin one");
    return STEP_RAISE;
}

enum step iterate_next(struct vm *vm, val it, struct ret ret) {
    if (vm_is(vm, it, KIND_ITER)) {
        const struct oiter *i = heap_at(&vm->heap, it);
        if (i->what != ITER_FRAME) return next_c(vm, it, ret);
        it = i->source;
        if (!it) return gen_end(vm, ret, VAL_NONE, false);
    }
    if (vm_is(vm, it, KIND_GENERATOR) && type_of(vm, it) == TYPE_VAL(generator))
        return gen_resume(vm, it, VAL_UNSET, VAL_UNSET, ret);
    val fn = type_special(vm, type_of(vm, it), SPECIAL_NEXT);
    if (!fn || vm_is(vm, it, KIND_GENERATOR)) {
        vm_raise(vm, EXC_TypeError, "'%s' object is not an iterator",
                 vm_type_name(vm, it));
        return STEP_RAISE;
    }
    val room[2] = {VAL_UNSET, it};
    enum step step = call_any(vm, fn, room + 1, 1, VAL_UNSET, ret);
    return step == STEP_RAISE ? slow_caught(vm, ret, false) : step;
}

enum step step_next(struct vm *vm, val *args, size_t n, struct ret ret) {
    if (args[1]) return call_in_prelude(vm, PRELUDE_next_default, args, n, ret);
    return iterate_next(vm, args[0], ret);
}

enum step step_iter(struct vm *vm, val *args, size_t n, struct ret ret) {
    if (args[1])
        return call_in_prelude(vm, PRELUDE_iter_sentinel, args, n, ret);
    return iterate(vm, args[0], ret);
}
