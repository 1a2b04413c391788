/* SPDX-License-Identifier: MIT */
#include "json/schema_index.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "json/schema_uri.h"

#define MAX_NAMES     (1u << 20) /* resources and anchors of one schema */
#define MAX_URI_BYTES (64u << 10)
#define FEW_MEMBERS   32   /* looked up by walking */
#define MAX_NESTING   1024 /* schemas inside each other in one document */

enum {
    D7 = 1 << SCHEMA_DRAFT7,
    D19 = 1 << SCHEMA_2019_09,
    D20 = 1 << SCHEMA_2020_12,
    OLD = D7 | D19,
    NEW = D19 | D20,
    ALL = OLD | NEW
};

enum holds { NOTHING, ONE, LIST, MAP, ONE_OR_LIST, MAP_LOOSE };

static const struct keyword_row {
    const char *text;
    size_t length;
    unsigned dialects;
    enum holds holds;
    enum vocabulary vocabulary;
} keywords[] = {
#define KEYWORD(name, text, dialects, holds, vocabulary) \
    {text, sizeof text - 1, dialects, holds, VOCABULARY_##vocabulary},
#include "json/schema_keywords.def"
#undef KEYWORD
};

const char *keyword_text(enum keyword k) {
    return k < KEY_COUNT ? keywords[k].text : "false";
}

static enum keyword find_keyword(str s) {
    for (size_t k = 0; k < KEY_COUNT; k++)
        if (keywords[k].length == s.n && !memcmp(keywords[k].text, s.p, s.n))
            return (enum keyword)k;
    return KEY_COUNT;
}

static bool speaks(const struct dialect *d, enum keyword k) {
    return (keywords[k].dialects >> d->draft & 1) &&
           !(d->off >> keywords[k].vocabulary & 1);
}

/* Draft 7 ignores everything beside $ref, but its definitions can still be
 * reached by a pointer, so they are still walked. */
static void keep_only_ref(struct place *p) {
    struct place kept = {0};
    kept.at[KEY_REF] = p->at[KEY_REF];
    kept.at[KEY_DEFINITIONS] = p->at[KEY_DEFINITIONS];
    *p = kept;
}

void place_read(struct place *p, const struct json *schema,
                const struct dialect *d) {
    *p = (struct place){0};
    const struct json *key = json_first(schema);
    for (size_t i = json_len(schema); i > 0; i--, key = json_skip(key + 1)) {
        enum keyword k = find_keyword(json_str(key));
        if (k != KEY_COUNT && speaks(d, k)) p->at[k] = key + 1;
    }
    if (d->draft == SCHEMA_DRAFT7 && p->at[KEY_REF]) keep_only_ref(p);
}

/* ---- names ------------------------------------------------------------- */

static int put_name(struct index *x, str uri, str anchor, void *value,
                    struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX(2 * MAX_URI_BYTES);
    if (buf_add_str(&key, uri, e)) return -1;
    if (anchor.p &&
        (buf_add_char(&key, '#', e) || buf_add_str(&key, anchor, e)))
        return -1;
    if (map_get(&x->uris, buf_str(&key))) return 0; /* the first one counts */
    return map_put(&x->uris, buf_str(&key), value, NULL, e);
}

static void *get_name(const struct index *x, str uri, str anchor) {
    struct err ignored;
    AUTO_BUF struct buf key = BUF_MAX(2 * MAX_URI_BYTES);
    if (buf_add_str(&key, uri, &ignored)) return NULL;
    if (anchor.p && (buf_add_char(&key, '#', &ignored) ||
                     buf_add_str(&key, anchor, &ignored)))
        return NULL;
    return map_get(&x->uris, buf_str(&key));
}

/* Map values are 1 + index, as the arrays they index may move. */
static void *as_value(size_t i) {
    return (void *)(uintptr_t)(i + 1);
}
static size_t as_index(const void *value) {
    return (uintptr_t)value - 1;
}

static int resolve(struct index *x, str base, str ref, str *out,
                   struct err *e) {
    AUTO_BUF struct buf uri = BUF_MAX(MAX_URI_BYTES);
    if (uri_resolve(base, ref, &uri, e)) return -1;
    return arena_dup(&x->schema->arena, buf_str(&uri), out, e);
}

static int add_anchor(struct index *x, uint32_t resource, str name,
                      const struct json *node, bool dynamic, struct err *e) {
    if (x->anchor_count == x->anchor_cap) {
        size_t cap = x->anchor_cap ? 2 * x->anchor_cap : 8;
        struct anchor **grown =
            mem_resize(x->anchors, cap, sizeof(struct anchor *), e);
        if (!grown) return -1;
        x->anchors = grown;
        x->anchor_cap = cap;
    }
    struct anchor *a = arena_alloc(&x->schema->arena, sizeof *a, e);
    if (!a) return -1;
    *a = (struct anchor){node, resource, dynamic, name, NULL};
    if (dynamic) {
        a->same = map_get(&x->dynamic, name);
        if (map_put(&x->dynamic, name, a, NULL, e)) return -1;
    }
    x->anchors[x->anchor_count] = a;
    str uri = x->resources[resource].uri;
    if (put_name(x, uri, name, as_value(x->anchor_count), e)) return -1;
    x->anchor_count++;
    return 0;
}

static int add_resource(struct index *x, struct resource r, uint32_t *out,
                        struct err *e) {
    if (x->resource_count == x->resource_cap) {
        size_t cap = x->resource_cap ? 2 * x->resource_cap : 4;
        struct resource *grown =
            mem_resize(x->resources, cap, sizeof *x->resources, e);
        if (!grown) return -1;
        x->resources = grown;
        x->resource_cap = cap;
    }
    if (x->resource_count >= MAX_NAMES)
        return fail(e, ERR_LIMIT, "more than %u schemas with $id", MAX_NAMES);
    *out = (uint32_t)x->resource_count;
    x->resources[x->resource_count++] = r;
    return 0;
}

const struct json *index_given(const struct index *x, str uri) {
    for (size_t i = 0; i < x->options->doc_count; i++) {
        str ignored;
        if (str_eq(uri_without_fragment(x->options->docs[i].uri, &ignored),
                   uri))
            return x->options->docs[i].doc;
    }
    return NULL;
}

/* ---- the walk ---------------------------------------------------------- */

struct walk {
    struct index *x;
    struct source *source;
    size_t depth;
};

static int walk_schema(struct walk *w, const struct json *node,
                       uint32_t resource, struct err *e);

static int walk_list(struct walk *w, const struct json *list, uint32_t resource,
                     struct err *e) {
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (walk_schema(w, item, resource, e)) return -1;
    return 0;
}

static int walk_map(struct walk *w, const struct json *map, uint32_t resource,
                    struct err *e) {
    const struct json *key = json_first(map);
    for (size_t i = json_len(map); i > 0; i--, key = json_skip(key + 1))
        if (walk_schema(w, key + 1, resource, e)) return -1;
    return 0;
}

static int walk_keyword(struct walk *w, enum holds holds,
                        const struct json *value, uint32_t resource,
                        struct err *e) {
    bool list = json_type(value) == JSON_ARRAY;
    bool map = json_type(value) == JSON_OBJECT;
    switch (holds) {
    case NOTHING: return 0;
    case ONE: return walk_schema(w, value, resource, e);
    case LIST: return list ? walk_list(w, value, resource, e) : 0;
    case ONE_OR_LIST:
        return list ? walk_list(w, value, resource, e)
                    : walk_schema(w, value, resource, e);
    case MAP:
    case MAP_LOOSE: return map ? walk_map(w, value, resource, e) : 0;
    }
    return 0;
}

/* In draft 7 an $id of "#name" is an anchor. */
static bool id_is_anchor(const struct dialect *d, str id) {
    return d->draft == SCHEMA_DRAFT7 && id.n > 1 && id.p[0] == '#';
}

/* Makes the schema a resource of its own when it has an $id. */
static int read_id(struct walk *w, const struct json *node, uint32_t *resource,
                   struct err *e) {
    struct index *x = w->x;
    const struct json *id = json_get(node, "$id");
    if (!id || json_type(id) != JSON_STRING) return 0;
    const struct resource *outer = &x->resources[*resource];
    struct dialect dialect = outer->dialect;
    bool root = outer->node == node;
    if (!root && dialect.draft == SCHEMA_DRAFT7 && json_get(node, "$ref"))
        return 0;
    str fragment, plain = uri_without_fragment(json_str(id), &fragment);
    if (id_is_anchor(&dialect, json_str(id)))
        return add_anchor(x, *resource, fragment, node, false, e);
    str uri;
    if (resolve(x, outer->uri, plain, &uri, e)) return -1;
    const struct json *schema = json_get(node, "$schema");
    if (!root && schema && dialect_read(x, schema, &dialect, e)) return -1;
    if (root) {
        x->resources[*resource].uri = uri;
    } else if (add_resource(x,
                            (struct resource){uri, node, json_skip(node),
                                              w->source, *resource, dialect},
                            resource, e)) {
        return -1;
    }
    return put_name(x, uri, (str){0}, as_value(*resource), e);
}

static int read_anchors(struct walk *w, const struct json *node,
                        const struct place *p, uint32_t resource,
                        struct err *e) {
    const struct json *plain = p->at[KEY_ANCHOR];
    const struct json *dynamic = p->at[KEY_DYNAMIC_ANCHOR];
    if (plain && json_type(plain) == JSON_STRING &&
        add_anchor(w->x, resource, json_str(plain), node, false, e))
        return -1;
    if (dynamic && json_type(dynamic) == JSON_STRING)
        return add_anchor(w->x, resource, json_str(dynamic), node, true, e);
    return 0;
}

/* In the order of the document, which index_resource_of() relies on. */
static int walk_members(struct walk *w, const struct json *node,
                        const struct place *p, uint32_t resource,
                        struct err *e) {
    const struct json *key = json_first(node);
    for (size_t i = json_len(node); i > 0; i--, key = json_skip(key + 1)) {
        if (json_type(key + 1) < JSON_ARRAY) continue;
        enum keyword k = find_keyword(json_str(key));
        if (k == KEY_COUNT || p->at[k] != key + 1) continue;
        if (walk_keyword(w, keywords[k].holds, key + 1, resource, e)) return -1;
    }
    return 0;
}

static int walk_schema(struct walk *w, const struct json *node,
                       uint32_t resource, struct err *e) {
    if (json_type(node) != JSON_OBJECT) return 0;
    if (w->depth >= MAX_NESTING)
        return fail(e, ERR_LIMIT, "schemas nested deeper than %d", MAX_NESTING);
    if (read_id(w, node, &resource, e)) return -1;
    struct place p;
    place_read(&p, node, &w->x->resources[resource].dialect);
    if (read_anchors(w, node, &p, resource, e)) return -1;
    w->depth++;
    if (walk_members(w, node, &p, resource, e)) return -1;
    w->depth--;
    return 0;
}

static struct source *new_source(struct index *x, const struct json *root,
                                 str uri, struct err *e) {
    struct arena *a = &x->schema->arena;
    struct source *source = arena_zalloc(a, 1, sizeof *source, e);
    if (!source) return NULL;
    source->root = root;
    source->uri = uri;
    size_t span = (size_t)(json_skip(root) - root);
    source->units = arena_zalloc(a, span, sizeof *source->units, e);
    if (!source->units) return NULL;
    struct source **end = &x->schema->sources;
    while (*end)
        end = &(*end)->next;
    *end = source;
    return source;
}

/* The dialect of the compiled document holds where others are silent. */
static struct dialect default_dialect(const struct index *x) {
    if (x->resource_count > 0) return x->resources[0].dialect;
    return (struct dialect){.draft = x->options->dialect};
}

int index_add(struct index *x, const struct json *root, str uri,
              struct source **out, struct err *e) {
    if (x->uris.max == 0)
        x->uris = x->dynamic = x->members = MAP_MAX(MAX_NAMES);
    struct dialect dialect = default_dialect(x);
    const struct json *schema = json_get(root, "$schema");
    if (schema && dialect_read(x, schema, &dialect, e)) return -1;
    struct source *source = new_source(x, root, uri, e);
    if (!source) return -1;
    uint32_t id;
    struct resource r = {
        uri,    root, json_skip(root), source, (uint32_t)x->resource_count,
        dialect};
    if (add_resource(x, r, &id, e)) return -1;
    if (uri.n > 0 && put_name(x, uri, (str){0}, as_value(id), e)) return -1;
    struct walk w = {.x = x, .source = source};
    if (walk_schema(&w, root, id, e)) return -1;
    source->first_resource = id;
    source->end_resource = (uint32_t)x->resource_count;
    *out = source;
    return 0;
}

/* A document's resources lie together, in the order of their nodes. */
uint32_t index_resource_of(const struct index *x, const struct source *source,
                           const struct json *node) {
    uint32_t low = source->first_resource, high = source->end_resource;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (x->resources[middle].node <= node)
            low = middle;
        else
            high = middle;
    }
    while (node >= x->resources[low].end)
        low = x->resources[low].parent;
    return low;
}

