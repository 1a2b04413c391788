/* SPDX-License-Identifier: MIT
 *
 * str.encode and bytes.decode. */
#include "base/utf8.h"
#include "vm/bytes.h"
#include "vm/text.h"

#include <stdio.h>

enum codec {
    UTF8,
    ASCII,
    LATIN1,
    UTF16,
    UTF16LE,
    UTF16BE,
    UTF32,
    UTF32LE,
    UTF32BE,
    UTF8SIG, /* UTF8 behind a mark, which is not part of the text */
    NO_CODEC
};

static const struct {
    const char *name; /* lower case, '-' and ' ' as '_' */
    enum codec codec;
} codecs[] = {
    {"utf_8", UTF8},        {"utf8", UTF8},         {"u8", UTF8},
    {"cp65001", UTF8},      {"ascii", ASCII},       {"us_ascii", ASCII},
    {"646", ASCII},         {"latin_1", LATIN1},    {"latin1", LATIN1},
    {"iso_8859_1", LATIN1}, {"iso8859_1", LATIN1},  {"l1", LATIN1},
    {"utf_16", UTF16},      {"utf16", UTF16},       {"utf_16_le", UTF16LE},
    {"utf_16le", UTF16LE},  {"utf_16_be", UTF16BE}, {"utf_16be", UTF16BE},
    {"utf_32", UTF32},      {"utf32", UTF32},       {"utf_32_le", UTF32LE},
    {"utf_32_be", UTF32BE}, {"utf_8_sig", UTF8SIG}, {"utf8_sig", UTF8SIG},
};

static const char *const codec_names[] = {
    "utf-8",     "ascii",  "latin-1",   "utf-16",    "utf-16-le",
    "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig",
};

static bool codec_word(struct vm *vm, const char *caller, const char *name,
                       val v, str *out) {
    if (!v) return true;
    if (!vm_is(vm, v, KIND_STR)) {
        vm_raise(vm, EXC_TypeError, "%s() argument '%s' must be str, not %s",
                 caller, name, v == VAL_NONE ? "None" : vm_type_name(vm, v));
        return false;
    }
    *out = text_get(vm, v);
    return true;
}

static bool codec_words(struct vm *vm, const struct codec_args *a,
                        str *encoding, str *errors) {
    *encoding = str_of("utf-8");
    *errors = str_of("strict");
    return codec_word(vm, a->caller, "encoding", a->encoding, encoding) &&
           codec_word(vm, a->caller, "errors", a->errors, errors);
}

static enum codec find_codec(struct vm *vm, str name) {
    char lower[32];
    if (name.n < sizeof lower) {
        for (size_t i = 0; i < name.n; i++) {
            char c = name.p[i];
            lower[i] = c == '-' || c == ' '   ? '_'
                       : c >= 'A' && c <= 'Z' ? (char)(c | 32)
                                              : c;
        }
        for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
            if (str_is((str){lower, name.n}, codecs[i].name))
                return codecs[i].codec;
    }
    vm_raise(vm, EXC_LookupError, "unknown encoding: %.*s", STR_ARG(name));
    return NO_CODEC;
}

enum handler {
    STRICT,
    IGNORE,
    REPLACE,
    BACKSLASH,
    XMLCHAR,
    ESCAPE,
    PASS,
    NO_HANDLER
};

static enum handler find_handler(struct vm *vm, str name) {
    static const char *const names[] = {"strict",
                                        "ignore",
                                        "replace",
                                        "backslashreplace",
                                        "xmlcharrefreplace",
                                        "surrogateescape",
                                        "surrogatepass"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_is(name, names[i])) return (enum handler)i;
    vm_raise(vm, EXC_LookupError, "unknown error handler name '%.*s'",
             STR_ARG(name));
    return NO_HANDLER;
}

/* The exception with its five arguments. */
static void raise_unicode(struct vm *vm, enum exc exc, enum codec codec,
                          val object, uint64_t from, uint64_t to,
                          const char *reason) {
    val args[5] = {text_of(vm, codec_names[codec]), object,
                   val_of_int((int64_t)from), val_of_int((int64_t)to),
                   text_of(vm, reason)};
    if (args[0] && args[4]) vm_raise_args(vm, exc, args, 5);
}

