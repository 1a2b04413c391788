/* SPDX-License-Identifier: MIT
 *
 * Runs a compiled schema on a value.
 *
 * In the ordinary case nothing is collected: the first violation ends the run.
 * When a report is wanted the same code goes on after each violation. Branches
 * that may fail without harm (anyOf, not, if, contains) are silent in both.
 */
#include "json/schema_eval.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "json/schema_num.h"

/* Keeps the frames of rare keywords out of the functions that run for all. */
#define OUTLINE __attribute__((noinline))
#define INLINE  static inline __attribute__((always_inline))

#define STEPS_BASE      1000000
#define STEPS_PER_VALUE 200
#define REGEX_STEPS     50 /* a match may cost as much as this many units */

bool eval_stop(struct eval *x, int failed) {
    if (failed) x->stopped = true;
    x->steps = 0;
    return false;
}

bool eval_exhausted(struct eval *x) {
    if (x->stopped) return false;
    return eval_stop(x, fail(x->err, ERR_LIMIT,
                             "the value takes more steps to validate than its "
                             "schema allows"));
}

/* ---- marks ----------------------------------------------------------------
 */

static bool marks_init(struct eval *x, struct marks *m, const struct json *v) {
    bool container = json_type(v) >= JSON_ARRAY;
    *m =
        (struct marks){.bits = &m->small, .count = container ? json_len(v) : 0};
    if (m->count <= 64) return true;
    size_t words = (m->count + 63) / 64;
    if (!eval_spend(x, words)) return false;
    m->bits = arena_zalloc(&x->s->work, words, sizeof *m->bits, x->err);
    return m->bits ? true : eval_stop(x, -1);
}

static void marks_merge(struct marks *into, const struct marks *from) {
    for (size_t i = 0; i < (into->count + 63) / 64; i++)
        into->bits[i] |= from->bits[i];
}

void mark_all(struct marks *m) {
    memset(m->bits, 0xff, (m->count + 63) / 64 * sizeof *m->bits);
}

/* Applies a unit whose failure is no violation. Its marks count only when it
 * accepts the value. */
static bool try_unit(struct eval *x, uint32_t unit, const struct json *v,
                     const struct at *at, struct marks *marks) {
    struct collector *collector = x->collector;
    struct arena_mark mark = arena_mark(&x->s->work);
    struct marks own;
    x->collector = NULL;
    bool ok = !marks || marks_init(x, &own, v);
    ok = ok && eval_unit(x, unit, v, at, marks ? &own : NULL);
    if (ok && marks) marks_merge(marks, &own);
    if (marks) arena_rewind(&x->s->work, mark);
    x->collector = collector;
    return ok;
}

/* ---- keywords for any value -----------------------------------------------
 */

static size_t nodes(const struct json *v) {
    return (size_t)(json_skip(v) - v);
}

OUTLINE static bool same_value(struct eval *x, const struct json *a,
                               const struct json *b) {
    size_t n = nodes(a) < nodes(b) ? nodes(a) : nodes(b);
    return eval_spend(x, n) && json_equal(a, b);
}

OUTLINE static bool in_enum(struct eval *x, const struct json *list,
                            const struct json *v) {
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (same_value(x, item, v)) return true;
    return false;
}

OUTLINE static bool any_of(struct eval *x, const struct instr *in,
                           const struct json *v, const struct at *at,
                           struct marks *marks) {
    bool found = false;
    for (size_t i = 0; i < in->as.list->count; i++) {
        found |= try_unit(x, in->as.list->units[i], v, at, marks);
        if (found && !marks) return true;
    }
    return found;
}

OUTLINE static bool one_of(struct eval *x, const struct instr *in,
                           const struct json *v, const struct at *at,
                           struct marks *marks) {
    size_t found = 0;
    for (size_t i = 0; i < in->as.list->count && found < 2; i++)
        found += try_unit(x, in->as.list->units[i], v, at, marks);
    return found == 1;
}