/* ---- references -------------------------------------------------------- */

/* The resource with this URI; a document given or built in is taken up when it
 * is first named. *out stays UNIT_NONE when there is none. */
static int find_resource(struct index *x, str uri, uint32_t *out,
                         struct err *e) {
    void *found = get_name(x, uri, (str){0});
    *out = found ? (uint32_t)as_index(found) : UNIT_NONE;
    if (found) return 0;
    const struct json *doc = index_given(x, uri);
    const char *text = doc ? NULL : schema_meta(uri);
    struct arena *a = &x->schema->arena;
    if (text && json_parse(str_of(text), NULL, a, &doc, e)) return -1;
    if (!doc) return 0;
    struct source *source;
    str kept;
    uint32_t id = (uint32_t)x->resource_count;
    if (arena_dup(a, uri, &kept, e) || index_add(x, doc, kept, &source, e))
        return -1;
    *out = id;
    return 0;
}

/* The keys of a large object, for references that each look one up. */
struct member_table {
    struct names names;
    const struct json **keys; /* parallel to names */
};

static struct member_table *
new_table(struct index *x, const struct json *object, struct err *e) {
    struct arena *a = &x->schema->arena;
    size_t n = json_len(object);
    struct member_table *t = arena_alloc(a, sizeof *t, e);
    str *names = t ? arena_alloc(a, n * sizeof *names, e) : NULL;
    if (!names) return NULL;
    t->keys = arena_alloc(a, n * sizeof *t->keys, e);
    if (!t->keys) return NULL;
    const struct json *key = json_first(object);
    for (size_t i = 0; i < n; i++, key = json_skip(key + 1)) {
        t->keys[i] = key;
        names[i] = json_str(key);
    }
    if (names_init(&t->names, names, n, a, e)) return NULL;
    str address = {(const char *)&object, sizeof object};
    return map_put(&x->members, address, t, NULL, e) ? NULL : t;
}

