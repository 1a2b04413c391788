/* SPDX-License-Identifier: MIT
 *
 * real_pow10 -- the leading 128 bits of the powers of ten, shared by reading
 * and writing of doubles. scripts/gen-pow10 makes the table and states how
 * each entry is rounded.
 */
#ifndef CORDON_BASE_REAL_POW10_H
#define CORDON_BASE_REAL_POW10_H

#include <stdint.h>

#define POW10_FIRST (-342)
#define POW10_LAST  324

struct pow10 {
    uint64_t high, low;
};

extern const struct pow10 real_pow10[POW10_LAST - POW10_FIRST + 1];

__extension__ typedef unsigned __int128 real_u128;

/* floor(k * log2(10)) for |k| <= 1233. */
static inline int pow10_log2(int k) {
    return (k * 1741647) >> 19;
}

#endif
