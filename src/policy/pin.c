/* SPDX-License-Identifier: MIT */
#include "policy/pin.h"

#include "base/codec.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "policy/pin_package.h"
#include "json/build.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

#define LOCK_BYTES ((size_t)256 << 20)
#define SERVERS    10000

struct pinned {
    char hex[2 * CRYPTO_SHA256 + 1];
    const struct json *definition; /* in the arena of the set */
};

struct server {
    const struct json *parts[PIN_PARTS]; /* or NULL */
    struct map tools;                    /* -> struct pinned */
};

struct pins {
    struct arena arena;
    struct map servers; /* -> struct server */
};

struct pins *pins_new(struct err *e) {
    struct pins *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->arena = ARENA_MAX(4 * LOCK_BYTES);
    p->servers = MAP_MAX(SERVERS);
    return p;
}

void pins_free(struct pins *p) {
    const struct map_entry *it;
    if (!p) return;
    for (size_t i = 0; (it = map_next(&p->servers, &i));)
        map_fini(&((struct server *)it->value)->tools);
    map_fini(&p->servers);
    arena_fini(&p->arena);
    mem_free(p);
}

static struct server *server_of(struct pins *p, str name, struct err *e) {
    struct server *s = map_get(&p->servers, name);
    if (s) return s;
    s = arena_zalloc(&p->arena, 1, sizeof *s, e);
    if (!s) return NULL;
    s->tools = MAP_MAX(REGISTRY_TOOLS);
    return map_put(&p->servers, name, s, NULL, e) ? NULL : s;
}

/* -- hashes -----------------------------------------------------------------
 */

int pin_hash(const struct json *definition, uint8_t out[CRYPTO_SHA256],
             struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LOCK_BYTES);
    if (json_write(definition, JSON_CANONICAL, &text, e)) return -1;
    return crypto_sha256(buf_str(&text), out, e);
}

static int hex_hash(const struct json *definition,
                    char out[2 * CRYPTO_SHA256 + 1], struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    if (pin_hash(definition, digest, e) ||
        hex_encode((str){(const char *)digest, sizeof digest}, &hex, e))
        return -1;
    memcpy(out, buf_text(&hex), hex.len + 1);
    return 0;
}

static const struct json *keep(struct pins *p, const struct json *v,
                               struct err *e) {
    struct json_build b = JSON_BUILD(&p->arena);
    const struct json *copy;
    build_copy(&b, v);
    return build_done(&b, &copy, e) ? NULL : copy;
}

int pins_set(struct pins *p, str server, str tool,
             const struct json *definition, struct err *e) {
    struct server *s = server_of(p, server, e);
    struct pinned *n = s ? arena_zalloc(&p->arena, 1, sizeof *n, e) : NULL;
    if (!n || hex_hash(definition, n->hex, e)) return -1;
    n->definition = keep(p, definition, e);
    if (!n->definition) return -1;
    return map_put(&s->tools, tool, n, NULL, e);
}

int pins_check(const struct pins *p, str server, str tool,
               const struct json *definition, enum pin_state *state,
               const struct json **pinned, struct err *e) {
    const struct server *s = map_get(&p->servers, server);
    const struct pinned *n = s ? map_get(&s->tools, tool) : NULL;
    char hex[2 * CRYPTO_SHA256 + 1];
    if (pinned) *pinned = n ? n->definition : NULL;
    if (!n) return *state = PIN_NEW, 0;
    if (hex_hash(definition, hex, e)) return -1;
    *state = strcmp(hex, n->hex) == 0 ? PIN_SAME : PIN_CHANGED;
    return 0;
}

/* -- servers ----------------------------------------------------------------
 */

const char *pin_part_word(enum pin_part part) {
    static const char *const words[] = {"text", "package", "certificate"};
    return words[part];
}

const struct json *pins_server(const struct pins *p, str server,
                               enum pin_part part) {
    const struct server *s = map_get(&p->servers, server);
    return s ? s->parts[part] : NULL;
}

static bool same_part(enum pin_part part, const struct json *known,
                      const struct json *value) {
    return json_equal(known, value) ||
           (part == PIN_PACKAGE && pin_package_same(known, value));
}

int pins_check_server(const struct pins *p, str server, enum pin_part part,
                      const struct json *value, enum pin_state *state,
                      const struct json **pinned, struct err *e) {
    const struct json *known = pins_server(p, server, part);
    (void)e;
    if (pinned) *pinned = known;
    if (!known)
        *state = PIN_NEW;
    else
        *state = same_part(part, known, value) ? PIN_SAME : PIN_CHANGED;
    return 0;
}

int pins_set_server(struct pins *p, str server, enum pin_part part,
                    const struct json *value, struct err *e) {
    struct server *s = server_of(p, server, e);
    const struct json *copy = s ? keep(p, value, e) : NULL;
    if (!copy) return -1;
    s->parts[part] = copy;
    return 0;
}

/* -- the file ---------------------------------------------------------------
 */

static int by_key(const void *a, const void *b) {
    const struct map_entry *const *x = a, *const *y = b;
    return str_cmp((str){(*x)->key, (*x)->key_len},
                   (str){(*y)->key, (*y)->key_len});
}