OUTLINE static bool if_then_else(struct eval *x, const struct instr *in,
                                 const struct json *v, const struct at *at,
                                 struct marks *marks) {
    bool chosen = try_unit(x, in->unit, v, at, marks);
    const struct choice *c = in->as.choice;
    return eval_unit(x, chosen ? c->then_unit : c->else_unit, v, at, marks);
}

/* The unit of the outermost resource on the way here that has the anchor. */
static uint32_t find_dynamic(struct eval *x, const struct instr *in) {
    uint32_t found = in->unit;
    for (const struct scope *s = x->scope; s; s = s->up) {
        uint32_t unit = in->as.dynamic->units[s->resource];
        if (unit != UNIT_NONE) found = unit;
        if (!eval_spend(x, 1)) break;
    }
    return found;
}

/* ---- text -----------------------------------------------------------------
 */

static size_t code_points(str s) {
    const uint64_t high = 0x8080808080808080u;
    struct name ends = name_of(s);
    bool ascii = s.n <= 16 && !((ends.head | ends.tail) & high);
    return ascii ? s.n : utf8_count(s.p, s.n);
}

/* A string of n bytes has between n/4 and n code points, so most lengths need
 * no counting. */
static bool long_enough(str s, size_t min) {
    if (s.n < min) return false;
    return s.n / 4 >= min || code_points(s) >= min;
}

static bool short_enough(str s, size_t max) {
    return s.n <= max || (s.n / 4 <= max && code_points(s) <= max);
}

static bool matches(struct eval *x, struct regex *re, str s) {
    if (!eval_spend(x, REGEX_STEPS + s.n / 16)) return false;
    int found = regex_match(re, x->s->scratch, s, x->err);
    return found < 0 ? eval_stop(x, found) : found > 0;
}

static bool has_format(struct eval *x, const struct instr *in, str s) {
    return eval_spend(x, 1 + s.n / 16) && in->as.format->check(s);
}

static bool run_on(struct eval *x, const struct instr *in, const struct json *v,
                   const struct at *at, struct marks *marks);

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

/* Keywords that look at the value alone. Kept apart from the others so that
 * the common ones cost a jump and a comparison, not a frame. */
