/* SPDX-License-Identifier: MIT
 *
 * squeeze -- Python text without what only people need.
 *
 * Modules that the template keeps as text are a part of every program: their
 * comments, empty lines and three of four spaces of indentation are left out.
 */
#ifndef CORDON_VM_SQUEEZE_H
#define CORDON_VM_SQUEEZE_H

#include "base/buf.h"

/* Lines must be indented by fours; what is within strings stays. */
int squeeze(str text, struct buf *out, struct err *e);

#endif
