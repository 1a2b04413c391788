/* SPDX-License-Identifier: MIT
 *
 * The tag that published examples give, and the same one by either way, at
 * every length around the sizes in which a message is taken.
 */
#include "base/gmac.h"

#include <string.h>

#include "base/codec.h"
#include "test.h"

#define LONGEST 5000

static uint64_t state = 1;

static uint8_t next_byte(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(state >> 56);
}

static void both(const uint8_t key[CRYPTO_KEY], str message,
                 uint8_t tag[GMAC_TAG]) {
    struct err e;
    uint8_t plain[GMAC_TAG];
    CHECK_OK(gmac(key, message, tag, &e), &e);
    CHECK_OK(gmac_plain(key, message, plain, &e), &e);
    CHECK(memcmp(tag, plain, GMAC_TAG) == 0);
}

/* The nonce and key of zeros: test case 13 of the GCM specification. */
TEST(an_empty_message_has_the_published_tag) {
    struct err e;
    static const uint8_t key[CRYPTO_KEY];
    uint8_t tag[GMAC_TAG];
    AUTO_BUF struct buf b = BUF_MAX(100);
    both(key, STR(""), tag);
    CHECK_OK(hex_encode((str){(const char *)tag, sizeof tag}, &b, &e), &e);
    CHECK_STR(buf_str(&b), "530f8afbc74536b9a963b4f1c4cb738b");
}

TEST(every_length_gives_the_same_tag_either_way) {
    static uint8_t bytes[LONGEST];
    uint8_t key[CRYPTO_KEY], tag[GMAC_TAG];
    for (size_t i = 0; i < LONGEST; i++)
        bytes[i] = next_byte();
    for (size_t n = 0; n < LONGEST; n += n < 1100 ? 1 : 67) {
        for (size_t i = 0; i < sizeof key; i++)
            key[i] = next_byte();
        both(key, (str){(const char *)bytes + n % 7, n - n % 7}, tag);
    }
}

TEST(every_bit_of_a_message_counts) {
    static uint8_t bytes[1200];
    static const uint8_t key[CRYPTO_KEY] = {1, 2, 3};
    str message = {(const char *)bytes, sizeof bytes};
    uint8_t tag[GMAC_TAG], other[GMAC_TAG];
    both(key, message, tag);
    for (size_t i = 0; i < sizeof bytes * 8; i += 37) {
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        both(key, message, other);
        CHECK(memcmp(tag, other, GMAC_TAG) != 0);
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    }
}
