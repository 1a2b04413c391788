/* SPDX-License-Identifier: MIT
 *
 * The sink that builds struct json: nodes appended to one array, strings left
 * where the reader decoded them.
 */
#include "json/keys.h"
#include "json/parse.h"

#include <string.h>

#define DEPTH_DEFAULT 512
#define BYTES_DEFAULT ((size_t)64 << 20)

struct dom {
    struct json *nodes;
    struct json *next;  /* first free node */
    struct json *limit; /* behind the last allocated one */
    size_t open;        /* index of the innermost open container; its span
                           holds the index of the one around it meanwhile */
    struct arena *arena;
    struct keys keys;
    bool keep_duplicates;
    const struct json *repeat; /* the key that ended the parse, or NULL */
    struct err *e;
};

/* Text seldom has more than one node in six bytes. It may have far fewer (one
 * long string), so at first no more than half of what the arena has left is
 * taken. What is left over goes back to the arena at the end. */
static int dom_begin(struct dom *d, size_t bytes) {
    size_t count = bytes / 6 + 16;
    size_t half = (d->arena->max - d->arena->used) / sizeof(struct json) / 2;
    if (count > half && half > 16) count = half;
    d->nodes = arena_alloc(d->arena, count * sizeof(struct json), d->e);
    if (!d->nodes) return -1;
    d->next = d->nodes;
    d->limit = d->nodes + count;
    return 0;
}

static __attribute__((noinline, cold)) int dom_grow(struct dom *d) {
    size_t used = (size_t)(d->next - d->nodes), count = used * 2;
    struct json *nodes =
        arena_grow(d->arena, d->nodes, used * sizeof(struct json),
                   count * sizeof(struct json), d->e);
    if (!nodes) return -1;
    d->nodes = nodes;
    d->next = nodes + used;
    d->limit = nodes + count;
    return 0;
}

PARSE_INLINE struct json *dom_add(struct dom *d) {
    if (d->next == d->limit && dom_grow(d)) return NULL;
    return d->next++;
}

static int dom_null(void *to) {
    struct json *v = dom_add(to);
    if (!v) return -1;
    *v = (struct json){.head = JSON_NULL};
    return 0;
}

static int dom_bool(void *to, bool b) {
    struct json *v = dom_add(to);
    if (!v) return -1;
    *v = (struct json){.head = JSON_BOOL, .as.boolean = b};
    return 0;
}

static int dom_int(void *to, int64_t i) {
    struct json *v = dom_add(to);
    if (!v) return -1;
    *v = (struct json){.head = JSON_INT, .as.integer = i};
    return 0;
}

static int dom_real(void *to, double r) {
    struct json *v = dom_add(to);
    if (!v) return -1;
    *v = (struct json){.head = JSON_REAL, .as.real = r};
    return 0;
}

PARSE_INLINE int dom_text(struct dom *d, enum json_type type, const char *p,
                          size_t n) {
    struct json *v = dom_add(d);
    if (!v) return -1;
    *v = (struct json){.head = (uint64_t)n << 8 | type, .as.text = p};
    return 0;
}

/* The number moves down by one, to make place for its NUL: the byte before it
 * has been read and the one behind it has not. */
static int dom_big(void *to, char *p, size_t n) {
    memmove(p - 1, p, n);
    p[n - 1] = '\0';
    return dom_text(to, JSON_BIG, p - 1, n);
}

static int dom_string(void *to, char *p, size_t n, bool ascii) {
    (void)ascii;
    return dom_text(to, JSON_STRING, p, n);
}

PARSE_INLINE int dom_open(struct dom *d, enum json_type type) {
    struct json *v = dom_add(d);
    if (!v) return -1;
    *v = (struct json){.head = type, .as.span = d->open};
    d->open = (size_t)(v - d->nodes);
    return 0;
}

PARSE_INLINE struct json *dom_close(struct dom *d, size_t count) {
    struct json *v = d->nodes + d->open;
    d->open = v->as.span;
    v->head |= (uint64_t)count << 8;
    v->as.span = (size_t)(d->next - v);
    return v;
}

static int dom_open_array(void *to) {
    return dom_open(to, JSON_ARRAY);
}

static int dom_close_array(void *to, size_t items) {
    dom_close(to, items);
    return 0;
}

static int dom_open_object(void *to) {
    return dom_open(to, JSON_OBJECT);
}

