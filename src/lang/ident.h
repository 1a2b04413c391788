/* SPDX-License-Identifier: MIT
 *
 * ident -- identifiers beyond ASCII are compared in their NFKC form.
 */
#ifndef CORDON_LANG_IDENT_H
#define CORDON_LANG_IDENT_H

#include "base/arena.h"

int ident_normal(str s, struct arena *a, str *out, struct err *e);

#endif
