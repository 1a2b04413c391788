/* SPDX-License-Identifier: MIT
 *
 * pytype -- a JSON Schema as a Python type, short enough to read in passing.
 *
 *     str  list[int]  'open'|'closed'  {id: int, tags?: list[str]}  dict[str,
 * X]
 *
 * The text is bounded whatever the schema holds: a part that would not fit is
 * written without its inside.
 */
#ifndef CORDON_TOOLS_PYTYPE_H
#define CORDON_TOOLS_PYTYPE_H

#include "base/buf.h"
#include "json/json.h"

struct pytype {
    const struct json *root; /* what references lead into */
    size_t depth;            /* of objects whose members are named */
    size_t literals;         /* of an enumeration that are listed */
    size_t bytes;            /* of the whole type */
    bool terse;              /* "name" stands for "name: str" */
};

/* Takes ": str" off the end of what was written from `from` on. */
void pytype_drop_str(struct buf *out, size_t from);

int pytype_write(const struct pytype *t, const struct json *schema,
                 struct buf *out, struct err *e);

/* A value as Python writes it, "..." when it is longer than max bytes. */
int pytype_literal(const struct json *v, size_t max, struct buf *out,
                   struct err *e);

#endif
