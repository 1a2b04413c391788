/* SPDX-License-Identifier: MIT
 *
 * Methods of bytes and bytearray that see ASCII in them: case, kinds of
 * characters, padding, translation. */
#include "vm/bytesmethods.h"

#include "base/utf8.h"
#include "vm/seq.h"

/* -- ASCII case and kinds ---------------------------------------------------
 */

static bool upper(unsigned char c) {
    return c >= 'A' && c <= 'Z';
}

static bool lower(unsigned char c) {
    return c >= 'a' && c <= 'z';
}

static bool digit(unsigned char c) {
    return c >= '0' && c <= '9';
}

enum mapping { TO_UPPER, TO_LOWER, SWAP, TITLE, CAPITAL };

static val mapped(struct vm *vm, val self, enum mapping how) {
    str s = bytes_get(vm, self);
    val v = bytes_like(vm, self, s.p, s.n);
    if (!v || !s.n) return v;
    if (!vm_charge(vm, s.n * 2)) return VAL_UNSET;
    char *p = bytes_data(vm, v);
    bool inside = false;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)p[i];
        bool up = how == TO_UPPER || (how == SWAP && lower(c)) ||
                  ((how == TITLE || how == CAPITAL) && !inside);
        if (up ? lower(c) : upper(c)) p[i] = (char)(c ^ 32);
        inside = how == CAPITAL || upper(c) || lower(c);
    }
    return v;
}

#define MAPPED(name, how)                                          \
    val bytes_m_##name(struct vm *vm, const val *args, size_t n) { \
        (void)n;                                                   \
        return mapped(vm, args[0], how);                           \
    }
MAPPED(upper, TO_UPPER)
MAPPED(lower, TO_LOWER)
MAPPED(swapcase, SWAP)
MAPPED(title, TITLE)
MAPPED(capitalize, CAPITAL)

#define ALL(name, test)                                            \
    val bytes_m_##name(struct vm *vm, const val *args, size_t n) { \
        (void)n;                                                   \
        str s = bytes_get(vm, args[0]);                            \
        if (!vm_charge(vm, s.n)) return VAL_UNSET;                 \
        for (size_t i = 0; i < s.n; i++) {                         \
            unsigned char c = (unsigned char)s.p[i];               \
            if (!(test)) return VAL_FALSE;                         \
        }                                                          \
        return val_of_bool(s.n > 0);                               \
    }
ALL(isalnum, upper(c) || lower(c) || digit(c))
ALL(isalpha, upper(c) || lower(c))
ALL(isdigit, digit(c))
ALL(isspace, c == ' ' || (c >= 9 && c <= 13))

val bytes_m_isascii(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]);
    if (!vm_charge(vm, s.n / 16)) return VAL_UNSET;
    return val_of_bool(utf8_is_ascii(s.p, s.n));
}

static val one_case(struct vm *vm, val self, bool want_upper) {
    str s = bytes_get(vm, self);
    bool seen = false;
    if (!vm_charge(vm, s.n)) return VAL_UNSET;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (want_upper ? lower(c) : upper(c)) return VAL_FALSE;
        seen = seen || (want_upper ? upper(c) : lower(c));
    }
    return val_of_bool(seen);
}

val bytes_m_isupper(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return one_case(vm, args[0], true);
}

val bytes_m_islower(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return one_case(vm, args[0], false);
}

val bytes_m_istitle(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]);
    bool seen = false, inside = false;
    if (!vm_charge(vm, s.n)) return VAL_UNSET;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (inside ? upper(c) : lower(c)) return VAL_FALSE;
        inside = upper(c) || lower(c);
        seen = seen || inside;
    }
    return val_of_bool(seen);
}

/* -- padding ----------------------------------------------------------------
 */

