/* SPDX-License-Identifier: MIT
 *
 * embed_http -- an embeddings endpoint over HTTP, for tools/select/embed.h.
 *
 *     "embeddings": {"url": "http://127.0.0.1:8080/v1/embeddings",
 *                    "model": "nomic-embed-text", "key": "${env:KEY}",
 *                    "budget": "150ms", "timeout": "10s", "batch": 64,
 *                    "cache": "tools.vectors"}
 *
 * Tools are embedded in the background, on the host's loop, a batch after the
 * other, and kept in the cache file. A request's vector is waited for no longer
 * than the budget: in the host's loop, where others go on meanwhile, or here,
 * for which there is a second client with a loop of its own.
 */
#ifndef CORDON_CALL_EMBED_HTTP_H
#define CORDON_CALL_EMBED_HTTP_H

#include "call/host.h"
#include "tools/select/embed.h"

struct embed_http;

/* loop and http of the host are for the background; without them
 * embed_http_wait does that work. A cache of another model is passed over. */
struct embed_http *embed_http_new(const struct provider_host *h,
                                  const struct json *config, struct err *e);
void embed_http_free(struct embed_http *m); /* m may be NULL */

/* Whoever waits for a vector is called now, and selects without this one. */
void embed_http_let_go(struct embed_http *m); /* m may be NULL */

/* For standing.remote or select_request.remote. */
const struct remote *embed_http_remote(struct embed_http *m);

/* Embeds the tools that wait for it, here and now, for as long as the timeout
 * says, and saves the cache. A failure is told and changes nothing: selection
 * goes on with what is there. */
int embed_http_wait(struct embed_http *m, struct err *e);

#endif
