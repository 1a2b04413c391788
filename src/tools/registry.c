/* SPDX-License-Identifier: MIT */
#include "tools/registry.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "tools/entry.h"
#include "tools/names.h"
#include "tools/select/memory.h"
#include "tools/stub.h"

#define SERVERS ((size_t)1 << 16)

/* One server's list. Its own names lead to its own entries; only flat names
 * are kept for all servers together. */
struct server {
    char *name;
    char *space;
    struct entry **entries;
    size_t count, callable;
    struct map by_tool;   /* the server's name for it -> entry */
    struct map by_method; /* its Python name -> entry */
};

struct registry {
    struct map servers; /* name -> struct server */
    struct map spaces;  /* Python namespace -> struct server */
    struct map flat;    /* flat name -> entry */
    struct entry **list;
    size_t count, cap;
    uint64_t generation;
    struct selector selector;
    bool has_selector;
    struct registry_guard guard;
    size_t unindexed; /* callable entries the index does not have, or not as
                         they are now */
    const struct standing *standing; /* or NULL */
    uint64_t saved_at; /* corpus.changes that the index file has */
};

static void save_index(struct registry *r);

static void server_free(struct server *s) {
    if (!s) return;
    for (size_t i = 0; i < s->count; i++)
        entry_drop(s->entries[i]);
    mem_free(s->entries);
    map_fini(&s->by_tool);
    map_fini(&s->by_method);
    mem_free(s->name);
    mem_free(s->space);
    mem_free(s);
}

struct registry *registry_new(struct err *e) {
    struct registry *r = mem_zalloc(1, sizeof *r, e);
    if (!r) return NULL;
    r->servers = r->spaces = MAP_MAX(SERVERS);
    r->flat = MAP_MAX(REGISTRY_TOOLS);
    return r;
}

void registry_free(struct registry *r) {
    if (!r) return;
    const struct map_entry *it;
    save_index(r);
    for (size_t i = 0; (it = map_next(&r->servers, &i));)
        server_free(it->value);
    map_fini(&r->servers);
    map_fini(&r->spaces);
    map_fini(&r->flat);
    mem_free(r->list);
    if (r->has_selector) selector_fini(&r->selector);
    mem_free(r);
}

/* ---- a server's list, made apart from the registry ---- */

static bool matches(const str *patterns, size_t count, str name) {
    for (size_t i = 0; i < count; i++)
        if (str_glob(patterns[i], name)) return true;
    return false;
}

static bool is_wanted(const struct registry_source *s, str tool) {
    return (s->allow_count == 0 || matches(s->allow, s->allow_count, tool)) &&
           !matches(s->exclude, s->exclude_count, tool);
}

/* The namespace it had, or the plain one unless another server has it. */
static int choose_space(const struct registry *r, const struct server *old,
                        const struct registry_source *source, struct arena *a,
                        str *out, struct err *e) {
    str server = source->server;
    if (source->builtin) return name_python(server, a, out, e);
    if (old) {
        *out = str_of(old->space);
        return 0;
    }
    if (name_space(server, a, out, e)) return -1;
    if (!map_get(&r->spaces, *out)) return 0;
    return name_distinct(*out, server, a, out, e);
}

static struct server *server_new(const struct registry *r,
                                 const struct server *old,
                                 const struct registry_source *source,
                                 size_t count, struct err *e) {
    str name = source->server;
    AUTO_ARENA struct arena scratch = ARENA_MAX(1 << 16);
    str space;
    struct server *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->by_tool = s->by_method = MAP_MAX(REGISTRY_TOOLS);
    s->name = mem_dup(name.p, name.n, e);
    s->entries = s->name ? mem_zalloc(count + 1, sizeof *s->entries, e) : NULL;
    if (s->entries && choose_space(r, old, source, &scratch, &space, e) == 0)
        s->space = mem_dup(space.p, space.n, e);
    if (s->space) return s;
    server_free(s);
    return NULL;
}

