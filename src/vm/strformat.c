/* SPDX-License-Identifier: MIT
 *
 * str.format and format_map. Fields that need an attribute, and values whose
 * class formats itself, go to the prelude, which reads the template through
 * text_format_parse. */
#include "vm/strformat.h"
#include "vm/format.h"

struct formatter {
    struct vm *vm;
    val args;          /* tuple or unset */
    val kwargs;        /* dict, mapping or unset */
    int64_t automatic; /* next {} number; -1: numbers were given */
    unsigned depth;
};

static int raise_value(struct vm *vm, const char *words) {
    vm_raise(vm, EXC_ValueError, "%s", words);
    return -1;
}

/* -- reading ----------------------------------------------------------------
 */

/* End of the field that starts at from (behind its brace), or -1. Braces nest
 * in the specification; brackets hide them in the name. */
static ptrdiff_t field_end(str s, size_t from) {
    size_t depth = 1;
    bool bracket = false, in_spec = false;
    for (size_t i = from; i < s.n; i++) {
        char c = s.p[i];
        if (bracket && !in_spec) {
            bracket = c != ']';
            continue;
        }
        if (c == '[' && !in_spec) bracket = true;
        if (c == ':' && depth == 1) in_spec = true;
        if (c == '{') depth++;
        if (c == '}' && !--depth) return (ptrdiff_t)i;
    }
    return -1;
}

/* Splits "name!r:spec". */
static int split_field(struct vm *vm, str field, struct format_piece *out) {
    size_t i = 0;
    bool bracket = false;
    while (i < field.n &&
           (bracket || (field.p[i] != '!' && field.p[i] != ':'))) {
        if (field.p[i] == '{')
            return raise_value(vm, "unexpected '{' in field name");
        if (field.p[i] == '[') bracket = true;
        if (field.p[i] == ']') bracket = false;
        i++;
    }
    out->name = str_sub(field, 0, i);
    out->conversion = 0;
    out->spec = (str){"", 0};
    if (i < field.n && field.p[i] == '!') {
        if (i + 1 >= field.n)
            return raise_value(vm, "unmatched '{' in format spec");
        out->conversion = field.p[i + 1];
        i += 2;
        if (i < field.n && field.p[i] != ':')
            return raise_value(vm, "expected ':' after conversion specifier");
    }
    if (i < field.n) out->spec = str_sub(field, i + 1, field.n);
    return 0;
}

int format_next(struct vm *vm, str s, size_t *i, struct format_piece *out) {
    size_t from = *i, at = from;
    while (at < s.n && s.p[at] != '{' && s.p[at] != '}')
        at++;
    *out = (struct format_piece){.literal = str_sub(s, from, at)};
    if (at == s.n) {
        *i = at;
        return 0;
    }
    if (at + 1 < s.n && s.p[at + 1] == s.p[at]) {
        out->literal = str_sub(s, from, at + 1);
        *i = at + 2;
        return 0;
    }
    if (s.p[at] == '}')
        return raise_value(vm, "Single '}' encountered in format string");
    if (at + 1 == s.n)
        return raise_value(vm, "Single '{' encountered in format string");
    ptrdiff_t end = field_end(s, at + 1);
    if (end < 0) return raise_value(vm, "expected '}' before end of string");
    out->has_field = true;
    *i = (size_t)end + 1;
    return split_field(vm, str_sub(s, at + 1, (size_t)end), out);
}

/* -- finding the value ------------------------------------------------------
 */

static bool is_number(str s, int64_t *out) {
    *out = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9' || i > 15) return false;
        *out = *out * 10 + (s.p[i] - '0');
    }
    return s.n > 0;
}

static val positional(struct formatter *f, int64_t i) {
    if (f->args && i < tuple_len(f->vm, f->args))
        return tuple_items(f->vm, f->args)[i];
    if (!f->args)
        return vm_raise(f->vm, EXC_ValueError,
                        "Format string contains positional fields");
    return vm_raise(f->vm, EXC_IndexError,
                    "Replacement index %lld out of range for positional args "
                    "tuple",
                    (long long)i);
}

