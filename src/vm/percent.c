/* SPDX-License-Identifier: MIT
 *
 * `template % arguments` for str and bytes. */
#include "base/utf8.h"
#include "vm/bigint.h"
#include "vm/bytes.h"
#include "vm/format.h"
#include "vm/number.h"
#include "vm/repr.h"

#include <math.h>
#include <stdio.h>

struct percent {
    struct vm *vm;
    struct build b;
    str s;    /* the template */
    size_t i; /* where reading stands */
    val args;
    bool is_tuple, is_mapping;
    uint32_t next; /* argument to be taken */
    bool used;     /* some mapping key was looked up */
    bool bytes;
};

struct directive {
    bool left, plus, space, alternate, zero;
    int64_t width, precision; /* -1: none */
    val key_value;            /* argument chosen by %(key)s, or unset */
    uint32_t conversion;
};

static int percent_error(struct percent *p, enum exc exc, const char *words) {
    vm_raise(p->vm, exc, "%s", words);
    return -1;
}

static val next_argument(struct percent *p) {
    if (p->is_tuple) {
        if (p->next < tuple_len(p->vm, p->args))
            return tuple_items(p->vm, p->args)[p->next++];
    } else if (p->next++ == 0) {
        return p->args;
    }
    percent_error(p, EXC_TypeError, "not enough arguments for format string");
    return VAL_UNSET;
}

/* -- reading a directive ----------------------------------------------------
 */

static bool at_end(const struct percent *p) {
    return p->i >= p->s.n;
}

/* %(key): its value becomes the only argument. */
static int read_key(struct percent *p, struct directive *d) {
    if (at_end(p) || p->s.p[p->i] != '(') return 0;
    if (!p->is_mapping)
        return percent_error(p, EXC_TypeError, "format requires a mapping");
    size_t from = ++p->i, depth = 1;
    while (!at_end(p) && depth) {
        char c = p->s.p[p->i++];
        depth += c == '(';
        depth -= c == ')';
    }
    if (depth) return percent_error(p, EXC_ValueError, "incomplete format key");
    str name = str_sub(p->s, from, p->i - 1);
    val key = p->bytes ? bytes_new(p->vm, name.p, name.n)
                       : text_new(p->vm, name.p, name.n);
    if (!key) return -1;
    p->used = true;
    d->key_value = value_getitem(p->vm, p->args, key);
    return d->key_value ? 0 : -1;
}

static void read_flags(struct percent *p, struct directive *d) {
    for (; !at_end(p); p->i++) {
        switch (p->s.p[p->i]) {
        case '-': d->left = true; break;
        case '+': d->plus = true; break;
        case ' ': d->space = true; break;
        case '#': d->alternate = true; break;
        case '0': d->zero = true; break;
        default: return;
        }
    }
}

/* A number or '*'. */
static int read_size(struct percent *p, int64_t *out, bool precision) {
    if (!at_end(p) && p->s.p[p->i] == '*') {
        p->i++;
        val v = next_argument(p);
        if (!v) return -1;
        if (!int_is(p->vm, v))
            return percent_error(p, EXC_TypeError, "* wants int");
        if (int_get(p->vm, v, out) || *out > INT32_MAX || *out < -INT32_MAX)
            return percent_error(p, EXC_OverflowError,
                                 "Python int too large to convert to C int");
        return 0;
    }
    int64_t n = precision ? 0 : -1;
    for (; !at_end(p) && p->s.p[p->i] >= '0' && p->s.p[p->i] <= '9'; p->i++) {
        n = (n < 0 ? 0 : n) * 10 + (p->s.p[p->i] - '0');
        if (n > INT32_MAX)
            return percent_error(p, EXC_ValueError,
                                 precision ? "precision too big"
                                           : "width too big");
    }
    *out = n;
    return 0;
}

