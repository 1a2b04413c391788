/* SPDX-License-Identifier: MIT */
#include "tools/names.h"

#include <stdio.h>
#include <string.h>

#include "base/crypto.h"
#include "base/utf8.h"
#include "lang/ident.h"
#include "lang/lex.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* ---- tags ---- */

/* "_" and 14 hexadecimal digits of SHA-256 over server, NUL, tool. */
static int write_tag(str server, str tool, char out[NAME_TAG + 1],
                     struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    struct sha256 *h = sha256_new(e);
    if (!h) return -1;
    int failed = sha256_add(h, server, e) || sha256_add(h, (str){"", 1}, e) ||
                 sha256_add(h, tool, e) || sha256_end(h, digest, e);
    sha256_free(h);
    if (failed) return -1;
    out[0] = '_';
    for (size_t i = 0; i < (NAME_TAG - 1) / 2; i++)
        snprintf(out + 1 + 2 * i, 3, "%02x", digest[i]);
    return 0;
}

static bool ends_in_tag(str s) {
    if (s.n < NAME_TAG || s.p[s.n - NAME_TAG] != '_') return false;
    for (size_t i = s.n - NAME_TAG + 1; i < s.n; i++)
        if (!is_hex(s.p[i])) return false;
    return true;
}

/* ---- vendors ---- */

static bool is_plain(str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!is_letter(s.p[i]) && !is_digit(s.p[i]) && s.p[i] != '-')
            return false;
    return s.n > 0;
}

/* Can the flat name be read back? The first "__" must be the one that was put
 * between server and tool, and no plain name may look like a tagged one. The
 * first character is a letter because one vendor wants it. */
static bool is_kept(str server, str tool) {
    size_t n = server.n > 0 ? server.n + 2 + tool.n : tool.n;
    if (n > NAME_MAX_VENDOR || !is_plain(tool) || ends_in_tag(tool))
        return false;
    if (server.n == 0)
        return is_letter(tool.p[0]) && str_find(tool, STR("__")) < 0;
    return is_plain(server) && is_letter(server.p[0]) &&
           str_find(server, STR("__")) < 0 && server.p[server.n - 1] != '_';
}

/* Adds s with what vendors refuse replaced, as far as there is room. */
static size_t add_legal(char *out, size_t n, size_t max, str s) {
    bool gap = false;
    for (size_t i = 0; i < s.n && n < max; i++) {
        bool legal = is_letter(s.p[i]) || is_digit(s.p[i]) || s.p[i] == '-';
        if (legal)
            out[n++] = s.p[i];
        else if (!gap)
            out[n++] = '_';
        gap = !legal;
    }
    return n;
}

static int flat_tagged(str server, str tool, struct arena *a, str *out,
                       struct err *e) {
    char name[NAME_MAX_VENDOR + 1], tag[NAME_TAG + 1];
    const size_t room = NAME_MAX_VENDOR - NAME_TAG;
    size_t n = 0;
    str first = server.n > 0 ? server : tool;
    if (write_tag(server, tool, tag, e)) return -1;
    if (first.n == 0 || !is_letter(first.p[0])) name[n++] = '_';
    if (server.n > 0) {
        n = add_legal(name, n, room / 2, server);
        n = add_legal(name, n, room, STR("__"));
    }
    n = add_legal(name, n, room, tool);
    memcpy(name + n, tag, NAME_TAG);
    return arena_dup(a, (str){name, n + NAME_TAG}, out, e);
}

int name_flat(str server, str tool, struct arena *a, str *out, struct err *e) {
    if (!is_kept(server, tool)) return flat_tagged(server, tool, a, out, e);
    if (server.n == 0) return arena_dup(a, tool, out, e);
    char *name =
        arena_printf(a, e, "%.*s__%.*s", STR_ARG(server), STR_ARG(tool));
    if (!name) return -1;
    *out = (str){name, server.n + 2 + tool.n};
    return 0;
}

/* ---- Python ---- */

static bool is_keyword(str s) {
    static const char *const words[] = {
#define TOK(name, text)
#define OP(name, text)
#define KEYWORD(name, text) text,
#include "lang/token.def"
#undef TOK
#undef OP
#undef KEYWORD
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

static bool is_reserved(str s) {
    static const char *const words[] = {
#define RESERVED(name) #name,
#include "tools/reserved.def"
#undef RESERVED
#define MODULE(name)         #name,
#define BOTH(name)           #name,
#define PYTHON(name, dotted) #name,
#define TEXT(name, dotted)
#include "stdlib/modules.def"
#undef MODULE
#undef BOTH
#undef PYTHON
#undef TEXT
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

/* Bytes of the identifier character at s.p[at], or 0. */
static size_t ident_part(const struct lexer *lx, size_t at) {
    unsigned char c = (unsigned char)lx->text.p[at];
    if (c < 0x80) return is_letter((char)c) || is_digit((char)c);
    return lex_ident_part(lx, at);
}

/* The identifier characters of s; what is none becomes one '_' a run. */
static size_t add_ident(char *out, size_t max, str s) {
    struct lexer lx = {.text = s};
    size_t n = 0;
    bool gap = false;
    for (size_t at = 0, len; at < s.n; at += len) {
        size_t part = ident_part(&lx, at);
        len = part > 0 ? part : 1;
        if (n + len > max) break;
        if (part > 0)
            memcpy(out + n, s.p + at, part), n += part;
        else if (!gap)
            out[n++] = '_';
        gap = part == 0;
    }
    return n;
}

/* An identifier may not begin with a digit or a mark. */
static bool needs_start(str s) {
    struct lexer lx = {.text = s};
    return s.n == 0 || lex_ident_start(&lx, 0) == 0;
}

static bool says_something(str s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '_') return true;
    return false;
}

static int add_underscore(str name, struct arena *a, str *out, struct err *e) {
    char *longer = arena_printf(a, e, "%.*s_", STR_ARG(name));
    if (!longer) return -1;
    *out = (str){longer, name.n + 1};
    return 0;
}

int name_python(str name, struct arena *a, str *out, struct err *e) {
    char text[NAME_MAX_VENDOR + 1] = "_", tag[NAME_TAG + 1];
    str ident = {text + 1, add_ident(text + 1, NAME_MAX_VENDOR - 1, name)};
    if (!says_something(ident)) {
        if (write_tag(STR(""), name, tag, e)) return -1;
        return arena_dup(a, (str){tag, NAME_TAG}, out, e);
    }
    if (needs_start(ident)) ident = (str){text, ident.n + 1};
    bool ascii = utf8_is_ascii(ident.p, ident.n);
    if (!ascii && ident_normal(ident, a, &ident, e)) return -1;
    if (!is_keyword(ident)) return arena_dup(a, ident, out, e);
    return add_underscore(ident, a, out, e);
}

int name_space(str server, struct arena *a, str *out, struct err *e) {
    str name = STR("");
    if (server.n > 0 && name_python(server, a, &name, e)) return -1;
    if (is_reserved(name)) return add_underscore(name, a, out, e);
    *out = name;
    return 0;
}

int name_distinct(str python, str name, struct arena *a, str *out,
                  struct err *e) {
    char tag[NAME_TAG + 1];
    if (write_tag(STR(""), name, tag, e)) return -1;
    char *text = arena_printf(a, e, "%.*s_%.6s", STR_ARG(python), tag + 1);
    if (!text) return -1;
    *out = str_of(text);
    return 0;
}
