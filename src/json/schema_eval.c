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

#define STEPS_BASE      1000000
#define STEPS_PER_VALUE 200
#define REGEX_STEPS     50 /* a match may cost as much as this many units */

bool eval_stop(struct eval *x, int failed) {
    if (failed) x->stopped = true;
    x->steps = 0;
    return false;
}

bool eval_spend(struct eval *x, size_t n) {
    if (x->steps >= n) {
        x->steps -= n;
        return true;
    }
    if (x->stopped) return false;
    return eval_stop(x, fail(x->err, ERR_LIMIT,
                             "the value takes more steps to "
                             "validate than its schema allows"));
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

static bool same_value(struct eval *x, const struct json *a,
                       const struct json *b) {
    size_t n = nodes(a) < nodes(b) ? nodes(a) : nodes(b);
    return eval_spend(x, n) && json_equal(a, b);
}

static bool in_enum(struct eval *x, const struct json *list,
                    const struct json *v) {
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (same_value(x, item, v)) return true;
    return false;
}

static bool any_of(struct eval *x, const struct instr *in, const struct json *v,
                   const struct at *at, struct marks *marks) {
    bool found = false;
    for (size_t i = 0; i < in->as.list->count; i++) {
        found |= try_unit(x, in->as.list->units[i], v, at, marks);
        if (found && !marks) return true;
    }
    return found;
}

static bool one_of(struct eval *x, const struct instr *in, const struct json *v,
                   const struct at *at, struct marks *marks) {
    size_t found = 0;
    for (size_t i = 0; i < in->as.list->count && found < 2; i++)
        found += try_unit(x, in->as.list->units[i], v, at, marks);
    return found == 1;
}

static bool if_then_else(struct eval *x, const struct instr *in,
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

/* A string of n bytes has between n/4 and n code points, so most lengths need
 * no counting. */
static bool long_enough(str s, size_t min) {
    if (s.n < min) return false;
    return s.n / 4 >= min || utf8_count(s.p, s.n) >= min;
}

static bool short_enough(str s, size_t max) {
    return s.n <= max || (s.n / 4 <= max && utf8_count(s.p, s.n) <= max);
}

static bool matches(struct eval *x, struct regex *re, str s) {
    if (!eval_spend(x, REGEX_STEPS + s.n / 16)) return false;
    int found = regex_match(re, x->s->scratch, s, x->err);
    return found < 0 ? eval_stop(x, found) : found > 0;
}

static bool has_format(struct eval *x, const struct instr *in, str s) {
    return eval_spend(x, 1 + s.n / 16) && in->as.format->check(s);
}

/* ---- objects ---------------------------------------------------------------
 */

/* Most members are of a type and nothing more: decided right here. */
static inline bool eval_child(struct eval *x, uint32_t unit,
                              const struct json *v, const struct json *key,
                              size_t index, const struct at *up) {
    const struct unit *u = &x->s->units[unit];
    enum json_type t = json_type(v);
    if ((u->types >> t & 1) && u->code[kind_of(t)] == CODE_END) return true;
    struct at at = {up, key, index};
    return eval_unit(x, unit, v, &at, NULL);
}

struct members {
    const struct props *props;
    uint64_t *seen; /* bits of required members */
    uint64_t small;
};

static bool members_init(struct eval *x, struct members *m) {
    m->small = 0;
    m->seen = &m->small;
    if (m->props->required <= 64) return true;
    size_t words = (m->props->required + 63) / 64;
    m->seen = arena_zalloc(&x->s->work, words, sizeof *m->seen, x->err);
    return m->seen ? true : eval_stop(x, -1);
}

static bool eval_patterns(struct eval *x, const struct props *p,
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

static bool eval_additional(struct eval *x, const struct props *p,
                            const struct json *key, const struct at *at) {
    if (p->closed)
        return report_extra(x, p->additional_at, KEY_ADDITIONAL_PROPERTIES, key,
                            at);
    return eval_child(x, p->additional, key + 1, key, 0, at);
}

/* One member of the value; false when it breaks a rule. */
static bool eval_member(struct eval *x, struct members *m,
                        const struct json *key, const struct at *at,
                        bool *evaluated) {
    const struct props *p = m->props;
    uint32_t i = names_find(&p->names, json_str(key));
    bool ok = true;
    if (i != NAMES_NONE) {
        const struct prop *prop = &p->list[i];
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

static bool has_required(struct eval *x, const struct members *m,
                         const struct json *v, const struct at *at) {
    const struct props *p = m->props;
    if (p->required <= 64) {
        uint64_t all = p->required ? UINT64_MAX >> (64 - p->required) : 0;
        if (*m->seen == all) return true;
    }
    bool ok = true;
    for (uint32_t i = 0; i < p->names.count; i++) {
        if (!p->list[i].required) continue;
        uint32_t bit = p->list[i].required - 1;
        if (m->seen[bit / 64] >> (bit % 64) & 1) continue;
        ok = report_missing(x, p->required_at, KEY_REQUIRED, p->names.list[i],
                            v, at);
        if (!x->collector) return false;
    }
    return ok;
}

static bool eval_properties(struct eval *x, const struct instr *in,
                            const struct json *v, const struct at *at,
                            struct marks *marks) {
    size_t n = json_len(v);
    if (!eval_spend(x, n)) return false;
    struct arena_mark start = arena_mark(&x->s->work);
    struct members m = {.props = in->as.props};
    if (!members_init(x, &m)) return false;
    bool ok = true;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1)) {
        bool evaluated = false;
        if (!eval_member(x, &m, key, at, &evaluated)) {
            ok = false;
            if (!x->collector) break;
        }
        if (marks && evaluated) mark(marks, i);
    }
    ok = (ok || x->collector) && has_required(x, &m, v, at) && ok;
    if (m.seen != &m.small) arena_rewind(&x->s->work, start);
    return ok;
}

static bool eval_names(struct eval *x, const struct instr *in,
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

static bool eval_needs(struct eval *x, const struct instr *in,
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

static bool eval_unevaluated_members(struct eval *x, const struct instr *in,
                                     const struct json *v, const struct at *at,
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

static bool eval_items(struct eval *x, const struct instr *in,
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

static bool eval_contains(struct eval *x, const struct instr *in,
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

static bool eval_unevaluated_items(struct eval *x, const struct instr *in,
                                   const struct json *v, const struct at *at,
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

/* True when the value passes; what fails inside a nested unit was reported
 * there, so only `told` keywords are left to report here. */
static bool eval_instr(struct eval *x, const struct instr *in,
                       const struct json *v, const struct at *at,
                       struct marks *marks, bool *told) {
    *told = false;
    switch ((enum schema_op)in->op) {
    case OP_END: return true;
    case OP_ENUM: return in_enum(x, in->as.value, v);
    case OP_ENUM_TEXT:
        return names_find(in->as.names, json_str(v)) != NAMES_NONE;
    case OP_CONST: return same_value(x, in->as.value, v);
    case OP_MINIMUM: return number_compare(v, in->as.value) >= 0;
    case OP_MAXIMUM: return number_compare(v, in->as.value) <= 0;
    case OP_EXCLUSIVE_MINIMUM: return number_compare(v, in->as.value) > 0;
    case OP_EXCLUSIVE_MAXIMUM: return number_compare(v, in->as.value) < 0;
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
    case OP_CONTAINS: return eval_contains(x, in, v, at, marks);
    case OP_ANY_OF: return any_of(x, in, v, at, marks);
    case OP_ONE_OF: return one_of(x, in, v, at, marks);
    case OP_NOT: return !try_unit(x, in->unit, v, at, NULL);
    case OP_REF:
    case OP_ALL_OF: *told = true; return eval_unit(x, in->unit, v, at, marks);
    case OP_DYNAMIC_REF:
        *told = true;
        return eval_unit(x, find_dynamic(x, in), v, at, marks);
    case OP_IF: *told = true; return if_then_else(x, in, v, at, marks);
    case OP_ITEMS: *told = true; return eval_items(x, in, v, at, marks);
    case OP_PROPERTIES:
        *told = true;
        return eval_properties(x, in, v, at, marks);
    case OP_PROPERTY_NAMES: *told = true; return eval_names(x, in, v, at);
    case OP_DEPENDENT: *told = true; return eval_needs(x, in, v, at, marks);
    case OP_UNEVALUATED_ITEMS:
        *told = true;
        return eval_unevaluated_items(x, in, v, at, marks);
    case OP_UNEVALUATED_PROPERTIES:
        *told = true;
        return eval_unevaluated_members(x, in, v, at, marks);
    }
    return false;
}

static bool run(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at, struct marks *marks) {
    bool ok = true, told;
    for (; in->op != OP_END; in++) {
        bool last = in->op == OP_UNEVALUATED_ITEMS ||
                    in->op == OP_UNEVALUATED_PROPERTIES;
        if (last && !ok) break; /* marks of failed keywords mean nothing */
        if (eval_instr(x, in, v, at, marks, &told)) continue;
        ok = false;
        if (!x->collector) return false;
        if (!told) report(x, in, v, at);
    }
    return ok;
}

/* As run, with marks of the unit's own. */
static bool run_marked(struct eval *x, const struct instr *in,
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

static bool enter(struct eval *x) {
    if (!eval_spend(x, 1)) return false;
    if (x->depth < x->s->max_depth) return true;
    return eval_stop(x, fail(x->err, ERR_LIMIT,
                             "schemas are applied inside "
                             "each other more than %zu deep",
                             x->s->max_depth));
}

bool eval_unit(struct eval *x, uint32_t unit, const struct json *v,
               const struct at *at, struct marks *marks) {
    const struct unit *u = &x->s->units[unit];
    if (!enter(x)) return false;
    if (!unit_takes(u, v)) return report_type(x, u, v, at);
    uint32_t code = u->code[kind_of(json_type(v))];
    if (code == CODE_END) return true;
    struct scope here = {x->scope, u->resource};
    bool entered =
        x->s->dynamic && (!x->scope || x->scope->resource != u->resource);
    if (entered) x->scope = &here;
    x->depth++;
    const struct instr *in = &x->s->code[code];
    bool ok = u->unevaluated ? run_marked(x, in, v, at, marks)
                             : run(x, in, v, at, marks);
    x->depth--;
    if (entered) x->scope = here.up;
    return ok && !x->stopped;
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
    arena_fini(&s->work);
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
    arena_fini(&s->work);
    if (x.stopped) return -1;
    return ok;
}

int schema_explain(struct schema *s, const struct json *v, size_t max,
                   struct arena *a, struct schema_report *out, struct err *e) {
    struct collector c = {.arena = a, .max = max};
    c.errors = arena_zalloc(a, max + 1, sizeof *c.errors, e);
    if (!c.errors) return -1;
    int valid = evaluate(s, v, NULL, e);
    if (valid == 0) valid = evaluate(s, v, &c, e);
    if (valid < 0) return -1;
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
