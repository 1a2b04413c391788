/* SPDX-License-Identifier: MIT */
#include "json/parse_string.h"

#include "base/utf8.h"

#include <endian.h>
#include <string.h>

/* The string as it is being decoded: what is read from `in` is written at
 * `out`, which never overtakes it. */
struct decode {
    char *in;
    char *out;
    const char *end; /* of the text */
    bool ascii;
};

static int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Four hexadecimal digits at p; how many of them are good. */
static int hex4(const char *p, uint32_t *cp) {
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_value(p[i]);
        if (digit < 0) return i;
        v = v << 4 | (uint32_t)digit;
    }
    *cp = v;
    return 4;
}

/* The low half of a pair, if an escape at p is one. */
static bool low_half(const char *p, uint32_t *low) {
    return p[0] == '\\' && p[1] == 'u' && hex4(p + 2, low) == 4 &&
           *low >= 0xdc00 && *low <= 0xdfff;
}

/* d->in stands at the 'u'. A lone half of a pair is kept as it is. */
static int decode_unicode(struct decode *d, struct parse_fault *fault) {
    uint32_t cp, low;
    int good = hex4(d->in + 1, &cp);
    if (good < 4) {
        parse_wrong(d->in + 1 + good, "four hexadecimal digits after \\u",
                    fault);
        return -1;
    }
    d->in += 5;
    if (cp >= 0xd800 && cp <= 0xdbff && low_half(d->in, &low)) {
        cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
        d->in += 6;
    }
    d->ascii = d->ascii && cp < 0x80;
    d->out += utf8_encode(cp, d->out);
    return 0;
}

/* d->in stands at the backslash. */
static int decode_escape(struct decode *d, struct parse_fault *fault) {
    static const char meaning[128] = {
        ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
        ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
    };
    unsigned char c = (unsigned char)*++d->in;
    if (c == 'u') return decode_unicode(d, fault);
    char plain = c < sizeof meaning ? meaning[c] : '\0';
    if (plain == '\0') {
        parse_wrong(d->in, "one of \"\\/bfnrtu after the backslash", fault);
        return -1;
    }
    *d->out++ = plain;
    d->in++;
    return 0;
}

/* Moves n bytes down; small n without a call. All loads of a block come before
 * its stores, because the blocks may overlap. */
static void move_down(char *to, const char *from, size_t n) {
    if (n > 16) {
        memmove(to, from, n);
    } else if (n >= 8) {
        uint64_t head, tail;
        memcpy(&head, from, 8);
        memcpy(&tail, from + n - 8, 8);
        memcpy(to, &head, 8);
        memcpy(to + n - 8, &tail, 8);
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    }
}

static void keep(struct decode *d, size_t n) {
    if (d->out != d->in) move_down(d->out, d->in, n);
    d->in += n;
    d->out += n;
}

/* Three bytes of U+0800..FFFF without surrogates: most of what is not Latin,
 * so it is worth a test of its own. Four bytes at p are readable. */
static inline bool three_bytes(const char *p) {
    uint32_t w;
    memcpy(&w, p, 4);
    w = le32toh(w);
    if ((w & 0xc0c0f0) != 0x8080e0) return false;
    w &= 0x200f; /* of e0 a0: 0x2000, below it is overlong; of ed a0: 0x200d */
    return w != 0 && w != 0x200d;
}

/* A sequence that does not decode: cut off by the end of the text, or wrong. */
static int wrong_utf8(const char *p, const char *end,
                      struct parse_fault *fault) {
    unsigned char c = (unsigned char)*p;
    ptrdiff_t wants = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    bool cut = c >= 0xc2 && c < 0xf5 && end - p < wants;
    for (const char *q = p + 1; q < end && cut; q++)
        cut = ((unsigned char)*q & 0xc0) == 0x80;
    parse_wrong(cut ? end : p, "valid UTF-8", fault);
    return -1;
}

/* Everything from d->in on that is not ASCII. */
static int keep_utf8(struct decode *d, struct parse_fault *fault) {
    size_t n = 0;
    d->ascii = false;
    size_t left = (size_t)(d->end - d->in);
    while ((unsigned char)d->in[n] >= 0x80) {
        uint32_t cp;
        size_t len = left - n >= 3 && three_bytes(d->in + n)
                         ? 3
                         : utf8_decode(d->in + n, left - n, &cp);
        if (len == 0) return wrong_utf8(d->in + n, d->end, fault);
        n += len;
    }
    keep(d, n);
    return 0;
}

static char *wrong_byte(struct decode *d, struct parse_fault *fault) {
    if (d->in == d->end) return parse_wrong(d->in, "a closing quote", fault);
    return parse_wrong(d->in,
                       "an escape (control characters are not allowed "
                       "in a string)",
                       fault);
}

char *parse_string_rest(char *start, char *at, const char *end,
                        struct parse_string *out, struct parse_fault *fault) {
    struct decode d = {.in = at, .out = at, .end = end, .ascii = true};
    while (*d.in != '"') {
        if (*d.in == '\\') {
            if (decode_escape(&d, fault)) return NULL;
        } else if ((unsigned char)*d.in >= 0x80) {
            if (keep_utf8(&d, fault)) return NULL;
        } else
            return wrong_byte(&d, fault);
        keep(&d, scan_plain(d.in, (size_t)(end - d.in)));
    }
    *d.out = '\0';
    *out = (struct parse_string){start, (size_t)(d.out - start), d.ascii};
    return d.in + 1;
}
