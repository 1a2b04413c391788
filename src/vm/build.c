/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "vm/text.h"

#define ADOPT_OVER 1024 /* longer text keeps the store it grew in */

void build_init(struct build *b, struct vm *vm) {
    b->vm = vm;
    b->store = VAL_UNSET;
    b->p = b->few;
    b->cap = sizeof b->few;
    b->n = b->chars = 0;
    b->failed = false;
}

char *build_more(struct build *b, size_t n) {
    if (b->failed) return NULL;
    b->failed = true; /* until it went well */
    if (n > TEXT_MAX || b->n + n > TEXT_MAX) {
        vm_raise(b->vm, EXC_MemoryError, "string longer than %zu bytes",
                 TEXT_MAX);
        return NULL;
    }
    size_t cap = b->cap * 2;
    if (cap < b->n + n) cap = b->n + n;
    if (!vm_charge(b->vm, cap / 4)) return NULL;
    if (b->store) {
        struct ostore *s = heap_at(&b->vm->heap, b->store);
        s->used = b->n;
    }
    val store = b->store ? heap_store_grow(b->vm, b->store, cap)
                         : heap_store_raw(b->vm, cap);
    if (!store) return NULL;
    struct ostore *s = heap_at(&b->vm->heap, store);
    if (!b->store) memcpy(s->data, b->few, b->n);
    b->store = store;
    b->p = (char *)s->data;
    b->cap = s->size;
    b->failed = false;
    return b->p + b->n;
}

void build_ascii(struct build *b, const char *p, size_t n) {
    char *out = n ? build_room(b, n) : NULL;
    if (!out) return;
    text_copy(out, p, n);
    b->n += n;
    b->chars += n;
}

void build_add(struct build *b, const char *p, size_t n) {
    char *out = n ? build_room(b, n) : NULL;
    if (!out) return;
    text_copy(out, p, n);
    b->n += n;
    b->chars += utf8_count(p, n);
}

void build_val(struct build *b, val text) {
    str s = text_get(b->vm, text);
    char *out = s.n ? build_room(b, s.n) : NULL;
    if (!out) return;
    text_copy(out, s.p, s.n);
    b->n += s.n;
    b->chars += text_chars(b->vm, text);
}

void build_char(struct build *b, uint32_t cp) {
    char *out = build_room(b, UTF8_MAX);
    if (!out) return;
    b->n += utf8_encode(cp, out);
    b->chars++;
}

void build_fill(struct build *b, uint32_t cp, uint64_t times) {
    if (!times) return;
    char one[UTF8_MAX];
    size_t n = utf8_encode(cp, one);
    char *out = times > TEXT_MAX ? build_room(b, SIZE_MAX)
                                 : build_room(b, n * (size_t)times);
    if (!out) return;
    if (n == 1)
        memset(out, one[0], (size_t)times);
    else
        for (uint64_t i = 0; i < times; i++)
            memcpy(out + i * n, one, n);
    b->n += n * (size_t)times;
    b->chars += (size_t)times;
}

void build_drop(struct build *b) {
    if (b->store) heap_free(b->vm, b->store);
    b->store = VAL_UNSET;
}

static val adopt(struct build *b) {
    struct vm *vm = b->vm;
    struct ostr *s = heap_new(vm, KIND_STR, TYPE_VAL(str), sizeof *s);
    if (!s) return VAL_UNSET;
    struct ostore *o = heap_at(&vm->heap, b->store);
    o->used = b->n;
    s->h.flags |= OBJ_VIEW;
    s->len = (uint32_t)b->n;
    s->chars = (uint32_t)b->chars;
    s->as.view.store = b->store;
    b->store = VAL_UNSET;
    return heap_ref(&vm->heap, s);
}

val build_take(struct build *b) {
    val v = VAL_UNSET;
    if (!b->failed)
        v = b->store && b->n > ADOPT_OVER && b->n > b->cap / 2
                ? adopt(b)
                : text_new_chars(b->vm, b->p, b->n, b->chars);
    build_drop(b);
    return v;
}
