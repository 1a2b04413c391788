/* SPDX-License-Identifier: MIT
 *
 * The builtin functions that work on values. Those about attributes, classes
 * and iteration are in vm/core.c; any that must call Python has its other half
 * in prelude_*.py. */
#include "base/utf8.h"
#include "stdlib/helpers.h"
#include "vm/bigint.h"
#include "vm/compare.h"
#include "vm/dict.h"
#include "vm/iter.h"
#include "vm/number.h"
#include "vm/sort.h"
#include "vm/text.h"

/* -- text -------------------------------------------------------------------
 */

static val f_len(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t len = value_len(vm, args[0]);
    return len < 0 ? VAL_UNSET : int_new(vm, len);
}

static val f_repr(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return value_repr(vm, args[0]);
}

static val f_ascii(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return value_ascii(vm, args[0]);
}

static val f_format(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return value_format(vm, args[0], args[1], 0);
}

static int separator(struct vm *vm, val v, const char *name,
                     const char *missing, str *out) {
    *out = str_of(missing);
    if (!v || v == VAL_NONE) return 0;
    if (!vm_is(vm, v, KIND_STR)) {
        vm_raise(vm, EXC_TypeError, "%s must be None or a string, not %s", name,
                 vm_type_name(vm, v));
        return -1;
    }
    *out = text_get(vm, v);
    return 0;
}

/* Everything is made before anything is written, so that the call can be
 * repeated. */
static val f_print(struct vm *vm, const val *args, size_t n) {
    str sep, end;
    if (separator(vm, args[0], "sep", " ", &sep) ||
        separator(vm, args[1], "end", "\n", &end))
        return VAL_UNSET;
    val sys;
    if ((args[2] && args[2] != VAL_NONE) || stdout_replaced(vm, &sys))
        return vm_slow(vm);
    struct build b;
    build_init(&b, vm);
    for (size_t i = 4; i < n && !b.failed; i++) {
        if (i > 4) build_add(&b, sep.p, sep.n);
        val text = value_str(vm, args[i]);
        if (!text) {
            build_drop(&b);
            return VAL_UNSET;
        }
        build_val(&b, text);
    }
    build_add(&b, end.p, end.n);
    bool done = !b.failed && vm_print(vm, CORDON_STDOUT, (str){b.p, b.n});
    build_drop(&b);
    return done ? VAL_NONE : VAL_UNSET;
}

/* -- characters and digits --------------------------------------------------
 */

static val f_chr(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t cp;
    if (int_is(vm, args[0]) &&
        (int_get(vm, args[0], &cp) || cp > INT32_MAX || cp < INT32_MIN))
        return vm_raise(vm, EXC_OverflowError,
                        "Python int too large to convert to C int");
    if (value_index(vm, args[0], &cp)) return VAL_UNSET;
    if (cp < 0 || cp > 0x10ffff)
        return vm_raise(vm, EXC_ValueError, "chr() arg not in range(0x110000)");
    return text_char(vm, (uint32_t)cp);
}

static val f_ord(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint32_t cp = 0;
    uint64_t len = 0;
    if (vm_is(vm, args[0], KIND_STR)) {
        str s = text_get(vm, args[0]);
        len = text_chars(vm, args[0]);
        if (len == 1) utf8_decode_loose(s.p, s.n, &cp);
    } else if (vm_is(vm, args[0], KIND_BYTES)) {
        str s = bytes_get(vm, args[0]);
        len = s.n;
        if (len == 1) cp = (unsigned char)s.p[0];
    } else {
        return vm_raise(vm, EXC_TypeError,
                        "ord() expected string of length 1, but %s found",
                        vm_type_name(vm, args[0]));
    }
    if (len == 1) return val_of_int(cp);
    return vm_raise(vm, EXC_TypeError,
                    "ord() expected a character, but string of length %llu "
                    "found",
                    (unsigned long long)len);
}

