/* SPDX-License-Identifier: MIT */
#include "tools/select/sentence.h"

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* "e.g.", "i.e.", "etc.", "vs." and single letters ("J. Smith"). */
static bool is_abbreviation(str text, size_t dot) {
    static const char *const known[] = {"eg", "e.g", "i.e",   "ie",
                                        "vs", "no",  "approx"};
    size_t from = dot;
    while (from > 0 && !is_space(text.p[from - 1]) && text.p[from - 1] != '(')
        from--;
    str word = str_sub(text, from, dot);
    if (word.n == 1) return true;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_eq_nocase(word, str_of(known[i]))) return true;
    return false;
}

/* Bytes of the sentence end at text.p[at], or 0. */
static size_t sentence_end(str text, size_t at) {
    static const char *const wide[] = {"。", "！", "？"};
    char c = text.p[at];
    if (c == '\n') return 1;
    if ((unsigned char)c >= 0x80) {
        for (size_t i = 0; i < 3; i++)
            if (str_starts(str_sub(text, at, text.n), str_of(wide[i])))
                return 3;
        return 0;
    }
    if (c != '.' && c != '!' && c != '?') return 0;
    if (at + 1 < text.n && !is_space(text.p[at + 1]) && text.p[at + 1] != '"')
        return 0;
    return c == '.' && is_abbreviation(text, at) ? 0 : 1;
}

/* Bytes of the joint between two clauses at text.p[at], or 0. */
static size_t clause_joint(str text, size_t at) {
    static const char *const words[] = {", and then ", " and then ", ", and ",
                                        ", then ",     " then ",     " and ",
                                        ", ",          "; "};
    char c = text.p[at];
    if (c != ' ' && c != ',' && c != ';') return 0;
    str here = str_sub(text, at, text.n);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_starts(here, str_of(words[i]))) return str_of(words[i]).n;
    return 0;
}

static bool cut(str *rest, str *piece, bool clauses) {
    while (rest->n > 0) {
        size_t at = 0, mark = 0;
        for (; at < rest->n && mark == 0; at++) {
            mark = sentence_end(*rest, at);
            if (mark == 0 && clauses) mark = clause_joint(*rest, at);
            if (mark > 0) break;
        }
        *piece = str_trim(str_sub(*rest, 0, clauses ? at : at + mark));
        *rest = str_sub(*rest, at + mark, rest->n);
        if (piece->n > 0) return true;
    }
    return false;
}

bool sentence_next(str *rest, str *sentence) {
    return cut(rest, sentence, false);
}

bool clause_next(str *rest, str *clause) {
    return cut(rest, clause, true);
}

static bool has_nocase(str text, const char *words) {
    str w = str_of(words);
    for (size_t i = 0; i + w.n <= text.n; i++)
        if ((text.p[i] | 0x20) == (w.p[0] | 0x20) &&
            str_eq_nocase(str_sub(text, i, i + w.n), w))
            return true;
    return false;
}

bool sentence_is_negative(str sentence) {
    static const char *const signs[] = {
        "do not use",         "don't use",
        "don’t use",          " not for ",
        "never use",          "not intended",
        "should not be used", "do not call",
        "don't call",         "not to be used",
        "cannot be used",     "isn't for",
        "not suitable",       "instead of this tool",
    };
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (has_nocase(sentence, signs[i])) return true;
    return false;
}
