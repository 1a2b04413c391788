/* SPDX-License-Identifier: MIT
 *
 * lint -- what keeps a model from choosing the right tool.
 *
 * Texts that are too long, too general or say nothing at their start,
 * parameters that are not described, names and schemas that a model's API
 * refuses, and pairs of tools that selection cannot tell apart.
 */
#ifndef CORDON_TOOLS_SELECT_LINT_H
#define CORDON_TOOLS_SELECT_LINT_H

#include "tools/catalogue.h"
#include "tools/select/select.h"

enum lint_rule {
#define LINT(id, code, advice) LINT_##id,
#include "tools/select/lint.def"
#undef LINT
    LINT_RULES,
};

struct lint_finding {
    enum lint_rule rule;
    str tool;   /* id */
    str other;  /* id of the other one of a pair, or empty */
    str text;   /* what is wrong, in a sentence */
    str advice; /* what to do */
};

struct lint {
    struct lint_finding *findings;
    size_t count, cap;
    struct arena arena; /* texts */
};

#define LINT_INIT ((struct lint){.arena = ARENA_MAX((size_t)256 << 20)})

const char *lint_code(enum lint_rule rule);

/* Checks every tool of the catalogue; findings are in its order. */
int lint_catalogue(struct lint *l, const struct catalogue *c, struct err *e);

/* Adds a finding; advice NULL: the rule's own. */
int lint_add(struct lint *l, enum lint_rule rule, const struct tool *t,
             const struct tool *other, const char *advice, struct err *e,
             const char *fmt, ...) __attribute__((format(printf, 7, 8)));

/* The parts: schemas, and pairs that are too alike. */
int lint_schema(struct lint *l, const struct tool *t, struct err *e);
int lint_pairs(struct lint *l, const struct catalogue *c, struct err *e);

void lint_fini(struct lint *l);
#define AUTO_LINT __attribute__((cleanup(lint_fini)))

#endif
