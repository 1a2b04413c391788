/* SPDX-License-Identifier: MIT
 *
 * callback -- tools that are C functions.
 */
#ifndef CORDON_CALL_CALLBACK_H
#define CORDON_CALL_CALLBACK_H

#include "call/provider.h"

struct callback {
    const char *definition; /* JSON, as in MCP: name, description, inputSchema,
                               annotations */
    /* Ends the call now or later, see provider.h. */
    void (*call)(void *data, struct provider_call *c);
    /* Stops it; NULL where calls always end at once. */
    void (*cancel)(void *data, struct provider_call *c);
};

/* Puts the functions (a list ended by an empty row, borrowed) into the
 * registry as a server's tools. overrides as in registry.h; may be NULL. */
struct provider *callback_new(struct registry *registry, str server,
                              const struct callback *functions, void *data,
                              const struct json *overrides, struct err *e);

#endif