INLINE bool eval_leaf(struct eval *x, const struct instr *in,
                      const struct json *v) {
    switch ((enum schema_op)in->op) {
    case OP_ENUM: return in_enum(x, in->as.value, v);
    case OP_ENUM_TEXT: return in_names(in->as.names, v);
    case OP_CONST: return same_value(x, in->as.value, v);
    case OP_MINIMUM: return compare(v, in->as.value) >= 0;
    case OP_MAXIMUM: return compare(v, in->as.value) <= 0;
    case OP_EXCLUSIVE_MINIMUM: return compare(v, in->as.value) > 0;
    case OP_EXCLUSIVE_MAXIMUM: return compare(v, in->as.value) < 0;
    case OP_MULTIPLE_OF: return number_is_multiple(v, in->as.step);
    case OP_MIN_LENGTH: return long_enough(json_str(v), in->as.count);
    case OP_MAX_LENGTH: return short_enough(json_str(v), in->as.count);
    case OP_PATTERN: return matches(x, in->as.regex, json_str(v));
    case OP_FORMAT: return has_format(x, in, json_str(v));
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
static bool run_leaves(struct eval *x, const struct instr *in,
                       const struct json *v, const struct at *at) {
    for (; in->op != OP_END; in++)
        if (!eval_leaf(x, in, v)) return run_on(x, in, v, at, NULL);
    return true;
}

/* ---- objects ---------------------------------------------------------------
 */

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

struct members {
    const struct props *props;
    uint64_t *seen; /* bits of required members */
    uint64_t small;
};

static bool members_init(struct eval *x, struct members *m,
                         struct arena_mark *start) {
    m->small = 0;
    m->seen = &m->small;
    if (m->props->required <= 64) return true;
    *start = arena_mark(&x->s->work);
    size_t words = (m->props->required + 63) / 64;
    m->seen = arena_zalloc(&x->s->work, words, sizeof *m->seen, x->err);
    return m->seen ? true : eval_stop(x, -1);
}

OUTLINE static bool eval_patterns(struct eval *x, const struct props *p,
                                  const struct json *key, const struct at *at,
                                  bool *evaluated) {
    bool ok = true;
    for (size_t i = 0; i < p->pattern_count; i++) {
        if (!matches(x, p->patterns[i].regex, json_str(key))) continue;
        *evaluated = true;
        ok &= eval_child(x, p->patterns[i].unit, key + 1, key, 0, at);
    }
    return ok;
}

OUTLINE static bool eval_additional(struct eval *x, const struct props *p,
                                    const struct json *key,
                                    const struct at *at) {
    if (p->closed)
        return report_extra(x, p->additional_at, KEY_ADDITIONAL_PROPERTIES, key,
                            at);
    return eval_child(x, p->additional, key + 1, key, 0, at);
}

/* One member of the value; false when it breaks a rule. *next is where the
 * member's name is looked for first, then where the one after it may be. */
INLINE bool eval_member(struct eval *x, struct members *m,
                        const struct json *key, const struct at *at,
                        uint32_t *next, bool *evaluated) {
    const struct props *p = m->props;
    struct name name = name_of(json_str(key));
    uint32_t i = names_at(&p->names, *next, &name)
                     ? *next
                     : names_find(&p->names, &name);
    bool ok = true;
    if (i != NAMES_NONE) {
        const struct prop *prop = &p->list[i];
        *next = i + 1;
        if (prop->required) {
            uint32_t bit = prop->required - 1;
            m->seen[bit / 64] |= (uint64_t)1 << (bit % 64);
        }
        if (prop->unit != UNIT_NONE) {
            *evaluated = true;
            ok = eval_child(x, prop->unit, key + 1, key, 0, at);
        }
    }
    if (p->pattern_count > 0) ok &= eval_patterns(x, p, key, at, evaluated);
    if (*evaluated || p->additional == UNIT_NONE) return ok;
    *evaluated = true;
    return eval_additional(x, p, key, at) && ok;
}

OUTLINE static bool has_required(struct eval *x, const struct members *m,
                                 const struct json *v, const struct at *at) {
    const struct props *p = m->props;
    if (p->required <= 64 && *m->seen == p->all_required) return true;
    bool ok = true;
    for (uint32_t i = 0; i < p->names.count; i++) {
        if (!p->list[i].required) continue;
        uint32_t bit = p->list[i].required - 1;
        if (m->seen[bit / 64] >> (bit % 64) & 1) continue;
        ok = report_missing(x, p->required_at, KEY_REQUIRED,
                            p->names.list[i].text, v, at);
        if (!x->collector) return false;
    }
    return ok;
}

/* As eval_properties, where the schema is simple and only the verdict is
 * wanted: what a call of a tool comes down to. */
static bool eval_simple(struct eval *x, const struct props *p,
                        const struct json *v, const struct at *at) {
    const struct unit *units = x->s->units;
    const struct json *key = json_first(v);
    uint64_t seen = 0;
    uint32_t next = 0;
    for (size_t n = json_len(v); n > 0; n--, key = json_skip(key + 1)) {
        struct name name = name_of(json_str(key));
        uint32_t i = names_at(&p->names, next, &name)
                         ? next
                         : names_find(&p->names, &name);
        uint32_t unit = i == NAMES_NONE ? p->additional : p->list[i].unit;
        if (i != NAMES_NONE) {
            seen |= p->list[i].bit;
            next = i + 1;
        }
        if (unit == UNIT_NONE || (units[unit].plain >> json_type(key + 1) & 1))
            continue;
        struct at here = {at, key, 0};
        if (!eval_part(x, &units[unit], key + 1, &here)) return false;
    }
    return seen == p->all_required;
}

OUTLINE static bool eval_properties(struct eval *x, const struct instr *in,
                                    const struct json *v, const struct at *at,
                                    struct marks *marks) {
    size_t n = json_len(v);
    if (!eval_spend(x, n)) return false;
    if (in->as.props->simple && !marks && !x->collector)
        return eval_simple(x, in->as.props, v, at);
    struct members m = {.props = in->as.props};
    struct arena_mark start;
    if (!members_init(x, &m, &start)) return false;
    bool ok = true;
    uint32_t next = 0;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1)) {
        bool evaluated = false;
        if (!eval_member(x, &m, key, at, &next, &evaluated)) {
            ok = false;
            if (!x->collector) break;
        }
        if (marks && evaluated) mark(marks, i);
    }
    ok = (ok || x->collector) && has_required(x, &m, v, at) && ok;
    if (m.seen != &m.small) arena_rewind(&x->s->work, start);
    return ok;
}

