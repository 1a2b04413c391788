/* SPDX-License-Identifier: MIT
 *
 * stem -- see stem.h.
 *
 * Vocabulary of the algorithm: R1 is the part after the first non-vowel that
 * follows a vowel, R2 the same rule applied to R1. A suffix is removed only
 * where it lies in the region its step names, which keeps short words whole. A
 * y that acts as a consonant is written Y while the steps run.
 */
#include "tools/select/stem.h"

#include <stdbool.h>
#include <string.h>

struct word {
    char *p;
    size_t n;
    size_t r1, r2; /* where the regions begin; at most n at the start */
};

struct suffix {
    const char *text;
    size_t n;
    const char *put; /* NULL: the step decides; "": deleted */
};

#define SUFFIX(text, put) \
    { text, sizeof(text) - 1, put }

static bool is_vowel(char c) {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
}

static bool ends(const struct word *w, const char *suffix) {
    size_t n = strlen(suffix);
    return w->n >= n && memcmp(w->p + w->n - n, suffix, n) == 0;
}

static bool has_vowel(const struct word *w, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (is_vowel(w->p[i])) return true;
    return false;
}

/* Replaces the last `cut` bytes; put is never longer than what it replaces,
 * except for the e that step 1b gives back after a longer cut. */
static void replace(struct word *w, size_t cut, const char *put) {
    size_t n = strlen(put);
    memcpy(w->p + w->n - cut, put, n);
    w->n = w->n - cut + n;
}

/* The longest suffix of the table that the word ends with. */
static const struct suffix *longest(const struct word *w,
                                    const struct suffix *table) {
    const struct suffix *best = NULL;
    size_t best_n = 0;
    for (const struct suffix *s = table; s->text; s++) {
        if (s->n <= best_n || s->n > w->n ||
            s->text[s->n - 1] != w->p[w->n - 1] ||
            memcmp(w->p + w->n - s->n, s->text, s->n))
            continue;
        best = s;
        best_n = s->n;
    }
    return best;
}

static size_t region_after(const struct word *w, size_t from) {
    size_t i = from;
    while (i < w->n && !is_vowel(w->p[i]))
        i++;
    while (i < w->n && is_vowel(w->p[i]))
        i++;
    return i < w->n ? i + 1 : w->n;
}

static void mark_regions(struct word *w) {
    static const char *const fixed[] = {"gener", "commun", "arsen", NULL};
    w->r1 = region_after(w, 0);
    for (size_t i = 0; fixed[i]; i++) {
        size_t n = strlen(fixed[i]);
        if (w->n >= n && memcmp(w->p, fixed[i], n) == 0) w->r1 = n;
    }
    w->r2 = region_after(w, w->r1);
}

static void mark_consonant_y(struct word *w) {
    for (size_t i = 0; i < w->n; i++)
        if (w->p[i] == 'y' && (i == 0 || is_vowel(w->p[i - 1]))) w->p[i] = 'Y';
}

/* Does the word end in a short syllable: consonant, vowel, consonant other
 * than w, x or Y; or a vowel at the start and one consonant? */
static bool ends_short(const struct word *w) {
    const char *p = w->p;
    size_t n = w->n;
    if (n == 2) return is_vowel(p[0]) && !is_vowel(p[1]);
    if (n < 3 || is_vowel(p[n - 1]) || strchr("wxY", p[n - 1])) return false;
    return is_vowel(p[n - 2]) && !is_vowel(p[n - 3]);
}

static bool is_short(const struct word *w) {
    return w->r1 >= w->n && ends_short(w);
}

static void step_1a(struct word *w) {
    if (ends(w, "sses")) {
        replace(w, 2, "");
    } else if (ends(w, "ied") || ends(w, "ies")) {
        replace(w, w->n > 4 ? 2 : 1, "");
    } else if (ends(w, "us") || ends(w, "ss")) {
        return;
    } else if (ends(w, "s") && w->n > 2 && has_vowel(w, w->n - 2)) {
        replace(w, 1, "");
    }
}

/* What is left after -ed or -ing may need its e back, or a letter less. */
static void step_1b_repair(struct word *w) {
    if (ends(w, "at") || ends(w, "bl") || ends(w, "iz")) {
        replace(w, 0, "e");
        return;
    }
    char last = w->p[w->n - 1];
    if (w->n > 1 && w->p[w->n - 2] == last && strchr("bdfgmnprt", last))
        replace(w, 1, "");
    else if (is_short(w))
        replace(w, 0, "e");
}

static void step_1b(struct word *w) {
    static const struct suffix table[] = {
        SUFFIX("eed", "ee"),
        SUFFIX("eedly", "ee"),
        SUFFIX("ed", NULL),
        SUFFIX("edly", NULL),
        SUFFIX("ing", NULL),
        SUFFIX("ingly", NULL),
        {0},
    };
    const struct suffix *s = longest(w, table);
    if (!s) return;
    size_t cut = s->n;
    if (s->put) {
        if (w->n - cut >= w->r1) replace(w, cut, s->put);
        return;
    }
    if (!has_vowel(w, w->n - cut)) return;
    replace(w, cut, "");
    step_1b_repair(w);
}

static void step_1c(struct word *w) {
    char *last = &w->p[w->n - 1];
    if (w->n > 2 && (*last == 'y' || *last == 'Y') && !is_vowel(last[-1]))
        *last = 'i';
}

