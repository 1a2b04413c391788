/* SPDX-License-Identifier: MIT
 *
 * The format mini-language for int, float, complex and str. */
#include "vm/format.h"

#include "base/real.h"
#include "base/utf8.h"
#include "vm/bigint.h"
#include "vm/number.h"
#include "vm/repr.h"
#include "vm/unicode.h"

#include <math.h>
#include <stdio.h>

/* -- parsing ----------------------------------------------------------------
 */

struct cursor {
    str s;
    size_t i;
};

static uint32_t peek(const struct cursor *c, size_t *len) {
    uint32_t cp = 0;
    *len = c->i < c->s.n ? utf8_decode_loose(c->s.p + c->i, c->s.n - c->i, &cp)
                         : 0;
    return cp;
}

static bool accept(struct cursor *c, char want) {
    if (c->i >= c->s.n || c->s.p[c->i] != want) return false;
    c->i++;
    return true;
}

static bool is_align(uint32_t cp) {
    return cp == '<' || cp == '>' || cp == '^' || cp == '=';
}

/* True when a fill character was given. */
static bool parse_align(struct cursor *c, struct spec *out) {
    size_t len, next_len;
    uint32_t cp = peek(c, &len);
    struct cursor next = {c->s, c->i + len};
    uint32_t after = len ? peek(&next, &next_len) : 0;
    if (len && is_align(after)) {
        out->fill = cp;
        out->align = (char)after;
        c->i += len + 1;
        return true;
    }
    if (is_align(cp)) {
        out->align = (char)cp;
        c->i += len;
    }
    return false;
}

/* Digits of any script; -1 none, -2 too many. */
static int64_t parse_number(struct cursor *c) {
    int64_t n = -1;
    for (;;) {
        size_t len;
        int digit = unicode_decimal_value(peek(c, &len));
        if (!len || digit < 0) return n;
        n = n < 0 ? digit : n * 10 + digit;
        if (n > INT32_MAX) return -2;
        c->i += len;
    }
}

static int spec_error(struct vm *vm, const char *words) {
    vm_raise(vm, EXC_ValueError, "%s", words);
    return -1;
}

static int parse_grouping(struct vm *vm, struct cursor *c, struct spec *out) {
    if (accept(c, ',')) out->grouping = ',';
    if (accept(c, '_')) {
        if (out->grouping)
            return spec_error(vm, "Cannot specify both ',' and '_'.");
        out->grouping = '_';
    }
    if (out->grouping && accept(c, ','))
        return spec_error(vm, "Cannot specify both ',' and '_'.");
    return 0;
}

/* Digits are grouped in decimal numbers, by '_' also in other bases. */
static int check_grouping(struct vm *vm, const struct spec *s, bool is_text) {
    uint32_t type = s->type ? s->type : is_text ? 's' : 'd';
    if (!s->grouping || (type < 128 && strchr("deEfFgG%", (int)type))) return 0;
    if (s->grouping == '_' && type < 128 && strchr("boxX", (int)type)) return 0;
    if (type > 32 && type < 128)
        vm_raise(vm, EXC_ValueError, "Cannot specify '%c' with '%c'.",
                 s->grouping, (char)type);
    else
        vm_raise(vm, EXC_ValueError, "Cannot specify '%c' with '\\x%x'.",
                 s->grouping, type);
    return -1;
}

int spec_parse(struct vm *vm, str text, val v, struct spec *out) {
    struct cursor c = {text, 0};
    *out = (struct spec){.fill = ' ', .width = -1, .precision = -1};
    bool filled = parse_align(&c, out);
    if (c.i < text.n && strchr("+- ", text.p[c.i]) && text.p[c.i])
        out->sign = text.p[c.i++];
    out->no_neg_zero = accept(&c, 'z');
    out->alternate = accept(&c, '#');
    if (accept(&c, '0')) {
        out->zero = true;
        if (!filled) out->fill = '0';
    }
    out->width = parse_number(&c);
    if (out->width == -2)
        return spec_error(vm, "Too many decimal digits in format string");
    if (parse_grouping(vm, &c, out)) return -1;
    if (accept(&c, '.')) {
        out->precision = parse_number(&c);
        if (out->precision == -1)
            return spec_error(vm, "Format specifier missing precision");
        if (out->precision == -2)
            return spec_error(vm, "Too many decimal digits in format string");
    }
    size_t len;
    out->type = peek(&c, &len);
    c.i += len;
    if (c.i < text.n) return spec_error(vm, "Invalid format specifier");
    return check_grouping(vm, out, vm_is(vm, v, KIND_STR));
}

