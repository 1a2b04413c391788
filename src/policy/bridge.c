/* SPDX-License-Identifier: MIT */
#include "policy/bridge.h"
#include "policy/same.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "tools/params.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

#define ORIGINS ((size_t)1 << 16)
#define BYTES   ((size_t)64 << 20)
#define READERS 62

/* Of cordon_label.hidden: bits 0 to 61 are principals who may not see it, the
 * next that not everyone may, the last that it is a credential. */
#define NAMED  ((UINT64_C(1) << READERS) - 1)
#define CLOSED (UINT64_C(1) << 62)
#define SECRET (UINT64_C(1) << 63)

struct bridge {
    struct arena arena;
    struct map numbers; /* text of an origin -> struct origin */
    struct origin *origins[ORIGINS];
    uint32_t origin_count;
    str readers[READERS];
    size_t reader_count;
};

struct bridge *bridge_new(struct err *e) {
    struct bridge *b = mem_zalloc(1, sizeof *b, e);
    if (!b) return NULL;
    b->arena = ARENA_MAX(BYTES);
    b->numbers = MAP_MAX(ORIGINS);
    return b;
}

void bridge_free(struct bridge *b) {
    if (!b) return;
    map_fini(&b->numbers);
    arena_fini(&b->arena);
    mem_free(b);
}

/* -- numbers ----------------------------------------------------------------
 */

struct numbered {
    struct origin origin;
    uint32_t number;
};

/* 1: *out is its number; 0: there is no room for it. */
static int origin_number(struct bridge *b, const struct origin *o,
                         uint32_t *out, struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX(1 << 16);
    if (buf_addf(&key, e, "%llu\n%.*s\n%.*s\n%.*s", (unsigned long long)o->call,
                 STR_ARG(o->server), STR_ARG(o->tool), STR_ARG(o->field)))
        return -1;
    struct numbered *n = map_get(&b->numbers, buf_str(&key));
    if (n) return *out = n->number, 1;
    if (b->origin_count == ORIGINS) return 0;
    n = arena_zalloc(&b->arena, 1, sizeof *n, e);
    if (!n || arena_dup(&b->arena, o->server, &n->origin.server, e) ||
        arena_dup(&b->arena, o->tool, &n->origin.tool, e) ||
        arena_dup(&b->arena, o->field, &n->origin.field, e) ||
        map_put(&b->numbers, buf_str(&key), n, NULL, e))
        return -1;
    n->origin.call = o->call;
    n->number = b->origin_count;
    b->origins[b->origin_count++] = &n->origin;
    return *out = n->number, 1;
}

static int reader_bit(struct bridge *b, str reader, uint64_t *bit,
                      struct err *e) {
    size_t i = 0;
    while (i < b->reader_count && !str_eq(b->readers[i], reader))
        i++;
    *bit = 0;
    if (i == READERS) return 0; /* no room: not known to be a reader */
    if (i == b->reader_count) {
        if (arena_dup(&b->arena, reader, &b->readers[i], e)) return -1;
        b->reader_count++;
    }
    *bit = UINT64_C(1) << i;
    return 0;
}

static int hidden_of(struct bridge *b, const struct label *l, uint64_t *out,
                     struct err *e) {
    uint64_t seen = 0, bit;
    switch (l->secrecy) {
    case SECRECY_PUBLIC: *out = 0; return 0;
    case SECRECY_SECRET: *out = ~UINT64_C(0); return 0;
    case SECRECY_PRIVATE: *out = NAMED | CLOSED; return 0;
    case SECRECY_READERS: break;
    }
    for (size_t i = 0; i < l->reader_count; i++) {
        if (reader_bit(b, l->readers[i], &bit, e)) return -1;
        seen |= bit;
    }
    *out = (NAMED & ~seen) | CLOSED;
    return 0;
}

int bridge_number(struct bridge *b, cordon_session *s, const struct label *l,
                  cordon_label_id *out, struct err *e) {
    struct cordon_label c = {.integrity = (uint8_t)l->integrity,
                             .many = l->many};
    if (hidden_of(b, l, &c.hidden, e)) return -1;
    for (size_t i = 0; i < l->origin_count; i++) {
        uint32_t number;
        int has = origin_number(b, &l->origins[i], &number, e);
        if (has < 0) return -1;
        if (!has || c.norigins == CORDON_ORIGINS_MAX)
            c.many = 1;
        else
            c.origin[c.norigins++] = number;
    }
    int id = cordon_label_number(s, &c);
    if (id < 0) return fail(e, ERR_MEMORY, "no number for a label");
    *out = (cordon_label_id)id;
    return 0;
}

