/* SPDX-License-Identifier: MIT
 *
 * clock -- the three clocks, in nanoseconds, and RFC 3339 text.
 */
#ifndef CORDON_BASE_CLOCK_H
#define CORDON_BASE_CLOCK_H

#include "base/err.h"
#include "base/str.h"

int64_t clock_mono_ns(void); /* for durations; never goes back */
int64_t clock_wall_ns(void); /* since 1970; may jump */
int64_t clock_cpu_ns(void);  /* of this process */

#define CLOCK_TEXT_SIZE 32
/* "2026-01-31T12:00:00.123Z" into out[CLOCK_TEXT_SIZE]; returns out. */
char *clock_format(int64_t wall_ns, char *out);
int clock_parse(str s, int64_t *wall_ns, struct err *e);

#endif