/* -- encoding ---------------------------------------------------------------
 */

struct encoder {
    struct build b; /* bytes, `chars` unused */
    enum codec codec;
    enum handler handler;
    val text;
};

static void put_unit(struct build *b, uint32_t unit, unsigned bytes, bool big) {
    char out[4];
    for (unsigned i = 0; i < bytes; i++)
        out[big ? bytes - 1 - i : i] = (char)(unit >> (8 * i));
    build_ascii(b, out, bytes);
}

/* Writes cp where the codec has it. */
static bool encode_point(struct encoder *e, uint32_t cp) {
    bool surrogate = cp >= 0xd800 && cp < 0xe000 && e->handler != PASS;
    switch (e->codec) {
    case ASCII:
    case LATIN1:
        if (cp >= (e->codec == ASCII ? 128u : 256u)) return false;
        put_unit(&e->b, cp, 1, false);
        return true;
    case UTF8:
        if (surrogate) return false;
        build_char(&e->b, cp);
        return true;
    case UTF16:
    case UTF16LE:
    case UTF16BE:
        if (surrogate) return false;
        if (cp > 0xffff) {
            put_unit(&e->b, 0xd800 + ((cp - 0x10000) >> 10), 2,
                     e->codec == UTF16BE);
            cp = 0xdc00 + ((cp - 0x10000) & 0x3ff);
        }
        put_unit(&e->b, cp, 2, e->codec == UTF16BE);
        return true;
    case UTF32:
    case UTF32LE:
    case UTF32BE:
        if (surrogate) return false;
        put_unit(&e->b, cp, 4, e->codec == UTF32BE);
        return true;
    case UTF8SIG:
    case NO_CODEC: break;
    }
    return false;
}

static void encode_words(struct encoder *e, const char *form, uint32_t cp) {
    char out[16];
    int n = 0;
    if (form[0] == '&')
        n = snprintf(out, sizeof out, "&#%u;", cp);
    else if (cp > 0xffff)
        n = snprintf(out, sizeof out, "\\U%08x", cp);
    else if (cp > 0xff)
        n = snprintf(out, sizeof out, "\\u%04x", cp);
    else
        n = snprintf(out, sizeof out, "\\x%02x", cp);
    for (int i = 0; i < n; i++)
        encode_point(e, (unsigned char)out[i]);
}

/* Points from..to of the text cannot be encoded. */
static void encode_failed(struct encoder *e, uint64_t from, uint64_t to) {
    const char *reason = e->codec == ASCII    ? "ordinal not in range(128)"
                         : e->codec == LATIN1 ? "ordinal not in range(256)"
                                              : "surrogates not allowed";
    raise_unicode(e->b.vm, EXC_UnicodeEncodeError, e->codec, e->text, from, to,
                  reason);
    e->b.failed = true;
}

/* Every point that cannot be encoded in a row is reported together. */
static uint64_t bad_run(struct encoder *e, str s, size_t i, uint64_t at) {
    struct encoder probe = *e;
    while (i < s.n) {
        uint32_t cp = 0;
        size_t n = utf8_decode_loose(s.p + i, s.n - i, &cp);
        bool ok = probe.codec == ASCII    ? cp < 128
                  : probe.codec == LATIN1 ? cp < 256
                                          : cp < 0xd800 || cp > 0xdfff;
        if (ok) break;
        i += n;
        at++;
    }
    return at;
}

static void encode_bad(struct encoder *e, str s, size_t i, uint64_t at,
                       uint32_t cp) {
    switch (e->handler) {
    case IGNORE: break;
    case REPLACE: encode_point(e, '?'); break;
    case BACKSLASH: encode_words(e, "\\", cp); break;
    case XMLCHAR: encode_words(e, "&", cp); break;
    case ESCAPE:
        if (cp >= 0xdc80 && cp <= 0xdcff) {
            put_unit(&e->b, cp - 0xdc00, 1, false);
            break;
        }
        encode_failed(e, at, bad_run(e, s, i, at));
        break;
    case STRICT:
    case PASS:
    case NO_HANDLER: encode_failed(e, at, bad_run(e, s, i, at)); break;
    }
}

