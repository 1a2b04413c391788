/* SPDX-License-Identifier: MIT
 *
 * python -- what a CPython task left, as one JSON object.
 */
#ifndef CORDON_SANDBOX_PYTHON_H
#define CORDON_SANDBOX_PYTHON_H

#include "sandbox/files.h"
#include "sandbox/jail.h"

/* The jail has kept its scratch (zygote.h). */
struct python_left {
    const struct json *value; /* of the last expression; NULL: no JSON form */
    str repr;                 /* the same as Python shows it, as bytes */
    bool has_repr;
    struct file_list files;
};
int python_left(int scratch, struct arena *a, struct python_left *out,
                struct err *e);

/* {"result", "repr", "files", "task"}: the last expression as JSON where it has
 * such a form, its repr, the files of the scratch, and the rest of the result.
 */
int python_result_write(int scratch, const struct cage_result *r, struct jw *w,
                        struct err *e);

#endif