static val in_base(struct vm *vm, val v, unsigned base, const char *prefix) {
    if (!int_is(vm, v)) {
        if (special_of(vm, v, SPECIAL_INDEX)) return vm_slow(vm);
        return vm_raise(vm, EXC_TypeError,
                        "'%s' object cannot be interpreted as an integer",
                        vm_type_name(vm, v));
    }
    val text = int_text(vm, int_plain(vm, v), base, false);
    if (!text) return VAL_UNSET;
    str s = text_get(vm, text);
    bool neg = s.p[0] == '-';
    struct build b;
    build_init(&b, vm);
    build_ascii(&b, "-", neg);
    build_ascii(&b, prefix, 2);
    build_ascii(&b, s.p + neg, s.n - neg);
    return build_take(&b);
}

static val f_bin(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return in_base(vm, args[0], 2, "0b");
}

static val f_oct(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return in_base(vm, args[0], 8, "0o");
}

static val f_hex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return in_base(vm, args[0], 16, "0x");
}

/* -- numbers ----------------------------------------------------------------
 */

static val f_abs(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (special_of(vm, args[0], SPECIAL_ABS)) return vm_slow(vm);
    return number_abs(vm, args[0]);
}

/* A class that defines operators in Python answers itself. */
static bool has_operators(const struct vm *vm, val v) {
    return special_of(vm, v, SPECIAL_ARITH);
}

static val f_divmod(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (has_operators(vm, args[0]) || has_operators(vm, args[1]))
        return vm_slow(vm);
    val r = number_divmod(vm, args[0], args[1]);
    if (r != VAL_NOTIMPLEMENTED) return r;
    return help_raise_binary(
        vm, (val[]){text_of(vm, "divmod()"), args[0], args[1]}, 3);
}

static val f_pow(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val mod = args[2] ? args[2] : VAL_NONE;
    if (has_operators(vm, args[0]) || has_operators(vm, args[1]) ||
        has_operators(vm, mod))
        return vm_slow(vm);
    val r = arith_power(vm, args[0], args[1], mod);
    if (r != VAL_NOTIMPLEMENTED) return r;
    return arith_unsupported(vm, OP_POW, args[0], args[1]);
}

static val f_round(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (special_of(vm, args[0], SPECIAL_ROUND)) return vm_slow(vm);
    if (!int_is(vm, args[0]) && !float_is(vm, args[0]))
        return vm_raise(vm, EXC_TypeError,
                        "type %s doesn't define __round__ method",
                        vm_type_name(vm, args[0]));
    return number_round(vm, args[0], args[1]);
}

static val f_hash(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t h;
    return value_hash(vm, args[0], &h) ? VAL_UNSET : int_new(vm, h);
}

static val f_id(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return int_new_u64(vm, value_identity(args[0]));
}

/* -- over iterables ---------------------------------------------------------
 */

/* A plain C iterator over it, without consuming anything yet. */
static val plain_iter(struct vm *vm, val iterable) {
    val it = iter_new(vm, iterable);
    if (!it) return VAL_UNSET;
    return iter_is_plain(vm, it) ? it : vm_slow(vm);
}

static bool sums_as_text(const struct vm *vm, val start) {
    return vm_is(vm, start, KIND_STR) || vm_is(vm, start, KIND_BYTES);
}

static val f_sum(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val total = args[1] ? args[1] : val_of_int(0), item;
    if (sums_as_text(vm, total))
        return vm_raise(vm, EXC_TypeError,
                        vm_is(vm, total, KIND_STR)
                            ? "sum() can't sum strings [use ''.join(seq) "
                              "instead]"
                            : "sum() can't sum bytes [use b''.join(seq) "
                              "instead]");
    if (has_operators(vm, total)) return vm_slow(vm);
    val it = plain_iter(vm, args[0]);
    if (!it) return VAL_UNSET;
    struct oiter before = *iter_at(vm, it);
    for (uint64_t i = 0;; i++) {
        enum iter_step got = iter_next(vm, it, &item);
        if (got == ITER_END) return total;
        if (got == ITER_ITEM && has_operators(vm, item)) {
            vm_slow(vm);
            got = ITER_RAISED;
        }
        int64_t fast;
        if (got == ITER_ITEM && val_both_int(total, item) &&
            !__builtin_add_overflow(val_int(total), val_int(item), &fast) &&
            val_int_fits(fast))
            total = val_of_int(fast);
        else if (got == ITER_ITEM)
            total = arith_binary(vm, OP_ADD, total, item);
        if (got == ITER_RAISED || !total ||
            (i % 64 == 63 && !vm_charge(vm, 64))) {
            *iter_at(vm, it) = before;
            return VAL_UNSET;
        }
    }
}

