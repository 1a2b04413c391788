/* SPDX-License-Identifier: MIT
 *
 * run_pending -- the loop again, for while values are pending: see run.c.
 */
#define PENDING
#include "vm/run.c"
