/* SPDX-License-Identifier: MIT
 *
 * Methods of str that take text apart or put it together. */
#include "vm/strmethods.h"

#include "base/utf8.h"
#include "vm/unicode.h"

/* -- code points from either end --------------------------------------------
 */

static size_t point_at(str s, size_t i, uint32_t *cp) {
    *cp = (unsigned char)s.p[i];
    if (*cp < 128) return 1;
    size_t n = utf8_decode_loose(s.p + i, s.n - i, cp);
    return n ? n : 1;
}

/* Start of the code point that ends at i > 0. */
static size_t point_before(str s, size_t i, uint32_t *cp) {
    i--;
    while (i > 0 && ((unsigned char)s.p[i] & 0xc0) == 0x80)
        i--;
    point_at(s, i, cp);
    return i;
}

/* -- split ------------------------------------------------------------------
 */

static int add_piece(struct vm *vm, val list, val text, size_t from,
                     size_t to) {
    val piece = text_piece(vm, text, from, to);
    if (!piece || !vm_charge(vm, 2)) return -1;
    return list_append(vm, list, piece);
}

static int split_space(struct vm *vm, val list, val text, uint64_t most) {
    str s = text_get(vm, text);
    uint32_t cp;
    for (size_t i = 0; i < s.n;) {
        size_t n = point_at(s, i, &cp);
        if (unicode_space(cp)) {
            i += n;
            continue;
        }
        size_t from = i;
        if (!most--) return add_piece(vm, list, text, from, s.n);
        while (i < s.n) {
            n = point_at(s, i, &cp);
            if (unicode_space(cp)) break;
            i += n;
        }
        if (add_piece(vm, list, text, from, i)) return -1;
    }
    return 0;
}

static int rsplit_space(struct vm *vm, val list, val text, uint64_t most) {
    str s = text_get(vm, text);
    uint32_t cp;
    for (size_t i = s.n; i > 0;) {
        size_t p = point_before(s, i, &cp);
        if (unicode_space(cp)) {
            i = p;
            continue;
        }
        size_t end = i;
        if (!most--) return add_piece(vm, list, text, 0, end);
        while (i > 0) {
            p = point_before(s, i, &cp);
            if (unicode_space(cp)) break;
            i = p;
        }
        if (add_piece(vm, list, text, i, end)) return -1;
    }
    return 0;
}

static int split_at(struct vm *vm, val list, val text, str sep, uint64_t most) {
    str s = text_get(vm, text);
    size_t from = 0;
    for (ptrdiff_t at; most; most--) {
        at = find_bytes((str){s.p + from, s.n - from}, sep);
        if (at < 0) break;
        if (add_piece(vm, list, text, from, from + (size_t)at)) return -1;
        from += (size_t)at + sep.n;
    }
    return add_piece(vm, list, text, from, s.n);
}

static int rsplit_at(struct vm *vm, val list, val text, str sep,
                     uint64_t most) {
    str s = text_get(vm, text);
    size_t end = s.n;
    for (ptrdiff_t at; most; most--) {
        at = rfind_bytes(vm, str_sub(s, 0, end), sep);
        if (at == -2) return -1;
        if (at < 0) break;
        if (add_piece(vm, list, text, (size_t)at + sep.n, end)) return -1;
        end = (size_t)at;
    }
    return add_piece(vm, list, text, 0, end);
}

static val split(struct vm *vm, const val *args, bool back) {
    int64_t limit = -1;
    str sep = {0};
    bool space = !args[1] || args[1] == VAL_NONE;
    if (!space && text_argument(vm, args[1], "must be str or None", &sep))
        return VAL_UNSET;
    if (args[2] && value_index(vm, args[2], &limit)) return VAL_UNSET;
    if (!space && !sep.n)
        return vm_raise(vm, EXC_ValueError, "empty separator");
    uint64_t most = limit < 0 ? UINT64_MAX : (uint64_t)limit;
    val list = list_new(vm, NULL, 0);
    if (!list || !vm_charge(vm, text_get(vm, args[0]).n / 4)) return VAL_UNSET;
    int bad;
    if (back)
        bad = space ? rsplit_space(vm, list, args[0], most)
                    : rsplit_at(vm, list, args[0], sep, most);
    else
        bad = space ? split_space(vm, list, args[0], most)
                    : split_at(vm, list, args[0], sep, most);
    if (back && !bad) list_reverse(vm, list);
    return bad ? VAL_UNSET : list;
}

val str_m_split(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return split(vm, args, false);
}

val str_m_rsplit(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return split(vm, args, true);
}