static val unknown_code(struct vm *vm, const struct spec *s, val v) {
    char shown[16];
    if (s->type > 32 && s->type < 128)
        snprintf(shown, sizeof shown, "%c", (char)s->type);
    else
        snprintf(shown, sizeof shown, "\\x%x", s->type);
    return vm_raise(vm, EXC_ValueError,
                    "Unknown format code '%s' for object of type '%s'", shown,
                    vm_type_name(vm, v));
}

/* -- padding ----------------------------------------------------------------
 */

struct padding {
    uint64_t left, right;
};

static struct padding pad_for(const struct spec *s, uint64_t have,
                              char missing_align) {
    char align = s->align ? s->align : missing_align;
    uint64_t more = s->width > (int64_t)have ? (uint64_t)s->width - have : 0;
    struct padding p = {0, 0};
    if (align == '<') p.right = more;
    if (align == '>' || align == '=') p.left = more;
    if (align == '^') {
        p.left = more / 2;
        p.right = more - p.left;
    }
    return p;
}

/* The parts of a formatted number, ASCII. */
struct number_text {
    char sign; /* 0: none */
    str prefix;
    str digits; /* before the point */
    str tail;   /* point, fraction, exponent, percent sign */
};

static uint64_t grouped_len(uint64_t digits, uint64_t every) {
    return digits + (every && digits ? (digits - 1) / every : 0);
}

static void add_grouped(struct build *b, str digits, uint64_t zeros,
                        uint64_t every, char sep) {
    uint64_t total = digits.n + zeros;
    for (uint64_t i = 0; i < total; i++) {
        if (every && i && (total - i) % every == 0) build_ascii(b, &sep, 1);
        build_ascii(b, i < zeros ? "0" : digits.p + (i - zeros), 1);
    }
}

/* The fill of '=' stands between the sign and the digits; with 0 it is grouped
 * with them. */
static val put_number(struct vm *vm, const struct spec *s,
                      const struct number_text *t, uint64_t every) {
    bool inner = s->align == '=' || (!s->align && s->zero);
    if (!s->grouping) every = 0;
    uint64_t fixed = (t->sign != 0) + t->prefix.n + t->tail.n, zeros = 0;
    bool zero_fill = inner && s->fill == '0';
    if (zero_fill && s->width > 0 && t->digits.n)
        while (fixed + grouped_len(t->digits.n + zeros, every) <
               (uint64_t)s->width) {
            uint64_t lack = (uint64_t)s->width - fixed -
                            grouped_len(t->digits.n + zeros, every);
            zeros += lack > 8 ? lack / 2 : 1;
        }
    uint64_t have = fixed + grouped_len(t->digits.n + zeros, every);
    struct padding p = pad_for(s, have, inner ? '=' : '>');
    struct build b;
    build_init(&b, vm);
    if (!text_fits(vm, have + p.left + p.right) ||
        !vm_charge(vm, have + p.left + p.right))
        return VAL_UNSET;
    if (!inner) build_fill(&b, s->fill, p.left);
    build_ascii(&b, &t->sign, t->sign != 0);
    build_ascii(&b, t->prefix.p, t->prefix.n);
    if (inner) build_fill(&b, s->fill, p.left);
    if (every)
        add_grouped(&b, t->digits, zeros, every, s->grouping);
    else {
        build_fill(&b, '0', zeros);
        build_ascii(&b, t->digits.p, t->digits.n);
    }
    build_ascii(&b, t->tail.p, t->tail.n);
    build_fill(&b, s->fill, p.right);
    return build_take(&b);
}

static char sign_char(const struct spec *s, bool negative) {
    if (negative) return '-';
    return s->sign == '+' || s->sign == ' ' ? s->sign : 0;
}

/* -- str --------------------------------------------------------------------
 */

