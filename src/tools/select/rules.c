/* SPDX-License-Identifier: MIT */
#include "tools/select/rules.h"

#include <string.h>

#include "tools/select/dictionary.h"
#include "tools/select/tokenise.h"

#define TEXT_WORDS 96 /* of the text that are looked at */
#define NAME_WORDS 8  /* of the longest name */
#define JOINED_MAX 4096

struct word {
    char text[TERM_MAX];
    size_t len;
    bool opens, closes; /* a quote or backtick stands before, after it */
    bool glued;         /* no blank before it: part of one identifier */
};

struct words {
    size_t count;
    struct word word[TEXT_WORDS];
    bool all; /* nothing was left out */
};

static bool is_quote(str text, size_t at) {
    return at < text.n && strchr("`'\"", text.p[at]) && text.p[at] != 0;
}

static bool has_blank(str s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\t') return true;
    return false;
}

static void read_words(str text, struct words *out) {
    struct tokens t = TOKENS_PLAIN(text);
    size_t end = 0;
    out->count = 0;
    out->all = true;
    while (tokens_next(&t)) {
        if (out->count == TEXT_WORDS) {
            out->all = false;
            return;
        }
        struct word *w = &out->word[out->count++];
        memcpy(w->text, t.term, t.len);
        w->len = t.len;
        w->opens = t.start > 0 && is_quote(text, t.start - 1);
        w->closes = is_quote(text, t.end);
        w->glued = !has_blank(str_sub(text, end, t.start));
        end = t.end;
    }
}

/* Gives the term's living documents; false when the search is over. */
static bool give(const struct corpus *ix, const struct term *t,
                 rules_found *found, void *context) {
    const struct posting *p = corpus_postings(ix, t);
    for (size_t i = 0; i < t->count; i++)
        if (!corpus_doc(ix, p[i].doc)->dead && !found(context, p[i].doc))
            return false;
    return true;
}

/* Is the run of words from first to last written as a name: the whole text,
 * in quotes, or as one identifier of several words? */
static bool is_written_as_name(const struct words *w, size_t first,
                               size_t last) {
    if (first == 0 && last + 1 == w->count && w->all) return true;
    if (w->word[first].opens && w->word[last].closes) return true;
    for (size_t i = first + 1; i <= last; i++)
        if (!w->word[i].glued) return false;
    return last > first;
}

/* Looks up every run of words in one space, longer runs first. */
static void look_up(const struct corpus *ix, enum space space,
                    const struct words *w, bool anywhere, rules_found *found,
                    void *context) {
    for (size_t i = 0; i < w->count; i++) {
        char key[NAME_WORDS * (TERM_MAX + 1)];
        size_t ends[NAME_WORDS], runs = 0, n = 0;
        for (size_t k = i; k < w->count && runs < NAME_WORDS; k++) {
            if (n > 0) key[n++] = '_';
            memcpy(key + n, w->word[k].text, w->word[k].len);
            n += w->word[k].len;
            ends[runs++] = n;
        }
        for (size_t r = runs; r > 0; r--) {
            if (ends[r - 1] > DICTIONARY_KEY ||
                (!anywhere && !is_written_as_name(w, i, i + r - 1)))
                continue;
            const struct term *t =
                corpus_term(ix, space, (str){key, ends[r - 1]});
            if (!t || t->live == 0) continue;
            if (!give(ix, t, found, context)) return;
            break;
        }
    }
}

void rules_named(const struct corpus *ix, str text, rules_found *found,
                 void *context) {
    struct words w;
    read_words(text, &w);
    look_up(ix, SPACE_NAME, &w, false, found, context);
}

void rules_keywords(const struct corpus *ix, str text, rules_found *found,
                    void *context) {
    struct words w;
    if (ix->keywords == 0) return;
    read_words(text, &w);
    look_up(ix, SPACE_KEYWORD, &w, true, found, context);
}

/* "_pull_request_" is looked for in "_open_a_pull_request_". */
bool rules_match(str text, str words) {
    char in[JOINED_MAX + 2], what[DICTIONARY_KEY + 2];
    size_t n = corpus_join(text, in + 1, JOINED_MAX);
    size_t m = corpus_join(words, what + 1, DICTIONARY_KEY);
    in[0] = what[0] = in[n + 1] = what[m + 1] = '_';
    return m > 0 && str_find((str){in, n + 2}, (str){what, m + 2}) >= 0;
}
