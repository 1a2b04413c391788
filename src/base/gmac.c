/* SPDX-License-Identifier: MIT
 *
 * GMAC by libcrypto's own routines, as sha256.c: to make its providers ready
 * takes longer than the MAC of a megabyte. They multiply two words at a time;
 * where a processor multiplies eight, the polynomial is evaluated here, three
 * times as fast.
 *
 * GHASH reads a block as a polynomial whose first bit is the constant term.
 * With its bytes reversed a block is a number in which every bit stands
 * mirrored, and a product of two such numbers lacks one shift, which the powers
 * of the key are given beforehand (divided by x).
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/gmac.h"

#include <openssl/aes.h>
#include <openssl/modes.h>
#include <string.h>

#include "base/mem.h"

#define BLOCK 16

static int broken(struct err *e) {
    return fail(e, ERR_INTERNAL, "libcrypto: GMAC failed");
}

int gmac_plain(const uint8_t key[CRYPTO_KEY], str bytes, uint8_t out[GMAC_TAG],
               struct err *e) {
    static const unsigned char iv[12];
    AES_KEY aes;
    if (AES_set_encrypt_key(key, 8 * CRYPTO_KEY, &aes)) return broken(e);
    GCM128_CONTEXT *g = CRYPTO_gcm128_new(&aes, (block128_f)AES_encrypt);
    bool good = g != NULL;
    if (good) {
        CRYPTO_gcm128_setiv(g, iv, sizeof iv);
        good =
            CRYPTO_gcm128_aad(g, (const unsigned char *)bytes.p, bytes.n) == 0;
        CRYPTO_gcm128_tag(g, out, GMAC_TAG);
        CRYPTO_gcm128_release(g);
    }
    mem_wipe(&aes, sizeof aes);
    return good ? 0 : broken(e);
}

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

#define WIDE   __attribute__((target("avx512f,avx512bw,vpclmulqdq,pclmul")))
#define LANES  4               /* blocks in a register */
#define WIDTH  8               /* registers taken together */
#define STRIDE (LANES * WIDTH) /* blocks between two reductions */
#define XOR3   0x96            /* of three bits, as a table of eight */
#define AHEAD  8192 /* bytes asked for early: memory is slower than this is */

/* What the system saves when it switches tasks: SSE, AVX and AVX-512. */
static bool saves_wide(void) {
    const uint32_t all = 0xe6;
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & all) == all;
}

static bool has_wide(void) {
    const uint32_t pclmul = 1u << 1, osxsave = 1u << 27; /* of leaf 1, ecx */
    const uint32_t f = 1u << 16, bw = 1u << 30, vl = 1u << 31; /* of 7, ebx */
    const uint32_t vpclmul = 1u << 10;                         /* of 7, ecx */
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    if (!(c & pclmul) || !(c & osxsave) || !saves_wide()) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & f) && (b & bw) &&
           (b & vl) && (c & vpclmul);
}

/* Powers of the hash key, the highest first: what the first block of a stride
 * is multiplied by stands first. */
struct powers {
    __m512i of[WIDTH];
    __m128i first; /* the key itself */
};

/* A product of 256 bits, its middle not yet added. */
struct wide {
    __m512i low, middle, high;
};

WIDE static inline __m128i reversed(__m128i block) {
    return _mm_shuffle_epi8(block, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                                10, 11, 12, 13, 14, 15));
}

WIDE static inline __m512i reversed_all(__m512i blocks) {
    return _mm512_shuffle_epi8(
        blocks, _mm512_broadcast_i32x4(_mm_set_epi8(
                    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
}

/* Modulo x^128 + x^127 + x^126 + x^121 + 1 (mirrored), a word at a time from
 * below: each is cancelled by a multiple of the polynomial. */
WIDE static inline __m128i reduced(__m128i low, __m128i high) {
    const __m128i poly = _mm_set_epi64x(0, (long long)0xc200000000000000u);
    for (int i = 0; i < 2; i++)
        low = _mm_xor_si128(_mm_shuffle_epi32(low, 0x4e),
                            _mm_clmulepi64_si128(low, poly, 0x00));
    return _mm_xor_si128(low, high);
}

WIDE static inline __m128i times(__m128i a, __m128i b) {
    __m128i middle = _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x01),
                                   _mm_clmulepi64_si128(a, b, 0x10));
    __m128i low = _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x00),
                                _mm_slli_si128(middle, 8));
    __m128i high = _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x11),
                                 _mm_srli_si128(middle, 8));
    return reduced(low, high);
}

/* Mirrored, a division by x is a shift to the left; what falls out comes back
 * as the polynomial. */
WIDE static __m128i divided_by_x(__m128i h) {
    uint64_t word[2];
    memcpy(word, &h, sizeof word);
    uint64_t out = 0 - (word[1] >> 63);
    uint64_t low = word[0] << 1 | (out & 1);
    uint64_t high = (word[1] << 1 | word[0] >> 63) ^ (out & 0xc2ull << 56);
    return _mm_set_epi64x((long long)high, (long long)low);
}

