/* SPDX-License-Identifier: MIT */
#include "policy/facts.h"

#include "base/buf.h"

struct level {
    const struct json *end;
    struct label_at at;
    enum role role;
    size_t dotted; /* length of the dotted path here */
    size_t index;
    bool object;
};

/* Walks the arguments once; keeps no recursion, for they come from outside. */
struct walk {
    struct facts *facts;
    struct fact *items;
    size_t count, cap;
    struct buf dotted;
    str arg;
    struct err *e;
};

static int keep(struct walk *w, const struct json *node,
                const struct label *label, enum role role) {
    if (w->count == w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 16;
        struct fact *grown =
            arena_alloc(w->facts->arena, cap * sizeof *grown, w->e);
        if (!grown) return -1;
        for (size_t i = 0; i < w->count; i++)
            grown[i] = w->items[i];
        w->items = grown;
        w->cap = cap;
    }
    w->items[w->count++] = (struct fact){node, label, role, w->arg};
    return 0;
}

/* The role of a member: what the sink says of its dotted path. */
static int member_role(struct walk *w, const struct level *up, str key,
                       enum role *out) {
    buf_truncate(&w->dotted, up->dotted);
    if ((up->dotted > 0 && buf_add_char(&w->dotted, '.', w->e)) ||
        buf_add_str(&w->dotted, key, w->e))
        return -1;
    *out = sink_role(w->facts->bound->sink, buf_str(&w->dotted));
    return 0;
}

static int segment_of(struct arena *a, str key, str *out, struct err *e) {
    if (str_find_char(key, '~') < 0 && str_find_char(key, '/') < 0)
        return *out = key, 0;
    char *to = arena_alloc(a, 2 * key.n + 1, e);
    if (!to) return -1;
    size_t n = 0;
    for (size_t i = 0; i < key.n; i++) {
        bool special = key.p[i] == '~' || key.p[i] == '/';
        to[n++] = special ? '~' : key.p[i];
        if (special) to[n++] = key.p[i] == '~' ? '0' : '1';
    }
    *out = (str){to, n};
    return 0;
}

static struct label_at item_label(const struct level *up) {
    char text[24];
    size_t n = sizeof text, index = up->index;
    if (up->at.count == 0) return up->at;
    do
        text[--n] = (char)('0' + index % 10);
    while ((index /= 10) > 0);
    return label_below(&up->at, (str){text + n, sizeof text - n});
}

/* Takes the key off an object and goes to its value. */
static int enter_member(struct walk *w, struct level *up,
                        const struct json **node, struct level *to, bool top) {
    str key = json_str(*node), segment;
    if (top) w->arg = key;
    if (member_role(w, up, key, &to->role) ||
        segment_of(w->facts->arena, key, &segment, w->e))
        return -1;
    if (!top && keep(w, *node, up->at.label, to->role)) return -1;
    to->at = label_below(&up->at, segment);
    to->dotted = w->dotted.len;
    (*node)++;
    return 0;
}

#define SHALLOW 16 /* levels that nearly all arguments stay within */

struct levels {
    struct level first[SHALLOW], *all;
    size_t cap;
};

static int deeper(struct levels *s, size_t depth, struct arena *a,
                  struct err *e) {
    if (depth < s->cap) return 0;
    struct level *more = arena_alloc(a, 2 * s->cap * sizeof *more, e);
    if (!more) return -1;
    for (size_t i = 0; i < depth; i++)
        more[i] = s->all[i];
    s->all = more;
    s->cap *= 2;
    return 0;
}

static int walk_args(struct walk *w, const struct json *args,
                     struct label_at top) {
    struct levels levels = {.cap = SHALLOW};
    levels.all = levels.first;
    struct level *stack = levels.all;
    size_t depth = 1;
    const struct json *node = json_first(args);
    stack[0] = (struct level){json_skip(args), top, ROLE_NONE, 0, 0, true};
    while (depth > 0) {
        struct level *up = &stack[depth - 1];
        if (node == up->end) {
            depth--;
            continue;
        }
        struct level here = {.role = up->role, .dotted = up->dotted};
        if (up->object) {
            if (enter_member(w, up, &node, &here, depth == 1)) return -1;
        } else {
            here.at = item_label(up);
            up->index++;
        }
        if (json_type(node) < JSON_ARRAY) {
            if (keep(w, node, here.at.label, here.role)) return -1;
            node++;
            continue;
        }
        here.end = json_skip(node);
        here.object = json_type(node) == JSON_OBJECT;
        if (deeper(&levels, depth, w->facts->arena, w->e)) return -1;
        stack = levels.all;
        stack[depth++] = here;
        node++;
    }
    return 0;
}

static void sum_up(struct facts *f) {
    for (size_t i = 0; i < f->count; i++) {
        const struct fact *x = &f->items[i];
        if (x->role != ROLE_CONTENT && x->label->integrity > f->worst)
            f->worst = x->label->integrity;
        struct role_sum *s = &f->roles[x->role];
        if (s->count++ == 0 || x->label->integrity > s->worst) {
            s->worst = x->label->integrity;
            s->worst_fact = x;
        }
        if (x->label->secrecy > s->most) s->most = x->label->secrecy;
    }
}

int facts_gather(struct facts *f, const struct policy_call *c,
                 const struct bound *b, struct arena *a, struct err *e) {
    f->call = c;
    f->bound = b;
    f->arena = a;
    f->pc = c->labels ? c->labels->pc : *label_unknown();
    if (!c->args) return 0;
    if (json_type(c->args) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "the arguments are no object");
    struct label_finder finder;
    if (label_finder_init(&finder, c->labels, a, e)) return -1;
    struct walk w = {.facts = f, .dotted = BUF_MAX(1 << 16), .e = e};
    int failed = walk_args(&w, c->args, label_top(&finder));
    buf_fini(&w.dotted);
    if (failed) return -1;
    f->items = w.items;
    f->count = w.count;
    sum_up(f);
    return 0;
}

/* -- the way to a node ------------------------------------------------------
 */

int facts_path(const struct facts *f, const struct json *wanted, str *out,
               struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(1 << 20);
    const struct json *at = f->call->args;
    *out = STR("");
    while (at != wanted && json_type(at) >= JSON_ARRAY) {
        bool object = json_type(at) == JSON_OBJECT;
        const struct json *node = json_first(at);
        size_t i = 0;
        for (; i < json_len(at); i++) {
            const struct json *value = object ? node + 1 : node;
            if (wanted < json_skip(value)) break;
            node = json_skip(value);
        }
        if (i == json_len(at)) break;
        str segment;
        if (object) {
            if (segment_of(f->arena, json_str(node), &segment, e) ||
                buf_add_char(&path, '/', e) || buf_add_str(&path, segment, e))
                return -1;
        } else if (buf_addf(&path, e, "/%zu", i)) {
            return -1;
        }
        if (object && node == wanted) break;
        at = object ? node + 1 : node;
    }
    return arena_dup(f->arena, buf_str(&path), out, e);
}
