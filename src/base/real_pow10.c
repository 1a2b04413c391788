/* SPDX-License-Identifier: MIT */
#include "base/real_pow10.h"

const struct pow10 real_pow10[] = {
#define POW10(exponent, high, low) {high, low},
#include "base/real_pow10.def"
#undef POW10
};
