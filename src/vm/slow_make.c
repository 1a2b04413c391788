/* SPDX-License-Identifier: MIT
 *
 * slow_make -- displays, unpacking, formatting, special methods by number.
 */
#include "vm/attr.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/slow.h"

static struct ret to(uint32_t w) {
    return (struct ret){RET_VALUE, (uint8_t)INS_A(w), 0, w};
}

static const struct ret drop = {.how = RET_DROP};

/* -- displays
 * -------------------------------------------------------------------- */

enum step slow_make_set(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    const val *items = &f->reg[INS_B(w)];
    unsigned n = INS_C(w);
    val set = set_new(vm, false);
    if (!set) return STEP_RAISE;
    for (unsigned i = 0; i < n; i++) {
        if (set_add(vm, set, items[i]) >= 0) continue;
        if (!vm->slow_wanted) return STEP_RAISE;
        return call_in_prelude(vm, PRELUDE_op_set, items, n, to(w));
    }
    f->reg[INS_A(w)] = set;
    return STEP_DONE;
}

enum step slow_make_dict(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    const val *pairs = &f->reg[INS_B(w)];
    unsigned n = INS_C(w);
    val dict = dict_new(vm);
    if (!dict) return STEP_RAISE;
    for (unsigned i = 0; i < n; i++) {
        if (dict_set(vm, dict, pairs[2 * i], pairs[2 * i + 1]) == 0) continue;
        if (!vm->slow_wanted) return STEP_RAISE;
        return call_in_prelude(vm, PRELUDE_op_dict, pairs, 2 * n, to(w));
    }
    f->reg[INS_A(w)] = dict;
    return STEP_DONE;
}

enum step slow_add_set(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val args[2] = {f->reg[INS_A(w)], f->reg[INS_B(w)]};
    if (set_add(vm, args[0], args[1]) >= 0) return STEP_DONE;
    if (!vm->slow_wanted) return STEP_RAISE;
    return call_in_prelude(vm, PRELUDE_op_set_add, args, 2, drop);
}

enum step slow_update_set(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val args[2] = {f->reg[INS_A(w)], f->reg[INS_B(w)]};
    if (set_update(vm, args[0], args[1]) == 0) return STEP_DONE;
    if (!vm->slow_wanted) return STEP_RAISE;
    return call_in_prelude(vm, PRELUDE_op_update_set, args, 2, drop);
}

enum step slow_update_map(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val args[2] = {f->reg[INS_A(w)], f->reg[INS_B(w)]};
    if (vm_is(vm, args[1], KIND_DICT)) {
        if (dict_update(vm, args[0], args[1]) == 0) return STEP_DONE;
        if (!vm->slow_wanted) return STEP_RAISE;
    }
    return call_in_prelude(vm, PRELUDE_op_update, args, 2, drop);
}

/* -- arguments that are spread
 * ------------------------------------------------------------------ */

/* Whose name stands in front of the callee's, with a dot; "" for builtins. */
static str callee_module(struct vm *vm, val callee) {
    val module = VAL_UNSET;
    if (vm_is(vm, callee, KIND_METHOD))
        callee = ((struct omethod *)heap_at(&vm->heap, callee))->func;
    if (vm_is(vm, callee, KIND_FUNCTION)) {
        const struct ofunc *fn = heap_at(&vm->heap, callee);
        module = ((struct omodule *)heap_at(&vm->heap, fn->globals))->name;
    }
    if (vm_is(vm, callee, KIND_TYPE)) module = type_at(vm, callee)->module;
    if (!module || !vm_is(vm, module, KIND_STR) ||
        module == vm_name(vm, NAME_BUILTINS))
        return STR("");
    return text_get(vm, module);
}

static str callee_name(struct vm *vm, val callee) {
    if (vm_is(vm, callee, KIND_METHOD))
        callee = ((struct omethod *)heap_at(&vm->heap, callee))->func;
    if (vm_is(vm, callee, KIND_FUNCTION))
        return text_get(vm,
                        ((struct ofunc *)heap_at(&vm->heap, callee))->qualname);
    if (vm_is(vm, callee, KIND_TYPE)) return type_name(vm, callee);
    if (vm_is(vm, callee, KIND_NATIVE)) {
        const struct onative *n = heap_at(&vm->heap, callee);
        return str_of(vm->engine->natives[n->number]->name);
    }
    return type_name(vm, type_of(vm, callee));
}

