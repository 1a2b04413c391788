/* SPDX-License-Identifier: MIT
 *
 * operate -- operators on objects whose classes define them in Python.
 *
 * Builtin kinds are answered by C (ops.h). Where a class statement defined the
 * method, a frame is pushed and the instruction completes when it returns. A
 * binary operation may try up to four methods; `state` in the frame says which
 * one is being tried, so that NotImplemented goes on from there.
 */
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/run.h"

static enum step call2(struct vm *vm, val fn, val self, val arg,
                       struct ret ret) {
    val room[3] = {VAL_UNSET, self, arg};
    return call_any(vm, fn, room + 1, 2, VAL_UNSET, ret);
}

static enum step call1(struct vm *vm, val fn, val self, struct ret ret) {
    val room[2] = {VAL_UNSET, self};
    return call_any(vm, fn, room + 1, 1, VAL_UNSET, ret);
}

static bool in_python(struct vm *vm, val v, enum special s) {
    return special_of(vm, v, s);
}

/* -- binary -----------------------------------------------------------------
 */

enum attempt { TRY_IN_PLACE, TRY_RIGHT_FIRST, TRY_LEFT, TRY_RIGHT, TRY_C };

/* Text on the left of % formats whatever is on the right. */
static bool formats(const struct vm *vm, unsigned n, val a) {
    return n == OP_MOD - OP_ADD &&
           (vm_is(vm, a, KIND_STR) || vm_is(vm, a, KIND_BYTES));
}

/* The method to call for this attempt, or VAL_UNSET to pass on. */
static val binary_method(struct vm *vm, enum attempt attempt, unsigned n,
                         bool in_place, val a, val b) {
    val ta = type_of(vm, a), tb = type_of(vm, b);
    val right = vm_name(vm, (enum name_id)(NAME_R_ADD + n));
    switch (attempt) {
    case TRY_IN_PLACE:
        if (!in_place || !in_python(vm, a, SPECIAL_ARITH)) return VAL_UNSET;
        return type_lookup(vm, ta, vm_name(vm, (enum name_id)(NAME_I_ADD + n)));
    case TRY_RIGHT_FIRST:
        /* A subclass on the right goes first where it has a method of its
         * own. */
        if (ta == tb || !in_python(vm, b, SPECIAL_ARITH) ||
            !type_is_subclass(vm, tb, ta) ||
            type_lookup(vm, tb, right) == type_lookup(vm, ta, right))
            return VAL_UNSET;
        return type_lookup(vm, tb, right);
    case TRY_LEFT:
        if (!in_python(vm, a, SPECIAL_ARITH)) return VAL_UNSET;
        return type_lookup(vm, ta,
                           vm_name(vm, (enum name_id)(NAME_OP_ADD + n)));
    case TRY_RIGHT:
        if (ta == tb || !in_python(vm, b, SPECIAL_ARITH) || formats(vm, n, a))
            return VAL_UNSET;
        return type_lookup(vm, tb, right);
    case TRY_C: break;
    }
    return VAL_UNSET;
}

static enum step binary_c(struct vm *vm, enum op op, val a, val b,
                          struct ret ret) {
    val v = arith_try(vm, op, a, b);
    if (v == VAL_NOTIMPLEMENTED) v = arith_unsupported(vm, op, a, b);
    if (v) {
        vm_frame(vm)->reg[ret.reg] = v;
        return STEP_DONE;
    }
    if (!vm->slow_wanted) return STEP_RAISE;
    val args[2] = {a, b};
    ret.how = RET_VALUE;
    return call_in_prelude(
        vm, (enum prelude_id)(PRELUDE_op_add + (op - OP_ADD)), args, 2, ret);
}

static bool is_right(enum attempt t) {
    return t == TRY_RIGHT_FIRST || t == TRY_RIGHT;
}

/* The wrappers of a builtin class give NotImplemented where Python code may
 * answer; the last attempt asks C, which words the error too. */
