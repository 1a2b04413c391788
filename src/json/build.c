/* SPDX-License-Identifier: MIT */
#include "json/build.h"

#include "base/utf8.h"
#include "json/parse_number.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* While a container is open its head counts the nodes directly in it (keys
 * and values alike) and its span holds `open` of the one around it. */

#define FIRST_NODES 16
#define ONE_CHILD   ((uint64_t)1 << 8)

static void stick(struct json_build *b, enum err_kind kind, const char *why) {
    if (b->failed) return;
    b->failed = true;
    err_set(&b->err, kind, "%s", why);
}

static void misuse(struct json_build *b, const char *why) {
    stick(b, ERR_INTERNAL, why);
}

static int reserve(struct json_build *b, size_t n) {
    if (n <= b->cap - b->used) return 0;
    size_t cap = b->cap ? b->cap * 2 : FIRST_NODES;
    while (cap - b->used < n)
        cap *= 2;
    struct json *nodes =
        arena_alloc(b->arena, cap * sizeof(struct json), &b->err);
    if (!nodes) {
        b->failed = true;
        return -1;
    }
    if (b->used > 0) memcpy(nodes, b->nodes, b->used * sizeof(struct json));
    b->nodes = nodes;
    b->cap = cap;
    return 0;
}

static struct json *container(const struct json_build *b) {
    return b->open ? b->nodes + b->open - 1 : NULL;
}

/* Is a key due next, in the open object? */
static bool wants_key(const struct json_build *b) {
    const struct json *c = container(b);
    return c && json_type(c) == JSON_OBJECT && json_len(c) % 2 == 0;
}

/* Room for a value (or key) of n nodes in the open container, counted there;
 * NULL when it may not stand here. */
static struct json *add(struct json_build *b, size_t n, bool key) {
    if (b->failed) return NULL;
    if (wants_key(b) != key)
        misuse(b, key ? "a key outside an object" : "a value without a key");
    else if (!b->open && b->used > 0)
        misuse(b, "a second value");
    if (b->failed || reserve(b, n)) return NULL;
    struct json *c = container(b);
    if (c) c->head += ONE_CHILD;
    struct json *v = b->nodes + b->used;
    b->used += n;
    return v;
}

static void add_scalar(struct json_build *b, struct json v) {
    struct json *node = add(b, 1, false);
    if (node) *node = v;
}

static void open_container(struct json_build *b, enum json_type type) {
    if (b->depth == JSON_DEPTH_MAX) stick(b, ERR_LIMIT, "nested too deep");
    struct json *v = add(b, 1, false);
    if (!v) return;
    *v = (struct json){.head = type, .as.span = b->open};
    b->open = (size_t)(v - b->nodes) + 1;
    b->depth++;
}

void build_object(struct json_build *b) {
    open_container(b, JSON_OBJECT);
}

void build_array(struct json_build *b) {
    open_container(b, JSON_ARRAY);
}

void build_end(struct json_build *b) {
    if (b->failed) return;
    struct json *v = container(b);
    if (!v) {
        misuse(b, "an end without a begin");
        return;
    }
    size_t children = json_len(v);
    if (json_type(v) == JSON_OBJECT && children % 2 != 0) {
        misuse(b, "a key without a value");
        return;
    }
    size_t count = json_type(v) == JSON_OBJECT ? children / 2 : children;
    b->open = v->as.span;
    b->depth--;
    v->head = (uint64_t)count << 8 | json_type(v);
    v->as.span = b->used - (size_t)(v - b->nodes);
}

#define REPLACEMENT STR("\xef\xbf\xbd")

/* A copy of s in which each byte that is not UTF-8 is U+FFFD. */
static int dup_replaced(struct arena *a, str s, str *out, struct err *e) {
    size_t bad = 0, from = 0;
    for (; (from += utf8_valid_loose(s.p + from, s.n - from)) < s.n; from++)
        bad++;
    char *p = arena_alloc(a, s.n + bad * (REPLACEMENT.n - 1) + 1, e);
    if (!p) return -1;
    *out = (str){p, s.n + bad * (REPLACEMENT.n - 1)};
    for (from = 0;; from++) {
        size_t good = utf8_valid_loose(s.p + from, s.n - from);
        memcpy(p, s.p + from, good);
        p += good;
        from += good;
        if (from == s.n) break;
        memcpy(p, REPLACEMENT.p, REPLACEMENT.n);
        p += REPLACEMENT.n;
    }
    *p = '\0';
    return 0;
}