/* *v in a call or a display, where v is not iterable. */
static enum step bad_star(struct vm *vm, val v, val callee) {
    exc_take(vm);
    if (!callee) {
        vm_raise(vm, EXC_TypeError, "Value after * must be an iterable, not %s",
                 vm_type_name(vm, v));
        return STEP_RAISE;
    }
    str module = callee_module(vm, callee);
    vm_raise(vm, EXC_TypeError,
             "%.*s%s%.*s() argument after * must be an iterable, not %s",
             STR_ARG(module), module.n ? "." : "",
             STR_ARG(callee_name(vm, callee)), vm_type_name(vm, v));
    return STEP_RAISE;
}

static bool is_iterable(struct vm *vm, val v) {
    val type = type_of(vm, v);
    return type_lookup(vm, type, text_intern(vm, STR("__iter__"))) ||
           type_lookup(vm, type, text_intern(vm, STR("__getitem__")));
}

enum step slow_extend(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val args[2] = {f->reg[INS_A(w)], f->reg[INS_B(w)]};
    if (list_extend(vm, args[0], args[1]) == 0) return STEP_DONE;
    if (!vm->memory_failed && !vm->fired && !is_iterable(vm, args[1])) {
        vm->slow_wanted = false;
        return bad_star(vm, args[1],
                        INS_C(w) ? f->reg[INS_A(w) - 2] : VAL_UNSET);
    }
    if (!vm->slow_wanted) return STEP_RAISE;
    return call_in_prelude(vm, PRELUDE_op_extend, args, 2, drop);
}

static enum step bad_keywords(struct vm *vm, val callee, val v) {
    vm_raise(vm, EXC_TypeError,
             "%.*s%s%.*s() argument after ** must be a mapping, not %s",
             STR_ARG(callee_module(vm, callee)),
             callee_module(vm, callee).n ? "." : "",
             STR_ARG(callee_name(vm, callee)), vm_type_name(vm, v));
    return STEP_RAISE;
}

enum step slow_merge_keywords(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val into = f->reg[INS_A(w)], from = f->reg[INS_B(w)];
    val callee = f->reg[INS_C(w)], key, v, old;
    if (!vm_is(vm, from, KIND_DICT)) {
        val args[3] = {into, from, callee};
        if (!type_lookup(vm, type_of(vm, from), text_intern(vm, STR("keys"))))
            return bad_keywords(vm, callee, from);
        return call_in_prelude(vm, PRELUDE_op_update, args, 2, drop);
    }
    for (uint64_t i = 0; dict_next(vm, from, &i, &key, &v);) {
        if (!vm_is(vm, key, KIND_STR)) {
            vm_raise(vm, EXC_TypeError, "keywords must be strings");
            return STEP_RAISE;
        }
        int there = dict_get(vm, into, key, &old);
        if (there > 0) {
            str name = callee_name(vm, callee);
            str module = callee_module(vm, callee);
            vm_raise(vm, EXC_TypeError,
                     "%.*s%s%.*s() got multiple values for keyword argument "
                     "'%.*s'",
                     STR_ARG(module), module.n ? "." : "", STR_ARG(name),
                     STR_ARG(text_get(vm, key)));
        }
        if (there || dict_set(vm, into, key, v)) return STEP_RAISE;
    }
    return STEP_DONE;
}

/* -- unpacking
 * ---------------------------------------------------------------------- */

/* The items of R[B] as a list, or the instruction starts over when op_list has
 * made one: the result lands in R[B] itself. */
static enum step items_of(struct vm *vm, uint32_t w, const val **items,
                          uint64_t *n) {
    struct oframe *f = vm_frame(vm);
    val v = f->reg[INS_B(w)];
    if (value_items(vm, v, items, n) == 0) return STEP_DONE;
    if (!vm->slow_wanted) {
        if (exc_is(vm, EXC_TypeError) && !special_of(vm, v, SPECIAL_ITER) &&
            !vm_is(vm, v, KIND_ITER)) {
            exc_take(vm);
            vm_raise(vm, EXC_TypeError, "cannot unpack non-iterable %s object",
                     vm_type_name(vm, v));
        }
        return STEP_RAISE;
    }
    f->pc -= INS_OP(w) == OP_UNPACK ? 1 : 2;
    struct ret ret = {RET_VALUE, (uint8_t)INS_B(w), 0, w};
    enum step step = call_in_prelude(vm, PRELUDE_op_list, &v, 1, ret);
    if (step == STEP_RAISE) f->pc += INS_OP(w) == OP_UNPACK ? 1 : 2;
    return step == STEP_DONE ? STEP_FRAME : step;
}

