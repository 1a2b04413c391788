/* SPDX-License-Identifier: MIT
 *
 * The value is walked along its schema. Where a part does not satisfy its
 * schema, each rule that could apply makes a candidate; a candidate counts only
 * if it then satisfies the schema, and it is taken only if it is the one that
 * does. Nothing here decides on validity: every answer is an evaluation.
 */
#include "json/coerce.h"

#include <string.h>

#include "base/real.h"
#include "json/build.h"
#include "json/coerce_text.h"
#include "json/schema_ir.h"

#define MAX_DEPTH 200 /* of values and schemas inside each other */

static const struct {
    const char *code, *text;
} rules[] = {
#define COERCE(name, code, text) {code, text},
#include "json/coerce.def"
#undef COERCE
};

const char *coerce_code(enum coerce_rule rule) {
    return rules[rule].code;
}

const char *coerce_text(enum coerce_rule rule) {
    return rules[rule].text;
}

struct coercion {
    struct schema *s;
    struct arena *arena;
    struct coerce_change *changes;
    size_t count, cap;
    size_t steps; /* left, for all evaluations together */
    size_t depth;
    struct err *e;
};

/* Every function that fits a value returns 1 and the fitting value, 0 when
 * there is no way, or -1 when a limit was hit. */
static int fit(struct coercion *x, uint32_t unit, const struct json *v,
               const struct at *at, const struct json **out);

static int test(struct coercion *x, uint32_t unit, const struct json *v) {
    return schema_test(x->s, unit, v, &x->steps, x->e);
}

/* ---- the record
 * --------------------------------------------------------------- */

static int grow_changes(struct coercion *x) {
    if (x->count < x->cap) return 0;
    size_t cap = x->cap ? 2 * x->cap : 8;
    struct coerce_change *grown =
        arena_alloc(x->arena, cap * sizeof *grown, x->e);
    if (!grown) return -1;
    if (x->count > 0) memcpy(grown, x->changes, x->count * sizeof *grown);
    x->changes = grown;
    x->cap = cap;
    return 0;
}

static int record(struct coercion *x, const struct at *at,
                  enum coerce_rule rule, const struct json *from,
                  const struct json *to) {
    AUTO_BUF struct buf path = BUF_MAX(64u << 10);
    struct coerce_change change = {.rule = rule, .from = from, .to = to};
    if (grow_changes(x) || schema_at_pointer(at, &path, x->e) ||
        arena_dup(x->arena, buf_str(&path), &change.path, x->e))
        return -1;
    x->changes[x->count++] = change;
    return 0;
}

/* ---- candidates
 * ----------------------------------------------------------------- */

/* A way to read a value, and what it would turn into. */
struct candidate {
    enum coerce_rule rule;
    const struct json *value;
};

struct candidates {
    struct candidate list[4];
    size_t count;
};

static void propose(struct candidates *c, enum coerce_rule rule,
                    const struct json *value) {
    if (value) c->list[c->count++] = (struct candidate){rule, value};
}

static int wrap(struct coercion *x, const struct json *v,
                struct candidates *out) {
    struct json_build b = JSON_BUILD(x->arena);
    const struct json *list;
    build_array(&b);
    build_copy(&b, v);
    build_end(&b);
    if (build_done(&b, &list, x->e)) return -1;
    propose(out, COERCE_WRAP, list);
    return 0;
}

static int propose_text(struct coercion *x, const struct unit *u, str text,
                        struct candidates *out) {
    const struct json *found = NULL;
    unsigned types = u->types;
    if ((types & TYPES_NUMBER) &&
        text_number(text, u->integral, x->arena, &found, x->e))
        return -1;
    propose(out, COERCE_NUMBER, found);
    found = NULL;
    if ((types & TYPE_BIT(JSON_BOOL)) &&
        text_boolean(text, x->arena, &found, x->e))
        return -1;
    propose(out, COERCE_BOOLEAN, found);
    found = NULL;
    if (text_container(text, x->arena, &found, x->e)) return -1;
    if (!found) return 0;
    bool array = json_type(found) == JSON_ARRAY;
    if (types & TYPE_BIT(array ? JSON_ARRAY : JSON_OBJECT))
        propose(out, array ? COERCE_ARRAY : COERCE_OBJECT, found);
    return 0;
}

