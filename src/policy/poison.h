/* SPDX-License-Identifier: MIT
 *
 * poison -- definitions of tools that speak to the model behind the user's
 * back.
 *
 * Everything in a definition is read: name, title, description, every string
 * of the schemas, annotations, and what the server says of itself. A finding
 * is a reason to look, never a proof; definitions without one are not safe
 * because of it. What decides is labels and rules (policy.h), and that a
 * changed definition is quarantined (pin.h).
 */
#ifndef CORDON_POLICY_POISON_H
#define CORDON_POLICY_POISON_H

#include "tools/tool.h"

enum poison_class {
#define POISON(id, code, severity, advice) POISON_##id,
#include "policy/poison.def"
#undef POISON
    POISON_COUNT,
};

enum poison_severity { POISON_WARNING, POISON_ERROR };

struct poison_finding {
    enum poison_class class;
    str tool;  /* id */
    str other; /* id of another tool that plays a part, or empty */
    str place; /* JSON pointer into the definition */
    str text;  /* what was found, invisible characters shown as \u{...} */
};

struct poison_report {
    const struct poison_finding *findings; /* in the order of the tools */
    size_t count, errors;
    bool more; /* there were others past the bound */
};

const char *poison_code(enum poison_class c);
enum poison_severity poison_severity(enum poison_class c);
const char *poison_advice(enum poison_class c);

/* Looks at every tool alone and at all together. */
int poison_scan(const struct tool *tools, size_t count, struct arena *a,
                struct poison_report *out, struct err *e);

/* Text as a person should see it: what cannot be seen, and what would act on a
 * terminal, becomes \u{e0041}. */
struct buf;
int visible_add(str text, struct buf *out, struct err *e);

#endif
