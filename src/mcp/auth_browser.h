/* SPDX-License-Identifier: MIT
 *
 * auth_browser -- the person's part of a login: a page opened, an answer
 * awaited on a loopback port.
 *
 * The URL is shown always, so that it can be opened by hand or on another
 * device, and handed to the desktop's opener as an argument, never to a shell.
 */
#ifndef CORDON_MCP_AUTH_BROWSER_H
#define CORDON_MCP_AUTH_BROWSER_H

#include "mcp/auth.h"

struct auth_browser;

struct auth_browser_config {
    const char *opener; /* program that opens URLs ("xdg-open"); NULL: none */
    const char *const *env; /* its environment */
    int64_t patience_ns;    /* for the person; 0: 5 minutes */
    void (*show)(void *data, const char *url); /* tells the person */
    void *data;
};

/* Listens at once, so that the address is known for the registration. The
 * config's strings must live as long as it does. */
struct auth_browser *auth_browser_new(struct loop *loop,
                                      const struct auth_browser_config *config,
                                      struct err *e);
void auth_browser_free(struct auth_browser *b);

/* For mcp_auth_config: redirect_uri, and visit with the browser as data. */
const char *auth_browser_redirect_uri(const struct auth_browser *b);
void auth_browser_visit(void *browser, struct mcp_auth *a, const char *url);

#endif
