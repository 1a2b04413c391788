/* SPDX-License-Identifier: MIT */
#include "base/codec.h"

#include "test.h"

typedef int codec(str in, struct buf *out, struct err *e);

static void check(codec *fn, str in, const char *want) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(100);
    CHECK_OK(fn(in, &b, &e), &e);
    CHECK_STR(buf_str(&b), want);
}

static void refuse(codec *fn, str in) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(100);
    CHECK_FAIL(fn(in, &b, &e), &e, ERR_INVALID);
    CHECK_EQ(b.len, 0);
}

TEST(base64_matches_the_examples_of_rfc_4648) {
    const char *const pairs[][2] = {{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"fooba", "Zm9vYmE="},
                                    {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        check(base64_encode, str_of(pairs[i][0]), pairs[i][1]);
        check(base64_decode, str_of(pairs[i][1]), pairs[i][0]);
    }
}

TEST(base64url_has_its_own_letters_and_no_padding) {
    check(base64url_encode, STR("\xfb\xff\xfe"), "-__-");
    check(base64url_encode, STR("f"), "Zg");
    check(base64url_decode, STR("-__-"), "\xfb\xff\xfe");
    refuse(base64url_decode, STR("Zg=="));
    refuse(base64_decode, STR("-__-"));
}

TEST(text_that_nobody_would_encode_is_refused) {
    refuse(base64_decode, STR("Zg="));
    refuse(base64_decode, STR("Z==="));
    refuse(base64_decode, STR("===="));
    refuse(base64_decode, STR("Zh==")); /* stray bits */
    refuse(base64_decode, STR("Zm9v\n"));
    refuse(base64url_decode, STR("Z"));
    refuse(hex_decode, STR("abc"));
    refuse(hex_decode, STR("0g"));
}

TEST(hex_goes_there_and_back) {
    check(hex_encode, STR("\x00\xffz"), "00ff7a");
    check(hex_decode, STR("7A7b"), "z{");
}
