/* SPDX-License-Identifier: MIT
 *
 * charname -- characters by their names in Unicode.
 */
#ifndef CORDON_LANG_CHARNAME_H
#define CORDON_LANG_CHARNAME_H

#include "base/str.h"

/* The code point, or -1 for a name that is not in charnames.def. Letters of
 * either case are the same. */
int32_t charname_find(str name);

#endif
