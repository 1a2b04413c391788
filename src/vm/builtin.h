/* SPDX-License-Identifier: MIT
 *
 * builtin -- the builtin classes and where they stand.
 *
 * The classes of types.def, then the exceptions, are the first objects of the
 * template after the singletons. Their references are therefore constants and
 * "is it exactly a list?" is one comparison. A test for the layout (any
 * subclass too) is vm_is(vm, v, KIND_LIST).
 *
 * The bits in otype.special count only methods that a class statement defined
 * (in the user's program or in prelude code): for builtin classes they are 0,
 * because C code knows what those do. So `special_of(vm, v, SPECIAL_EQ)` is the
 * question "must Python code be called to compare v?".
 */
#ifndef CORDON_VM_BUILTIN_H
#define CORDON_VM_BUILTIN_H

#include "vm/native.h"

enum type_id {
#define TYPE(id, file) TYPE_ID_##id,
#include "vm/types.def"
#undef TYPE
    TYPE_ID_COUNT,
};

#define TYPE_BYTES ((sizeof(struct otype) + 15) & ~(uint64_t)15)
#define TYPE_AT(i) (VAL_SINGLETONS_END + (val)(i)*TYPE_BYTES)

/* The class `id` of types.def; the class of exception `e` of exceptions.def. */
#define TYPE_VAL(id) TYPE_AT(TYPE_ID_##id)
#define EXC_VAL(e)   TYPE_AT(TYPE_ID_COUNT + EXC_##e)
#define EXC_AT(e)    TYPE_AT(TYPE_ID_COUNT + (e))

/* One-character strings U+0000 to U+00FF follow the classes, then the empty
 * string. text_template() (objstr.c) writes them there; they need no heap_new,
 * so that they are there before anything else is. */
#define CHAR_BYTES     32
#define CHAR_VAL(c)    (TYPE_AT(TYPE_ID_COUNT + EXC_COUNT) + (val)(c)*CHAR_BYTES)
#define TEXT_EMPTY_VAL CHAR_VAL(256)
#define TYPES_END_VAL  CHAR_VAL(257) /* first byte behind all of these */
void text_template(struct vm *vm);
/* The template's interned strings get the table that runs look into. */
int text_freeze(struct vm *vm);

#define TYPE(id, file) extern const struct native_type native_##id;
#include "vm/types.def"
#undef TYPE

/* The class of any value. */
static inline val type_of(const struct vm *vm, val v) {
    if (val_is_int(v)) return TYPE_VAL(int);
    if (val_is_real(v)) return TYPE_VAL(float);
    return (val)vm_obj(vm, v)->type * 8;
}

static inline struct otype *type_at(const struct vm *vm, val type) {
    return heap_at(&vm->heap, type);
}

/* v's class defines this special method in Python. */
static inline bool special_of(const struct vm *vm, val v, enum special s) {
    if (!val_is_ref(v)) return false;
    return type_at(vm, type_of(vm, v))->special >> s & 1;
}

/* type is base or derives from it. */
bool type_is_subclass(const struct vm *vm, val type, val base);
static inline bool type_is_instance(const struct vm *vm, val v, val type) {
    return type_is_subclass(vm, type_of(vm, v), type);
}

/* Attribute found in the class or its bases, VAL_UNSET when absent. Never
 * raises, never runs Python; name is interned. */
val type_lookup(struct vm *vm, val type, val name);

/* The name as "{}".__class__.__name__ shows it; borrowed. */
str type_name(const struct vm *vm, val type);

#endif
