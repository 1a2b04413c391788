/* SPDX-License-Identifier: MIT
 *
 * What each keyword compiles to.
 */
#include <string.h>

#include "base/hash.h"
#include "json/schema_compile.h"
#include "json/schema_num.h"

#define TEXT_ONLY   (1u << KIND_TEXT)
#define NUMBER_ONLY (1u << KIND_NUMBER)
#define ARRAY_ONLY  (1u << KIND_ARRAY)
#define OBJECT_ONLY (1u << KIND_OBJECT)

static const struct json *at(const struct subject *in, enum keyword k) {
    return in->place.at[k];
}

static struct arena *arena(struct compile *c) {
    return &c->s->arena;
}

static struct instr instr(enum schema_op op, const struct subject *in,
                          enum keyword k) {
    return (struct instr){.op = (uint8_t)op,
                          .keyword = (uint8_t)k,
                          .unit = UNIT_NONE,
                          .where = at(in, k)};
}

static int want_type(struct compile *c, const struct json *v,
                     enum json_type type, struct err *e) {
    if (json_type(v) == type) return 0;
    return compile_fault(c, v, e, "expected %s, got %s", json_type_name(type),
                         json_type_name(json_type(v)));
}

/* ---- any value ---------------------------------------------------------- */

static unsigned type_bits(str name) {
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {
        {"null", TYPE_BIT(JSON_NULL)},     {"boolean", TYPE_BIT(JSON_BOOL)},
        {"integer", TYPE_BIT(JSON_INT)},   {"number", TYPES_NUMBER},
        {"string", TYPE_BIT(JSON_STRING)}, {"array", TYPE_BIT(JSON_ARRAY)},
        {"object", TYPE_BIT(JSON_OBJECT)},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (str_is(name, types[i].name)) return types[i].bits;
    return 0;
}

static int add_type(struct compile *c, const struct json *name,
                    struct unit *unit, struct err *e) {
    if (want_type(c, name, JSON_STRING, e)) return -1;
    unsigned bits = type_bits(json_str(name));
    if (!bits)
        return compile_fault(c, name, e, "there is no type \"%.*s\"",
                             STR_ARG(json_str(name)));
    unit->types |= (uint8_t)bits;
    return 0;
}

static int emit_type(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = at(in, KEY_TYPE);
    if (!v) return 0;
    struct unit *unit = &c->s->units[in->unit];
    unit->type = v;
    unit->types = 0;
    bool many = json_type(v) == JSON_ARRAY;
    const struct json *name = many ? json_first(v) : v;
    for (size_t i = many ? json_len(v) : 1; i > 0; i--, name = json_skip(name))
        if (add_type(c, name, unit, e)) return -1;
    unsigned numbers = unit->types & TYPES_NUMBER;
    unit->integral = numbers == TYPE_BIT(JSON_INT);
    return 0;
}

static bool all_strings(const struct json *list) {
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (json_type(item) != JSON_STRING) return false;
    return true;
}

/* The strings of an array, for names_init. */
static const str *strings_of(struct compile *c, const struct json *list,
                             struct err *e) {
    size_t n = json_len(list);
    str *out = arena_alloc(arena(c), (n + 1) * sizeof *out, e);
    if (!out) return NULL;
    const struct json *item = json_first(list);
    for (size_t i = 0; i < n; i++, item = json_skip(item))
        out[i] = json_str(item);
    return out;
}

static int emit_enum(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = at(in, KEY_ENUM);
    if (!v) return 0;
    if (want_type(c, v, JSON_ARRAY, e)) return -1;
    struct instr any = instr(OP_ENUM, in, KEY_ENUM);
    any.as.value = v;
    if (!all_strings(v)) return compile_push(c, any, KINDS_ALL, e);
    const str *list = strings_of(c, v, e);
    struct names *names = arena_alloc(arena(c), sizeof *names, e);
    if (!list || !names) return -1;
    if (names_init(names, list, json_len(v), arena(c), e)) return -1;
    struct instr text = instr(OP_ENUM_TEXT, in, KEY_ENUM);
    text.as.names = names;
    if (compile_push(c, text, TEXT_ONLY, e)) return -1;
    return compile_push(c, any, KINDS_ALL & ~TEXT_ONLY, e);
}

static int emit_const(struct compile *c, struct subject *in, struct err *e) {
    if (!at(in, KEY_CONST)) return 0;
    struct instr i = instr(OP_CONST, in, KEY_CONST);
    i.as.value = at(in, KEY_CONST);
    return compile_push(c, i, KINDS_ALL, e);
}

/* ---- numbers --------------------------------------------------------------
 */

static int emit_bound(struct compile *c, struct subject *in, enum keyword k,
                      enum schema_op op, struct err *e) {
    const struct json *v = at(in, k);
    if (!v) return 0;
    if (!json_is_number(v))
        return compile_fault(c, v, e, "expected a number, got %s",
                             json_type_name(json_type(v)));
    struct instr i = instr(op, in, k);
    i.as.value = v;
    return compile_push(c, i, NUMBER_ONLY, e);
}

static int emit_multiple(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = at(in, KEY_MULTIPLE_OF);
    if (!v) return 0;
    struct decimal_step *step = arena_alloc(arena(c), sizeof *step, e);
    if (!step) return -1;
    if (!json_is_number(v) || !number_step(v, step))
        return compile_fault(c, v, e,
                             "expected a number above 0 with at most "
                             "18 digits");
    struct instr i = instr(OP_MULTIPLE_OF, in, KEY_MULTIPLE_OF);
    i.as.step = step;
    return compile_push(c, i, NUMBER_ONLY, e);
}

static int emit_numbers(struct compile *c, struct subject *in, struct err *e) {
    if (emit_bound(c, in, KEY_MINIMUM, OP_MINIMUM, e) ||
        emit_bound(c, in, KEY_MAXIMUM, OP_MAXIMUM, e) ||
        emit_bound(c, in, KEY_EXCLUSIVE_MINIMUM, OP_EXCLUSIVE_MINIMUM, e) ||
        emit_bound(c, in, KEY_EXCLUSIVE_MAXIMUM, OP_EXCLUSIVE_MAXIMUM, e))
        return -1;
    return emit_multiple(c, in, e);
}

/* ---- text -----------------------------------------------------------------
 */

/* A count of things: an integer of 0 or more, written 2 or 2.0. What is too
 * large to count is as good as SIZE_MAX. */
static int read_count(struct compile *c, const struct json *v, size_t *out,
                      struct err *e) {
    bool number = json_is_number(v);
    double d = number ? json_number(v) : -1;
    if (!number || d < 0 || !number_is_integral(v))
        return compile_fault(c, v, e, "expected an integer of 0 or more");
    if (json_type(v) == JSON_INT)
        *out = (size_t)v->as.integer;
    else
        *out = d < 1e18 ? (size_t)d : SIZE_MAX;
    return 0;
}

static int emit_count(struct compile *c, struct subject *in, enum keyword k,
                      enum schema_op op, unsigned kinds, struct err *e) {
    if (!at(in, k)) return 0;
    struct instr i = instr(op, in, k);
    size_t count;
    if (read_count(c, at(in, k), &count, e)) return -1;
    i.as.count = count;
    return compile_push(c, i, kinds, e);
}

static int new_regex(struct compile *c, const struct json *where, str pattern,
                     struct regex **out, struct err *e) {
    struct err why;
    struct regex *re = regex_new(pattern, &why);
    if (!re && why.kind != ERR_INVALID) {
        *e = why;
        return -1;
    }
    if (!re) return compile_fault(c, where, e, "%s", why.text);
    regex_link(re, &c->s->regexes);
    if (!c->s->scratch) c->s->scratch = regex_scratch_new(e);
    if (!c->s->scratch) return -1;
    *out = re;
    return 0;
}

static int emit_pattern(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = at(in, KEY_PATTERN);
    if (!v) return 0;
    struct instr i = instr(OP_PATTERN, in, KEY_PATTERN);
    if (want_type(c, v, JSON_STRING, e)) return -1;
    struct regex *re;
    if (new_regex(c, v, json_str(v), &re, e)) return -1;
    i.as.regex = re;
    return compile_push(c, i, TEXT_ONLY, e);
}

static int emit_format(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = at(in, KEY_FORMAT);
    bool asserted = c->assert_formats ||
                    c->index.resources[in->resource].dialect.assert_formats;
    if (!v || !asserted) return 0;
    if (want_type(c, v, JSON_STRING, e)) return -1;
    struct instr i = instr(OP_FORMAT, in, KEY_FORMAT);
    i.as.format = format_find(json_str(v));
    return i.as.format ? compile_push(c, i, TEXT_ONLY, e) : 0;
}

static int emit_text(struct compile *c, struct subject *in, struct err *e) {
    if (emit_count(c, in, KEY_MIN_LENGTH, OP_MIN_LENGTH, TEXT_ONLY, e) ||
        emit_count(c, in, KEY_MAX_LENGTH, OP_MAX_LENGTH, TEXT_ONLY, e) ||
        emit_pattern(c, in, e))
        return -1;
    return emit_format(c, in, e);
}

/* ---- arrays ----------------------------------------------------------------
 */

static int emit_unique(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = at(in, KEY_UNIQUE_ITEMS);
    if (!v) return 0;
    if (want_type(c, v, JSON_BOOL, e)) return -1;
    if (!v->as.boolean) return 0;
    uint64_t *key = c->s->hash_key;
    if (!key[0] && hash_random(key, sizeof c->s->hash_key, e)) return -1;
    struct instr i = instr(OP_UNIQUE_ITEMS, in, KEY_UNIQUE_ITEMS);
    return compile_push(c, i, ARRAY_ONLY, e);
}

/* The units of a list of schemas. */
static int read_list(struct compile *c, struct subject *in,
                     const struct json *v, const struct unit_list **out,
                     struct err *e) {
    if (want_type(c, v, JSON_ARRAY, e)) return -1;
    size_t n = json_len(v);
    struct unit_list *list =
        arena_alloc(arena(c), sizeof *list + n * sizeof list->units[0], e);
    if (!list) return -1;
    list->count = n;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < n; i++, item = json_skip(item))
        if (compile_child(c, in, item, &list->units[i], e)) return -1;
    *out = list;
    return 0;
}

