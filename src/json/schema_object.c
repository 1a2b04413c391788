/* SPDX-License-Identifier: MIT
 *
 * Keywords for objects.
 */
#include "json/schema_leaf.h"

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
        if (!leaf_matches(x, p->patterns[i].regex, json_str(key))) continue;
        *evaluated = true;
        ok &= eval_child(x, p->patterns[i].unit, key + 1, key, 0, at);
    }
    return ok;
}

OUTLINE static bool eval_additional(struct eval *x, const struct props *p,
                                    const struct json *key,
                                    const struct at *at) {
    if (p->closed)
        return report_extra(x, p->additional_at, KEY_ADDITIONAL_PROPERTIES,
                            &p->names, key, at);
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
                            p->names.list[i].text, &p->names, v, at);
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

bool eval_properties(struct eval *x, const struct instr *in,
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

bool eval_names(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at) {
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
                            json_str(item), NULL, v, at);
        if (!x->collector) break;
    }
    return ok;
}

bool eval_needs(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at, struct marks *marks) {
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

bool eval_unevaluated_members(struct eval *x, const struct instr *in,
                              const struct json *v, const struct at *at,
                              struct marks *marks) {
    bool ok = true;
    bool closed = x->s->units[in->unit].types == 0;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, key = json_skip(key + 1)) {
        if (marked(marks, i)) continue;
        if (closed)
            ok = report_extra(x, in->where, KEY_UNEVALUATED_PROPERTIES, NULL,
                              key, at);
        else
            ok &= eval_child(x, in->unit, key + 1, key, 0, at);
    }
    mark_all(marks);
    return ok;
}
