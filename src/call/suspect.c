/* SPDX-License-Identifier: MIT
 *
 * Results that speak to the model, or hide something from people. A find
 * lowers what the result is trusted with and is written down; it is never the
 * only defence.
 */
#include "call/inside.h"
#include "policy/detect.h"

#define KINDS (DETECT_BIT(DETECT_INVISIBLE) | DETECT_BIT(DETECT_INSTRUCTIONS))

const char *suspect_find(const struct json *v) {
    struct detect_hit hit;
    for (const struct json *at = v, *end = json_skip(v); at < end; at++)
        if (json_type(at) == JSON_STRING &&
            detect_next(json_str(at), 0, KINDS, &hit))
            return detect_meaning(hit.kind);
    return NULL;
}

int suspect_lower(const struct labels **labels, struct arena *a,
                  struct err *e) {
    struct labels *lowered = arena_zalloc(a, 1, sizeof *lowered, e);
    size_t count = (*labels)->count;
    struct labelled *items = arena_alloc(a, count * sizeof *items, e);
    if (!lowered || !items) return -1;
    for (size_t i = 0; i < count; i++) {
        items[i] = (*labels)->items[i];
        items[i].label.integrity = INTEGRITY_UNTRUSTED;
    }
    *lowered = **labels;
    lowered->items = items;
    *labels = lowered;
    return 0;
}
