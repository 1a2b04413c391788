/* SPDX-License-Identifier: MIT
 *
 * What results look like, learned from them: a small JSON Schema that admits
 * everything seen so far. Objects with many keys are taken for dictionaries;
 * long lists and deep values are not looked through.
 */
#include "base/mem.h"
#include "tools/stub.h"
#include "json/build.h"

#define MEMBERS 32 /* of an object; with more it is a dictionary */
#define ITEMS   32 /* of a list or dictionary that are looked at */
#define DEPTH   6
#define NAME    64 /* bytes of a key; one with more makes a dictionary */
#define SCRATCH ((size_t)4 << 20)

struct shape {
    unsigned types;         /* 1 << enum json_type, of all values seen */
    struct shape *items;    /* of lists; NULL: none seen */
    struct shape *values;   /* of dictionaries; NULL: members are kept */
    struct member *members; /* of objects */
    size_t count;
};

struct member {
    str name;
    bool optional; /* some object did not have it */
    struct shape shape;
    struct member *next;
};

struct learning {
    struct arena *arena;
    struct err e;
};

static unsigned bit(enum json_type t) {
    return 1u << (t == JSON_BIG ? JSON_REAL : t);
}

static struct shape *child(struct learning *l, struct shape **slot) {
    if (!*slot) *slot = arena_zalloc(l->arena, 1, sizeof **slot, &l->e);
    return *slot;
}

static struct member *find(const struct shape *s, str name) {
    for (struct member *m = s->members; m; m = m->next)
        if (str_eq(m->name, name)) return m;
    return NULL;
}

static struct member *add(struct learning *l, struct shape *s, str name) {
    struct member *m = arena_zalloc(l->arena, 1, sizeof *m, &l->e);
    if (!m) return NULL;
    struct member **end = &s->members;
    while (*end)
        end = &(*end)->next;
    m->name = name;
    s->count++;
    return *end = m;
}

/* ---- widening by another shape ---- */

static int absorb(struct learning *l, struct shape *to,
                  const struct shape *from);

static int absorb_child(struct learning *l, struct shape **to,
                        const struct shape *from) {
    if (!from) return 0;
    return child(l, to) ? absorb(l, *to, from) : -1;
}

/* Its keys are data, not names: what they lead to is one shape. */
static int make_dictionary(struct learning *l, struct shape *s) {
    if (s->values) return 0;
    if (!child(l, &s->values)) return -1;
    for (const struct member *m = s->members; m; m = m->next)
        if (absorb(l, s->values, &m->shape)) return -1;
    s->members = NULL;
    s->count = 0;
    return 0;
}

static int absorb_members(struct learning *l, struct shape *to,
                          const struct shape *from) {
    if (to->values || from->values) {
        if (make_dictionary(l, to)) return -1;
        for (const struct member *m = from->members; m; m = m->next)
            if (absorb(l, to->values, &m->shape)) return -1;
        return absorb_child(l, &to->values, from->values);
    }
    for (struct member *m = to->members; m; m = m->next)
        m->optional |= !find(from, m->name);
    for (const struct member *m = from->members; m; m = m->next) {
        struct member *mine = find(to, m->name);
        bool new = !mine;
        if (new && !(mine = add(l, to, m->name))) return -1;
        mine->optional |= m->optional || new;
        if (absorb(l, &mine->shape, &m->shape)) return -1;
    }
    return to->count > MEMBERS ? make_dictionary(l, to) : 0;
}

static int absorb(struct learning *l, struct shape *to,
                  const struct shape *from) {
    unsigned object = bit(JSON_OBJECT);
    bool first = !(to->types & object);
    to->types |= from->types;
    if (absorb_child(l, &to->items, from->items)) return -1;
    if (!(from->types & object)) return 0;
    if (!first) return absorb_members(l, to, from);
    if (from->values) return absorb_child(l, &to->values, from->values);
    for (const struct member *m = from->members; m; m = m->next) {
        struct member *mine = add(l, to, m->name);
        if (!mine || absorb(l, &mine->shape, &m->shape)) return -1;
        mine->optional = m->optional;
    }
    return 0;
}

/* ---- the shape of one value ---- */

static int look(struct learning *l, struct shape *s, const struct json *v,
                size_t depth);

static int look_at_items(struct learning *l, struct shape *s,
                         const struct json *v, size_t depth) {
    const struct json *item = json_first(v);
    for (size_t i = 0; i < json_len(v) && i < ITEMS; i++) {
        struct shape one = {0};
        if (look(l, &one, item, depth + 1) || !child(l, &s->items) ||
            absorb(l, s->items, &one))
            return -1;
        item = json_skip(item);
    }
    return 0;
}

static int look_at_members(struct learning *l, struct shape *s,
                           const struct json *v, size_t depth) {
    const struct json *key = json_first(v);
    for (size_t i = 0; i < json_len(v); i++, key = json_skip(key + 1)) {
        struct shape one = {0};
        if (i > MEMBERS + ITEMS) return 0;
        if (look(l, &one, key + 1, depth + 1)) return -1;
        if (json_len(key) > NAME && make_dictionary(l, s)) return -1;
        if (s->values) {
            if (absorb(l, s->values, &one)) return -1;
            continue;
        }
        struct member *m = find(s, json_str(key));
        if (!m) m = add(l, s, json_str(key));
        if (!m || absorb(l, &m->shape, &one)) return -1;
        if (s->count > MEMBERS && make_dictionary(l, s)) return -1;
    }
    return 0;
}

