/* SPDX-License-Identifier: MIT
 *
 * schema_leaf -- keywords that look at a value alone, and the ways past a unit
 * that has no others.
 *
 * These run for every member of every call, so they are inlined where they are
 * used: the common ones cost a jump and a comparison, not a frame.
 */
#ifndef CORDON_JSON_SCHEMA_LEAF_H
#define CORDON_JSON_SCHEMA_LEAF_H

#include "base/utf8.h"
#include "json/schema_eval.h"
#include "json/schema_num.h"

bool leaf_same(struct eval *x, const struct json *a, const struct json *b);
bool leaf_in_enum(struct eval *x, const struct json *list,
                  const struct json *v);
bool leaf_matches(struct eval *x, struct regex *re, str s);
bool leaf_has_format(struct eval *x, const struct format *f, str s);

static inline size_t code_points(str s) {
    const uint64_t high = 0x8080808080808080u;
    struct name ends = name_of(s);
    bool ascii = s.n <= 16 && !((ends.head | ends.tail) & high);
    return ascii ? s.n : utf8_count(s.p, s.n);
}

/* A string of n bytes has between n/4 and n code points, so most lengths need
 * no counting. */
static inline bool long_enough(str s, size_t min) {
    if (s.n < min) return false;
    return s.n / 4 >= min || code_points(s) >= min;
}

static inline bool short_enough(str s, size_t max) {
    return s.n <= max || (s.n / 4 <= max && code_points(s) <= max);
}

/* v against a bound: below, at or above 0. */
INLINE int compare(const struct json *v, const struct json *bound) {
    if (json_type(v) != JSON_INT || json_type(bound) != JSON_INT)
        return number_compare(v, bound);
    int64_t a = v->as.integer, b = bound->as.integer;
    return (a > b) - (a < b);
}

INLINE bool in_names(const struct names *names, const struct json *v) {
    struct name name = name_of(json_str(v));
    return names_find(names, &name) != NAMES_NONE;
}

/* True when the value passes the keyword. */
INLINE bool eval_leaf(struct eval *x, const struct instr *in,
                      const struct json *v) {
    switch ((enum schema_op)in->op) {
    case OP_ENUM: return leaf_in_enum(x, in->as.value, v);
    case OP_ENUM_TEXT: return in_names(in->as.names, v);
    case OP_CONST: return leaf_same(x, in->as.value, v);
    case OP_MINIMUM: return compare(v, in->as.value) >= 0;
    case OP_MAXIMUM: return compare(v, in->as.value) <= 0;
    case OP_EXCLUSIVE_MINIMUM: return compare(v, in->as.value) > 0;
    case OP_EXCLUSIVE_MAXIMUM: return compare(v, in->as.value) < 0;
    case OP_MULTIPLE_OF: return number_is_multiple(v, in->as.step);
    case OP_MIN_LENGTH: return long_enough(json_str(v), in->as.count);
    case OP_MAX_LENGTH: return short_enough(json_str(v), in->as.count);
    case OP_PATTERN: return leaf_matches(x, in->as.regex, json_str(v));
    case OP_FORMAT: return leaf_has_format(x, in->as.format, json_str(v));
    case OP_MIN_ITEMS:
    case OP_MIN_PROPERTIES: return json_len(v) >= in->as.count;
    case OP_MAX_ITEMS:
    case OP_MAX_PROPERTIES: return json_len(v) <= in->as.count;
    case OP_UNIQUE_ITEMS: return items_unique(x, v);
    case OP_END:
    case OP_REF:
    case OP_DYNAMIC_REF:
    case OP_ITEMS:
    case OP_CONTAINS:
    case OP_PROPERTIES:
    case OP_PROPERTY_NAMES:
    case OP_DEPENDENT:
    case OP_ALL_OF:
    case OP_ANY_OF:
    case OP_ONE_OF:
    case OP_NOT:
    case OP_IF:
    case OP_UNEVALUATED_ITEMS:
    case OP_UNEVALUATED_PROPERTIES: break;
    }
    return true;
}

/* Instructions that are all leaves. */
bool run_leaves(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at);

/* True when the value is within the bounds that say all about its type; false
 * tells nothing. Of a string n bytes long, n / 4 code points are certain. */
INLINE bool within_bounds(const struct unit *u, const struct json *v) {
    if (json_type(v) == JSON_INT)
        return v->as.integer >= u->low && v->as.integer <= u->high;
    int64_t n = (int64_t)json_len(v);
    if (n > u->high) return false;
    return n / 4 >= u->low || (int64_t)code_points(json_str(v)) >= u->low;
}

/* A part that is not plain for its unit. Keywords that look at it alone are
 * decided without entering the unit. */
INLINE bool eval_part(struct eval *x, const struct unit *u,
                      const struct json *v, const struct at *at) {
    enum json_type t = json_type(v);
    if ((u->bounded >> t & 1) && within_bounds(u, v)) return true;
    enum kind kind = kind_of(t);
    if ((u->types >> t & 1) && (u->leaf >> kind & 1))
        return run_leaves(x, &x->s->code[u->code[kind]], v, at);
    return eval_unit(x, (uint32_t)(u - x->s->units), v, at, NULL);
}

/* Most members are of a type and nothing more. */
INLINE bool eval_child(struct eval *x, uint32_t unit, const struct json *v,
                       const struct json *key, size_t index,
                       const struct at *up) {
    const struct unit *u = &x->s->units[unit];
    if (u->plain >> json_type(v) & 1) return true;
    struct at at = {up, key, index};
    return eval_part(x, u, v, &at);
}

#endif