/* The readings of a value whose type its schema does not take. */
static int propose_all(struct coercion *x, const struct unit *u,
                       const struct json *v, struct candidates *out) {
    out->count = 0;
    bool text = json_type(v) == JSON_STRING;
    bool scalar = json_type(v) != JSON_NULL && json_type(v) < JSON_ARRAY;
    if (text && propose_text(x, u, json_str(v), out)) return -1;
    bool list = u->types & TYPE_BIT(JSON_ARRAY);
    if (!list || !scalar || (text && text_may_be_list(json_str(v)))) return 0;
    return wrap(x, v, out);
}

/* Takes the one candidate that fits; with none or several there is no way. */
static int fit_type(struct coercion *x, uint32_t unit, const struct json *v,
                    const struct at *at, const struct json **out) {
    struct candidates c;
    if (propose_all(x, &x->s->units[unit], v, &c)) return -1;
    size_t found = 0, start = x->count, kept = x->count;
    for (size_t i = 0; i < c.count; i++) {
        const struct json *value;
        x->count = kept;
        if (record(x, at, c.list[i].rule, v, c.list[i].value)) return -1;
        int fits = fit(x, unit, c.list[i].value, at, &value);
        if (fits < 0) return -1;
        if (!fits) continue;
        found++;
        kept = x->count;
        *out = value;
    }
    x->count = found == 1 ? kept : start;
    return found == 1;
}

/* ---- members and items
 * ------------------------------------------------------------ */

/* Applies one more schema to a part; *part is replaced by what fits. A part
 * that cannot be made to fit stays: the evaluation of the whole will tell. */
static int fit_part(struct coercion *x, uint32_t unit, const struct at *at,
                    const struct json **part) {
    if (unit == UNIT_NONE) return 0;
    const struct json *fitting;
    int fits = fit(x, unit, *part, at, &fitting);
    if (fits == 1) *part = fitting;
    return fits < 0 ? -1 : 0;
}

/* An optional member that is null and may not be is left out. */
static int drops(struct coercion *x, const struct prop *p, const struct json *v,
                 const struct at *at, bool *drop) {
    *drop = false;
    if (json_type(v) != JSON_NULL || p->unit == UNIT_NONE || p->required)
        return 0;
    int valid = test(x, p->unit, v);
    if (valid != 0) return valid < 0 ? -1 : 0;
    *drop = true;
    return record(x, at, COERCE_DROP, v, NULL);
}

static int fit_member(struct coercion *x, const struct props *p,
                      const struct json *key, const struct at *up,
                      const struct json **part) {
    struct at at = {up, key, 0};
    struct name name = name_of(json_str(key));
    uint32_t i = names_find(&p->names, &name);
    *part = key + 1;
    if (i != NAMES_NONE && p->list[i].unit != UNIT_NONE) {
        bool drop;
        if (drops(x, &p->list[i], *part, &at, &drop)) return -1;
        if (drop) *part = NULL;
        return drop ? 0 : fit_part(x, p->list[i].unit, &at, part);
    }
    if (p->pattern_count > 0) return 0; /* names chosen by a pattern stay */
    return fit_part(x, p->additional, &at, part);
}

static int fit_members(struct coercion *x, const struct props *p,
                       const struct json *v, const struct at *at,
                       const struct json **out) {
    struct json_build b = JSON_BUILD(x->arena);
    bool changed = false;
    build_object(&b);
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        const struct json *part;
        if (fit_member(x, p, key, at, &part)) return -1;
        changed |= part != key + 1;
        if (!part) continue;
        build_key(&b, json_str(key));
        build_copy(&b, part);
    }
    build_end(&b);
    *out = v;
    return changed ? build_done(&b, out, x->e) : 0;
}

static int fit_items(struct coercion *x, const struct instr *in,
                     const struct json *v, const struct at *up,
                     const struct json **out) {
    struct json_build b = JSON_BUILD(x->arena);
    size_t listed = in->as.list ? in->as.list->count : 0;
    bool changed = false;
    build_array(&b);
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, item = json_skip(item)) {
        struct at at = {up, NULL, i};
        const struct json *part = item;
        uint32_t unit = i < listed ? in->as.list->units[i] : in->unit;
        if (fit_part(x, unit, &at, &part)) return -1;
        changed |= part != item;
        build_copy(&b, part);
    }
    build_end(&b);
    *out = v;
    return changed ? build_done(&b, out, x->e) : 0;
}