static int read_directive(struct percent *p, struct directive *d) {
    *d = (struct directive){.width = -1, .precision = -1};
    if (read_key(p, d)) return -1;
    read_flags(p, d);
    if (read_size(p, &d->width, false)) return -1;
    if (d->width < -1) {
        d->left = true;
        d->width = -d->width;
    }
    if (!at_end(p) && p->s.p[p->i] == '.') {
        p->i++;
        if (read_size(p, &d->precision, true)) return -1;
        if (d->precision < 0) d->precision = 0;
    }
    while (!at_end(p) && strchr("hlL", p->s.p[p->i]) && p->s.p[p->i])
        p->i++;
    if (at_end(p)) return percent_error(p, EXC_ValueError, "incomplete format");
    p->i += utf8_decode_loose(p->s.p + p->i, p->s.n - p->i, &d->conversion);
    return 0;
}

/* -- writing ----------------------------------------------------------------
 */

/* sign, prefix and body padded to the width. */
static void put(struct percent *p, const struct directive *d, str prefix,
                str body, size_t chars) {
    uint64_t have = prefix.n + chars;
    uint64_t more = d->width > (int64_t)have ? (uint64_t)d->width - have : 0;
    bool zeros = d->zero && !d->left;
    if (!d->left && !zeros) build_fill(&p->b, ' ', more);
    build_ascii(&p->b, prefix.p, prefix.n);
    if (zeros) build_fill(&p->b, '0', more);
    build_add(&p->b, body.p, body.n);
    if (d->left) build_fill(&p->b, ' ', more);
}

static int put_text(struct percent *p, const struct directive *d, val text) {
    if (!text) return -1;
    struct vm *vm = p->vm;
    if (d->precision >= 0 && d->precision < text_chars(vm, text)) {
        text = text_slice(vm, text, 0, (uint64_t)d->precision);
        if (!text) return -1;
    }
    struct directive plain = *d;
    plain.zero = false;
    put(p, &plain, (str){0}, text_get(vm, text), text_chars(vm, text));
    return 0;
}

static str sign_of(const struct directive *d, bool negative) {
    if (negative) return STR("-");
    return d->plus ? STR("+") : d->space ? STR(" ") : (str){"", 0};
}

/* An argument for %d and the like as exactly an int. */
static val int_argument(struct percent *p, uint32_t conversion, val v) {
    struct vm *vm = p->vm;
    bool decimal = conversion == 'd' || conversion == 'i' || conversion == 'u';
    if (int_is(vm, v)) return int_plain(vm, v);
    if (decimal && float_is(vm, v)) return number_trunc(vm, v);
    if (special_of(vm, v, SPECIAL_INDEX) ||
        (decimal && special_of(vm, v, SPECIAL_INT)))
        return vm_slow(vm);
    return vm_raise(vm, EXC_TypeError,
                    decimal ? "%%%c format: a real number is required, not %s"
                            : "%%%c format: an integer is required, not %s",
                    (char)conversion, vm_type_name(vm, v));
}

