/* SPDX-License-Identifier: MIT */
#include "call/redact.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "policy/detect.h"
#include "policy/leaf.h"
#include "json/build.h"
#include "json/regex.h"

#define CONFIG_BYTES ((size_t)4 << 20)
#define PATTERNS     64

struct pattern {
    str word;
    struct regex *regex;
};

struct redact {
    struct arena arena;
    struct secrets *secrets;
    unsigned kinds; /* DETECT_BITs */
    struct pattern patterns[PATTERNS];
    size_t pattern_count;
    struct regex_scratch *scratch;
    const struct json *fields; /* of the configuration, or NULL */
    uint64_t seed[2];          /* of tags: nobody can try values out */
};

/* -- configuration ----------------------------------------------------------
 */

static int read_kinds(struct redact *r, const struct json *list,
                      struct err *e) {
    if (!list) return 0;
    if (json_type(list) != JSON_ARRAY)
        return fail(e, ERR_INVALID, "redact: kinds is not a list");
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item)) {
        str word = json_type(item) == JSON_STRING ? json_str(item) : STR("");
        unsigned kinds = detect_word(word);
        if (kinds == 0)
            return fail(e, ERR_INVALID,
                        "redact: kinds: '%.*s' is nothing that is known; email,"
                        " phone, iban, card, ip and pii are",
                        STR_ARG(word));
        r->kinds |= kinds;
    }
    return 0;
}

static int read_patterns(struct redact *r, const struct json *map,
                         struct err *e) {
    if (!map) return 0;
    if (json_type(map) != JSON_OBJECT || json_len(map) > PATTERNS)
        return fail(e, ERR_INVALID,
                    "redact: patterns is no object of at most %d patterns",
                    PATTERNS);
    const struct json *key = json_first(map);
    for (size_t i = json_len(map); i > 0; i--, key = json_skip(key + 1)) {
        struct pattern *p = &r->patterns[r->pattern_count];
        if (json_type(key + 1) != JSON_STRING)
            return fail(e, ERR_INVALID, "redact: pattern %.*s is not text",
                        STR_ARG(json_str(key)));
        p->word = json_str(key);
        p->regex = regex_new(json_str(key + 1), e);
        if (!p->regex) return fail_while(e, "redact: patterns");
        r->pattern_count++;
    }
    return 0;
}

static bool is_path_list(const struct json *v) {
    if (json_type(v) != JSON_ARRAY) return false;
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
        if (json_type(item) != JSON_STRING || json_len(item) == 0 ||
            json_str(item).p[0] != '/')
            return false;
    return true;
}

static int check_row(str tool, const struct json *row, struct err *e) {
    if (json_type(row) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "redact: fields of %.*s: not an object",
                    STR_ARG(tool));
    const struct json *key = json_first(row);
    for (size_t i = json_len(row); i > 0; i--, key = json_skip(key + 1)) {
        str name = json_str(key);
        if (!str_is(name, "keep") && !str_is(name, "drop") &&
            !str_is(name, "mask"))
            return fail(e, ERR_INVALID,
                        "redact: fields of %.*s: '%.*s' is none of keep, drop "
                        "and mask",
                        STR_ARG(tool), STR_ARG(name));
        if (!is_path_list(key + 1))
            return fail(e, ERR_INVALID,
                        "redact: fields of %.*s: %.*s is no list of paths such "
                        "as \"/name\"",
                        STR_ARG(tool), STR_ARG(name));
    }
    return 0;
}

static int check_fields(const struct json *fields, struct err *e) {
    if (!fields) return 0;
    if (json_type(fields) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "redact: fields is not an object");
    const struct json *key = json_first(fields);
    for (size_t i = json_len(fields); i > 0; i--, key = json_skip(key + 1))
        if (check_row(json_str(key), key + 1, e)) return -1;
    return 0;
}

static int read_config(struct redact *r, const struct json *config,
                       struct err *e) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *own;
    build_copy(&b, config);
    if (build_done(&b, &own, e)) return -1;
    r->fields = json_get(own, "fields");
    if (check_fields(r->fields, e)) return -1;
    if (read_kinds(r, json_get(own, "kinds"), e)) return -1;
    return read_patterns(r, json_get(own, "patterns"), e);
}

