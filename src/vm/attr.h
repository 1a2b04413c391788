/* SPDX-License-Identifier: MIT
 *
 * attr -- attributes: where they are kept, how they are found, how cached.
 *
 * Instances keep values by shape. Asking for __dict__ turns an instance over to
 * a real dict: its store is then that dict and its shape unset.
 */
#ifndef CORDON_VM_ATTR_H
#define CORDON_VM_ATTR_H

#include "vm/run.h"

/* Where o keeps its own attributes; NULL when its class gives it none. */
struct attrs {
    val shape;
    val store; /* of values by position, or a dict */
};
struct attrs *attrs_of(const struct vm *vm, val o);

/* Its own attribute, or VAL_UNSET. */
val attrs_get(struct vm *vm, const struct attrs *at, val name);
int attrs_set(struct vm *vm, struct attrs *at, val name, val v);
/* The next attribute: `shape` is the one with it. */
int attrs_append(struct vm *vm, struct attrs *at, val shape, val v);
int attrs_del(struct vm *vm, struct attrs *at, val name); /* 1: was there */
/* The instance's __dict__, from now on a real one. */
val attrs_dict(struct vm *vm, struct attrs *at);

/* What stands in a class, as seen through an instance o (unset: through the
 * class itself) of class `type`. */
enum step attr_bind(struct vm *vm, val found, val o, val type, struct ret ret);

/* GETA and GETM with their cache, for what the loop does not do itself. A
 * method lands as function and self in reg, reg + 1. */
enum step attr_get_cached(struct vm *vm, val o, val name, struct cache *c,
                          struct ret ret);
enum step attr_get_method(struct vm *vm, val o, val name, struct cache *c,
                          unsigned reg);
enum step attr_set_cached(struct vm *vm, val o, val name, val v,
                          struct cache *c);

/* super(type, o).name */
enum step attr_get_super(struct vm *vm, val type, val o, val name,
                         struct ret ret);

/* A builtin method found in a class, bound to self. */
val attr_bound_native(struct vm *vm, val native, val self);
val attr_bound_method(struct vm *vm, val func, val self);

/* object.__getattribute__. */
enum step attr_get_default(struct vm *vm, val o, val name, struct ret ret);

/* object.__setattr__ and object.__delattr__. */
enum step attr_set_default(struct vm *vm, val o, val name, val v);
enum step attr_del_default(struct vm *vm, val o, val name);

enum step attr_missing(struct vm *vm, val o, val name);

/* Function attributes that are fields: __name__, __doc__ ... (function.c). */
int function_set(struct vm *vm, val func, val name, val v);
/* Fields of an exception that can be assigned: 1 done, 0 not one, -1. */
int exc_set_field(struct vm *vm, val exc, val name, val v);

/* A field of named tuples: the item at index. */
val descr_tuple_field(struct vm *vm, uint64_t index, val doc);
/* What it is in a tuple; TypeError for what is none. */
val descr_field_of(struct vm *vm, val field, val tuple);

#endif