OUTLINE static bool eval_names(struct eval *x, const struct instr *in,
                               const struct json *v, const struct at *at) {
    bool ok = true;
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        if (eval_child(x, in->unit, key, key, 0, at)) continue;
        ok = false;
        if (!x->collector) break;
    }
    return ok;
}

static bool has_member(struct eval *x, const struct json *v, str name) {
    return eval_spend(x, json_len(v)) && json_get_str(v, name);
}

static bool has_all(struct eval *x, const struct instr *in,
                    const struct need *need, const struct json *v,
                    const struct at *at) {
    bool ok = true;
    const struct json *item = json_first(need->required);
    for (size_t i = json_len(need->required); i > 0; i--, item++) {
        if (has_member(x, v, json_str(item))) continue;
        ok = report_missing(x, in->where, (enum keyword)in->keyword,
                            json_str(item), v, at);
        if (!x->collector) break;
    }
    return ok;
}

OUTLINE static bool eval_needs(struct eval *x, const struct instr *in,
                               const struct json *v, const struct at *at,
                               struct marks *marks) {
    bool ok = true;
    for (size_t i = 0; i < in->as.needs->count; i++) {
        const struct need *need = &in->as.needs->needs[i];
        if (!has_member(x, v, need->member)) continue;
        if (need->required)
            ok &= has_all(x, in, need, v, at);
        else
            ok &= eval_unit(x, need->unit, v, at, marks);
    }
    return ok;
}

OUTLINE static bool eval_unevaluated_members(struct eval *x,
                                             const struct instr *in,
                                             const struct json *v,
                                             const struct at *at,
                                             struct marks *marks) {
    bool ok = true;
    bool closed = x->s->units[in->unit].types == 0;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, key = json_skip(key + 1)) {
        if (marked(marks, i)) continue;
        if (closed)
            ok =
                report_extra(x, in->where, KEY_UNEVALUATED_PROPERTIES, key, at);
        else
            ok &= eval_child(x, in->unit, key + 1, key, 0, at);
    }
    mark_all(marks);
    return ok;
}

/* ---- arrays ----------------------------------------------------------------
 */

OUTLINE static bool eval_items(struct eval *x, const struct instr *in,
                               const struct json *v, const struct at *at,
                               struct marks *marks) {
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

OUTLINE static bool eval_contains(struct eval *x, const struct instr *in,
                                  const struct json *v, const struct at *at,
                                  struct marks *marks) {
    const struct count_range *range = in->as.range;
    size_t found = 0;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, item = json_skip(item)) {
        struct at here = {at, NULL, i};
        if (!try_unit(x, in->unit, item, &here, NULL)) continue;
        found++;
        if (marks) mark(marks, i);
        bool decided = found >= range->min && range->max == SIZE_MAX;
        if (!marks && decided) break;
    }
    return found >= range->min && found <= range->max;
}

OUTLINE static bool eval_unevaluated_items(struct eval *x,
                                           const struct instr *in,
                                           const struct json *v,
                                           const struct at *at,
                                           struct marks *marks) {
    bool ok = true;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, item = json_skip(item))
        if (!marked(marks, i)) ok &= eval_child(x, in->unit, item, NULL, i, at);
    mark_all(marks);
    return ok;
}