/* The entry of the old list, if nothing it was made from changed. */
static struct entry *unchanged(const struct server *s, const struct server *old,
                               const struct registry_source *source,
                               const struct json *definition) {
    uint8_t digest[CRYPTO_SHA256];
    struct err ignored;
    str name = entry_tool_name(definition);
    if (!old || map_get(&s->by_tool, name)) return NULL;
    struct entry *t = map_get(&old->by_tool, name);
    if (!t || entry_digest(source, definition, digest, &ignored)) return NULL;
    bool same = memcmp(entry_held(t)->made_of, digest, sizeof digest) == 0;
    return same ? entry_hold(t) : NULL;
}

/* Two tools may spell alike in Python; the one that needed no change keeps the
 * name, or else the first. */
static int give_method(struct server *s, struct entry *t, struct err *e) {
    struct entry *other = map_get(&s->by_method, t->method);
    if (other == t) return 0;
    struct arena *a = &entry_held(t)->arena;
    if (other && name_distinct(t->method, t->tool.name, a, &t->method, e))
        return -1;
    return map_put(&s->by_method, t->method, t, NULL, e);
}

static bool is_taken(const struct registry *r, const struct server *s,
                     const struct entry *t) {
    const struct entry *other = map_get(&r->flat, t->name);
    return other && !str_is(other->tool.server, s->name);
}

static int adopt(const struct registry *r, struct server *s, struct entry *t,
                 struct err *e) {
    s->entries[s->count++] = t;
    if (map_get(&s->by_tool, t->tool.name))
        return entry_set_aside(t, e, "the server lists this name twice");
    if (is_taken(r, s, t))
        return entry_set_aside(t, e, "another server has the name %.*s",
                               STR_ARG(t->name));
    s->callable += t->fault == NULL;
    return map_put(&s->by_tool, t->tool.name, t, NULL, e);
}

/* The first of its name in the list, which can be found. */
static bool is_first(const struct server *s, const struct entry *t) {
    return map_get(&s->by_tool, t->tool.name) == t;
}

static int give_methods(struct server *s, struct err *e) {
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < s->count; i++) {
            struct entry *t = s->entries[i];
            if (own && !str_eq(t->method, t->tool.name)) continue;
            if (is_first(s, t) && give_method(s, t, e)) return -1;
        }
    return 0;
}

static int fill(const struct registry *r, struct server *s,
                const struct server *old, const struct registry_source *source,
                const struct json *tools, struct err *e) {
    const struct json *v = json_first(tools);
    for (size_t i = 0; i < json_len(tools); i++, v = json_skip(v)) {
        if (!is_wanted(source, entry_tool_name(v))) continue;
        struct entry *t = unchanged(s, old, source, v);
        if (!t) t = entry_new(source, str_of(s->space), v, i, e);
        if (!t || adopt(r, s, t, e)) return fail_while(e, "tool %zu", i);
    }
    return give_methods(s, e);
}

/* Does the selection index want it? */
static bool is_searched(const struct entry *t) {
    return !t->fault && !(t->flags & TOOL_BUILTIN);
}

static bool is_unindexed(struct entry *t) {
    const struct held_entry *h = entry_held(t);
    return is_searched(t) && (!h->indexed || h->stale);
}

/* ---- putting it in place ---- */

static int reserve(struct registry *r, size_t count, struct err *e) {
    if (count > REGISTRY_TOOLS)
        return fail(e, ERR_LIMIT, "more than %zu tools", REGISTRY_TOOLS);
    if (count <= r->cap) return 0;
    struct entry **grown = mem_resize(r->list, count, sizeof *grown, e);
    if (!grown) return -1;
    r->list = grown;
    r->cap = count;
    return 0;
}

