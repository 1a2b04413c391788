/* SPDX-License-Identifier: MIT
 *
 * words -- words, strings and signs of a rule file.
 *
 * A statement ends with its line, unless the next line is indented or a
 * bracket is open. '#' begins a comment. Outside strings only ASCII counts: a
 * rule should not look like another.
 */
#ifndef CORDON_POLICY_WORDS_H
#define CORDON_POLICY_WORDS_H

#include "base/arena.h"
#include "base/err.h"

#define WORDS_FILE_BYTES ((size_t)4 << 20)

enum words_kind {
    WORDS_END,  /* of a statement */
    WORDS_STOP, /* of the file */
    WORDS_WORD,
    WORDS_STRING,
    WORDS_SIGN, /* -> => >= <= != > < = ; , ( ) [ ] { } : | */
};

struct words_token {
    enum words_kind kind;
    str text; /* strings are decoded */
    size_t line;
};

struct words {
    str text;
    size_t at, line;
    size_t depth; /* of open brackets */
    const char *name;
    struct arena *arena;
    struct words_token token; /* the one at hand */
};

int words_init(struct words *l, str text, const char *name, struct arena *a,
               struct err *e);
int words_next(struct words *l, struct err *e);

bool words_is(const struct words *l, const char *sign_or_word);

/* Takes it if it is there: 1, else 0; -1 on failure. */
int words_take(struct words *l, const char *sign_or_word, struct err *e);
int words_expect(struct words *l, const char *sign, const char *where,
                 struct err *e);

/* "name:line: ..." about the token at hand. */
int words_fail(const struct words *l, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int words_fail_at(const struct words *l, size_t line, struct err *e,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
