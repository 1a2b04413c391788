/* SPDX-License-Identifier: MIT
 *
 * module -- namespaces whose names have slots.
 *
 * Compiled code knows a global by the number of its slot. Beside the slots
 * stands a second store with the builtin of the same name, so that an unbound
 * global falls back to it with one more load.
 */
#include "vm/load.h"
#include "vm/ops.h"

static struct omodule *module_at(const struct vm *vm, val module) {
    return heap_kind(&vm->heap, module, KIND_MODULE);
}

static val *slots_of(const struct vm *vm, val store) {
    return (val *)((struct ostore *)heap_at(&vm->heap, store))->data;
}

val module_new(struct vm *vm, val name, val names) {
    val slots = heap_store(vm, 32 * sizeof(val), OBJ_TRACED);
    val builtins = heap_store(vm, 32 * sizeof(val), OBJ_TRACED);
    val dict = dict_new(vm);
    struct omodule *m = heap_new(vm, KIND_MODULE, TYPE_VAL(module), sizeof *m);
    if (!slots || !builtins || !dict || !m) return VAL_UNSET;
    m->name = name;
    m->names = dict;
    m->slots = slots;
    m->builtins = builtins;
    val module = heap_ref(&vm->heap, m), key, v;
    if (module_set(vm, module, vm_name(vm, NAME_NAME), name)) return VAL_UNSET;
    for (uint64_t i = 0; names && dict_next(vm, names, &i, &key, &v);)
        if (module_set(vm, module, key, v)) return VAL_UNSET;
    return module;
}

static val clone_store(struct vm *vm, val from) {
    struct ostore *s = heap_at(&vm->heap, from);
    val to = heap_store(vm, s->size, OBJ_TRACED);
    if (!to) return VAL_UNSET;
    struct ostore *t = heap_at(&vm->heap, to);
    memcpy(t->data, s->data, s->size);
    t->used = s->used;
    return to;
}

val module_clone(struct vm *vm, val module) {
    struct omodule from = *module_at(vm, module);
    val names = dict_new(vm);
    if (!names || dict_update(vm, names, from.names)) return VAL_UNSET;
    val slots = clone_store(vm, from.slots);
    val builtins = clone_store(vm, from.builtins);
    struct omodule *m = heap_new(vm, KIND_MODULE, TYPE_VAL(module), sizeof *m);
    if (!slots || !builtins || !m) return VAL_UNSET;
    m->name = from.name;
    m->names = names;
    m->slots = slots;
    m->builtins = builtins;
    return heap_ref(&vm->heap, m);
}

/* Both stores get room for one more. */
static bool grow(struct vm *vm, struct omodule *m, uint64_t n) {
    struct ostore *s = heap_at(&vm->heap, m->slots);
    if ((n + 1) * sizeof(val) > s->size) {
        uint64_t bytes = s->size * 2;
        val slots = heap_store_grow(vm, m->slots, bytes);
        if (!slots) return false;
        m->slots = slots;
        val builtins = heap_store_grow(vm, m->builtins, bytes);
        if (!builtins) return false;
        m->builtins = builtins;
    }
    ((struct ostore *)heap_at(&vm->heap, m->slots))->used =
        ((struct ostore *)heap_at(&vm->heap, m->builtins))->used =
            (n + 1) * sizeof(val);
    return true;
}

val module_builtin(struct vm *vm, val module, str name, bool ours) {
    val builtins = template_head(vm)->builtins;
    if (!builtins || builtins == module) return VAL_UNSET;
    bool hidden = str_starts(name, STR("_")) && !str_starts(name, STR("__"));
    if (hidden && !ours) return VAL_UNSET;
    if (str_is(name, "__name__")) return VAL_UNSET;
    return module_get(vm, builtins, name);
}

int64_t module_slot(struct vm *vm, val module, val name) {
    struct omodule *m = module_at(vm, module);
    val number;
    int found = dict_get(vm, m->names, name, &number);
    if (found < 0) return -1;
    if (found) return val_int(number);
    uint64_t n = ((struct odict *)heap_at(&vm->heap, m->names))->len;
    if (!grow(vm, m, n) || dict_set(vm, m->names, name, val_of_int((int64_t)n)))
        return -1;
    slots_of(vm, m->builtins)[n] = module_builtin(
        vm, module, text_get(vm, name), vm->library && !vm->made);
    return (int64_t)n;
}

val module_get(struct vm *vm, val module, str name) {
    struct omodule *m = module_at(vm, module);
    val number = dict_get_text(vm, m->names, name);
    return number ? slots_of(vm, m->slots)[val_int(number)] : VAL_UNSET;
}

int module_set(struct vm *vm, val module, val name, val v) {
    int64_t slot = module_slot(vm, module, name);
    if (slot < 0) return -1;
    slots_of(vm, module_at(vm, module)->slots)[slot] = v;
    return 0;
}