/* prefixItems and items of 2020-12 are what items and additionalItems were. */
static int emit_items(struct compile *c, struct subject *in, struct err *e) {
    const struct json *items = at(in, KEY_ITEMS);
    bool old_list =
        items && json_type(items) == JSON_ARRAY &&
        c->index.resources[in->resource].dialect.draft != SCHEMA_2020_12;
    const struct json *first = old_list ? items : at(in, KEY_PREFIX_ITEMS);
    const struct json *rest = old_list ? at(in, KEY_ADDITIONAL_ITEMS) : items;
    if (!first && !rest) return 0;
    struct instr i = instr(OP_ITEMS, in, KEY_ITEMS);
    i.as.list = NULL;
    if (first && read_list(c, in, first, &i.as.list, e)) return -1;
    if (rest && compile_child(c, in, rest, &i.unit, e)) return -1;
    return compile_push(c, i, ARRAY_ONLY, e);
}

static int emit_contains(struct compile *c, struct subject *in, struct err *e) {
    if (!at(in, KEY_CONTAINS)) return 0;
    struct instr i = instr(OP_CONTAINS, in, KEY_CONTAINS);
    struct count_range *range = arena_alloc(arena(c), sizeof *range, e);
    if (!range) return -1;
    *range = (struct count_range){1, SIZE_MAX};
    const struct json *min = at(in, KEY_MIN_CONTAINS);
    const struct json *max = at(in, KEY_MAX_CONTAINS);
    if (min && read_count(c, min, &range->min, e)) return -1;
    if (max && read_count(c, max, &range->max, e)) return -1;
    i.as.range = range;
    if (compile_child(c, in, at(in, KEY_CONTAINS), &i.unit, e)) return -1;
    return compile_push(c, i, ARRAY_ONLY, e);
}

