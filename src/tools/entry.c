/* SPDX-License-Identifier: MIT */
#include "tools/entry.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tools/names.h"
#include "json/build.h"
#include "json/pack.h"
#include "json/write.h"

#define ENTRY_BYTES       ((size_t)8 << 20) /* of one tool, all included */
#define SERVER_TEXT_BYTES 1024              /* kept with each of its tools */

str entry_tool_name(const struct json *definition) {
    const struct json *inner = json_get(definition, "function");
    if (inner && json_type(inner) == JSON_OBJECT) definition = inner;
    return json_get_text(definition, "name", STR(""));
}

static const struct json *override_of(const struct registry_source *s,
                                      str tool) {
    const struct json *v = json_get_str(s->overrides, tool);
    return v && json_type(v) == JSON_OBJECT ? v : NULL;
}

/* ---- identity ---- */

static int digest_json(struct sha256 *h, const struct json *v, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(ENTRY_BYTES);
    if (v && json_write(v, JSON_CANONICAL, &text, e)) return -1;
    return sha256_add(h, buf_str(&text), e) || sha256_add(h, (str){"", 1}, e);
}

int entry_digest(const struct registry_source *s, const struct json *definition,
                 uint8_t out[CRYPTO_SHA256], struct err *e) {
    struct sha256 *h = sha256_new(e);
    if (!h) return -1;
    const struct json *o = override_of(s, entry_tool_name(definition));
    str provider = {(const char *)&s->provider, sizeof s->provider};
    int failed = digest_json(h, definition, e) || digest_json(h, o, e) ||
                 sha256_add(h, provider, e) ||
                 sha256_add(h, s->server_text, e) || sha256_end(h, out, e);
    sha256_free(h);
    return failed ? -1 : 0;
}

static int pin_of(const struct json *definition, uint8_t out[CRYPTO_SHA256],
                  struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(ENTRY_BYTES);
    if (json_write(definition, JSON_CANONICAL, &text, e)) return -1;
    return crypto_sha256(buf_str(&text), out, e);
}

/* ---- making ---- */