val text_encode(struct vm *vm, val text, struct codec_args how) {
    struct encoder e = {.text = text};
    str encoding, errors;
    if (!codec_words(vm, &how, &encoding, &errors)) return VAL_UNSET;
    e.codec = find_codec(vm, encoding);
    if (e.codec == NO_CODEC) return VAL_UNSET;
    str s = text_get(vm, text);
    if (text_ascii(vm, text) && e.codec <= LATIN1)
        return bytes_new(vm, s.p, s.n);
    e.handler = find_handler(vm, errors);
    if (e.handler == NO_HANDLER || !vm_charge(vm, 8 * s.n)) return VAL_UNSET;
    build_init(&e.b, vm);
    if (e.codec == UTF8SIG) {
        e.codec = UTF8;
        encode_point(&e, 0xfeff);
    }
    if (e.codec == UTF16) put_unit(&e.b, 0xfeff, 2, false);
    if (e.codec == UTF32) put_unit(&e.b, 0xfeff, 4, false);
    uint64_t at = 0;
    for (size_t i = 0; i < s.n && !e.b.failed; at++) {
        uint32_t cp = 0;
        size_t n = utf8_decode_loose(s.p + i, s.n - i, &cp);
        if (!encode_point(&e, cp)) encode_bad(&e, s, i, at, cp);
        i += n;
    }
    val v = e.b.failed ? VAL_UNSET : bytes_new(vm, e.b.p, e.b.n);
    build_drop(&e.b);
    return v;
}

/* -- decoding ---------------------------------------------------------------
 */

struct decoder {
    struct build b;
    enum codec codec;
    enum handler handler;
    val object;
    str s;
};

/* Bytes s.p[i..i+n) are malformed. */
static void decode_bad(struct decoder *d, size_t i, size_t n,
                       const char *reason) {
    char out[8];
    switch (d->handler) {
    case IGNORE: break;
    case REPLACE: build_char(&d->b, 0xfffd); break;
    case BACKSLASH:
        for (size_t k = 0; k < n; k++) {
            const char *digits = "0123456789abcdef";
            unsigned char c = (unsigned char)d->s.p[i + k];
            memcpy(out, (char[4]){'\\', 'x', digits[c >> 4], digits[c & 15]},
                   4);
            build_ascii(&d->b, out, 4);
        }
        break;
    case ESCAPE:
        for (size_t k = 0; k < n; k++)
            build_char(&d->b, 0xdc00u + (unsigned char)d->s.p[i + k]);
        break;
    case STRICT:
    case XMLCHAR:
    case PASS:
    case NO_HANDLER:
        raise_unicode(d->b.vm, EXC_UnicodeDecodeError, d->codec, d->object, i,
                      i + n, reason);
        d->b.failed = true;
        break;
    }
}

/* How many bytes at p belong to the malformed sequence, and why. */
static size_t utf8_fault(const unsigned char *p, size_t n,
                         const char **reason) {
    *reason = "invalid start byte";
    unsigned want = p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : 1;
    if (p[0] < 0xc2 || p[0] > 0xf4) return 1;
    for (unsigned i = 1; i <= want; i++) {
        *reason = "unexpected end of data";
        if (i >= n) return n;
        *reason = "invalid continuation byte";
        unsigned low = 0x80, high = 0xbf;
        if (i == 1 && p[0] == 0xe0) low = 0xa0;
        if (i == 1 && p[0] == 0xed) high = 0x9f;
        if (i == 1 && p[0] == 0xf0) low = 0x90;
        if (i == 1 && p[0] == 0xf4) high = 0x8f;
        if (p[i] < low || p[i] > high) return i;
    }
    return want + 1;
}

static void decode_utf8(struct decoder *d) {
    for (size_t i = 0; i < d->s.n && !d->b.failed;) {
        size_t good = utf8_valid(d->s.p + i, d->s.n - i);
        build_add(&d->b, d->s.p + i, good);
        i += good;
        if (i >= d->s.n) break;
        const char *reason;
        size_t n =
            utf8_fault((const unsigned char *)d->s.p + i, d->s.n - i, &reason);
        uint32_t cp;
        if (d->handler == PASS &&
            utf8_decode_loose(d->s.p + i, d->s.n - i, &cp) == 3) {
            build_char(&d->b, cp);
            n = 3;
        } else {
            decode_bad(d, i, n, reason);
        }
        i += n;
    }
}

