/* SPDX-License-Identifier: MIT
 *
 * auto -- which tier a task should have when nobody said.
 *
 * Code that our interpreter can run goes to `script`; Python that needs more,
 * programs and shells go to `container`; command tools and servers that the
 * configuration declares go to `process`. The tiers above those are never
 * chosen here: policy or the caller asks for them. The choice says why, and a
 * tier that cannot be had is an error, never a reason to take a lower one.
 */
#ifndef CORDON_SANDBOX_AUTO_H
#define CORDON_SANDBOX_AUTO_H

#include "sandbox/cage.h"

struct auto_choice {
    bool script;         /* our interpreter, not a cage */
    enum cage_tier tier; /* where it is not */
    char reason[200];    /* "imports numpy" */
};

/* tools are names the program will find, ended by NULL; may be NULL. */
int auto_python(str code, const char *const *tools, struct auto_choice *out,
                struct err *e);

/* declared: a command tool or server of the configuration. */
void auto_program(const char *const *argv, bool declared,
                  struct auto_choice *out);

/* "script", "container", ... */
const char *auto_name(const struct auto_choice *c);

#endif
