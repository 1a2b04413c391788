/* SPDX-License-Identifier: MIT
 *
 * run_labels -- the loop again, with labels: see run.c.
 */
#define LABELS
#include "vm/run.c"
