/* SPDX-License-Identifier: MIT
 *
 * The parser's ground: tokens, faults, lists.
 */
#include "lang/parse.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "lang/ident.h"
#include "lang/parser.h"

/* -- tokens --------------------------------------------------------------- */

/* What is kept outside the arena while it parses counts against its maximum. */
static int claim(struct parser *p, size_t count, size_t size) {
    struct arena *a = p->arena;
    if (count * size > a->max - a->used)
        return fail(p->e, ERR_LIMIT, "needs more than %zu bytes of memory",
                    a->max + p->claimed);
    a->max -= count * size;
    p->claimed += count * size;
    return 0;
}

static int grow_tokens(struct parser *p) {
    uint32_t cap = p->tokens_cap * 2;
    if (claim(p, cap - p->tokens_cap, sizeof *p->tokens)) return -1;
    struct token *old = p->tokens == p->first_tokens ? NULL : p->tokens;
    struct token *t = mem_resize(old, cap, sizeof *t, p->e);
    if (!t) return -1;
    if (!old) memcpy(t, p->first_tokens, sizeof p->first_tokens);
    p->tokens = t;
    p->tokens_cap = cap;
    return 0;
}

/* Reads the next logical line. Where the text is no token, the line ends with
 * TOK_END: no rule of the grammar can go on there. */
static void read_line(struct parser *p) {
    p->ntokens = p->at = 0;
    for (;;) {
        if (p->ntokens == p->tokens_cap && grow_tokens(p)) p->lexer_failed = 1;
        if (p->ntokens == p->tokens_cap) p->ntokens--;
        struct token *t = &p->tokens[p->ntokens++];
        if (p->lexer_failed || lex_next(&p->lx, t)) {
            *t = (struct token){.start = p->lx.pos, .end = p->lx.pos};
            p->lexer_failed = true;
        }
        if (t->kind == TOK_NEWLINE || t->kind == TOK_END) return;
    }
}

void parse_advance(struct parser *p) {
    bool blank = kind(p) == TOK_NEWLINE || kind(p) == TOK_INDENT ||
                 kind(p) == TOK_DEDENT;
    if (!blank) p->last_end = cur(p)->end;
    if (kind(p) == TOK_END) return;
    if (++p->at == p->ntokens) read_line(p);
}

enum token_kind parse_ahead(const struct parser *p, uint32_t n) {
    uint32_t i = p->at + n < p->ntokens ? p->at + n : p->ntokens - 1;
    return (enum token_kind)p->tokens[i].kind;
}

bool parse_accept(struct parser *p, enum token_kind k) {
    if (kind(p) != k) return false;
    parse_advance(p);
    return true;
}

int parse_expect(struct parser *p, enum token_kind k) {
    if (parse_accept(p, k)) return 0;
    parse_bad_token(p);
    return -1;
}

int parse_expect_forced(struct parser *p, enum token_kind k) {
    if (parse_accept(p, k)) return 0;
    parse_bad_span(p, cur(p)->start, cur(p)->end, "expected %s", token_text(k));
    return -1;
}

str token_str(const struct parser *p, const struct token *t) {
    return (str){p->text.p + t->start, t->end - t->start};
}

bool parse_is_word(const struct parser *p, uint32_t n,
                   const char *soft_keyword) {
    if (parse_ahead(p, n) != TOK_NAME) return false;
    return str_is(token_str(p, &p->tokens[p->at + n]), soft_keyword);
}

uint32_t parse_intern(struct parser *p, const struct token *t) {
    str s = token_str(p, t);
    if (!utf8_is_ascii(s.p, s.n) && ident_normal(s, p->arena, &s, p->e))
        return NAME_NONE;
    return name_add(&p->names, s, p->e);
}

uint32_t parse_take_name(struct parser *p) {
    if (kind(p) != TOK_NAME) {
        parse_bad_token(p);
        return NAME_NONE;
    }
    uint32_t name = parse_intern(p, cur(p));
    parse_advance(p);
    return name;
}

/* -- faults --------------------------------------------------------------- */