static void step_2(struct word *w) {
    static const struct suffix table[] = {
        SUFFIX("tional", "tion"),
        SUFFIX("enci", "ence"),
        SUFFIX("anci", "ance"),
        SUFFIX("abli", "able"),
        SUFFIX("entli", "ent"),
        SUFFIX("izer", "ize"),
        SUFFIX("ization", "ize"),
        SUFFIX("ational", "ate"),
        SUFFIX("ation", "ate"),
        SUFFIX("ator", "ate"),
        SUFFIX("alism", "al"),
        SUFFIX("aliti", "al"),
        SUFFIX("alli", "al"),
        SUFFIX("fulness", "ful"),
        SUFFIX("ousli", "ous"),
        SUFFIX("ousness", "ous"),
        SUFFIX("iveness", "ive"),
        SUFFIX("iviti", "ive"),
        SUFFIX("biliti", "ble"),
        SUFFIX("bli", "ble"),
        SUFFIX("ogi", NULL),
        SUFFIX("fulli", "ful"),
        SUFFIX("lessli", "less"),
        SUFFIX("li", NULL),
        {0},
    };
    const struct suffix *s = longest(w, table);
    if (!s) return;
    size_t cut = s->n;
    if (w->n - cut < w->r1) return;
    if (s->put) {
        replace(w, cut, s->put);
        return;
    }
    char before = w->n > cut ? w->p[w->n - cut - 1] : 0;
    if (cut == 3 && before == 'l') replace(w, 1, "");
    if (cut == 2 && before && strchr("cdeghkmnrt", before)) replace(w, 2, "");
}

static void step_3(struct word *w) {
    static const struct suffix table[] = {
        SUFFIX("tional", "tion"), SUFFIX("ational", "ate"),
        SUFFIX("alize", "al"),    SUFFIX("icate", "ic"),
        SUFFIX("iciti", "ic"),    SUFFIX("ical", "ic"),
        SUFFIX("ful", ""),        SUFFIX("ness", ""),
        SUFFIX("ative", NULL),    {0},
    };
    const struct suffix *s = longest(w, table);
    if (!s) return;
    size_t cut = s->n;
    if (w->n - cut < (s->put ? w->r1 : w->r2)) return;
    replace(w, cut, s->put ? s->put : "");
}

static void step_4(struct word *w) {
    static const struct suffix table[] = {
        SUFFIX("al", ""),
        SUFFIX("ance", ""),
        SUFFIX("ence", ""),
        SUFFIX("er", ""),
        SUFFIX("ic", ""),
        SUFFIX("able", ""),
        SUFFIX("ible", ""),
        SUFFIX("ant", ""),
        SUFFIX("ment", ""),
        SUFFIX("ent", ""),
        SUFFIX("ement", ""),
        SUFFIX("ism", ""),
        SUFFIX("ate", ""),
        SUFFIX("iti", ""),
        SUFFIX("ous", ""),
        SUFFIX("ive", ""),
        SUFFIX("ize", ""),
        SUFFIX("ion", NULL),
        {0},
    };
    const struct suffix *s = longest(w, table);
    if (!s) return;
    size_t cut = s->n;
    if (w->n - cut < w->r2) return;
    char before = w->n > cut ? w->p[w->n - cut - 1] : 0;
    if (!s->put && before != 's' && before != 't') return;
    replace(w, cut, "");
}

static void step_5(struct word *w) {
    if (ends(w, "e")) {
        struct word stem = *w;
        stem.n--;
        if (stem.n >= w->r2 || (stem.n >= w->r1 && !ends_short(&stem)))
            w->n = stem.n;
    } else if (ends(w, "ll") && w->n - 1 >= w->r2) {
        w->n--;
    }
}

/* Words the rules would get wrong: given whole, with their stems. */
static bool is_exception(struct word *w) {
    static const struct suffix words[] = {
        SUFFIX("skis", "ski"),
        SUFFIX("skies", "sky"),
        SUFFIX("dying", "die"),
        SUFFIX("lying", "lie"),
        SUFFIX("tying", "tie"),
        SUFFIX("idly", "idl"),
        SUFFIX("gently", "gentl"),
        SUFFIX("ugly", "ugli"),
        SUFFIX("early", "earli"),
        SUFFIX("only", "onli"),
        SUFFIX("singly", "singl"),
        SUFFIX("sky", "sky"),
        SUFFIX("news", "news"),
        SUFFIX("howe", "howe"),
        SUFFIX("atlas", "atlas"),
        SUFFIX("cosmos", "cosmos"),
        SUFFIX("bias", "bias"),
        SUFFIX("andes", "andes"),
        {0},
    };
    for (const struct suffix *s = words; s->text; s++) {
        if (w->n != s->n || memcmp(w->p, s->text, w->n)) continue;
        replace(w, w->n, s->put);
        return true;
    }
    return false;
}

/* Words that are done after step 1a. */
static bool is_finished(const struct word *w) {
    static const char *const words[] = {
        "inning",  "outing", "canning", "herring", "earring",
        "proceed", "exceed", "succeed", NULL,
    };
    for (size_t i = 0; words[i]; i++)
        if (w->n == strlen(words[i]) && ends(w, words[i])) return true;
    return false;
}

static bool is_plain(const char *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i] < 'a' || p[i] > 'z') return false;
    return true;
}

size_t stem_english(char *word, size_t len) {
    struct word w = {.p = word, .n = len};
    if (len <= 2 || !is_plain(word, len) || is_exception(&w)) return w.n;
    mark_consonant_y(&w);
    mark_regions(&w);
    step_1a(&w);
    if (!is_finished(&w)) {
        step_1b(&w);
        step_1c(&w);
        step_2(&w);
        step_3(&w);
        step_4(&w);
        step_5(&w);
    }
    for (size_t i = 0; i < w.n; i++)
        if (w.p[i] == 'Y') w.p[i] = 'y';
    return w.n;
}