static void decode_single(struct decoder *d) {
    for (size_t i = 0; i < d->s.n && !d->b.failed; i++) {
        unsigned char c = (unsigned char)d->s.p[i];
        if (c < 128 || d->codec == LATIN1)
            build_char(&d->b, c);
        else
            decode_bad(d, i, 1, "ordinal not in range(128)");
    }
}

static uint32_t unit_at(const struct decoder *d, size_t i, unsigned bytes,
                        bool big) {
    uint32_t u = 0;
    for (unsigned k = 0; k < bytes; k++)
        u |= (uint32_t)(unsigned char)d->s.p[i + k]
             << 8 * (big ? bytes - 1 - k : k);
    return u;
}

static void decode_utf16(struct decoder *d, bool big, size_t i) {
    for (; i < d->s.n && !d->b.failed;) {
        if (d->s.n - i < 2) {
            decode_bad(d, i, 1, "truncated data");
            return;
        }
        uint32_t u = unit_at(d, i, 2, big);
        if (u < 0xd800 || u > 0xdfff) {
            build_char(&d->b, u);
            i += 2;
            continue;
        }
        uint32_t low = d->s.n - i >= 4 ? unit_at(d, i + 2, 2, big) : 0;
        if (u < 0xdc00 && low >= 0xdc00 && low <= 0xdfff) {
            build_char(&d->b, 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00));
            i += 4;
            continue;
        }
        decode_bad(d, i, 2,
                   u < 0xdc00 ? "illegal UTF-16 surrogate"
                              : "illegal encoding");
        i += 2;
    }
}

static void decode_utf32(struct decoder *d, bool big, size_t i) {
    for (; i < d->s.n && !d->b.failed; i += 4) {
        if (d->s.n - i < 4) {
            decode_bad(d, i, d->s.n - i, "truncated data");
            return;
        }
        uint32_t cp = unit_at(d, i, 4, big);
        if (cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
            decode_bad(d, i, 4, "code point not in range(0x110000)");
        else
            build_char(&d->b, cp);
    }
}

static void decode_wide(struct decoder *d) {
    bool two = d->codec <= UTF16BE, big = false;
    size_t unit = two ? 2 : 4, i = 0;
    big = d->codec == UTF16BE || d->codec == UTF32BE;
    if ((d->codec == UTF16 || d->codec == UTF32) && d->s.n >= unit) {
        bool big_mark = unit_at(d, 0, (unsigned)unit, true) == 0xfeff;
        bool mark = big_mark || unit_at(d, 0, (unsigned)unit, false) == 0xfeff;
        big = big_mark;
        i = mark ? unit : 0;
    }
    if (two)
        decode_utf16(d, big, i);
    else
        decode_utf32(d, big, i);
}

val text_decode(struct vm *vm, str bytes, val object, struct codec_args how) {
    struct decoder d = {.object = object, .s = bytes};
    str encoding, errors;
    if (!codec_words(vm, &how, &encoding, &errors)) return VAL_UNSET;
    d.codec = find_codec(vm, encoding);
    if (d.codec == NO_CODEC || !vm_charge(vm, bytes.n / 4)) return VAL_UNSET;
    if (d.codec == UTF8SIG) {
        d.codec = UTF8;
        if (str_starts(bytes, STR("\xef\xbb\xbf")))
            d.s = bytes = str_sub(bytes, 3, bytes.n);
    }
    if (d.codec <= ASCII && utf8_is_ascii(bytes.p, bytes.n))
        return text_new_chars(vm, bytes.p, bytes.n, bytes.n);
    d.handler = find_handler(vm, errors);
    if (d.handler == NO_HANDLER || !vm_charge(vm, 8 * bytes.n))
        return VAL_UNSET;
    build_init(&d.b, vm);
    if (d.codec == UTF8)
        decode_utf8(&d);
    else if (d.codec <= LATIN1)
        decode_single(&d);
    else
        decode_wide(&d);
    return build_take(&d.b);
}
