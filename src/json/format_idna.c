/* SPDX-License-Identifier: MIT */
#include "json/format_idna.h"

#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "json/format_scan.h"

struct codes {
    int32_t at[IDNA_LABEL + 1];
    size_t n;
};

/* ---- Punycode, RFC 3492
 * ------------------------------------------------------ */

enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72 };

static uint32_t adapt(uint32_t delta, uint32_t points, bool first) {
    uint32_t k = 0;
    delta = first ? delta / DAMP : delta / 2;
    delta += delta / points;
    for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE)
        delta /= BASE - T_MIN;
    return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t threshold(uint32_t k, uint32_t bias) {
    if (k <= bias + T_MIN) return T_MIN;
    return k >= bias + T_MAX ? T_MAX : k - bias;
}

static int digit_value(char c) {
    if (c >= 'a' && c <= 'z') return c - 'a';
    if (c >= 'A' && c <= 'Z') return c - 'A';
    return is_digit(c) ? c - '0' + 26 : -1;
}

/* One number from the front, as a delta; false at a malformed one. */
static bool take_delta(str *s, uint32_t bias, uint32_t *delta) {
    uint64_t sum = 0, weight = 1;
    for (uint32_t k = BASE;; k += BASE) {
        int digit = s->n > 0 ? digit_value(s->p[0]) : -1;
        if (digit < 0) return false;
        skip(s, 1);
        sum += (uint64_t)digit * weight;
        uint32_t t = threshold(k, bias);
        if ((uint32_t)digit < t) break;
        weight *= BASE - t;
        if (sum > 0x7fffffff || weight > 0x7fffffff) return false;
    }
    *delta = (uint32_t)sum;
    return sum <= 0x7fffffff;
}

static void insert(struct codes *c, size_t at, int32_t code) {
    memmove(&c->at[at + 1], &c->at[at], (c->n - at) * sizeof c->at[0]);
    c->at[at] = code;
    c->n++;
}

static bool decode(str s, struct codes *out) {
    size_t plain = s.n;
    while (plain > 0 && s.p[plain - 1] != '-')
        plain--;
    out->n = 0;
    for (size_t i = 0; i + 1 < plain; i++)
        out->at[out->n++] = s.p[i];
    skip(&s, plain);
    uint32_t n = 0x80, i = 0, bias = BIAS;
    for (bool first = true; s.n > 0; first = false) {
        uint32_t delta;
        if (out->n >= IDNA_LABEL || !take_delta(&s, bias, &delta)) return false;
        uint32_t points = (uint32_t)out->n + 1;
        bias = adapt(delta, points, first);
        if (delta > 0x7fffffff - i) return false;
        i += delta;
        n += i / points;
        if (n > 0x10ffff || (n >= 0xd800 && n < 0xe000)) return false;
        insert(out, i % points, (int32_t)n);
        i = i % points + 1;
    }
    return true;
}

/* Appends a delta; the text keeps counting when it is full. */
static size_t put_delta(uint32_t delta, uint32_t bias, char *out, size_t n) {
    for (uint32_t k = BASE;; k += BASE) {
        uint32_t t = threshold(k, bias), digit = delta;
        bool last = delta < t;
        if (!last) {
            digit = t + (delta - t) % (BASE - t);
            delta = (delta - t) / (BASE - t);
        }
        if (n < IDNA_LABEL)
            out[n] = (char)(digit < 26 ? 'a' + digit : '0' + digit - 26);
        n++;
        if (last) return n;
    }
}

/* The smallest code point at or above `from`. */
static uint32_t next_code(const struct codes *c, uint32_t from) {
    uint32_t next = UINT32_MAX;
    for (size_t i = 0; i < c->n; i++)
        if ((uint32_t)c->at[i] >= from && (uint32_t)c->at[i] < next)
            next = (uint32_t)c->at[i];
    return next;
}

/* Length of the encoded form, of which out holds the first IDNA_LABEL. */
static size_t encode(const struct codes *c, char out[IDNA_LABEL]) {
    size_t n = 0, done;
    for (size_t i = 0; i < c->n; i++)
        if (c->at[i] < 0x80) out[n++] = (char)c->at[i];
    done = n;
    uint32_t basic = (uint32_t)n, code = 0x80, delta = 0, bias = BIAS;
    if (basic > 0 && n < IDNA_LABEL) out[n++] = '-';
    while (done < c->n) {
        uint32_t next = next_code(c, code);
        delta += (next - code) * (uint32_t)(done + 1);
        code = next;
        for (size_t i = 0; i < c->n; i++) {
            if ((uint32_t)c->at[i] < code) delta++;
            if ((uint32_t)c->at[i] != code) continue;
            n = put_delta(delta, bias, out, n);
            bias = adapt(delta, (uint32_t)done + 1, done == basic);
            delta = 0;
            done++;
        }
        delta++;
        code++;
    }
    return n;
}

