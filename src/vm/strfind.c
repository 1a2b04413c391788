/* SPDX-License-Identifier: MIT
 *
 * Methods of str that look for other text. UTF-8 can be searched bytewise: a
 * code point's bytes never occur inside another's. */
#include "vm/strmethods.h"

#include "base/utf8.h"
#include "vm/seq.h"

ptrdiff_t find_bytes(str s, str sub) {
    if (sub.n > s.n) return -1;
    if (sub.n == 0) return 0;
    const char *p = sub.n == 1 ? memchr(s.p, sub.p[0], s.n)
                               : memmem(s.p, s.n, sub.p, sub.n);
    return p ? p - s.p : -1;
}

ptrdiff_t rfind_bytes(struct vm *vm, str s, str sub) {
    if (sub.n > s.n) return -1;
    if (sub.n == 0) return (ptrdiff_t)s.n;
    for (size_t i = s.n - sub.n + 1; i-- > 0;) {
        const char *p = memrchr(s.p, sub.p[0], i + 1);
        if (!p) return -1;
        i = (size_t)(p - s.p);
        if (!vm_charge(vm, 2 + sub.n / 16)) return -2;
        if (!memcmp(p, sub.p, sub.n)) return (ptrdiff_t)i;
    }
    return -1;
}

int text_argument(struct vm *vm, val v, const char *what, str *out) {
    if (!vm_is(vm, v, KIND_STR)) {
        /* CPython's generated argument checks say None for None. */
        bool generated = v == VAL_NONE && strstr(what, "argument");
        vm_raise(vm, EXC_TypeError, "%s, not %s", what,
                 generated ? "None" : vm_type_name(vm, v));
        return -1;
    }
    *out = text_get(vm, v);
    return 0;
}

/* -- finding ----------------------------------------------------------------
 */

struct window {
    str sub;
    size_t from, to; /* bytes of self that are searched */
    bool impossible; /* start lies behind end */
};

/* The needle args[1] and the bytes of args[0] between args[2] and args[3]. */
static int open_window(struct vm *vm, const val *args, struct window *w) {
    uint64_t from, to, chars = text_chars(vm, args[0]);
    if (text_argument(vm, args[1], "must be str", &w->sub)) return -1;
    if (seq_bounds(vm, args[2], args[3], chars, &from, &to)) return -1;
    w->impossible = from > to || from > chars;
    w->from = w->impossible ? 0 : text_offset(vm, args[0], from);
    w->to = w->impossible ? 0 : text_offset(vm, args[0], to);
    return 0;
}

bool charge_find(struct vm *vm, str s, str sub, ptrdiff_t at, bool last) {
    size_t seen = s.n;
    if (at >= 0) seen = last ? s.n - (size_t)at : (size_t)at + sub.n;
    return at == -2 || vm_charge(vm, seen / 8);
}

/* Position in code points, -1 not found, -2 raised. */
static int64_t look(struct vm *vm, const val *args, bool last) {
    struct window w;
    if (open_window(vm, args, &w)) return -2;
    if (w.impossible) return -1;
    str s = text_get(vm, args[0]);
    str part = {s.p + w.from, w.to - w.from};
    ptrdiff_t at =
        last ? rfind_bytes(vm, part, w.sub) : find_bytes(part, w.sub);
    if (!charge_find(vm, part, w.sub, at, last)) return -2;
    if (at < 0) return at;
    return (int64_t)text_position(vm, args[0], w.from + (size_t)at);
}

static val found(int64_t at) {
    return at == -2 ? VAL_UNSET : val_of_int(at);
}

static val found_or_raise(struct vm *vm, int64_t at) {
    if (at == -1) return vm_raise(vm, EXC_ValueError, "substring not found");
    return found(at);
}

val str_m_find(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return found(look(vm, args, false));
}

val str_m_rfind(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return found(look(vm, args, true));
}

val str_m_index(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return found_or_raise(vm, look(vm, args, false));
}