/* *out is NULL when there is no such member. */
static int find_member(struct index *x, const struct json *object, str token,
                       const struct json **out, struct err *e) {
    if (json_len(object) <= FEW_MEMBERS) {
        *out = json_get_str(object, token);
        return 0;
    }
    str address = {(const char *)&object, sizeof object};
    const struct member_table *t = map_get(&x->members, address);
    if (!t) t = new_table(x, object, e);
    if (!t) return -1;
    struct name name = name_of(token);
    uint32_t i = names_find(&t->names, &name);
    *out = i == NAMES_NONE ? NULL : t->keys[i] + 1;
    return 0;
}

/* One step of a JSON pointer; *node becomes NULL where it leads nowhere. */
static int step(struct index *x, const struct json **node, str token,
                struct err *e) {
    AUTO_BUF struct buf plain = BUF_MAX(MAX_URI_BYTES);
    for (size_t i = 0; i < token.n; i++) {
        bool escape = token.p[i] == '~' && i + 1 < token.n;
        char c = token.p[i];
        if (escape) c = token.p[++i] == '1' ? '/' : '~';
        if (buf_add_char(&plain, c, e)) return -1;
    }
    if (json_type(*node) == JSON_OBJECT)
        return find_member(x, *node, buf_str(&plain), node, e);
    uint64_t index;
    struct err ignored;
    bool number = json_type(*node) == JSON_ARRAY &&
                  num_parse_u64(token, &index, &ignored) == 0;
    *node = number && index < json_len(*node) ? json_at(*node, (size_t)index)
                                              : NULL;
    return 0;
}

