/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 4096
#define REDACTED       "[redacted]"
#define SECRET_MIN     4
#define SECRETS_MAX    1024

static const struct {
    const char *name, *color;
} levels[] = {
    [LOG_ERROR] = {"error", "\033[31m"},
    [LOG_WARN] = {"warn", "\033[33m"},
    [LOG_INFO] = {"info", "\033[32m"},
    [LOG_DEBUG] = {"debug", "\033[2m"},
};

/* A line under construction. It lives on the stack, because a log must work
 * when memory does not; what does not fit is dropped and marked. */
struct line {
    char text[LINE_MAX_BYTES];
    size_t len;
};

static void put(struct line *l, const char *p, size_t n) {
    const size_t room = sizeof l->text - sizeof "...\n" - l->len;
    if (n > room) n = room;
    memcpy(l->text + l->len, p, n);
    l->len += n;
}

/* The longest secret at the front of s. At the very end of a cut message the
 * beginning of one counts too, or half a secret would show. */
static size_t secret_at(const struct log *log, str s, bool cut) {
    size_t longest = 0;
    for (size_t i = 0; i < log->secret_count; i++) {
        str secret = str_of(log->secrets[i]);
        bool whole = str_starts(s, secret);
        bool partly = cut && s.n < secret.n && str_starts(secret, s);
        size_t n = whole ? secret.n : partly ? s.n : 0;
        if (n > longest) longest = n;
    }
    return longest;
}

/* One character of outside text; returns the bytes it took. Line breaks and
 * terminal escapes must not forge lines or colours. */
static size_t put_char(struct line *l, str s) {
    uint32_t cp = 0;
    size_t n = utf8_decode(s.p, s.n, &cp);
    bool control = cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 ||
                   cp == 0x2029 || (cp >= 0x202a && cp <= 0x202e) ||
                   (cp >= 0x2066 && cp <= 0x2069);
    if (n > 0 && !control) {
        put(l, s.p, n);
        return n;
    }
    char escape[16];
    unsigned code = n > 0 ? cp : (unsigned char)s.p[0];
    int length = snprintf(escape, sizeof escape,
                          n > 0 && code > 0xff ? "\\u%04x" : "\\x%02x", code);
    put(l, escape, (size_t)length);
    return n > 0 ? n : 1;
}

static void put_message(struct line *l, const struct log *log, str s,
                        bool cut) {
    while (s.n > 0) {
        size_t n = secret_at(log, s, cut);
        if (n > 0)
            put(l, REDACTED, sizeof REDACTED - 1);
        else
            n = put_char(l, s);
        s = str_sub(s, n, s.n);
    }
}

static void put_head(struct line *l, const struct log *log,
                     enum log_level level) {
    char when[CLOCK_TEXT_SIZE];
    if (log->timestamps) {
        clock_format(clock_wall_ns(), when);
        put(l, when, strlen(when));
        put(l, " ", 1);
    }
    if (log->color) put(l, levels[level].color, strlen(levels[level].color));
    put(l, levels[level].name, strlen(levels[level].name));
    if (log->color) put(l, "\033[0m", 4);
    put(l, ": ", 2);
}

void log_line(struct log *log, enum log_level level, const char *fmt, ...) {
    if (level > log->level) return;
    char message[LINE_MAX_BYTES];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    if (n < 0) return;
    bool cut = (size_t)n >= sizeof message;
    struct line l = {.len = 0};
    put_head(&l, log, level);
    put_message(&l, log, str_of(message), cut);
    if (cut) {
        memcpy(l.text + l.len, "...", 3);
        l.len += 3;
    }
    l.text[l.len++] = '\n';
    struct err ignored; /* nowhere is left to report it */
    (void)fd_write_all(log->fd, (str){l.text, l.len}, &ignored);
}

int log_redact(struct log *log, str secret, struct err *e) {
    if (secret.n < SECRET_MIN)
        return fail(e, ERR_INVALID, "a secret needs at least %d bytes",
                    SECRET_MIN);
    if (memchr(secret.p, '\0', secret.n))
        return fail(e, ERR_INVALID, "a secret may not hold a NUL");
    if (log->secret_count >= SECRETS_MAX)
        return fail(e, ERR_LIMIT, "more than %d secrets", SECRETS_MAX);
    char **secrets = mem_resize(log->secrets, log->secret_count + 1,
                                sizeof log->secrets[0], e);
    if (!secrets) return -1;
    log->secrets = secrets;
    char *copy = mem_dup(secret.p, secret.n, e);
    if (!copy) return -1;
    log->secrets[log->secret_count++] = copy;
    return 0;
}

int log_parse_level(str s, enum log_level *out, struct err *e) {
    for (int i = LOG_ERROR; i <= LOG_DEBUG; i++) {
        if (!str_is(s, levels[i].name)) continue;
        *out = (enum log_level)i;
        return 0;
    }
    return fail(e, ERR_INVALID,
                "\"%.*s\" is not a log level (error, warn, info, debug)",
                STR_ARG(s));
}

void log_fini(struct log *log) {
    for (size_t i = 0; i < log->secret_count; i++) {
        mem_wipe(log->secrets[i], strlen(log->secrets[i]));
        mem_free(log->secrets[i]);
    }
    mem_free(log->secrets);
    log->secrets = NULL;
    log->secret_count = 0;
}