/* ---- which code points, RFC 5892
 * ----------------------------------------------- */

enum standing { DISALLOWED, VALID, IN_CONTEXT };

struct range {
    int32_t from, to;
    enum standing standing;
};

static const struct range exceptions[] = {
    {0xb7, 0xb7, IN_CONTEXT},     {0xdf, 0xdf, VALID},
    {0x375, 0x375, IN_CONTEXT},   {0x3c2, 0x3c2, VALID},
    {0x5f3, 0x5f4, IN_CONTEXT},   {0x640, 0x640, DISALLOWED},
    {0x660, 0x669, IN_CONTEXT},   {0x6f0, 0x6f9, IN_CONTEXT},
    {0x6fd, 0x6fe, VALID},        {0x7fa, 0x7fa, DISALLOWED},
    {0xf0b, 0xf0b, VALID},        {0x1100, 0x11ff, DISALLOWED},
    {0x200c, 0x200d, IN_CONTEXT}, {0x20d0, 0x20ff, DISALLOWED},
    {0x3007, 0x3007, VALID},      {0x302e, 0x302f, DISALLOWED},
    {0x3031, 0x3035, DISALLOWED}, {0x303b, 0x303b, DISALLOWED},
    {0x30fb, 0x30fb, IN_CONTEXT}, {0xa960, 0xa97f, DISALLOWED},
    {0xd7b0, 0xd7ff, DISALLOWED}, {0x1d100, 0x1d24f, DISALLOWED},
};

/* Same after compatibility mapping and case folding? */
static bool is_stable(int32_t code) {
    const utf8proc_option_t how = UTF8PROC_STABLE | UTF8PROC_COMPAT |
                                  UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD;
    utf8proc_int32_t mapped[32];
    int boundary = 0;
    utf8proc_ssize_t n =
        utf8proc_decompose_char(code, mapped, 32, how, &boundary);
    if (n < 1 || n > 32) return false;
    n = utf8proc_normalize_utf32(mapped, n, how);
    return n == 1 && mapped[0] == code;
}

static bool is_word(utf8proc_category_t category) {
    return category == UTF8PROC_CATEGORY_LL ||
           category == UTF8PROC_CATEGORY_LU ||
           category == UTF8PROC_CATEGORY_LO ||
           category == UTF8PROC_CATEGORY_LM ||
           category == UTF8PROC_CATEGORY_MN ||
           category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ND;
}

static enum standing standing(int32_t code) {
    if (code < 0x80) {
        bool plain =
            code == '-' || is_digit((char)code) || (code >= 'a' && code <= 'z');
        return plain ? VALID : DISALLOWED;
    }
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (code >= exceptions[i].from && code <= exceptions[i].to)
            return exceptions[i].standing;
    if (!is_word(utf8proc_category(code)) || !is_stable(code))
        return DISALLOWED;
    return utf8proc_get_property(code)->ignorable ? DISALLOWED : VALID;
}

/* ---- contexts, RFC 5892 appendix A
 * ------------------------------------------------ */

static bool between(int32_t code, int32_t from, int32_t to) {
    return code >= from && code <= to;
}

static bool is_greek(int32_t c) {
    return between(c, 0x370, 0x3ff) || between(c, 0x1f00, 0x1fff);
}

static bool is_hebrew(int32_t c) {
    return between(c, 0x591, 0x5f4) || between(c, 0xfb1d, 0xfb4f);
}

static bool is_kana_or_han(int32_t c) {
    return between(c, 0x3041, 0x309f) || between(c, 0x30a1, 0x30fa) ||
           between(c, 0x30fd, 0x30ff) || between(c, 0x31f0, 0x31ff) ||
           between(c, 0x3400, 0x4dbf) || between(c, 0x4e00, 0x9fff) ||
           between(c, 0xf900, 0xfaff) || between(c, 0x20000, 0x323af) ||
           c == 0x3005 || c == 0x3007;
}

