/* SPDX-License-Identifier: MIT */
#include "json/schema_leaf.h"

#define REGEX_STEPS 50   /* a match may cost as much as this many units */
#define REGEX_MORE  5000 /* one that needs much backtracking, as this many */

bool leaf_same(struct eval *x, const struct json *a, const struct json *b) {
    size_t n = json_nodes(a) < json_nodes(b) ? json_nodes(a) : json_nodes(b);
    return eval_spend(x, n) && json_equal(a, b);
}

bool leaf_in_enum(struct eval *x, const struct json *list,
                  const struct json *v) {
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (leaf_same(x, item, v)) return true;
    return false;
}

bool leaf_matches(struct eval *x, struct regex *re, str s) {
    struct regex_scratch *scratch = x->s->scratch;
    if (!eval_spend(x, REGEX_STEPS + s.n / 16)) return false;
    int found = regex_match(re, scratch, s, REGEX_LITTLE, x->err);
    if (found < 0 && x->err->kind == ERR_LIMIT) {
        if (!eval_spend(x, REGEX_MORE + s.n)) return false;
        found = regex_match(re, scratch, s, REGEX_FULL, x->err);
    }
    return found < 0 ? eval_stop(x, found) : found > 0;
}

bool leaf_has_format(struct eval *x, const struct format *f, str s) {
    return eval_spend(x, 1 + s.n / 16) && f->check(s);
}

bool run_leaves(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at) {
    for (; in->op != OP_END; in++)
        if (!eval_leaf(x, in, v)) return eval_run_on(x, in, v, at, NULL);
    return true;
}
