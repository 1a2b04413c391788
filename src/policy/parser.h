/* SPDX-License-Identifier: MIT
 *
 * parser -- the parser of rule files, shared by its parts.
 */
#ifndef CORDON_POLICY_PARSER_H
#define CORDON_POLICY_PARSER_H

#include "policy/rule.h"
#include "policy/words.h"

struct parser {
    struct words words;
    struct policy *policy;
    struct rule **last_rule; /* where the next one is linked */
    size_t depth;            /* of nested conditions and values */
};

#define PARSE_DEPTH 64

/* A word or a string. */
int rule_word(struct parser *p, const char *what, str *out, struct err *e);
int rule_names(struct parser *p, const char *what, struct name **out,
               struct err *e);
enum role rule_role(str word); /* ROLE_NONE: no role */

int rule_cond(struct parser *p, struct cond **out, struct err *e);

/* Does a condition begin with this word, when *ahead comes behind it? */
bool rule_begins_cond(str word, const struct words *ahead);

int rule_test(struct parser *p, struct err *e);

#endif