static bool any(const struct codes *c, int32_t from, int32_t to) {
    for (size_t i = 0; i < c->n; i++)
        if (between(c->at[i], from, to)) return true;
    return false;
}

static bool is_virama(int32_t c) {
    return utf8proc_get_property(c)->combining_class == 9;
}

/* Arabic letters that join the one before but not the one after. */
static bool joins_before_only(int32_t c) {
    return between(c, 0x622, 0x625) || c == 0x627 || c == 0x629 ||
           between(c, 0x62f, 0x632) || c == 0x648 || between(c, 0x671, 0x673) ||
           between(c, 0x675, 0x677) || between(c, 0x688, 0x699) || c == 0x6c0 ||
           between(c, 0x6c3, 0x6cb) || c == 0x6cd || c == 0x6cf ||
           between(c, 0x6d2, 0x6d3) || c == 0x6d5 || between(c, 0x6ee, 0x6ef);
}

static bool joins(int32_t c) {
    bool arabic = between(c, 0x620, 0x6ff) || between(c, 0x750, 0x77f) ||
                  between(c, 0x8a0, 0x8c8);
    bool alone = c == 0x621 || c == 0x674;
    return arabic && !alone && utf8proc_category(c) == UTF8PROC_CATEGORY_LO;
}

static bool is_transparent(int32_t c) {
    return utf8proc_category(c) == UTF8PROC_CATEGORY_MN;
}

/* A non-joiner makes sense between two letters that would join. */
static bool separates_joined(const struct codes *c, size_t i) {
    size_t before = i, after = i + 1;
    while (before > 0 && is_transparent(c->at[before - 1]))
        before--;
    while (after < c->n && is_transparent(c->at[after]))
        after++;
    return before > 0 && after < c->n && joins(c->at[before - 1]) &&
           !joins_before_only(c->at[before - 1]) && joins(c->at[after]);
}

static bool has_kana_or_han(const struct codes *c) {
    for (size_t i = 0; i < c->n; i++)
        if (is_kana_or_han(c->at[i])) return true;
    return false;
}

static bool in_context(const struct codes *c, size_t i) {
    int32_t before = i > 0 ? c->at[i - 1] : 0;
    int32_t after = i + 1 < c->n ? c->at[i + 1] : 0;
    switch (c->at[i]) {
    case 0xb7: return before == 'l' && after == 'l';
    case 0x375: return is_greek(after);
    case 0x5f3:
    case 0x5f4: return is_hebrew(before);
    case 0x200c: return is_virama(before) || separates_joined(c, i);
    case 0x200d: return is_virama(before);
    case 0x30fb: return has_kana_or_han(c);
    }
    if (between(c->at[i], 0x660, 0x669)) return !any(c, 0x6f0, 0x6f9);
    return !any(c, 0x660, 0x669);
}

/* ---- direction, RFC 5893
 * --------------------------------------------------------------- */

static unsigned direction(int32_t c) {
    return 1u << utf8proc_get_property(c)->bidi_class;
}

#define BIDI(name) (1u << UTF8PROC_BIDI_CLASS_##name)
#define BIDI_RIGHT (BIDI(R) | BIDI(AL))
#define BIDI_SHARED                                                    \
    (BIDI(EN) | BIDI(ES) | BIDI(CS) | BIDI(ET) | BIDI(ON) | BIDI(BN) | \
     BIDI(NSM))

static unsigned directions(const struct codes *c) {
    unsigned all = 0;
    for (size_t i = 0; i < c->n; i++)
        all |= direction(c->at[i]);
    return all;
}

static bool keeps_bidi_rule(const struct codes *c) {
    unsigned all = directions(c), first = direction(c->at[0]);
    size_t last = c->n - 1;
    while (last > 0 && direction(c->at[last]) == BIDI(NSM))
        last--;
    unsigned end = direction(c->at[last]);
    if (first & BIDI_RIGHT) {
        bool mixed = (all & BIDI(EN)) && (all & BIDI(AN));
        return !mixed && (end & (BIDI_RIGHT | BIDI(EN) | BIDI(AN))) &&
               !(all & ~(BIDI_RIGHT | BIDI(AN) | BIDI_SHARED));
    }
    return (first & BIDI(L)) && (end & (BIDI(L) | BIDI(EN))) &&
           !(all & ~(BIDI(L) | BIDI_SHARED));
}

