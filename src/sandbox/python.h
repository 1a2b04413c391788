/* SPDX-License-Identifier: MIT
 *
 * python -- what a CPython task left, as one JSON object.
 */
#ifndef CORDON_SANDBOX_PYTHON_H
#define CORDON_SANDBOX_PYTHON_H

#include "sandbox/jail.h"

/* {"result", "repr", "files", "task"}: the last expression as JSON where it has
 * such a form, its repr, the files of the scratch, and the rest of the result.
 * The jail has kept its scratch (zygote.h). */
int python_result_write(int scratch, const struct cage_result *r, struct jw *w,
                        struct err *e);

#endif
