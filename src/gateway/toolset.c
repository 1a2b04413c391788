/* SPDX-License-Identifier: MIT */
#include "gateway/toolset.h"

#include "base/hash.h"
#include "base/mem.h"
#include "tools/plain.h"
#include "json/write.h"

#include <string.h>

#define SET_BYTES     ((size_t)16 << 20) /* of one set's definitions */
#define CONVERSATIONS 64                 /* remembered of one set */
#define ROUTED_BYTES  200                /* of a description, for a router */

struct tool_row {
    str name;
    const struct json *schema; /* of the arguments, or NULL */
    struct schema *compiled;
    bool tried; /* to compile it */
    size_t bytes;
};

/* What one conversation has been offered. */
struct talk {
    uint64_t id;
    uint64_t used;  /* by the set's clock */
    uint64_t words; /* hash of what was last selected by; an agent asks again
                       and again with the same words */
    struct select_session session;
};

struct toolset {
    uint64_t key; /* hash of what it holds */
    size_t refs;
    uint64_t used;
    bool cached;
    struct arena arena;
    struct catalogue catalogue;
    const struct standing *standing;
    struct selector selector;
    bool indexed;
    struct tool_row *rows;
    size_t count;
    struct map by_name; /* name -> row */
    struct talk talks[CONVERSATIONS];
    uint64_t clock;
};

struct toolset_cache {
    const struct standing *standing;
    struct toolset **sets;
    size_t count, max;
    uint64_t clock;
    uint64_t seed[2];
};

struct toolset_cache *
toolset_cache_new(size_t sets, const struct standing *standing, struct err *e) {
    struct toolset_cache *c = mem_zalloc(1, sizeof *c, e);
    if (!c) return NULL;
    c->sets = mem_zalloc(sets, sizeof(struct toolset *), e);
    c->max = sets;
    c->standing = standing;
    if (!c->sets || hash_random(c->seed, sizeof c->seed, e)) {
        toolset_cache_free(c);
        return NULL;
    }
    return c;
}

static void set_free(struct toolset *t) {
    for (size_t i = 0; i < t->count; i++)
        schema_free(t->rows[i].compiled);
    for (size_t i = 0; i < CONVERSATIONS; i++)
        session_fini(&t->talks[i].session);
    if (t->indexed) selector_fini(&t->selector);
    catalogue_fini(&t->catalogue);
    map_fini(&t->by_name);
    arena_fini(&t->arena);
    mem_free(t);
}

void toolset_drop(struct toolset *t) {
    if (t && --t->refs == 0) set_free(t);
}

void toolset_cache_free(struct toolset_cache *c) {
    if (!c) return;
    for (size_t i = 0; i < c->count; i++)
        toolset_drop(c->sets[i]);
    mem_free(c->sets);
    mem_free(c);
}

/* -- which set it is --------------------------------------------------------
 */

/* Bytes are gathered and hashed a block at a time. */
struct mixer {
    const uint64_t *seed;
    uint64_t sum;
    size_t used;
    char block[4096];
};

static void flush(struct mixer *m) {
    uint64_t key[2] = {m->seed[0] ^ m->sum, m->seed[1] + m->used};
    m->sum = hash_bytes(m->block, m->used, key);
    m->used = 0;
}

/* A block is never left full: a word always fits. */
static inline void mix_word(struct mixer *m, uint64_t word) {
    memcpy(m->block + m->used, &word, sizeof word);
    m->used += sizeof word;
    if (m->used > sizeof m->block - sizeof word) flush(m);
}

static void mix_long(struct mixer *m, const char *from, size_t n) {
    while (n > 0) {
        size_t room = sizeof m->block - m->used;
        size_t take = n < room ? n : room;
        memcpy(m->block + m->used, from, take);
        m->used += take;
        from += take;
        n -= take;
        if (m->used > sizeof m->block - sizeof(uint64_t)) flush(m);
    }
}

/* The seed is random, so nobody outside can make two lists that meet. Most text
 * is short: whole words of it are taken at once, the last one in part. */