void *parse_bad_token(struct parser *p) {
    const struct token *t = cur(p);
    if (t->kind == TOK_INDENT || t->kind == TOK_DEDENT)
        return parse_bad_indent(p, t->kind == TOK_INDENT
                                       ? "unexpected indent"
                                       : "unexpected unindent");
    uint32_t end = t->kind == TOK_NEWLINE ? t->start + 1 : t->end;
    fault_set(&p->fault, FAULT_SYNTAX, t->start, end, "invalid syntax");
    return NULL;
}

void *parse_bad_span(struct parser *p, uint32_t start, uint32_t end,
                     const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fault_vset(&p->fault, FAULT_SYNTAX, start, end, fmt, ap);
    va_end(ap);
    return NULL;
}

void *parse_bad_node(struct parser *p, const struct node *n, const char *fmt,
                     ...) {
    va_list ap;
    va_start(ap, fmt);
    fault_vset(&p->fault, FAULT_SYNTAX, n->start, n->end, fmt, ap);
    va_end(ap);
    return NULL;
}

void *parse_bad_indent(struct parser *p, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fault_vset(&p->fault, FAULT_INDENT, cur(p)->start, cur(p)->end, fmt, ap);
    va_end(ap);
    return NULL;
}

/* `print x`: a statement of Python 2. */
static bool is_legacy(const struct parser *p, uint32_t start, uint32_t end) {
    str s = {p->text.p + start, end - start};
    return str_is(s, "print") || str_is(s, "exec");
}

static bool is_soft_keyword(str s) {
    return str_is(s, "match") || str_is(s, "case") || str_is(s, "type") ||
           str_is(s, "_");
}

/* The token that starts where the last term starts. */
static const struct token *term_token(const struct parser *p) {
    for (uint32_t i = p->at; i > 0; i--)
        if (p->tokens[i - 1].start == p->term_start) return &p->tokens[i - 1];
    return NULL;
}

void *parse_bad_list(struct parser *p) {
    const struct token *first = term_token(p);
    uint32_t start = p->term_start, end = p->term_end, at = p->at;
    if (p->fault.kind || p->last_end != end || cur(p)->depth == 0 || !first ||
        !parse_starts_expression(p))
        return parse_bad_token(p);
    if (first->kind == TOK_NAME &&
        (first[1].kind == TOK_STRING || is_soft_keyword(token_str(p, first))))
        return parse_bad_token(p);
    struct node *next = parse_expression(p);
    bool legacy = is_legacy(p, start, end);
    if (p->fault.kind) p->fault.kind = FAULT_NONE; /* only a trial */
    if (next && !legacy && p->tokens[p->at - 1].depth > 0)
        return parse_bad_span(p, start, next->end,
                              "invalid syntax. Perhaps you forgot a comma?");
    p->at = at;
    return parse_bad_token(p);
}

/* -- building ------------------------------------------------------------- */

struct node *parse_make(struct parser *p, enum node_kind k, uint32_t start) {
    return node_new(p->arena, k, start, p->last_end, p->e);
}

static int grow_items(struct parser *p) {
    uint32_t cap = p->items_cap * 2;
    if (claim(p, cap - p->items_cap, sizeof(struct node *))) return -1;
    struct node **old = p->items == p->first_items ? NULL : p->items;
    struct node **items = mem_resize(old, cap, sizeof *items, p->e);
    if (!items) return -1;
    if (!old) memcpy(items, p->first_items, sizeof p->first_items);
    p->items = items;
    p->items_cap = cap;
    return 0;
}

int parse_push(struct parser *p, struct node *n) {
    if (p->nitems == p->items_cap && grow_items(p)) return -1;
    p->items[p->nitems++] = n;
    return 0;
}

int parse_take_list(struct parser *p, uint32_t mark, struct nodes **out) {
    uint32_t n = p->nitems - mark;
    p->nitems = mark;
    *out = NULL;
    if (n == 0) return 0;
    struct nodes *l =
        arena_alloc(p->arena, sizeof *l + n * sizeof l->at[0], p->e);
    if (!l) return -1;
    l->count = n;
    memcpy(l->at, p->items + mark, n * sizeof l->at[0]);
    *out = l;
    return 0;
}

