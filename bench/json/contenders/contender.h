/* SPDX-License-Identifier: MIT
 *
 * contender -- what bench.c measures; one file with_*.c for each library.
 *
 * Each library gets a program of its own: some of them define the same names.
 */
#ifndef CORDON_BENCH_CONTENDER_H
#define CORDON_BENCH_CONTENDER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A whole document, or NULL. */
void *contender_parse(const char *text, size_t n);

/* Compact text into memory of its own, freed again; its length, or 0 where
 * the library cannot write. */
size_t contender_write(void *doc);

void contender_free(void *doc);

#ifdef __cplusplus
}
#endif

#endif
