/* SPDX-License-Identifier: MIT
 *
 * hash -- SipHash-1-3, a keyed hash for tables that outsiders fill, and the
 * kernel's random bytes to key it. Not for signatures: see crypto.h.
 */
#ifndef CORDON_BASE_HASH_H
#define CORDON_BASE_HASH_H

#include "base/err.h"

#include <stdint.h>

uint64_t hash_bytes(const void *p, size_t n, const uint64_t key[2]);

/* A key of this process alone, which the kernel chose when it began: for tables
 * whose order nobody sees. Needs no system call. */
void hash_process_key(uint64_t key[2]);

/* Fills p from getrandom(2). */
int hash_random(void *p, size_t n, struct err *e);

/* An id that nobody can guess: 128 random bits as hexadecimal digits. */
#define HASH_ID_SIZE 33
int hash_random_id(char id[HASH_ID_SIZE], struct err *e);

#endif