val str_m_rindex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return found_or_raise(vm, look(vm, args, true));
}

/* A few bytes are looked for by eye: they may be all over the place. */
static int64_t count_few(str s, str sub) {
    int64_t count = 0;
    if (sub.n == 1) {
        for (size_t i = 0; i < s.n; i++)
            count += s.p[i] == sub.p[0];
        return count;
    }
    for (size_t i = 0; i + sub.n <= s.n;) {
        bool here = s.p[i] == sub.p[0] && text_same(s.p + i, sub.p, sub.n);
        count += here;
        i += here ? sub.n : 1;
    }
    return count;
}

val str_m_count(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct window w;
    if (open_window(vm, args, &w) || !vm_charge(vm, (w.to - w.from) / 8))
        return VAL_UNSET;
    if (w.impossible) return val_of_int(0);
    str s = {text_get(vm, args[0]).p + w.from, w.to - w.from};
    if (!w.sub.n) return val_of_int((int64_t)utf8_count(s.p, s.n) + 1);
    if (w.sub.n <= 4) return val_of_int(count_few(s, w.sub));
    int64_t count = 0;
    for (ptrdiff_t at; (at = find_bytes(s, w.sub)) >= 0; count++)
        s = str_sub(s, (size_t)at + w.sub.n, s.n);
    return val_of_int(count);
}

/* -- replacing --------------------------------------------------------------
 */

static size_t count_upto(str s, str sub, uint64_t limit) {
    size_t n = 0;
    for (ptrdiff_t at; n < limit && (at = find_bytes(s, sub)) >= 0; n++)
        s = str_sub(s, (size_t)at + sub.n, s.n);
    return n;
}

/* An empty needle matches before every code point and at the end. */
static val replace_empty(struct vm *vm, str s, val with, uint64_t limit) {
    struct build b;
    build_init(&b, vm);
    for (size_t i = 0; i <= s.n && !b.failed;) {
        if (limit) build_val(&b, with);
        if (limit) limit--;
        if (i == s.n) break;
        uint32_t cp = 0;
        size_t len = utf8_decode_loose(s.p + i, s.n - i, &cp);
        build_char(&b, cp);
        i += len ? len : 1;
    }
    return build_take(&b);
}

static val replace_all(struct vm *vm, val self, str from, val with,
                       size_t times) {
    str s = text_get(vm, self), to = text_get(vm, with);
    size_t from_chars = utf8_count(from.p, from.n);
    size_t total = s.n - times * from.n + times * to.n;
    size_t chars = text_chars(vm, self) - times * from_chars +
                   times * text_chars(vm, with);
    if (total == 0) return TEXT_EMPTY_VAL;
    char *out;
    if (!vm_charge(vm, total / 8)) return VAL_UNSET;
    val v = text_alloc(vm, total, chars, &out);
    for (; v && times; times--) {
        size_t at = (size_t)find_bytes(s, from);
        memcpy(out, s.p, at);
        memcpy(out + at, to.p, to.n);
        out += at + to.n;
        s = str_sub(s, at + from.n, s.n);
    }
    if (v) memcpy(out, s.p, s.n);
    return v;
}

val str_m_replace(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str from, to;
    int64_t limit = -1;
    if (text_argument(vm, args[1], "replace() argument 1 must be str", &from) ||
        text_argument(vm, args[2], "replace() argument 2 must be str", &to) ||
        (args[3] && value_index(vm, args[3], &limit)))
        return VAL_UNSET;
    uint64_t most = limit < 0 ? UINT64_MAX : (uint64_t)limit;
    str s = text_get(vm, args[0]);
    if (!vm_charge(vm, s.n / 8)) return VAL_UNSET;
    if (!from.n) return replace_empty(vm, s, args[2], most);
    size_t times = count_upto(s, from, most);
    if (!times) return text_piece(vm, args[0], 0, s.n);
    if (to.n > from.n && (to.n - from.n) > (TEXT_MAX - s.n) / times)
        return vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    return replace_all(vm, args[0], from, args[2], times);
}