static int dom_close_object(void *to, size_t members) {
    struct dom *d = to;
    struct json *v = dom_close(d, members);
    if (d->keep_duplicates || members < 2) return 0;
    if (keys_repeated(&d->keys, v, &d->repeat, d->e)) return -1;
    return d->repeat ? -1 : 0;
}

static const struct parse_sink dom_sink = {
    .null = dom_null,
    .boolean = dom_bool,
    .integer = dom_int,
    .real = dom_real,
    .big = dom_big,
    .string = dom_string,
    .open_array = dom_open_array,
    .close_array = dom_close_array,
    .open_object = dom_open_object,
    .key = dom_string,
    .close_object = dom_close_object,
};

static enum parse_result read_strict(const struct parse_in *in, struct dom *d,
                                     struct json_fault *fault) {
    struct parse_in strict = *in;
    strict.comments = false;
    return parse_run(&strict, &dom_sink, d, fault);
}

static enum parse_result read_config(const struct parse_in *in, struct dom *d,
                                     struct json_fault *fault) {
    struct parse_in config = *in;
    config.comments = true;
    return parse_run(&config, &dom_sink, d, fault);
}

static int explain(enum parse_result result, str text, const struct dom *d,
                   const struct parse_in *in, struct json_fault *fault) {
    if (result == PARSE_REFUSED && !d->repeat) return -1; /* d->e is set */
    if (result == PARSE_REFUSED)
        *fault = (struct json_fault){
            .offset = (size_t)(d->repeat->as.text - in->text) - 1,
            .expected = "a key that is not in the object yet",
        };
    parse_locate(text, fault);
    if (result == PARSE_DEEP)
        return fail(d->e, ERR_LIMIT,
                    "line %zu, column %zu: nested deeper than %zu levels",
                    fault->line, fault->column, in->depth);
    if (result == PARSE_WRONG) {
        parse_explain(text, fault, d->e);
        return -1;
    }
    char key[PARSE_QUOTE_SIZE];
    return fail(d->e, ERR_INVALID, "line %zu, column %zu: repeated key \"%s\"",
                fault->line, fault->column,
                parse_quote(json_str(d->repeat), key));
}

/* The writable copy that the reader wants, with a spare byte on either side.
 */
static char *copy_text(struct arena *a, str text, struct err *e) {
    char *copy = arena_alloc(a, text.n + 2, e);
    if (!copy) return NULL;
    if (text.n > 0) memcpy(copy + 1, text.p, text.n);
    copy[text.n + 1] = '\0';
    return copy + 1;
}

static int parse_dom(str text, const struct json_limits *limits, struct dom *d,
                     const struct json **out, struct json_fault *fault) {
    size_t depth = limits->depth ? limits->depth : DEPTH_DEFAULT;
    size_t bytes = limits->bytes ? limits->bytes : BYTES_DEFAULT;
    if (text.n > bytes)
        return fail(d->e, ERR_LIMIT, "text longer than %zu bytes", bytes);
    struct parse_in in = {
        .text = copy_text(d->arena, text, d->e),
        .len = text.n,
        .depth = depth < JSON_DEPTH_MAX ? depth : JSON_DEPTH_MAX,
    };
    if (!in.text || dom_begin(d, text.n)) return -1;
    enum parse_result result = limits->comments ? read_config(&in, d, fault)
                                                : read_strict(&in, d, fault);
    if (result != PARSE_DONE) return explain(result, text, d, &in, fault);
    arena_shrink(d->arena, d->nodes,
                 (size_t)(d->limit - d->nodes) * sizeof(struct json),
                 (size_t)(d->next - d->nodes) * sizeof(struct json));
    *out = d->nodes;
    return 0;
}

int json_parse_fault(str text, const struct json_limits *limits,
                     struct arena *a, const struct json **out,
                     struct json_fault *fault, struct err *e) {
    static const struct json_limits defaults = {0};
    struct arena_mark start = arena_mark(a);
    struct dom d = {.arena = a, .e = e};
    if (!limits) limits = &defaults;
    if (!text.p) text = STR("");
    d.keep_duplicates = limits->keep_duplicates;
    if (parse_dom(text, limits, &d, out, fault) == 0) return 0;
    arena_rewind(a, start);
    return -1;
}

int json_parse(str text, const struct json_limits *limits, struct arena *a,
               const struct json **out, struct err *e) {
    struct json_fault fault;
    return json_parse_fault(text, limits, a, out, &fault, e);
}
