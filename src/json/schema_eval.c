/* SPDX-License-Identifier: MIT
 *
 * Runs a compiled schema on a value.
 *
 * In the ordinary case nothing is collected: the first violation ends the run.
 * When a report is wanted the same code goes on after each violation. Branches
 * that may fail without harm (anyOf, not, if, contains) are silent in both.
 */
#include "json/schema_leaf.h"

#include <string.h>

#define STEPS_BASE      1000000
#define STEPS_PER_VALUE 200

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

/* ---- marks ------------------------------------------------------------- */

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
bool eval_try(struct eval *x, uint32_t unit, const struct json *v,
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

/* ---- keywords for any value -------------------------------------------- */

OUTLINE static bool any_of(struct eval *x, const struct instr *in,
                           const struct json *v, const struct at *at,
                           struct marks *marks) {
    bool found = false;
    for (size_t i = 0; i < in->as.list->count; i++) {
        found |= eval_try(x, in->as.list->units[i], v, at, marks);
        if (found && !marks) return true;
    }
    return found;
}

OUTLINE static bool one_of(struct eval *x, const struct instr *in,
                           const struct json *v, const struct at *at,
                           struct marks *marks) {
    size_t found = 0;
    for (size_t i = 0; i < in->as.list->count && found < 2; i++)
        found += eval_try(x, in->as.list->units[i], v, at, marks);
    return found == 1;
}

OUTLINE static bool if_then_else(struct eval *x, const struct instr *in,
                                 const struct json *v, const struct at *at,
                                 struct marks *marks) {
    bool chosen = eval_try(x, in->unit, v, at, marks);
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

/* ---- the loop ---------------------------------------------------------- */

/* True when the value passes. */
INLINE bool eval_instr(struct eval *x, const struct instr *in,
                       const struct json *v, const struct at *at,
                       struct marks *marks) {
    switch ((enum schema_op)in->op) {
    case OP_CONTAINS: return eval_contains(x, in, v, at, marks);
    case OP_ANY_OF: return any_of(x, in, v, at, marks);
    case OP_ONE_OF: return one_of(x, in, v, at, marks);
    case OP_NOT: return !eval_try(x, in->unit, v, at, NULL);
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
bool eval_run_on(struct eval *x, const struct instr *in, const struct json *v,
                 const struct at *at, struct marks *marks) {
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
            return eval_run_on(x, in, v, at, marks);
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

/* ---- entry ------------------------------------------------------------- */

size_t schema_steps(const struct schema *s, const struct json *v) {
    if (s->max_steps) return s->max_steps;
    return STEPS_BASE + STEPS_PER_VALUE * json_nodes(v);
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
    struct collector c = {.arena = a, .max = max > 0 ? max : 1};
    c.errors = arena_zalloc(a, c.max, sizeof *c.errors, e);
    if (!c.errors || evaluate(s, v, &c, e) < 0) return -1;
    *out = (struct schema_report){c.errors, c.count, c.more};
    return 0;
}

static int describe(struct schema *s, const struct json *v, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1u << 20);
    struct schema_error first;
    struct collector c = {.arena = &a, .errors = &first, .max = 1};
    c.brief = true;
    if (evaluate(s, v, &c, e) < 0) return -1;
    if (c.count == 0) return fail(e, ERR_INTERNAL, "no violation was found");
    return fail(e, ERR_INVALID, "%.*s: expected %.*s, got %.*s",
                STR_ARG(first.path.n ? first.path : STR("value")),
                STR_ARG(first.expected), STR_ARG(first.got));
}

int schema_check(struct schema *s, const struct json *v, struct err *e) {
    int valid = evaluate(s, v, NULL, e);
    if (valid == 0) return describe(s, v, e);
    return valid < 0 ? -1 : 0;
}