static int read_origins(const struct bridge *b, const struct cordon_label *c,
                        struct arena *a, struct label *l, struct err *e) {
    struct origin *all = arena_alloc(a, (c->norigins + 1U) * sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < c->norigins; i++)
        if (c->origin[i] < b->origin_count)
            all[l->origin_count++] = *b->origins[c->origin[i]];
        else
            l->many = true;
    l->origins = all;
    return 0;
}

static int by_name(const void *x, const void *y) {
    return str_cmp(*(const str *)x, *(const str *)y);
}

static int read_readers(const struct bridge *b, uint64_t hidden,
                        struct arena *a, struct label *l, struct err *e) {
    str *all = arena_alloc(a, READERS * sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < b->reader_count; i++)
        if (!(hidden & UINT64_C(1) << i))
            all[l->reader_count++] = b->readers[i];
    qsort(all, l->reader_count, sizeof *all, by_name);
    l->readers = all;
    return 0;
}

int bridge_read(const struct bridge *b, const cordon_session *s,
                cordon_label_id id, struct arena *a, struct label *out,
                struct err *e) {
    struct cordon_label c;
    struct label l = {0};
    cordon_label_read(s, id, &c);
    l.integrity = c.integrity > INTEGRITY_UNTRUSTED
                      ? INTEGRITY_UNTRUSTED
                      : (enum integrity)c.integrity;
    l.many = c.many != 0;
    l.secrecy = c.hidden == 0                 ? SECRECY_PUBLIC
                : c.hidden & SECRET           ? SECRECY_SECRET
                : (c.hidden & NAMED) == NAMED ? SECRECY_PRIVATE
                                              : SECRECY_READERS;
    if (read_origins(b, &c, a, &l, e)) return -1;
    if (l.secrecy == SECRECY_READERS && read_readers(b, c.hidden, a, &l, e))
        return -1;
    *out = l;
    return 0;
}

/* -- results and literals ---------------------------------------------------
 */

/* What is known of nothing: untrusted, private, from anywhere. */
static cordon_label_id unknown(cordon_session *s) {
    struct cordon_label c = {
        .integrity = INTEGRITY_UNTRUSTED, .many = 1, .hidden = NAMED | CLOSED};
    int id = cordon_label_number(s, &c);
    return id < 0 ? 1 : (cordon_label_id)id;
}

static int add_step(const struct cordon_step *step, struct buf *path,
                    struct err *e) {
    if (buf_add_char(path, '/', e)) return -1;
    if (step->key) return pointer_add((str){step->key, step->len}, path, e);
    return buf_addf(path, e, "%llu", (unsigned long long)step->index);
}

/* Places with the same keys have the same labels wherever they stand in a list,
 * so the ways through a value are few: a state for each, made when a place
 * first comes by, with the steps that were taken from it. */
#define WAY_DEPTH  32
#define WAY_KEY    64 /* longer keys are looked up each time */
#define WAY_EDGES  16
#define WAY_STATES 512

struct way_edge {
    char key[WAY_KEY];
    size_t len;
    struct way_state *to; /* NULL: not taken yet */
};

struct way_state {
    struct label_at at;
    cordon_label_id id;
    bool numbered;         /* id is that of at.label */
    bool alike;            /* all items of a list have one label */
    struct way_state *any; /* those items, NULL: not taken yet */
    struct way_edge edges[WAY_EDGES];
};

struct bridge_way {
    struct arena *arena;
    struct way_state *top;
    size_t states;
    /* The way to the last place, which is mostly that to the next. */
    struct {
        struct way_state *to;
        uint64_t index;
        char key[WAY_KEY];
        size_t len; /* of the key; an index has SIZE_MAX */
    } steps[WAY_DEPTH];
    size_t depth;
    struct way_state loose[2]; /* of places that are not remembered */
};

static struct way_state *new_state(struct bridge_way *w, struct label_at at) {
    struct err e;
    if (w->states == WAY_STATES) return NULL;
    struct way_state *st = arena_zalloc(w->arena, 1, sizeof *st, &e);
    if (!st) return NULL;
    w->states++;
    st->at = at;
    st->alike = label_items_alike(&at);
    return st;
}

