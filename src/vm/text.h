/* SPDX-License-Identifier: MIT
 *
 * text -- strs from the inside, for the files that implement them.
 *
 * UTF-8 with lone surrogates allowed. Short text stands in the object; long
 * text that is not ASCII, and text that is being appended to, is a view of a
 * store that several strs may share (each sees its own range; bytes below the
 * store's used mark never change).
 */
#ifndef CORDON_VM_TEXT_H
#define CORDON_VM_TEXT_H

#include "vm/ops.h"

#define TEXT_MAX ((size_t)0x7fffffff) /* bytes */

static inline struct ostr *text_at_ref(const struct vm *vm, val v) {
    return heap_kind(&vm->heap, v, KIND_STR);
}

static inline bool text_is(const struct vm *vm, val v) {
    return vm_is(vm, v, KIND_STR);
}

static inline bool text_ascii(const struct vm *vm, val v) {
    const struct ostr *s = text_at_ref(vm, v);
    return s->chars == s->len;
}

static inline uint32_t text_chars(const struct vm *vm, val v) {
    return text_at_ref(vm, v)->chars;
}

/* memcpy() of what is mostly a few bytes. */
static inline void text_copy(char *to, const char *from, size_t n) {
    if (n > 16) {
        memcpy(to, from, n);
    } else if (n >= 8) {
        uint64_t first, last;
        memcpy(&first, from, 8);
        memcpy(&last, from + n - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + n - 8, &last, 8);
    } else if (n >= 4) {
        uint32_t first, last;
        memcpy(&first, from, 4);
        memcpy(&last, from + n - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + n - 4, &last, 4);
    } else if (n) {
        char middle = from[n / 2], last = from[n - 1];
        to[0] = from[0];
        to[n / 2] = middle;
        to[n - 1] = last;
    }
}

/* Likewise !memcmp(). */
static inline bool text_same(const char *a, const char *b, size_t n) {
    if (n > 16) return !memcmp(a, b, n);
    if (n >= 8) {
        uint64_t x[2], y[2];
        memcpy(&x[0], a, 8);
        memcpy(&y[0], b, 8);
        memcpy(&x[1], a + n - 8, 8);
        memcpy(&y[1], b + n - 8, 8);
        return x[0] == y[0] && x[1] == y[1];
    }
    if (n >= 4) {
        uint32_t x[2], y[2];
        memcpy(&x[0], a, 4);
        memcpy(&y[0], b, 4);
        memcpy(&x[1], a + n - 4, 4);
        memcpy(&y[1], b + n - 4, 4);
        return x[0] == y[0] && x[1] == y[1];
    }
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* A str of n bytes that the caller fills in at *p before it allocates again.
 * MemoryError over TEXT_MAX. n > 0. */
val text_alloc(struct vm *vm, size_t n, size_t chars, char **p);

/* The heap could hold so many bytes; else MemoryError, before any work. */
bool text_fits(struct vm *vm, uint64_t bytes);

/* As text_new_chars for a class derived from str. */
val text_new_as(struct vm *vm, val type, str s, size_t chars);

/* Byte offset of code point i (0..chars), and back. */
size_t text_offset(struct vm *vm, val text, uint64_t i);
/* From one code point's offset to that of another, `by` points on or back. */
size_t text_step(str s, size_t offset, int64_t by);
uint64_t text_position(struct vm *vm, val text, size_t offset);

/* Code points from..to (clamped by the caller). */
val text_slice(struct vm *vm, val text, uint64_t from, uint64_t to);

/* A piece of `text`'s own bytes as a str, the whole as itself. */
val text_piece(struct vm *vm, val text, size_t from, size_t to);

/* The keyed hash that tables use; never 0. */
uint32_t text_hash(struct vm *vm, val text);
uint32_t bytes_hash(struct vm *vm, const char *p, size_t n);

/* -- building --------------------------------------------------------------
 *
 * Text of unknown length grows in a store of the heap and ends as a str. */
#define BUILD_FEW 200
struct build {
    struct vm *vm;
    val store;
    char *p;
    size_t n, cap;
    size_t chars;        /* maintained by the adders */
    bool failed;         /* an exception is raised; adders do nothing */
    char few[BUILD_FEW]; /* p, until that is too short */
};

void build_init(struct build *b, struct vm *vm);
char *build_more(struct build *b, size_t n); /* where there is no room left */
static inline char *build_room(struct build *b, size_t n) { /* NULL: failed */
    if (b->failed || n > b->cap - b->n) return build_more(b, n);
    return b->p + b->n;
}
void build_add(struct build *b, const char *p, size_t n); /* counts points */
void build_ascii(struct build *b, const char *p, size_t n);
void build_char(struct build *b, uint32_t cp);
void build_fill(struct build *b, uint32_t cp, uint64_t times);
void build_val(struct build *b, val text);
/* The str, or VAL_UNSET; the store is given back. */
val build_take(struct build *b);
void build_drop(struct build *b);

#endif