static inline void mix(struct mixer *m, const char *from, size_t n) {
    uint64_t word;
    if (n > 64) {
        mix_long(m, from, n);
        return;
    }
    for (; n >= sizeof word; n -= sizeof word, from += sizeof word) {
        memcpy(&word, from, sizeof word);
        mix_word(m, word);
    }
    for (word = 0; n > 0; n--)
        word = word << 8 | (unsigned char)from[n - 1];
    mix_word(m, word);
}

/* How long it is goes first, so that no two texts read alike. */
static void mix_text(struct mixer *m, str s) {
    mix_word(m, s.n);
    mix(m, s.p, s.n);
}

static uint64_t word_of(const struct json *v) {
    uint64_t word;
    memcpy(&word, &v->as, sizeof word);
    return word;
}

static void mix_json(struct mixer *m, const struct json *v) {
    const struct json *end = v ? json_skip(v) : NULL;
    for (; v && v != end; v++) {
        mix_word(m, v->head);
        enum json_type type = json_type(v);
        if (type == JSON_STRING || type == JSON_BIG)
            mix(m, v->as.text, json_len(v));
        else if (type == JSON_INT || type == JSON_REAL)
            mix_word(m, word_of(v));
        else if (type == JSON_BOOL)
            mix_word(m, v->as.boolean);
    }
}

uint64_t toolset_key(const struct toolset_cache *c, const struct offers *offers,
                     uint64_t before) {
    struct mixer m;
    m.seed = c->seed;
    m.sum = before;
    m.used = 0;
    for (const struct offer *o = offers->first; o; o = o->next) {
        if (o->kind == OFFER_OPAQUE) continue;
        mix_text(&m, o->name);
        mix_text(&m, o->description);
        mix_json(&m, o->schema);
    }
    flush(&m);
    return m.sum | 1;
}

/* -- making one -------------------------------------------------------------
 */

/* A copy of a value into an arena, through text. */
static int copy_json(const struct json *v, struct arena *a, size_t *bytes,
                     const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(SET_BYTES);
    *out = NULL;
    *bytes = 0;
    if (!v) return 0;
    if (json_write(v, JSON_COMPACT, &text, e)) return -1;
    *bytes = text.len;
    return json_parse(buf_str(&text), NULL, a, out, e);
}

static int add_row(struct toolset *t, const struct offer *o, struct err *e) {
    struct tool_row *row = &t->rows[t->count];
    struct tool tool = {0};
    if (arena_dup(&t->arena, o->name, &row->name, e) ||
        arena_dup(&t->arena, o->description, &tool.description, e) ||
        copy_json(o->schema, &t->arena, &row->bytes, &row->schema, e))
        return -1;
    row->bytes += o->name.n + o->description.n + 60; /* and its wrapping */
    tool.id = tool.name = row->name;
    tool.input = row->schema;
    t->count++;
    if (map_put(&t->by_name, row->name, row, NULL, e)) return -1;
    return catalogue_add(&t->catalogue, &tool, e);
}

static int fill(struct toolset *t, const struct offers *offers, struct err *e) {
    t->rows = arena_zalloc(&t->arena, offers->count + 1, sizeof *t->rows, e);
    if (!t->rows) return -1;
    for (const struct offer *o = offers->first; o; o = o->next)
        if (o->kind != OFFER_OPAQUE && add_row(t, o, e)) return -1;
    return 0;
}

static struct toolset *set_new(uint64_t key, const struct offers *offers,
                               struct err *e) {
    struct toolset *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return NULL;
    t->refs = 1;
    t->key = key;
    t->arena = ARENA_MAX(SET_BYTES);
    t->catalogue = CATALOGUE_INIT;
    t->by_name = MAP_MAX(CATALOGUE_TOOLS);
    if (fill(t, offers, e)) {
        set_free(t);
        return NULL;
    }
    return t;
}

static void keep(struct toolset_cache *c, struct toolset *t) {
    if (c->count < c->max) {
        c->sets[c->count++] = t;
    } else {
        size_t oldest = 0;
        for (size_t i = 1; i < c->count; i++)
            if (c->sets[i]->used < c->sets[oldest]->used) oldest = i;
        toolset_drop(c->sets[oldest]);
        c->sets[oldest] = t;
    }
    t->refs++;
}