/* As json_pointer(), but each step into a large object is one look-up. */
static int follow_pointer(struct index *x, uint32_t resource, str pointer,
                          struct target *out, str ref, struct err *e) {
    AUTO_BUF struct buf plain = BUF_MAX(MAX_URI_BYTES);
    if (uri_decode(pointer, &plain, e)) return -1;
    const struct json *node = x->resources[resource].node;
    str rest = buf_str(&plain);
    str_cut(&rest, '/'); /* what stands before the first one is empty */
    while (node && rest.p) {
        str token = str_cut(&rest, '/');
        if (step(x, &node, token, e)) return -1;
    }
    if (!node) return fail(e, ERR_MISSING, "nothing at %.*s", STR_ARG(ref));
    *out =
        (struct target){.source = x->resources[resource].source, .node = node};
    return 0;
}

/* An anchor may also lie under another name of the same document: the address
 * it was given under and its own $id name one resource. */
static int follow_anchor(const struct index *x, uint32_t resource, str name,
                         struct target *out, str ref, struct err *e) {
    const struct resource *r = &x->resources[resource];
    const void *found = get_name(x, r->uri, name);
    if (!found) return fail(e, ERR_MISSING, "no anchor for %.*s", STR_ARG(ref));
    const struct anchor *a = x->anchors[as_index(found)];
    r = &x->resources[a->resource];
    *out = (struct target){r->source, a->node, a};
    return 0;
}

