/* SPDX-License-Identifier: MIT
 *
 * same -- are two short texts of one length the same? Keys are compared for
 * each place of a result; most are shorter than a call of memcmp is long.
 */
#ifndef CORDON_POLICY_SAME_H
#define CORDON_POLICY_SAME_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool same_8(const char *a, const char *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x == y;
}

static inline bool same_4(const char *a, const char *b) {
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x == y;
}

/* The two ends overlap where n is less than both together. */
static inline bool same_bytes(const char *a, const char *b, size_t n) {
    if (n > 16) return memcmp(a, b, n) == 0;
    if (n >= 8) return same_8(a, b) && same_8(a + n - 8, b + n - 8);
    if (n >= 4) return same_4(a, b) && same_4(a + n - 4, b + n - 4);
    return n == 0 ||
           (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

#endif
