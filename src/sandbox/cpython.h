/* SPDX-License-Identifier: MIT
 *
 * cpython -- what the CPython of tier container can import.
 */
#ifndef CORDON_SANDBOX_CPYTHON_H
#define CORDON_SANDBOX_CPYTHON_H

#include "base/str.h"

#define CPYTHON "/usr/bin/python3"

/* A module of that name (no dots) is installed for it. Only folders are looked
 * into; nothing is run. */
bool cpython_has(str module);

#endif