val format_text(struct vm *vm, val v, const struct spec *s) {
    if (s->type && s->type != 's') return unknown_code(vm, s, v);
    if (s->sign) {
        spec_error(vm, s->sign == ' '
                           ? "Space not allowed in string format specifier"
                           : "Sign not allowed in string format specifier");
        return VAL_UNSET;
    }
    const char *wrong =
        s->no_neg_zero    ? "Negative zero coercion (z) not allowed in string "
                            "format specifier"
        : s->alternate    ? "Alternate form (#) not allowed in string format "
                            "specifier"
        : s->align == '=' ? "'=' alignment not allowed in string format "
                            "specifier"
                          : NULL;
    if (wrong) {
        spec_error(vm, wrong);
        return VAL_UNSET;
    }
    uint64_t chars = text_chars(vm, v);
    if (s->precision >= 0 && (uint64_t)s->precision < chars) {
        v = text_slice(vm, v, 0, (uint64_t)s->precision);
        if (!v) return VAL_UNSET;
        chars = text_chars(vm, v);
    }
    struct padding p = pad_for(s, chars, '<');
    if (!p.left && !p.right) return kind_str(vm, v);
    struct build b;
    build_init(&b, vm);
    if (!text_fits(vm, chars + p.left + p.right) ||
        !vm_charge(vm, chars + p.left + p.right))
        return VAL_UNSET;
    build_fill(&b, s->fill, p.left);
    build_val(&b, v);
    build_fill(&b, s->fill, p.right);
    return build_take(&b);
}

/* -- int --------------------------------------------------------------------
 */

static val format_char(struct vm *vm, val v, const struct spec *s) {
    int64_t cp;
    if (s->sign)
        return vm_raise(vm, EXC_ValueError,
                        "Sign not allowed with integer format specifier 'c'");
    if (s->alternate)
        return vm_raise(vm, EXC_ValueError,
                        "Alternate form (#) not allowed with integer format "
                        "specifier 'c'");
    if (int_get(vm, v, &cp) || cp < 0 || cp > 0x10ffff)
        return vm_raise(vm, EXC_OverflowError,
                        "%%c arg not in range(0x110000)");
    val c = text_char(vm, (uint32_t)cp);
    struct spec plain = *s;
    plain.type = 0;
    if (plain.align == '=') plain.align = 0;
    if (!plain.align) plain.align = '>';
    return c ? format_text(vm, c, &plain) : VAL_UNSET;
}

static unsigned base_of(uint32_t type) {
    switch (type) {
    case 'b': return 2;
    case 'o': return 8;
    case 'x':
    case 'X': return 16;
    case 0:
    case 'd':
    case 'n': return 10;
    default: return 0;
    }
}

static void raise_case(char *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i] >= 'a' && p[i] <= 'z') p[i] = (char)(p[i] - 32);
}

static bool real_type(uint32_t type) {
    return type && type < 128 && strchr("eEfFgG%", (int)type);
}

val format_int(struct vm *vm, val v, const struct spec *s) {
    if (real_type(s->type)) {
        double d;
        if (int_to_real(vm, v, &d)) return VAL_UNSET;
        return format_float(vm, d, s, v);
    }
    unsigned base = base_of(s->type);
    if (!base && s->type != 'c') return unknown_code(vm, s, v);
    if (s->precision >= 0)
        return vm_raise(vm, EXC_ValueError,
                        "Precision not allowed in integer format specifier");
    if (s->no_neg_zero)
        return vm_raise(vm, EXC_ValueError,
                        "Negative zero coercion (z) not allowed in integer "
                        "format specifier");
    if (s->type == 'c') return format_char(vm, v, s);
    val text = int_text(vm, int_plain(vm, v), base, true);
    if (!text) return VAL_UNSET;
    str t = text_get(vm, text);
    bool neg = t.p[0] == '-';
    struct number_text out = {.sign = sign_char(s, neg),
                              .digits = str_sub(t, neg, t.n)};
    char prefix[2] = {'0', (char)s->type};
    if (s->alternate && base != 10) out.prefix = (str){prefix, 2};
    char upper[64];
    val copy = VAL_UNSET;
    if (s->type == 'X') {
        /* The text is fresh and not yet shared; still, strs never change. */
        char *p = upper;
        if (out.digits.n > sizeof upper) {
            copy = heap_store_raw(vm, out.digits.n);
            if (!copy) return VAL_UNSET;
            p = (char *)((struct ostore *)heap_at(&vm->heap, copy))->data;
        }
        memcpy(p, out.digits.p, out.digits.n);
        raise_case(p, out.digits.n);
        out.digits.p = p;
    }
    val r = put_number(vm, s, &out, base == 10 ? 3 : 4);
    if (copy) heap_free(vm, copy);
    return r;
}

/* -- float ------------------------------------------------------------------
 */

/* Zeros behind the digits of the number that begins at start: at the end, or
 * before its exponent. */
static void add_zeros(struct build *b, size_t start, size_t n) {
    size_t at = start;
    while (at < b->n && (b->p[at] | 32) != 'e')
        at++;
    memmove(b->p + at + n, b->p + at, b->n - at);
    memset(b->p + at, '0', n);
    b->n += n;
    b->chars += n;
}