static int emit_arrays(struct compile *c, struct subject *in, struct err *e) {
    if (emit_count(c, in, KEY_MIN_ITEMS, OP_MIN_ITEMS, ARRAY_ONLY, e) ||
        emit_count(c, in, KEY_MAX_ITEMS, OP_MAX_ITEMS, ARRAY_ONLY, e) ||
        emit_items(c, in, e) || emit_contains(c, in, e))
        return -1;
    return emit_unique(c, in, e);
}

/* ---- objects ---------------------------------------------------------------
 */

static int want_strings(struct compile *c, const struct json *v,
                        struct err *e) {
    if (want_type(c, v, JSON_ARRAY, e)) return -1;
    if (all_strings(v)) return 0;
    return compile_fault(c, v, e, "expected an array of strings");
}

/* The names of "properties", then those of "required". */
static int read_names(struct compile *c, struct props *p,
                      const struct json *named, const struct json *required,
                      struct err *e) {
    size_t n = named ? json_len(named) : 0;
    size_t more = required ? json_len(required) : 0;
    str *list = arena_alloc(arena(c), (n + more + 1) * sizeof *list, e);
    p->list = arena_alloc(arena(c), (n + more + 1) * sizeof *p->list, e);
    if (!list || !p->list) return -1;
    const struct json *key = named ? json_first(named) : NULL;
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1))
        list[i] = json_str(key);
    const struct json *item = required ? json_first(required) : NULL;
    for (size_t i = 0; i < more; i++, item++)
        list[n + i] = json_str(item);
    for (size_t i = 0; i < n + more; i++)
        p->list[i] = (struct prop){.unit = UNIT_NONE};
    return names_init(&p->names, list, n + more, arena(c), e);
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
    const struct json *named = at(in, KEY_PROPERTIES);
    const struct json *required = at(in, KEY_REQUIRED);
    if (named && want_type(c, named, JSON_OBJECT, e)) return -1;
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
    const struct json *v = at(in, KEY_PATTERN_PROPERTIES);
    if (!v) return 0;
    if (want_type(c, v, JSON_OBJECT, e)) return -1;
    size_t n = json_len(v);
    p->patterns = arena_alloc(arena(c), (n + 1) * sizeof *p->patterns, e);
    if (!p->patterns) return -1;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1)) {
        struct prop_pattern *pattern = &p->patterns[i];
        if (new_regex(c, key + 1, json_str(key), &pattern->regex, e) ||
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
    const struct json *additional = at(in, KEY_ADDITIONAL_PROPERTIES);
    if (!at(in, KEY_PROPERTIES) && !at(in, KEY_PATTERN_PROPERTIES) &&
        !additional && !at(in, KEY_REQUIRED))
        return 0;
    struct props *p = arena_zalloc(arena(c), 1, sizeof *p, e);
    if (!p) return -1;
    p->additional = UNIT_NONE;
    p->required_at = at(in, KEY_REQUIRED);
    p->additional_at = additional;
    if (read_properties(c, in, p, e) || read_patterns(c, in, p, e)) return -1;
    if (additional && compile_child(c, in, additional, &p->additional, e))
        return -1;
    p->closed = additional && json_type(additional) == JSON_BOOL &&
                !additional->as.boolean;
    p->simple = is_simple(p);
    struct instr i = instr(OP_PROPERTIES, in, KEY_PROPERTIES);
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
    const struct json *v = at(in, k);
    if (!v) return 0;
    if (want_type(c, v, JSON_OBJECT, e)) return -1;
    size_t n = json_len(v);
    struct need_list *list =
        arena_alloc(arena(c), sizeof *list + n * sizeof list->needs[0], e);
    if (!list) return -1;
    list->count = n;
    const struct json *key = json_first(v);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1))
        if (read_need(c, in, k, key, &list->needs[i], e)) return -1;
    struct instr i = instr(OP_DEPENDENT, in, k);
    i.as.needs = list;
    return compile_push(c, i, OBJECT_ONLY, e);
}

