/* SPDX-License-Identifier: MIT
 *
 * ops -- what values can do, for the loop's slow paths and for natives.
 *
 * All of it is C on builtin kinds. Three outcomes are told apart the same way
 * everywhere:
 *   - a result (a val other than VAL_UNSET; an int of 0 or more),
 *   - VAL_UNSET or -1 with an exception raised,
 *   - VAL_UNSET or -1 with vm->slow_wanted: Python code would have to run (a
 *     class defines the special method, or an item inside does, or nesting is
 *     too deep for C). Nothing was changed. The loop then calls the prelude
 *     function for the operation, a native just returns.
 * The caller dispatches operands whose own class defines the method before it
 * comes here; if it does not, it is sent back by vm_slow.
 */
#ifndef CORDON_VM_OPS_H
#define CORDON_VM_OPS_H

#include "vm/builtin.h"
#include "vm/code.h"

/* -- arithmetic (arith.c) ---------------------------------------------------
 */

/* op is OP_ADD .. OP_MATMUL or the in-place OP_IADD .. OP_IMATMUL, which change
 * a list, set, bytearray or dict in place. TypeError when the kinds do not go
 * together ("unsupported operand type(s) for +: 'int' and 'str'"). */
val arith_binary(struct vm *vm, enum op op, val a, val b);

/* As arith_binary but VAL_NOTIMPLEMENTED instead of the TypeError: what
 * int.__add__(a, b) and the like answer. */
val arith_try(struct vm *vm, enum op op, val a, val b);

/* The TypeError arith_binary raises; "** or pow()" wording included. */
val arith_unsupported(struct vm *vm, enum op op, val a, val b);

/* OP_NEG, OP_POS, OP_INVERT. */
val arith_unary(struct vm *vm, enum op op, val a);

/* pow() with a modulus; mod may be VAL_NONE or unset. */
val arith_power(struct vm *vm, val a, val b, val mod);

/* -- truth, comparison, hash (compare.c, hash.c) ----------------------------
 */

int value_truth(struct vm *vm, val v);

/* OP_EQ .. OP_GE: VAL_TRUE or VAL_FALSE; TypeError for an order that is not
 * defined. */
val compare_rich(struct vm *vm, enum op op, val a, val b);

/* As compare_rich but VAL_NOTIMPLEMENTED where a's kind knows nothing of b. */
val compare_try(struct vm *vm, enum op op, val a, val b);

/* `a == b` as a C answer, identity first as containers do. */
int value_equal(struct vm *vm, val a, val b);

/* `item in container`. */
int value_contains(struct vm *vm, val container, val item);

/* CPython's numeric values for numbers and tuples of them; never -1. */
int value_hash(struct vm *vm, val v, int64_t *hash);

/* What id() shows and default hashes come from; stable while v lives. */
uint64_t value_identity(val v);

/* -- text of values (repr.c, format.c) --------------------------------------
 */

val value_repr(struct vm *vm, val v);
val value_str(struct vm *vm, val v);
val value_ascii(struct vm *vm, val v);

/* format(v, spec); spec a str or VAL_UNSET. conversion: 0, 's', 'r' or 'a' as
 * in FORMAT. */
val value_format(struct vm *vm, val v, val spec, int conversion);

/* -- containers -------------------------------------------------------------
 */

int64_t value_len(struct vm *vm, val v);
val value_getitem(struct vm *vm, val container, val key);
int value_setitem(struct vm *vm, val container, val key, val item);
int value_delitem(struct vm *vm, val container, val key);

/* A number for __index__: bools and ints; TypeError otherwise, OverflowError
 * when huge. */
int value_index(struct vm *vm, val v, int64_t *out);
/* Likewise; what no index could be becomes a very large or small one. */
int value_index_near(struct vm *vm, val v, int64_t *out);

/* A fresh list with the items of any builtin iterable or builtin iterator;
 * vm_slow for iterators in Python. */
val list_from(struct vm *vm, val iterable);

/* The items of a list or tuple in place, or of another builtin iterable copied
 * to a new list. *items stays good until something changes the list. -1: raised
 * or slow. */
int value_items(struct vm *vm, val iterable, const val **items, uint64_t *n);

/* -- numbers (objint.c, objreal.c, objcomplex.c) ----------------------------
 */

val int_new(struct vm *vm, int64_t i);
val int_new_u64(struct vm *vm, uint64_t u);
val int_from_real(struct vm *vm, double d); /* truncates; finite */
/* Text of an int literal: optional sign, digits of the base, no underscores;
 * ValueError over 4,300 decimal digits. */
val int_parse(struct vm *vm, str digits, unsigned base);
bool int_is(const struct vm *vm, val v); /* int or bool of any size */
/* 0 and *out, or -1 when it is no int or does not fit; raises nothing. */
int int_get(const struct vm *vm, val v, int64_t *out);
/* Nearest double; OverflowError when too large. v is an int or bool. */
int int_to_real(struct vm *vm, val v, double *out);

val float_new(struct vm *vm, double d);
bool float_is(const struct vm *vm, val v);
double float_get(const struct vm *vm, val v); /* float_is(v) */
val complex_new(struct vm *vm, double re, double im);

