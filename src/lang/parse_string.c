/* SPDX-License-Identifier: MIT
 *
 * Strings: adjacent ones are one; with an f-string among them the result is a
 * JoinedStr of text and fields.
 */
#include <string.h>

#include "lang/literal.h"
#include "lang/parser.h"

static bool is_text(const struct node *n) {
    return n->kind == N_Constant && n->as.constant.value.kind == CONST_STR;
}

static struct node *text_node(struct parser *p, str s, uint32_t start,
                              uint32_t end, enum const_kind k) {
    struct node *n = node_new(p->arena, N_Constant, start, end, p->e);
    if (!n) return NULL;
    n->as.constant.value.kind = k;
    n->as.constant.value.as.text = s;
    return n;
}

/* Pushes literal text, joined to literal text before it. Joining is done in
 * join_text once all pieces are known, so that it stays linear. */
static int push_text(struct parser *p, str s, uint32_t start, uint32_t end) {
    struct node *n = text_node(p, s, start, end, CONST_STR);
    return n ? parse_push(p, n) : -1;
}

/* -- replacement fields --------------------------------------------------- */

static void *no_expression(struct parser *p, const struct token *t) {
    if (t->kind == TOK_ASSIGN || t->kind == TOK_EXCLAIM ||
        t->kind == TOK_COLON || t->kind == TOK_RBRACE)
        return parse_bad_span(p, t->start, t->end,
                              "f-string: valid expression required before %s",
                              token_text((enum token_kind)t->kind));
    if (t->kind == TOK_FSTRING_END || t->kind == TOK_FSTRING_MIDDLE)
        return parse_bad_span(p, t->start, t->start, "f-string: expecting '}'");
    return parse_bad_span(p, t->start, t->end,
                          "f-string: expecting a valid expression after '{'");
}

static struct node *field_expression(struct parser *p) {
    struct token t = *cur(p);
    bool starts = kind(p) == TOK_STAR || kind(p) == TOK_YIELD ||
                  parse_starts_expression(p);
    if (!starts) return no_expression(p, &t);
    if (t.kind == TOK_LAMBDA) {
        /* The first colon ended the field's expression. */
        uint32_t i = p->at;
        while (p->tokens[i].kind != TOK_COLON && i + 1 < p->ntokens)
            i++;
        if (p->tokens[i + 1 < p->ntokens ? i + 1 : i].depth == t.depth)
            return parse_bad_span(
                p, t.start, p->tokens[i].end,
                "f-string: lambda expressions are not allowed "
                "without parentheses");
    }
    return parse_yield_or_star(p);
}

/* "!r": the letter, or -1 when there is none; -2 after a fault. */
static int conversion(struct parser *p) {
    if (!parse_accept(p, TOK_EXCLAIM)) return -1;
    const struct token *t = cur(p);
    str s = token_str(p, t);
    if (t->kind == TOK_COLON || t->kind == TOK_RBRACE) {
        parse_bad_span(p, t->start, t->end,
                       "f-string: missing conversion character");
        return -2;
    }
    if (t->kind != TOK_NAME || t->start != p->last_end) {
        parse_bad_span(
            p, t->start, t->end,
            t->kind == TOK_NAME
                ? "f-string: conversion type must come right after the "
                  "exclamation mark"
                : "f-string: invalid conversion character");
        return -2;
    }
    if (s.n != 1 || !strchr("sra", s.p[0])) {
        parse_bad_span(
            p, t->start, t->end,
            "f-string: invalid conversion character '%.*s': expected "
            "'s', 'r', or 'a'",
            STR_ARG(s));
        return -2;
    }
    parse_advance(p);
    return s.p[0];
}

static int pieces(struct parser *p, bool spec);
static struct node *join_text(struct parser *p, uint32_t mark, uint32_t start);

/* ":spec", a JoinedStr of its own. */
static struct node *format_spec(struct parser *p) {
    uint32_t mark = p->nitems;
    uint32_t start = cur(p)->start;
    parse_advance(p);
    if (pieces(p, true)) return NULL;
    return join_text(p, mark, start);
}

static void *bad_field(struct parser *p, bool debug, bool converted) {
    const struct token *t = cur(p);
    if (t->kind == TOK_FSTRING_END || t->kind == TOK_END)
        return parse_bad_span(p, t->start, t->start, "f-string: expecting '}'");
    if (p->fault.kind) return NULL;
    parse_bad_list(p);
    if (p->fault.kind && !str_is(str_of(p->fault.text), "invalid syntax"))
        return NULL;
    p->fault.kind = FAULT_NONE;
    const char *what = "'=', or '!', or ':', or '}'";
    if (converted)
        what = "':' or '}'";
    else if (debug)
        what = "'!', or ':', or '}'";
    return parse_bad_span(p, t->start, t->end, "f-string: expecting %s", what);
}

/* `{value=!r:spec}`: pushes the text before "=" where asked for, and the
 * field. Stands at the brace. */