/* any() and all(): the first item whose truth is `stop` decides. */
static val first_truth(struct vm *vm, val iterable, int stop) {
    val it = plain_iter(vm, iterable), item;
    if (!it) return VAL_UNSET;
    struct oiter before = *iter_at(vm, it);
    for (;;) {
        enum iter_step got = iter_next(vm, it, &item);
        if (got == ITER_END) return val_of_bool(!stop);
        int truth = got == ITER_ITEM ? value_truth(vm, item) : -1;
        if (truth < 0 || !vm_charge(vm, 1)) {
            *iter_at(vm, it) = before;
            return VAL_UNSET;
        }
        if (truth == stop) return val_of_bool(stop);
    }
}

static val f_any(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return first_truth(vm, args[0], 1);
}

static val f_all(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return first_truth(vm, args[0], 0);
}

/* args: key, default, then the values or one iterable. */
static val extreme(struct vm *vm, const val *args, size_t n, enum op op,
                   const char *name) {
    const val *items = args + 2;
    uint64_t count = n - 2;
    if (count == 0)
        return vm_raise(vm, EXC_TypeError,
                        "%s expected at least 1 argument, got 0", name);
    if (args[1] && count > 1)
        return vm_raise(vm, EXC_TypeError,
                        "Cannot specify a default for %s() with multiple "
                        "positional arguments",
                        name);
    if (args[0] && args[0] != VAL_NONE) return vm_slow(vm);
    if (count == 1 && value_items(vm, args[2], &items, &count))
        return VAL_UNSET;
    if (count == 0) {
        if (args[1]) return args[1];
        return vm_raise(vm, EXC_ValueError, "%s() arg is an empty sequence",
                        name);
    }
    val best = items[0];
    if (!vm_charge(vm, count)) return VAL_UNSET;
    for (uint64_t i = 1; i < count; i++) {
        if (val_both_int(items[i], best)) {
            int64_t a = val_int(items[i]), b = val_int(best);
            if (op == OP_LT ? a < b : a > b) best = items[i];
            continue;
        }
        val better = compare_rich(vm, op, items[i], best);
        if (!better) return VAL_UNSET;
        if (better == VAL_TRUE) best = items[i];
    }
    return best;
}

static val f_min(struct vm *vm, const val *args, size_t n) {
    return extreme(vm, args, n, OP_LT, "min");
}

static val f_max(struct vm *vm, const val *args, size_t n) {
    return extreme(vm, args, n, OP_GT, "max");
}

static val f_sorted(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int reverse = sort_reverse(vm, args[2]);
    if (reverse < 0) return VAL_UNSET;
    if (args[1] && args[1] != VAL_NONE) return vm_slow(vm);
    val list = list_from(vm, args[0]);
    if (!list) return VAL_UNSET;
    val *items = list_items(vm, list);
    uint64_t len = list_len(vm, list);
    if (len > 1 && sort_by_keys(vm, items, items, len, reverse, items))
        return VAL_UNSET;
    return list;
}

/* For the prelude: items sorted by keys that are there already. */
static val f_sort_by(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t len = list_len(vm, args[0]);
    int reverse = sort_reverse(vm, args[2]);
    if (reverse < 0 || len != list_len(vm, args[1])) return VAL_UNSET;
    val out = list_new(vm, list_items(vm, args[0]), len);
    if (out && len > 1 &&
        sort_by_keys(vm, list_items(vm, args[1]), list_items(vm, args[0]), len,
                     reverse, list_items(vm, out)))
        return VAL_UNSET;
    return out;
}

