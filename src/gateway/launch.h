/* SPDX-License-Identifier: MIT
 *
 * launch -- how the program of a configured server is started: in its sandbox,
 * unless its configuration says that it shall have none.
 */
#ifndef CORDON_GATEWAY_LAUNCH_H
#define CORDON_GATEWAY_LAUNCH_H

#include "gateway/servers.h"
#include "io/child.h"

/* For a spec with argv. The texts live in the arena or in the spec. *home is
 * its private one, or NULL without a sandbox; home may be NULL. */
int launch_command(const struct server_spec *spec, struct arena *a,
                   struct child_spec *out, const char **home, struct err *e);

#endif
