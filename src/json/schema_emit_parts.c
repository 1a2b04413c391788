/* SPDX-License-Identifier: MIT
 *
 * What the keywords for items and members compile to.
 */
#include "base/hash.h"
#include "json/schema_emit.h"

/* ---- arrays ------------------------------------------------------------ */

static int emit_unique(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = place_at(in, KEY_UNIQUE_ITEMS);
    if (!v) return 0;
    if (emit_want(c, v, JSON_BOOL, e)) return -1;
    if (!v->as.boolean) return 0;
    uint64_t *key = c->s->hash_key;
    if (!key[0] && hash_random(key, sizeof c->s->hash_key, e)) return -1;
    struct instr i = emit_instr(OP_UNIQUE_ITEMS, in, KEY_UNIQUE_ITEMS);
    return compile_push(c, i, ARRAY_ONLY, e);
}

/* prefixItems and items of 2020-12 are what items and additionalItems were. */
static int emit_items(struct compile *c, struct subject *in, struct err *e) {
    const struct json *items = place_at(in, KEY_ITEMS);
    bool old_list =
        items && json_type(items) == JSON_ARRAY &&
        c->index.resources[in->resource].dialect.draft != SCHEMA_2020_12;
    const struct json *first =
        old_list ? items : place_at(in, KEY_PREFIX_ITEMS);
    const struct json *rest =
        old_list ? place_at(in, KEY_ADDITIONAL_ITEMS) : items;
    if (!first && !rest) return 0;
    struct instr i = emit_instr(OP_ITEMS, in, KEY_ITEMS);
    i.as.list = NULL;
    if (first && emit_read_list(c, in, first, &i.as.list, e)) return -1;
    if (rest && compile_child(c, in, rest, &i.unit, e)) return -1;
    return compile_push(c, i, ARRAY_ONLY, e);
}

static int emit_contains(struct compile *c, struct subject *in, struct err *e) {
    if (!place_at(in, KEY_CONTAINS)) return 0;
    struct instr i = emit_instr(OP_CONTAINS, in, KEY_CONTAINS);
    struct count_range *range = arena_alloc(compile_arena(c), sizeof *range, e);
    if (!range) return -1;
    *range = (struct count_range){1, SIZE_MAX};
    const struct json *min = place_at(in, KEY_MIN_CONTAINS);
    const struct json *max = place_at(in, KEY_MAX_CONTAINS);
    if (min && emit_read_count(c, min, &range->min, e)) return -1;
    if (max && emit_read_count(c, max, &range->max, e)) return -1;
    i.as.range = range;
    if (compile_child(c, in, place_at(in, KEY_CONTAINS), &i.unit, e)) return -1;
    return compile_push(c, i, ARRAY_ONLY, e);
}

int emit_arrays(struct compile *c, struct subject *in, struct err *e) {
    if (emit_count(c, in, KEY_MIN_ITEMS, OP_MIN_ITEMS, ARRAY_ONLY, e) ||
        emit_count(c, in, KEY_MAX_ITEMS, OP_MAX_ITEMS, ARRAY_ONLY, e) ||
        emit_items(c, in, e) || emit_contains(c, in, e))
        return -1;
    return emit_unique(c, in, e);
}

/* ---- objects ----------------------------------------------------------- */

static int want_strings(struct compile *c, const struct json *v,
                        struct err *e) {
    if (emit_want(c, v, JSON_ARRAY, e)) return -1;
    if (emit_all_strings(v)) return 0;
    return compile_fault(c, v, e, "expected an array of strings");
}

/* The names of "properties", then those of "required". */
static int read_names(struct compile *c, struct props *p,
                      const struct json *named, const struct json *required,
                      struct err *e) {
    size_t n = named ? json_len(named) : 0;
    size_t more = required ? json_len(required) : 0;
    str *list = arena_alloc(compile_arena(c), (n + more + 1) * sizeof *list, e);
    p->list =
        arena_alloc(compile_arena(c), (n + more + 1) * sizeof *p->list, e);
    if (!list || !p->list) return -1;
    const struct json *key = named ? json_first(named) : NULL;
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1))
        list[i] = json_str(key);
    const struct json *item = required ? json_first(required) : NULL;
    for (size_t i = 0; i < more; i++, item++)
        list[n + i] = json_str(item);
    for (size_t i = 0; i < n + more; i++)
        p->list[i] = (struct prop){.unit = UNIT_NONE};
    return names_init(&p->names, list, n + more, compile_arena(c), e);
}

static struct prop *find_prop(const struct props *p, str text) {
    struct name name = name_of(text);
    return &p->list[names_find(&p->names, &name)];
}

static void number_required(struct props *p, const struct json *required) {
    const struct json *item = json_first(required);
    for (size_t i = json_len(required); i > 0; i--, item++) {
        struct prop *prop = find_prop(p, json_str(item));
        if (prop->required) continue;
        prop->required = ++p->required;
        prop->bit = p->required <= 64 ? (uint64_t)1 << (p->required - 1) : 0;
    }
    if (p->required > 0 && p->required <= 64)
        p->all_required = UINT64_MAX >> (64 - p->required);
}