static int look(struct learning *l, struct shape *s, const struct json *v,
                size_t depth) {
    s->types = bit(json_type(v));
    if (depth >= DEPTH) return 0;
    if (json_type(v) == JSON_ARRAY) return look_at_items(l, s, v, depth);
    if (json_type(v) == JSON_OBJECT) return look_at_members(l, s, v, depth);
    return 0;
}

/* ---- as a schema ---- */

static const char *const type_names[] = {
    [JSON_NULL] = "null",     [JSON_BOOL] = "boolean",  [JSON_INT] = "integer",
    [JSON_REAL] = "number",   [JSON_STRING] = "string", [JSON_ARRAY] = "array",
    [JSON_OBJECT] = "object",
};
#define TYPES (sizeof type_names / sizeof type_names[0])

static unsigned read_types(const struct json *type) {
    unsigned types = 0;
    const struct json *v = type;
    size_t n = 1;
    if (!type) return 0;
    if (json_type(type) == JSON_ARRAY) {
        v = json_first(type);
        n = json_len(type);
    }
    for (; n > 0; n--, v = json_skip(v))
        for (unsigned t = 0; t < TYPES; t++)
            if (type_names[t] && json_type(v) == JSON_STRING &&
                str_is(json_str(v), type_names[t]))
                types |= 1u << t;
    return types;
}

static bool lists(const struct json *names, str name) {
    for (size_t i = 0; names && i < json_len(names); i++) {
        const struct json *v = json_at(names, i);
        if (json_type(v) == JSON_STRING && str_eq(json_str(v), name))
            return true;
    }
    return false;
}

static int read_shape(struct learning *l, struct shape *s,
                      const struct json *schema, size_t depth);

static int read_child(struct learning *l, struct shape **slot,
                      const struct json *schema, size_t depth) {
    if (!schema || json_type(schema) != JSON_OBJECT) return 0;
    return child(l, slot) ? read_shape(l, *slot, schema, depth + 1) : -1;
}

static int read_shape(struct learning *l, struct shape *s,
                      const struct json *schema, size_t depth) {
    const struct json *all = json_get(schema, "properties");
    const struct json *names = json_get(schema, "required");
    s->types = read_types(json_get(schema, "type"));
    if (depth >= DEPTH) return 0;
    if (read_child(l, &s->items, json_get(schema, "items"), depth) ||
        read_child(l, &s->values, json_get(schema, "additionalProperties"),
                   depth))
        return -1;
    if (!all || json_type(all) != JSON_OBJECT || s->values) return 0;
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0 && s->count <= MEMBERS; i--) {
        struct member *m = add(l, s, json_str(key));
        if (!m || read_shape(l, &m->shape, key + 1, depth + 1)) return -1;
        m->optional = !lists(names, m->name);
        key = json_skip(key + 1);
    }
    return 0;
}

static void write_shape(struct json_build *b, const struct shape *s);

static void write_types(struct json_build *b, unsigned types) {
    if (types & bit(JSON_REAL)) types &= ~bit(JSON_INT); /* a number too */
    if (types == 0) return;
    bool one = (types & (types - 1)) == 0;
    build_key(b, STR("type"));
    if (!one) build_array(b);
    for (unsigned t = 0; t < TYPES; t++)
        if (types & 1u << t) build_text(b, str_of(type_names[t]));
    if (!one) build_end(b);
}

static void write_members(struct json_build *b, const struct shape *s) {
    build_key(b, STR("properties"));
    build_object(b);
    for (const struct member *m = s->members; m; m = m->next) {
        build_key(b, m->name);
        write_shape(b, &m->shape);
    }
    build_end(b);
    build_key(b, STR("required"));
    build_array(b);
    for (const struct member *m = s->members; m; m = m->next)
        if (!m->optional) build_text(b, m->name);
    build_end(b);
}

static void write_shape(struct json_build *b, const struct shape *s) {
    build_object(b);
    write_types(b, s->types);
    if (s->items) {
        build_key(b, STR("items"));
        write_shape(b, s->items);
    }
    if (s->values) {
        build_key(b, STR("additionalProperties"));
        write_shape(b, s->values);
    } else if (s->members) {
        write_members(b, s);
    }
    build_end(b);
}

const struct json *shape_learn(const struct json *shape,
                               const struct json *result, struct arena *a) {
    AUTO_ARENA struct arena scratch = ARENA_MAX(SCRATCH);
    struct learning l = {.arena = &scratch};
    struct shape known = {0}, one = {0};
    const struct json *out;
    if (look(&l, &one, result, 0)) return shape;
    if (shape && read_shape(&l, &known, shape, 0)) return shape;
    if (absorb(&l, &known, &one)) return shape;
    struct json_build b = JSON_BUILD(a);
    write_shape(&b, &known);
    return build_done(&b, &out, &l.e) ? shape : out;
}
