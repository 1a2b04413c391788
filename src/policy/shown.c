/* SPDX-License-Identifier: MIT */
#include "policy/shown.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

#define SHOWN_BYTES  ((size_t)8 << 20) /* more than a model can have read */
#define SHOWN_VALUES ((size_t)1 << 18)

struct message {
    str text;
    struct message *next;
};

/* A string or number of a result, of all the places where it stood. */
struct value {
    struct label label;
    bool text; /* a string: others may stand in it */
};

struct shown {
    struct arena arena;
    struct label turn;
    struct message *user;
    struct map values; /* as text -> struct value */
    size_t keys;       /* bytes of those texts */
};

struct shown *shown_new(struct err *e) {
    struct shown *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->arena = ARENA_MAX(SHOWN_BYTES);
    s->values = MAP_MAX(SHOWN_VALUES);
    return s;
}

void shown_free(struct shown *s) {
    if (!s) return;
    map_fini(&s->values);
    arena_fini(&s->arena);
    mem_free(s);
}

size_t shown_bytes(const struct shown *s) {
    return sizeof *s + s->arena.used + s->keys +
           s->values.cap * sizeof *s->values.entries +
           s->values.slots * sizeof *s->values.index;
}

void shown_forgot(struct shown *s) {
    s->turn.integrity = INTEGRITY_UNTRUSTED;
    s->turn.secrecy = SECRECY_PRIVATE;
    s->turn.many = true;
}

const struct label *shown_turn(const struct shown *s) {
    return &s->turn;
}

/* -- remembering ------------------------------------------------------------
 */

int shown_user(struct shown *s, str message, struct err *e) {
    /* A lost message only means that its words are not the user's. */
    struct message *m = arena_zalloc(&s->arena, 1, sizeof *m, e);
    if (!m || arena_dup(&s->arena, message, &m->text, e)) return -1;
    m->next = s->user;
    s->user = m;
    return 0;
}

static int copy_origins(struct shown *s, struct label *l, struct err *e) {
    struct origin *all =
        arena_alloc(&s->arena, (l->origin_count + 1) * sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < l->origin_count; i++) {
        const struct origin *o = &l->origins[i];
        all[i].call = o->call;
        if (arena_dup(&s->arena, o->server, &all[i].server, e) ||
            arena_dup(&s->arena, o->tool, &all[i].tool, e) ||
            arena_dup(&s->arena, o->field, &all[i].field, e))
            return -1;
    }
    l->origins = all;
    return 0;
}

static int copy_readers(struct shown *s, struct label *l, struct err *e) {
    str *all = arena_alloc(&s->arena, (l->reader_count + 1) * sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < l->reader_count; i++)
        if (arena_dup(&s->arena, l->readers[i], &all[i], e)) return -1;
    l->readers = all;
    return 0;
}

static const struct label *keep_label(struct shown *s, const struct label *l,
                                      struct err *e) {
    struct label *kept = arena_alloc(&s->arena, sizeof *kept, e);
    if (!kept) return NULL;
    *kept = *l;
    return copy_origins(s, kept, e) || copy_readers(s, kept, e) ? NULL : kept;
}

/* Labels are shared by the leaves of a result, and most of them add nothing to
 * what is known: a copy is made once for each, and only when it is needed. */
struct copied {
    const struct label *from, *to;
};

static int join(struct shown *s, struct label *to, const struct label *l,
                struct copied *last, struct err *e) {
    if (label_covers(to, l)) return 0;
    if (last->from != l) {
        last->to = keep_label(s, l, e);
        last->from = last->to ? l : NULL;
    }
    return last->to ? label_combine(to, last->to, &s->arena, to, e) : -1;
}

static struct value *new_value(struct shown *s, str text, struct err *e) {
    struct value *v = arena_zalloc(&s->arena, 1, sizeof *v, e);
    if (!v) return NULL;
    if (text.n > SHOWN_BYTES - s->keys) {
        err_set(e, ERR_LIMIT, "more was shown than is kept");
        return NULL;
    }
    if (map_put(&s->values, text, v, NULL, e)) return NULL;
    s->keys += text.n;
    return v;
}