enum step slow_unpack(struct vm *vm, uint32_t w) {
    const val *items;
    uint64_t n, want = INS_C(w);
    enum step step = items_of(vm, w, &items, &n);
    if (step != STEP_DONE) return step;
    if (n > want) {
        vm_raise(vm, EXC_ValueError, "too many values to unpack (expected %u)",
                 (unsigned)want);
        return STEP_RAISE;
    }
    if (n < want) {
        vm_raise(vm, EXC_ValueError,
                 "not enough values to unpack (expected %u, got %u)",
                 (unsigned)want, (unsigned)n);
        return STEP_RAISE;
    }
    if (n) memmove(&vm_frame(vm)->reg[INS_A(w)], items, n * sizeof(val));
    return STEP_DONE;
}

enum step slow_unpack_star(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    uint32_t x = code_words(vm, f->code)[f->pc - 1];
    uint64_t before = x & 0xffff, behind = x >> 16, n;
    const val *items;
    enum step step = items_of(vm, w, &items, &n);
    if (step != STEP_DONE) return step;
    if (n < before + behind) {
        vm_raise(vm, EXC_ValueError,
                 "not enough values to unpack (expected at least %u, got %u)",
                 (unsigned)(before + behind), (unsigned)n);
        return STEP_RAISE;
    }
    uint64_t rest = n - before - behind;
    val list = list_new(vm, rest ? items + before : NULL, rest);
    if (!list) return STEP_RAISE;
    val *reg = &f->reg[INS_A(w)];
    if (before) memmove(reg, items, before * sizeof(val));
    reg[before] = list;
    if (behind)
        memmove(reg + before + 1, items + before + rest, behind * sizeof(val));
    return STEP_DONE;
}

/* -- formatting
 * ----------------------------------------------------------------------- */

enum step slow_format(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    if (!vm->slow_wanted) return STEP_RAISE;
    vm->slow_wanted = false;
    char letter = (char)INS_C(w);
    val conversion = text_intern(vm, (str){&letter, letter ? 1 : 0});
    val empty = text_intern(vm, STR(""));
    if (!conversion || !empty) return STEP_RAISE;
    val spec = f->reg[INS_B(w) + 1];
    val args[3] = {f->reg[INS_B(w)], spec ? spec : empty, conversion};
    return call_in_prelude(vm, PRELUDE_op_format, args, 3, to(w));
}

/* -- special methods
 * --------------------------------------------------------------------- */

static enum step no_special(struct vm *vm, val v, enum special s) {
    const char *type = vm_type_name(vm, v);
    switch ((int)s) {
    case SPECIAL_ENTER:
    case SPECIAL_EXIT:
        vm_raise(vm, EXC_TypeError,
                 "'%s' object does not support the context manager protocol%s",
                 type, s == SPECIAL_EXIT ? " (missed __exit__ method)" : "");
        break;
    case SPECIAL_AENTER:
    case SPECIAL_AEXIT:
        vm_raise(vm, EXC_TypeError,
                 "'%s' object does not support the asynchronous context "
                 "manager protocol%s",
                 type, s == SPECIAL_AEXIT ? " (missed __aexit__ method)" : "");
        break;
    case SPECIAL_AITER:
        vm_raise(vm, EXC_TypeError,
                 "'async for' requires an object with __aiter__ method, got %s",
                 type);
        break;
    case SPECIAL_ANEXT:
        vm_raise(vm, EXC_TypeError,
                 "'async for' requires an iterator with __anext__ method, "
                 "got %s",
                 type);
        break;
    default: /* SPECIAL_LEN, of a pattern */
        vm_raise(vm, EXC_TypeError, "object of type '%s' has no len()", type);
    }
    return STEP_RAISE;
}

enum step slow_get_special(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val v = f->reg[INS_B(w)];
    enum special s = (enum special)INS_C(w);
    val fn = type_special(vm, type_of(vm, v), s);
    if (!fn) return no_special(vm, v, s);
    if (vm_is(vm, fn, KIND_DESCR) || special_of(vm, fn, SPECIAL_GET)) {
        f->reg[INS_A(w) + 1] = VAL_UNSET;
        return attr_bind(vm, fn, v, type_of(vm, v), to(w));
    }
    f->reg[INS_A(w)] = fn;
    f->reg[INS_A(w) + 1] = v;
    return STEP_DONE;
}
