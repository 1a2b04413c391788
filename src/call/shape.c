/* SPDX-License-Identifier: MIT
 *
 * What the results of a tool look like, learned from them where the tool does
 * not say. Kept in the store by name and pin: a changed tool is learned anew.
 */
#include <stdio.h>
#include <string.h>

#include "base/codec.h"
#include "base/mem.h"
#include "call/inside.h"
#include "tools/stub.h"
#include "json/build.h"
#include "json/write.h"

#define SHAPE_BYTES ((size_t)256 * 1024)
#define SPACE       "shape"
#define ENOUGH      100 /* results that are looked at */

struct seen {
    struct arena arena;
    const struct json *shape; /* NULL: nothing learned */
    unsigned results;
};

#define NAME_BYTES 160

static int name_shape(const struct entry *t, char out[NAME_BYTES],
                      struct err *e) {
    AUTO_BUF struct buf pin = BUF_MAX(32);
    if (hex_encode((str){(const char *)t->pin, 8}, &pin, e)) return -1;
    snprintf(out, NAME_BYTES, "%.*s@%s", STR_ARG(str_sub(t->name, 0, 100)),
             buf_text(&pin));
    return 0;
}

static void free_seen(struct seen *s) {
    arena_fini(&s->arena);
    mem_free(s);
}

static void load(struct boundary *b, const char *name, struct seen *s) {
    AUTO_BUF struct buf text = BUF_MAX(SHAPE_BYTES);
    struct err e;
    if (!b->store || store_get(b->store, SPACE, str_of(name), &text, &e))
        return;
    if (json_parse(buf_str(&text), NULL, &s->arena, &s->shape, &e))
        s->shape = NULL;
}

static struct seen *find(struct boundary *b, const struct entry *t,
                         char name[NAME_BYTES]) {
    struct err e;
    if (name_shape(t, name, &e)) return NULL;
    struct seen *s = map_get(&b->shapes, str_of(name));
    if (s) return s;
    if (!(s = mem_zalloc(1, sizeof *s, &e))) return NULL;
    s->arena = ARENA_MAX(4 * SHAPE_BYTES);
    load(b, name, s);
    if (map_put(&b->shapes, str_of(name), s, NULL, &e) == 0) return s;
    free_seen(s);
    return NULL;
}

const struct json *boundary_shape(struct boundary *b, const struct entry *t) {
    char name[NAME_BYTES];
    struct seen *s = t->tool.output ? NULL : find(b, t, name);
    return s ? s->shape : NULL;
}

/* The new shape lives in a fresh arena: what it replaces goes with the old. */
static int replace(struct seen *s, const struct json *shape, struct err *e) {
    struct arena fresh = ARENA_MAX(4 * SHAPE_BYTES);
    struct json_build b = JSON_BUILD(&fresh);
    const struct json *kept;
    build_copy(&b, shape);
    if (build_done(&b, &kept, e)) {
        arena_fini(&fresh);
        return -1;
    }
    arena_fini(&s->arena);
    s->arena = fresh;
    s->shape = kept;
    return 0;
}

void shape_note(struct call *c, const struct json *value) {
    struct boundary *b = c->boundary;
    AUTO_BUF struct buf text = BUF_MAX(SHAPE_BYTES);
    char name[NAME_BYTES];
    struct err e;
    if (c->tool->tool.output) return;
    struct seen *s = find(b, c->tool, name);
    if (!s || s->results >= ENOUGH) return;
    s->results++;
    const struct json *shape = shape_learn(s->shape, value, &c->arena);
    if (!shape || (s->shape && json_equal(shape, s->shape))) return;
    if (replace(s, shape, &e) || !b->store ||
        json_write(s->shape, JSON_COMPACT, &text, &e))
        return;
    (void)store_put(b->store, SPACE, str_of(name), buf_str(&text), 0, &e);
}

void shape_fini(struct boundary *b) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&b->shapes, &i));)
        free_seen(it->value);
    map_fini(&b->shapes);
}