/* -- ends -------------------------------------------------------------------
 */

static bool ends_match(struct vm *vm, str s, str sub, bool at_end) {
    vm_spend(vm, 4 + (sub.n <= s.n ? sub.n / 16 : 0));
    return at_end ? str_ends(s, sub) : str_starts(s, sub);
}

static val match_ends(struct vm *vm, const val *args, bool at_end,
                      const char *name) {
    uint64_t from, to, chars = text_chars(vm, args[0]);
    if (seq_bounds(vm, args[2], args[3], chars, &from, &to)) return VAL_UNSET;
    if (from > to || from > chars) return VAL_FALSE;
    size_t a = text_offset(vm, args[0], from), b = text_offset(vm, args[0], to);
    str s = {text_get(vm, args[0]).p + a, b - a};
    if (vm_is(vm, args[1], KIND_STR))
        return val_of_bool(ends_match(vm, s, text_get(vm, args[1]), at_end));
    if (!vm_is(vm, args[1], KIND_TUPLE))
        return vm_raise(vm, EXC_TypeError,
                        "%s first arg must be str or a tuple of str, not %s",
                        name, vm_type_name(vm, args[1]));
    for (uint32_t i = 0; i < tuple_len(vm, args[1]); i++) {
        if (i % 64 == 63 && !vm_charge(vm, 64)) return VAL_UNSET;
        val item = tuple_items(vm, args[1])[i];
        if (!vm_is(vm, item, KIND_STR))
            return vm_raise(vm, EXC_TypeError,
                            "tuple for %s must only contain str, not %s", name,
                            vm_type_name(vm, item));
        if (ends_match(vm, s, text_get(vm, item), at_end)) return VAL_TRUE;
    }
    return VAL_FALSE;
}

val str_m_startswith(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return match_ends(vm, args, false, "startswith");
}

val str_m_endswith(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return match_ends(vm, args, true, "endswith");
}

val str_m_removeprefix(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str sub, s = text_get(vm, args[0]);
    if (text_argument(vm, args[1], "removeprefix() argument must be str", &sub))
        return VAL_UNSET;
    return text_piece(vm, args[0], str_starts(s, sub) ? sub.n : 0, s.n);
}

val str_m_removesuffix(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str sub, s = text_get(vm, args[0]);
    if (text_argument(vm, args[1], "removesuffix() argument must be str", &sub))
        return VAL_UNSET;
    return text_piece(vm, args[0], 0, str_ends(s, sub) ? s.n - sub.n : s.n);
}

/* -- partition --------------------------------------------------------------
 */

static val cut(struct vm *vm, const val *args, bool last) {
    str sep, s = text_get(vm, args[0]);
    if (text_argument(vm, args[1], "must be str", &sep)) return VAL_UNSET;
    if (!sep.n) return vm_raise(vm, EXC_ValueError, "empty separator");
    if (!vm_charge(vm, s.n / 8)) return VAL_UNSET;
    ptrdiff_t at = last ? rfind_bytes(vm, s, sep) : find_bytes(s, sep);
    if (at == -2) return VAL_UNSET;
    val whole = text_piece(vm, args[0], 0, s.n);
    val parts[3] = {TEXT_EMPTY_VAL, TEXT_EMPTY_VAL, TEXT_EMPTY_VAL};
    if (at < 0) {
        parts[last ? 2 : 0] = whole;
    } else {
        parts[0] = text_piece(vm, args[0], 0, (size_t)at);
        parts[1] = text_piece(vm, args[1], 0, sep.n);
        parts[2] = text_piece(vm, args[0], (size_t)at + sep.n, s.n);
    }
    if (!whole || !parts[0] || !parts[1] || !parts[2]) return VAL_UNSET;
    return tuple_new(vm, parts, 3);
}

val str_m_partition(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return cut(vm, args, false);
}

val str_m_rpartition(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return cut(vm, args, true);
}
