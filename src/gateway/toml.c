/* SPDX-License-Identifier: MIT */
#include "gateway/toml.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "json/build.h"

#define TREE_MAX ((size_t)32 << 20)
#define TEXT_MAX ((size_t)4 << 20)
enum { DEPTH_MAX = 64 };

enum kind { SCALAR, TABLE, ARRAY };

/* Tables may be added to until the end, so the tree is linked; it becomes a
 * JSON value when it is whole. */
struct node {
    enum kind kind;
    bool closed; /* written inline or as a value: nothing may be added */
    bool header; /* a [table] of its own, which may stand only once */
    str key;     /* in a table */
    const struct json *value;
    struct node *first, *last, *next; /* children */
};

struct reader {
    const char *p, *end;
    size_t line;
    unsigned depth;
    struct arena tree;
    struct err *e;
};

static int bad(struct reader *r, const char *what) {
    return fail(r->e, ERR_INVALID, "line %zu: %s", r->line, what);
}

/* -- the tree ----------------------------------------------------------------
 */

static struct node *add(struct reader *r, struct node *parent, str key,
                        enum kind kind) {
    struct node *n = arena_zalloc(&r->tree, 1, sizeof *n, r->e);
    if (!n) return NULL;
    n->kind = kind;
    n->key = key;
    if (parent->last)
        parent->last->next = n;
    else
        parent->first = n;
    parent->last = n;
    return n;
}

static struct node *child(const struct node *parent, str key) {
    struct node *n = parent->first;
    while (n && !str_eq(n->key, key))
        n = n->next;
    return n;
}

/* The table called so, made if it is not there; of an array the last one. */
static struct node *descend(struct reader *r, struct node *parent, str key) {
    struct node *n = child(parent, key);
    if (!n) return add(r, parent, key, TABLE);
    if (n->kind == ARRAY && !n->closed && n->last) n = n->last;
    if (n->kind == TABLE && !n->closed) return n;
    (void)bad(r, "a key is defined twice");
    return NULL;
}

static void put(struct json_build *b, const struct node *n) {
    if (n->kind == SCALAR) {
        build_copy(b, n->value);
        return;
    }
    if (n->kind == TABLE)
        build_object(b);
    else
        build_array(b);
    for (const struct node *c = n->first; c; c = c->next) {
        if (n->kind == TABLE) build_key(b, c->key);
        put(b, c);
    }
    build_end(b);
}

/* -- white space -------------------------------------------------------------
 */

static bool at(const struct reader *r, char c) {
    return r->p < r->end && *r->p == c;
}

static bool at_word(const struct reader *r, const char *word) {
    size_t n = strlen(word);
    return (size_t)(r->end - r->p) >= n && !memcmp(r->p, word, n);
}

static void skip_blanks(struct reader *r) {
    while (at(r, ' ') || at(r, '\t'))
        r->p++;
}

static void skip_comment(struct reader *r) {
    if (!at(r, '#')) return;
    while (r->p < r->end && *r->p != '\n')
        r->p++;
}

static void skip_lines(struct reader *r) {
    for (;;) {
        skip_blanks(r);
        skip_comment(r);
        if (at(r, '\r') && r->p + 1 < r->end && r->p[1] == '\n') r->p++;
        if (!at(r, '\n')) return;
        r->p++;
        r->line++;
    }
}

static int end_line(struct reader *r) {
    skip_blanks(r);
    skip_comment(r);
    if (at(r, '\r')) r->p++;
    if (r->p == r->end || at(r, '\n')) return 0;
    return bad(r, "more than one thing on a line");
}

/* -- strings -----------------------------------------------------------------
 */

