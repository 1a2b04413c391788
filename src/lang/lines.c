/* SPDX-License-Identifier: MIT */
#include "lang/lines.h"

#include <string.h>

#include "base/utf8.h"

enum { STEP = 256 };

static uint32_t count_lines(str s) {
    uint32_t n = 1;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '\n' || s.p[i] == '\r';
    return n;
}

static void find_lines(struct lines *l) {
    str s = l->source;
    uint32_t i = str_starts(s, STR("\xef\xbb\xbf")) ? 3 : 0;
    l->starts[l->count++] = i;
    while (i < s.n) {
        uint32_t skip = newline_len(s.p + i, s.n - i);
        i += skip ? skip : 1;
        if (skip) l->starts[l->count++] = i;
    }
}

static bool continues(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void count_wide(struct lines *l) {
    uint32_t n = 0;
    for (size_t i = 0; i < l->source.n; i++) {
        if (i % STEP == 0) l->wide[i / STEP] = n;
        n += continues(l->source.p[i]);
    }
}

int lines_init(struct lines *l, str source, struct arena *a, struct err *e) {
    *l = (struct lines){.source = source};
    l->starts = arena_alloc(a, count_lines(source) * sizeof *l->starts, e);
    if (!l->starts) return -1;
    find_lines(l);
    if (utf8_is_ascii(source.p, source.n)) return 0;
    l->wide = arena_alloc(a, (source.n / STEP + 1) * sizeof *l->wide, e);
    if (!l->wide) return -1;
    count_wide(l);
    return 0;
}

/* Continuation bytes before the offset. */
static uint32_t wide_before(const struct lines *l, uint32_t offset) {
    if (!l->wide || offset == 0) return 0;
    uint32_t from = (offset - 1) / STEP, n = l->wide[from];
    for (uint32_t i = from * STEP; i < offset; i++)
        n += continues(l->source.p[i]);
    return n;
}

static uint32_t find_line(struct lines *l, uint32_t offset) {
    uint32_t lo = 0, hi = l->count, guess = l->last;
    if (l->starts[guess] <= offset) lo = guess;
    if (guess + 1 < l->count && offset < l->starts[guess + 1]) hi = guess + 1;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        *(l->starts[mid] <= offset ? &lo : &hi) = mid;
    }
    l->last = lo;
    return lo;
}

struct place lines_place(struct lines *l, uint32_t offset) {
    if (offset > l->source.n) offset = (uint32_t)l->source.n;
    uint32_t line = find_line(l, offset), start = l->starts[line];
    uint32_t byte = offset > start ? offset - start : 0;
    uint32_t wide = wide_before(l, start + byte) - wide_before(l, start);
    return (struct place){line + 1, byte, byte - wide};
}