static int read_properties(struct compile *c, struct subject *in,
                           struct props *p, struct err *e) {
    const struct json *named = place_at(in, KEY_PROPERTIES);
    const struct json *required = place_at(in, KEY_REQUIRED);
    if (named && emit_want(c, named, JSON_OBJECT, e)) return -1;
    if (required && want_strings(c, required, e)) return -1;
    if (read_names(c, p, named, required, e)) return -1;
    if (required) number_required(p, required);
    if (!named) return 0;
    const struct json *key = json_first(named);
    for (size_t i = json_len(named); i > 0; i--, key = json_skip(key + 1)) {
        struct prop *prop = find_prop(p, json_str(key));
        if (compile_child(c, in, key + 1, &prop->unit, e)) return -1;
    }
    return 0;
}

static int read_patterns(struct compile *c, struct subject *in, struct props *p,
                         struct err *e) {
    const struct json *v = place_at(in, KEY_PATTERN_PROPERTIES);
    if (!v) return 0;
    if (emit_want(c, v, JSON_OBJECT, e)) return -1;
    size_t n = json_len(v);
    p->patterns =
        arena_alloc(compile_arena(c), (n + 1) * sizeof *p->patterns, e);
    if (!p->patterns) return -1;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1)) {
        struct prop_pattern *pattern = &p->patterns[i];
        if (emit_regex(c, key + 1, json_str(key), &pattern->regex, e) ||
            compile_child(c, in, key + 1, &pattern->unit, e))
            return -1;
    }
    p->pattern_count = n;
    return 0;
}

static bool is_simple(const struct props *p) {
    for (size_t i = 0; i < p->names.count; i++)
        if (p->list[i].required && p->list[i].unit == UNIT_NONE) return false;
    return p->pattern_count == 0 && p->required <= 64;
}

static int emit_properties(struct compile *c, struct subject *in,
                           struct err *e) {
    const struct json *additional = place_at(in, KEY_ADDITIONAL_PROPERTIES);
    if (!place_at(in, KEY_PROPERTIES) &&
        !place_at(in, KEY_PATTERN_PROPERTIES) && !additional &&
        !place_at(in, KEY_REQUIRED))
        return 0;
    struct props *p = arena_zalloc(compile_arena(c), 1, sizeof *p, e);
    if (!p) return -1;
    p->additional = UNIT_NONE;
    p->required_at = place_at(in, KEY_REQUIRED);
    p->additional_at = additional;
    if (read_properties(c, in, p, e) || read_patterns(c, in, p, e)) return -1;
    if (additional && compile_child(c, in, additional, &p->additional, e))
        return -1;
    p->closed = additional && json_type(additional) == JSON_BOOL &&
                !additional->as.boolean;
    p->simple = is_simple(p);
    struct instr i = emit_instr(OP_PROPERTIES, in, KEY_PROPERTIES);
    i.as.props = p;
    return compile_push(c, i, OBJECT_ONLY, e);
}

static int read_need(struct compile *c, struct subject *in, enum keyword k,
                     const struct json *key, struct need *out, struct err *e) {
    const struct json *v = key + 1;
    bool names = k == KEY_DEPENDENT_REQUIRED ||
                 (k == KEY_DEPENDENCIES && json_type(v) == JSON_ARRAY);
    *out = (struct need){.member = json_str(key), .unit = UNIT_NONE};
    if (!names) return compile_child(c, in, v, &out->unit, e);
    if (want_strings(c, v, e)) return -1;
    out->required = v;
    return 0;
}

static int emit_needs(struct compile *c, struct subject *in, enum keyword k,
                      struct err *e) {
    const struct json *v = place_at(in, k);
    if (!v) return 0;
    if (emit_want(c, v, JSON_OBJECT, e)) return -1;
    size_t n = json_len(v);
    struct need_list *list = arena_alloc(
        compile_arena(c), sizeof *list + n * sizeof list->needs[0], e);
    if (!list) return -1;
    list->count = n;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1))
        if (read_need(c, in, k, key, &list->needs[i], e)) return -1;
    struct instr i = emit_instr(OP_DEPENDENT, in, k);
    i.as.needs = list;
    return compile_push(c, i, OBJECT_ONLY, e);
}

int emit_objects(struct compile *c, struct subject *in, struct err *e) {
    if (emit_count(c, in, KEY_MIN_PROPERTIES, OP_MIN_PROPERTIES, OBJECT_ONLY,
                   e) ||
        emit_count(c, in, KEY_MAX_PROPERTIES, OP_MAX_PROPERTIES, OBJECT_ONLY,
                   e) ||
        emit_properties(c, in, e) || emit_needs(c, in, KEY_DEPENDENCIES, e) ||
        emit_needs(c, in, KEY_DEPENDENT_REQUIRED, e) ||
        emit_needs(c, in, KEY_DEPENDENT_SCHEMAS, e))
        return -1;
    return emit_one(c, in, KEY_PROPERTY_NAMES, OP_PROPERTY_NAMES, OBJECT_ONLY,
                    e);
}
