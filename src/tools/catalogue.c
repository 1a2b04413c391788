/* SPDX-License-Identifier: MIT */
#include "tools/catalogue.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "json/build.h"

/* Real catalogues repeat keys and nest; what a tool says must still load. */
static const struct json_limits limits = {
    .depth = 128, .bytes = CATALOGUE_FILE, .keep_duplicates = true};

static struct tool *room_for_one(struct catalogue *c, struct err *e) {
    if (c->count == c->cap) {
        size_t cap = c->cap ? c->cap * 2 : 64;
        struct tool *grown = mem_resize(c->tools, cap, sizeof *grown, e);
        if (!grown) return NULL;
        c->tools = grown;
        c->cap = cap;
    }
    return &c->tools[c->count];
}

int catalogue_add(struct catalogue *c, const struct tool *t, struct err *e) {
    uintptr_t known = (uintptr_t)map_get(&c->by_id, t->id);
    if (known > 0) {
        c->tools[known - 1] = *t;
        return 0;
    }
    struct tool *slot = room_for_one(c, e);
    if (!slot) return -1;
    uintptr_t number = c->count + 1;
    if (map_put(&c->by_id, t->id, (void *)number, NULL, e)) return -1;
    *slot = *t;
    c->count++;
    return 0;
}

static int add_one(struct catalogue *c, const struct json *v, str server,
                   struct err *e) {
    struct tool t;
    if (tool_read(v, server, &c->arena, &t, e)) return -1;
    return catalogue_add(c, &t, e);
}

static int add_list(struct catalogue *c, const struct json *list, str server,
                    struct err *e) {
    const struct json *item = json_first(list);
    for (size_t i = 0; i < json_len(list); i++, item = json_skip(item))
        if (add_one(c, item, server, e)) return fail_while(e, "tool %zu", i);
    return 0;
}

int catalogue_add_json(struct catalogue *c, const struct json *tools,
                       str server, struct err *e) {
    struct json_build b = JSON_BUILD(&c->arena);
    const struct json *copy;
    build_copy(&b, tools);
    if (build_done(&b, &copy, e) || arena_dup(&c->arena, server, &server, e))
        return -1;
    return add_list(c, copy, server, e);
}

/* One document: a tool, a list of tools, or a message that holds a list. */
static int add_value(struct catalogue *c, const struct json *v, struct err *e) {
    if (json_type(v) == JSON_ARRAY) return add_list(c, v, STR(""), e);
    const struct json *result = json_get(v, "result");
    const struct json *tools = json_get(result ? result : v, "tools");
    if (!tools || json_type(tools) != JSON_ARRAY)
        return add_one(c, v, STR(""), e);
    const struct json *server = json_get(v, "server");
    str name =
        json_get_text(server, "name", json_get_text(v, "server", STR("")));
    return add_list(c, tools, name, e);
}

/* A first line that is a whole value means a document a line. */
static bool is_lines(str text, struct arena *scratch) {
    str rest = text;
    str first = str_trim(str_cut(&rest, '\n'));
    const struct json *v = NULL;
    struct err ignored;
    return rest.p && str_trim(rest).n > 0 && first.n > 1 &&
           json_parse(first, &limits, scratch, &v, &ignored) == 0;
}

static int add_lines(struct catalogue *c, str text, struct err *e) {
    str rest = text;
    for (size_t n = 1; rest.p; n++) {
        str line = str_trim(str_cut(&rest, '\n'));
        const struct json *v = NULL;
        if (line.n == 0) continue;
        if (json_parse(line, &limits, &c->arena, &v, e) || add_value(c, v, e))
            return fail_while(e, "line %zu", n);
    }
    return 0;
}

/* Bytes that are not UTF-8 become U+FFFD: one bad server must not take the
 * others' tools with it. */
static int repair_utf8(str text, struct buf *out, struct err *e) {
    for (size_t at = 0; at < text.n; at++) {
        size_t good = utf8_valid(text.p + at, text.n - at);
        if (buf_add(out, text.p + at, good, e)) return -1;
        at += good;
        if (at < text.n && buf_add_text(out, "\xef\xbf\xbd", e)) return -1;
    }
    return 0;
}

int catalogue_add_text(struct catalogue *c, str text, struct err *e) {
    AUTO_BUF struct buf clean = BUF_MAX(CATALOGUE_FILE);
    if (utf8_valid(text.p, text.n) < text.n) {
        if (repair_utf8(text, &clean, e)) return -1;
        text = buf_str(&clean);
    }
    AUTO_ARENA struct arena scratch = ARENA_MAX(CATALOGUE_BYTES);
    if (is_lines(text, &scratch)) return add_lines(c, text, e);
    const struct json *v = NULL;
    if (json_parse(text, &limits, &c->arena, &v, e)) return -1;
    return add_value(c, v, e);
}

int catalogue_add_file(struct catalogue *c, const char *path, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(CATALOGUE_FILE);
    if (file_read(path, &text, e) || catalogue_add_text(c, buf_str(&text), e))
        return fail_while(e, "%s", path);
    return 0;
}

const struct tool *catalogue_find(const struct catalogue *c, str id) {
    uintptr_t known = (uintptr_t)map_get(&c->by_id, id);
    return known > 0 ? &c->tools[known - 1] : NULL;
}

void catalogue_fini(struct catalogue *c) {
    mem_free(c->tools);
    map_fini(&c->by_id);
    arena_fini(&c->arena);
    *c = CATALOGUE_INIT;
}
