/* SPDX-License-Identifier: MIT */
#include "policy/label.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#define WILD "~*"

const char *integrity_word(enum integrity i) {
    static const char *const words[] = {
#define INTEGRITY(id, word, meaning) word,
#include "policy/integrity.def"
#undef INTEGRITY
    };
    return words[i];
}

int integrity_read(str word, enum integrity *out) {
    for (int i = INTEGRITY_USER; i <= INTEGRITY_UNTRUSTED; i++) {
        if (!str_is(word, integrity_word((enum integrity)i))) continue;
        *out = (enum integrity)i;
        return 0;
    }
    return -1;
}

const struct label *label_unknown(void) {
    static const struct label unknown = {.integrity = INTEGRITY_UNTRUSTED,
                                         .secrecy = SECRECY_PRIVATE};
    return &unknown;
}

/* -- joining ----------------------------------------------------------------
 */

/* Both are sorted. */
static int common_readers(const struct label *a, const struct label *b,
                          struct arena *arena, struct label *out,
                          struct err *e) {
    size_t most =
        a->reader_count < b->reader_count ? a->reader_count : b->reader_count;
    str *both = arena_alloc(arena, (most + 1) * sizeof *both, e);
    if (!both) return -1;
    out->reader_count = 0;
    for (size_t i = 0, j = 0; i < a->reader_count && j < b->reader_count;) {
        int order = str_cmp(a->readers[i], b->readers[j]);
        if (order == 0) both[out->reader_count++] = a->readers[i];
        i += order <= 0;
        j += order >= 0;
    }
    out->readers = both;
    return 0;
}

static int join_readers(const struct label *a, const struct label *b,
                        struct arena *arena, struct label *out, struct err *e) {
    out->secrecy = a->secrecy > b->secrecy ? a->secrecy : b->secrecy;
    out->readers = NULL;
    out->reader_count = 0;
    if (out->secrecy != SECRECY_READERS) return 0;
    const struct label *named = a->secrecy == SECRECY_READERS ? a : b;
    if (a->secrecy == b->secrecy) return common_readers(a, b, arena, out, e);
    out->readers = named->readers;
    out->reader_count = named->reader_count;
    return 0;
}

static bool same_origin(const struct origin *a, const struct origin *b) {
    return a->call == b->call && str_eq(a->field, b->field) &&
           str_eq(a->tool, b->tool) && str_eq(a->server, b->server);
}

static bool has_origin(const struct label *l, const struct origin *o) {
    for (size_t i = 0; i < l->origin_count; i++)
        if (same_origin(&l->origins[i], o)) return true;
    return false;
}

static bool origins_within(const struct label *part,
                           const struct label *whole) {
    for (size_t i = 0; i < part->origin_count; i++)
        if (!has_origin(whole, &part->origins[i])) return false;
    return true;
}

static void use_origins(struct label *out, const struct label *of) {
    out->origins = of->origins;
    out->origin_count = of->origin_count;
}

static int join_origins(const struct label *a, const struct label *b,
                        struct arena *arena, struct label *out, struct err *e) {
    out->many = a->many || b->many;
    if (origins_within(b, a)) return use_origins(out, a), 0;
    if (origins_within(a, b)) return use_origins(out, b), 0;
    if (a->origin_count == ORIGINS_MAX) {
        out->many = true;
        return use_origins(out, a), 0;
    }
    struct origin *all = arena_alloc(arena, ORIGINS_MAX * sizeof *all, e);
    if (!all) return -1;
    size_t n = 0;
    for (size_t i = 0; i < a->origin_count; i++)
        all[n++] = a->origins[i];
    for (size_t i = 0; i < b->origin_count; i++) {
        if (has_origin(a, &b->origins[i])) continue;
        if (n == ORIGINS_MAX) {
            out->many = true;
            break;
        }
        all[n++] = b->origins[i];
    }
    out->origins = all;
    out->origin_count = n;
    return 0;
}

