/* SPDX-License-Identifier: MIT
 *
 * err -- why something failed, as text a person can act on.
 *
 * A function that can fail returns -1 (or NULL) and takes a struct err last.
 * The struct lives on the caller's stack, is filled once at the cause, gains
 * context on the way up, is never NULL and never allocates. After success its
 * content is unspecified.
 */
#ifndef CORDON_BASE_ERR_H
#define CORDON_BASE_ERR_H

#include <stdarg.h>
#include <stddef.h>

enum err_kind {
#define ERR(name, code, status) ERR_##name,
#include "base/err.def"
#undef ERR
};

struct err {
    enum err_kind kind;
    char text[512]; /* UTF-8, NUL-terminated, cut with "..." when longer */
};

/* Sets the cause. The value is the constant -1, so that compilers see which
 * outputs stay unset on that path: `return fail(e, ERR_LIMIT, "..."); ` */
#define fail(e, kind, ...) (err_set((e), (kind), __VA_ARGS__), -1)

/* As fail(ERR_SYSTEM), with ": " and the text of errno appended. */
#define fail_sys(e, ...) (err_set_sys((e), __VA_ARGS__), -1)

/* Puts "context: " in front of an error that is already set. */
#define fail_while(e, ...) (err_context((e), __VA_ARGS__), -1)

void err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), nonnull(1), cold));
void err_set_sys(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), nonnull(1), cold));
void err_context(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), nonnull(1), cold));

/* The stable word for a kind ("not_found"), and the exit status it maps to. */
const char *err_code(enum err_kind kind);
int err_exit_status(enum err_kind kind);

#endif