/* The C library's conversions are exact for every precision. The point is kept
 * by '#', and added by `add_dot_0` where the result would read as an int. */
void format_real_digits(struct build *b, double d, char type, int64_t precision,
                        bool alternate, bool add_dot_0) {
    char form[8] = {'%'};
    size_t n = 1, start = b->n;
    if (alternate) form[n++] = '#';
    form[n++] = '.';
    form[n++] = '*';
    form[n++] = type;
    /* No double has more digits than that; the rest are zeros. */
    int digits = precision > 1100 ? 1100 : (int)precision;
    size_t room = (size_t)precision + 400;
    b->failed = b->failed || !text_fits(b->vm, room) || !vm_charge(b->vm, room);
    char *out = build_room(b, room);
    if (!out) return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int len = snprintf(out, room, form, digits, d);
#pragma GCC diagnostic pop
    b->n += (size_t)len;
    b->chars += (size_t)len;
    if (precision > digits && (alternate || (type | 32) != 'g'))
        add_zeros(b, start, (size_t)(precision - digits));
    if (!add_dot_0) return;
    for (size_t i = start; i < b->n; i++)
        if (b->p[i] == '.' || b->p[i] == 'e' || b->p[i] == 'E') return;
    build_ascii(b, ".0", 2);
}

/* Text of a finite magnitude by the spec's type. */
static void add_magnitude(struct build *b, double d, const struct spec *s) {
    char type = s->type ? (char)s->type : 'r';
    int64_t precision = s->precision;
    char out[40];
    if (type == 'r' && precision < 0) {
        build_ascii(b, out, float_text(d, out));
        return;
    }
    if (type == '%') d *= 100;
    if (precision < 0) precision = 6;
    if (type == 'r') {
        /* As g, but a whole number shows one digit behind the point, and goes
         * over to the exponent one digit earlier. */
        if (precision == 0) precision = 1;
        int exp10 = d == 0 ? 0 : (int)floor(log10(d));
        char probe[64];
        if (precision < 40 && d != 0) {
            snprintf(probe, sizeof probe, "%.*e", (int)precision - 1, d);
            const char *e = strchr(probe, 'e');
            exp10 = 0;
            if (e) {
                bool neg = e[1] == '-';
                for (const char *p = e + 2; *p; p++)
                    exp10 = exp10 * 10 + (*p - '0');
                if (neg) exp10 = -exp10;
            }
        }
        if (exp10 == precision - 1 && !s->alternate) {
            size_t start = b->n;
            format_real_digits(b, d, 'e', precision - 1, false, false);
            /* Trailing zeros of the mantissa go. */
            char *text = b->p + start;
            size_t len = b->n - start;
            char *e = memchr(text, 'e', len);
            if (e && memchr(text, '.', (size_t)(e - text))) {
                char *end = e;
                while (end[-1] == '0')
                    end--;
                if (end[-1] == '.') end--;
                memmove(end, e, len - (size_t)(e - text));
                b->n -= (size_t)(e - end);
                b->chars -= (size_t)(e - end);
            }
            return;
        }
        format_real_digits(b, d, 'g', precision, s->alternate, true);
        return;
    }
    if (type == 'n') type = 'g';
    if (type == '%') type = 'f';
    if ((type == 'g' || type == 'G') && precision == 0) precision = 1;
    format_real_digits(b, d, type, precision, s->alternate, false);
    if (s->type == '%') build_ascii(b, "%", 1);
}

static void add_real(struct build *b, double d, const struct spec *s) {
    bool upper = s->type == 'E' || s->type == 'F' || s->type == 'G';
    if (isnan(d))
        build_cstr(b, upper ? "NAN" : "nan");
    else if (isinf(d))
        build_cstr(b, upper ? "INF" : "inf");
    else {
        add_magnitude(b, d, s);
        return;
    }
    if (s->type == '%') build_ascii(b, "%", 1);
}

static bool all_zero(str s) {
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == 'e' || s.p[i] == 'E') return true;
        if (s.p[i] >= '1' && s.p[i] <= '9') return false;
    }
    return true;
}

static bool check_real_type(struct vm *vm, const struct spec *s, val v) {
    if (s->type && s->type != 'n' && !real_type(s->type)) {
        unknown_code(vm, s, v);
        return false;
    }
    return true;
}