int index_resolve(struct index *x, uint32_t resource, str ref,
                  struct target *out, struct err *e) {
    str fragment, plain = uri_without_fragment(ref, &fragment);
    uint32_t found = resource;
    if (plain.n > 0) {
        AUTO_BUF struct buf uri = BUF_MAX(MAX_URI_BYTES);
        if (uri_resolve(x->resources[resource].uri, plain, &uri, e)) return -1;
        bool self = str_eq(buf_str(&uri), x->resources[resource].uri);
        if (!self && find_resource(x, buf_str(&uri), &found, e)) return -1;
        if (found == UNIT_NONE)
            return fail(e, ERR_MISSING,
                        "%.*s is not among the documents "
                        "given; nothing is fetched",
                        STR_ARG(buf_str(&uri)));
    }
    if (fragment.n == 0 || fragment.p[0] == '/')
        return follow_pointer(x, found, fragment, out, ref, e);
    return follow_anchor(x, found, fragment, out, ref, e);
}

const struct anchor *index_dynamic(const struct index *x, str name) {
    return map_get(&x->dynamic, name);
}

void index_fini(struct index *x) {
    mem_free(x->resources);
    mem_free(x->anchors);
    map_fini(&x->uris);
    map_fini(&x->dynamic);
    map_fini(&x->members);
}
