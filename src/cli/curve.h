/* SPDX-License-Identifier: MIT
 *
 * curve -- recall over k, drawn for a terminal and as SVG.
 */
#ifndef CORDON_CLI_CURVE_H
#define CORDON_CLI_CURVE_H

#include "base/buf.h"

/* Where more buys little: the point farthest above the line between the ends,
 * counted from 1. */
size_t curve_knee(const double *y, size_t n);

/* y[0..n) in 0..1; the knee is marked. */
int curve_text(const double *y, size_t n, size_t knee, struct buf *out,
               struct err *e);
int curve_svg(const double *y, size_t n, size_t knee, struct buf *out,
              struct err *e);

#endif
