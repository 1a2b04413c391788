/* SPDX-License-Identifier: MIT
 *
 * type -- class objects: their order of bases, their versions, their lookups.
 *
 * A version is never used twice within a range, so a cache entry made under it
 * cannot be mistaken for another class's, not even after the range served
 * another run. Changing a class gives it and all that derive from it a new one.
 */
#ifndef CORDON_VM_TYPE_H
#define CORDON_VM_TYPE_H

#include "vm/engine.h"

enum cache_how {
    CACHE_EMPTY,
    CACHE_SLOT,   /* instance: class version and shape -> pos in its store */
    CACHE_ADD,    /* SETA: likewise, value is the shape with the name added */
    CACHE_CLASS,  /* value stands in the class; an instance of this shape has
                     none of its own */
    CACHE_TYPE,   /* value stands in the class, instances have no attributes */
    CACHE_MODULE, /* shape is the module, pos the slot */
    CACHE_METHOD, /* CACHE_CLASS with a function that takes self */
    CACHE_TYPE_METHOD, /* CACHE_TYPE likewise */
    CACHE_OF_TYPE /* the receiver is a class: shape is it, version its own */
};

/* Inline cache of an attribute or method access; only a hint. */
struct cache {
    uint32_t version; /* of the receiver's class */
    uint16_t how;     /* enum cache_how */
    uint16_t pos;
    val shape;
    val value;
};

/* Lookups of (class version, name), direct mapped. */
#define LOOKUP_SLOTS 1024
struct lookup {
    uint32_t version;
    uint32_t name; /* offset / 8 */
    val found;     /* may be unset: known to be absent */
};

/* Computes mro by C3; a tuple. VAL_UNSET: TypeError raised. */
val type_mro(struct vm *vm, val type, val bases);

/* New versions for type and everything below it, special bits anew. */
void type_changed(struct vm *vm, val type);

/* Special bits of a class: what class statements defined in its mro. */
void type_collect_specials(struct vm *vm, val type);

/* Class attribute of this name in `type` alone. */
val type_own(struct vm *vm, val type, val name);

/* As type_lookup, starting behind `after` in type's mro: super(). */
val type_lookup_after(struct vm *vm, val type, val after, val name);

/* The method for special s if the class or a base defines it at all. */
static inline val type_special(struct vm *vm, val type, enum special s) {
    return type_lookup(vm, type, template_head(vm)->specials[s]);
}

#endif
