/* SPDX-License-Identifier: MIT */
#include "tools/params.h"

#include "base/map.h"
#include "base/mem.h"
#include "tools/names.h"

#define REFERENCES 16     /* followed from one to the next */
#define NESTING    8      /* of allOf, anyOf, oneOf */
#define WORK       200000 /* schemas visited and names compared, all in all */

const struct json *params_resolve(const struct json *root,
                                  const struct json *schema) {
    for (size_t i = 0; i < REFERENCES; i++) {
        str ref = json_get_text(schema, "$ref", STR(""));
        if (ref.n == 0) return schema;
        if (ref.p[0] != '#') return NULL;
        schema = json_pointer(root, str_sub(ref, 1, ref.n));
        if (!schema) return NULL;
    }
    return NULL;
}

struct reading {
    const struct json *root;
    struct arena *arena;
    struct map seen; /* JSON name -> place + 1 */
    struct param *items;
    size_t count;
    size_t work; /* done so far */
    bool open, closed;
    struct err *e;
};

/* When the bound is reached the rest goes unread, and is said to be there. */
static bool may_go_on(struct reading *r) {
    if (r->work++ < WORK) return true;
    r->open = true;
    return false;
}

static bool lists(struct reading *r, const struct json *names, str name) {
    if (!names || json_type(names) != JSON_ARRAY) return false;
    const struct json *v = json_first(names);
    for (size_t i = json_len(names); i > 0 && may_go_on(r); i--) {
        if (json_type(v) == JSON_STRING && str_eq(json_str(v), name))
            return true;
        v = json_skip(v);
    }
    return false;
}

static int add(struct reading *r, str name, const struct json *schema,
               bool required) {
    uintptr_t known = (uintptr_t)map_get(&r->seen, name);
    if (known > 0) {
        r->items[known - 1].required |= required;
        return 0;
    }
    if (r->count == PARAMS_MAX) {
        r->open = true;
        return 0;
    }
    uintptr_t place = r->count + 1;
    if (map_put(&r->seen, name, (void *)place, NULL, r->e)) return -1;
    r->items[r->count++] =
        (struct param){.json = name, .schema = schema, .required = required};
    return 0;
}

static int read_schema(struct reading *r, const struct json *schema,
                       bool required, size_t depth);

static int read_properties(struct reading *r, const struct json *schema,
                           bool required) {
    const struct json *all = json_get(schema, "properties");
    const struct json *names = json_get(schema, "required");
    if (!all || json_type(all) != JSON_OBJECT) return 0;
    const struct json *key = json_first(all);
    for (size_t i = json_len(all); i > 0 && may_go_on(r); i--) {
        str name = json_str(key);
        if (add(r, name, key + 1, required && lists(r, names, name))) return -1;
        key = json_skip(key + 1);
    }
    return 0;
}

static int read_list(struct reading *r, const struct json *list, bool required,
                     size_t depth) {
    if (!list || json_type(list) != JSON_ARRAY) return 0;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v))
        if (read_schema(r, v, required, depth + 1)) return -1;
    return 0;
}

/* Every name any branch has; only what all of them require is required. */
static int read_schema(struct reading *r, const struct json *schema,
                       bool required, size_t depth) {
    if (depth >= NESTING || !may_go_on(r)) return 0;
    schema = params_resolve(r->root, schema);
    if (!schema || json_type(schema) != JSON_OBJECT) return 0;
    const struct json *more = json_get(schema, "additionalProperties");
    if (more && json_type(more) == JSON_BOOL) {
        r->open |= more->as.boolean;
        r->closed |= !more->as.boolean;
    } else if (more) {
        r->open = true;
    }
    if (read_properties(r, schema, required) ||
        read_list(r, json_get(schema, "allOf"), required, depth) ||
        read_list(r, json_get(schema, "anyOf"), false, depth) ||
        read_list(r, json_get(schema, "oneOf"), false, depth))
        return -1;
    return 0;
}

/* "user-id" and "user_id" are one name in Python: the later is tagged. */
static int name_them(struct reading *r, struct map *taken) {
    for (size_t i = 0; i < r->count; i++) {
        struct param *p = &r->items[i];
        if (name_python(p->json, r->arena, &p->name, r->e)) return -1;
        if (map_get(taken, p->name) &&
            name_distinct(p->name, p->json, r->arena, &p->name, r->e))
            return -1;
        if (map_put(taken, p->name, p, NULL, r->e)) return -1;
    }
    return 0;
}

static int sort(struct reading *r, struct params *out) {
    struct param *items =
        arena_zalloc(r->arena, r->count + 1, sizeof *items, r->e);
    size_t n = 0;
    if (!items) return -1;
    for (int required = 1; required >= 0; required--)
        for (size_t i = 0; i < r->count; i++)
            if (r->items[i].required == required) items[n++] = r->items[i];
    bool free_form = n == 0 && !r->closed;
    *out = (struct params){items, n, r->open || free_form};
    return 0;
}

int params_within(const struct json *root, const struct json *schema,
                  struct arena *a, struct params *out, struct err *e) {
    AUTO_MAP struct map taken = MAP_MAX(2 * PARAMS_MAX);
    struct reading r = {.root = root, .arena = a, .e = e};
    AUTO_MEM struct param *items = mem_alloc(PARAMS_MAX * sizeof *items, e);
    if (!items) return -1;
    r.items = items;
    r.seen = MAP_MAX(PARAMS_MAX);
    int failed = read_schema(&r, schema, true, 0) || name_them(&r, &taken) ||
                 sort(&r, out);
    map_fini(&r.seen);
    return failed ? -1 : 0;
}

int params_of(const struct json *schema, struct arena *a, struct params *out,
              struct err *e) {
    return params_within(schema, schema, a, out, e);
}

const struct param *params_find(const struct params *p, str name) {
    for (size_t i = 0; i < p->count; i++)
        if (str_eq(p->items[i].name, name)) return &p->items[i];
    for (size_t i = 0; i < p->count; i++)
        if (str_eq(p->items[i].json, name)) return &p->items[i];
    return NULL;
}
