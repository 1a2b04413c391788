/* SPDX-License-Identifier: MIT
 *
 * bytes -- bytes and bytearray from the inside. Both keep their data in a
 * store; a bytearray is the kind with OBJ_MUTABLE.
 */
#ifndef CORDON_VM_BYTES_H
#define CORDON_VM_BYTES_H

#include "vm/ops.h"

static inline struct obytes *bytes_at(const struct vm *vm, val bytes) {
    return heap_kind(&vm->heap, bytes, KIND_BYTES);
}

static inline bool bytes_is(const struct vm *vm, val v) {
    return vm_is(vm, v, KIND_BYTES);
}

static inline bool bytes_mutable(const struct vm *vm, val v) {
    return bytes_at(vm, v)->h.flags & OBJ_MUTABLE;
}

/* n zero bytes of the class (bytes, bytearray or derived), filled in at *p. */
val bytes_alloc(struct vm *vm, val type, uint64_t n, char **p);
/* As `like`: bytes for bytes, bytearray for bytearray. */
val bytes_like(struct vm *vm, val like, const void *p, size_t n);
/* Its bytes, to be changed; only where it has some. */
char *bytes_data(const struct vm *vm, val bytes);
int bytes_resize(struct vm *vm, val bytes, uint64_t n);
/* A value 0..255 for an item; ValueError and TypeError as bytes() words them.
 */
int bytes_item(struct vm *vm, val v, const char *what, unsigned char *out);
/* Bytes of any bytes-like or iterable of ints, as a fresh bytes object. */
val bytes_from(struct vm *vm, val v);

val bytes_concat(struct vm *vm, val a, val b);
val bytes_repeat(struct vm *vm, val bytes, val by);
val bytes_change(struct vm *vm, enum op op, val a, val b); /* in place */
val bytes_getitem(struct vm *vm, val bytes, val key);
int bytes_setitem(struct vm *vm, val bytes, val key, val item);
int bytes_delitem(struct vm *vm, val bytes, val key);

/* Codecs: names and error handlers as CPython knows them. */
struct codec_args {
    const char *caller; /* "encode", for messages */
    val encoding;       /* any value; VAL_UNSET: utf-8 */
    val errors;         /* any value; VAL_UNSET: strict */
};
val text_encode(struct vm *vm, val text, struct codec_args how);
val text_decode(struct vm *vm, str bytes, val object, struct codec_args how);

#endif
