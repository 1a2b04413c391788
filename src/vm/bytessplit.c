/* SPDX-License-Identifier: MIT
 *
 * Methods of bytes and bytearray that take them apart or put them together. */
#include "vm/bytesmethods.h"

#include "vm/strmethods.h"

/* -- taking apart, putting together -----------------------------------------
 */

static int add_piece(struct vm *vm, val list, val like_, str s) {
    val v = vm_charge(vm, 4) ? bytes_like(vm, like_, s.p, s.n) : VAL_UNSET;
    return v ? list_append(vm, list, v) : -1;
}

static bool space(char c) {
    return c == ' ' || (c >= 9 && c <= 13);
}

static int split_space(struct vm *vm, val list, val self, uint64_t most) {
    str s = bytes_get(vm, self);
    for (size_t i = 0; i < s.n;) {
        if (space(s.p[i])) {
            i++;
            continue;
        }
        size_t from = i;
        if (!most--) return add_piece(vm, list, self, str_sub(s, from, s.n));
        while (i < s.n && !space(s.p[i]))
            i++;
        if (add_piece(vm, list, self, str_sub(s, from, i))) return -1;
    }
    return 0;
}

static int rsplit_space(struct vm *vm, val list, val self, uint64_t most) {
    str s = bytes_get(vm, self);
    for (size_t i = s.n; i > 0;) {
        if (space(s.p[i - 1])) {
            i--;
            continue;
        }
        size_t end = i;
        if (!most--) return add_piece(vm, list, self, str_sub(s, 0, end));
        while (i > 0 && !space(s.p[i - 1]))
            i--;
        if (add_piece(vm, list, self, str_sub(s, i, end))) return -1;
    }
    return 0;
}

static int split_at(struct vm *vm, val list, val self, str sep, uint64_t most) {
    str s = bytes_get(vm, self);
    for (ptrdiff_t at; most && (at = find_bytes(s, sep)) >= 0; most--) {
        if (add_piece(vm, list, self, str_sub(s, 0, (size_t)at))) return -1;
        s = str_sub(s, (size_t)at + sep.n, s.n);
    }
    return add_piece(vm, list, self, s);
}

static int rsplit_at(struct vm *vm, val list, val self, str sep,
                     uint64_t most) {
    str s = bytes_get(vm, self);
    for (; most; most--) {
        ptrdiff_t at = rfind_bytes(vm, s, sep);
        if (at == -2) return -1;
        if (at < 0) break;
        if (add_piece(vm, list, self, str_sub(s, (size_t)at + sep.n, s.n)))
            return -1;
        s = str_sub(s, 0, (size_t)at);
    }
    return add_piece(vm, list, self, s);
}

static val split(struct vm *vm, const val *args, bool back) {
    str s = bytes_get(vm, args[0]), sep = {0};
    int64_t limit = -1;
    bool spaces = !args[1] || args[1] == VAL_NONE;
    if (!spaces && bytes_argument(vm, args[1], &sep)) return VAL_UNSET;
    if (args[2] && value_index(vm, args[2], &limit)) return VAL_UNSET;
    if (!spaces && !sep.n)
        return vm_raise(vm, EXC_ValueError, "empty separator");
    uint64_t most = limit < 0 ? UINT64_MAX : (uint64_t)limit;
    val list = list_new(vm, NULL, 0);
    if (!list || !vm_charge(vm, s.n / 2)) return VAL_UNSET;
    int bad;
    if (back)
        bad = spaces ? rsplit_space(vm, list, args[0], most)
                     : rsplit_at(vm, list, args[0], sep, most);
    else
        bad = spaces ? split_space(vm, list, args[0], most)
                     : split_at(vm, list, args[0], sep, most);
    if (back && !bad) list_reverse(vm, list);
    return bad ? VAL_UNSET : list;
}

val bytes_m_split(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return split(vm, args, false);
}

val bytes_m_rsplit(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return split(vm, args, true);
}

val bytes_m_splitlines(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int keep = args[1] ? value_truth(vm, args[1]) : 0;
    val list = keep < 0 ? VAL_UNSET : list_new(vm, NULL, 0);
    str s = bytes_get(vm, args[0]);
    if (!list || !vm_charge(vm, s.n / 2)) return VAL_UNSET;
    size_t from = 0;
    for (size_t i = 0; i < s.n;) {
        size_t end = i++;
        if (s.p[end] != '\n' && s.p[end] != '\r') continue;
        if (s.p[end] == '\r' && i < s.n && s.p[i] == '\n') i++;
        if (add_piece(vm, list, args[0], str_sub(s, from, keep ? i : end)))
            return VAL_UNSET;
        from = i;
    }
    if (from < s.n && add_piece(vm, list, args[0], str_sub(s, from, s.n)))
        return VAL_UNSET;
    return list;
}

val bytes_m_join(struct vm *vm, const val *args, size_t n) {
    (void)n;
    const val *items;
    uint64_t count;
    struct build b;
    if (!val_is_ref(args[1]))
        return vm_raise(vm, EXC_TypeError, "can only join an iterable");
    if (value_items(vm, args[1], &items, &count)) return VAL_UNSET;
    build_init(&b, vm);
    str sep = bytes_get(vm, args[0]);
    for (uint64_t i = 0; i < count && !b.failed; i++) {
        if (!bytes_is(vm, items[i])) {
            build_drop(&b);
            return vm_raise(vm, EXC_TypeError,
                            "sequence item %llu: expected a bytes-like object, "
                            "%s found",
                            (unsigned long long)i, vm_type_name(vm, items[i]));
        }
        if (i) build_ascii(&b, sep.p, sep.n);
        str s = bytes_get(vm, items[i]);
        build_ascii(&b, s.p, s.n);
    }
    return bytes_built(vm, args[0], &b);
}

/* -- strip ------------------------------------------------------------------
 */

enum { LEFT = 1, RIGHT = 2 };

static val strip(struct vm *vm, const val *args, int sides) {
    str s = bytes_get(vm, args[0]), set = STR(" \t\n\r\f\v");
    if (args[1] && args[1] != VAL_NONE && bytes_argument(vm, args[1], &set))
        return VAL_UNSET;
    if (!vm_charge(vm, s.n + set.n)) return VAL_UNSET;
    bool gone[256] = {false};
    for (size_t i = 0; i < set.n; i++)
        gone[(unsigned char)set.p[i]] = true;
    size_t from = 0, to = s.n;
    while ((sides & LEFT) && from < to && gone[(unsigned char)s.p[from]])
        from++;
    while ((sides & RIGHT) && from < to && gone[(unsigned char)s.p[to - 1]])
        to--;
    return bytes_like(vm, args[0], s.p + from, to - from);
}

val bytes_m_strip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, LEFT | RIGHT);
}

val bytes_m_lstrip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, LEFT);
}

val bytes_m_rstrip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, RIGHT);
}