int label_combine(const struct label *a, const struct label *b,
                  struct arena *arena, struct label *out, struct err *e) {
    struct label joined = {
        .integrity = a->integrity > b->integrity ? a->integrity : b->integrity};
    if (join_readers(a, b, arena, &joined, e) ||
        join_origins(a, b, arena, &joined, e))
        return -1;
    *out = joined;
    return 0;
}

static bool readers_cover(const struct label *whole, const struct label *part) {
    if (whole->secrecy != part->secrecy) return whole->secrecy > part->secrecy;
    if (whole->secrecy != SECRECY_READERS) return true;
    size_t j = 0;
    for (size_t i = 0; i < whole->reader_count; i++) {
        while (j < part->reader_count &&
               str_cmp(part->readers[j], whole->readers[i]) < 0)
            j++;
        if (j == part->reader_count ||
            !str_eq(part->readers[j], whole->readers[i]))
            return false;
    }
    return true;
}

bool label_covers(const struct label *whole, const struct label *part) {
    bool full = whole->many && whole->origin_count == ORIGINS_MAX;
    return whole->integrity >= part->integrity && readers_cover(whole, part) &&
           (whole->many || !part->many) &&
           (full || origins_within(part, whole));
}

/* -- finding ----------------------------------------------------------------
 */

/* A segment of the paths, with what comes below it. */
struct label_node {
    str segment;
    const struct label *label; /* NULL: only a way to those below */
    struct label_node *below, *next;
    size_t children;
    struct label_node **sorted; /* made when there are many */
};

static struct label_node *child_of(const struct label_node *at, str segment) {
    for (struct label_node *n = at->below; n; n = n->next)
        if (str_eq(n->segment, segment)) return n;
    return NULL;
}

static struct label_node *add_child(struct label_node *at, str segment,
                                    struct arena *a, struct err *e) {
    /* Labels come in the order of the value: the newest is the likeliest. */
    if (at->below && str_eq(at->below->segment, segment)) return at->below;
    struct label_node *n = at->children < 64 ? child_of(at, segment) : NULL;
    if (n) return n;
    n = arena_zalloc(a, 1, sizeof *n, e);
    if (!n) return NULL;
    n->segment = segment;
    n->next = at->below;
    at->below = n;
    at->children++;
    return n;
}

static int by_segment(const void *a, const void *b) {
    const struct label_node *const *x = a, *const *y = b;
    return str_cmp((*x)->segment, (*y)->segment);
}

/* Above some children they are searched by halves. Two of one name, which
 * add_child does not look for among many, are joined by whoever finds them. */
static int sort_below(struct label_node *at, struct arena *a, struct err *e) {
    for (struct label_node *n = at->below; n; n = n->next)
        if (n->below && sort_below(n, a, e)) return -1;
    if (at->children < 16) return 0;
    at->sorted = arena_alloc(a, at->children * sizeof(struct label_node *), e);
    if (!at->sorted) return -1;
    size_t i = 0;
    for (struct label_node *n = at->below; n; n = n->next)
        at->sorted[i++] = n;
    qsort(at->sorted, at->children, sizeof at->sorted[0], by_segment);
    return 0;
}