int bridge_begin(struct bridge_result *r, struct bridge *b, cordon_session *s,
                 const struct labels *labels, struct arena *a, struct err *e) {
    *r = (struct bridge_result){.bridge = b, .session = s};
    r->way = arena_zalloc(a, 1, sizeof *r->way, e);
    if (!r->way || label_finder_init(&r->finder, labels, a, e)) return -1;
    r->way->arena = a;
    r->way->top = new_state(r->way, label_top(&r->finder));
    return r->way->top ? 0 : fail(e, ERR_MEMORY, "labels of a result");
}

/* from is where the step is taken: where all items of a list are alike, any of
 * them will do. */
static inline bool same_step(const struct bridge_way *w, size_t i,
                             const struct way_state *from,
                             const struct cordon_step *step) {
    if (!step->key)
        return w->steps[i].len == SIZE_MAX &&
               (from->alike || w->steps[i].index == step->index);
    return w->steps[i].len == step->len &&
           same_bytes(w->steps[i].key, step->key, step->len);
}

/* The digits of an index, at the end of room. */
static str digits(uint64_t n, char room[20]) {
    size_t at = 20;
    do
        room[--at] = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    return (str){room + at, 20 - at};
}

static int step_below(const struct label_at *at, const struct cordon_step *step,
                      struct label_at *out) {
    struct err e;
    char room[20];
    str key = {step->key, step->len};
    if (!step->key) {
        *out = label_below(at, digits(step->index, room));
        return 0;
    }
    if (str_find_char(key, '~') < 0 && str_find_char(key, '/') < 0) {
        *out = label_below(at, key);
        return 0;
    }
    AUTO_BUF struct buf segment = BUF_MAX(1 << 20);
    if (pointer_add(key, &segment, &e)) return -1;
    *out = label_below(at, buf_str(&segment));
    return 0;
}

/* Without a place of its own: good until the next but one is taken. */
static struct way_state *loose_state(struct bridge_way *w,
                                     const struct way_state *from,
                                     const struct cordon_step *step) {
    struct way_state *to = &w->loose[from == &w->loose[0]];
    struct label_at at;
    if (step_below(&from->at, step, &at)) return NULL;
    *to = (struct way_state){.at = at, .alike = label_items_alike(&at)};
    return to;
}

/* One step on, remembered in *slot where there is room. */
static struct way_state *first_step(struct bridge_way *w,
                                    const struct way_state *from,
                                    const struct cordon_step *step,
                                    struct way_state **slot) {
    struct label_at at;
    bool keep = from != &w->loose[0] && from != &w->loose[1];
    if (step_below(&from->at, step, &at)) return NULL;
    struct way_state *to = keep ? new_state(w, at) : NULL;
    return to ? *slot = to : loose_state(w, from, step);
}

static inline struct way_edge *edge_of(struct way_state *from,
                                       const struct cordon_step *step) {
    unsigned mix = (unsigned char)step->key[0] * 5u +
                   (unsigned char)step->key[step->len - 1] + 3u;
    return &from->edges[(mix + step->len) % WAY_EDGES];
}

/* Where the step leads when it was taken before; else NULL. */
static inline struct way_state *known_step(struct way_state *from,
                                           const struct cordon_step *step) {
    if (!step->key) return from->alike ? from->any : NULL;
    if (step->len == 0 || step->len > WAY_KEY) return NULL;
    const struct way_edge *edge = edge_of(from, step);
    return edge->to && edge->len == step->len &&
                   same_bytes(edge->key, step->key, step->len)
               ? edge->to
               : NULL;
}

static struct way_state *key_step(struct bridge_way *w, struct way_state *from,
                                  const struct cordon_step *step) {
    if (step->len == 0 || step->len > WAY_KEY)
        return loose_state(w, from, step);
    struct way_edge *edge = edge_of(from, step);
    struct way_state *to = first_step(w, from, step, &edge->to);
    if (to && to == edge->to) {
        memcpy(edge->key, step->key, step->len);
        edge->len = step->len;
    }
    return to;
}

static struct way_state *new_step(struct bridge_way *w, struct way_state *from,
                                  const struct cordon_step *step) {
    if (step->key) return key_step(w, from, step);
    if (!from->alike) return loose_state(w, from, step);
    return first_step(w, from, step, &from->any);
}

static inline struct way_state *take_step(struct bridge_way *w,
                                          struct way_state *from,
                                          const struct cordon_step *step) {
    struct way_state *to = known_step(from, step);
    return to ? to : new_step(w, from, step);
}