static int keep_value(struct shown *s, str text, bool is_text,
                      const struct label *label, struct copied *last,
                      struct err *e) {
    if (join(s, &s->turn, label, last, e)) return -1;
    if (text.n == 0) return 0;
    struct value *v = map_get(&s->values, text);
    if (!v && !(v = new_value(s, text, e))) return -1;
    v->text |= is_text;
    if (join(s, &v->label, label, last, e) == 0) return 0;
    v->label = *label_unknown();
    return -1;
}

/* A scalar as the text it would be written as. */
static str scalar_text(const struct json *v, char room[32]) {
    if (json_type(v) == JSON_STRING || json_type(v) == JSON_BIG)
        return json_str(v);
    if (json_type(v) == JSON_INT)
        snprintf(room, 32, "%lld", (long long)v->as.integer);
    else if (json_type(v) == JSON_REAL)
        snprintf(room, 32, "%.15g", v->as.real);
    else
        return STR("");
    return str_of(room);
}

static int keep_leaf(struct shown *s, const struct json *v,
                     const struct label *label, struct copied *last,
                     struct err *e) {
    char room[32];
    return keep_value(s, scalar_text(v, room), json_type(v) == JSON_STRING,
                      label, last, e);
}

struct level {
    const struct json *end;
    struct label_at at;
    size_t index;
    bool object;
};

static struct label_at below(struct level *up, const struct json *key) {
    char room[24];
    AUTO_BUF struct buf segment = BUF_MAX(1 << 16);
    struct err e;
    if (up->at.count == 0) return up->at;
    if (!up->object) {
        snprintf(room, sizeof room, "%zu", up->index++);
        return label_below(&up->at, str_of(room));
    }
    if (pointer_add(json_str(key), &segment, &e))
        return (struct label_at){.label = label_unknown()};
    return label_below(&up->at, buf_str(&segment));
}

static int walk(struct shown *s, const struct json *value, struct label_at top,
                struct level *stack, struct err *e) {
    struct copied last = {NULL, NULL};
    struct label_at at = top;
    const struct json *node = value;
    size_t depth = 0;
    for (;;) {
        if (json_type(node) >= JSON_ARRAY)
            stack[depth++] = (struct level){json_skip(node), at, 0,
                                            json_type(node) == JSON_OBJECT};
        else if (keep_leaf(s, node, at.label, &last, e))
            return -1;
        node++;
        while (depth > 0 && node == stack[depth - 1].end)
            depth--;
        if (depth == 0) return 0;
        struct level *up = &stack[depth - 1];
        if (up->object && keep_leaf(s, node, up->at.label, &last, e)) return -1;
        at = below(up, node);
        if (up->object) node++;
    }
}

int shown_result(struct shown *s, const struct json *value,
                 const struct labels *labels, struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX(SHOWN_BYTES);
    struct label_finder finder;
    struct level *stack =
        arena_alloc(&scratch, (JSON_DEPTH_MAX + 1) * sizeof *stack, e);
    if (stack && label_finder_init(&finder, labels, &scratch, e) == 0 &&
        walk(s, value, label_top(&finder), stack, e) == 0)
        return 0;
    shown_forgot(s);
    return -1;
}

int shown_text(struct shown *s, str text, const struct label *label,
               struct err *e) {
    struct copied last = {NULL, NULL};
    if (keep_value(s, text, true, label, &last, e) == 0) return 0;
    shown_forgot(s);
    return -1;
}

/* -- finding again ----------------------------------------------------------
 */

/* Does a word go on over this sign? "a@b.c" is not a part of "xa@b.c" nor of
 * "a@b.com", but stands in "to a@b.c." */
static bool joins(str t, size_t at, bool forward) {
    char c = t.p[at];
    bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || (c & 0x80) ||
                (c && strchr("_@+-/%\\", c));
    if (word) return true;
    if (c != '.' && c != ':') return false;
    if (forward) return at + 1 < t.n && joins(t, at + 1, true);
    return at > 0 && joins(t, at - 1, false);
}