/* %d of an inline int. */
static int put_small(struct percent *p, const struct directive *d, int64_t i) {
    char out[24], *end = out + sizeof out;
    char *digits = decimal_digits(end, i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
    size_t n = (size_t)(end - digits);
    put(p, d, sign_of(d, i < 0), (str){digits, n}, n);
    return 0;
}

static int put_int(struct percent *p, const struct directive *d, val v) {
    struct vm *vm = p->vm;
    if (d->conversion == 'd' && d->precision < 0 && val_is_int(v))
        return put_small(p, d, val_int(v));
    unsigned base = d->conversion == 'o'                           ? 8
                    : d->conversion == 'x' || d->conversion == 'X' ? 16
                                                                   : 10;
    v = int_argument(p, d->conversion, v);
    val text = v ? int_text(vm, v, base, true) : VAL_UNSET;
    if (!text) return -1;
    str t = text_get(vm, text);
    bool neg = t.p[0] == '-';
    t = str_sub(t, neg, t.n);
    struct build body;
    build_init(&body, vm);
    if (d->precision > (int64_t)t.n)
        build_fill(&body, '0', (uint64_t)d->precision - t.n);
    build_ascii(&body, t.p, t.n);
    char prefix[4];
    size_t n = 0;
    str sign = sign_of(d, neg);
    if (sign.n) prefix[n++] = sign.p[0];
    if (d->alternate && base != 10) {
        prefix[n++] = '0';
        prefix[n++] = (char)d->conversion;
    }
    if (!body.failed && d->conversion == 'X')
        for (size_t i = 0; i < body.n; i++)
            if (body.p[i] >= 'a') body.p[i] = (char)(body.p[i] - 32);
    if (!body.failed)
        put(p, d, (str){prefix, n}, (str){body.p, body.n}, body.n);
    int bad = body.failed;
    build_drop(&body);
    return bad ? -1 : 0;
}

static int put_real(struct percent *p, const struct directive *d, val v) {
    struct vm *vm = p->vm;
    double x;
    if (!int_is(vm, v) && !float_is(vm, v)) {
        if (special_of(vm, v, SPECIAL_FLOAT))
            vm_slow(vm);
        else
            vm_raise(vm, EXC_TypeError, "must be real number, not %s",
                     vm_type_name(vm, v));
        return -1;
    }
    if (number_real(vm, v, &x)) return -1;
    struct build body;
    build_init(&body, vm);
    bool upper = d->conversion < 'a';
    int64_t precision = d->precision < 0 ? 6 : d->precision;
    if (isfinite(x))
        format_real_digits(&body, fabs(x), (char)d->conversion, precision,
                           d->alternate, false);
    else
        build_cstr(&body, isnan(x) ? (upper ? "NAN" : "nan")
                                   : (upper ? "INF" : "inf"));
    struct directive how = *d;
    if (!body.failed)
        put(p, &how, sign_of(d, signbit(x) && !isnan(x)), (str){body.p, body.n},
            body.n);
    int bad = body.failed;
    build_drop(&body);
    return bad ? -1 : 0;
}

static int put_char(struct percent *p, const struct directive *d, val v) {
    struct vm *vm = p->vm;
    int64_t cp;
    struct directive plain = *d;
    plain.precision = -1;
    if (vm_is(vm, v, KIND_STR) && !p->bytes) {
        if (text_chars(vm, v) == 1) return put_text(p, &plain, v);
        return percent_error(p, EXC_TypeError, "%c requires int or char");
    }
    if (p->bytes && bytes_is(vm, v) && bytes_get(vm, v).n == 1) {
        put(p, &plain, (str){0}, bytes_get(vm, v), 1);
        return 0;
    }
    if (!int_is(vm, v))
        return percent_error(
            p, EXC_TypeError,
            p->bytes ? "%c requires an integer in range(256) or a single byte"
                     : "%c requires int or char");
    if (int_get(vm, v, &cp) || cp < 0 || cp > (p->bytes ? 255 : 0x10ffff))
        return percent_error(p, EXC_OverflowError,
                             p->bytes ? "%c arg not in range(256)"
                                      : "%c arg not in range(0x110000)");
    if (p->bytes) {
        char c = (char)cp;
        put(p, &plain, (str){0}, (str){&c, 1}, 1);
        return 0;
    }
    return put_text(p, &plain, text_char(vm, (uint32_t)cp));
}

static int put_bytes(struct percent *p, const struct directive *d, val v) {
    if (!bytes_is(p->vm, v)) {
        if (special_of(p->vm, v, SPECIAL_BYTES))
            vm_slow(p->vm);
        else
            vm_raise(p->vm, EXC_TypeError,
                     "%%b requires a bytes-like object, or an object that "
                     "implements __bytes__, not '%s'",
                     vm_type_name(p->vm, v));
        return -1;
    }
    str s = bytes_get(p->vm, v);
    if (d->precision >= 0 && (uint64_t)d->precision < s.n)
        s.n = (size_t)d->precision;
    struct directive plain = *d;
    plain.zero = false;
    put(p, &plain, (str){0}, s, s.n);
    return 0;
}

static int convert(struct percent *p, const struct directive *d, val v) {
    struct vm *vm = p->vm;
    switch (d->conversion) {
    case 's':
        if (p->bytes) return put_bytes(p, d, v);
        return put_text(p, d, value_str(vm, v));
    case 'b':
        if (p->bytes) return put_bytes(p, d, v);
        break;
    case 'r':
        return put_text(p, d,
                        p->bytes ? value_ascii(vm, v) : value_repr(vm, v));
    case 'a': return put_text(p, d, value_ascii(vm, v));
    case 'c': return put_char(p, d, v);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': return put_int(p, d, v);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return put_real(p, d, v);
    default: break;
    }
    char shown[UTF8_MAX + 1] = {0};
    utf8_encode(d->conversion, shown);
    vm_raise(vm, EXC_ValueError,
             "unsupported format character '%s' (0x%x) at index %zu", shown,
             d->conversion, (size_t)utf8_count(p->s.p, p->i) - 1);
    return -1;
}

/* -- the whole --------------------------------------------------------------
 */

/* %d of a small int or %s of a str, without more: most of them. */
static bool plain_directive(struct percent *p) {
    if (at_end(p) || !p->is_tuple || p->next >= tuple_len(p->vm, p->args))
        return false;
    val v = tuple_items(p->vm, p->args)[p->next];
    char c = p->s.p[p->i];
    if (c == 'd' && val_is_int(v)) {
        char out[24], *end = out + sizeof out;
        int64_t i = val_int(v);
        char *from = decimal_digits(end, i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
        if (i < 0) *--from = '-';
        build_ascii(&p->b, from, (size_t)(end - from));
    } else if (c == 's' && !p->bytes && val_is_ref(v) &&
               type_of(p->vm, v) == TYPE_VAL(str)) {
        build_val(&p->b, v);
    } else {
        return false;
    }
    p->i++;
    p->next++;
    vm_spend(p->vm, 8);
    return true;
}

static int one_directive(struct percent *p) {
    struct directive d;
    if (plain_directive(p)) return vm_go_on(p->vm) ? 0 : -1;
    if (!at_end(p) && p->s.p[p->i] == '%') {
        p->i++;
        build_ascii(&p->b, "%", 1);
        return 0;
    }
    if (read_directive(p, &d)) return -1;
    val v = d.key_value ? d.key_value : next_argument(p);
    if (!v || !vm_charge(p->vm, 8)) return -1;
    return convert(p, &d, v);
}

static int all_directives(struct percent *p) {
    while (!at_end(p)) {
        const char *next = memchr(p->s.p + p->i, '%', p->s.n - p->i);
        size_t n = next ? (size_t)(next - p->s.p) - p->i : p->s.n - p->i;
        build_add(&p->b, p->s.p + p->i, n);
        p->i += n + (next != NULL);
        if (next && one_directive(p)) return -1;
        if (p->b.failed) return -1;
    }
    bool left = p->is_tuple ? p->next < tuple_len(p->vm, p->args)
                            : p->next == 0 && !p->is_mapping;
    if (left)
        return percent_error(
            p, EXC_TypeError,
            p->bytes ? "not all arguments converted during bytes formatting"
                     : "not all arguments converted during string formatting");
    return 0;
}

static bool mapping_like(const struct vm *vm, val v) {
    if (!val_is_ref(v)) return false;
    uint8_t k = vm_obj(vm, v)->kind;
    return k == KIND_DICT || k == KIND_LIST || k == KIND_RANGE ||
           (k == KIND_INSTANCE && special_of(vm, v, SPECIAL_GETITEM));
}

static bool percent_run(struct percent *p, struct vm *vm, str template,
                        val args, bool bytes) {
    p->vm = vm;
    p->s = template;
    p->i = 0;
    p->args = args;
    p->is_tuple = vm_is(vm, args, KIND_TUPLE);
    p->is_mapping = mapping_like(vm, args);
    p->next = 0;
    p->used = false;
    p->bytes = bytes;
    build_init(&p->b, vm);
    if (!all_directives(p)) return true;
    build_drop(&p->b);
    return false;
}

val text_percent(struct vm *vm, val template, val args) {
    struct percent p;
    return percent_run(&p, vm, text_get(vm, template), args, false)
               ? build_take(&p.b)
               : VAL_UNSET;
}

val bytes_percent(struct vm *vm, val template, val args) {
    struct percent p;
    if (!percent_run(&p, vm, bytes_get(vm, template), args, true))
        return VAL_UNSET;
    val v = bytes_like(vm, template, p.b.p, p.b.n);
    build_drop(&p.b);
    return v;
}