/* ---- labels
 * ---------------------------------------------------------------------------
 */

static bool is_mark(int32_t c) {
    utf8proc_category_t category = utf8proc_category(c);
    return category == UTF8PROC_CATEGORY_MN ||
           category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ME;
}

/* Composing what was decomposed gives the same again. */
static bool is_composed(const struct codes *c) {
    const utf8proc_option_t how = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    utf8proc_int32_t text[8 * IDNA_LABEL];
    utf8proc_ssize_t n = 0, room = 8 * IDNA_LABEL;
    int boundary = 0;
    for (size_t i = 0; i < c->n; i++) {
        utf8proc_ssize_t more = utf8proc_decompose_char(
            c->at[i], text + n, room - n, how, &boundary);
        if (more < 1 || more > room - n) return false;
        n += more;
    }
    /* Marks in canonical order: a stable sort by class, few at a time. */
    for (utf8proc_ssize_t i = 1; i < n; i++) {
        for (utf8proc_ssize_t k = i; k > 0; k--) {
            int a = utf8proc_get_property(text[k - 1])->combining_class;
            int b = utf8proc_get_property(text[k])->combining_class;
            if (b == 0 || a <= b) break;
            utf8proc_int32_t swap = text[k];
            text[k] = text[k - 1];
            text[k - 1] = swap;
        }
    }
    n = utf8proc_normalize_utf32(text, n, how);
    if (n != (utf8proc_ssize_t)c->n) return false;
    return memcmp(text, c->at, c->n * sizeof c->at[0]) == 0;
}

static bool hyphens_ok(const struct codes *c) {
    if (c->at[0] == '-' || c->at[c->n - 1] == '-') return false;
    return c->n < 4 || c->at[2] != '-' || c->at[3] != '-';
}

static bool is_u_label(const struct codes *c) {
    if (c->n == 0 || !hyphens_ok(c) || is_mark(c->at[0])) return false;
    for (size_t i = 0; i < c->n; i++) {
        enum standing s = standing(c->at[i]);
        if (s == DISALLOWED || (s == IN_CONTEXT && !in_context(c, i)))
            return false;
    }
    return true;
}

static void note_directions(const struct codes *c, struct idna_label *out) {
    out->right_to_left = directions(c) & (BIDI_RIGHT | BIDI(AN));
    out->bidi = keeps_bidi_rule(c);
}

static bool read_codes(str s, struct codes *out) {
    for (out->n = 0; s.n > 0;) {
        uint32_t code;
        size_t n = utf8_decode(s.p, s.n, &code);
        if (n == 0 || out->n >= IDNA_LABEL) return false;
        out->at[out->n++] = (int32_t)code;
        skip(&s, n);
    }
    return out->n > 0;
}

static bool is_a_label(str label, struct idna_label *out) {
    struct codes codes;
    char again[IDNA_LABEL];
    str text = str_sub(label, 4, label.n);
    if (!decode(text, &codes) || !is_u_label(&codes)) return false;
    if (next_code(&codes, 0x80) == UINT32_MAX) return false; /* all ASCII */
    size_t n = encode(&codes, again);
    if (n > IDNA_LABEL || !str_eq_nocase((str){again, n}, text)) return false;
    note_directions(&codes, out);
    return is_composed(&codes) && (out->bidi || !out->right_to_left);
}

static bool is_ascii_label(const struct codes *c, struct idna_label *out) {
    for (size_t i = 0; i < c->n; i++) {
        char ch = (char)c->at[i];
        if (!is_letter(ch) && !is_digit(ch) && ch != '-') return false;
    }
    note_directions(c, out);
    return c->at[0] != '-' && c->at[c->n - 1] != '-';
}

bool idna_label(str label, bool composed, struct idna_label *out) {
    struct codes codes;
    char ascii[IDNA_LABEL];
    if (!read_codes(label, &codes)) return false;
    out->ascii_length = codes.n;
    if (str_eq_nocase(str_sub(label, 0, 4), STR("xn--")))
        return is_a_label(label, out);
    if (codes.n == label.n) return is_ascii_label(&codes, out);
    if (!is_u_label(&codes) || (composed && !is_composed(&codes))) return false;
    out->ascii_length = 4 + encode(&codes, ascii);
    note_directions(&codes, out);
    return out->ascii_length <= IDNA_LABEL &&
           (out->bidi || !out->right_to_left);
}
