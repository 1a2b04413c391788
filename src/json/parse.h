/* SPDX-License-Identifier: MIT
 *
 * parse -- the JSON reader as a template: text in, events out.
 *
 * There is one reader. What becomes of the values is up to a sink: a constant
 * table of functions. parse_run() is always inlined, so that a caller who
 * hands it the address of a static const table gets a reader of its own in
 * which the sink's functions are direct calls or inlined:
 *
 *     static const struct parse_sink dom_sink = {.null = dom_null, ...};
 *     ... parse_run(&in, &dom_sink, &dom, fault)
 *
 * The text is decoded in place: strings arrive as final UTF-8 inside it, with
 * a NUL behind them, and stay where they are. So the caller hands over a
 * writable copy, with a NUL behind it, and may borrow the strings for as long
 * as the copy lives; positions of faults refer to the original text.
 *
 * The reader does not recurse, allocates nothing, and does work linear in the
 * text. A sink that meters work charges in its functions for what it builds
 * and, for the scanning itself, once by the length of the text.
 */
#ifndef CORDON_JSON_PARSE_H
#define CORDON_JSON_PARSE_H

#include "json/json.h"
#include "json/parse_number.h"
#include "json/parse_string.h"
#include "json/scan.h"

#include <assert.h>

/* Each returns 0, or -1 to stop the parse; the reason is the sink's own. */
struct parse_sink {
    int (*null)(void *to);
    int (*boolean)(void *to, bool v);
    int (*integer)(void *to, int64_t v);
    int (*real)(void *to, double v); /* finite */
    /* A number for JSON_BIG: n bytes of it, followed by the rest of the text;
     * the byte before it is free to be overwritten (see struct parse_in). */
    int (*big)(void *to, char *p, size_t n);
    int (*string)(void *to, char *p, size_t n, bool ascii);

    int (*open_array)(void *to);
    int (*close_array)(void *to, size_t items);
    int (*open_object)(void *to);
    int (*key)(void *to, char *p, size_t n, bool ascii);
    int (*close_object)(void *to, size_t members);
};

struct parse_in {
    char *text;    /* writable from text[-1] to text[len]; text[len] is NUL */
    size_t len;    /* bytes */
    size_t depth;  /* containers inside each other, at most JSON_DEPTH_MAX */
    bool comments; /* allow comments, and a comma after the last item; pass a
                      constant where speed counts */
};

enum parse_result {
    PARSE_DONE,
    PARSE_WRONG,   /* the text is at fault; *fault says where and why */
    PARSE_DEEP,    /* nested too deep at fault->offset */
    PARSE_REFUSED, /* the sink returned -1 */
};

/* Fills in fault->line and column from its offset into the original text. */
void parse_locate(str text, struct json_fault *fault);

/* Sets e from a located fault: "line 2, column 7: expected ..., got ...". */
void parse_explain(str text, const struct json_fault *fault, struct err *e);

/* A piece of the text for an error message: cut short, and '?' for characters
 * that would do something to a terminal. Returns out. */
#define PARSE_QUOTE_SIZE 64
char *parse_quote(str s, char out[PARSE_QUOTE_SIZE]);

/* Below: the template. Every step takes the position and returns the one
 * behind what it read, or NULL with *fault filled in (fault->expected stays
 * NULL when it was the sink that refused). */

/* Behind white space and comments. */
char *parse_skip_comments(char *p, const char *end, struct parse_fault *fault);

/* Reports which letter of a literal is wrong; returns NULL. */
char *parse_wrong_word(char *p, const char *end, const char *word,
                       struct parse_fault *fault);

PARSE_INLINE char *parse_space(const struct parse_in *in, char *p,
                               struct parse_fault *fault) {
    const char *end = in->text + in->len;
    if (in->comments) return parse_skip_comments(p, end, fault);
    if ((unsigned char)*p > ' ') return p;
    if (*p == ' ' && (unsigned char)p[1] > ' ') return p + 1;
    return p + scan_space(p, (size_t)(end - p));
}

PARSE_INLINE char *parse_word(const struct parse_in *in, char *p,
                              const char *word, size_t n,
                              struct parse_fault *fault) {
    const char *end = in->text + in->len;
    if ((size_t)(end - p) >= n && memcmp(p, word, n) == 0) return p + n;
    return parse_wrong_word(p, end, word, fault);
}

/* null, true, false, or the fault that no value begins here. */
PARSE_INLINE char *parse_literal(const struct parse_in *in, char *p,
                                 const struct parse_sink *sink, void *to,
                                 struct parse_fault *fault) {
    if (*p == 't') {
        p = parse_word(in, p, "true", 4, fault);
        return p && sink->boolean(to, true) == 0 ? p : NULL;
    }
    if (*p == 'f') {
        p = parse_word(in, p, "false", 5, fault);
        return p && sink->boolean(to, false) == 0 ? p : NULL;
    }
    if (*p == 'n') {
        p = parse_word(in, p, "null", 4, fault);
        return p && sink->null(to) == 0 ? p : NULL;
    }
    return parse_wrong(p, "a value", fault);
}