static int add_code_point(struct reader *r, unsigned digits, struct buf *out) {
    uint32_t c = 0;
    char text[4];
    for (unsigned i = 0; i < digits; i++) {
        static const char hex[] = "0123456789abcdef";
        char d = r->p < r->end ? (char)(*r->p | 0x20) : '\0';
        const char *found = d ? strchr(hex, d) : NULL;
        if (!found) return bad(r, "an escape without its digits");
        c = c << 4 | (uint32_t)(found - hex);
        r->p++;
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return bad(r, "an escape of no character");
    return buf_add(out, text, utf8_encode(c, text), r->e);
}

static int add_escape(struct reader *r, struct buf *out) {
    static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
    if (r->p == r->end) return bad(r, "a string without its end");
    char c = *r->p++;
    if (c == 'u' || c == 'U') return add_code_point(r, c == 'u' ? 4 : 8, out);
    const char *found = c ? strchr(from, c) : NULL;
    if (!found) return bad(r, "an unknown escape");
    return buf_add_char(out, to[found - from], r->e);
}

/* Behind a backslash at the end of a line. */
static void skip_folded(struct reader *r) {
    while (r->p < r->end && strchr(" \t\r\n", *r->p) && *r->p) {
        if (*r->p == '\n') r->line++;
        r->p++;
    }
}

static bool folds(const struct reader *r) {
    const char *p = r->p;
    while (p < r->end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    return p < r->end && *p == '\n';
}

static int add_char(struct reader *r, char quote, bool lines, struct buf *out) {
    char c = *r->p++;
    if (c == '\n') {
        if (!lines) return bad(r, "a string without its end");
        r->line++;
    }
    if (c != '\\' || quote == '\'') return buf_add_char(out, c, r->e);
    if (!lines || !folds(r)) return add_escape(r, out);
    skip_folded(r);
    return 0;
}

static int read_string(struct reader *r, str *out) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_MAX);
    char quote = *r->p, three[4] = {quote, quote, quote, '\0'};
    bool lines = at_word(r, three);
    const char *end = lines ? three : three + 2;
    r->p += lines ? 3 : 1;
    if (lines && at(r, '\r')) r->p++;
    if (lines && at(r, '\n')) r->p++, r->line++;
    for (;;) {
        if (r->p == r->end) return bad(r, "a string without its end");
        /* Up to two quotes may stand before the closing three. */
        if (at_word(r, end) &&
            !(lines && r->p + 3 < r->end && r->p[3] == quote))
            break;
        if (add_char(r, quote, lines, &text)) return -1;
    }
    r->p += lines ? 3 : 1;
    return arena_dup(&r->tree, buf_str(&text), out, r->e);
}

/* -- keys --------------------------------------------------------------------
 */

static bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static int read_key(struct reader *r, str *out) {
    skip_blanks(r);
    if (at(r, '"') || at(r, '\'')) return read_string(r, out);
    const char *from = r->p;
    while (r->p < r->end && is_bare(*r->p))
        r->p++;
    if (r->p == from) return bad(r, "a key is wanted");
    *out = (str){from, (size_t)(r->p - from)};
    return 0;
}

/* a.b.c: descends to b and gives c. */
static int read_path(struct reader *r, struct node **table, str *last) {
    for (unsigned depth = 0;; depth++) {
        if (depth == DEPTH_MAX) return bad(r, "too deep");
        if (read_key(r, last)) return -1;
        skip_blanks(r);
        if (!at(r, '.')) return 0;
        r->p++;
        *table = descend(r, *table, *last);
        if (!*table) return -1;
    }
}

/* -- values ------------------------------------------------------------------
 */

static int read_value(struct reader *r, struct node *parent, str key);

static int read_pair(struct reader *r, struct node *table) {
    str key;
    if (read_path(r, &table, &key)) return -1;
    if (!at(r, '=')) return bad(r, "'=' is wanted after the key");
    r->p++;
    if (child(table, key)) return bad(r, "a key is defined twice");
    return read_value(r, table, key);
}

static int read_inline(struct reader *r, struct node *table) {
    r->p++;
    skip_blanks(r);
    while (!at(r, '}')) {
        if (read_pair(r, table)) return -1;
        skip_blanks(r);
        if (at(r, ',')) {
            r->p++;
            skip_blanks(r);
        } else if (!at(r, '}')) {
            return bad(r, "',' or '}' is wanted");
        }
    }
    r->p++;
    return 0;
}

static int read_array(struct reader *r, struct node *array) {
    r->p++;
    skip_lines(r);
    while (!at(r, ']')) {
        if (r->p == r->end) return bad(r, "an array without its end");
        if (read_value(r, array, (str){NULL, 0})) return -1;
        skip_lines(r);
        if (at(r, ','))
            r->p++;
        else if (!at(r, ']'))
            return bad(r, "',' or ']' is wanted");
        skip_lines(r);
    }
    r->p++;
    return 0;
}

static bool ends_word(char c) {
    return strchr(" \t\r\n,]}#", c) != NULL;
}

/* Digits without the underscores people put between them. */
static int plain_digits(struct reader *r, str word, struct buf *out) {
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] != '_' && buf_add_char(out, word.p[i], r->e)) return -1;
    return 0;
}