static void unpublish(struct registry *r, const struct server *s,
                      const struct server *old, size_t count) {
    struct err ignored;
    for (size_t i = 0; i < count; i++) {
        const struct entry *t = s->entries[i];
        if (map_get(&r->flat, t->name) != t) continue;
        struct entry *before =
            old ? map_get(&old->by_tool, t->tool.name) : NULL;
        if (before) /* replacing allocates nothing */
            (void)map_put(&r->flat, t->name, before, NULL, &ignored);
        else
            map_del(&r->flat, t->name);
    }
}

static int publish_tools(struct registry *r, struct server *s,
                         const struct server *old, struct err *e) {
    for (size_t i = 0; i < s->count; i++) {
        struct entry *t = s->entries[i];
        if (!is_first(s, t) || map_put(&r->flat, t->name, t, NULL, e) == 0)
            continue;
        unpublish(r, s, old, i);
        return -1;
    }
    return 0;
}

static int publish(struct registry *r, struct server *s, struct server *old,
                   struct err *e) {
    str name = str_of(s->name), space = str_of(s->space);
    if (publish_tools(r, s, old, e)) return -1;
    if (map_put(&r->spaces, space, s, NULL, e) == 0) {
        if (map_put(&r->servers, name, s, NULL, e) == 0) return 0;
        map_del(&r->spaces, space); /* old is NULL, or the put had succeeded */
    }
    unpublish(r, s, old, s->count);
    return -1;
}

/* Takes what is gone out of the maps and the index. now may be NULL. */
static void retire(struct registry *r, const struct server *old,
                   const struct server *now) {
    for (size_t i = 0; old && i < old->count; i++) {
        struct entry *t = old->entries[i];
        const struct entry *next =
            now ? map_get(&now->by_tool, t->tool.name) : NULL;
        if (next == t) continue;
        if (map_get(&r->flat, t->name) == t) map_del(&r->flat, t->name);
        if (entry_held(t)->indexed && (!next || next->fault))
            corpus_drop(&r->selector.corpus, t->name);
    }
}

static void list_again(struct registry *r) {
    const struct map_entry *it;
    r->count = r->unindexed = 0;
    for (size_t i = 0; (it = map_next(&r->servers, &i));) {
        const struct server *s = it->value;
        for (size_t k = 0; k < s->count; k++) {
            struct entry *t = s->entries[k];
            r->list[r->count++] = t;
            r->unindexed += is_unindexed(t);
        }
    }
    r->generation++;
}

static int put(struct registry *r, struct server *s, struct server *old,
               const struct registry_source *source, const struct json *tools,
               struct err *e) {
    size_t others = r->count - (old ? old->count : 0);
    if (fill(r, s, old, source, tools, e) || reserve(r, others + s->count, e) ||
        publish(r, s, old, e))
        return -1;
    retire(r, old, s);
    list_again(r);
    return (int)s->callable;
}

static bool is_printable(str s) {
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < 0x20) return false;
    return true;
}

int registry_put(struct registry *r, const struct registry_source *source,
                 const struct json *tools, struct err *e) {
    if (!is_printable(source->server))
        return fail(e, ERR_INVALID, "a server's name is one line of text");
    if (!tools || json_type(tools) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "%.*s: a list of tools is an array",
                    STR_ARG(source->server));
    if (json_len(tools) > REGISTRY_TOOLS)
        return fail(e, ERR_LIMIT, "%.*s: more than %zu tools",
                    STR_ARG(source->server), REGISTRY_TOOLS);
    struct server *old = map_get(&r->servers, source->server);
    struct server *s = server_new(r, old, source, json_len(tools), e);
    if (!s) return -1;
    int callable = put(r, s, old, source, tools, e);
    server_free(callable < 0 ? s : old);
    if (callable < 0)
        return fail_while(e, "tools of %.*s", STR_ARG(source->server));
    if (r->guard.check && !source->builtin)
        r->guard.check(r->guard.data, r, source);
    return callable;
}