/* ---- the loop ---------------------------------------------------------------
 */

/* True when the value passes. */
INLINE bool eval_instr(struct eval *x, const struct instr *in,
                       const struct json *v, const struct at *at,
                       struct marks *marks) {
    switch ((enum schema_op)in->op) {
    case OP_CONTAINS: return eval_contains(x, in, v, at, marks);
    case OP_ANY_OF: return any_of(x, in, v, at, marks);
    case OP_ONE_OF: return one_of(x, in, v, at, marks);
    case OP_NOT: return !try_unit(x, in->unit, v, at, NULL);
    case OP_REF:
    case OP_ALL_OF: return eval_unit(x, in->unit, v, at, marks);
    case OP_DYNAMIC_REF: return eval_unit(x, find_dynamic(x, in), v, at, marks);
    case OP_IF: return if_then_else(x, in, v, at, marks);
    case OP_ITEMS: return eval_items(x, in, v, at, marks);
    case OP_PROPERTIES: return eval_properties(x, in, v, at, marks);
    case OP_PROPERTY_NAMES: return eval_names(x, in, v, at);
    case OP_DEPENDENT: return eval_needs(x, in, v, at, marks);
    case OP_UNEVALUATED_ITEMS:
        return eval_unevaluated_items(x, in, v, at, marks);
    case OP_UNEVALUATED_PROPERTIES:
        return eval_unevaluated_members(x, in, v, at, marks);
    case OP_END:
    case OP_ENUM:
    case OP_ENUM_TEXT:
    case OP_CONST:
    case OP_MINIMUM:
    case OP_MAXIMUM:
    case OP_EXCLUSIVE_MINIMUM:
    case OP_EXCLUSIVE_MAXIMUM:
    case OP_MULTIPLE_OF:
    case OP_MIN_LENGTH:
    case OP_MAX_LENGTH:
    case OP_PATTERN:
    case OP_FORMAT:
    case OP_MIN_ITEMS:
    case OP_MAX_ITEMS:
    case OP_UNIQUE_ITEMS:
    case OP_MIN_PROPERTIES:
    case OP_MAX_PROPERTIES: break;
    }
    return eval_leaf(x, in, v);
}

static void tell(struct eval *x, const struct instr *in, const struct json *v,
                 const struct at *at) {
    if (in->op == OP_ANY_OF || in->op == OP_ONE_OF)
        report_choice(x, in, v, at);
    else if (op_nature((enum schema_op)in->op) != TREE)
        report(x, in, v, at);
}

/* Goes on after a violation when someone collects them. Marks of keywords that
 * failed mean nothing, so what reads them is then left out. */
OUTLINE static bool run_on(struct eval *x, const struct instr *in,
                           const struct json *v, const struct at *at,
                           struct marks *marks) {
    if (!x->collector) return false;
    tell(x, in, v, at);
    for (in++; in->op != OP_END; in++) {
        if (in->op == OP_UNEVALUATED_ITEMS ||
            in->op == OP_UNEVALUATED_PROPERTIES)
            return false;
        if (!eval_instr(x, in, v, at, marks)) tell(x, in, v, at);
    }
    return false;
}

INLINE bool run(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at, struct marks *marks) {
    for (; in->op != OP_END; in++)
        if (!eval_instr(x, in, v, at, marks))
            return run_on(x, in, v, at, marks);
    return true;
}

/* As run, with marks of the unit's own. */
OUTLINE static bool run_marked(struct eval *x, const struct instr *in,
                               const struct json *v, const struct at *at,
                               struct marks *marks) {
    struct arena_mark start = arena_mark(&x->s->work);
    struct marks own;
    bool ok = marks_init(x, &own, v) && run(x, in, v, at, &own);
    if (ok && marks) marks_merge(marks, &own);
    arena_rewind(&x->s->work, start);
    return ok;
}

bool unit_takes(const struct unit *u, const struct json *v) {
    enum json_type t = json_type(v);
    if (u->types >> t & 1) return true;
    return u->integral && (t == JSON_REAL || t == JSON_BIG) &&
           number_is_integral(v);
}