PARSE_INLINE char *parse_scalar(const struct parse_in *in, char *p,
                                const struct parse_sink *sink, void *to,
                                struct parse_fault *fault) {
    if (*p == '"') {
        struct parse_string s;
        p = parse_string(p + 1, in->text + in->len, &s, fault);
        return p && sink->string(to, s.p, s.n, s.ascii) == 0 ? p : NULL;
    }
    if (*p != '-' && !parse_is_digit(*p))
        return parse_literal(in, p, sink, to, fault);
    struct parse_number x;
    char *start = p;
    p = parse_number(p, in->text + in->len, &x, fault);
    if (!p) return NULL;
    int refused = x.type == JSON_INT ? sink->integer(to, x.integer)
                  : x.type == JSON_REAL
                      ? sink->real(to, x.real)
                      : sink->big(to, start, (size_t)(p - start));
    return refused ? NULL : p;
}

/* A key and its colon, up to the value. */
PARSE_INLINE char *parse_key(const struct parse_in *in, char *p,
                             const struct parse_sink *sink, void *to,
                             struct parse_fault *fault) {
    if (*p != '"') return parse_wrong(p, "a key in double quotes", fault);
    struct parse_string s;
    p = parse_string(p + 1, in->text + in->len, &s, fault);
    if (!p || sink->key(to, s.p, s.n, s.ascii) != 0) return NULL;
    if (*p != ':') {
        p = parse_space(in, p, fault);
        if (!p) return NULL;
        if (*p != ':') return parse_wrong(p, "':' after the key", fault);
    }
    return parse_space(in, p + 1, fault);
}

/* The open containers: where the reader stands in each. */
struct parse_level {
    size_t count; /* values finished so far */
    char closer;  /* ']' or '}'; NUL outside every container */
};

/* Behind a value: closes what ends here and takes the comma. Returns the
 * start of the next item, or where the document ends when none is open. */
PARSE_INLINE char *parse_next(const struct parse_in *in, char *p,
                              const struct parse_sink *sink, void *to,
                              struct parse_level *stack, size_t *depth,
                              struct parse_level *now,
                              struct parse_fault *fault) {
    for (;;) {
        while (*depth > 0 && *p == now->closer) {
            int refused = now->closer == '}'
                              ? sink->close_object(to, now->count)
                              : sink->close_array(to, now->count);
            if (refused) return NULL;
            *now = stack[--*depth];
            now->count++;
            p = parse_space(in, p + 1, fault);
            if (!p) return NULL;
        }
        if (*depth == 0) return p;
        if (*p != ',')
            return parse_wrong(
                p, now->closer == '}' ? "',' or '}'" : "',' or ']'", fault);
        p = parse_space(in, p + 1, fault);
        if (!p || !in->comments || *p != now->closer) return p;
    }
}

PARSE_INLINE char *parse_document(const struct parse_in *in,
                                  const struct parse_sink *sink, void *to,
                                  struct parse_fault *fault, bool *deep) {
    struct parse_level stack[JSON_DEPTH_MAX], now = {0, '\0'};
    size_t depth = 0;
    char *p = parse_space(in, in->text, fault);
    while (p) {
        if (now.closer == '}') {
            p = parse_key(in, p, sink, to, fault);
            if (!p) return NULL;
        }
        if (*p == '{' || *p == '[') {
            if (depth == in->depth) {
                *deep = true;
                return parse_wrong(p, "less nesting", fault);
            }
            stack[depth++] = now;
            now = (struct parse_level){0, *p == '{' ? '}' : ']'};
            if ((*p == '{' ? sink->open_object(to) : sink->open_array(to)))
                return NULL;
            p = parse_space(in, p + 1, fault);
            if (!p) return NULL;
            if (*p != now.closer) continue;
        } else {
            p = parse_scalar(in, p, sink, to, fault);
            if (!p) return NULL;
            now.count++;
            p = parse_space(in, p, fault);
            if (!p) return NULL;
        }
        p = parse_next(in, p, sink, to, stack, &depth, &now, fault);
        if (p && depth == 0) return p;
    }
    return NULL;
}

PARSE_INLINE enum parse_result parse_run(const struct parse_in *in,
                                         const struct parse_sink *sink,
                                         void *to, struct json_fault *out) {
    const char *end = in->text + in->len;
    struct parse_fault fault = {NULL, NULL};
    bool deep = false;
    assert(in->depth <= JSON_DEPTH_MAX && *end == '\0');
    char *p = parse_document(in, sink, to, &fault, &deep);
    if (p == end) return PARSE_DONE;
    if (p) parse_wrong(p, "nothing more after the value", &fault);
    if (!fault.expected) return PARSE_REFUSED;
    *out = (struct json_fault){
        .offset = (size_t)(fault.at - in->text),
        .truncated = fault.at == end,
        .expected = fault.expected,
    };
    return deep ? PARSE_DEEP : PARSE_WRONG;
}

#endif
