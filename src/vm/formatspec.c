/* SPDX-License-Identifier: MIT
 *
 * Format specifications, read. */
#include "vm/format.h"

#include "base/utf8.h"
#include "vm/unicode.h"

struct cursor {
    str s;
    size_t i;
};

static uint32_t peek(const struct cursor *c, size_t *len) {
    uint32_t cp = 0;
    if (c->i < c->s.n && (unsigned char)c->s.p[c->i] < 128) {
        *len = 1;
        return (unsigned char)c->s.p[c->i];
    }
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
        uint32_t cp = peek(c, &len);
        int digit = cp - '0' < 10 ? (int)(cp - '0')
                    : cp < 128    ? -1
                                  : unicode_decimal_value(cp);
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
    if (out->grouping && accept(c, ','))
        return spec_error(vm, "Cannot specify ',' with ','.");
    if (accept(c, '_')) {
        if (out->grouping)
            return spec_error(vm, "Cannot specify both ',' and '_'.");
        out->grouping = '_';
    }
    if (out->grouping == '_' && accept(c, '_'))
        return spec_error(vm, "Cannot specify '_' with '_'.");
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

/* What most specs are: alignment, zero, width, precision, type. False: it is
 * another, or wrong. */
static bool parse_usual(str s, struct spec *out) {
    enum { DIGITS = 4 };
    const char *p = s.p, *end = s.p + s.n;
    if (s.n >= 2 && is_align((unsigned char)p[1])) return false;
    if (p < end && is_align((unsigned char)*p)) out->align = *p++;
    if (p < end && *p == '0') {
        out->zero = true;
        out->fill = '0';
        p++;
    }
    const char *from = p;
    int64_t n = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        n = n * 10 + (*p - '0');
    if (p - from > DIGITS) return false;
    if (p > from) out->width = n;
    if (p < end && *p == '.') {
        from = ++p;
        for (n = 0; p < end && *p >= '0' && *p <= '9' && p - from < DIGITS; p++)
            n = n * 10 + (*p - '0');
        if (p == from) return false;
        out->precision = n;
    }
    if (p < end && ((*p >= 'a' && *p <= 'y') || (*p >= 'A' && *p <= 'Z')))
        out->type = (unsigned char)*p++;
    return p == end;
}

int spec_parse(struct vm *vm, str text, val v, struct spec *out) {
    *out = (struct spec){.fill = ' ', .width = -1, .precision = -1};
    if (text.n <= 8 && parse_usual(text, out)) return 0;
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
    if (c.i < text.n) {
        vm_raise(vm, EXC_ValueError,
                 "Invalid format specifier '%.*s' for object of type '%s'",
                 STR_ARG(text), vm_type_name(vm, v));
        return -1;
    }
    return check_grouping(vm, out, vm_is(vm, v, KIND_STR));
}
