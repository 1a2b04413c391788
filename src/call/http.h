/* SPDX-License-Identifier: MIT
 *
 * http -- an HTTP API described by an OpenAPI 3 document, as a provider.
 *
 *     "apis": {"github": {
 *         "document": "github.json",
 *         "url": "https://api.github.com",
 *         "auth": {"bearer": "${env:GITHUB_TOKEN}"},
 *         "headers": {"X-GitHub-Api-Version": "2022-11-28"},
 *         "allow": ["issues_*"]}}
 *
 * "document" is a path to JSON, or the document itself. "url" stands for the
 * document's servers. "auth" is one object or a list of them: {"bearer": V},
 * {"basic": "user:password"}, {"header": NAME, "value": V}, {"query": NAME,
 * "value": V}, or {"scheme": NAME, "value": V} for one of the document's
 * security schemes. Values go to the server of "url" (or the document's first
 * one) and to no other. "idempotency" names a header for the key of writes.
 */
#ifndef CORDON_CALL_HTTP_H
#define CORDON_CALL_HTTP_H

#include "call/host.h"

struct provider *provider_http_new(const struct provider_host *h, str name,
                                   const struct json *config, struct err *e);

#endif