/* -- what a sandbox has not -------------------------------------------------
 */

static val absent(struct vm *vm, const char *what, const char *instead) {
    return vm_raise(vm, EXC_RuntimeError, "%s is not available here: %s", what,
                    instead);
}

static val f_input(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return absent(vm, "input()",
                  "nobody can answer; take values from variables or from the "
                  "functions you were given");
}

static val f_open(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return absent(vm, "open()",
                  "there is no file system; use the functions you were given "
                  "to read and write data");
}

static val f_eval(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return absent(vm, "eval()",
                  "write the expression itself, or use json.loads or "
                  "ast.literal_eval for data");
}

static val f_exec(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return absent(vm, "exec()", "write the statements themselves");
}

static val f_compile(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return absent(vm, "compile()", "write the code itself");
}

static val f_import(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return absent(vm, "__import__()", "use the import statement");
}

static val f_breakpoint(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return absent(vm, "breakpoint()", "print what you want to see");
}

static const struct native functions[] = {
    {"abs", "x, /", f_abs, "The absolute value.", "_abs"},
    {"all", "iterable, /", f_all, "Whether every item is true.", "_all"},
    {"any", "iterable, /", f_any, "Whether some item is true.", "_any"},
    {"ascii", "obj, /", f_ascii, "repr() in ASCII.", "_ascii"},
    {"bin", "number, /", f_bin, "Binary text.", "_bin"},
    {"chr", "i, /", f_chr, "The character with this number.", NULL},
    {"divmod", "x, y, /", f_divmod, "(x // y, x % y)", "_divmod"},
    {"format", "value, format_spec='', /", f_format, "Text by a format.",
     "_format"},
    {"hash", "obj, /", f_hash, "The hash of a value.", "_hash"},
    {"hex", "number, /", f_hex, "Hexadecimal text.", "_hex"},
    {"id", "obj, /", f_id, "A number for the object's identity.", NULL},
    {"len", "obj, /", f_len, "How many items there are.", "_len"},
    {"max", "*args, key=None, default=None", f_max, "The largest.", "_max"},
    {"min", "*args, key=None, default=None", f_min, "The smallest.", "_min"},
    {"oct", "number, /", f_oct, "Octal text.", "_oct"},
    {"ord", "c, /", f_ord, "The number of a character.", NULL},
    {"pow", "base, exp, mod=None", f_pow, "base ** exp, modulo mod.", "_pow"},
    {"print", "*args, sep=' ', end='\\n', file=None, flush=False", f_print,
     "Writes values as text.", "_print"},
    {"repr", "obj, /", f_repr, "Text that shows the value.", "_repr"},
    {"round", "number, ndigits=None", f_round, "Rounded, half to even.",
     "_round"},
    {"sorted", "iterable, /, *, key=None, reverse=False", f_sorted,
     "A sorted list of the items.", "_sorted"},
    {"sum", "iterable, /, start=0", f_sum, "The sum of the items.", "_sum"},
    {"input", "prompt=None, /", f_input, "Not available.", NULL},
    {"open", "file, *args, **kwargs", f_open, "Not available.", NULL},
    {"eval", "source, *args, **kwargs", f_eval, "Not available.", NULL},
    {"exec", "source, *args, **kwargs", f_exec, "Not available.", NULL},
    {"compile", "source, *args, **kwargs", f_compile, "Not available.", NULL},
    {"__import__", "name, *args, **kwargs", f_import, "Not available.", NULL},
    {"breakpoint", "*args, **kwargs", f_breakpoint, "Not available.", NULL},
    {"_sort_by", "items, keys, reverse, /", f_sort_by, "", "_sort_by_python"},
#define HELPER(name, signature) \
    {"_" #name, signature, help_##name, "", "_no_stand_in"},
#include "stdlib/helpers.def"
#undef HELPER
    {0},
};

const struct native_module module_builtins = {"builtins", functions, NULL};