struct redact *redact_new(const struct json *config, struct secrets *secrets,
                          struct err *e) {
    struct redact *r = mem_zalloc(1, sizeof *r, e);
    if (!r) return NULL;
    r->arena = ARENA_MAX(CONFIG_BYTES);
    r->secrets = secrets;
    r->kinds = DETECT_SECRETS;
    r->scratch = regex_scratch_new(e);
    if (r->scratch && hash_random(r->seed, sizeof r->seed, e) == 0 &&
        (!config || read_config(r, config, e) == 0))
        return r;
    redact_free(r);
    return NULL;
}

void redact_free(struct redact *r) {
    if (!r) return;
    for (size_t i = 0; i < r->pattern_count; i++)
        regex_free(r->patterns[i].regex);
    regex_scratch_free(r->scratch);
    arena_fini(&r->arena);
    mem_free(r);
}

/* -- text -------------------------------------------------------------------
 */

static int add_tag(const struct redact *r, str word, str value, struct buf *out,
                   struct err *e) {
    uint64_t tag = hash_bytes(value.p, value.n, r->seed);
    return buf_addf(out, e, "<%.*s_%06x>", STR_ARG(word),
                    (unsigned)(tag & 0xffffff));
}

static int by_shape(struct redact *r, str s, struct buf *out, struct err *e) {
    struct detect_hit hit;
    size_t done = 0;
    while (detect_next(s, done, r->kinds, &hit)) {
        if (buf_add_str(out, str_sub(s, done, hit.from), e) ||
            add_tag(r, str_of(detect_placeholder(hit.kind)),
                    str_sub(s, hit.from, hit.to), out, e))
            return -1;
        done = hit.to;
    }
    return buf_add_str(out, str_sub(s, done, s.n), e);
}

/* A pattern that takes too long hides the whole text: nothing that should have
 * gone may stay. */
static int by_pattern(struct redact *r, const struct pattern *p, str s,
                      struct buf *out, struct err *e) {
    size_t done = 0, start = 0, end = 0;
    while (done <= s.n) {
        int found = regex_find(p->regex, r->scratch, s, done, &start, &end, e);
        if (found < 0 && e->kind != ERR_LIMIT) return -1;
        if (found < 0) {
            buf_truncate(out, 0);
            return buf_addf(out, e, "<%.*s>", STR_ARG(p->word));
        }
        if (found == 0 || end == start) break;
        if (buf_add_str(out, str_sub(s, done, start), e) ||
            add_tag(r, p->word, str_sub(s, start, end), out, e))
            return -1;
        done = end;
    }
    return buf_add_str(out, str_sub(s, done, s.n), e);
}

int redact_text(struct redact *r, str text, struct buf *out, struct err *e) {
    AUTO_BUF struct buf from = BUF_MAX(LEAF_BYTES), to = BUF_MAX(LEAF_BYTES);
    if (r->secrets ? secrets_redact(r->secrets, text, &from, e)
                   : buf_add_str(&from, text, e))
        return -1;
    if (by_shape(r, buf_str(&from), &to, e)) return -1;
    for (size_t i = 0; i < r->pattern_count; i++) {
        buf_truncate(&from, 0);
        if (by_pattern(r, &r->patterns[i], buf_str(&to), &from, e)) return -1;
        struct buf swap = from;
        from = to;
        to = swap;
    }
    return buf_add_str(out, buf_str(&to), e);
}

static bool wanted(void *data, str text) {
    struct redact *r = data;
    size_t start, end;
    struct err e;
    if (detect_any(text, r->kinds)) return true;
    if (r->secrets && secrets_occur(r->secrets, text)) return true;
    for (size_t i = 0; i < r->pattern_count; i++)
        if (regex_find(r->patterns[i].regex, r->scratch, text, 0, &start, &end,
                       &e) != 0)
            return true;
    return false;
}

static int rewrite(void *data, str text, struct buf *out, struct err *e) {
    return redact_text(data, text, out, e);
}

/* -- fields -----------------------------------------------------------------
 */

struct fields {
    const struct json *keep, *drop, *mask; /* lists of paths, or NULL */
};

#define PATH_BYTES 4096

/* 2: the pattern leads exactly here; 1: it leads further down; 0: elsewhere. */
static int leads(str pattern, str path) {
    while (pattern.n && path.n) {
        pattern = str_sub(pattern, 1, pattern.n);
        path = str_sub(path, 1, path.n);
        ptrdiff_t a = str_find_char(pattern, '/');
        ptrdiff_t b = str_find_char(path, '/');
        size_t an = a < 0 ? pattern.n : (size_t)a;
        size_t bn = b < 0 ? path.n : (size_t)b;
        str segment = str_sub(pattern, 0, an);
        if (!str_is(segment, "~*") && !str_eq(segment, str_sub(path, 0, bn)))
            return 0;
        pattern = str_sub(pattern, an, pattern.n);
        path = str_sub(path, bn, path.n);
    }
    return path.n ? 0 : pattern.n ? 1 : 2;
}