/* The first of those with that name in the sorted list, or its end. */
static size_t first_named(const struct label_node *at, str segment) {
    size_t low = 0, high = at->children;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (str_cmp(at->sorted[middle]->segment, segment) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The place of a path, made where it is not there yet. */
static struct label_node *place(struct label_node *at, str path,
                                struct arena *a, struct err *e) {
    if (path.n == 0) return at;
    if (str_cut(&path, '/').n > 0 || !path.p)
        return err_set(e, ERR_INVALID, "a label's path begins with '/'"), NULL;
    while (path.p && at)
        at = add_child(at, str_cut(&path, '/'), a, e);
    return at;
}

int label_finder_init(struct label_finder *f, const struct labels *labels,
                      struct arena *a, struct err *e) {
    struct label_node *root = arena_zalloc(a, 1, sizeof *root, e);
    if (!root) return -1;
    for (size_t i = 0; labels && i < labels->count; i++) {
        struct label_node *at = place(root, labels->items[i].path, a, e);
        if (!at) return -1;
        at->label = &labels->items[i].label;
    }
    if (sort_below(root, a, e)) return -1;
    *f = (struct label_finder){labels, root};
    return 0;
}

struct label_at label_top(const struct label_finder *f) {
    const struct label *own = f->root ? f->root->label : NULL;
    struct label_at at = {.label = own ? own : label_unknown()};
    if (f->root && f->root->below) at.nodes[at.count++] = f->root;
    return at;
}

/* Names come before "~*": the first that has a label at this depth wins. */
static void enter(struct label_at *to, const struct label_node *n,
                  bool *labelled) {
    if (n->label && !*labelled) {
        to->label = n->label;
        *labelled = true;
    }
    if (n->below && to->count < sizeof to->nodes / sizeof to->nodes[0])
        to->nodes[to->count++] = n;
}

static void enter_named(struct label_at *to, const struct label_node *from,
                        str segment, bool *labelled) {
    if (!from->sorted) {
        struct label_node *n = child_of(from, segment);
        if (n) enter(to, n, labelled);
        return;
    }
    for (size_t i = first_named(from, segment);
         i < from->children && str_eq(from->sorted[i]->segment, segment); i++)
        enter(to, from->sorted[i], labelled);
}

struct label_at label_below(const struct label_at *at, str segment) {
    struct label_at to = {.label = at->label};
    bool labelled = false;
    for (size_t i = 0; i < at->count; i++) {
        enter_named(&to, at->nodes[i], segment, &labelled);
        enter_named(&to, at->nodes[i], STR(WILD), &labelled);
    }
    return to;
}

static bool is_number(str segment) {
    return segment.n > 0 && segment.p[0] >= '0' && segment.p[0] <= '9';
}

bool label_items_alike(const struct label_at *at) {
    for (size_t i = 0; i < at->count; i++)
        for (const struct label_node *n = at->nodes[i]->below; n; n = n->next)
            if (is_number(n->segment)) return false;
    return true;
}

const struct label *label_find(const struct label_finder *f, str path) {
    struct label_at at = label_top(f);
    if (path.n == 0) return at.label;
    str rest = path;
    str_cut(&rest, '/');
    while (rest.p && at.count > 0) {
        str segment = str_cut(&rest, '/');
        at = label_below(&at, segment);
    }
    return at.label;
}

/* ---------------------------------------------------------------------------
 */

static int describe_origin(const struct origin *o, struct buf *out,
                           struct err *e) {
    if (o->server.n > 0 && buf_addf(out, e, "%.*s.", STR_ARG(o->server)))
        return -1;
    if (buf_add_str(out, o->tool, e)) return -1;
    if (o->call > 0 &&
        buf_addf(out, e, ", call %llu", (unsigned long long)o->call))
        return -1;
    if (o->field.n == 0) return 0;
    return buf_addf(out, e, ", field %.*s", STR_ARG(o->field));
}

int label_describe(const struct label *l, struct buf *out, struct err *e) {
    for (size_t i = 0; i < l->origin_count; i++)
        if ((i > 0 && buf_add_text(out, "; ", e)) ||
            describe_origin(&l->origins[i], out, e))
            return -1;
    return l->many ? buf_add_text(out, "; and more", e) : 0;
}

int pointer_add(str key, struct buf *out, struct err *e) {
    for (size_t i = 0; i < key.n; i++) {
        char c = key.p[i];
        str escaped = c == '~'   ? STR("~0")
                      : c == '/' ? STR("~1")
                                 : (str){key.p + i, 1};
        if (buf_add_str(out, escaped, e)) return -1;
    }
    return 0;
}
