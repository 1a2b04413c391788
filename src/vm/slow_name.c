/* SPDX-License-Identifier: MIT
 *
 * slow_name -- names: unbound ones, those of class bodies, cells, closures.
 */
#include "vm/attr.h"
#include "vm/exc.h"
#include "vm/load.h"
#include "vm/ops.h"
#include "vm/slow.h"

static val item(const struct vm *vm, val tuple, unsigned i) {
    return i < tuple_len(vm, tuple) ? tuple_items(vm, tuple)[i]
                                    : vm_name(vm, NAME_NAME);
}

enum step slow_unbound(struct vm *vm, unsigned varname) {
    const struct ocode *code = frame_code(vm, vm_frame(vm));
    str name = text_get(vm, item(vm, code->varnames, varname));
    vm_raise(vm, EXC_UnboundLocalError,
             "cannot access local variable '%.*s' where it is not associated "
             "with a value",
             STR_ARG(name));
    return STEP_RAISE;
}

enum step slow_unbound_cell(struct vm *vm, uint32_t w) {
    bool get = INS_OP(w) == OP_GETCELL;
    return slow_unbound(vm, get ? INS_B(w) : INS_A(w));
}

enum step slow_unbound_free(struct vm *vm, unsigned number) {
    const struct ocode *code = frame_code(vm, vm_frame(vm));
    str name = text_get(vm, item(vm, code_origin(vm, code)->freenames, number));
    vm_raise(vm, EXC_NameError,
             "cannot access free variable '%.*s' where it is not associated "
             "with a value in enclosing scope",
             STR_ARG(name));
    return STEP_RAISE;
}

static enum step name_error(struct vm *vm, val name) {
    vm_raise(vm, EXC_NameError, "name '%.*s' is not defined",
             STR_ARG(text_get(vm, name)));
    val exc = vm_root(vm)->exception;
    if (exc >= vm->heap.template_end && exc_is(vm, EXC_NameError))
        (void)attrs_set(vm, attrs_of(vm, exc), vm_name(vm, NAME_NAME_), name);
    return STEP_RAISE;
}

static struct omodule *frame_module(struct vm *vm) {
    const struct ofunc *fn = heap_at(&vm->heap, vm_frame(vm)->func);
    return heap_at(&vm->heap, fn->globals);
}

/* The name of a slot is found by its number: rare, so by a walk. */
enum step slow_global(struct vm *vm, unsigned slot) {
    val key, number;
    val names = frame_module(vm)->names;
    for (uint64_t i = 0; dict_next(vm, names, &i, &key, &number);)
        if (val_int(number) == (int64_t)slot) return name_error(vm, key);
    return name_error(vm, vm_name(vm, NAME_NAME));
}

/* -- class bodies
 * --------------------------------------------------------------- */

static val name_of(struct vm *vm, uint32_t w) {
    const struct ocode *code = frame_code(vm, vm_frame(vm));
    return tuple_items(vm, code->names)[INS_BX(w)];
}

static val global_or_builtin(struct vm *vm, val name) {
    const struct ofunc *fn = heap_at(&vm->heap, vm_frame(vm)->func);
    val v = module_get(vm, fn->globals, text_get(vm, name));
    if (v) return v;
    uint32_t flags = frame_code(vm, vm_frame(vm))->flags;
    bool ours = flags & CODE_LIBRARY && !(flags & CODE_MADE);
    return module_builtin(vm, fn->globals, text_get(vm, name), ours);
}

enum step slow_get_name(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val name = name_of(vm, w), v = VAL_UNSET;
    if (vm_is(vm, f->reg[0], KIND_DICT) &&
        dict_get(vm, f->reg[0], name, &v) < 0)
        return STEP_RAISE;
    if (!v) v = global_or_builtin(vm, name);
    if (!v) return name_error(vm, name);
    f->reg[INS_A(w)] = v;
    return STEP_DONE;
}

/* A metaclass's __prepare__ may give a mapping of its own. */
enum step slow_set_name(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    return operate_setitem(vm, f->reg[0], name_of(vm, w), f->reg[INS_A(w)]);
}

enum step slow_del_name(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val v, name = name_of(vm, w);
    if (vm_is(vm, f->reg[0], KIND_DICT) &&
        dict_get(vm, f->reg[0], name, &v) == 0)
        return name_error(vm, name);
    return operate_delitem(vm, f->reg[0], name);
}

enum step slow_get_free_name(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    const struct ocode *code = frame_code(vm, f);
    val free = code_origin(vm, code)->freenames;
    val v = VAL_UNSET, name = tuple_items(vm, free)[INS_B(w)];
    if (vm_is(vm, f->reg[0], KIND_DICT) &&
        dict_get(vm, f->reg[0], name, &v) < 0)
        return STEP_RAISE;
    if (!v) {
        const struct ofunc *fn = heap_at(&vm->heap, f->func);
        val cell = tuple_items(vm, fn->closure)[INS_B(w)];
        v = ((struct ocell *)heap_at(&vm->heap, cell))->value;
    }
    if (!v) return slow_unbound_free(vm, INS_B(w));
    f->reg[INS_A(w)] = v;
    return STEP_DONE;
}

/* -- cells and closures
 * ----------------------------------------------------------- */

enum step slow_make_cell(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    struct ocell *c = heap_new(vm, KIND_CELL, TYPE_VAL(cell), sizeof *c);
    if (!c) return STEP_RAISE;
    c->value = f->reg[INS_B(w)];
    f->reg[INS_A(w)] = heap_ref(&vm->heap, c);
    return STEP_DONE;
}

static val capture(struct vm *vm, const struct oframe *f, val code) {
    const struct ocode *c = heap_at(&vm->heap, code);
    if (c->nfree == 0) return VAL_UNSET;
    const struct ofunc *maker = heap_at(&vm->heap, f->func);
    const struct ostore *captures =
        heap_at(&vm->heap, code_origin(vm, c)->captures);
    const uint16_t *from = (const uint16_t *)captures->data;
    struct otuple *t = heap_new(vm, KIND_TUPLE, TYPE_VAL(tuple),
                                sizeof *t + c->nfree * sizeof(val));
    if (!t) return VAL_UNSET;
    t->len = c->nfree;
    for (unsigned i = 0; i < c->nfree; i++)
        t->item[i] = from[i] & 0x8000
                         ? tuple_items(vm, maker->closure)[from[i] & 0x7fff]
                         : f->reg[from[i]];
    return heap_ref(&vm->heap, t);
}

enum step slow_closure(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val code = tuple_items(vm, frame_code(vm, f)->consts)[INS_BX(w)];
    const struct ocode *c = heap_at(&vm->heap, code);
    val closure = capture(vm, f, code);
    if (c->nfree && !closure) return STEP_RAISE;
    struct ofunc *fn =
        heap_new(vm, KIND_FUNCTION, TYPE_VAL(function), sizeof *fn);
    if (!fn) return STEP_RAISE;
    fn->code = code;
    fn->globals = ((struct ofunc *)heap_at(&vm->heap, f->func))->globals;
    fn->defaults = f->reg[INS_A(w)];
    fn->kwdefaults = f->reg[INS_A(w) + 1];
    fn->closure = closure;
    fn->name = c->name;
    fn->qualname = c->qualname;
    if (c->flags & CODE_ANNOTATED) fn->annotate = f->reg[INS_A(w) + 2];
    f->reg[INS_A(w)] = heap_ref(&vm->heap, fn);
    return STEP_DONE;
}
