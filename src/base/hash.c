/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

struct sip {
    uint64_t a, b, c, d;
};

static uint64_t rotl(uint64_t x, int n) {
    return x << n | x >> (64 - n);
}

static inline void sip_round(struct sip *s) {
    s->a += s->b;
    s->b = rotl(s->b, 13) ^ s->a;
    s->a = rotl(s->a, 32);
    s->c += s->d;
    s->d = rotl(s->d, 16) ^ s->c;
    s->a += s->d;
    s->d = rotl(s->d, 21) ^ s->a;
    s->c += s->b;
    s->b = rotl(s->b, 17) ^ s->c;
    s->c = rotl(s->c, 32);
}

/* One message word: SipHash-1-3 does one round for it. */
static inline void sip_word(struct sip *s, uint64_t word) {
    s->d ^= word;
    sip_round(s);
    s->a ^= word;
}

/* Little-endian whatever the machine, so that hashes are the same everywhere.
 */
static uint64_t load(const unsigned char *p, size_t n) {
    uint64_t word = 0;
    if (n == 8) {
        memcpy(&word, p, 8);
        return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
                   ? word
                   : __builtin_bswap64(word);
    }
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)p[i] << (8 * i);
    return word;
}

uint64_t hash_bytes(const void *p, size_t n, const uint64_t key[2]) {
    struct sip s = {
        key[0] ^ 0x736f6d6570736575,
        key[1] ^ 0x646f72616e646f6d,
        key[0] ^ 0x6c7967656e657261,
        key[1] ^ 0x7465646279746573,
    };
    const unsigned char *at = p;
    size_t left = n;
    for (; left >= 8; left -= 8, at += 8)
        sip_word(&s, load(at, 8));
    sip_word(&s, load(at, left) | (uint64_t)n << 56);
    s.c ^= 0xff;
    sip_round(&s);
    sip_round(&s);
    sip_round(&s);
    return s.a ^ s.b ^ s.c ^ s.d;
}

void hash_process_key(uint64_t key[2]) {
    uintptr_t at = getauxval(AT_RANDOM);
    memset(key, 0, 16);
    if (at) memcpy(key, (const void *)at, 16);
}

int hash_random(void *p, size_t n, struct err *e) {
    unsigned char *at = p;
    while (n > 0) {
        ssize_t got = getrandom(at, n, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_sys(e, "getrandom");
        at += got;
        n -= (size_t)got;
    }
    return 0;
}

int hash_random_id(char id[HASH_ID_SIZE], struct err *e) {
    uint64_t bits[2];
    if (hash_random(bits, sizeof bits, e)) return -1;
    (void)snprintf(id, HASH_ID_SIZE, "%016" PRIx64 "%016" PRIx64, bits[0],
                   bits[1]);
    return 0;
}
