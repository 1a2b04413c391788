/* SPDX-License-Identifier: MIT
 *
 * params -- a schema of arguments, read as the parameters of a function.
 *
 * The order is the one of the stub: required ones as the schema lists them,
 * then the others. Schemas come from outside: depth, count and references are
 * bounded, and what goes beyond is left out and said.
 */
#ifndef CORDON_TOOLS_PARAMS_H
#define CORDON_TOOLS_PARAMS_H

#include "json/json.h"

#define PARAMS_MAX 1024

struct param {
    str json;                  /* as the schema names it */
    str name;                  /* as Python spells it */
    const struct json *schema; /* as written, references unresolved */
    bool required;
};

struct params {
    struct param *items;
    size_t count;
    bool open; /* names that are not listed may be given too */
};

/* schema may be NULL; what is found lives in the schema and in the arena. */
int params_of(const struct json *schema, struct arena *a, struct params *out,
              struct err *e);

/* For a part of a document, whose references lead into root. */
int params_within(const struct json *root, const struct json *schema,
                  struct arena *a, struct params *out, struct err *e);

const struct param *params_find(const struct params *p, str name);

/* The schema a $ref leads to, within root; the schema itself when there is
 * none, NULL when it leads nowhere or in a circle. */
const struct json *params_resolve(const struct json *root,
                                  const struct json *schema);

#endif
