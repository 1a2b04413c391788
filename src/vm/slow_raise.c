/* SPDX-License-Identifier: MIT
 *
 * slow_raise -- raise, except, and exceptions that are answers.
 */
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/slow.h"

static bool is_exception(struct vm *vm, val v) {
    return vm_is(vm, v, KIND_EXCEPTION);
}

static bool is_exception_class(struct vm *vm, val v) {
    return vm_is(vm, v, KIND_TYPE) &&
           type_is_subclass(vm, v, EXC_VAL(BaseException));
}

/* Calls the class; RAISE is then executed again with the instance. */
static enum step instantiate(struct vm *vm, val type, unsigned reg) {
    struct oframe *f = vm_frame(vm);
    val room[1];
    f->pc--;
    enum step step = class_call(vm, type, room + 1, 0, VAL_UNSET, ret_reg(reg));
    if (step == STEP_RAISE) f->pc++;
    return step;
}

static enum step set_cause(struct vm *vm, val exc, val cause) {
    cause = value_plain(vm, cause);
    if (cause != VAL_NONE && !is_exception(vm, cause)) {
        vm_raise(vm, EXC_TypeError,
                 "exception causes must derive from BaseException");
        return STEP_RAISE;
    }
    if (exc < vm->heap.template_end) return STEP_DONE;
    exc_at(vm, exc)->cause = cause;
    exc_at(vm, exc)->suppress_context = 1;
    return STEP_DONE;
}

enum step slow_raise(struct vm *vm, val what, val cause) {
    unsigned reg =
        INS_A(code_words(vm, vm_frame(vm)->code)[vm_frame(vm)->pc - 1]);
    if (is_exception_class(vm, what)) return instantiate(vm, what, reg);
    if (!is_exception(vm, what)) {
        vm_raise(vm, EXC_TypeError,
                 "exceptions must derive from BaseException");
        return STEP_RAISE;
    }
    if (cause && is_exception_class(vm, cause))
        return instantiate(vm, cause, reg + 1);
    if (cause && set_cause(vm, what, cause) == STEP_RAISE) return STEP_RAISE;
    exc_raise(vm, what);
    return STEP_RAISE;
}

enum step slow_reraise(struct vm *vm, val exc) {
    if (!exc) exc = vm_frame(vm)->handled;
    if (!exc) {
        vm_raise(vm, EXC_RuntimeError, "No active exception to reraise");
        return STEP_RAISE;
    }
    vm_root(vm)->exception = exc;
    vm->reraising = exc_at(vm, exc)->traceback != VAL_UNSET;
    return STEP_RAISE;
}

/* -- except
 * ------------------------------------------------------------------------ */

/* 1, 0, or -1: not something to catch. */
static int matches(struct vm *vm, val exc, val cls) {
    if (is_exception_class(vm, cls)) return type_is_instance(vm, exc, cls);
    if (!vm_is(vm, cls, KIND_TUPLE)) return -1;
    int found = 0;
    vm_spend(vm, tuple_len(vm, cls) * (uint64_t)4);
    for (uint32_t i = 0; i < tuple_len(vm, cls); i++) {
        val item = tuple_items(vm, cls)[i];
        int one = vm_is(vm, item, KIND_TUPLE) ? -1 : matches(vm, exc, item);
        if (one < 0) return -1;
        found |= one;
    }
    return found;
}

enum step slow_match_exception(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    int found = matches(vm, f->reg[INS_B(w)], f->reg[INS_C(w)]);
    if (found < 0) {
        vm_raise(vm, EXC_TypeError,
                 "catching classes that do not inherit from BaseException is "
                 "not allowed");
        return STEP_RAISE;
    }
    f->reg[INS_A(w)] = val_of_bool(found);
    return STEP_DONE;
}

/* -- exceptions that are answers
 * ------------------------------------------------------ */

static val stop_value(struct vm *vm, val exc) {
    val args = exc_at(vm, exc)->args;
    return tuple_len(vm, args) ? tuple_items(vm, args)[0] : VAL_NONE;
}

static enum step caught_next(struct vm *vm) {
    struct oframe *f = vm_frame(vm);
    exc_take(vm);
    f->pc =
        (uint32_t)((int64_t)f->pc + INS_SJ(code_words(vm, f->code)[f->pc - 1]));
    return STEP_DONE;
}

/* A getter raised AttributeError and the class has __getattr__. */
static enum step caught_attribute(struct vm *vm, struct ret ret) {
    struct oframe *f = vm_frame(vm);
    uint32_t x = code_words(vm, f->code)[f->pc - 1];
    val name = tuple_items(vm, frame_code(vm, f)->names)[x & 0xffff];
    val o = f->reg[INS_B(ret.word)];
    val fn = type_special(vm, type_of(vm, o), SPECIAL_GETATTR);
    if (!fn) return STEP_RAISE;
    exc_take(vm);
    val room[3] = {VAL_UNSET, o, name};
    return call_any(vm, fn, room + 1, 2, VAL_UNSET, ret_reg(ret.reg));
}

enum step slow_caught(struct vm *vm, struct ret ret, bool was_generator) {
    switch ((int)ret.how) {
    case RET_NEXT:
        if (exc_is(vm, EXC_StopIteration)) return caught_next(vm);
        break;
    case RET_SEND:
        if (was_generator || !exc_is(vm, EXC_StopIteration)) break;
        vm_frame(vm)->reg[ret.reg] = stop_value(vm, exc_take(vm));
        return STEP_DONE;
    case RET_ATTR:
        if (exc_is(vm, EXC_AttributeError)) return caught_attribute(vm, ret);
        break;
    case RET_CLOSE:
        if (!exc_is(vm, EXC_GeneratorExit) && !exc_is(vm, EXC_StopIteration))
            break;
        exc_take(vm);
        vm_frame(vm)->reg[ret.reg] = VAL_NONE;
        return STEP_DONE;
    default: break;
    }
    return STEP_RAISE;
}
