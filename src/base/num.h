/* SPDX-License-Identifier: MIT
 *
 * num -- arithmetic that refuses to overflow, and numbers written by people.
 */
#ifndef CORDON_BASE_NUM_H
#define CORDON_BASE_NUM_H

#include "base/err.h"
#include "base/str.h"

/* True on overflow; *out is then unspecified. */
#define num_add(a, b, out) __builtin_add_overflow((a), (b), (out))
#define num_sub(a, b, out) __builtin_sub_overflow((a), (b), (out))
#define num_mul(a, b, out) __builtin_mul_overflow((a), (b), (out))

/* The smallest power of two at or above n; 0 when there is none. */
size_t num_pow2(size_t n);

/* Whole text, decimal, no white space. */
int num_parse_i64(str s, int64_t *out, struct err *e);
int num_parse_u64(str s, uint64_t *out, struct err *e);

/* "512", "64k", "512m", "1g" (powers of 1024; KiB, MB and the like too). */
int num_parse_size(str s, uint64_t *bytes, struct err *e);

/* "30", "30s", "1.5s", "200ms", "5m", "2h", "1d": to nanoseconds. */
int num_parse_duration(str s, int64_t *ns, struct err *e);

#endif
