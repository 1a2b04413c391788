/* SPDX-License-Identifier: MIT
 *
 * mcp -- the tools of an MCP server, as a provider.
 */
#ifndef CORDON_CALL_MCP_H
#define CORDON_CALL_MCP_H

#include "call/downstream.h"
#include "call/provider.h"

/* The server must outlive it. Freed through its class. */
struct provider *provider_mcp_new(struct downstream *d, str server,
                                  struct err *e);

#endif
