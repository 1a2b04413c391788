/* SPDX-License-Identifier: MIT */
#include "tools/pytype.h"

#include "tools/names.h"
#include "tools/params.h"
#include "tools/plain.h"
#include "json/write.h"

#define MEMBERS  24 /* of an object that are named */
#define BRANCHES 8  /* of a union */
#define NAME     48 /* bytes of a member's name */
#define LITERAL  40 /* bytes of one value of an enumeration */
#define NESTING  12 /* of anything */

struct typing {
    const struct pytype *how;
    struct buf *out;
    size_t depth;   /* objects that may still be opened */
    size_t nesting; /* schemas inside each other */
    size_t end;     /* length of out that must not be passed */
    struct err *e;
};

static int write_type(struct typing *t, const struct json *schema);

static int word(struct typing *t, const char *text) {
    return buf_add_text(t->out, text, t->e);
}

static bool is_full(const struct typing *t) {
    return t->out->len >= t->end;
}

static const struct json *object_in(const struct json *v, const char *key) {
    const struct json *found = json_get(v, key);
    return found && json_type(found) == JSON_OBJECT ? found : NULL;
}

static const struct json *array_in(const struct json *v, const char *key) {
    const struct json *found = json_get(v, key);
    return found && json_type(found) == JSON_ARRAY ? found : NULL;
}

/* ---- literals ---- */

static int write_items(const struct json *v, size_t end, struct buf *out,
                       struct err *e);

static int write_value(const struct json *v, size_t end, struct buf *out,
                       struct err *e) {
    switch (json_type(v)) {
    case JSON_NULL: return buf_add_text(out, "None", e);
    case JSON_BOOL:
        return buf_add_text(out, v->as.boolean ? "True" : "False", e);
    case JSON_INT:
    case JSON_REAL:
    case JSON_BIG: return json_write(v, JSON_COMPACT, out, e);
    case JSON_STRING: return plain_add_quoted(out, json_str(v), LITERAL, e);
    case JSON_ARRAY:
    case JSON_OBJECT: return write_items(v, end, out, e);
    }
    return 0;
}

static int write_items(const struct json *v, size_t end, struct buf *out,
                       struct err *e) {
    bool object = json_type(v) == JSON_OBJECT;
    const struct json *item = json_first(v);
    if (buf_add_char(out, object ? '{' : '[', e)) return -1;
    for (size_t i = 0; i < json_len(v) && out->len <= end; i++) {
        if (i > 0 && buf_add_text(out, ", ", e)) return -1;
        if (object &&
            (write_value(item++, end, out, e) || buf_add_text(out, ": ", e)))
            return -1;
        if (write_value(item, end, out, e)) return -1;
        item = json_skip(item);
    }
    return buf_add_char(out, object ? '}' : ']', e);
}

int pytype_literal(const struct json *v, size_t max, struct buf *out,
                   struct err *e) {
    size_t start = out->len;
    if (write_value(v, start + max, out, e)) return -1;
    if (out->len - start <= max) return 0;
    buf_truncate(out, start);
    return buf_add_text(out, "...", e);
}

/* ---- unions ---- */

/* Keeps the alternative written from `at` on only if it is new among those
 * since `start`; pieces are joined by '|'. */
static void drop_repeated(struct typing *t, size_t start, size_t at) {
    str last = {t->out->data + at, t->out->len - at};
    str before = {t->out->data + start, at > start ? at - 1 - start : 0};
    while (before.p && before.n >= last.n && last.n > 0) {
        str rest = before;
        str piece = str_sub(before, 0, last.n);
        bool whole = before.n == last.n || before.p[last.n] == '|';
        if (whole && str_eq(piece, last)) {
            buf_truncate(t->out, at - 1);
            return;
        }
        (void)str_cut(&rest, '|');
        if (!rest.p) return;
        before = rest;
    }
}