/* Steps before the last may be those of the next place too. */
static void keep_step(struct bridge_way *w, size_t i,
                      const struct cordon_step *step, struct way_state *to) {
    if (i != w->depth || i == WAY_DEPTH || step->len > WAY_KEY ||
        to == &w->loose[0] || to == &w->loose[1])
        return;
    w->steps[i].to = to;
    w->steps[i].len = step->key ? step->len : SIZE_MAX;
    w->steps[i].index = step->index;
    if (step->key) memcpy(w->steps[i].key, step->key, step->len);
    w->depth = i + 1;
}

static struct way_state *place_state(struct bridge_way *w,
                                     const struct cordon_place *place) {
    struct way_state *at = w->top;
    size_t i = 0, last = place->depth - 1;
    if (place->depth == 0) return at;
    while (i < last && i < w->depth && same_step(w, i, at, &place->path[i]))
        at = w->steps[i++].to;
    w->depth = i;
    for (; i < last && at && at->at.count > 0; i++) {
        at = take_step(w, at, &place->path[i]);
        if (at) keep_step(w, i, &place->path[i], at);
    }
    return at && at->at.count > 0 ? take_step(w, at, &place->path[last]) : at;
}

static int number_state(struct bridge_result *r, struct way_state *at) {
    struct err e;
    if (bridge_number(r->bridge, r->session, at->at.label, &at->id, &e))
        return -1;
    at->numbered = true;
    return 0;
}

/* A place whose way is that of the last one but for its last step, and which
 * came by before; else NULL. What is remembered of deeper steps stays good: it
 * is compared by its keys, from the same state. */
static inline const struct way_state *same_way(const struct bridge_way *w,
                                               const struct cordon_place *p) {
    struct way_state *at = w->top;
    size_t last = p->depth - 1;
    if (p->depth == 0) return at;
    if (last > w->depth) return NULL;
    for (size_t i = 0; i < last; i++) {
        if (!same_step(w, i, at, &p->path[i])) return NULL;
        at = w->steps[i].to;
    }
    return at->at.count > 0 ? known_step(at, &p->path[last]) : at;
}

static __attribute__((noinline, cold)) cordon_label_id
find_place(struct bridge_result *r, const struct cordon_place *place) {
    struct way_state *at = place_state(r->way, place);
    if (at && (at->numbered || number_state(r, at) == 0)) return at->id;
    r->failed = true;
    return unknown(r->session);
}

/* Asked for each place of a result: the short way is kept short. */
cordon_label_id bridge_place(void *result, const struct cordon_place *place) {
    struct bridge_result *r = result;
    const struct way_state *at = same_way(r->way, place);
    return at && at->numbered ? at->id : find_place(r, place);
}

cordon_label_id bridge_literal(void *literals, const char *text, size_t len) {
    struct bridge_literals *l = literals;
    struct err e;
    cordon_label_id id;
    const struct label *label = shown_value(l->shown, (str){text, len});
    if (bridge_number(l->bridge, l->session, label, &id, &e) == 0) return id;
    return unknown(l->session);
}

/* -- arguments --------------------------------------------------------------
 */

struct collecting {
    const struct bridge *bridge;
    cordon_session *session;
    const struct params *params;
    struct arena *arena;
    struct labelled *items;
    size_t count, cap;
    bool failed;
    struct err *e;
};

/* "args", 0 and "kwargs", "class_" become the schema's name. */
static str param_name(const struct collecting *c,
                      const struct cordon_step *path) {
    if (path[1].key) {
        str name = {path[1].key, path[1].len};
        const struct param *p = params_find(c->params, name);
        return p ? p->json : name;
    }
    return path[1].index < c->params->count
               ? c->params->items[path[1].index].json
               : STR("");
}

static int grow(struct collecting *c) {
    if (c->count < c->cap) return 0;
    size_t cap = c->cap ? 2 * c->cap : 16;
    struct labelled *more = arena_alloc(c->arena, cap * sizeof *more, c->e);
    if (!more) return -1;
    if (c->count > 0) memcpy(more, c->items, c->count * sizeof *more);
    c->items = more;
    c->cap = cap;
    return 0;
}

