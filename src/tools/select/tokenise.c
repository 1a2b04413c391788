/* SPDX-License-Identifier: MIT
 *
 * tokenise -- see tokenise.h.
 */
#include "tools/select/tokenise.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "tools/select/stem.h"

enum class {
    SEPARATOR,
    LOWER, /* letters without case, too */
    UPPER,
    DIGIT,
    CJK,
    APOSTROPHE,
    IGNORED, /* invisible, or a combining mark: belongs to what precedes */
};

struct glyph {
    enum class class;
    size_t bytes;      /* in the source; 0 at the end of the text */
    size_t folded_len; /* bytes of folded */
    char folded[16];   /* lower case, accents removed */
};

static enum class ascii_class(unsigned char c) {
    if (c >= 'a' && c <= 'z') return LOWER;
    if (c >= 'A' && c <= 'Z') return UPPER;
    if (c >= '0' && c <= '9') return DIGIT;
    return c == '\'' ? APOSTROPHE : SEPARATOR;
}

static bool is_cjk(uint32_t cp) {
    return (cp >= 0x3041 && cp <= 0x30ff) || (cp >= 0x3400 && cp <= 0x4dbf) ||
           (cp >= 0x4e00 && cp <= 0x9fff) || (cp >= 0xac00 && cp <= 0xd7a3) ||
           (cp >= 0xf900 && cp <= 0xfaff) || (cp >= 0x20000 && cp <= 0x3ffff);
}

static enum class unicode_class(uint32_t cp) {
    if (is_cjk(cp)) return CJK;
    if (cp == 0x2019 || cp == 0x02bc) return APOSTROPHE;
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    if (c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LT) return UPPER;
    if (c >= UTF8PROC_CATEGORY_LL && c <= UTF8PROC_CATEGORY_LO) return LOWER;
    if (c >= UTF8PROC_CATEGORY_MN && c <= UTF8PROC_CATEGORY_ME) return IGNORED;
    if (c >= UTF8PROC_CATEGORY_ND && c <= UTF8PROC_CATEGORY_NO) return DIGIT;
    return c == UTF8PROC_CATEGORY_CF ? IGNORED : SEPARATOR;
}

/* Compatibility form, case folded, marks dropped ("É" -> "e", "ﬁ" -> "fi"). */
static void fold(uint32_t cp, struct glyph *g) {
    utf8proc_int32_t out[8];
    int boundary = 0;
    utf8proc_ssize_t n = utf8proc_decompose_char(
        (utf8proc_int32_t)cp, out, 8,
        (utf8proc_option_t)(UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE |
                            UTF8PROC_CASEFOLD | UTF8PROC_IGNORE |
                            UTF8PROC_STRIPMARK),
        &boundary);
    g->folded_len = 0;
    for (utf8proc_ssize_t i = 0; i < n && i < 8; i++) {
        if (g->folded_len + UTF8_MAX > sizeof g->folded) break;
        g->folded_len +=
            utf8_encode((uint32_t)out[i], g->folded + g->folded_len);
    }
}

static struct glyph glyph_at(str text, size_t at) {
    struct glyph g = {.class = SEPARATOR};
    if (at >= text.n) return g;
    unsigned char c = (unsigned char)text.p[at];
    g.bytes = 1;
    if (c < 0x80) {
        g.class = ascii_class(c);
        g.folded[0] = (char)(g.class == UPPER ? c + ('a' - 'A') : c);
        g.folded_len = 1;
        return g;
    }
    uint32_t cp = 0;
    size_t n = utf8_decode(text.p + at, text.n - at, &cp);
    if (n == 0) return g;
    g.bytes = n;
    g.class = unicode_class(cp);
    if (g.class == CJK) {
        memcpy(g.folded, text.p + at, n);
        g.folded_len = n;
    } else if (g.class != IGNORED && g.class != SEPARATOR) {
        fold(cp, &g);
    }
    return g;
}

