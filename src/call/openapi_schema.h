/* SPDX-License-Identifier: MIT
 *
 * openapi_schema -- schemas of an OpenAPI document as JSON Schema 2020-12 that
 * stands on its own.
 */
#ifndef CORDON_CALL_OPENAPI_SCHEMA_H
#define CORDON_CALL_OPENAPI_SCHEMA_H

#include "call/openapi_doc.h"
#include "json/build.h"

#define API_DEFS 256 /* referred to by one tool */

/* The schemas that those written so far refer to. */
struct api_defs {
    const struct api *api;
    struct json_build *out;
    str refs[API_DEFS]; /* as the document writes them */
    size_t count, written;
    size_t nodes;   /* written for this tool */
    bool described; /* the next schema has its description already */
};

/* Writes one schema. References become "#/$defs/N". */
void api_schema(struct api_defs *d, const struct json *schema);

/* With the description that stands beside it instead of its own. */
void api_schema_described(struct api_defs *d, const struct json *schema,
                          str text);

/* Writes "$defs" with all that was referred to, if anything was. */
void api_schema_defs(struct api_defs *d);

/* What an answer looks like, for people and models: two levels of it. */
void api_shape(const struct api *a, struct json_build *out,
               const struct json *schema);

#endif