/* Numbers as JSON has them too; what else stands bare (dates, 0x10, inf) is
 * kept as text. */
static int put_word(struct reader *r, str word, struct json_build *b) {
    AUTO_BUF struct buf digits = BUF_MAX(4096);
    const struct json *number;
    struct err e;
    if (str_is(word, "true") || str_is(word, "false")) {
        build_bool(b, word.n == 4);
        return 0;
    }
    if (plain_digits(r, word, &digits)) return -1;
    str text = buf_str(&digits);
    if (str_starts(text, STR("+"))) text = str_sub(text, 1, text.n);
    if (!json_parse(text, NULL, &r->tree, &number, &e) &&
        json_is_number(number))
        build_copy(b, number);
    else
        build_text(b, word);
    return 0;
}

static int read_word(struct reader *r, struct json_build *b) {
    const char *from = r->p;
    while (r->p < r->end && !ends_word(*r->p))
        r->p++;
    str word = {from, (size_t)(r->p - from)};
    if (!word.n) return bad(r, "a value is wanted");
    return put_word(r, word, b);
}

static int read_scalar(struct reader *r, struct node *n) {
    struct json_build b = JSON_BUILD(&r->tree);
    str text;
    if (at(r, '"') || at(r, '\'')) {
        if (read_string(r, &text)) return -1;
        build_text(&b, text);
    } else if (read_word(r, &b)) {
        return -1;
    }
    return build_done(&b, &n->value, r->e);
}

static int read_value(struct reader *r, struct node *parent, str key) {
    if (++r->depth > DEPTH_MAX) return bad(r, "too deep");
    skip_blanks(r);
    enum kind kind = at(r, '{') ? TABLE : at(r, '[') ? ARRAY : SCALAR;
    struct node *n = add(r, parent, key, kind);
    if (!n) return -1;
    int result = kind == TABLE   ? read_inline(r, n)
                 : kind == ARRAY ? read_array(r, n)
                                 : read_scalar(r, n);
    n->closed = true;
    r->depth--;
    return result;
}

/* -- tables ------------------------------------------------------------------
 */

static struct node *open_array_item(struct reader *r, struct node *table,
                                    str key) {
    struct node *array = child(table, key);
    if (!array) array = add(r, table, key, ARRAY);
    if (array && (array->kind != ARRAY || array->closed)) {
        (void)bad(r, "a key is defined twice");
        return NULL;
    }
    return array ? add(r, array, (str){NULL, 0}, TABLE) : NULL;
}

static struct node *open_table(struct reader *r, struct node *table, str key) {
    struct node *n = descend(r, table, key);
    if (n && n->header) {
        (void)bad(r, "a table is defined twice");
        return NULL;
    }
    if (n) n->header = true;
    return n;
}

static struct node *read_header(struct reader *r, struct node *root) {
    bool array = at_word(r, "[[");
    struct node *table = root;
    str key;
    r->p += array ? 2 : 1;
    if (read_path(r, &table, &key)) return NULL;
    if (!at_word(r, array ? "]]" : "]")) {
        (void)bad(r, "']' is wanted");
        return NULL;
    }
    r->p += array ? 2 : 1;
    return array ? open_array_item(r, table, key) : open_table(r, table, key);
}

static int read_all(struct reader *r, struct node *root) {
    struct node *table = root;
    for (skip_lines(r); r->p < r->end; skip_lines(r)) {
        if (at(r, '[')) {
            table = read_header(r, root);
            if (!table) return -1;
        } else if (read_pair(r, table)) {
            return -1;
        }
        if (end_line(r)) return -1;
    }
    return 0;
}

int toml_parse(str text, struct arena *a, const struct json **out,
               struct err *e) {
    struct reader r = {.p = text.p,
                       .end = text.p + text.n,
                       .line = 1,
                       .tree = ARENA_MAX(TREE_MAX),
                       .e = e};
    struct node root = {.kind = TABLE};
    struct json_build b = JSON_BUILD(a);
    bool sound = utf8_valid(text.p, text.n) == text.n;
    int result =
        sound ? read_all(&r, &root) : fail(e, ERR_INVALID, "not UTF-8");
    if (!result) {
        put(&b, &root);
        result = build_done(&b, out, e);
    }
    arena_fini(&r.tree);
    return result;
}