/* The glyph at `at` or the first after it that is not invisible. */
static struct glyph visible_at(str text, size_t *at) {
    struct glyph g = glyph_at(text, *at);
    while (g.class == IGNORED) {
        *at += g.bytes;
        g = glyph_at(text, *at);
    }
    return g;
}

static void add_glyph(struct tokens *t, const struct glyph *g) {
    if (t->len + g->folded_len > TERM_MAX) return;
    memcpy(t->term + t->len, g->folded, g->folded_len);
    t->len += g->folded_len;
}

/* Each character of a run, and each pair of neighbours. */
static bool cjk_term(struct tokens *t, const struct glyph *g) {
    t->start = t->at;
    t->len = 0;
    add_glyph(t, g);
    size_t after = t->at + g->bytes;
    struct glyph next = visible_at(t->text, &after);
    if (t->pair) {
        add_glyph(t, &next);
        t->end = after + next.bytes;
        t->at += g->bytes;
        t->pair = false;
        return true;
    }
    t->end = t->at + g->bytes;
    t->pair = next.class == CJK && !t->words;
    if (!t->pair) t->at += g->bytes;
    return true;
}

/* In a run of capitals the last one starts a word if a small letter follows
 * (HTTPServer), unless that letter is the s of a plural (URLs). */
static bool capital_starts_word(str text, size_t at) {
    struct glyph next = visible_at(text, &at);
    if (next.class != LOWER) return false;
    if (next.folded_len != 1 || next.folded[0] != 's') return true;
    at += next.bytes;
    return visible_at(text, &at).class == LOWER;
}

static bool word_continues(const struct tokens *t, enum class last,
                           const struct glyph *g, size_t after) {
    if (last == DIGIT || g->class == DIGIT)
        return last == DIGIT && g->class == DIGIT;
    if (g->class == LOWER) return true;
    return g->class == UPPER && last == UPPER &&
           !capital_starts_word(t->text, after);
}

/* Is the s at `at` a possessive one? Then *after is where it ends. */
static bool is_possessive(str text, size_t at, size_t *after) {
    struct glyph s = visible_at(text, &at);
    if (s.folded_len != 1 || s.folded[0] != 's') return false;
    size_t end = at += s.bytes;
    enum class then = visible_at(text, &at).class;
    if (then == LOWER || then == UPPER) return false;
    *after = end;
    return true;
}

/* "user's" is user; "don't" is dont. */
static void read_word(struct tokens *t, struct glyph g) {
    enum class last = g.class;
    t->start = t->at;
    t->len = 0;
    add_glyph(t, &g);
    t->end = t->at += g.bytes;
    for (;;) {
        size_t at = t->at;
        g = visible_at(t->text, &at);
        if (g.class == APOSTROPHE && last != DIGIT) {
            at += g.bytes;
            if (is_possessive(t->text, at, &t->at)) return;
            g = visible_at(t->text, &at);
        }
        if (!word_continues(t, last, &g, at + g.bytes)) return;
        add_glyph(t, &g);
        t->end = t->at = at + g.bytes;
        last = g.class;
    }
}

static int compare_word(const void *key, const void *entry) {
    return str_cmp(*(const str *)key, str_of(*(const char *const *)entry));
}

bool token_is_stop(str word) {
    static const char *const words[] = {
#define STOP(w) #w,
#include "tools/select/stopwords.def"
#undef STOP
    };
    if (word.n > 8) return false; /* none is longer */
    return bsearch(&word, words, sizeof words / sizeof words[0],
                   sizeof words[0], compare_word) != NULL;
}

bool tokens_next(struct tokens *t) {
    for (;;) {
        struct glyph g = glyph_at(t->text, t->at);
        if (g.bytes == 0) return false;
        if (g.class == CJK) return cjk_term(t, &g);
        if (g.class != LOWER && g.class != UPPER && g.class != DIGIT) {
            t->at += g.bytes;
            continue;
        }
        read_word(t, g);
        if (t->len == 0) continue;
        if (t->words) return true;
        if (token_is_stop(tokens_term(t))) continue;
        t->len = stem_english(t->term, t->len);
        return true;
    }
}
