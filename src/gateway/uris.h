/* SPDX-License-Identifier: MIT
 *
 * uris -- resources of many servers under one roof.
 *
 * The URI of a resource, or of a template, gets its server's prefix in front of
 * the scheme: file:///a of the server "fs" is fs+file:///a. Hosts know pages of
 * tools by the scheme ui, so those keep it: ui://x becomes ui://fs+x. A server
 * with an empty prefix keeps its URIs.
 */
#ifndef CORDON_GATEWAY_URIS_H
#define CORDON_GATEWAY_URIS_H

#include "base/buf.h"
#include "json/build.h"
#include "json/json.h"

int uri_wrap(str prefix, str uri, struct buf *out, struct err *e);

/* The prefix and the URI within it; false: it has none. */
bool uri_unwrap(str uri, str *prefix, struct buf *inner);

/* What a prefix becomes in a URI: letters, digits, '-' and '.' of a scheme. */
int uri_prefix(str name, struct buf *out, struct err *e);

/* A copy of a result of tools/call, prompts/get or resources/read with the URIs
 * of its resources wrapped; the value itself where there are none. */
int uri_wrap_result(str prefix, const struct json *result, struct arena *a,
                    const struct json **out, struct err *e);

/* Copies a definition under another name, URI or description where these are
 * given (p not NULL), and with the URI of its page wrapped. */
struct definition_change {
    str name, uri_prefix, title, description;
    str tasks; /* execution.taskSupport of a tool */
};
void definition_put(struct json_build *b, const struct json *v,
                    const struct definition_change *change);

#endif
