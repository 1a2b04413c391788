/* SPDX-License-Identifier: MIT
 *
 * embed_http -- an embeddings endpoint over HTTP, for tools/select/embed.h.
 *
 *     "embeddings": {"url": "http://127.0.0.1:8080/v1/embeddings",
 *                    "model": "nomic-embed-text", "key": "${env:KEY}",
 *                    "budget_ms": 150, "cache": "/var/cache/cordon/tools.emb"}
 *
 * A request waits for the endpoint, for no longer than the budget; so the
 * client has a loop of its own. Vectors of tools are kept in the cache file.
 */
#ifndef CORDON_CALL_EMBED_HTTP_H
#define CORDON_CALL_EMBED_HTTP_H

#include "call/host.h"
#include "tools/select/embed.h"

struct embed_http;

/* secrets and folder of the host are used, its loop is not. A cache of another
 * model is passed over. */
struct embed_http *embed_http_new(const struct provider_host *h,
                                  const struct json *config, struct err *e);
void embed_http_free(struct embed_http *m); /* m may be NULL */

/* For select_request.remote. */
const struct remote *embed_http_remote(struct embed_http *m);

/* Embeds the registry's tools that are not known yet, within the budget, and
 * saves the cache when there were any. A failure is told and changes nothing:
 * selection goes on with what is there. */
int embed_http_sync(struct embed_http *m, struct registry *r, int64_t budget_ns,
                    struct err *e);

#endif
