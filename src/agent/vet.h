/* SPDX-License-Identifier: MIT
 *
 * vet -- does a call that a model made make sense?
 *
 * The tool must be one that was offered; the arguments must be JSON, or damaged
 * JSON with one reading (json/repair.h), and fit the schema, as they are or
 * after a change that loses nothing (json/coerce.h). What does not gets an
 * error the model can act on: what was wrong, where, what was expected, which
 * names are near.
 */
#ifndef CORDON_AGENT_VET_H
#define CORDON_AGENT_VET_H

#include "agent/message.h"
#include "json/schema.h"

struct vetted {
    const char *code;        /* NULL: it makes sense; else the error's code */
    const struct json *args; /* to call with; NULL for free text */
    bool changed;            /* they are not as the model wrote them */
    /* {"error": {"code", "message", "near": [...], "problems": [...]}} */
    const struct json *error;
};

/* Compiled schemas, made and kept by whoever has the tools. NULL: the arguments
 * are not checked. */
struct vet_schemas {
    struct schema *(*find)(void *data, const struct offer *o);
    void *data;
};

/* -1 only for want of memory. Everything lives in the arena. */
int vet_call(const struct part *call, const struct offers *offers,
             const struct vet_schemas *schemas, struct arena *a,
             struct vetted *out, struct err *e);

/* The arguments of a call as an object: repaired where that has one reading,
 * empty where there is no text. *out is NULL, and *why says so, when they are
 * none. */
int vet_args(const struct part *call, struct arena *a, const struct json **out,
             struct err *why);

/* An error in the form above, of a call that need not be made again. */
int vet_error(const char *code, str message, struct arena *a,
              const struct json **out, struct err *e);

/* The names nearest to one that was not offered; at most max, best first. */
size_t vet_near(str name, const struct offers *offers, str *out, size_t max);

#endif
