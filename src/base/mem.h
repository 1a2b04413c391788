/* SPDX-License-Identifier: MIT
 *
 * mem -- the only place that calls malloc.
 *
 * Every allocation can fail, and tests make each one fail in turn (see
 * mem_fail_after). Sizes that overflow are failures, not wrap-arounds.
 */
#ifndef CORDON_BASE_MEM_H
#define CORDON_BASE_MEM_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Uninitialised memory; NULL and *e on failure. A size of 0 is a size of 1. */
void *mem_alloc(size_t size, struct err *e);

/* Zeroed memory for count items of the given size. */
void *mem_zalloc(size_t count, size_t size, struct err *e);

/* Grows or shrinks to count items; on failure p stays valid and unchanged. */
void *mem_resize(void *p, size_t count, size_t size, struct err *e);

/* A copy of n bytes with a NUL behind them; the caller owns it. */
char *mem_dup(const char *p, size_t n, struct err *e);

/* p may be NULL. */
void mem_free(void *p);

/* For what a library took from malloc and gave us to free; p may be NULL. */
void mem_free_foreign(void *p);

/* A text that somebody else's code will free with free(); NULL when there is no
 * memory, without a word about why. */
char *mem_give_foreign(const char *text);

/* Gives memory that was freed back to the system, as far as that goes: after
 * something large that will not come again soon. */
void mem_trim(void);

/* Overwrites n bytes in a way compilers do not remove, for secrets. */
void mem_wipe(void *p, size_t n);

/* Scope end: `AUTO_MEM char *text = mem_dup(...);` */
#define AUTO_MEM __attribute__((cleanup(mem_auto_free)))
void mem_auto_free(void *pp);

/* Hands an AUTO_MEM pointer out of its scope: `return mem_take(&text);` */
#define mem_take(pp)                \
    __extension__({                 \
        __auto_type taken_ = *(pp); \
        *(pp) = NULL;               \
        taken_;                     \
    })

/* Test hooks, thread-local. After mem_fail_after(n) the n-th allocation from
 * now (counted from 1) and all later ones fail; 0 turns injection off.
 * mem_live() counts allocations not yet freed; mem_failed() tells whether an
 * injected failure happened since mem_fail_after(). */
void mem_fail_after(size_t n);
bool mem_failed(void);
size_t mem_live(void);

#endif
