/* SPDX-License-Identifier: MIT
 *
 * stub -- a tool as the model sees it: a Python signature, not JSON Schema.
 *
 *     mail.send(to: list[str], subject, body?) -> {id}
 *
 * In one line what has no type is a str, and a '?' marks what may be left out,
 * as it does for members of objects; with more detail every type is written,
 * and defaults as Python does (body: str = '').
 * Parameters stand in this order: required ones as the schema lists its
 * properties, then the optional ones; positional arguments mean that order.
 * Names that are no identifiers are shown as Python spells them and mapped
 * back. The text is ours: a description contributes its first sentence, with
 * invisible characters removed.
 */
#ifndef CORDON_TOOLS_STUB_H
#define CORDON_TOOLS_STUB_H

#include "base/buf.h"
#include "tools/registry.h"

enum stub_detail {
    STUB_BRIEF,  /* one line: signature (of many optional parameters the first
                    few, then "..."), first sentence */
    STUB_NORMAL, /* and a line for each parameter */
    STUB_FULL,   /* and the whole description, examples, and the schemas where
                    they say more than the lines above */
};

/* A quarantined tool has its name and the reason, no word of its server.
 * shape: a schema learned
 * from results, used (and marked as seen, not declared) where the tool declares
 * no output; or NULL. */
int stub_write(const struct entry *t, enum stub_detail detail,
               const struct json *shape, struct buf *out, struct err *e);

/* {"args": [...], "kwargs": {...}} of a Python call to an arguments object. The
 * error is in Python's words: "send() got an unexpected keyword argument
 * 'recipient'; did you mean 'to'?". */
int stub_bind(const struct entry *t, const struct json *python, struct arena *a,
              const struct json **args, struct err *e);

/* Widens a learned shape by one more result; shape NULL: the first. */
const struct json *shape_learn(const struct json *shape,
                               const struct json *result, struct arena *a);

#endif
