/* SPDX-License-Identifier: MIT */
#include "base/crypto.h"

#include <string.h>

#include "base/codec.h"
#include "test.h"

static str view(const void *p, size_t n) {
    return (str){p, n};
}

static void check_hex(const uint8_t *p, size_t n, const char *want) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(1000);
    CHECK_OK(hex_encode(view(p, n), &b, &e), &e);
    CHECK_STR(buf_str(&b), want);
}

TEST(digests_match_the_published_examples) {
    struct err e;
    uint8_t d[CRYPTO_SHA256];
    CHECK_OK(crypto_sha256(STR("abc"), d, &e), &e);
    check_hex(
        d, sizeof d,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_OK(crypto_hmac((const uint8_t *)"Jefe", 4,
                         STR("what do ya want for nothing?"), d, &e),
             &e);
    check_hex(
        d, sizeof d,
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    uint8_t key[131]; /* RFC 4231, 4.7 */
    memset(key, 0xaa, sizeof key);
    CHECK_OK(crypto_hmac(key, sizeof key,
                         STR("Test Using Larger Than Block-Size Key - Hash Key "
                             "First"),
                         d, &e),
             &e);
    check_hex(
        d, sizeof d,
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(a_digest_over_pieces_is_that_of_the_whole) {
    struct err e;
    uint8_t whole[CRYPTO_SHA256], pieces[CRYPTO_SHA256];
    CHECK_OK(crypto_sha256(STR("abcdef"), whole, &e), &e);
    struct sha256 *h = sha256_new(&e);
    CHECK_OK(sha256_add(h, STR("abc"), &e), &e);
    CHECK_OK(sha256_add(h, STR(""), &e), &e);
    CHECK_OK(sha256_add(h, STR("def"), &e), &e);
    CHECK_OK(sha256_end(h, pieces, &e), &e);
    sha256_free(h);
    CHECK(crypto_equal(whole, pieces, sizeof whole));
}

TEST(keys_derived_for_two_purposes_differ) {
    struct err e;
    uint8_t master[CRYPTO_KEY] = {1}, a[CRYPTO_KEY], b[CRYPTO_KEY];
    CHECK_OK(crypto_derive(master, STR("snapshot"), a, &e), &e);
    CHECK_OK(crypto_derive(master, STR("state"), b, &e), &e);
    CHECK(!crypto_equal(a, b, sizeof a));
    CHECK_OK(crypto_derive(master, STR("snapshot"), b, &e), &e);
    CHECK(crypto_equal(a, b, sizeof a));
    /* HKDF of another library says the same */
    check_hex(
        a, sizeof a,
        "3f7157f6696d772a14aacb3f7098079bb6544bd478afe4bb7593137bb83e865a");
}

TEST(a_signature_verifies_and_an_altered_one_does_not) {
    struct err e;
    /* RFC 8032, 7.1, test 2 */
    AUTO_BUF struct buf secret = BUF_MAX(32);
    CHECK_OK(hex_decode(STR("4ccd089b28ff96da9db6c346ec114e0f"
                            "5b8a319f35aba624da8cf6ed4fb8a6fb"),
                        &secret, &e),
             &e);
    uint8_t pub[CRYPTO_KEY], sig[CRYPTO_SIGN];
    const uint8_t *seed = (const uint8_t *)secret.data;
    CHECK_OK(crypto_sign_public(seed, pub, &e), &e);
    check_hex(
        pub, sizeof pub,
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    CHECK_OK(crypto_sign(seed, STR("\x72"), sig, &e), &e);
    CHECK_EQ(sig[0], 0x92);
    CHECK_EQ(sig[63], 0x00);
    CHECK(crypto_verify(pub, STR("\x72"), sig));
    CHECK(!crypto_verify(pub, STR("\x73"), sig));
    sig[10] ^= 1;
    CHECK(!crypto_verify(pub, STR("\x72"), sig));
}

TEST(a_sealed_text_opens_only_unaltered_and_in_its_context) {
    struct err e;
    uint8_t key[CRYPTO_KEY] = {7};
    AUTO_BUF struct buf sealed = BUF_MAX(1000), plain = BUF_MAX(1000);
    CHECK_OK(crypto_seal(key, STR("call 1"), STR("secret"), &sealed, &e), &e);
    CHECK_OK(crypto_open(key, STR("call 1"), buf_str(&sealed), &plain, &e), &e);
    CHECK_STR(buf_str(&plain), "secret");
    CHECK_FAIL(crypto_open(key, STR("call 2"), buf_str(&sealed), &plain, &e),
               &e, ERR_DENIED);
    for (size_t i = 0; i < sealed.len; i++) {
        sealed.data[i] ^= 1;
        CHECK_FAIL(
            crypto_open(key, STR("call 1"), buf_str(&sealed), &plain, &e), &e,
            ERR_DENIED);
        sealed.data[i] ^= 1;
    }
    CHECK_FAIL(crypto_open(key, STR(""), STR("short"), &plain, &e), &e,
               ERR_DENIED);
    CHECK_STR(buf_str(&plain), "secret"); /* failures added nothing */
}
