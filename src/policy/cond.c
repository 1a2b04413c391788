/* SPDX-License-Identifier: MIT
 *
 * Whether a condition holds for a call.
 */
#include "policy/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- values in lists --------------------------------------------------------
 */

/* Signs that part one address or path from the next. A pattern's '*' does not
 * reach over them: "*@corp.example" must not let "a@evil.example,
 * b@corp.example" through. */
static bool parts(char c) {
    switch (c) {
    case 0x7f:
    case ',':
    case ';':
    case '<':
    case '>':
    case '"':
    case '\'':
    case '|': return true;
    }
    return (unsigned char)c <= ' ';
}

static bool fits_pattern(str pattern, str value) {
    for (size_t i = 0; i < value.n; i++)
        if (parts(value.p[i]) && str_find_char(pattern, value.p[i]) < 0)
            return false;
    return str_glob(pattern, value);
}

static bool fits_names(const struct policy *p, const struct name *names,
                       str value) {
    for (const struct name *n = names; n; n = n->next) {
        const struct list *l = p->lists;
        while (n->list && l && !str_eq(l->name, n->text))
            l = l->next;
        if (n->list && l && fits_names(p, l->items, value)) return true;
        if (!n->list && fits_pattern(n->text, value)) return true;
    }
    return false;
}

/* Some part of it fits: what a rule that forbids must not overlook. */
static bool part_fits(const struct policy *p, const struct name *names,
                      str value) {
    size_t from = 0;
    for (size_t i = 0; i <= value.n; i++) {
        if (i < value.n && !parts(value.p[i])) continue;
        if (i > from && fits_names(p, names, str_sub(value, from, i)))
            return true;
        from = i + 1;
    }
    return fits_names(p, names, value);
}

/* A scalar as text; numbers are written into room. */
static str value_text(const struct json *v, char room[32]) {
    switch (json_type(v)) {
    case JSON_STRING:
    case JSON_BIG: return json_str(v);
    case JSON_INT:
        snprintf(room, 32, "%lld", (long long)v->as.integer);
        return str_of(room);
    case JSON_REAL:
        snprintf(room, 32, "%.17g", v->as.real);
        return str_of(room);
    case JSON_BOOL: return v->as.boolean ? STR("true") : STR("false");
    case JSON_NULL:
    case JSON_ARRAY:
    case JSON_OBJECT: return STR("null");
    }
    return STR("");
}

static bool in_list(const struct facts *f, const struct arg_test *t,
                    const struct fact *x, bool any) {
    char room[32];
    if (json_type(x->node) == JSON_NULL) return !any;
    str value = value_text(x->node, room);
    return any ? part_fits(f->policy, t->in, value)
               : fits_names(f->policy, t->in, value);
}

/* May the one the argument names read all that the other arguments hold? */
static bool may_read(const struct facts *f, const struct arg_test *t,
                     const struct fact *x) {
    if (json_type(x->node) == JSON_NULL) return true;
    if (json_type(x->node) != JSON_STRING) return false;
    for (size_t i = 0; i < f->count; i++) {
        const struct label *l = f->items[i].label;
        if (!(t->roles & ROLE_BIT(f->items[i].role))) continue;
        if (l->secrecy == SECRECY_PUBLIC) continue;
        bool named = false;
        for (size_t r = 0; r < l->reader_count && !named; r++)
            named = fits_pattern(l->readers[r], json_str(x->node));
        if (l->secrecy != SECRECY_READERS || !named) return false;
    }
    return true;
}

static bool fits(const struct facts *f, const struct arg_test *t,
                 const struct fact *x, bool any) {
    switch (t->kind) {
    case TEST_WORSE: return x->label->integrity >= t->integrity;
    case TEST_BETTER: return x->label->integrity <= t->integrity;
    case TEST_SECRECY: return x->label->secrecy >= t->secrecy;
    case TEST_PUBLIC: return x->label->secrecy == SECRECY_PUBLIC;
    case TEST_HAS:
        return json_type(x->node) == JSON_STRING &&
               detect_any(json_str(x->node), t->detect);
    case TEST_IN: return in_list(f, t, x, any);
    case TEST_IN_READERS: return may_read(f, t, x);
    }
    return false;
}

bool fact_fits(const struct facts *f, const struct cond *c,
               const struct fact *x) {
    bool any = !cond_for_all(c);
    if (c->arg.n > 0 ? !str_eq(c->arg, x->arg)
                     : !(c->roles & ROLE_BIT(x->role)))
        return false;
    for (const struct arg_test *t = c->tests; t; t = t->next)
        if (!fits(f, t, x, any)) return false;
    return true;
}

/* -- arguments --------------------------------------------------------------
 */

/* The common question, from the sums. */
static enum truth worst_holds(const struct facts *f, const struct cond *c,
                              const struct fact **hit) {
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++) {
        const struct role_sum *s = &f->roles[r];
        if (!(c->roles & ROLE_BIT(r)) || s->count == 0 ||
            s->worst < c->tests->integrity)
            continue;
        *hit = s->worst_fact;
        return YES;
    }
    return NO;
}

