/* SPDX-License-Identifier: MIT
 *
 * selecting -- the part "select" of the configuration: what holds for every
 * choice of tools (tools/select/select.h, struct standing).
 *
 *     "select": {"count": 8, "always": ["mail__*"],
 *                "keywords": {"pull request": ["github__*"]},
 *                "weights": {"vector": 0.8}, "remember": true,
 *                "index": "tools.index",
 *                "embeddings": {...},                    call/embed_http.h
 *                "router": {"model": "small", "budget": "800ms"}}
 */
#ifndef CORDON_CLI_SELECTING_H
#define CORDON_CLI_SELECTING_H

#include "call/host.h"
#include "json/json.h"

struct selecting;

/* Takes effect on the host's registry. Without "select" nothing is there, and
 * selection is as it is by itself. */
struct selecting *selecting_new(const struct provider_host *host,
                                const struct json *settings, struct err *e);

/* As the settings have it now; the old one stays when they are wrong. */
int selecting_reload(struct selecting *s, const struct json *settings,
                     struct err *e);

/* Before the registry, the loop and the client. s may be NULL. */
void selecting_free(struct selecting *s);

/* For other selectors than the registry's; good as long as s. */
const struct standing *selecting_standing(const struct selecting *s);

/* Waits until the tools are embedded, where an endpoint is configured: for
 * commands that end right after. Its failure is logged. */
void selecting_wait(struct selecting *s);

#endif
