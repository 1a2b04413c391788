/* SPDX-License-Identifier: MIT
 *
 * deliver -- finishing an instruction when the value it waited for is there.
 */
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/run.h"

/* The jump word in front of pc, taken. */
static void take_jump(struct vm *vm, struct oframe *f) {
    int32_t by = INS_SJ(code_words(vm, f->code)[f->pc - 1]);
    f->pc = (uint32_t)((int64_t)f->pc + by);
    if (by < 0) vm->fuel--;
}

/* Instructions that want a truth value: into a register, or as a jump. */
enum step deliver_truth(struct vm *vm, uint32_t word, bool truth) {
    struct oframe *f = vm_frame(vm);
    enum op op = INS_OP(word);
    if (op == OP_NOT || op == OP_NOTIN) {
        f->reg[INS_A(word)] = val_of_bool(!truth);
    } else if (op == OP_IN || (op >= OP_EQ && op <= OP_GE)) {
        f->reg[INS_A(word)] = val_of_bool(truth);
    } else if (truth == (bool)INS_C(word)) {
        take_jump(vm, f);
    }
    return STEP_DONE;
}

static enum step raise_type(struct vm *vm, const char *fmt, val v) {
    AUTO_BUF struct buf b = BUF_MAX(512);
    struct err e;
    if (buf_addf(&b, &e, "%s", vm_type_name(vm, v))) return STEP_RAISE;
    vm_raise(vm, EXC_TypeError, "%s%s%s", fmt, buf_text(&b),
             fmt[strlen(fmt) - 1] == '\'' ? "'" : "");
    return STEP_RAISE;
}

static enum step init_done(struct vm *vm, val value) {
    if (value == VAL_NONE) return STEP_DONE;
    return raise_type(vm, "__init__() should return None, not '", value);
}

static enum step length_truth(struct vm *vm, struct ret ret, val value) {
    int64_t n;
    if (!int_is(vm, value)) {
        vm_raise(vm, EXC_TypeError,
                 "'%s' object cannot be interpreted as an integer",
                 vm_type_name(vm, value));
        return STEP_RAISE;
    }
    if (int_get(vm, value, &n) || n < 0) {
        vm_raise(vm, EXC_ValueError, "__len__() should return >= 0");
        return STEP_RAISE;
    }
    return deliver_truth(vm, ret.word, n != 0);
}

static enum step truth_done(struct vm *vm, struct ret ret, val value) {
    if (ret.state == 1) return length_truth(vm, ret, value);
    if (value != VAL_TRUE && value != VAL_FALSE)
        return raise_type(vm, "__bool__ should return bool, returned ", value);
    return deliver_truth(vm, ret.word, value == VAL_TRUE);
}

static bool is_jump(uint32_t word) {
    return INS_OP(word) >= OP_JTRUTH && INS_OP(word) <= OP_JGEI;
}

static enum step compare_done(struct vm *vm, struct ret ret, val value) {
    if (value == VAL_NOTIMPLEMENTED) return operate_compare_next(vm, ret);
    bool invert = ret.state & COMPARE_INVERT;
    if (!invert && !is_jump(ret.word)) {
        vm_frame(vm)->reg[INS_A(ret.word)] = value;
        return STEP_DONE;
    }
    int truth = value_truth(vm, value);
    if (truth >= 0) return deliver_truth(vm, ret.word, (bool)truth ^ invert);
    if (!vm->slow_wanted) return STEP_RAISE;
    vm->slow_wanted = false;
    return operate_truth(vm, value, ret);
}

static enum step iter_done(struct vm *vm, struct ret ret, val value) {
    enum kind k =
        val_is_ref(value) ? (enum kind)vm_obj(vm, value)->kind : KIND_NONE;
    bool ok = k == KIND_ITER || k == KIND_GENERATOR ||
              type_special(vm, type_of(vm, value), SPECIAL_NEXT);
    if (!ok) {
        vm_raise(vm, EXC_TypeError, "%s() returned non-iterator of type '%s'",
                 ret.how == RET_AWAIT ? "__await__" : "iter",
                 vm_type_name(vm, value));
        return STEP_RAISE;
    }
    vm_frame(vm)->reg[ret.reg] = value;
    return STEP_DONE;
}

static enum step contains_done(struct vm *vm, struct ret ret, val value) {
    int truth = value_truth(vm, value);
    if (truth >= 0) return deliver_truth(vm, ret.word, (bool)truth);
    if (!vm->slow_wanted) return STEP_RAISE;
    vm->slow_wanted = false;
    return operate_truth(vm, value, ret);
}

enum step deliver(struct vm *vm, struct ret ret, val value) {
    switch ((enum ret_how)ret.how) {
    case RET_VALUE:
    case RET_ATTR: vm_frame(vm)->reg[ret.reg] = value; return STEP_DONE;
    case RET_DROP: return STEP_DONE;
    case RET_NONE: vm_frame(vm)->reg[ret.reg] = VAL_NONE; return STEP_DONE;
    case RET_INIT: return init_done(vm, value);
    case RET_TRUTH: return truth_done(vm, ret, value);
    case RET_CONTAINS: return contains_done(vm, ret, value);
    case RET_COMPARE: return compare_done(vm, ret, value);
    case RET_BINARY:
        if (value == VAL_NOTIMPLEMENTED) return operate_binary_next(vm, ret);
        vm_frame(vm)->reg[ret.reg] = value;
        return STEP_DONE;
    case RET_ITER:
    case RET_AWAIT: return iter_done(vm, ret, value);
    case RET_NEXT: vm_frame(vm)->reg[ret.reg] = value; return STEP_DONE;
    case RET_SEND: return gen_yield(vm, value);
    case RET_CLOSE:
        vm_raise(vm, EXC_RuntimeError, "generator ignored GeneratorExit");
        return STEP_RAISE;
    case RET_END: break;
    }
    vm_root(vm)->value = value;
    vm->status = VM_DONE;
    return STEP_STOP;
}