/* The node first, so that misuse is found before memory is spent. */
static void add_text(struct json_build *b, str s, bool key) {
    struct json *v = add(b, 1, key);
    if (!v) return;
    str copy;
    bool valid = utf8_valid_loose(s.p, s.n) == s.n;
    if (valid ? arena_dup(b->arena, s, &copy, &b->err)
              : dup_replaced(b->arena, s, &copy, &b->err)) {
        b->failed = true;
        return;
    }
    *v = (struct json){.head = (uint64_t)copy.n << 8 | JSON_STRING,
                       .as.text = copy.p};
}

void build_key(struct json_build *b, str key) {
    add_text(b, key, true);
}

void build_text(struct json_build *b, str v) {
    add_text(b, v, false);
}

void build_null(struct json_build *b) {
    add_scalar(b, (struct json){.head = JSON_NULL});
}

void build_bool(struct json_build *b, bool v) {
    add_scalar(b, (struct json){.head = JSON_BOOL, .as.boolean = v});
}

void build_int(struct json_build *b, int64_t v) {
    add_scalar(b, (struct json){.head = JSON_INT, .as.integer = v});
}

void build_real(struct json_build *b, double v) {
    if (!isfinite(v)) stick(b, ERR_INVALID, "NaN and infinity are not JSON");
    add_scalar(b, (struct json){.head = JSON_REAL, .as.real = v});
}

/* A JSON_BIG is always out of the others' range: what fits is made one of
 * them. */
void build_big(struct json_build *b, str digits) {
    struct json *v = add(b, 1, false);
    if (!v) return;
    char *text = arena_text(b->arena, digits, &b->err);
    if (!text) {
        b->failed = true;
        return;
    }
    struct parse_fault fault;
    struct parse_number x = {.type = JSON_BIG};
    bool number = *text == '-' || parse_is_digit(*text);
    if (!number ||
        parse_number(text, text + digits.n, &x, &fault) != text + digits.n) {
        stick(b, ERR_INVALID, "not a number");
        return;
    }
    if (x.type == JSON_INT)
        *v = (struct json){.head = JSON_INT, .as.integer = x.integer};
    else if (x.type == JSON_REAL)
        *v = (struct json){.head = JSON_REAL, .as.real = x.real};
    else
        *v = (struct json){.head = (uint64_t)digits.n << 8 | JSON_BIG,
                           .as.text = text};
}

/* Levels of containers in v, itself counted. */
static size_t depth_of(const struct json *v) {
    if (json_type(v) < JSON_ARRAY) return 0;
    size_t deepest = 0;
    const struct json *end = json_skip(v);
    for (v = json_first(v); v < end; v = json_skip(v)) {
        size_t depth = depth_of(v);
        if (depth > deepest) deepest = depth;
    }
    return deepest + 1;
}

void build_copy(struct json_build *b, const struct json *v) {
    if (b->depth + depth_of(v) > JSON_DEPTH_MAX)
        stick(b, ERR_LIMIT, "nested too deep");
    size_t n = (size_t)(json_skip(v) - v);
    struct json *copy = add(b, n, false);
    if (!copy) return;
    memcpy(copy, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++) {
        if (json_type(copy + i) != JSON_STRING &&
            json_type(copy + i) != JSON_BIG)
            continue;
        copy[i].as.text = arena_text(b->arena, json_str(v + i), &b->err);
        if (!copy[i].as.text) {
            b->failed = true;
            return;
        }
    }
}

void build_put_text(struct json_build *b, const char *key, str v) {
    build_key(b, str_of(key));
    build_text(b, v);
}

void build_put_int(struct json_build *b, const char *key, int64_t v) {
    build_key(b, str_of(key));
    build_int(b, v);
}

void build_put_bool(struct json_build *b, const char *key, bool v) {
    build_key(b, str_of(key));
    build_bool(b, v);
}

void build_put(struct json_build *b, const char *key, const struct json *v) {
    build_key(b, str_of(key));
    build_copy(b, v);
}

int build_done(struct json_build *b, const struct json **out, struct err *e) {
    if (b->open) misuse(b, "a container is still open");
    if (b->used == 0) misuse(b, "no value");
    if (b->failed) {
        *e = b->err;
        return -1;
    }
    *out = b->nodes;
    return 0;
}
