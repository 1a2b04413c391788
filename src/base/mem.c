/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include "base/num.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The one mutable state of the library that no caller owns: the test hooks. */
static _Thread_local struct {
    size_t countdown; /* allocations until injection starts; 0: off */
    bool failing;     /* every allocation fails from here on */
    size_t live;      /* allocations not yet freed */
} hook;

static bool injected(void) {
    if (hook.failing) return true;
    if (hook.countdown == 0) return false;
    hook.failing = --hook.countdown == 0;
    return hook.failing;
}

/* Asks for size bytes in place of p (which may be NULL). */
static void *request(void *p, size_t size, struct err *e) {
    if (size == 0) size = 1;
    void *q = NULL;
    if (size <= PTRDIFF_MAX && !injected()) q = realloc(p, size);
    if (!q) {
        err_set(e, ERR_MEMORY, "out of memory for %zu bytes", size);
        return NULL;
    }
    if (!p) hook.live++;
    return q;
}

static int total(size_t count, size_t size, size_t *out, struct err *e) {
    if (num_mul(count, size, out))
        return fail(e, ERR_MEMORY, "out of memory for %zu times %zu bytes",
                    count, size);
    return 0;
}

void *mem_alloc(size_t size, struct err *e) {
    return request(NULL, size, e);
}

void *mem_zalloc(size_t count, size_t size, struct err *e) {
    size_t bytes;
    if (total(count, size, &bytes, e)) return NULL;
    if (bytes == 0) bytes = 1;
    /* Fresh pages come zeroed: calloc does not touch them again. */
    void *p = bytes <= PTRDIFF_MAX && !injected() ? calloc(1, bytes) : NULL;
    if (!p) {
        err_set(e, ERR_MEMORY, "out of memory for %zu bytes", bytes);
        return NULL;
    }
    hook.live++;
    return p;
}

void *mem_resize(void *p, size_t count, size_t size, struct err *e) {
    size_t bytes;
    if (total(count, size, &bytes, e)) return NULL;
    return request(p, bytes, e);
}

char *mem_dup(const char *p, size_t n, struct err *e) {
    size_t bytes;
    if (num_add(n, 1, &bytes)) {
        err_set(e, ERR_MEMORY, "out of memory for %zu bytes", n);
        return NULL;
    }
    char *copy = mem_alloc(bytes, e);
    if (!copy) return NULL;
    if (n > 0) memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}

void mem_free(void *p) {
    if (!p) return;
    hook.live--;
    free(p);
}

char *mem_give_foreign(const char *text) {
    return strdup(text);
}

void mem_free_foreign(void *p) {
    free(p);
}

void mem_trim(void) {
    (void)malloc_trim(0);
}

void mem_wipe(void *p, size_t n) {
    explicit_bzero(p, n);
}

void mem_auto_free(void *pp) {
    void *p;
    memcpy(&p, pp, sizeof p); /* pp points to a pointer of any type */
    mem_free(p);
}

void mem_fail_after(size_t n) {
    hook.countdown = n;
    hook.failing = false;
}

bool mem_failed(void) {
    return hook.failing;
}

size_t mem_live(void) {
    return hook.live;
}
