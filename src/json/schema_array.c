/* SPDX-License-Identifier: MIT
 *
 * Keywords for arrays; uniqueItems is in schema_unique.c.
 */
#include "json/schema_leaf.h"

bool eval_items(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at, struct marks *marks) {
    size_t n = json_len(v);
    size_t listed = in->as.list ? in->as.list->count : 0;
    if (!eval_spend(x, n)) return false;
    bool ok = true;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < n; i++, item = json_skip(item)) {
        uint32_t unit = i < listed ? in->as.list->units[i] : in->unit;
        if (unit == UNIT_NONE) break;
        if (marks) mark(marks, i);
        if (eval_child(x, unit, item, NULL, i, at)) continue;
        ok = false;
        if (!x->collector) break;
    }
    return ok;
}

bool eval_contains(struct eval *x, const struct instr *in, const struct json *v,
                   const struct at *at, struct marks *marks) {
    const struct count_range *range = in->as.range;
    size_t found = 0;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, item = json_skip(item)) {
        struct at here = {at, NULL, i};
        if (!eval_try(x, in->unit, item, &here, NULL)) continue;
        found++;
        if (marks) mark(marks, i);
        bool decided = found >= range->min && range->max == SIZE_MAX;
        if (!marks && decided) break;
    }
    return found >= range->min && found <= range->max;
}

bool eval_unevaluated_items(struct eval *x, const struct instr *in,
                            const struct json *v, const struct at *at,
                            struct marks *marks) {
    bool ok = true;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, item = json_skip(item))
        if (!marked(marks, i)) ok &= eval_child(x, in->unit, item, NULL, i, at);
    mark_all(marks);
    return ok;
}
