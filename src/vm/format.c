/* SPDX-License-Identifier: MIT
 *
 * The format mini-language for int, float, complex and str. */
#include "vm/format.h"

#include "vm/bigint.h"
#include "vm/number.h"
#include "vm/repr.h"

#include <math.h>
#include <stdio.h>

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

#define FEW 200 /* characters that are put together where they stand */

static char *add_str(char *p, str s) {
    text_copy(p, s.p, s.n);
    return p + s.n;
}

static char *add_times(char *p, uint32_t c, uint64_t n) {
    for (; n > 0; n--)
        *p++ = (char)c;
    return p;
}

/* put_number() without groups, of little ASCII. */
static val put_few(struct vm *vm, const struct spec *s,
                   const struct number_text *t, struct padding pad,
                   uint64_t zeros) {
    bool inner = s->align == '=' || (!s->align && s->zero);
    size_t n = (t->sign != 0) + t->prefix.n + (size_t)zeros + t->digits.n +
               t->tail.n + (size_t)(pad.left + pad.right);
    char *p;
    val v = vm_charge(vm, n) ? text_alloc(vm, n, n, &p) : VAL_UNSET;
    if (!v) return VAL_UNSET;
    if (!inner) p = add_times(p, s->fill, pad.left);
    if (t->sign) *p++ = t->sign;
    p = add_str(p, t->prefix);
    if (inner) p = add_times(p, s->fill, pad.left);
    p = add_times(p, '0', zeros);
    p = add_str(p, t->digits);
    p = add_str(p, t->tail);
    add_times(p, s->fill, pad.right);
    return v;
}

/* The fill of '=' stands between the sign and the digits; with 0 it is grouped
 * with them. */
static val put_number(struct vm *vm, const struct spec *s,
                      const struct number_text *t, uint64_t every) {
    bool inner = s->align == '=' || (!s->align && s->zero);
    if (!s->grouping) every = 0;
    uint64_t fixed = (t->sign != 0) + t->prefix.n + t->tail.n, zeros = 0;
    bool zero_fill = inner && s->fill == '0';
    if (zero_fill && s->width > 0 && t->digits.n && !every) {
        if (fixed + t->digits.n < (uint64_t)s->width)
            zeros = (uint64_t)s->width - fixed - t->digits.n;
    } else if (zero_fill && s->width > 0 && t->digits.n)
        while (fixed + grouped_len(t->digits.n + zeros, every) <
               (uint64_t)s->width) {
            uint64_t lack = (uint64_t)s->width - fixed -
                            grouped_len(t->digits.n + zeros, every);
            zeros += lack > 8 ? lack / 2 : 1;
        }
    uint64_t have = fixed + grouped_len(t->digits.n + zeros, every);
    struct padding p = pad_for(s, have, inner ? '=' : '>');
    if (!every && s->fill < 128 && s->width <= FEW && have > 1 && have <= FEW)
        return put_few(vm, s, t, p, zeros);
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
        vm_raise(vm, EXC_ValueError, "%s",
                 s->sign == ' '
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
        vm_raise(vm, EXC_ValueError, "%s", wrong);
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
    format_real(&b, fabs(d), s);
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
        bool digits = isfinite(s->type == '%' ? d * 100 : d);
        r = put_number(vm, s, &out, digits ? 3 : 0);
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
        const char *e = memchr(out, 'e', n);
        bool point = s->alternate && isfinite(d) && !memchr(out, '.', n);
        size_t head = point && e ? (size_t)(e - out) : n;
        build_ascii(b, out, head);
        if (point) build_ascii(b, ".", 1);
        build_ascii(b, out + head, n - head);
        return;
    }
    if (!part.type) part.type = 'g';
    format_real(b, fabs(d), &part);
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
    if (val_is_int(v) && !spec) return int_text(vm, v, 10, true);
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