static enum step binary_from(struct vm *vm, enum op op, val a, val b,
                             unsigned from, struct ret ret) {
    bool in_place = op >= OP_IADD;
    unsigned n = (unsigned)(in_place ? op - OP_IADD : op - OP_ADD);
    for (unsigned t = from; t < TRY_C; t++) {
        val fn = binary_method(vm, (enum attempt)t, n, in_place, a, b);
        if (!fn) continue;
        ret.how = RET_BINARY;
        ret.state = (uint8_t)t;
        return is_right((enum attempt)t) ? call2(vm, fn, b, a, ret)
                                         : call2(vm, fn, a, b, ret);
    }
    return binary_c(vm, op, a, b, ret);
}

/* ADDI, SUBI and their in-place forms have a number in the instruction. */
static val right_operand(struct vm *vm, const struct oframe *f, uint32_t word) {
    (void)vm;
    enum op op = INS_OP(word);
    if (op == OP_ADDI || op == OP_SUBI || op == OP_IADDI || op == OP_ISUBI)
        return val_of_int(INS_SC(word));
    return f->reg[INS_C(word)];
}

static enum op plain_op(uint32_t word) {
    enum op op = INS_OP(word);
    if (op == OP_ADDI) return OP_ADD;
    if (op == OP_SUBI) return OP_SUB;
    if (op == OP_IADDI) return OP_IADD;
    return op == OP_ISUBI ? OP_ISUB : op;
}

enum step operate_binary(struct vm *vm, enum op op, val a, val b,
                         struct ret ret) {
    bool python =
        in_python(vm, a, SPECIAL_ARITH) || in_python(vm, b, SPECIAL_ARITH);
    enum attempt from = !python        ? TRY_C
                        : op < OP_IADD ? TRY_RIGHT_FIRST
                                       : TRY_IN_PLACE;
    return binary_from(vm, op, a, b, from, ret);
}

enum step operate_binary_next(struct vm *vm, struct ret ret) {
    const struct oframe *f = vm_frame(vm);
    val a = f->reg[INS_B(ret.word)], b = right_operand(vm, f, ret.word);
    return binary_from(vm, plain_op(ret.word), a, b, ret.state + 1u, ret);
}

/* -- unary ------------------------------------------------------------------
 */

enum step operate_unary(struct vm *vm, enum op op, val v, struct ret ret) {
    enum special s = op == OP_NEG   ? SPECIAL_NEG
                     : op == OP_POS ? SPECIAL_POS
                                    : SPECIAL_INVERT;
    if (in_python(vm, v, s))
        return call1(vm, type_special(vm, type_of(vm, v), s), v, ret);
    val r = arith_unary(vm, op, v);
    return r ? deliver(vm, ret, r) : STEP_RAISE;
}

/* -- comparison -------------------------------------------------------------
 */

/* The method's opcode, from the instruction's. */
static enum op compare_op(uint32_t word) {
    enum op op = INS_OP(word);
    switch ((int)op) {
    case OP_JEQ:
    case OP_JEQI: return OP_EQ;
    case OP_JNE: return OP_NE;
    case OP_JLT:
    case OP_JLTI: return OP_LT;
    case OP_JLE:
    case OP_JLEI: return OP_LE;
    case OP_JGT:
    case OP_JGTI: return OP_GT;
    case OP_JGE:
    case OP_JGEI: return OP_GE;
    default: return op;
    }
}