static int collect(struct collecting *c, const struct cordon_place *place,
                   cordon_label_id id) {
    AUTO_BUF struct buf path = BUF_MAX(1 << 20);
    struct labelled item;
    if (place->depth < 2) return 0; /* the call's own args and kwargs */
    if (buf_add_char(&path, '/', c->e) ||
        pointer_add(param_name(c, place->path), &path, c->e))
        return -1;
    for (size_t i = 2; i < place->depth; i++)
        if (add_step(&place->path[i], &path, c->e)) return -1;
    if (arena_dup(c->arena, buf_str(&path), &item.path, c->e) ||
        bridge_read(c->bridge, c->session, id, c->arena, &item.label, c->e) ||
        grow(c))
        return -1;
    c->items[c->count++] = item;
    return 0;
}

static void collect_place(void *user, const struct cordon_place *place,
                          cordon_label_id id) {
    struct collecting *c = user;
    if (!c->failed && collect(c, place, id)) c->failed = true;
}

int bridge_call(const struct bridge *b, cordon_session *s,
                const struct tool *tool, struct arena *a,
                const struct labels **out, struct err *e) {
    struct params params;
    struct collecting c = {
        .bridge = b, .session = s, .params = &params, .arena = a, .e = e};
    struct labels *labels = arena_zalloc(a, 1, sizeof *labels, e);
    if (!labels || params_of(tool->input, a, &params, e) || grow(&c)) return -1;
    /* What the program left out is the schema's default, not an outsider's. */
    c.items[c.count++] = (struct labelled){STR(""), {0}};
    if (cordon_call_labels(s, collect_place, &c) && !c.failed)
        return fail(e, ERR_INTERNAL, "the call's labels cannot be read");
    if (c.failed) return -1;
    labels->items = c.items;
    labels->count = c.count;
    *out = labels;
    return bridge_read(b, s, cordon_call_control(s), a, &labels->pc, e);
}

/* -- keeping ----------------------------------------------------------------
 */

int bridge_save(const struct bridge *b, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_key(&w, "origins");
    jw_array(&w);
    for (size_t i = 0; i < b->origin_count; i++) {
        jw_array(&w);
        jw_text(&w, b->origins[i]->server);
        jw_text(&w, b->origins[i]->tool);
        jw_text(&w, b->origins[i]->field);
        jw_int(&w, (int64_t)b->origins[i]->call);
        jw_end_array(&w);
    }
    jw_end_array(&w);
    jw_key(&w, "readers");
    jw_array(&w);
    for (size_t i = 0; i < b->reader_count; i++)
        jw_text(&w, b->readers[i]);
    jw_end_array(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int load_origin(struct bridge *b, const struct json *v, struct err *e) {
    const struct json *parts[4] = {json_at(v, 0), json_at(v, 1), json_at(v, 2),
                                   json_at(v, 3)};
    uint32_t number;
    for (int i = 0; i < 4; i++)
        if (!parts[i] ||
            json_type(parts[i]) != (i < 3 ? JSON_STRING : JSON_INT))
            return fail(e, ERR_INVALID, "an origin that is none");
    struct origin o = {json_str(parts[0]), json_str(parts[1]),
                       json_str(parts[2]), (uint64_t)parts[3]->as.integer};
    uint32_t before = b->origin_count;
    if (origin_number(b, &o, &number, e) < 0) return -1;
    if (b->origin_count == before)
        return fail(e, ERR_INVALID, "an origin that is there twice");
    return 0;
}

static int load_all(struct bridge *b, const struct json *saved, struct err *e) {
    const struct json *origins = json_get(saved, "origins");
    const struct json *readers = json_get(saved, "readers");
    uint64_t bit;
    if (!origins || json_type(origins) != JSON_ARRAY || !readers ||
        json_type(readers) != JSON_ARRAY || json_len(readers) > READERS)
        return fail(e, ERR_INVALID, "these are no saved labels");
    const struct json *v = json_first(origins);
    for (size_t i = json_len(origins); i > 0; i--, v = json_skip(v))
        if (json_type(v) != JSON_ARRAY || load_origin(b, v, e))
            return fail_while(e, "saved labels");
    v = json_first(readers);
    for (size_t i = json_len(readers); i > 0; i--, v = json_skip(v))
        if (json_type(v) != JSON_STRING || reader_bit(b, json_str(v), &bit, e))
            return fail(e, ERR_INVALID, "a saved reader that is none");
    return 0;
}

struct bridge *bridge_load(const struct json *saved, struct err *e) {
    struct bridge *b = bridge_new(e);
    if (!b || load_all(b, saved, e) == 0) return b;
    bridge_free(b);
    return NULL;
}