/* -- text and bytes (objstr.c, objbytes.c) ----------------------------------
 */

/* p[0..n) is loose UTF-8. */
val text_new(struct vm *vm, const char *p, size_t n);
val text_of(struct vm *vm, const char *cstr);
/* When the number of code points is known. */
val text_new_chars(struct vm *vm, const char *p, size_t n, size_t chars);
/* One code point; ASCII and Latin-1 ones may be shared. */
val text_char(struct vm *vm, uint32_t cp);
/* The one object with this text; identity is equality among interned ones. */
val text_intern(struct vm *vm, str s);
val text_intern_val(struct vm *vm, val text);
/* The interned object if there is one, else VAL_UNSET; raises nothing. */
val text_interned(struct vm *vm, val text);
static inline str text_get(const struct vm *vm, val text) { /* borrowed */
    const struct ostr *s = heap_at(&vm->heap, text);
    if (!(s->h.flags & OBJ_VIEW)) return (str){s->as.bytes, s->len};
    const struct ostore *o = heap_at(&vm->heap, s->as.view.store);
    return (str){(const char *)o->data + s->start, s->len};
}
bool text_equal(struct vm *vm, val a, val b);
val text_concat(struct vm *vm, val a, val b);
/* CONCAT: n values, all str. */
val text_join(struct vm *vm, const val *items, size_t n);
/* Item or slice of code points; i is within 0..chars. */
val text_at(struct vm *vm, val text, uint64_t i);

val bytes_new(struct vm *vm, const void *p, size_t n);
str bytes_get(const struct vm *vm, val bytes); /* borrowed */

/* -- tuple, list, slice, range ----------------------------------------------
 */

val tuple_new(struct vm *vm, const val *items, size_t n);
val list_new(struct vm *vm, const val *items, size_t n);
static inline val *tuple_items(const struct vm *vm, val v) {
    return ((struct otuple *)heap_kind(&vm->heap, v, KIND_TUPLE))->item;
}
static inline uint32_t tuple_len(const struct vm *vm, val v) {
    return ((struct otuple *)heap_kind(&vm->heap, v, KIND_TUPLE))->len;
}
static inline uint64_t list_len(const struct vm *vm, val v) {
    return ((struct olist *)heap_at(&vm->heap, v))->len;
}
/* NULL while the list is empty. */
static inline val *list_items(const struct vm *vm, val v) {
    const struct olist *l = heap_at(&vm->heap, v);
    if (!l->store) return NULL;
    struct ostore *s = heap_at(&vm->heap, l->store);
    return (val *)s->data + l->head;
}
int list_append(struct vm *vm, val list, val item);
void list_reverse(struct vm *vm, val list);
/* Every item of a builtin iterable. */
int list_extend(struct vm *vm, val list, val iterable);
val slice_new(struct vm *vm, val start, val stop, val step);
val range_new(struct vm *vm, val start, val stop, val step);

/* -- dict and set (objdict.c, shape.c, objset.c) ----------------------------
 */

val dict_new(struct vm *vm);
/* MAPK: different interned str keys, in order, values beside them. */
val dict_from_keys(struct vm *vm, val keys, const val *values);
/* 1 and *out, or 0 when absent. Unhashable keys raise. */
int dict_get(struct vm *vm, val dict, val key, val *out);
int dict_set(struct vm *vm, val dict, val key, val item);
/* 1 when it was there. */
int dict_del(struct vm *vm, val dict, val key);
/* Str keys never need Python code and so never ask for the slow path. */
val dict_get_text(struct vm *vm, val dict, str key); /* VAL_UNSET: absent */
int dict_set_text(struct vm *vm, val dict, str key, val item);
/* Walks in order: `for (uint64_t i = 0; dict_next(vm, d, &i, &k, &v);)` */
bool dict_next(const struct vm *vm, val dict, uint64_t *pos, val *key,
               val *item);
/* Every entry of dict `from`. */
int dict_update(struct vm *vm, val dict, val from);

val set_new(struct vm *vm, bool frozen);
int set_add(struct vm *vm, val set, val item); /* 1 when it was new */
int set_has(struct vm *vm, val set, val item);
int set_del(struct vm *vm, val set, val item); /* 1 when it was there */
bool set_next(const struct vm *vm, val set, uint64_t *pos, val *item);
int set_update(struct vm *vm, val set, val iterable);

/* Shapes: keys are interned strs. The empty shape is made on first use. */
val shape_empty(struct vm *vm);
uint64_t shape_count(const struct vm *vm);        /* made by this run */
val shape_add(struct vm *vm, val shape, val key); /* the child for key */
/* Position of key, or -1. */
int64_t shape_find(struct vm *vm, val shape, val key);
val shape_key(const struct vm *vm, val shape, uint32_t position);

/* -- instances of subclasses of builtin types -------------------------------
 */

/* As heap_new for an instance of `type`, which is the builtin class or a class
 * derived from it; then two words for attributes follow and OBJ_ATTRS is set
 * (shape as in the class, store unset). */
void *value_new(struct vm *vm, enum kind kind, val type, uint64_t size);

#endif