val format_float(struct vm *vm, double d, const struct spec *s, val v) {
    if (!check_real_type(vm, s, v)) return VAL_UNSET;
    struct build b;
    build_init(&b, vm);
    add_real(&b, fabs(d), s);
    val r = VAL_UNSET;
    if (!b.failed) {
        str t = {b.p, b.n};
        size_t whole = 0;
        while (whole < t.n && t.p[whole] >= '0' && t.p[whole] <= '9')
            whole++;
        bool neg = signbit(d) && !isnan(d);
        if (s->no_neg_zero && all_zero(t) && isfinite(d)) neg = false;
        /* nan and inf have no digits: they are padded as a whole. */
        if (whole == 0) whole = t.n;
        struct number_text out = {.sign = sign_char(s, neg),
                                  .digits = str_sub(t, 0, whole),
                                  .tail = str_sub(t, whole, t.n)};
        r = put_number(vm, s, &out, isfinite(d) ? 3 : 0);
    }
    build_drop(&b);
    return r;
}

/* -- complex ----------------------------------------------------------------
 */

static void add_part(struct build *b, double d, const struct spec *s,
                     bool signed_) {
    struct spec part = *s;
    if (s->no_neg_zero && d == 0) d = 0;
    if (signed_ && !signbit(d)) build_ascii(b, "+", 1);
    if (signbit(d) && !isnan(d)) build_ascii(b, "-", 1);
    if (!signed_ && !signbit(d) && (s->sign == '+' || s->sign == ' '))
        build_ascii(b, &s->sign, 1);
    if (!part.type && part.precision < 0) {
        char out[40];
        size_t n = float_text(fabs(d), out);
        if (n > 2 && out[n - 2] == '.' && out[n - 1] == '0') n -= 2;
        build_ascii(b, out, n);
        return;
    }
    if (!part.type) part.type = 'g';
    add_real(b, fabs(d), &part);
}

val format_complex(struct vm *vm, val v, const struct spec *s) {
    if (!check_real_type(vm, s, v)) return VAL_UNSET;
    if (s->type == '%') return unknown_code(vm, s, v);
    if (s->fill == '0')
        return vm_raise(vm, EXC_ValueError,
                        "Zero padding is not allowed in complex format "
                        "specifier");
    if (s->align == '=')
        return vm_raise(vm, EXC_ValueError,
                        "'=' alignment flag is not allowed in complex format "
                        "specifier");
    struct cplx c = complex_get(vm, v);
    struct build b;
    build_init(&b, vm);
    bool skip = !s->type && c.re == 0 && !signbit(c.re);
    bool brackets = !s->type && !skip;
    if (brackets) build_ascii(&b, "(", 1);
    if (!skip) add_part(&b, c.re, s, false);
    add_part(&b, c.im, s, !skip);
    build_cstr(&b, brackets ? "j)" : "j");
    val text = build_take(&b);
    struct spec outer = {.fill = s->fill,
                         .align = s->align ? s->align : '>',
                         .width = s->width,
                         .precision = -1};
    return text ? format_text(vm, text, &outer) : VAL_UNSET;
}

/* -- any value --------------------------------------------------------------
 */

val kind_format(struct vm *vm, val v, val spec) {
    str s = spec ? text_get(vm, spec) : (str){0};
    if (s.n == 0) return value_str(vm, v);
    struct spec parsed;
    bool number =
        int_is(vm, v) || float_is(vm, v) || vm_is(vm, v, KIND_COMPLEX);
    if (!number && !vm_is(vm, v, KIND_STR))
        return vm_raise(vm, EXC_TypeError,
                        "unsupported format string passed to %s.__format__",
                        vm_type_name(vm, v));
    if (spec_parse(vm, s, v, &parsed)) return VAL_UNSET;
    if (int_is(vm, v)) return format_int(vm, v, &parsed);
    if (float_is(vm, v)) return format_float(vm, float_get(vm, v), &parsed, v);
    if (number) return format_complex(vm, v, &parsed);
    return format_text(vm, v, &parsed);
}

val value_format(struct vm *vm, val v, val spec, int conversion) {
    if (conversion) {
        v = conversion == 'r'   ? value_repr(vm, v)
            : conversion == 'a' ? value_ascii(vm, v)
                                : value_str(vm, v);
        if (!v) return VAL_UNSET;
    }
    if (spec && !vm_is(vm, spec, KIND_STR))
        return vm_raise(vm, EXC_TypeError,
                        "format() argument 2 must be str, not %s",
                        vm_type_name(vm, spec));
    if (special_of(vm, v, SPECIAL_FORMAT)) return vm_slow(vm);
    return kind_format(vm, v, spec);
}