static int write_union(struct typing *t, const struct json *branches) {
    size_t start = t->out->len;
    const struct json *v = json_first(branches);
    for (size_t i = 0; i < json_len(branches); i++, v = json_skip(v)) {
        if (i == BRANCHES || is_full(t)) return word(t, "|...");
        if (t->out->len > start && word(t, "|")) return -1;
        size_t at = t->out->len;
        if (write_type(t, v)) return -1;
        drop_repeated(t, start, at);
    }
    return t->out->len == start ? word(t, "Any") : 0;
}

static int write_enum(struct typing *t, const struct json *values) {
    const struct json *v = json_first(values);
    for (size_t i = 0; i < json_len(values); i++, v = json_skip(v)) {
        if (i > 0 && word(t, "|")) return -1;
        if (i == t->how->literals || is_full(t)) return word(t, "...");
        if (pytype_literal(v, LITERAL, t->out, t->e)) return -1;
    }
    return json_len(values) == 0 ? word(t, "Never") : 0;
}

/* ---- objects and arrays ---- */

static bool is_identifier(str name) {
    if (name.n == 0 || (name.p[0] >= '0' && name.p[0] <= '9')) return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return name.n <= NAME;
}

void pytype_drop_str(struct buf *out, size_t from) {
    str written = str_sub(buf_str(out), from, out->len);
    if (str_is(written, ": str")) buf_truncate(out, from);
}

static int write_member(struct typing *t, const struct param *p) {
    int failed = is_identifier(p->json)
                     ? buf_add_str(t->out, p->json, t->e)
                     : plain_add_quoted(t->out, p->json, NAME, t->e);
    if (failed || (!p->required && word(t, "?"))) return -1;
    size_t from = t->out->len;
    if (word(t, ": ") || write_type(t, p->schema)) return -1;
    if (t->how->terse) pytype_drop_str(t->out, from);
    return 0;
}

/* Members of one object as read by params.c, which joins allOf and the like.
 * References lead into the document, not into the part. */
static int write_members(struct typing *t, const struct json *schema) {
    AUTO_ARENA struct arena scratch = ARENA_MAX(1 << 20);
    struct params members;
    if (params_within(t->how->root, schema, &scratch, &members, t->e))
        return -1;
    if (members.count == 0) return word(t, "dict");
    if (word(t, "{")) return -1;
    for (size_t i = 0; i < members.count; i++) {
        if (i > 0 && word(t, ", ")) return -1;
        if (i == MEMBERS || is_full(t)) {
            if (word(t, "...")) return -1;
            break;
        }
        if (write_member(t, &members.items[i])) return -1;
    }
    return word(t, "}");
}

static int write_object(struct typing *t, const struct json *schema) {
    const struct json *more = object_in(schema, "additionalProperties");
    bool named = json_get(schema, "properties") || json_get(schema, "allOf");
    if (!named && more && json_len(more) > 0) {
        if (word(t, "dict[str, ") || write_type(t, more)) return -1;
        return word(t, "]");
    }
    if (!named || t->depth == 0) return word(t, "dict");
    t->depth--;
    int result = write_members(t, schema);
    t->depth++;
    return result;
}

static int write_tuple(struct typing *t, const struct json *items) {
    const struct json *v = json_first(items);
    if (word(t, "[")) return -1;
    for (size_t i = 0; i < json_len(items); i++, v = json_skip(v)) {
        if (i > 0 && word(t, ", ")) return -1;
        if (i == MEMBERS || is_full(t)) return word(t, "...]");
        if (write_type(t, v)) return -1;
    }
    return word(t, "]");
}

/* list[dict] is no more than list. */
static bool says_nothing(struct typing *t, size_t from) {
    if (!str_is(str_sub(buf_str(t->out), from, t->out->len), "[dict"))
        return false;
    buf_truncate(t->out, from);
    return true;
}

static int write_array(struct typing *t, const struct json *schema) {
    const struct json *first = array_in(schema, "prefixItems");
    if (!first) first = array_in(schema, "items");
    if (first && json_len(first) > 0) return write_tuple(t, first);
    const struct json *items = object_in(schema, "items");
    if (!items || json_len(items) == 0) return word(t, "list");
    if (word(t, "list")) return -1;
    size_t from = t->out->len;
    if (word(t, "[") || write_type(t, items)) return -1;
    if (t->how->terse && says_nothing(t, from)) return 0;
    return word(t, "]");
}

