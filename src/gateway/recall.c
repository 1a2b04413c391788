/* SPDX-License-Identifier: MIT */
#include "gateway/recall.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#define LISTS      16
#define SEEN       64   /* lists of which only that they came is known */
#define LEAST      1024 /* bytes: reading a shorter one costs little */
#define MOST       ((size_t)1 << 20)
#define LIST_BYTES ((size_t)16 << 20) /* of what was read from one */
#define SCRATCH    ((size_t)256 << 20)
#define PLACES     8 /* where a request's text may have its tools */

struct list {
    struct recalled recalled; /* first */
    size_t refs;
    uint64_t used;
    enum api api;
    struct arena arena;
    str text;
};

struct recall {
    struct list *lists[LISTS];
    size_t count;
    uint64_t clock;
    uint64_t seed[2];
    uint64_t seen[SEEN];
    size_t seen_at;
    char mark[36]; /* a JSON string that nobody else can write */
};

struct recall *recall_new(struct err *e) {
    struct recall *k = mem_zalloc(1, sizeof *k, e);
    uint64_t dice[2];
    if (!k) return NULL;
    if (hash_random(k->seed, sizeof k->seed, e) ||
        hash_random(dice, sizeof dice, e)) {
        mem_free(k);
        return NULL;
    }
    snprintf(k->mark, sizeof k->mark, "\"%016llx%016llx\"",
             (unsigned long long)dice[0], (unsigned long long)dice[1]);
    return k;
}

void recall_drop(struct recalled *r) {
    struct list *l = (struct list *)r;
    if (!l || --l->refs > 0) return;
    arena_fini(&l->arena);
    mem_free(l);
}

void recall_free(struct recall *k) {
    if (!k) return;
    for (size_t i = 0; i < k->count; i++)
        recall_drop(&k->lists[i]->recalled);
    mem_free(k);
}

/* -- places in the text -----------------------------------------------------
 */

static size_t skip_space(str s, size_t i) {
    while (i < s.n && memchr(" \t\r\n", s.p[i], 4))
        i++;
    return i;
}

/* Where the array behind the next "tools": begins, from *from on; false: there
 * is none. What object it is a member of is not known. */
static bool next_place(str body, size_t *from, size_t *at) {
    str name = STR("\"tools\"");
    for (ptrdiff_t found;
         (found = str_find(str_sub(body, *from, body.n), name)) >= 0;) {
        *from += (size_t)found + name.n;
        size_t i = skip_space(body, *from);
        if (i == body.n || body.p[i] != ':') continue;
        i = skip_space(body, i + 1);
        if (i == body.n || body.p[i] != '[') continue;
        *at = i;
        return true;
    }
    return false;
}