val str_m_splitlines(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int keep = args[1] ? value_truth(vm, args[1]) : 0;
    val list = keep < 0 ? VAL_UNSET : list_new(vm, NULL, 0);
    str s = text_get(vm, args[0]);
    if (!list || !vm_charge(vm, s.n / 2)) return VAL_UNSET;
    size_t from = 0;
    for (size_t i = 0; i < s.n;) {
        uint32_t cp;
        size_t end = i;
        i += point_at(s, i, &cp);
        if (!unicode_line_break(cp)) continue;
        if (cp == '\r' && i < s.n && s.p[i] == '\n') i++;
        if (add_piece(vm, list, args[0], from, keep ? i : end))
            return VAL_UNSET;
        from = i;
    }
    if (from < s.n && add_piece(vm, list, args[0], from, s.n)) return VAL_UNSET;
    return list;
}

/* -- join -------------------------------------------------------------------
 */

static int join_size(struct vm *vm, const val *items, uint64_t n, val sep,
                     size_t *bytes, size_t *chars) {
    const struct ostr *s = text_at_ref(vm, sep);
    *bytes = n ? (n - 1) * s->len : 0;
    *chars = n ? (n - 1) * s->chars : 0;
    for (uint64_t i = 0; i < n; i++) {
        if (!vm_is(vm, items[i], KIND_STR)) {
            vm_raise(vm, EXC_TypeError,
                     "sequence item %llu: expected str instance, %s found",
                     (unsigned long long)i, vm_type_name(vm, items[i]));
            return -1;
        }
        *bytes += text_at_ref(vm, items[i])->len;
        *chars += text_at_ref(vm, items[i])->chars;
    }
    if (!text_fits(vm, *bytes)) return -1;
    return vm_charge(vm, n + *bytes / 16) ? 0 : -1;
}

val str_m_join(struct vm *vm, const val *args, size_t n) {
    (void)n;
    const val *items;
    uint64_t count;
    size_t bytes, chars;
    if (!val_is_ref(args[1]))
        return vm_raise(vm, EXC_TypeError, "can only join an iterable");
    if (value_items(vm, args[1], &items, &count) ||
        join_size(vm, items, count, args[0], &bytes, &chars))
        return VAL_UNSET;
    if (bytes == 0) return TEXT_EMPTY_VAL;
    if (count == 1 && type_of(vm, items[0]) == TYPE_VAL(str)) return items[0];
    char *out;
    val v = text_alloc(vm, bytes, chars, &out);
    str sep = text_get(vm, args[0]);
    for (uint64_t i = 0; v && i < count; i++) {
        if (i) text_copy(out, sep.p, sep.n);
        if (i) out += sep.n;
        str s = text_get(vm, items[i]);
        text_copy(out, s.p, s.n);
        out += s.n;
    }
    return v;
}

/* -- strip ------------------------------------------------------------------
 */

enum { LEFT = 1, RIGHT = 2 };

/* cp is to be removed: white space, or one of set's code points. */
static bool strips(struct vm *vm, str set, bool space, uint32_t cp) {
    if (space) return unicode_space(cp);
    if (set.n <= 4 && cp < 128) {
        vm_spend(vm, 8);
        for (size_t i = 0; i < set.n; i++)
            if ((unsigned char)set.p[i] == cp) return true;
        return false;
    }
    char one[UTF8_MAX];
    size_t n = utf8_encode(cp, one);
    vm_spend(vm, 8 + set.n / 16);
    return find_bytes(set, (str){one, n}) >= 0;
}

static val strip(struct vm *vm, const val *args, int sides, const char *name) {
    str s = text_get(vm, args[0]), set = {0};
    bool space = !args[1] || args[1] == VAL_NONE;
    if (!space && !vm_is(vm, args[1], KIND_STR))
        return vm_raise(vm, EXC_TypeError, "%s arg must be None or str", name);
    if (!space) set = text_get(vm, args[1]);
    size_t from = 0, to = s.n;
    uint32_t cp;
    while ((sides & LEFT) && from < to) {
        size_t n = point_at(s, from, &cp);
        if (!strips(vm, set, space, cp)) break;
        if (!vm_go_on(vm)) return VAL_UNSET;
        from += n;
    }
    while ((sides & RIGHT) && to > from) {
        size_t p = point_before(s, to, &cp);
        if (!strips(vm, set, space, cp)) break;
        if (!vm_go_on(vm)) return VAL_UNSET;
        to = p;
    }
    if (!vm_charge(vm, s.n - (to - from))) return VAL_UNSET;
    return text_piece(vm, args[0], from, to);
}

val str_m_strip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, LEFT | RIGHT, "strip");
}

val str_m_lstrip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, LEFT, "lstrip");
}

val str_m_rstrip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, RIGHT, "rstrip");
}