int entry_set_aside(struct entry *t, struct err *e, const char *fmt, ...) {
    char text[sizeof e->text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    t->fault = arena_printf(&entry_held(t)->arena, e, "%s", text);
    if (!t->fault) return -1;
    t->flags |= TOOL_SET_ASIDE;
    return 0;
}

static int copy(struct arena *a, const struct json *v, const struct json **out,
                struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_copy(&b, v);
    return build_done(&b, out, e);
}

/* What a server says of itself goes no further than this: names other than
 * its own, a place in every answer or words that call for it are the user's to
 * give. */
static int take_as_server_gave(struct entry *t, const struct registry_source *s,
                               struct err *e) {
    struct arena *a = &entry_held(t)->arena;
    struct tool *tool = &t->tool;
    str about = str_sub(s->server_text, 0, SERVER_TEXT_BYTES);
    tool->id = t->name;
    tool->category = STR("");
    tool->aliases = tool->examples = tool->keywords = NULL;
    tool->always = false;
    return arena_dup(a, s->server, &tool->server, e) ||
                   arena_dup(a, about, &tool->server_text, e)
               ? -1
               : 0;
}

static const struct json *list_in(const struct json *v, const char *key,
                                  const struct json *otherwise) {
    const struct json *list = json_get(v, key);
    return list && json_type(list) == JSON_ARRAY ? list : otherwise;
}

static int override(struct entry *t, const struct registry_source *s,
                    struct err *e) {
    struct tool *tool = &t->tool;
    const struct json *v = override_of(s, tool->name);
    if (!v) return 0;
    if (copy(&entry_held(t)->arena, v, &v, e)) return -1;
    tool->description = json_get_text(v, "description", tool->description);
    tool->category = json_get_text(v, "category", tool->category);
    tool->examples = list_in(v, "examples", tool->examples);
    tool->keywords = list_in(v, "keywords", tool->keywords);
    tool->aliases = list_in(v, "aliases", tool->aliases);
    tool->always = json_get_bool(v, "always", false);
    if (json_get_bool(v, "readOnly", false))
        t->flags |= TOOL_READ_ONLY | TOOL_IDEMPOTENT;
    if (json_get_bool(v, "idempotent", false)) t->flags |= TOOL_IDEMPOTENT;
    return 0;
}

static unsigned hints_of(const struct json *definition) {
    const struct json *hints = json_get(definition, "annotations");
    bool reads = json_get_bool(hints, "readOnlyHint", false);
    unsigned flags = reads ? TOOL_HINT_READ_ONLY : 0;
    if (json_get_bool(hints, "idempotentHint", false))
        flags |= TOOL_HINT_IDEMPOTENT;
    if (!reads && json_get_bool(hints, "destructiveHint", true))
        flags |= TOOL_HINT_DESTRUCTIVE;
    if (!json_get_bool(hints, "openWorldHint", true))
        flags |= TOOL_HINT_CLOSED_WORLD;
    return flags;
}

static int name_it(struct entry *t, const struct registry_source *s, str space,
                   struct err *e) {
    struct arena *a = &entry_held(t)->arena;
    return name_flat(s->server, t->tool.name, a, &t->name, e) ||
                   arena_dup(a, space, &t->space, e) ||
                   name_python(t->tool.name, a, &t->method, e)
               ? -1
               : 0;
}

static const struct json any_object[1] = {{.head = JSON_OBJECT, .as.span = 1}};

/* A schema that does not compile is the tool's fault, all else is ours. What
 * was compiled is not kept: most tools are never called. */
static int check_schema(struct entry *t, const char *what,
                        const struct json *doc, struct err *e) {
    struct schema *made;
    struct err why;
    if (schema_compile(doc, NULL, &made, &why) == 0) {
        schema_free(made);
        return 0;
    }
    if (why.kind == ERR_MEMORY) {
        *e = why;
        return -1;
    }
    return entry_set_aside(t, e, "%s schema: %s", what, why.text);
}

static const struct json *input_of(const struct entry *t) {
    return t->tool.input ? t->tool.input : any_object;
}

static int check_both(struct entry *t, struct err *e) {
    if (check_schema(t, "input", input_of(t), e)) return -1;
    if (!t->tool.output || t->fault) return 0;
    return check_schema(t, "output", t->tool.output, e);
}

struct schema *entry_input(struct entry *t, struct err *e) {
    struct held_entry *h = entry_held(t);
    if (!h->input && schema_compile(input_of(t), NULL, &h->input, e))
        return NULL;
    return h->input;
}

struct schema *entry_output(struct entry *t, struct err *e) {
    struct held_entry *h = entry_held(t);
    if (!h->output && schema_compile(t->tool.output, NULL, &h->output, e))
        return NULL;
    return h->output;
}

/* A definition that is no tool still gets a place, so that people see it. */
static int stand_in(struct entry *t, size_t index, const char *why,
                    struct err *e) {
    char *name = arena_printf(&entry_held(t)->arena, e, "tool-%zu", index);
    if (!name) return -1;
    t->tool = (struct tool){.name = str_of(name)};
    return entry_set_aside(t, e, "%s", why);
}

static int fill(struct entry *t, const struct registry_source *s, str space,
                const struct json *definition, size_t index, struct err *e) {
    struct arena *a = &entry_held(t)->arena;
    struct err why;
    t->definition = entry_held(t)->memory = json_pack(definition, e);
    if (!t->definition || pin_of(t->definition, t->pin, e)) return -1;
    if (tool_read(t->definition, s->server, a, &t->tool, &why) &&
        stand_in(t, index, why.text, e))
        return -1;
    t->provider = s->provider;
    t->flags |= hints_of(t->definition);
    if (s->builtin) t->flags |= TOOL_BUILTIN;
    if (s->needs) t->flags |= TOOL_NEED;
    if (name_it(t, s, space, e) || take_as_server_gave(t, s, e) ||
        override(t, s, e))
        return -1;
    return t->fault ? 0 : check_both(t, e);
}

static struct entry *make(const struct registry_source *s, str space,
                          const struct json *definition, size_t index,
                          struct err *e) {
    struct held_entry *h = mem_zalloc(1, sizeof *h, e);
    if (!h) return NULL;
    h->refs = 1;
    h->arena = ARENA_MAX(ENTRY_BYTES);
    if (fill(&h->entry, s, space, definition, index, e) ||
        entry_digest(s, definition, h->made_of, e)) {
        entry_drop(&h->entry);
        return NULL;
    }
    return &h->entry;
}

struct entry *entry_new(const struct registry_source *s, str space,
                        const struct json *definition, size_t index,
                        struct err *e) {
    struct entry *t = make(s, space, definition, index, e);
    if (t || e->kind != ERR_LIMIT) return t;
    struct err why = *e;
    t = make(s, space, any_object, index, e);
    if (!t || entry_set_aside(t, e, "definition: %s", why.text) == 0) return t;
    entry_drop(t);
    return NULL;
}

struct entry *entry_hold(struct entry *t) {
    entry_held(t)->refs++;
    return t;
}

void entry_drop(struct entry *t) {
    if (!t || --entry_held(t)->refs > 0) return;
    struct held_entry *h = entry_held(t);
    schema_free(h->input);
    schema_free(h->output);
    arena_fini(&h->arena);
    mem_free(h->memory);
    mem_free(h);
}
