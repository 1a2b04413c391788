/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "tools/select/sentence.h"
#include "tools/select/stem.h"
#include "tools/select/tokenise.h"

#include "test.h"

#include <string.h>

/* The terms of text, separated by blanks. */
static const char *terms(str text, bool plain) {
    static char out[4096];
    size_t n = 0;
    struct tokens t = plain ? TOKENS_PLAIN(text) : TOKENS(text);
    while (tokens_next(&t) && n + TERM_MAX + 2 < sizeof out) {
        if (n > 0) out[n++] = ' ';
        memcpy(out + n, t.term, t.len);
        n += t.len;
    }
    out[n] = 0;
    return out;
}

TEST(words_become_their_stems) {
    static const char *const cases[][2] = {
        {"running", "run"},
        {"flies", "fli"},
        {"relational", "relat"},
        {"meetings", "meet"},
        {"generously", "generous"},
        {"news", "news"},
        {"hopping", "hop"},
        {"hoping", "hope"},
        {"sky", "sky"},
        {"yearly", "year"},
        {"cries", "cri"},
        {"by", "by"},
        {"communication", "communic"},
        {"exceed", "exceed"},
        {"caresses", "caress"},
        {"nationalities", "nation"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char word[32];
        strcpy(word, cases[i][0]);
        size_t n = stem_english(word, strlen(word));
        CHECK_STR(((str){word, n}), cases[i][1]);
    }
}

TEST(stems_are_never_longer_and_other_letters_are_left_alone) {
    char word[] = "wörter";
    CHECK_EQ(stem_english(word, strlen(word)), strlen(word));
    char letters[16];
    for (unsigned n = 0; n < 20000; n++) {
        size_t len = 1 + n % 12;
        for (size_t i = 0; i < len; i++)
            letters[i] = "aeiouysgtdnl"[(n * 31 + i * i * 7 + n / 97 * i) % 12];
        CHECK(stem_english(letters, len) <= len);
    }
}

TEST(identifiers_are_split_at_case_digits_and_punctuation) {
    CHECK_TEXT(terms(STR("getHTTPStatus2"), true), "get http status 2");
    CHECK_TEXT(terms(STR("list_pull-requests.v3"), true),
               "list pull requests v 3");
    CHECK_TEXT(terms(STR("fetchURLs IDs"), true), "fetch urls ids");
    CHECK_TEXT(terms(STR("user's data, don't"), true), "user data dont");
}

TEST(stop_words_and_courtesies_are_left_out) {
    CHECK_TEXT(terms(STR("Could you please help me find the files?"), false),
               "find file");
    CHECK(token_is_stop(STR("the")));
    CHECK(!token_is_stop(STR("file")));
}

TEST(accents_widths_and_invisible_characters_are_folded) {
    CHECK_TEXT(terms(STR("Café ＣＡＦＥ ca\xe2\x80\x8b"
                         "fe"),
                     true),
               "cafe cafe cafe");
    CHECK_TEXT(terms(STR("\xe2\x80\xae"
                         "search"),
                     true),
               "search");
}

TEST(chinese_gives_characters_and_pairs) {
    CHECK_TEXT(terms(STR("搜索网页"), false), "搜 搜索 索 索网 网 网页 页");
}

TEST(bytes_that_are_not_utf8_only_separate) {
    CHECK_TEXT(terms(STR("good\xff\xfe"
                         "bad\xc3"),
                     true),
               "good bad");
}

TEST(long_words_are_cut_and_bounded) {
    char text[5000];
    memset(text, 'x', sizeof text);
    struct tokens t = TOKENS(((str){text, sizeof text}));
    CHECK(tokens_next(&t));
    CHECK(t.len <= TERM_MAX);
    CHECK(!tokens_next(&t));
}

TEST(a_term_knows_where_it_stands) {
    struct tokens t = TOKENS(STR("  openFile"));
    CHECK(tokens_next(&t));
    CHECK_EQ(t.start, 2);
    CHECK_EQ(t.end, 6);
}

static void check_sentences(const char *text, const char *const *want,
                            bool clauses) {
    str rest = str_of(text), piece;
    size_t n = 0;
    while (clauses ? clause_next(&rest, &piece)
                   : sentence_next(&rest, &piece)) {
        CHECK(want[n] != NULL);
        CHECK_STR(piece, want[n]);
        n++;
    }
    CHECK(want[n] == NULL);
}

TEST(sentences_end_at_marks_but_not_in_names_or_abbreviations) {
    static const char *const want[] = {
        "Reads config.json, e.g. from v1.2 files.",
        "Then stops!",
        "Really?",
        "一。",
        "二",
        NULL};
    check_sentences("Reads config.json, e.g. from v1.2 files. Then stops!\n"
                    "Really? 一。二",
                    want, false);
}

TEST(requests_are_cut_into_clauses) {
    static const char *const want[] = {"find flights", "book one", "tell Bob",
                                       "Pay", NULL};
    check_sentences("find flights, and then book one and tell Bob. Pay", want,
                    true);
}

TEST(negative_sentences_are_recognised) {
    CHECK(sentence_is_negative(STR("Do not use for deleting files.")));
    CHECK(sentence_is_negative(STR("This is NOT FOR images.")));
    CHECK(!sentence_is_negative(STR("Deletes a note for good.")));
}