static val justify(struct vm *vm, const val *args, char how) {
    str s = bytes_get(vm, args[0]), fill = STR(" ");
    int64_t width;
    if (value_index(vm, args[1], &width)) return VAL_UNSET;
    if (args[2] && bytes_argument(vm, args[2], &fill)) return VAL_UNSET;
    if (fill.n != 1)
        return vm_raise(vm, EXC_TypeError,
                        "the fill character must be a byte string of length 1");
    uint64_t more = width > (int64_t)s.n ? (uint64_t)width - s.n : 0;
    uint64_t left = how == '>'   ? more
                    : how == '^' ? more / 2 + (more & (uint64_t)width & 1)
                                 : 0;
    char *out;
    val type =
        bytes_mutable(vm, args[0]) ? TYPE_VAL(bytearray) : TYPE_VAL(bytes);
    if (more > vm->heap.limit)
        return vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    val v = bytes_alloc(vm, type, s.n + more, &out);
    if (!v || !(s.n + more)) return v;
    memset(out, fill.p[0], s.n + more);
    memcpy(out + left, s.p, s.n);
    return v;
}

val bytes_m_ljust(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '<');
}

val bytes_m_rjust(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '>');
}

val bytes_m_center(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '^');
}

val bytes_m_zfill(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val zero = bytes_new(vm, "0", 1);
    if (!zero) return VAL_UNSET;
    str s = bytes_get(vm, args[0]);
    val v = justify(vm, (val[]){args[0], args[1], zero}, '>');
    if (!v || !s.n || (s.p[0] != '-' && s.p[0] != '+')) return v;
    str t = bytes_get(vm, v);
    char *out = bytes_data(vm, v);
    out[t.n - s.n] = '0';
    out[0] = s.p[0];
    return v;
}

/* Tabs become spaces up to the next multiple of tabsize in their line. */
val bytes_m_expandtabs(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t size = 8, column = 0;
    if (args[1] && value_index(vm, args[1], &size)) return VAL_UNSET;
    str s = bytes_get(vm, args[0]);
    struct build b;
    build_init(&b, vm);
    if (!vm_charge(vm, s.n * 4)) return VAL_UNSET;
    for (size_t i = 0; i < s.n && !b.failed; i++) {
        char c = s.p[i];
        int64_t fill = c != '\t' ? 0 : size > 0 ? size - column % size : 0;
        column = c == '\n' || c == '\r' ? 0 : column + (c != '\t') + fill;
        if (c == '\t')
            build_fill(&b, ' ', (uint64_t)fill);
        else
            build_ascii(&b, &c, 1);
    }
    return bytes_built(vm, args[0], &b);
}

val bytes_m_translate(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]), table = {0}, gone = {0};
    if (args[1] != VAL_NONE && bytes_argument(vm, args[1], &table))
        return VAL_UNSET;
    if (args[2] && bytes_argument(vm, args[2], &gone)) return VAL_UNSET;
    if (args[1] != VAL_NONE && table.n != 256)
        return vm_raise(vm, EXC_ValueError,
                        "translation table must be 256 characters long");
    struct build b;
    build_init(&b, vm);
    if (!vm_charge(vm, s.n * (6 + gone.n / 16))) return VAL_UNSET;
    for (size_t i = 0; i < s.n && !b.failed; i++) {
        if (gone.n && memchr(gone.p, s.p[i], gone.n)) continue;
        char c = table.n ? table.p[(unsigned char)s.p[i]] : s.p[i];
        build_ascii(&b, &c, 1);
    }
    return bytes_built(vm, args[0], &b);
}

val bytes_m_maketrans(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str from, to;
    char table[256];
    if (bytes_argument(vm, args[0], &from) || bytes_argument(vm, args[1], &to))
        return VAL_UNSET;
    if (from.n != to.n)
        return vm_raise(vm, EXC_ValueError,
                        "maketrans arguments must have same length");
    for (int i = 0; i < 256; i++)
        table[i] = (char)i;
    for (size_t i = 0; i < from.n; i++)
        table[(unsigned char)from.p[i]] = to.p[i];
    return bytes_new(vm, table, sizeof table);
}