int parse_enter(struct parser *p) {
    if (p->depth++ < PARSE_DEPTH) return 0;
    parse_bad_span(p, cur(p)->start, cur(p)->end,
                   "too many nested expressions");
    return -1;
}

/* -- the whole ------------------------------------------------------------ */

/* What went wrong in the parser may follow from something wrong with the
 * tokens further on: a string that does not end, a bracket never closed. */
static void blame_tokens(struct parser *p) {
    if (p->lexer_failed || p->fault.kind == FAULT_NONE) return;
    struct token t = *cur(p);
    uint32_t at = t.start;
    for (uint32_t i = p->at; i < p->ntokens; i++)
        t = p->tokens[i];
    while (t.kind != TOK_END)
        if (lex_next(&p->lx, &t)) return;
    if (p->lx.depth == 0) return;
    const struct lex_bracket *b = &p->lx.bracket[p->lx.depth - 1];
    bool at_end = at >= p->text.n;
    if (!at_end && place_of(p->text, at).line <= place_of(p->text, b->at).line)
        return;
    fault_set(&p->lex_fault, FAULT_SYNTAX, b->at, b->at,
              "'%c' was never closed", b->open);
}

static struct node *module(struct parser *p) {
    read_line(p);
    while (kind(p) != TOK_END)
        if (parse_statement(p)) return NULL;
    if (p->lexer_failed) return NULL;
    struct nodes *body;
    if (parse_take_list(p, 0, &body)) return NULL;
    struct node *n = parse_make(p, N_Module, 0);
    if (n) n->as.module.body = body;
    return n;
}

static int check_text(str source, struct fault *f, struct err *e) {
    if (source.n > PARSE_MAX_SOURCE)
        return fail(e, ERR_LIMIT, "source text longer than %d bytes",
                    PARSE_MAX_SOURCE);
    size_t good = utf8_valid(source.p, source.n);
    if (good < source.n)
        return fault_set(f, FAULT_SYNTAX, (uint32_t)good, (uint32_t)good,
                         "(unicode error) 'utf-8' codec can't decode byte "
                         "0x%02x in position %zu: invalid byte",
                         (unsigned char)source.p[good], good);
    const char *nul = source.n ? memchr(source.p, 0, source.n) : NULL;
    uint32_t at = nul ? (uint32_t)(nul - source.p) : 0;
    if (nul)
        return fault_set(f, FAULT_SYNTAX, at, at,
                         "source code cannot contain null bytes");
    return 0;
}

static void parser_init(struct parser *p, str source, const uint64_t seed[2],
                        struct arena *a, struct err *e) {
    memset(p, 0, offsetof(struct parser, first_tokens));
    lex_init(&p->lx, source, &p->lex_fault);
    name_init(&p->names, a, seed);
    p->text = source;
    p->arena = a;
    p->e = e;
    p->tokens = p->first_tokens;
    p->tokens_cap = FIRST_TOKENS;
    p->items = p->first_items;
    p->items_cap = FIRST_ITEMS;
}

static void parser_fini(struct parser *p) {
    p->arena->max += p->claimed;
    if (p->tokens != p->first_tokens) mem_free(p->tokens);
    if (p->items != p->first_items) mem_free(p->items);
}

static int parse_text(str source, const uint64_t seed[2], struct arena *a,
                      struct ast *out, struct fault *fault, struct err *e) {
    __attribute__((cleanup(parser_fini))) struct parser p;
    parser_init(&p, source, seed, a, e);
    struct node *root = module(&p);
    if (root) {
        *out = (struct ast){.module = root, .names = p.names, .source = source};
        return 0;
    }
    blame_tokens(&p);
    *fault = p.lex_fault.kind ? p.lex_fault : p.fault;
    return -1;
}

int parse(str source, const uint64_t seed[2], struct arena *a, struct ast *out,
          struct fault *fault, struct err *e) {
    fault->kind = FAULT_NONE;
    if (check_text(source, fault, e) == 0 &&
        parse_text(source, seed, a, out, fault, e) == 0)
        return 0;
    if (fault->kind)
        err_set(e, ERR_INVALID, "line %u: %s: %s",
                place_of(source, fault->start).line, fault_type(fault->kind),
                fault->text);
    return -1;
}