WIDE static void powers_init(struct powers *p, const uint8_t key[BLOCK]) {
    __m128i each[STRIDE], h;
    memcpy(&h, key, sizeof h);
    p->first = divided_by_x(reversed(h));
    each[STRIDE - 1] = p->first;
    for (int i = STRIDE - 1; i > 0; i--)
        each[i - 1] = times(each[i], p->first);
    memcpy(p->of, each, sizeof p->of);
    mem_wipe(each, sizeof each);
}

WIDE static inline void add_product(struct wide *sum, __m512i a, __m512i b) {
    sum->low = _mm512_xor_si512(sum->low, _mm512_clmulepi64_epi128(a, b, 0x00));
    sum->high =
        _mm512_xor_si512(sum->high, _mm512_clmulepi64_epi128(a, b, 0x11));
    sum->middle = _mm512_ternarylogic_epi64(
        sum->middle, _mm512_clmulepi64_epi128(a, b, 0x01),
        _mm512_clmulepi64_epi128(a, b, 0x10), XOR3);
}

WIDE static inline __m128i lanes_added(__m512i v) {
    __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(v),
                                    _mm512_extracti64x4_epi64(v, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(half),
                         _mm256_extracti128_si256(half, 1));
}

WIDE static inline __m128i sum_reduced(const struct wide *sum) {
    __m512i low =
        _mm512_xor_si512(sum->low, _mm512_bslli_epi128(sum->middle, 8));
    __m512i high =
        _mm512_xor_si512(sum->high, _mm512_bsrli_epi128(sum->middle, 8));
    return reduced(lanes_added(low), lanes_added(high));
}

WIDE static inline void ask_for(const char *at) {
    _mm_prefetch((const void *)((uintptr_t)at + AHEAD), _MM_HINT_T0);
}

/* `at` has a whole stride. */
WIDE static inline __m128i add_stride(const struct powers *p, __m128i hash,
                                      const char *at) {
    struct wide sum = {_mm512_setzero_si512(), _mm512_setzero_si512(),
                       _mm512_setzero_si512()};
    __m512i carry = _mm512_zextsi128_si512(hash);
    for (int i = 0; i < WIDTH; i++) {
        const char *four = at + i * (LANES * BLOCK);
        __m512i blocks = reversed_all(_mm512_loadu_si512(four));
        ask_for(four);
        if (i == 0) blocks = _mm512_xor_si512(blocks, carry);
        add_product(&sum, blocks, p->of[i]);
    }
    return sum_reduced(&sum);
}

/* A block, or what there is of it and zeros. */
WIDE static __m128i add_block(const struct powers *p, __m128i hash,
                              const void *at, size_t n) {
    __m128i block = _mm_setzero_si128();
    memcpy(&block, at, n < BLOCK ? n : BLOCK);
    return times(_mm_xor_si128(hash, reversed(block)), p->first);
}

WIDE static void ghash(const uint8_t key[BLOCK], str bytes,
                       uint8_t out[BLOCK]) {
    struct powers p;
    __m128i hash = _mm_setzero_si128();
    size_t at = 0;
    powers_init(&p, key);
    for (; bytes.n - at >= STRIDE * BLOCK; at += STRIDE * BLOCK)
        hash = add_stride(&p, hash, bytes.p + at);
    for (; at < bytes.n; at += BLOCK)
        hash = add_block(&p, hash, bytes.p + at, bytes.n - at);
    uint64_t bits[2] = {__builtin_bswap64((uint64_t)bytes.n * 8), 0};
    hash = reversed(add_block(&p, hash, bits, sizeof bits));
    memcpy(out, &hash, BLOCK);
    mem_wipe(&p, sizeof p);
}

int gmac(const uint8_t key[CRYPTO_KEY], str bytes, uint8_t out[GMAC_TAG],
         struct err *e) {
    static const uint8_t zero[BLOCK], nonce[BLOCK] = {[BLOCK - 1] = 1};
    uint8_t hash_key[BLOCK], mask[BLOCK];
    AES_KEY aes;
    if (!has_wide()) return gmac_plain(key, bytes, out, e);
    if (AES_set_encrypt_key(key, 8 * CRYPTO_KEY, &aes)) return broken(e);
    AES_encrypt(zero, hash_key, &aes);
    AES_encrypt(nonce, mask, &aes);
    ghash(hash_key, bytes, out);
    for (int i = 0; i < GMAC_TAG; i++)
        out[i] ^= mask[i];
    mem_wipe(&aes, sizeof aes);
    mem_wipe(hash_key, sizeof hash_key);
    mem_wipe(mask, sizeof mask);
    return 0;
}
#else
int gmac(const uint8_t key[CRYPTO_KEY], str bytes, uint8_t out[GMAC_TAG],
         struct err *e) {
    return gmac_plain(key, bytes, out, e);
}
#endif