static enum op mirrored(enum op op) {
    switch ((int)op) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

static const char *sign_of(enum op op) {
    switch ((int)op) {
    case OP_LT: return "<";
    case OP_LE: return "<=";
    case OP_GT: return ">";
    default: return ">=";
    }
}

static void compare_operands(const struct oframe *f, uint32_t word, val *a,
                             val *b) {
    enum op op = INS_OP(word);
    if (op >= OP_EQ && op <= OP_GE) {
        *a = f->reg[INS_B(word)];
        *b = f->reg[INS_C(word)];
        return;
    }
    *a = f->reg[INS_A(word)];
    *b = op >= OP_JEQI ? val_of_int((int8_t)INS_B(word)) : f->reg[INS_B(word)];
}

/* The side's method for op. `!=` without __ne__ asks __eq__ and inverts. */
static val compare_method(struct vm *vm, enum op op, val side, bool *invert) {
    enum special s = (enum special)(SPECIAL_EQ + (op - OP_EQ));
    *invert = false;
    if (in_python(vm, side, s)) return type_special(vm, type_of(vm, side), s);
    if (op != OP_NE || !in_python(vm, side, SPECIAL_EQ)) return VAL_UNSET;
    *invert = true;
    return type_special(vm, type_of(vm, side), SPECIAL_EQ);
}

static bool right_first(struct vm *vm, enum op op, val a, val b) {
    val ta = type_of(vm, a), tb = type_of(vm, b);
    bool invert;
    return ta != tb && type_is_subclass(vm, tb, ta) &&
           compare_method(vm, mirrored(op), b, &invert);
}

static enum step compare_c(struct vm *vm, enum op op, val a, val b,
                           struct ret ret) {
    val v = compare_try(vm, op, a, b);
    if (v == VAL_NOTIMPLEMENTED) {
        if (op == OP_EQ || op == OP_NE) {
            v = val_of_bool((a == b) == (op == OP_EQ));
        } else {
            AUTO_BUF struct buf left = BUF_MAX(512);
            struct err e;
            if (buf_add_text(&left, vm_type_name(vm, a), &e)) return STEP_RAISE;
            vm_raise(vm, EXC_TypeError,
                     "'%s' not supported between instances of '%s' and '%s'",
                     sign_of(op), buf_text(&left), vm_type_name(vm, b));
            return STEP_RAISE;
        }
    }
    if (v) return deliver_truth(vm, ret.word, v == VAL_TRUE);
    if (!vm->slow_wanted) return STEP_RAISE;
    val args[2] = {a, b};
    ret.how = RET_CONTAINS; /* any value: its truth counts */
    return call_in_prelude(vm, (enum prelude_id)(PRELUDE_op_eq + (op - OP_EQ)),
                           args, 2, ret);
}

/* Attempts 0: the right side first, 1: left, 2: right, 3: C. */
static enum step compare_from(struct vm *vm, enum op op, val a, val b,
                              unsigned from, struct ret ret) {
    bool first = from == 0 && right_first(vm, op, a, b);
    for (unsigned t = from; t < 3; t++) {
        if (t == 0 && !first) continue;
        bool invert, right = t != 1;
        if (t == 2 && (ret.state & COMPARE_RIGHT_TRIED)) break;
        val fn = compare_method(vm, right ? mirrored(op) : op, right ? b : a,
                                &invert);
        if (!fn) continue;
        ret.how = RET_COMPARE;
        ret.state = (uint8_t)(t | (invert ? COMPARE_INVERT : 0) |
                              (first ? COMPARE_RIGHT_TRIED : 0) |
                              (ret.state & COMPARE_RIGHT_TRIED));
        return right ? call2(vm, fn, b, a, ret) : call2(vm, fn, a, b, ret);
    }
    return compare_c(vm, op, a, b, ret);
}

enum step operate_compare(struct vm *vm, enum op op, val a, val b,
                          struct ret ret) {
    ret.state = 0;
    return compare_from(vm, compare_op((uint32_t)op), a, b, 0, ret);
}

enum step operate_compare_next(struct vm *vm, struct ret ret) {
    val a, b;
    compare_operands(vm_frame(vm), ret.word, &a, &b);
    return compare_from(vm, compare_op(ret.word), a, b,
                        (ret.state & COMPARE_ATTEMPT) + 1u, ret);
}

/* -- truth, membership -------------------------------------------------------
 */

enum step operate_truth(struct vm *vm, val v, struct ret ret) {
    ret.how = RET_TRUTH;
    ret.state = 0;
    if (in_python(vm, v, SPECIAL_BOOL))
        return call1(vm, type_special(vm, type_of(vm, v), SPECIAL_BOOL), v,
                     ret);
    ret.state = 1;
    if (in_python(vm, v, SPECIAL_LEN))
        return call1(vm, type_special(vm, type_of(vm, v), SPECIAL_LEN), v, ret);
    int truth = value_truth(vm, v);
    return truth < 0 ? STEP_RAISE : deliver_truth(vm, ret.word, (bool)truth);
}

enum step operate_contains(struct vm *vm, val container, val item,
                           struct ret ret) {
    ret.how = RET_CONTAINS;
    if (in_python(vm, container, SPECIAL_CONTAINS)) {
        val fn = type_special(vm, type_of(vm, container), SPECIAL_CONTAINS);
        if (value_plain(vm, fn) == VAL_NONE) {
            vm_raise(vm, EXC_TypeError, "'%s' object is not a container",
                     vm_type_name(vm, container));
            return STEP_RAISE;
        }
        return call2(vm, fn, container, item, ret);
    }
    int found = value_contains(vm, container, item);
    if (found >= 0) return deliver_truth(vm, ret.word, (bool)found);
    if (!vm->slow_wanted) return STEP_RAISE;
    val args[2] = {container, item};
    return call_in_prelude(vm, PRELUDE_op_contains, args, 2, ret);
}

/* -- items ------------------------------------------------------------------
 */

/* list[int]: a class is indexed through __class_getitem__. */
static enum step class_item(struct vm *vm, val type, val key, struct ret ret) {
    val meta = type_of(vm, type);
    if (special_of(vm, type, SPECIAL_GETITEM))
        return call2(vm, type_special(vm, meta, SPECIAL_GETITEM), type, key,
                     ret);
    val fn = type_lookup(vm, type, vm_name(vm, NAME_CLASS_GETITEM));
    if (!fn) {
        vm_raise(vm, EXC_TypeError, "type '%.*s' is not subscriptable",
                 STR_ARG(type_name(vm, type)));
        return STEP_RAISE;
    }
    if (vm_is(vm, fn, KIND_DESCR))
        fn = ((struct odescr *)heap_at(&vm->heap, fn))->get;
    return call2(vm, fn, type, key, ret);
}

enum step operate_getitem(struct vm *vm, val o, val key, struct ret ret) {
    if (in_python(vm, o, SPECIAL_GETITEM))
        return call2(vm, type_special(vm, type_of(vm, o), SPECIAL_GETITEM), o,
                     key, ret);
    if (vm_is(vm, o, KIND_TYPE)) return class_item(vm, o, key, ret);
    if (type_of(vm, o) == TYPE_VAL(mappingproxy))
        o = ((struct oview *)heap_at(&vm->heap, o))->dict;
    val v = value_getitem(vm, o, key);
    if (v) return deliver(vm, ret, v);
    if (!vm->slow_wanted) return STEP_RAISE;
    val args[2] = {o, key};
    return call_in_prelude(vm, PRELUDE_op_getitem, args, 2, ret);
}

enum step operate_setitem(struct vm *vm, val o, val key, val v) {
    struct ret drop = {.how = RET_DROP};
    if (in_python(vm, o, SPECIAL_SETITEM)) {
        val room[4] = {VAL_UNSET, o, key, v};
        val fn = type_special(vm, type_of(vm, o), SPECIAL_SETITEM);
        return call_any(vm, fn, room + 1, 3, VAL_UNSET, drop);
    }
    if (value_setitem(vm, o, key, v) == 0) return STEP_DONE;
    if (!vm->slow_wanted) return STEP_RAISE;
    val args[3] = {o, key, v};
    return call_in_prelude(vm, PRELUDE_op_setitem, args, 3, drop);
}

enum step operate_delitem(struct vm *vm, val o, val key) {
    struct ret drop = {.how = RET_DROP};
    if (in_python(vm, o, SPECIAL_DELITEM))
        return call2(vm, type_special(vm, type_of(vm, o), SPECIAL_DELITEM), o,
                     key, drop);
    if (value_delitem(vm, o, key) == 0) return STEP_DONE;
    if (!vm->slow_wanted) return STEP_RAISE;
    val args[2] = {o, key};
    return call_in_prelude(vm, PRELUDE_op_delitem, args, 2, drop);
}
