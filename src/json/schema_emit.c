/* SPDX-License-Identifier: MIT
 *
 * What each keyword compiles to.
 */
#include "json/schema_emit.h"
#include "json/schema_num.h"

#define MAX_PATTERNS 4096 /* each is memory beside the compiled form's */

struct instr emit_instr(enum schema_op op, const struct subject *in,
                        enum keyword k) {
    return (struct instr){.op = (uint8_t)op,
                          .keyword = (uint8_t)k,
                          .unit = UNIT_NONE,
                          .where = place_at(in, k)};
}

int emit_want(struct compile *c, const struct json *v, enum json_type type,
              struct err *e) {
    if (json_type(v) == type) return 0;
    return compile_fault(c, v, e, "expected %s, got %s", json_type_name(type),
                         json_type_name(json_type(v)));
}

/* ---- any value --------------------------------------------------------- */

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
    if (emit_want(c, name, JSON_STRING, e)) return -1;
    unsigned bits = type_bits(json_str(name));
    if (!bits)
        return compile_fault(c, name, e, "there is no type \"%.*s\"",
                             STR_ARG(json_str(name)));
    unit->types |= (uint8_t)bits;
    return 0;
}

static int emit_type(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = place_at(in, KEY_TYPE);
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

bool emit_all_strings(const struct json *list) {
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (json_type(item) != JSON_STRING) return false;
    return true;
}

/* The strings of an array, for names_init. */
static const str *strings_of(struct compile *c, const struct json *list,
                             struct err *e) {
    size_t n = json_len(list);
    str *out = arena_alloc(compile_arena(c), (n + 1) * sizeof *out, e);
    if (!out) return NULL;
    const struct json *item = json_first(list);
    for (size_t i = 0; i < n; i++, item = json_skip(item))
        out[i] = json_str(item);
    return out;
}

static int emit_enum(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = place_at(in, KEY_ENUM);
    if (!v) return 0;
    if (emit_want(c, v, JSON_ARRAY, e)) return -1;
    struct instr any = emit_instr(OP_ENUM, in, KEY_ENUM);
    any.as.value = v;
    if (!emit_all_strings(v)) return compile_push(c, any, KINDS_ALL, e);
    const str *list = strings_of(c, v, e);
    struct names *names = arena_alloc(compile_arena(c), sizeof *names, e);
    if (!list || !names) return -1;
    if (names_init(names, list, json_len(v), compile_arena(c), e)) return -1;
    struct instr text = emit_instr(OP_ENUM_TEXT, in, KEY_ENUM);
    text.as.names = names;
    if (compile_push(c, text, TEXT_ONLY, e)) return -1;
    return compile_push(c, any, KINDS_ALL & ~TEXT_ONLY, e);
}

static int emit_const(struct compile *c, struct subject *in, struct err *e) {
    if (!place_at(in, KEY_CONST)) return 0;
    struct instr i = emit_instr(OP_CONST, in, KEY_CONST);
    i.as.value = place_at(in, KEY_CONST);
    return compile_push(c, i, KINDS_ALL, e);
}

/* ---- numbers ----------------------------------------------------------- */

static int emit_bound(struct compile *c, struct subject *in, enum keyword k,
                      enum schema_op op, struct err *e) {
    const struct json *v = place_at(in, k);
    if (!v) return 0;
    if (!json_is_number(v))
        return compile_fault(c, v, e, "expected a number, got %s",
                             json_type_name(json_type(v)));
    struct instr i = emit_instr(op, in, k);
    i.as.value = v;
    return compile_push(c, i, NUMBER_ONLY, e);
}

static int emit_multiple(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = place_at(in, KEY_MULTIPLE_OF);
    if (!v) return 0;
    struct decimal_step *step = arena_alloc(compile_arena(c), sizeof *step, e);
    if (!step) return -1;
    if (!json_is_number(v) || !number_step(v, step))
        return compile_fault(c, v, e,
                             "expected a number above 0 with at most "
                             "18 digits");
    struct instr i = emit_instr(OP_MULTIPLE_OF, in, KEY_MULTIPLE_OF);
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

/* ---- text -------------------------------------------------------------- */

/* A count of things: an integer of 0 or more, written 2 or 2.0. What is too
 * large to count is as good as SIZE_MAX. */
int emit_read_count(struct compile *c, const struct json *v, size_t *out,
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

int emit_count(struct compile *c, struct subject *in, enum keyword k,
               enum schema_op op, unsigned kinds, struct err *e) {
    if (!place_at(in, k)) return 0;
    struct instr i = emit_instr(op, in, k);
    size_t count;
    if (emit_read_count(c, place_at(in, k), &count, e)) return -1;
    i.as.count = count;
    return compile_push(c, i, kinds, e);
}

int emit_regex(struct compile *c, const struct json *where, str pattern,
               struct regex **out, struct err *e) {
    if (++c->regex_count > MAX_PATTERNS)
        return fail(e, ERR_LIMIT, "more than %d patterns in one schema",
                    MAX_PATTERNS);
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
    const struct json *v = place_at(in, KEY_PATTERN);
    if (!v) return 0;
    struct instr i = emit_instr(OP_PATTERN, in, KEY_PATTERN);
    if (emit_want(c, v, JSON_STRING, e)) return -1;
    struct regex *re;
    if (emit_regex(c, v, json_str(v), &re, e)) return -1;
    i.as.regex = re;
    return compile_push(c, i, TEXT_ONLY, e);
}

static int emit_format(struct compile *c, struct subject *in, struct err *e) {
    const struct json *v = place_at(in, KEY_FORMAT);
    bool asserted = c->assert_formats ||
                    c->index.resources[in->resource].dialect.assert_formats;
    if (!v || !asserted) return 0;
    if (emit_want(c, v, JSON_STRING, e)) return -1;
    struct instr i = emit_instr(OP_FORMAT, in, KEY_FORMAT);
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

/* ---- schemas inside ---------------------------------------------------- */

/* The units of a list of schemas. */
int emit_read_list(struct compile *c, struct subject *in, const struct json *v,
                   const struct unit_list **out, struct err *e) {
    if (emit_want(c, v, JSON_ARRAY, e)) return -1;
    size_t n = json_len(v);
    struct unit_list *list = arena_alloc(
        compile_arena(c), sizeof *list + n * sizeof list->units[0], e);
    if (!list) return -1;
    list->count = n;
    const struct json *item = json_first(v);
    for (size_t i = 0; i < n; i++, item = json_skip(item))
        if (compile_child(c, in, item, &list->units[i], e)) return -1;
    *out = list;
    return 0;
}

/* A keyword whose value is one schema. */
int emit_one(struct compile *c, struct subject *in, enum keyword k,
             enum schema_op op, unsigned kinds, struct err *e) {
    if (!place_at(in, k)) return 0;
    struct instr i = emit_instr(op, in, k);
    if (compile_child(c, in, place_at(in, k), &i.unit, e)) return -1;
    return compile_push(c, i, kinds, e);
}

/* ---- schemas for the same value ---------------------------------------- */

static int resolve(struct compile *c, struct subject *in, enum keyword k,
                   struct target *out, uint32_t *unit, struct err *e) {
    const struct json *v = place_at(in, k);
    if (emit_want(c, v, JSON_STRING, e)) return -1;
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
    const struct json *recursive = place_at(in, KEY_RECURSIVE_REF);
    if (recursive)
        return compile_fault(c, recursive, e, "$recursiveRef is not supported");
    if (!place_at(in, KEY_REF)) return 0;
    struct instr i = emit_instr(OP_REF, in, KEY_REF);
    struct target target;
    if (resolve(c, in, KEY_REF, &target, &i.unit, e)) return -1;
    return compile_push(c, i, KINDS_ALL, e);
}

static struct dynamic_ref *dynamic_ref(struct compile *c, str anchor,
                                       struct err *e) {
    struct dynamic_ref *r = map_get(&c->dynamic_names, anchor);
    if (r) return r;
    r = arena_zalloc(compile_arena(c), 1, sizeof *r, e);
    if (!r || map_put(&c->dynamic_names, anchor, r, NULL, e)) return NULL;
    r->anchor = anchor;
    r->next = c->dynamic;
    return c->dynamic = r;
}

/* It is an ordinary $ref unless it names a $dynamicAnchor. */
static int emit_dynamic_ref(struct compile *c, struct subject *in,
                            struct err *e) {
    if (!place_at(in, KEY_DYNAMIC_REF)) return 0;
    struct instr i = emit_instr(OP_REF, in, KEY_DYNAMIC_REF);
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
    const struct json *v = place_at(in, KEY_ALL_OF);
    if (!v) return 0;
    if (emit_want(c, v, JSON_ARRAY, e)) return -1;
    const struct json *item = json_first(v);
    for (size_t n = json_len(v); n > 0; n--, item = json_skip(item)) {
        struct instr i = emit_instr(OP_ALL_OF, in, KEY_ALL_OF);
        if (compile_child(c, in, item, &i.unit, e)) return -1;
        if (compile_push(c, i, KINDS_ALL, e)) return -1;
    }
    return 0;
}

static int emit_list(struct compile *c, struct subject *in, enum keyword k,
                     enum schema_op op, struct err *e) {
    if (!place_at(in, k)) return 0;
    struct instr i = emit_instr(op, in, k);
    if (emit_read_list(c, in, place_at(in, k), &i.as.list, e)) return -1;
    return compile_push(c, i, KINDS_ALL, e);
}

static int emit_if(struct compile *c, struct subject *in, struct err *e) {
    if (!place_at(in, KEY_IF)) return 0;
    struct instr i = emit_instr(OP_IF, in, KEY_IF);
    struct choice *choice = arena_alloc(compile_arena(c), sizeof *choice, e);
    if (!choice) return -1;
    *choice = (struct choice){UNIT_TRUE, UNIT_TRUE};
    const struct json *then_at = place_at(in, KEY_THEN);
    const struct json *else_at = place_at(in, KEY_ELSE);
    if (compile_child(c, in, place_at(in, KEY_IF), &i.unit, e)) return -1;
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
    const struct json *items = place_at(in, KEY_UNEVALUATED_ITEMS);
    const struct json *props = place_at(in, KEY_UNEVALUATED_PROPERTIES);
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
