/* SPDX-License-Identifier: MIT */
#include "base/codec.h"

static const char plain[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* -- hexadecimal ------------------------------------------------------------
 */

int hex_encode(str bytes, struct buf *out, struct err *e) {
    static const char digit[] = "0123456789abcdef";
    char *p = buf_reserve(out, bytes.n * 2, e);
    if (!p) return -1;
    for (size_t i = 0; i < bytes.n; i++) {
        unsigned char c = (unsigned char)bytes.p[i];
        p[2 * i] = digit[c >> 4];
        p[2 * i + 1] = digit[c & 15];
    }
    buf_commit(out, bytes.n * 2);
    return 0;
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

int hex_decode(str text, struct buf *out, struct err *e) {
    if (text.n % 2)
        return fail(e, ERR_INVALID, "hexadecimal text of odd length");
    char *p = buf_reserve(out, text.n / 2, e);
    if (!p) return -1;
    for (size_t i = 0; i < text.n; i += 2) {
        int hi = hex_value(text.p[i]), lo = hex_value(text.p[i + 1]);
        if (hi < 0 || lo < 0)
            return fail(e, ERR_INVALID, "not hexadecimal at byte %zu", i);
        p[i / 2] = (char)(hi << 4 | lo);
    }
    buf_commit(out, text.n / 2);
    return 0;
}

/* -- base64 -----------------------------------------------------------------
 */

static int encode(str bytes, const char *alphabet, bool pad, struct buf *out,
                  struct err *e) {
    char *start = buf_reserve(out, (bytes.n + 2) / 3 * 4, e);
    if (!start) return -1;
    char *p = start;
    const unsigned char *in = (const unsigned char *)bytes.p;
    for (size_t i = 0; i < bytes.n; i += 3) {
        size_t left = bytes.n - i;
        uint32_t v = (uint32_t)in[i] << 16 |
                     (left > 1 ? (uint32_t)in[i + 1] << 8 : 0) |
                     (left > 2 ? in[i + 2] : 0);
        *p++ = alphabet[v >> 18];
        *p++ = alphabet[v >> 12 & 63];
        if (left > 1)
            *p++ = alphabet[v >> 6 & 63];
        else if (pad)
            *p++ = '=';
        if (left > 2)
            *p++ = alphabet[v & 63];
        else if (pad)
            *p++ = '=';
    }
    buf_commit(out, (size_t)(p - start));
    return 0;
}

static int digit_value(char c, const char *alphabet) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == alphabet[62]) return 62;
    if (c == alphabet[63]) return 63;
    return -1;
}

/* Text without padding. The unused bits of the last digit must be zero, so
 * that every byte string has one text. */
static int decode(str text, const char *alphabet, struct buf *out,
                  struct err *e) {
    if (text.n % 4 == 1)
        return fail(e, ERR_INVALID, "base64 text of impossible length");
    size_t size = text.n / 4 * 3 + (text.n % 4 ? text.n % 4 - 1 : 0);
    char *start = buf_reserve(out, size, e), *p = start;
    if (!start) return -1;
    uint32_t v = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < text.n; i++) {
        int d = digit_value(text.p[i], alphabet);
        if (d < 0) return fail(e, ERR_INVALID, "not base64 at byte %zu", i);
        v = (v << 6 | (uint32_t)d) & 0xffffff;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        *p++ = (char)(v >> bits);
    }
    if (v & ((1U << bits) - 1))
        return fail(e, ERR_INVALID, "base64 text with stray bits at its end");
    buf_commit(out, size);
    return 0;
}

int base64_encode(str bytes, struct buf *out, struct err *e) {
    return encode(bytes, plain, true, out, e);
}

int base64url_encode(str bytes, struct buf *out, struct err *e) {
    return encode(bytes, url, false, out, e);
}

int base64_decode(str text, struct buf *out, struct err *e) {
    if (text.n % 4)
        return fail(e, ERR_INVALID, "base64 text without its padding");
    for (int i = 0; i < 2 && text.n && text.p[text.n - 1] == '='; i++)
        text.n--;
    return decode(text, plain, out, e);
}

int base64url_decode(str text, struct buf *out, struct err *e) {
    return decode(text, url, out, e);
}