/* ---- one schema ---- */

static int write_named(struct typing *t, const struct json *schema, str type) {
    static const char *const words[][2] = {
        {"string", "str"},   {"integer", "int"}, {"number", "float"},
        {"boolean", "bool"}, {"null", "None"},
    };
    if (str_is(type, "object")) return write_object(t, schema);
    if (str_is(type, "array")) return write_array(t, schema);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_is(type, words[i][0])) return word(t, words[i][1]);
    return word(t, "Any");
}

static int write_types(struct typing *t, const struct json *schema,
                       const struct json *types) {
    const struct json *v = json_first(types);
    for (size_t i = 0; i < json_len(types); i++, v = json_skip(v)) {
        if (i == BRANCHES || is_full(t)) return word(t, "|...");
        if (i > 0 && word(t, "|")) return -1;
        str type = json_type(v) == JSON_STRING ? json_str(v) : STR("");
        if (write_named(t, schema, type)) return -1;
    }
    return json_len(types) == 0 ? word(t, "Any") : 0;
}

/* What a schema without a type is about. */
static str implied_type(const struct json *schema) {
    if (json_get(schema, "properties") || json_get(schema, "allOf") ||
        json_get(schema, "additionalProperties"))
        return STR("object");
    if (json_get(schema, "items") || json_get(schema, "prefixItems"))
        return STR("array");
    return STR("");
}

static int write_by_type(struct typing *t, const struct json *schema) {
    const struct json *type = json_get(schema, "type");
    if (type && json_type(type) == JSON_ARRAY)
        return write_types(t, schema, type);
    bool said = type && json_type(type) == JSON_STRING;
    return write_named(t, schema, said ? json_str(type) : implied_type(schema));
}

/* allOf is often a wrapper around one reference. */
static const struct json *unwrap(const struct json *schema) {
    const struct json *all = array_in(schema, "allOf");
    bool wrapper = all && json_len(all) == 1 && !json_get(schema, "properties");
    return wrapper ? json_first(all) : NULL;
}

static int write_schema(struct typing *t, const struct json *schema) {
    const struct json *values = array_in(schema, "enum");
    const struct json *value = json_get(schema, "const");
    const struct json *branches = array_in(schema, "anyOf");
    if (!branches) branches = array_in(schema, "oneOf");
    if (values) return write_enum(t, values);
    if (value) return pytype_literal(value, LITERAL, t->out, t->e);
    if (branches && !json_get(schema, "properties"))
        return write_union(t, branches);
    const struct json *only = unwrap(schema);
    return only ? write_type(t, only) : write_by_type(t, schema);
}

static int write_type(struct typing *t, const struct json *schema) {
    if (is_full(t) || t->nesting == NESTING) return word(t, "...");
    schema = params_resolve(t->how->root, schema);
    if (!schema || json_type(schema) != JSON_OBJECT) return word(t, "Any");
    t->nesting++;
    int result = write_schema(t, schema);
    t->nesting--;
    if (result == 0 && json_get_bool(schema, "nullable", false))
        return word(t, "|None");
    return result;
}

static int write_within(const struct pytype *how, size_t depth,
                        const struct json *schema, struct buf *out, bool *fits,
                        struct err *e) {
    size_t start = out->len;
    struct typing t = {.how = how,
                       .out = out,
                       .depth = depth,
                       .end = start + how->bytes,
                       .e = e};
    if (write_type(&t, schema)) return -1;
    *fits = out->len - start <= how->bytes;
    return 0;
}

int pytype_write(const struct pytype *how, const struct json *schema,
                 struct buf *out, struct err *e) {
    size_t start = out->len;
    bool fits = false;
    for (size_t depth = how->depth;; depth--) {
        if (write_within(how, depth, schema, out, &fits, e)) return -1;
        if (fits || depth <= 1) return 0;
        buf_truncate(out, start);
    }
}