static int field(struct parser *p) {
    uint32_t start = cur(p)->start, text_start = cur(p)->end;
    parse_advance(p);
    struct node *value = field_expression(p);
    if (!value) return -1;
    bool debug = parse_accept(p, TOK_ASSIGN);
    uint32_t debug_end = cur(p)->start;
    int how = conversion(p);
    if (how < -1) return -1;
    struct node *spec = NULL;
    if (kind(p) == TOK_COLON && !(spec = format_spec(p))) return -1;
    if (kind(p) != TOK_RBRACE) {
        if (spec)
            parse_bad_span(p, cur(p)->start, cur(p)->end,
                           "f-string: expecting '}', or format specs");
        bad_field(p, debug, how >= 0);
        return -1;
    }
    parse_advance(p);
    str text = {p->text.p + text_start, debug_end - text_start};
    if (debug && push_text(p, text, text_start, debug_end)) return -1;
    if (debug && how < 0 && !spec) how = 'r';
    struct node *n = parse_make(p, N_FormattedValue, start);
    if (!n) return -1;
    n->number = (uint32_t)how;
    n->as.formatted.value = value;
    n->as.formatted.format_spec = spec;
    return parse_push(p, n);
}

static int text_piece(struct parser *p) {
    struct token t = *cur(p);
    str s;
    if (literal_string(token_str(p, &t), &t, p->arena, &s, &p->fault, p->e))
        return -1;
    parse_advance(p);
    return push_text(p, s, t.start, t.end);
}

/* Text and fields up to the end of the f-string, or of the format spec. */
static int pieces(struct parser *p, bool spec) {
    if (parse_enter(p)) return -1;
    for (;;) {
        if (kind(p) == TOK_FSTRING_MIDDLE) {
            if (text_piece(p)) return -1;
        } else if (kind(p) == TOK_LBRACE) {
            if (field(p)) return -1;
        } else {
            break;
        }
    }
    leave(p);
    if (spec || parse_accept(p, TOK_FSTRING_END)) return 0;
    parse_bad_token(p);
    return -1;
}

/* -- joining -------------------------------------------------------------- */

/* One text node for the pieces items[from..to). */
static struct node *merge(struct parser *p, uint32_t from, uint32_t to,
                          enum const_kind k) {
    struct node **at = p->items + from;
    if (to - from == 1) return at[0];
    size_t total = 0, n = 0;
    for (uint32_t i = 0; i < to - from; i++)
        total += at[i]->as.constant.value.as.text.n;
    char *text = arena_alloc(p->arena, total, p->e);
    if (!text) return NULL;
    for (uint32_t i = 0; i < to - from; i++) {
        str s = at[i]->as.constant.value.as.text;
        if (s.n) memcpy(text + n, s.p, s.n);
        n += s.n;
    }
    return text_node(p, (str){text, total}, at[0]->start,
                     at[to - from - 1]->end, k);
}

/* A JoinedStr of what was pushed since mark: neighbouring text merged, empty
 * text left out. */
static struct node *join_text(struct parser *p, uint32_t mark, uint32_t start) {
    uint32_t n = mark;
    for (uint32_t i = mark; i < p->nitems;) {
        uint32_t from = i;
        while (i < p->nitems && is_text(p->items[i]))
            i++;
        struct node *one =
            i > from ? merge(p, from, i, CONST_STR) : p->items[i++];
        if (!one) return NULL;
        bool empty = is_text(one) && one->as.constant.value.as.text.n == 0;
        if (!empty) p->items[n++] = one;
    }
    p->nitems = n;
    struct node *joined = parse_make(p, N_JoinedStr, start);
    if (!joined || parse_take_list(p, mark, &joined->as.joined.values))
        return NULL;
    return joined;
}

/* One STRING token: pushes its text. */
static int plain_piece(struct parser *p) {
    struct token t = *cur(p);
    str s;
    if (literal_string(token_str(p, &t), &t, p->arena, &s, &p->fault, p->e))
        return -1;
    parse_advance(p);
    bool bytes = t.flags & TOKEN_BYTES;
    struct node *n =
        text_node(p, s, t.start, t.end, bytes ? CONST_BYTES : CONST_STR);
    return n ? parse_push(p, n) : -1;
}

static bool mixes_bytes(struct parser *p) {
    bool text = false, bytes = false;
    for (uint32_t i = p->at; i < p->ntokens; i++) {
        const struct token *t = &p->tokens[i];
        if (t->depth != cur(p)->depth) continue;
        if (t->kind == TOK_STRING && t->flags & TOKEN_BYTES)
            bytes = true;
        else if (t->kind == TOK_STRING || t->kind == TOK_FSTRING_START)
            text = true;
        else if (t->kind != TOK_FSTRING_MIDDLE && t->kind != TOK_FSTRING_END)
            break;
    }
    return text && bytes;
}

struct node *parse_strings(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    bool formatted = false;
    bool mixed = mixes_bytes(p);
    while (kind(p) == TOK_STRING || kind(p) == TOK_FSTRING_START) {
        bool f = kind(p) == TOK_FSTRING_START;
        formatted |= f;
        if (f) parse_advance(p);
        if (f ? pieces(p, false) : plain_piece(p)) return NULL;
    }
    if (mixed)
        return parse_bad_span(p, cur(p)->start, cur(p)->end,
                              "cannot mix bytes and nonbytes literals");
    if (formatted) return join_text(p, mark, start);
    enum const_kind k = (enum const_kind)p->items[mark]->as.constant.value.kind;
    struct node *n = merge(p, mark, p->nitems, k);
    p->nitems = mark;
    if (!n) return NULL;
    n->start = start;
    n->end = p->last_end;
    return n;
}