static val first_value(struct formatter *f, str name) {
    int64_t i;
    struct vm *vm = f->vm;
    if (name.n == 0) {
        if (f->automatic < 0) {
            raise_value(vm, "cannot switch from manual field specification to "
                            "automatic field numbering");
            return VAL_UNSET;
        }
        return positional(f, f->automatic++);
    }
    if (is_number(name, &i)) {
        if (f->automatic > 0) {
            raise_value(vm, "cannot switch from automatic field numbering to "
                            "manual field specification");
            return VAL_UNSET;
        }
        f->automatic = -1;
        return positional(f, i);
    }
    val key = text_new(vm, name.p, name.n);
    if (!key) return VAL_UNSET;
    if (!f->kwargs) return vm_raise_args(vm, EXC_KeyError, &key, 1);
    if (!vm_is(vm, f->kwargs, KIND_DICT)) return vm_slow(vm);
    return value_getitem(vm, f->kwargs, key);
}

/* "[key]" after the first name. */
static val index_value(struct vm *vm, val v, str *rest) {
    ptrdiff_t close = str_find_char(*rest, ']');
    if (close < 0) {
        raise_value(vm, "Missing ']' in format string");
        return VAL_UNSET;
    }
    str name = str_sub(*rest, 1, (size_t)close);
    *rest = str_sub(*rest, (size_t)close + 1, rest->n);
    if (!name.n) {
        raise_value(vm, "Empty attribute in format string");
        return VAL_UNSET;
    }
    if (rest->n && rest->p[0] != '.' && rest->p[0] != '[') {
        raise_value(vm, "Only '.' or '[' may follow ']' in format field "
                        "specifier");
        return VAL_UNSET;
    }
    if (special_of(vm, v, SPECIAL_GETITEM)) return vm_slow(vm);
    int64_t i;
    if (is_number(name, &i)) return value_getitem(vm, v, val_of_int(i));
    val key = text_new(vm, name.p, name.n);
    return key ? value_getitem(vm, v, key) : VAL_UNSET;
}

static val field_value(struct formatter *f, str name) {
    size_t n = 0;
    while (n < name.n && name.p[n] != '.' && name.p[n] != '[')
        n++;
    val v = first_value(f, str_sub(name, 0, n));
    str rest = str_sub(name, n, name.n);
    while (v && rest.n) {
        if (rest.p[0] == '.') {
            if (rest.n > 1 && rest.p[1] != '[' && rest.p[1] != '.')
                return vm_slow(f->vm);
            raise_value(f->vm, "Empty attribute in format string");
            return VAL_UNSET;
        }
        v = index_value(f->vm, v, &rest);
    }
    return v;
}

/* -- the whole --------------------------------------------------------------
 */

static val expand(struct formatter *f, str s);

static int add_field(struct formatter *f, struct build *b,
                     const struct format_piece *p) {
    struct vm *vm = f->vm;
    val v = field_value(f, p->name);
    if (!v) return -1;
    if (p->conversion && p->conversion != 'r' && p->conversion != 's' &&
        p->conversion != 'a') {
        vm_raise(vm, EXC_ValueError, "Unknown conversion specifier %c",
                 p->conversion);
        return -1;
    }
    val spec = VAL_UNSET;
    if (memchr(p->spec.p, '{', p->spec.n))
        spec = expand(f, p->spec);
    else
        spec = text_new(vm, p->spec.p, p->spec.n);
    val text = spec ? value_format(vm, v, spec, p->conversion) : VAL_UNSET;
    if (!text) return -1;
    build_val(b, text);
    return 0;
}

static val expand(struct formatter *f, str s) {
    if (f->depth == 2) {
        raise_value(f->vm, "Max string recursion exceeded");
        return VAL_UNSET;
    }
    f->depth++;
    struct build b;
    build_init(&b, f->vm);
    int bad = 0;
    for (size_t i = 0; i < s.n && !bad && !b.failed;) {
        struct format_piece piece;
        bad = !vm_charge(f->vm, 8) || format_next(f->vm, s, &i, &piece);
        if (bad) break;
        build_add(&b, piece.literal.p, piece.literal.n);
        if (piece.has_field) bad = add_field(f, &b, &piece);
    }
    f->depth--;
    if (!bad) return build_take(&b);
    build_drop(&b);
    return VAL_UNSET;
}

val text_format(struct vm *vm, val template, val args, val kwargs) {
    struct formatter f = {.vm = vm, .args = args, .kwargs = kwargs};
    return expand(&f, text_get(vm, template));
}
