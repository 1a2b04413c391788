/* SPDX-License-Identifier: MIT */
#include "lang/charname.h"

#include <string.h>

/* The one string below is long, which both compilers take. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

#define NAME_MAX_BYTES 64 /* of a name as numbers of words */

/* One behind the other, each with a NUL: a table of pointers would have to be
 * relocated at every start of the program. */
static const char words[] =
#define WORD(text) text "\0"
#define CHAR(...)
#include "lang/charwords.def"
#undef CHAR
#undef WORD
    ;

static const unsigned char chars[] = {
#define WORD(text)
#define CHAR(...) __VA_ARGS__,
#include "lang/charwords.def"
#undef CHAR
#undef WORD
};

static bool same(const char *upper, str word) {
    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];
        if (c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
        if (upper[i] != c) return false;
    }
    return true;
}

static int word_number(str word) {
    const char *at = words;
    for (int i = 0; *at; i++) {
        size_t n = strlen(at);
        if (n == word.n && same(at, word)) return i;
        at += n + 1;
    }
    return -1;
}

/* A name as the table has it; 0 bytes: a word is in no name. */
static size_t numbers_of(str name, unsigned char out[NAME_MAX_BYTES]) {
    size_t n = 0;
    while (name.p) {
        int i = word_number(str_cut(&name, ' '));
        if (i < 0 || n + 2 > NAME_MAX_BYTES) return 0;
        if (i >= 128) out[n++] = (unsigned char)(128 | i >> 8);
        out[n++] = (unsigned char)i;
    }
    return n;
}

static uint32_t read_step(const unsigned char **at) {
    uint32_t n = 0;
    for (int shift = 0;; shift += 7) {
        unsigned char byte = *(*at)++;
        n |= (uint32_t)(byte & 127) << shift;
        if (byte < 128) return n;
    }
}

int32_t charname_find(str name) {
    unsigned char want[NAME_MAX_BYTES];
    size_t n = numbers_of(name, want);
    uint32_t cp = 0;
    if (n == 0) return -1;
    for (const unsigned char *at = chars; at < chars + sizeof chars;) {
        cp += read_step(&at);
        size_t len = *at++;
        if (len == n && memcmp(at, want, n) == 0) return (int32_t)cp;
        at += len;
    }
    return -1;
}