OUTLINE static bool too_deep(struct eval *x) {
    return eval_stop(x, fail(x->err, ERR_LIMIT,
                             "schemas are applied inside "
                             "each other more than %zu deep",
                             x->s->max_depth));
}

INLINE bool enter(struct eval *x) {
    if (!eval_spend(x, 1)) return false;
    return x->depth < x->s->max_depth ? true : too_deep(x);
}

/* The rest of eval_unit where the dynamic scope counts, or marks do. */
OUTLINE static bool eval_scoped(struct eval *x, const struct unit *u,
                                const struct instr *in, const struct json *v,
                                const struct at *at, struct marks *marks) {
    const struct scope *up = x->scope;
    struct scope here = {up, u->resource};
    if (!up || up->resource != u->resource) x->scope = &here;
    bool ok = u->unevaluated ? run_marked(x, in, v, at, marks)
                             : run(x, in, v, at, marks);
    x->scope = up;
    return ok;
}

bool eval_unit(struct eval *x, uint32_t unit, const struct json *v,
               const struct at *at, struct marks *marks) {
    const struct unit *u = &x->s->units[unit];
    enum json_type t = json_type(v);
    if (!enter(x)) return false;
    if (!(u->types >> t & 1) && !unit_takes(u, v))
        return report_type(x, u, v, at);
    const struct instr *in = &x->s->code[u->code[kind_of(t)]];
    x->depth++;
    bool ok = x->s->dynamic || u->unevaluated
                  ? eval_scoped(x, u, in, v, at, marks)
                  : run(x, in, v, at, marks);
    x->depth--;
    return ok;
}

/* ---- entry ------------------------------------------------------------------
 */

size_t schema_steps(const struct schema *s, const struct json *v) {
    if (s->max_steps) return s->max_steps;
    return STEPS_BASE + STEPS_PER_VALUE * nodes(v);
}

int schema_test(struct schema *s, uint32_t unit, const struct json *v,
                size_t *steps, struct err *e) {
    struct eval x = {.s = s, .steps = *steps, .err = e};
    bool ok = eval_unit(&x, unit, v, NULL, NULL);
    if (s->work.block) arena_fini(&s->work);
    *steps = x.steps;
    if (x.stopped) return -1;
    return ok;
}

/* The root unit on the whole value: 1 valid, 0 not, -1 limit. */
static int evaluate(struct schema *s, const struct json *v,
                    struct collector *collector, struct err *e) {
    struct eval x = {.s = s, .collector = collector, .err = e};
    x.steps = schema_steps(s, v);
    bool ok = eval_unit(&x, s->root, v, NULL, NULL);
    if (s->work.block) arena_fini(&s->work);
    if (x.stopped) return -1;
    return ok;
}

int schema_explain(struct schema *s, const struct json *v, size_t max,
                   struct arena *a, struct schema_report *out, struct err *e) {
    struct collector c = {.arena = a, .max = max};
    c.errors = arena_zalloc(a, max + 1, sizeof *c.errors, e);
    if (!c.errors || evaluate(s, v, &c, e) < 0) return -1;
    *out = (struct schema_report){c.errors, c.count, c.more};
    return 0;
}

static int describe(struct schema *s, const struct json *v, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1u << 20);
    struct schema_report r;
    if (schema_explain(s, v, 1, &a, &r, e)) return -1;
    if (r.count == 0) return fail(e, ERR_INTERNAL, "no violation was found");
    const struct schema_error *first = &r.errors[0];
    return fail(e, ERR_INVALID, "%.*s: expected %.*s, got %.*s",
                STR_ARG(first->path.n ? first->path : STR("value")),
                STR_ARG(first->expected), STR_ARG(first->got));
}

int schema_check(struct schema *s, const struct json *v, struct err *e) {
    int valid = evaluate(s, v, NULL, e);
    if (valid == 0) return describe(s, v, e);
    return valid < 0 ? -1 : 0;
}
