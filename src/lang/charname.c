/* SPDX-License-Identifier: MIT */
#include "lang/charname.h"

#include <string.h>

/* The one string below is long, which both compilers take. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

/* Names one behind the other, each with a NUL: a table of pointers would have
 * to be relocated at every start of the program. */
static const char names[] =
#define CHAR(cp, name) name "\0"
#include "lang/charnames.def"
#undef CHAR
    ;

static const uint32_t points[] = {
#define CHAR(cp, name) cp,
#include "lang/charnames.def"
#undef CHAR
};

static bool same(const char *upper, str name) {
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
        if (upper[i] != c) return false;
    }
    return true;
}

int32_t charname_find(str name) {
    const char *at = names;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        size_t n = strlen(at);
        if (n == name.n && same(at, name)) return (int32_t)points[i];
        at += n + 1;
    }
    return -1;
}