struct toolset *toolset_get(struct toolset_cache *c, uint64_t key,
                            const struct offers *offers, struct err *e) {
    for (size_t i = 0; i < c->count; i++) {
        struct toolset *t = c->sets[i];
        if (t->key != key) continue;
        t->used = ++c->clock;
        t->refs++;
        return t;
    }
    struct toolset *t = set_new(key, offers, e);
    if (!t) return NULL;
    t->used = ++c->clock;
    t->standing = c->standing;
    keep(c, t);
    return t;
}

/* -- selection --------------------------------------------------------------
 */

/* Name and the beginning of the description, for a router. */
static int describe(void *context, str id, struct buf *out, struct err *e) {
    const struct toolset *t = context;
    const struct tool *tool = catalogue_find(&t->catalogue, id);
    if (buf_add_str(out, id, e)) return -1;
    if (!tool || tool->description.n == 0) return 0;
    if (buf_add_text(out, ": ", e)) return -1;
    return plain_add(out, tool->description, ROUTED_BYTES, e);
}

static int need_index(struct toolset *t, struct err *e) {
    const struct standing *s = t->standing;
    if (t->indexed) return 0;
    if (selector_init(&t->selector, s ? s->weights : NULL, e)) return -1;
    t->indexed = true;
    t->selector.standing = s;
    t->selector.describe = describe;
    t->selector.describe_context = t;
    return selector_sync(&t->selector, &t->catalogue, e);
}

/* The conversation's own memory; that of the oldest is taken over. */
static struct talk *talk_of(struct toolset *t, uint64_t id) {
    struct talk *oldest = &t->talks[0];
    for (size_t i = 0; i < CONVERSATIONS; i++) {
        struct talk *at = &t->talks[i];
        if (at->id == id && at->used > 0) return at;
        if (at->used < oldest->used) oldest = at;
    }
    session_fini(&oldest->session);
    memset(oldest, 0, sizeof *oldest);
    oldest->id = id;
    return oldest;
}

static void mark(const struct toolset *t, str name, bool *keep) {
    const struct tool_row *row = map_get(&t->by_name, name);
    if (row) keep[row - t->rows] = true;
}

static int select_by(struct toolset *t, struct talk *talk,
                     const struct toolset_wish *wish, struct err *e) {
    struct select_request r = {
        .text = wish->text, .k = wish->k, .pad = true, .wait = wish->wait};
    size_t added;
    AUTO_MEM struct selection *found = mem_zalloc(1, sizeof *found, e);
    if (!found || need_index(t, e) || select_tools(&t->selector, &r, found, e))
        return -1;
    return session_offer(&talk->session, &t->selector.corpus, found, &added, e);
}

int toolset_select(struct toolset *t, const struct toolset_wish *wish,
                   bool *keep, struct err *e) {
    static const uint64_t key[2] = {0, 0}; /* compared with itself only */
    struct talk *talk = talk_of(t, wish->conversation);
    uint64_t words = hash_bytes(wish->text.p, wish->text.n, key) | 1;
    if (talk->words != words && select_by(t, talk, wish, e)) return -1;
    talk->words = words;
    talk->used = ++t->clock;
    memset(keep, 0, t->count * sizeof *keep);
    for (size_t i = 0; i < talk->session.count; i++)
        mark(t, str_of(talk->session.ids[i]), keep);
    for (size_t i = 0; i < wish->pinned_count; i++)
        mark(t, wish->pinned[i], keep);
    return 0;
}

/* -- schemas ----------------------------------------------------------------
 */

/* A schema that does not compile checks nothing: it is the caller's. */
struct schema *toolset_schema(void *data, const struct offer *o) {
    struct toolset *t = data;
    struct tool_row *row = map_get(&t->by_name, o->name);
    struct err e;
    if (!row || !row->schema) return NULL;
    if (!row->tried) {
        row->tried = true;
        if (schema_compile(row->schema, NULL, &row->compiled, &e))
            row->compiled = NULL;
    }
    return row->compiled;
}

bool toolset_has_twins(const struct toolset *t) {
    return t->by_name.live < t->count;
}

size_t toolset_bytes(const struct toolset *t, size_t index) {
    return t->rows[index].bytes;
}
