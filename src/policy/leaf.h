/* SPDX-License-Identifier: MIT
 *
 * leaf -- the same JSON value with other strings in it.
 */
#ifndef CORDON_POLICY_LEAF_H
#define CORDON_POLICY_LEAF_H

#include "base/buf.h"
#include "json/json.h"

#define LEAF_BYTES ((size_t)64 << 20) /* of one rewritten string */

struct leaf_rewrite {
    /* Is there anything to do in this text? Asked first, of every string. */
    bool (*wanted)(void *data, str text);
    /* Appends what stands in its place. */
    int (*write)(void *data, str text, struct buf *out, struct err *e);
    bool keys; /* of objects as well; two that become alike are an error */
    void *data;
};

/* *out is v itself where no string was wanted. */
int leaf_rewrite(const struct json *v, const struct leaf_rewrite *how,
                 struct arena *a, const struct json **out, struct err *e);

#endif
