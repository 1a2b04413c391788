/* SPDX-License-Identifier: MIT
 *
 * signatures -- the tools of a registry as the checker of programs wants them
 * (lang/check.h): names, parameters in the order of the stub, types of
 * literals.
 */
#ifndef CORDON_TOOLS_SIGNATURES_H
#define CORDON_TOOLS_SIGNATURES_H

#include "lang/check.h"
#include "tools/registry.h"

int signature_of(const struct entry *t, struct arena *a,
                 struct check_function *out, struct err *e);

/* A tool that is set aside takes anything. Text is borrowed from the registry's
 * entries, the rest is the arena's. */
int signatures_of(const struct registry *r, struct arena *a,
                  const struct check_function **out, size_t *n, struct err *e);

#endif
