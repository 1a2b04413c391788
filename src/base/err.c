/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Formats into out[size]; what does not fit is cut at a character and ends
 * with "...". */
static void format(char *out, size_t size, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));

static void cut(char *out, size_t size) {
    size_t keep = utf8_valid_loose(out, size - sizeof "...");
    /* Bytes that never were UTF-8 should not shorten the text to nothing. */
    if (keep + UTF8_MAX < size - sizeof "...") keep = size - sizeof "...";
    memcpy(out + keep, "...", sizeof "...");
}

static void format(char *out, size_t size, const char *fmt, va_list ap) {
    int n = vsnprintf(out, size, fmt, ap);
    if (n < 0) out[0] = '\0';
    if (n > 0 && (size_t)n >= size) cut(out, size);
}

/* The text is built aside, because an argument may be e->text itself. */
static void assign(struct err *e, enum err_kind kind, const char *text) {
    e->kind = kind;
    memcpy(e->text, text, strlen(text) + 1);
}

void err_set(struct err *e, enum err_kind kind, const char *fmt, ...) {
    char text[sizeof e->text];
    va_list ap;
    va_start(ap, fmt);
    format(text, sizeof text, fmt, ap);
    va_end(ap);
    assign(e, kind, text);
}

/* "first: second", cut as one text. */
static void join(char *out, size_t size, const char *first,
                 const char *second) {
    int n = snprintf(out, size, "%s: %s", first, second);
    if (n > 0 && (size_t)n >= size) cut(out, size);
}

void err_set_sys(struct err *e, const char *fmt, ...) {
    int code = errno;
    char what[sizeof e->text], text[sizeof e->text];
    va_list ap;
    va_start(ap, fmt);
    format(what, sizeof what, fmt, ap);
    va_end(ap);
    const char *why = strerrordesc_np(code);
    join(text, sizeof text, what, why ? why : "unknown error");
    assign(e, ERR_SYSTEM, text);
}

void err_context(struct err *e, const char *fmt, ...) {
    char what[sizeof e->text], text[sizeof e->text];
    va_list ap;
    va_start(ap, fmt);
    format(what, sizeof what, fmt, ap);
    va_end(ap);
    join(text, sizeof text, what, e->text);
    assign(e, e->kind, text);
}

static const struct {
    const char *code;
    int status;
} kinds[] = {
#define ERR(name, code, status) {code, status},
#include "base/err.def"
#undef ERR
};

const char *err_code(enum err_kind kind) {
    return kinds[kind].code;
}

int err_exit_status(enum err_kind kind) {
    return kinds[kind].status;
}