/* ---- schemas for the same value
 * ------------------------------------------------------ */

/* Each alternative that the value can be made to fit gives a reading. They
 * must all be the same one. */
static int fit_any(struct coercion *x, const struct instr *in,
                   const struct at *at, const struct json **v) {
    const struct json *found = NULL;
    size_t start = x->count, kept = start;
    for (size_t i = 0; i < in->as.list->count; i++) {
        const struct json *value;
        x->count = kept;
        int fits = fit(x, in->as.list->units[i], *v, at, &value);
        if (fits < 0) return -1;
        if (!fits) continue;
        if (found && !json_equal(found, value)) {
            x->count = start;
            return 0; /* two readings: none is taken */
        }
        if (found) continue;
        found = value;
        kept = x->count;
    }
    x->count = kept;
    if (found) *v = found;
    return 0;
}

static int fit_if(struct coercion *x, const struct instr *in,
                  const struct at *at, const struct json **v) {
    int chosen = test(x, in->unit, *v);
    if (chosen < 0) return -1;
    const struct choice *c = in->as.choice;
    return fit_part(x, chosen ? c->then_unit : c->else_unit, at, v);
}

/* What the keyword can do for the value; *v becomes the better one. */
static int fit_instr(struct coercion *x, const struct instr *in,
                     const struct at *at, const struct json **v) {
    enum schema_op op = (enum schema_op)in->op;
    if (op == OP_PROPERTIES) return fit_members(x, in->as.props, *v, at, v);
    if (op == OP_ITEMS) return fit_items(x, in, *v, at, v);
    if (op == OP_REF || op == OP_ALL_OF) return fit_part(x, in->unit, at, v);
    if (op == OP_ANY_OF || op == OP_ONE_OF) return fit_any(x, in, at, v);
    if (op == OP_IF) return fit_if(x, in, at, v);
    return 0;
}

/* Instructions are those for the kind the value had when the unit was entered,
 * so the walk ends where a keyword turned it into another kind. */
static int fit_keywords(struct coercion *x, const struct unit *u,
                        const struct at *at, const struct json **v) {
    enum kind kind = kind_of(json_type(*v));
    const struct instr *in = &x->s->code[u->code[kind]];
    for (; in->op != OP_END && kind_of(json_type(*v)) == kind; in++)
        if (fit_instr(x, in, at, v)) return -1;
    return 0;
}

static int fit_inside(struct coercion *x, uint32_t unit, const struct json *v,
                      const struct at *at, const struct json **out) {
    const struct unit *u = &x->s->units[unit];
    size_t start = x->count;
    if (!unit_takes(u, v)) return fit_type(x, unit, v, at, out);
    const struct json *better = v;
    if (fit_keywords(x, u, at, &better)) return -1;
    int valid = better == v ? 0 : test(x, unit, better);
    if (valid != 1) x->count = start;
    *out = better;
    return valid;
}

static int fit(struct coercion *x, uint32_t unit, const struct json *v,
               const struct at *at, const struct json **out) {
    int valid = test(x, unit, v);
    *out = v;
    if (valid != 0) return valid;
    if (x->depth >= MAX_DEPTH)
        return fail(x->e, ERR_LIMIT, "values nested deeper than %d", MAX_DEPTH);
    x->depth++;
    int fits = fit_inside(x, unit, v, at, out);
    x->depth--;
    return fits;
}

int coerce_value(struct schema *s, const struct json *v, struct arena *a,
                 struct coerce_result *out, struct err *e) {
    struct coercion x = {.s = s, .arena = a, .e = e};
    x.steps = 4 * schema_steps(s, v);
    const struct json *value;
    int fits = fit(&x, s->root, v, NULL, &value);
    if (fits < 0) return -1;
    if (!fits) return schema_check(s, v, e);
    *out = (struct coerce_result){value, x.changes, x.count};
    return 0;
}