static bool most_holds(const struct facts *f, const struct cond *c) {
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++)
        if ((c->roles & ROLE_BIT(r)) && f->roles[r].count > 0 &&
            f->roles[r].most >= c->tests->secrecy)
            return true;
    return false;
}

static enum truth some_hold(const struct facts *f, const struct cond *c,
                            const struct fact **hit) {
    for (size_t i = 0; i < f->count; i++) {
        if (!fact_fits(f, c, &f->items[i])) continue;
        *hit = &f->items[i];
        return YES;
    }
    return NO;
}

static enum truth all_hold(const struct facts *f, const struct cond *c,
                           const struct fact **hit) {
    for (size_t i = 0; i < f->count; i++) {
        const struct fact *x = &f->items[i];
        bool asked = c->arg.n > 0 ? str_eq(c->arg, x->arg)
                                  : (c->roles & ROLE_BIT(x->role)) != 0;
        if (!asked || fact_fits(f, c, x)) continue;
        *hit = x; /* for the "not" around it */
        return NO;
    }
    return YES;
}

static enum truth args_hold(const struct facts *f, const struct cond *c,
                            const struct fact **hit) {
    if (cond_for_all(c)) return all_hold(f, c, hit);
    bool simple = c->arg.n == 0 && !c->tests->next;
    if (simple && c->tests->kind == TEST_WORSE) return worst_holds(f, c, hit);
    if (simple && c->tests->kind == TEST_SECRECY && !most_holds(f, c))
        return NO;
    return some_hold(f, c, hit);
}

/* -- numbers ----------------------------------------------------------------
 */

static bool compare(enum number_op op, double a, double b) {
    switch (op) {
    case OP_GT: return a > b;
    case OP_GE: return a >= b;
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_EQ: return !(a < b) && !(a > b);
    case OP_NE: return a < b || a > b;
    }
    return false;
}

/* An argument that is there but no number cannot be judged. */
static enum truth number_holds(const struct facts *f, const struct cond *c) {
    const struct json *v =
        f->call->args ? json_get_str(f->call->args, c->arg) : NULL;
    if (!v || json_type(v) == JSON_NULL) return NO;
    if (!json_is_number(v)) return MAYBE;
    double x = json_number(v);
    if (c->per_run)
        x += spent_sum(f->call->spent, f->call->run, f->key, c->arg);
    if (!isfinite(x)) return MAYBE;
    return compare(c->op, x, c->number) ? YES : NO;
}

/* ---------------------------------------------------------------------------
 */

static enum truth truth_of(bool b) {
    return b ? YES : NO;
}

static bool level_holds(enum integrity wanted, enum integrity is) {
    return wanted >= INTEGRITY_META ? is >= wanted : is <= wanted;
}

/* Only what the server says itself: silence is no hint. */
bool says_destructive(const struct entry *t) {
    return json_get_bool(json_get(t->definition, "annotations"),
                         "destructiveHint", false);
}

static bool class_holds(const struct facts *f, const struct cond *c) {
    if (bound_has_class(f->bound, c->names)) return true;
    return says_destructive(f->call->tool) &&
           names_match(c->names, STR("irreversible"));
}

static bool default_holds(const struct facts *f) {
    return f->bound->sink || f->bound->read ||
           (f->call->tool->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY));
}

static enum truth negation(enum truth t) {
    return t == MAYBE ? MAYBE : t == YES ? NO : YES;
}

enum truth cond_holds(const struct facts *f, const struct cond *c,
                      const struct fact **hit) {
    enum truth left, right;
    switch (c->kind) {
    case COND_AND:
        left = cond_holds(f, c->left, hit);
        if (left == NO) return NO;
        right = cond_holds(f, c->right, hit);
        return left < right ? left : right;
    case COND_OR:
        left = cond_holds(f, c->left, hit);
        if (left == YES) return YES;
        right = cond_holds(f, c->right, hit);
        return left > right ? left : right;
    case COND_NOT: return negation(cond_holds(f, c->left, hit));
    case COND_DEFAULT: return truth_of(default_holds(f));
    case COND_TOOL: return truth_of(names_match(c->names, f->key));
    case COND_CLASS: return truth_of(class_holds(f, c));
    case COND_TURN: return truth_of(level_holds(c->integrity, f->call->turn));
    case COND_PC: return truth_of(level_holds(c->integrity, f->pc.integrity));
    case COND_PRINCIPAL:
        return truth_of(names_match(c->names, f->call->principal));
    case COND_CLIENT: return truth_of(names_match(c->names, f->call->client));
    case COND_SESSION: return truth_of(names_match(c->names, f->call->session));
    case COND_UNATTENDED: return truth_of(!f->call->can_ask);
    case COND_ARGS: return args_hold(f, c, hit);
    case COND_NUMBER: return number_holds(f, c);
    }
    return MAYBE;
}
