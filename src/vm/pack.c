/* SPDX-License-Identifier: MIT
 *
 * Packing, for who makes the template; unpack.c is for the others.
 */
#include "vm/pack.h"

#include <string.h>

#include "base/mem.h"

/* -- what only people need ----------------------------------------------------
 */

/* Past the string literal that begins at text.p[at]. */
static size_t skip_string(str text, size_t at) {
    char quote = text.p[at];
    size_t n = 1;
    if (at + 2 < text.n && text.p[at + 1] == quote && text.p[at + 2] == quote)
        n = 3;
    for (at += n; at < text.n; at++) {
        if (text.p[at] == '\\') {
            at++;
        } else if (text.p[at] == quote) {
            size_t run = 1;
            while (run < n && at + run < text.n && text.p[at + run] == quote)
                run++;
            if (run == n) return at + n;
            at += run - 1;
        }
    }
    return text.n;
}

/* Past the line (or lines, with a long string) that begins at text.p[at];
 * *code: the end of what is to be kept of it. */
static size_t skip_line(str text, size_t at, size_t *code) {
    *code = at;
    while (at < text.n && text.p[at] != '\n') {
        char c = text.p[at];
        if (c == '#') {
            while (at < text.n && text.p[at] != '\n')
                at++;
            break;
        }
        at = c == '"' || c == '\'' ? skip_string(text, at) : at + 1;
        if (c != ' ') *code = at;
    }
    return at + (at < text.n);
}

int pack_squeeze(str text, struct buf *out, struct err *e) {
    for (size_t at = 0; at < text.n;) {
        size_t start = at, end;
        while (start < text.n && text.p[start] == ' ')
            start++;
        size_t next = skip_line(text, start, &end);
        for (size_t i = 4; end > start && i <= start - at; i += 4)
            if (buf_add_char(out, ' ', e)) return -1;
        if (end > start && (buf_add(out, text.p + start, end - start, e) ||
                            buf_add_char(out, '\n', e)))
            return -1;
        at = next;
    }
    return 0;
}

/* -- pairs --------------------------------------------------------------------
 */

/* The most frequent pair, which must save something; a text ends at its NUL. */
static unsigned most_frequent(str all, uint32_t *counts) {
    unsigned best = 0;
    memset(counts, 0, 65536 * sizeof *counts);
    for (size_t i = 1; i < all.n; i++) {
        unsigned a = (unsigned char)all.p[i - 1], b = (unsigned char)all.p[i];
        unsigned at = a << 8 | b;
        if (a && b && ++counts[at] > counts[best]) best = at;
    }
    return counts[best] > 3 ? best : 0;
}

static void replace(struct buf *all, unsigned pair, unsigned code) {
    size_t to = 0;
    for (size_t i = 0; i < all->len; i++) {
        char c = all->data[i];
        bool both = (unsigned char)c == pair >> 8 && i + 1 < all->len &&
                    (unsigned char)all->data[i + 1] == (pair & 255);
        all->data[to++] = both ? (char)code : c;
        i += both;
    }
    buf_truncate(all, to);
}

int pack_learn(struct buf *all, struct pack *pack, struct err *e) {
    uint32_t *counts = mem_alloc(65536 * sizeof *counts, e);
    if (!counts) return -1;
    *pack = (struct pack){0};
    for (unsigned i = 0; i < PACK_PAIRS; i++) {
        unsigned pair = most_frequent(buf_str(all), counts);
        if (!pair) break;
        pack->pair[i][0] = (unsigned char)(pair >> 8);
        pack->pair[i][1] = (unsigned char)pair;
        replace(all, pair, 128 + i);
    }
    mem_free(counts);
    return 0;
}