static int best_lead(const struct json *list, str path) {
    int best = 0;
    if (!list) return 0;
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item)) {
        int now = leads(json_str(item), path);
        if (now > best) best = now;
    }
    return best;
}

/* below: everything under a kept path is kept. */
static void minimise(struct json_build *b, const struct fields *f,
                     const struct json *v, struct buf *path, bool below);

static bool goes(const struct fields *f, str path, bool below) {
    if (best_lead(f->drop, path) == 2) return true;
    return f->keep && !below && best_lead(f->keep, path) == 0;
}

static int add_segment(struct buf *path, str key, struct err *e) {
    if (buf_add_char(path, '/', e)) return -1;
    for (size_t i = 0; i < key.n; i++)
        if (key.p[i] == '~'   ? buf_add_text(path, "~0", e)
            : key.p[i] == '/' ? buf_add_text(path, "~1", e)
                              : buf_add_char(path, key.p[i], e))
            return -1;
    return 0;
}

static void minimise_child(struct json_build *b, const struct fields *f,
                           str key, bool named, const struct json *v,
                           struct buf *path, bool below) {
    size_t before = path->len;
    if (add_segment(path, key, &b->err)) {
        b->failed = true;
        return;
    }
    if (!goes(f, buf_str(path), below)) {
        if (named) build_key(b, key);
        minimise(b, f, v, path, below);
    }
    buf_truncate(path, before);
}

static void minimise(struct json_build *b, const struct fields *f,
                     const struct json *v, struct buf *path, bool below) {
    char number[24];
    below = below || best_lead(f->keep, buf_str(path)) == 2;
    if (best_lead(f->mask, buf_str(path)) == 2) {
        build_text(b, STR("[masked]"));
        return;
    }
    if (json_type(v) < JSON_ARRAY) {
        build_copy(b, v);
        return;
    }
    bool object = json_type(v) == JSON_OBJECT;
    const struct json *at = json_first(v);
    object ? build_object(b) : build_array(b);
    for (size_t i = 0; i < json_len(v); i++) {
        snprintf(number, sizeof number, "%zu", i);
        str key = object ? json_str(at) : str_of(number);
        if (object) at++;
        minimise_child(b, f, key, object, at, path, below);
        at = json_skip(at);
    }
    build_end(b);
}

static bool names(str pattern, const struct entry *t) {
    str rest = pattern;
    str server = str_cut(&rest, '.');
    return str_glob(server, t->tool.server) &&
           (rest.p == NULL || str_glob(rest, t->tool.name));
}

bool redact_shapes(const struct redact *r, const struct entry *t) {
    if (!r->fields) return false;
    const struct json *key = json_first(r->fields);
    for (size_t i = json_len(r->fields); i > 0; i--, key = json_skip(key + 1))
        if (names(json_str(key), t)) return true;
    return false;
}

static int minimise_all(struct redact *r, const struct entry *t,
                        const struct json *v, struct arena *a,
                        const struct json **out, struct err *e) {
    if (!r->fields || !t) {
        *out = v;
        return 0;
    }
    const struct json *key = json_first(r->fields);
    for (size_t i = json_len(r->fields); i > 0; i--, key = json_skip(key + 1)) {
        if (!names(json_str(key), t)) continue;
        AUTO_BUF struct buf path = BUF_MAX(PATH_BYTES);
        struct fields f = {json_get(key + 1, "keep"), json_get(key + 1, "drop"),
                           json_get(key + 1, "mask")};
        struct json_build b = JSON_BUILD(a);
        minimise(&b, &f, v, &path, false);
        if (build_done(&b, &v, e)) return fail_while(e, "redact: fields");
    }
    *out = v;
    return 0;
}

int redact_value(struct redact *r, const struct entry *t, const struct json *v,
                 struct arena *a, const struct json **out, struct err *e) {
    struct leaf_rewrite how = {wanted, rewrite, true, r};
    const struct json *kept;
    if (minimise_all(r, t, v, a, &kept, e)) return -1;
    return leaf_rewrite(kept, &how, a, out, e);
}