/* Bytes of the array that begins here, in text that is JSON. */
static size_t array_bytes(str s) {
    size_t depth = 0;
    bool inside = false; /* of a string */
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (inside) {
            if (c == '\\') i++;
            inside = c != '"';
        } else if (c == '"') {
            inside = true;
        } else if (c == '[') {
            depth++;
        } else if (c == ']' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* The request without n bytes of tools. A value of its own stands for them: if
 * it is found where the request has its tools, that is where they were, and
 * not in some other object. False: they were not, or it is no JSON. */
static bool parse_without(const struct recall *k, str body, size_t at, size_t n,
                          struct arena *a, const struct json **out) {
    AUTO_BUF struct buf rest = BUF_MAX(body.n + sizeof k->mark);
    str mark = str_of(k->mark);
    struct err e;
    if (buf_add_str(&rest, str_sub(body, 0, at), &e) ||
        buf_add_str(&rest, mark, &e) ||
        buf_add_str(&rest, str_sub(body, at + n, body.n), &e) ||
        json_parse(buf_str(&rest), NULL, a, out, &e))
        return false;
    return str_eq(json_get_text(*out, "tools", STR("")),
                  str_sub(mark, 1, mark.n - 1));
}

/* -- learning ---------------------------------------------------------------
 */

static bool came_before(struct recall *k, str text) {
    uint64_t sum = hash_bytes(text.p, text.n, k->seed);
    for (size_t i = 0; i < SEEN; i++)
        if (k->seen[i] == sum) return true;
    k->seen[k->seen_at] = sum;
    k->seen_at = (k->seen_at + 1) % SEEN;
    return false;
}

/* A request that has these tools and otherwise only what it must have. */
static int read_list(struct list *l, str text, struct err *e) {
    AUTO_BUF struct buf body = BUF_MAX(MOST + 256);
    struct model_request q;
    const struct json *v;
    if (arena_dup(&l->arena, text, &l->text, e) ||
        buf_addf(&body, e, "{\"messages\":[],\"input\":[],\"tools\":") ||
        buf_add_str(&body, text, e) || buf_add_char(&body, '}', e) ||
        json_parse(buf_str(&body), NULL, &l->arena, &v, e) ||
        request_decode(l->api, v, &l->arena, &q, e))
        return -1;
    l->recalled.offers = q.offers;
    return 0;
}

static void keep(struct recall *k, struct list *l) {
    size_t at = k->count;
    if (k->count < LISTS) {
        k->count++;
    } else {
        at = 0;
        for (size_t i = 1; i < LISTS; i++)
            if (k->lists[i]->used < k->lists[at]->used) at = i;
        recall_drop(&k->lists[at]->recalled);
    }
    l->used = ++k->clock;
    k->lists[at] = l;
}

/* One that is not kept costs its reading again, no more. */
static void learn(struct recall *k, enum api api, str text) {
    struct err ignored;
    struct list *l = mem_zalloc(1, sizeof *l, &ignored);
    if (!l) return;
    l->refs = 1;
    l->api = api;
    l->arena = ARENA_MAX(LIST_BYTES);
    if (read_list(l, text, &ignored))
        recall_drop(&l->recalled);
    else
        keep(k, l);
}

/* After a request whose text is JSON. */
static void consider(struct recall *k, enum api api, str body) {
    size_t from = 0, at;
    for (int i = 0; i < PLACES && next_place(body, &from, &at); i++) {
        AUTO_ARENA struct arena scratch = ARENA_MAX(SCRATCH);
        const struct json *v;
        size_t n = array_bytes(str_sub(body, at, body.n));
        str text = str_sub(body, at, at + n);
        if (n < LEAST || n > MOST || !came_before(k, text)) continue;
        if (!parse_without(k, body, at, n, &scratch, &v)) continue;
        learn(k, api, text);
        return;
    }
}

/* -- recognising ------------------------------------------------------------
 */

/* An array's text says where it ends: what begins with it is that array. */
static struct list *list_at(const struct recall *k, enum api api, str text) {
    for (size_t i = 0; i < k->count; i++)
        if (k->lists[i]->api == api && str_starts(text, k->lists[i]->text))
            return k->lists[i];
    return NULL;
}

static struct list *recognise(struct recall *k, enum api api, str body,
                              struct arena *a, const struct json **out) {
    size_t from = 0, at;
    for (int i = 0; i < PLACES && next_place(body, &from, &at); i++) {
        struct list *l = list_at(k, api, str_sub(body, at, body.n));
        if (!l) continue;
        struct arena_mark before = arena_mark(a);
        if (parse_without(k, body, at, l->text.n, a, out)) return l;
        arena_rewind(a, before);
    }
    return NULL;
}

int recall_decode(struct recall *k, enum api api, str body, struct arena *a,
                  struct model_request *out, struct recalled **held,
                  struct err *e) {
    const struct json *v;
    *held = NULL;
    struct list *l = recognise(k, api, body, a, &v);
    if (!l && json_parse(body, NULL, a, &v, e)) return -1;
    if (request_decode(api, v, a, out, e)) return -1;
    if (!l) {
        consider(k, api, body);
        return 0;
    }
    l->used = ++k->clock;
    l->refs++;
    out->offers = l->recalled.offers;
    *held = &l->recalled;
    return 0;
}