/* The live entries by name; the caller frees. */
static const struct map_entry **sorted(const struct map *m, struct err *e) {
    const struct map_entry **all = mem_alloc((m->live + 1) * sizeof *all, e);
    const struct map_entry *it;
    size_t n = 0;
    if (!all) return NULL;
    for (size_t i = 0; (it = map_next(m, &i));)
        all[n++] = it;
    qsort(all, n, sizeof *all, by_key);
    return all;
}

static int build_tools(const struct server *s, struct json_build *b,
                       struct err *e) {
    AUTO_MEM const struct map_entry **all = sorted(&s->tools, e);
    if (!all) return -1;
    build_key(b, STR("tools"));
    build_object(b);
    for (size_t i = 0; i < s->tools.live; i++) {
        const struct pinned *n = all[i]->value;
        build_key(b, (str){all[i]->key, all[i]->key_len});
        build_object(b);
        build_put_text(b, "sha256", str_of(n->hex));
        build_put(b, "definition", n->definition);
        build_end(b);
    }
    build_end(b);
    return 0;
}

static int build_servers(const struct pins *p, struct json_build *b,
                         struct err *e) {
    AUTO_MEM const struct map_entry **all = sorted(&p->servers, e);
    if (!all) return -1;
    build_key(b, STR("servers"));
    build_object(b);
    for (size_t i = 0; i < p->servers.live; i++) {
        const struct server *s = all[i]->value;
        build_key(b, (str){all[i]->key, all[i]->key_len});
        build_object(b);
        for (int part = 0; part < PIN_PARTS; part++)
            if (s->parts[part])
                build_put(b, pin_part_word((enum pin_part)part),
                          s->parts[part]);
        if (build_tools(s, b, e)) return -1;
        build_end(b);
    }
    build_end(b);
    return 0;
}

int pins_write(const struct pins *p, struct buf *out, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 * LOCK_BYTES);
    struct json_build b = JSON_BUILD(&a);
    const struct json *v;
    build_object(&b);
    build_put_int(&b, "version", 1);
    if (build_servers(p, &b, e)) return -1;
    build_end(&b);
    if (build_done(&b, &v, e) || json_write(v, JSON_PRETTY, out, e)) return -1;
    return buf_add_char(out, '\n', e);
}

int pins_save(const struct pins *p, const char *path, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LOCK_BYTES);
    if (pins_write(p, &text, e)) return fail_while(e, "%s", path);
    return file_replace(path, buf_str(&text), 0644, e);
}

#define ADVICE                                                            \
    "; restore it from version control, or remove it and pin anew after " \
    "looking at every tool (cordon tools pin)"

static int parse_tool(struct pins *p, str server, const struct json *name,
                      struct err *e) {
    const struct json *v = name + 1, *d = json_get(v, "definition");
    str given = json_get_text(v, "sha256", STR(""));
    char hex[2 * CRYPTO_SHA256 + 1];
    if (!d || json_type(d) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "%.*s has no definition" ADVICE,
                    STR_ARG(json_str(name)));
    if (hex_hash(d, hex, e)) return -1;
    if (!str_is(given, hex))
        return fail(e, ERR_INVALID,
                    "the hash of %.*s is not that of its definition" ADVICE,
                    STR_ARG(json_str(name)));
    return pins_set(p, server, json_str(name), d, e);
}

static int parse_server(struct pins *p, const struct json *name,
                        struct err *e) {
    const struct json *v = name + 1, *tools = json_get(v, "tools");
    str server = json_str(name);
    if (!tools || json_type(tools) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "server %.*s has no tools" ADVICE,
                    STR_ARG(server));
    for (int part = 0; part < PIN_PARTS; part++) {
        const struct json *value =
            json_get(v, pin_part_word((enum pin_part)part));
        if (value && pins_set_server(p, server, (enum pin_part)part, value, e))
            return -1;
    }
    const struct json *key = json_first(tools);
    for (size_t i = json_len(tools); i > 0; i--, key = json_skip(key + 1))
        if (parse_tool(p, server, key, e))
            return fail_while(e, "server %.*s", STR_ARG(server));
    return 0;
}

static int parse_all(struct pins *p, str text, struct err *e) {
    const struct json *v, *servers;
    if (json_parse(text, NULL, &p->arena, &v, e)) return -1;
    if (json_get_int(v, "version", 0) != 1)
        return fail(e, ERR_INVALID, "it is not a lock of version 1" ADVICE);
    servers = json_get(v, "servers");
    if (!servers || json_type(servers) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "it has no servers" ADVICE);
    const struct json *key = json_first(servers);
    for (size_t i = json_len(servers); i > 0; i--, key = json_skip(key + 1))
        if (parse_server(p, key, e)) return -1;
    return 0;
}

struct pins *pins_parse(str text, const char *name, struct err *e) {
    struct pins *p = pins_new(e);
    if (!p || parse_all(p, text, e) == 0) return p;
    err_context(e, "%s", name);
    pins_free(p);
    return NULL;
}

struct pins *pins_load(const char *path, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LOCK_BYTES);
    if (!file_exists(path)) return pins_new(e);
    if (file_read(path, &text, e)) return NULL;
    return pins_parse(buf_str(&text), path, e);
}
