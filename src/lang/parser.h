/* SPDX-License-Identifier: MIT
 *
 * parser -- what the files of the parser share; parse.h is its interface.
 *
 * The tokens of one logical line are read at a time, so looking ahead is
 * indexing and going back is assigning `at`. Functions return a node, or NULL
 * after a fault (or a memory error) was recorded.
 */
#ifndef CORDON_LANG_PARSER_H
#define CORDON_LANG_PARSER_H

#include "lang/lex.h"
#include "lang/parse.h"

enum { FIRST_TOKENS = 64, FIRST_ITEMS = 64 };

struct parser {
    struct token *tokens; /* of the current logical line */
    uint32_t ntokens, tokens_cap;
    uint32_t at;         /* the current token */
    struct node **items; /* stack of list entries not yet in a list */
    uint32_t nitems, items_cap;
    size_t claimed; /* bytes of both beyond their first room */
    uint32_t depth;
    uint32_t last_end;   /* end of the last token taken, line ends apart */
    uint32_t term_start; /* the last `a or b` level expression that was read: */
    uint32_t term_end;   /* ... its span, and the token after it */
    bool lexer_failed;
    str text;
    struct arena *arena;
    struct name_table names;
    struct fault fault;     /* the parser's own */
    struct fault lex_fault; /* the lexer's: wins over the parser's */
    struct err *e;
    /* From here on nothing is cleared at the start. */
    struct token first_tokens[FIRST_TOKENS];
    struct node *first_items[FIRST_ITEMS];
    struct lexer lx;
};

/* -- tokens (parse.c) -- */

static inline const struct token *cur(const struct parser *p) {
    return &p->tokens[p->at];
}
static inline enum token_kind kind(const struct parser *p) {
    return (enum token_kind)p->tokens[p->at].kind;
}
/* The kind n tokens ahead; the line's last token beyond its end. */
enum token_kind parse_ahead(const struct parser *p, uint32_t n);

void parse_advance(struct parser *p);
bool parse_accept(struct parser *p, enum token_kind k);

/* Takes the token or faults with "invalid syntax". */
int parse_expect(struct parser *p, enum token_kind k);
/* ... with "expected ':'". */
int parse_expect_forced(struct parser *p, enum token_kind k);

str token_str(const struct parser *p, const struct token *t);
bool parse_is_word(const struct parser *p, uint32_t n,
                   const char *soft_keyword);

/* The current token's name, taken; NAME_NONE after a fault. */
uint32_t parse_take_name(struct parser *p);
uint32_t parse_intern(struct parser *p, const struct token *t);

/* -- faults (parse.c); all give NULL or -1 -- */

void *
parse_bad_token(struct parser *p); /* "invalid syntax" at the current one */
void *parse_bad_span(struct parser *p, uint32_t start, uint32_t end,
                     const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));
void *parse_bad_node(struct parser *p, const struct node *n, const char *fmt,
                     ...) __attribute__((format(printf, 3, 4), cold));
void *parse_bad_indent(struct parser *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Where a list goes on with neither a comma nor its end: a second expression
 * here means that a comma was forgotten. */
void *parse_bad_list(struct parser *p);

/* -- building (parse.c) -- */

/* From `start` to the last token taken. */
struct node *parse_make(struct parser *p, enum node_kind k, uint32_t start);

/* A list is pushed entry by entry, then taken from the mark on. */
int parse_push(struct parser *p, struct node *n);
int parse_take_list(struct parser *p, uint32_t mark, struct nodes **out);

int parse_enter(struct parser *p); /* one level deeper, or a fault */
static inline void leave(struct parser *p) {
    p->depth--;
}

/* -- expressions -- */

struct node *parse_expression(struct parser *p); /* with if-else, lambda */
struct node *parse_named_expression(struct parser *p); /* ... and := */
struct node *parse_disjunction(struct parser *p);
struct node *parse_bitwise_or(struct parser *p);
struct node *parse_primary(struct parser *p); /* parse_atom.c */
struct node *parse_atom(struct parser *p);    /* parse_atom.c */
struct node *parse_strings(struct parser *p); /* parse_string.c */
struct node *
parse_star_expressions(struct parser *p); /* a tuple without brackets */
struct node *parse_yield_or_star(struct parser *p); /* ... or a yield */
struct node *parse_star_named(struct parser *p);    /* * or named_expression */
struct node *parse_slices(struct parser *p);        /* parse_call.c */
int parse_call_arguments(struct parser *p, struct nodes **args, /* behind "(" */
                         struct nodes **keywords, uint32_t open);
int parse_for_clauses(struct parser *p,
                      struct nodes **out); /* of a comprehension */
bool parse_starts_for(const struct parser *p);
bool parse_starts_expression(const struct parser *p);

/* -- parameters (parse_params.c); stand behind "(" or "lambda" -- */

struct node *parse_parameters(struct parser *p, bool lambda);
int parse_type_parameters(struct parser *p, struct nodes **out);

/* -- targets (parse_target.c) -- */

/* Marks an expression as assigned to or deleted, all the way down. */
int parse_set_target(struct parser *p, struct node *n, enum expr_context ctx);
/* The part of it that cannot be, or NULL. */
struct node *parse_bad_target(struct node *n, enum expr_context ctx);
const char *parse_expr_name(const struct node *n); /* "function call" */
struct node *parse_for_target(struct parser *p);
struct node *parse_with_target(struct parser *p);

/* -- statements -- */

int parse_block(struct parser *p, uint32_t header, const char *what,
                struct nodes **out);
struct node *parse_compound(struct parser *p, bool *is_compound);
bool parse_starts_match(const struct parser *p); /* parse_pattern.c */
struct node *parse_match_statement(struct parser *p);
int parse_simple_line(struct parser *p); /* pushes; up to its NEWLINE */
int parse_statement(struct parser *p);   /* pushes one or more */
struct node *parse_function(struct parser *p, struct nodes *decorators,
                            uint32_t start, bool async);
int parse_colon(
    struct parser *p); /* of a header: "expected ':'" at a line end */

#endif