void registry_set_guard(struct registry *r, struct registry_guard guard) {
    r->guard = guard;
}

void registry_remove(struct registry *r, str server) {
    struct server *old = map_del(&r->servers, server);
    if (!old) return;
    retire(r, old, NULL);
    map_del(&r->spaces, str_of(old->space));
    list_again(r);
    server_free(old);
}

/* ---- looking up ---- */

/* server "." tool or namespace "." method, cut at one place. */
static struct entry *find_in(const struct registry *r, str server, str tool) {
    const struct server *s = map_get(&r->servers, server);
    struct entry *t = s ? map_get(&s->by_tool, tool) : NULL;
    if (t) return t;
    s = map_get(&r->spaces, server);
    return s ? map_get(&s->by_method, tool) : NULL;
}

/* A name that could mean two tools means none. */
struct entry *registry_find(const struct registry *r, str name) {
    struct entry *found = map_get(&r->flat, name);
    if (found) return found;
    found = find_in(r, STR(""), name);
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] != '.' && name.p[i] != '/') continue;
        struct entry *t =
            find_in(r, str_sub(name, 0, i), str_sub(name, i + 1, name.n));
        if (t && found && t != found) return NULL;
        if (t) found = t;
    }
    return found;
}

size_t registry_count(const struct registry *r) {
    return r->count;
}

struct entry *registry_at(const struct registry *r, size_t index) {
    return index < r->count ? r->list[index] : NULL;
}

uint64_t registry_generation(const struct registry *r) {
    return r->generation;
}

/* ---- the index ---- */

#define MANY 100 /* new tools at once */

static int index_entry(struct registry *r, struct entry *t, struct document *d,
                       struct err *e) {
    if (selector_put(&r->selector, &t->tool, d, e)) return -1;
    entry_held(t)->indexed = true;
    entry_held(t)->stale = false;
    r->unindexed--;
    return 0;
}

/* What a file of before knew and nobody offers now is not found. */
static void drop_strangers(struct registry *r) {
    const struct corpus *ix = &r->selector.corpus;
    for (size_t i = 0; i < ix->docs.count; i++) {
        str id = corpus_id(ix, i);
        const struct entry *t = map_get(&r->flat, id);
        if (!corpus_doc(ix, i)->dead && (!t || !is_searched(t)))
            corpus_drop(&r->selector.corpus, id);
    }
}

static int bring_up_to_date(struct registry *r, struct err *e) {
    AUTO_MEM struct document *d = mem_alloc(sizeof *d, e);
    bool many = r->unindexed > MANY;
    if (!d) return -1;
    for (size_t i = 0; i < r->count && r->unindexed > 0; i++) {
        struct entry *t = r->list[i];
        if (is_unindexed(t) && index_entry(r, t, d, e)) return -1;
    }
    if (many && corpus_rest(&r->selector.corpus, e)) return -1;
    if (selector_route(&r->selector, e)) return -1;
    if (many) mem_trim(); /* arrays were outgrown on the way */
    return 0;
}

static int describe(void *context, str id, struct buf *out, struct err *e) {
    const struct entry *t = map_get(&((struct registry *)context)->flat, id);
    return t ? stub_write(t, STUB_BRIEF, NULL, out, e)
             : buf_add_str(out, id, e);
}

static int make_selector(struct registry *r, struct err *e) {
    const struct standing *s = r->standing;
    struct err none;
    if (selector_init(&r->selector, s ? s->weights : NULL, e)) return -1;
    r->has_selector = true;
    r->selector.standing = s;
    r->selector.describe = describe;
    r->selector.describe_context = r;
    /* The file saves time, no more: without it the index is built. */
    if (s && s->index && selector_load(&r->selector, s->index, &none) == 0)
        drop_strangers(r);
    r->saved_at = r->selector.corpus.changes;
    return 0;
}