/* A keyword whose value is one schema. */
static int emit_one(struct compile *c, struct subject *in, enum keyword k,
                    enum schema_op op, unsigned kinds, struct err *e) {
    if (!at(in, k)) return 0;
    struct instr i = instr(op, in, k);
    if (compile_child(c, in, at(in, k), &i.unit, e)) return -1;
    return compile_push(c, i, kinds, e);
}

static int emit_objects(struct compile *c, struct subject *in, struct err *e) {
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

/* ---- schemas for the same value ---------------------------------------------
 */

static int resolve(struct compile *c, struct subject *in, enum keyword k,
                   struct target *out, uint32_t *unit, struct err *e) {
    const struct json *v = at(in, k);
    if (want_type(c, v, JSON_STRING, e)) return -1;
    struct err why;
    if (index_resolve(&c->index, in->resource, json_str(v), out, &why)) {
        if (why.kind == ERR_MISSING)
            return compile_fault(c, v, e, "%s", why.text);
        *e = why;
        return -1;
    }
    return compile_later(c, out->source, out->node, unit, e);
}

static int emit_ref(struct compile *c, struct subject *in, struct err *e) {
    const struct json *recursive = at(in, KEY_RECURSIVE_REF);
    if (recursive)
        return compile_fault(c, recursive, e, "$recursiveRef is not supported");
    if (!at(in, KEY_REF)) return 0;
    struct instr i = instr(OP_REF, in, KEY_REF);
    struct target target;
    if (resolve(c, in, KEY_REF, &target, &i.unit, e)) return -1;
    return compile_push(c, i, KINDS_ALL, e);
}

static struct dynamic_ref *dynamic_ref(struct compile *c, str anchor,
                                       struct err *e) {
    struct dynamic_ref *r = c->dynamic;
    while (r && !str_eq(r->anchor, anchor))
        r = r->next;
    if (r) return r;
    r = arena_zalloc(arena(c), 1, sizeof *r, e);
    if (!r) return NULL;
    r->anchor = anchor;
    r->next = c->dynamic;
    return c->dynamic = r;
}

/* It is an ordinary $ref unless it names a $dynamicAnchor. */
static int emit_dynamic_ref(struct compile *c, struct subject *in,
                            struct err *e) {
    if (!at(in, KEY_DYNAMIC_REF)) return 0;
    struct instr i = instr(OP_REF, in, KEY_DYNAMIC_REF);
    struct target target;
    if (resolve(c, in, KEY_DYNAMIC_REF, &target, &i.unit, e)) return -1;
    if (target.anchor && target.anchor->dynamic) {
        i.op = OP_DYNAMIC_REF;
        i.as.dynamic = dynamic_ref(c, target.anchor->name, e);
        if (!i.as.dynamic) return -1;
    }
    return compile_push(c, i, KINDS_ALL, e);
}

static int emit_all_of(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = at(in, KEY_ALL_OF);
    if (!v) return 0;
    if (want_type(c, v, JSON_ARRAY, e)) return -1;
    const struct json *item = json_first(v);
    for (size_t n = json_len(v); n > 0; n--, item = json_skip(item)) {
        struct instr i = instr(OP_ALL_OF, in, KEY_ALL_OF);
        if (compile_child(c, in, item, &i.unit, e)) return -1;
        if (compile_push(c, i, KINDS_ALL, e)) return -1;
    }
    return 0;
}

static int emit_list(struct compile *c, struct subject *in, enum keyword k,
                     enum schema_op op, struct err *e) {
    if (!at(in, k)) return 0;
    struct instr i = instr(op, in, k);
    if (read_list(c, in, at(in, k), &i.as.list, e)) return -1;
    return compile_push(c, i, KINDS_ALL, e);
}

static int emit_if(struct compile *c, struct subject *in, struct err *e) {
    if (!at(in, KEY_IF)) return 0;
    struct instr i = instr(OP_IF, in, KEY_IF);
    struct choice *choice = arena_alloc(arena(c), sizeof *choice, e);
    if (!choice) return -1;
    *choice = (struct choice){UNIT_TRUE, UNIT_TRUE};
    const struct json *then_at = at(in, KEY_THEN);
    const struct json *else_at = at(in, KEY_ELSE);
    if (compile_child(c, in, at(in, KEY_IF), &i.unit, e)) return -1;
    if (then_at && compile_child(c, in, then_at, &choice->then_unit, e))
        return -1;
    if (else_at && compile_child(c, in, else_at, &choice->else_unit, e))
        return -1;
    i.as.choice = choice;
    return compile_push(c, i, KINDS_ALL, e);
}

static int emit_same(struct compile *c, struct subject *in, struct err *e) {
    if (emit_ref(c, in, e) || emit_dynamic_ref(c, in, e) ||
        emit_all_of(c, in, e) || emit_list(c, in, KEY_ANY_OF, OP_ANY_OF, e) ||
        emit_list(c, in, KEY_ONE_OF, OP_ONE_OF, e) ||
        emit_one(c, in, KEY_NOT, OP_NOT, KINDS_ALL, e))
        return -1;
    return emit_if(c, in, e);
}

static int emit_unevaluated(struct compile *c, struct subject *in,
                            struct err *e) {
    const struct json *items = at(in, KEY_UNEVALUATED_ITEMS);
    const struct json *props = at(in, KEY_UNEVALUATED_PROPERTIES);
    if (!items && !props) return 0;
    c->s->units[in->unit].unevaluated = true;
    if (emit_one(c, in, KEY_UNEVALUATED_ITEMS, OP_UNEVALUATED_ITEMS, ARRAY_ONLY,
                 e))
        return -1;
    return emit_one(c, in, KEY_UNEVALUATED_PROPERTIES,
                    OP_UNEVALUATED_PROPERTIES, OBJECT_ONLY, e);
}

int emit_keywords(struct compile *c, struct subject *in, struct err *e) {
    if (emit_type(c, in, e) || emit_enum(c, in, e) || emit_const(c, in, e) ||
        emit_numbers(c, in, e) || emit_text(c, in, e) ||
        emit_arrays(c, in, e) || emit_objects(c, in, e) || emit_same(c, in, e))
        return -1;
    return emit_unevaluated(c, in, e);
}