static bool stands_in(str t, str value) {
    for (size_t from = 0; from + value.n <= t.n;) {
        ptrdiff_t found = str_find(str_sub(t, from, t.n), value);
        if (found < 0) return false;
        size_t at = from + (size_t)found, end = at + value.n;
        bool free_before = at == 0 || !joins(t, at - 1, false);
        bool free_after = end == t.n || !joins(t, end, true);
        if (free_before && free_after) return true;
        from = at + 1;
    }
    return false;
}

/* A number of up to four digits or two letters stands in many texts by
 * accident. */
static bool tells_apart(str value) {
    size_t digits = 0;
    for (size_t i = 0; i < value.n; i++)
        digits += value.p[i] >= '0' && value.p[i] <= '9';
    if (digits == value.n) return digits > 4;
    return value.n > 2;
}

static bool user_said(const struct shown *s, str value) {
    if (!tells_apart(value)) return false;
    for (const struct message *t = s->user; t; t = t->next)
        if (stands_in(t->text, value)) return true;
    return false;
}

static const struct label *worst_around(const struct shown *s, str value) {
    const struct label *worst = NULL;
    const struct map_entry *it;
    for (size_t i = 0; value.n > 0 && (it = map_next(&s->values, &i));) {
        const struct value *v = it->value;
        if (!v->text || (worst && v->label.integrity <= worst->integrity))
            continue;
        if (stands_in((str){it->key, it->key_len}, value)) worst = &v->label;
    }
    return worst;
}

const struct label *shown_value(const struct shown *s, str value) {
    static const struct label user = {.integrity = INTEGRITY_USER};
    if (user_said(s, value)) return &user;
    const struct value *same = map_get(&s->values, value);
    const struct label *found = same ? &same->label : worst_around(s, value);
    return found ? found : &s->turn;
}

struct matching {
    const struct shown *shown;
    struct arena *arena;
    struct labelled *items;
    size_t count;
    struct buf path;
    struct err *e;
};

static int match_leaf(struct matching *m, const struct json *v) {
    char room[32];
    str text = scalar_text(v, room), path;
    const struct label *l =
        text.n > 0 ? shown_value(m->shown, text) : shown_turn(m->shown);
    if (arena_dup(m->arena, buf_str(&m->path), &path, m->e)) return -1;
    m->items[m->count++] = (struct labelled){path, *l};
    return 0;
}

struct place {
    const struct json *end;
    size_t path, index;
    bool object;
};

static int match_all(struct matching *m, const struct json *args,
                     struct place *stack) {
    size_t depth = 0;
    const struct json *node = args;
    for (;;) {
        if (json_type(node) >= JSON_ARRAY)
            stack[depth++] = (struct place){json_skip(node), m->path.len, 0,
                                            json_type(node) == JSON_OBJECT};
        else if (match_leaf(m, node))
            return -1;
        node++;
        while (depth > 0 && node == stack[depth - 1].end)
            depth--;
        if (depth == 0) return 0;
        struct place *up = &stack[depth - 1];
        buf_truncate(&m->path, up->path);
        if (up->object ? buf_add_char(&m->path, '/', m->e) ||
                             pointer_add(json_str(node++), &m->path, m->e)
                       : buf_addf(&m->path, m->e, "/%zu", up->index++))
            return -1;
    }
}

int shown_match(const struct shown *s, const struct json *args, struct arena *a,
                const struct labels **out, struct err *e) {
    size_t nodes = (size_t)(json_skip(args) - args);
    struct matching m = {.shown = s, .arena = a, .e = e};
    struct labels *labels = arena_zalloc(a, 1, sizeof *labels, e);
    struct place *stack =
        arena_alloc(a, (JSON_DEPTH_MAX + 1) * sizeof *stack, e);
    m.items = arena_alloc(a, (nodes + 1) * sizeof *m.items, e);
    if (!labels || !stack || !m.items) return -1;
    m.path = BUF_MAX(1 << 20);
    m.items[m.count++] = (struct labelled){STR(""), s->turn};
    int failed = match_all(&m, args, stack);
    buf_fini(&m.path);
    if (failed) return -1;
    *labels = (struct labels){m.items, m.count, s->turn};
    *out = labels;
    return 0;
}