/* Written whole, so a crash leaves the old file or the new one. */
static void save_index(struct registry *r) {
    const struct corpus *ix = &r->selector.corpus;
    struct err ignored;
    if (!r->has_selector || !r->standing || !r->standing->index) return;
    if (ix->changes == r->saved_at) return;
    if (corpus_save(ix, r->standing->index, &ignored) == 0)
        r->saved_at = ix->changes;
}

struct selector *registry_selector(struct registry *r, struct err *e) {
    bool fresh = !r->has_selector;
    if (fresh && make_selector(r, e)) return NULL;
    if (r->unindexed > 0 && bring_up_to_date(r, e)) return NULL;
    if (fresh) save_index(r);
    return &r->selector;
}

void registry_stand(struct registry *r, const struct standing *s) {
    save_index(r);
    r->standing = s;
    r->selector.standing = s;
    r->unindexed = 0; /* an endpoint, or a memory, is to see every tool */
    for (size_t i = 0; i < r->count; i++) {
        entry_held(r->list[i])->stale = true;
        r->unindexed += is_unindexed(r->list[i]);
    }
}

bool registry_always(const struct registry *r, const struct entry *t) {
    return t->tool.always || standing_always(r->standing, t->name);
}

void registry_used(struct registry *r, struct entry *t, str who) {
    struct memory *m = r->standing ? r->standing->memory : NULL;
    if (!m || !is_searched(t) || !memory_called(m, who, t->name)) return;
    if (map_get(&r->flat, t->name) != t || is_unindexed(t)) return;
    entry_held(t)->stale = true;
    r->unindexed++;
}

/* ---- nearest names ---- */

#define SLIPS 2 /* that a name may be away and still be meant */

static void offer(str name, str *out, size_t *n, size_t max) {
    for (size_t i = 0; i < *n; i++)
        if (str_eq(out[i], name)) return;
    if (*n < max) out[(*n)++] = name;
}

/* The part behind the last separator: what the tool itself is called. */
static str last_part(str name) {
    for (size_t i = name.n; i > 0; i--) {
        char c = name.p[i - 1];
        if (c == '.' || c == '/' || c == ':') return str_sub(name, i, name.n);
        if (i > 1 && c == '_' && name.p[i - 2] == '_')
            return str_sub(name, i, name.n);
    }
    return name;
}

static size_t slips(str a, str b, size_t limit) {
    size_t apart = a.n > b.n ? a.n - b.n : b.n - a.n;
    return apart > limit ? limit + 1 : str_distance(a, b, limit);
}

static size_t distance(const struct entry *t, str name, str last) {
    if (str_eq_nocase(t->tool.name, last) || str_eq_nocase(t->method, last))
        return 0;
    size_t whole = slips(t->name, name, SLIPS);
    size_t part = slips(t->tool.name, last, SLIPS);
    return whole < part ? whole : part;
}

/* By spelling; where nothing is spelt alike, by what the words mean. */
size_t registry_near(struct registry *r, str name, str *out, size_t max) {
    str last = last_part(name);
    size_t n = 0;
    for (size_t far = 0; far <= SLIPS; far++)
        for (size_t i = 0; i < r->count && n < max; i++)
            if (is_searched(r->list[i]) &&
                distance(r->list[i], name, last) == far)
                offer(r->list[i]->name, out, &n, max);
    struct err ignored;
    AUTO_MEM struct selection *found = NULL;
    struct selector *s =
        n == 0 && max > 0 ? registry_selector(r, &ignored) : NULL;
    if (s) found = mem_alloc(sizeof *found, &ignored);
    struct select_request request = {.text = name, .k = max, .local = true};
    if (!found || select_tools(s, &request, found, &ignored)) return n;
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].why == WHY_ALWAYS) continue;
        str id = corpus_id(&s->corpus, found->items[i].doc);
        const struct entry *t = map_get(&r->flat, id);
        if (t) offer(t->name, out, &n, max);
    }
    return n;
}
