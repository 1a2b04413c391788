/* SPDX-License-Identifier: MIT
 *
 * The classes bytes and bytearray. */
#include "vm/bytes.h"

#include "vm/format.h"
#include "vm/seq.h"
#include "vm/slots.h"
#include "vm/strmethods.h"

/* -- making -----------------------------------------------------------------
 */

static str word(struct vm *vm, val v, const char *missing) {
    return v && vm_is(vm, v, KIND_STR) ? text_get(vm, v) : str_of(missing);
}

static val zeros(struct vm *vm, val type, int64_t n) {
    char *p;
    if (n < 0) return vm_raise(vm, EXC_ValueError, "negative count");
    if ((uint64_t)n > vm->heap.limit)
        return vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    return bytes_alloc(vm, type, (uint64_t)n, &p);
}

static val of_class(struct vm *vm, val type, val bytes) {
    if (!bytes || type == TYPE_VAL(bytes)) return bytes;
    str s = bytes_get(vm, bytes);
    char *p;
    val v = bytes_alloc(vm, type, s.n, &p);
    if (v && s.n) memcpy(p, s.p, s.n);
    return v;
}

static val bytes_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val type = args[0], v = args[1];
    int64_t count;
    if (!v) return zeros(vm, type, 0);
    if (vm_is(vm, v, KIND_STR)) {
        if (!args[2])
            return vm_raise(vm, EXC_TypeError,
                            "string argument without an encoding");
        return of_class(vm, type,
                        text_encode(vm, v, word(vm, args[2], "utf-8"),
                                    word(vm, args[3], "strict")));
    }
    if (args[2] || args[3])
        return vm_raise(vm, EXC_TypeError,
                        "encoding without a string argument");
    if (special_of(vm, v, SPECIAL_BYTES)) return vm_slow(vm);
    if (int_is(vm, v) && int_get(vm, v, &count))
        return vm_raise(vm, EXC_OverflowError,
                        "cannot fit 'int' into an index-sized integer");
    if (int_is(vm, v)) return zeros(vm, type, count);
    if (float_is(vm, v) || v == VAL_NONE)
        return vm_raise(vm, EXC_TypeError, "cannot convert '%s' object to %s",
                        vm_type_name(vm, v),
                        type == TYPE_VAL(bytearray) ? "bytearray" : "bytes");
    if (special_of(vm, v, SPECIAL_INDEX)) return vm_slow(vm);
    if (type == TYPE_VAL(bytes) && type_of(vm, v) == type) return v;
    return of_class(vm, type, bytes_from(vm, v));
}

static val bytes_fromhex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (!vm_is(vm, args[1], KIND_STR))
        return vm_raise(vm, EXC_TypeError,
                        "fromhex() argument must be str, not %s",
                        vm_type_name(vm, args[1]));
    str s = text_get(vm, args[1]);
    char *out;
    val v = bytes_alloc(vm, TYPE_VAL(bytes), s.n / 2 + 1, &out);
    if (!v) return VAL_UNSET;
    static const char digits[] = "0123456789abcdef";
    uint64_t len = 0, have = 0, high = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!have && (c == ' ' || (c >= 9 && c <= 13))) continue;
        const char *at =
            c ? strchr(digits, c >= 'A' && c <= 'F' ? c | 32 : c) : NULL;
        if (!at)
            return vm_raise(vm, EXC_ValueError,
                            "non-hexadecimal number found in fromhex() arg at "
                            "position %zu",
                            i);
        if (have) out[len++] = (char)(high << 4 | (uint64_t)(at - digits));
        high = (uint64_t)(at - digits);
        have = !have;
    }
    if (have)
        return vm_raise(vm, EXC_ValueError,
                        "non-hexadecimal number found in fromhex() arg at "
                        "position %zu",
                        s.n);
    bytes_at(vm, v)->len = len;
    return of_class(vm, args[0], v);
}

static val bytes_hex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]), sep = {0};
    int64_t group = 1;
    if (args[1] && vm_is(vm, args[1], KIND_STR)) sep = text_get(vm, args[1]);
    if (args[1] && sep.n != 1)
        return vm_raise(vm, EXC_ValueError, "sep must be length 1.");
    if (args[2] && value_index(vm, args[2], &group)) return VAL_UNSET;
    uint64_t every = (uint64_t)(group < 0 ? -group : group);
    struct build b;
    build_init(&b, vm);
    if (!vm_charge(vm, s.n)) return VAL_UNSET;
    for (size_t i = 0; i < s.n; i++) {
        uint64_t from = group < 0 ? i : s.n - i;
        if (sep.n && i && every && from % every == 0) build_ascii(&b, sep.p, 1);
        static const char digits[] = "0123456789abcdef";
        unsigned char c = (unsigned char)s.p[i];
        char two[2] = {digits[c >> 4], digits[c & 15]};
        build_ascii(&b, two, 2);
    }
    return build_take(&b);
}

static val bytes_decode(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return text_decode(vm, bytes_get(vm, args[0]), args[0],
                       word(vm, args[1], "utf-8"), word(vm, args[2], "strict"));
}

/* -- searching --------------------------------------------------------------
 */

/* Bytes of a bytes-like argument, or one byte for an int. */
static int needle(struct vm *vm, val v, char *one, str *out) {
    unsigned char c;
    if (bytes_is(vm, v)) {
        *out = bytes_get(vm, v);
        return 0;
    }
    if (!int_is(vm, v)) {
        vm_raise(vm, EXC_TypeError,
                 "argument should be integer or bytes-like object, not '%s'",
                 vm_type_name(vm, v));
        return -1;
    }
    if (bytes_item(vm, v, "byte", &c)) return -1;
    *one = (char)c;
    *out = (str){one, 1};
    return 0;
}

static int like(struct vm *vm, val v, str *out) {
    if (bytes_is(vm, v)) {
        *out = bytes_get(vm, v);
        return 0;
    }
    vm_raise(vm, EXC_TypeError, "a bytes-like object is required, not '%s'",
             vm_type_name(vm, v));
    return -1;
}

/* -1 not found, -2 raised. */
static int64_t look(struct vm *vm, const val *args, bool last) {
    str s = bytes_get(vm, args[0]), sub;
    char one;
    uint64_t from, to;
    if (needle(vm, args[1], &one, &sub) ||
        seq_bounds(vm, args[2], args[3], s.n, &from, &to) ||
        !vm_charge(vm, s.n / 8))
        return -2;
    if (from > to) return -1;
    str part = str_sub(s, from, to);
    ptrdiff_t at = last ? rfind_bytes(part, sub) : find_bytes(part, sub);
    return at < 0 ? -1 : at + (int64_t)from;
}

static val bytes_find(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t at = look(vm, args, false);
    return at == -2 ? VAL_UNSET : val_of_int(at);
}

static val bytes_rfind(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t at = look(vm, args, true);
    return at == -2 ? VAL_UNSET : val_of_int(at);
}

static val must_find(struct vm *vm, int64_t at) {
    if (at == -1) return vm_raise(vm, EXC_ValueError, "subsection not found");
    return at == -2 ? VAL_UNSET : val_of_int(at);
}

static val bytes_index(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return must_find(vm, look(vm, args, false));
}

static val bytes_rindex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return must_find(vm, look(vm, args, true));
}

static val bytes_count(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]), sub;
    char one;
    uint64_t from, to;
    if (needle(vm, args[1], &one, &sub) ||
        seq_bounds(vm, args[2], args[3], s.n, &from, &to) ||
        !vm_charge(vm, s.n / 8))
        return VAL_UNSET;
    if (from > to) return val_of_int(0);
    s = str_sub(s, from, to);
    if (!sub.n) return val_of_int((int64_t)s.n + 1);
    int64_t count = 0;
    for (ptrdiff_t at; (at = find_bytes(s, sub)) >= 0; count++)
        s = str_sub(s, (size_t)at + sub.n, s.n);
    return val_of_int(count);
}

static val ends(struct vm *vm, const val *args, bool at_end, const char *name) {
    str s = bytes_get(vm, args[0]), sub;
    uint64_t from, to;
    if (seq_bounds(vm, args[2], args[3], s.n, &from, &to)) return VAL_UNSET;
    if (from > to) return VAL_FALSE;
    s = str_sub(s, from, to);
    bool tuple = vm_is(vm, args[1], KIND_TUPLE);
    if (!tuple && !bytes_is(vm, args[1]))
        return vm_raise(vm, EXC_TypeError,
                        "%s first arg must be bytes or a tuple of bytes, not "
                        "%s",
                        name, vm_type_name(vm, args[1]));
    uint32_t count = tuple ? tuple_len(vm, args[1]) : 1;
    for (uint32_t i = 0; i < count; i++) {
        val item = tuple ? tuple_items(vm, args[1])[i] : args[1];
        if (like(vm, item, &sub)) return VAL_UNSET;
        if (at_end ? str_ends(s, sub) : str_starts(s, sub)) return VAL_TRUE;
    }
    return VAL_FALSE;
}

static val bytes_startswith(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return ends(vm, args, false, "startswith");
}

static val bytes_endswith(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return ends(vm, args, true, "endswith");
}

/* -- taking apart, putting together -----------------------------------------
 */

static int add_piece(struct vm *vm, val list, val like_, str s) {
    val v = bytes_like(vm, like_, s.p, s.n);
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

static val bytes_split(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]), sep = {0};
    int64_t limit = -1;
    bool spaces = !args[1] || args[1] == VAL_NONE;
    if (!spaces && like(vm, args[1], &sep)) return VAL_UNSET;
    if (args[2] && value_index(vm, args[2], &limit)) return VAL_UNSET;
    if (!spaces && !sep.n)
        return vm_raise(vm, EXC_ValueError, "empty separator");
    uint64_t most = limit < 0 ? UINT64_MAX : (uint64_t)limit;
    val list = list_new(vm, NULL, 0);
    if (!list || !vm_charge(vm, s.n / 2)) return VAL_UNSET;
    if (spaces) return split_space(vm, list, args[0], most) ? VAL_UNSET : list;
    for (ptrdiff_t at; most && (at = find_bytes(s, sep)) >= 0; most--) {
        if (add_piece(vm, list, args[0], str_sub(s, 0, (size_t)at)))
            return VAL_UNSET;
        s = str_sub(s, (size_t)at + sep.n, s.n);
    }
    return add_piece(vm, list, args[0], s) ? VAL_UNSET : list;
}

static val bytes_splitlines(struct vm *vm, const val *args, size_t n) {
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

static val bytes_join(struct vm *vm, const val *args, size_t n) {
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
    val v = b.failed ? VAL_UNSET : bytes_like(vm, args[0], b.p, b.n);
    build_drop(&b);
    return v;
}

static val strip(struct vm *vm, const val *args, int sides) {
    str s = bytes_get(vm, args[0]), set = STR(" \t\n\r\f\v");
    if (args[1] && args[1] != VAL_NONE && like(vm, args[1], &set))
        return VAL_UNSET;
    while ((sides & 1) && s.n && set.n && memchr(set.p, s.p[0], set.n))
        s = str_sub(s, 1, s.n);
    while ((sides & 2) && s.n && set.n && memchr(set.p, s.p[s.n - 1], set.n))
        s = str_sub(s, 0, s.n - 1);
    return bytes_like(vm, args[0], s.p, s.n);
}

static val bytes_strip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, 3);
}

static val bytes_lstrip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, 1);
}

static val bytes_rstrip(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return strip(vm, args, 2);
}

static val bytes_replace(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]), from, to;
    int64_t limit = -1;
    struct build b;
    if (like(vm, args[1], &from) || like(vm, args[2], &to) ||
        (args[3] && value_index(vm, args[3], &limit)) ||
        !vm_charge(vm, s.n / 4))
        return VAL_UNSET;
    build_init(&b, vm);
    uint64_t most = limit < 0 ? UINT64_MAX : (uint64_t)limit;
    size_t step = from.n ? 0 : 1;
    for (ptrdiff_t at; most && (at = find_bytes(s, from)) >= 0; most--) {
        build_ascii(&b, s.p, (size_t)at);
        build_ascii(&b, to.p, to.n);
        s = str_sub(s, (size_t)at + from.n, s.n);
        if (!step) continue;
        if (!s.n) break;
        build_ascii(&b, s.p, 1);
        s = str_sub(s, 1, s.n);
    }
    build_ascii(&b, s.p, s.n);
    val v = b.failed ? VAL_UNSET : bytes_like(vm, args[0], b.p, b.n);
    build_drop(&b);
    return v;
}

static val cut(struct vm *vm, const val *args, bool last) {
    str s = bytes_get(vm, args[0]), sep;
    if (like(vm, args[1], &sep)) return VAL_UNSET;
    if (!sep.n) return vm_raise(vm, EXC_ValueError, "empty separator");
    ptrdiff_t at = last ? rfind_bytes(s, sep) : find_bytes(s, sep);
    str parts[3] = {{"", 0}, {"", 0}, {"", 0}};
    if (at < 0) {
        parts[last ? 2 : 0] = s;
    } else {
        parts[0] = str_sub(s, 0, (size_t)at);
        parts[1] = sep;
        parts[2] = str_sub(s, (size_t)at + sep.n, s.n);
    }
    val out[3];
    for (int i = 0; i < 3; i++)
        if (!(out[i] = bytes_like(vm, args[0], parts[i].p, parts[i].n)))
            return VAL_UNSET;
    return tuple_new(vm, out, 3);
}

static val bytes_partition(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return cut(vm, args, false);
}

static val bytes_rpartition(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return cut(vm, args, true);
}

static val remove_end(struct vm *vm, const val *args, bool at_end) {
    str s = bytes_get(vm, args[0]), sub;
    if (like(vm, args[1], &sub)) return VAL_UNSET;
    if (at_end && str_ends(s, sub)) s = str_sub(s, 0, s.n - sub.n);
    if (!at_end && str_starts(s, sub)) s = str_sub(s, sub.n, s.n);
    return bytes_like(vm, args[0], s.p, s.n);
}

static val bytes_removeprefix(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return remove_end(vm, args, false);
}

static val bytes_removesuffix(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return remove_end(vm, args, true);
}

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
    if (!v || !s.n || !vm_charge(vm, s.n)) return v;
    char *p =
        (char *)((struct ostore *)heap_at(&vm->heap, bytes_at(vm, v)->store))
            ->data;
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

#define MAPPED(name, how)                                               \
    static val bytes_##name(struct vm *vm, const val *args, size_t n) { \
        (void)n;                                                        \
        return mapped(vm, args[0], how);                                \
    }
MAPPED(upper, TO_UPPER)
MAPPED(lower, TO_LOWER)
MAPPED(swapcase, SWAP)
MAPPED(title, TITLE)
MAPPED(capitalize, CAPITAL)

#define ALL(name, test)                                                 \
    static val bytes_##name(struct vm *vm, const val *args, size_t n) { \
        (void)n;                                                        \
        str s = bytes_get(vm, args[0]);                                 \
        if (!vm_charge(vm, s.n)) return VAL_UNSET;                      \
        for (size_t i = 0; i < s.n; i++) {                              \
            unsigned char c = (unsigned char)s.p[i];                    \
            if (!(test)) return VAL_FALSE;                              \
        }                                                               \
        return val_of_bool(s.n > 0);                                    \
    }
ALL(isalnum, upper(c) || lower(c) || digit(c))
ALL(isalpha, upper(c) || lower(c))
ALL(isdigit, digit(c))
ALL(isspace, space((char)c))

static val bytes_isascii(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]);
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] > 127) return VAL_FALSE;
    return VAL_TRUE;
}

static val one_case(struct vm *vm, val self, bool want_upper) {
    str s = bytes_get(vm, self);
    bool seen = false;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (want_upper ? lower(c) : upper(c)) return VAL_FALSE;
        seen = seen || (want_upper ? upper(c) : lower(c));
    }
    return val_of_bool(seen);
}

static val bytes_isupper(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return one_case(vm, args[0], true);
}

static val bytes_islower(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return one_case(vm, args[0], false);
}

/* -- padding ----------------------------------------------------------------
 */

static val justify(struct vm *vm, const val *args, char how) {
    str s = bytes_get(vm, args[0]), fill = STR(" ");
    int64_t width;
    if (value_index(vm, args[1], &width)) return VAL_UNSET;
    if (args[2] && like(vm, args[2], &fill)) return VAL_UNSET;
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

static val bytes_ljust(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '<');
}

static val bytes_rjust(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '>');
}

static val bytes_center(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return justify(vm, args, '^');
}

static val bytes_zfill(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val zero = bytes_new(vm, "0", 1);
    if (!zero) return VAL_UNSET;
    str s = bytes_get(vm, args[0]);
    val v = justify(vm, (val[]){args[0], args[1], zero}, '>');
    if (!v || !s.n || (s.p[0] != '-' && s.p[0] != '+')) return v;
    str t = bytes_get(vm, v);
    struct ostore *o = heap_at(&vm->heap, bytes_at(vm, v)->store);
    char *out = (char *)o->data;
    out[t.n - s.n] = '0';
    out[0] = s.p[0];
    return v;
}

static val bytes_translate(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]), table = {0}, gone = {0};
    if (args[1] != VAL_NONE && like(vm, args[1], &table)) return VAL_UNSET;
    if (args[2] && like(vm, args[2], &gone)) return VAL_UNSET;
    if (args[1] != VAL_NONE && table.n != 256)
        return vm_raise(vm, EXC_ValueError,
                        "translation table must be 256 characters long");
    struct build b;
    build_init(&b, vm);
    if (!vm_charge(vm, s.n * 2)) return VAL_UNSET;
    for (size_t i = 0; i < s.n && !b.failed; i++) {
        if (gone.n && memchr(gone.p, s.p[i], gone.n)) continue;
        char c = table.n ? table.p[(unsigned char)s.p[i]] : s.p[i];
        build_ascii(&b, &c, 1);
    }
    val v = b.failed ? VAL_UNSET : bytes_like(vm, args[0], b.p, b.n);
    build_drop(&b);
    return v;
}

static val bytes_maketrans(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str from, to;
    char table[256];
    if (like(vm, args[0], &from) || like(vm, args[1], &to)) return VAL_UNSET;
    if (from.n != to.n)
        return vm_raise(vm, EXC_ValueError,
                        "maketrans arguments must have same length");
    for (int i = 0; i < 256; i++)
        table[i] = (char)i;
    for (size_t i = 0; i < from.n; i++)
        table[(unsigned char)from.p[i]] = to.p[i];
    return bytes_new(vm, table, sizeof table);
}

/* -- bytearray --------------------------------------------------------------
 */

static val array_append(struct vm *vm, const val *args, size_t n) {
    (void)n;
    unsigned char c;
    uint64_t len = bytes_get(vm, args[0]).n;
    if (bytes_item(vm, args[1], "byte", &c) ||
        bytes_resize(vm, args[0], len + 1))
        return VAL_UNSET;
    return value_setitem(vm, args[0], val_of_int(-1), val_of_int(c)) ? VAL_UNSET
                                                                     : VAL_NONE;
}

static val array_extend(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val more = bytes_from(vm, args[1]);
    if (!more || !bytes_change(vm, OP_ADD, args[0], more)) return VAL_UNSET;
    return VAL_NONE;
}

static val array_insert(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t at;
    unsigned char c;
    if (value_index(vm, args[1], &at) || bytes_item(vm, args[2], "byte", &c))
        return VAL_UNSET;
    val here = slice_new(vm, val_of_int(at), val_of_int(at), VAL_NONE);
    val one = bytes_new(vm, &c, 1);
    if (!here || !one || bytes_setitem(vm, args[0], here, one))
        return VAL_UNSET;
    return VAL_NONE;
}

static val array_pop(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]);
    uint64_t at;
    if (!s.n) return vm_raise(vm, EXC_IndexError, "pop from empty bytearray");
    if (seq_index(vm, args[1] ? args[1] : val_of_int(-1), s.n,
                  "pop index out of range", &at))
        return VAL_UNSET;
    val v = val_of_int((unsigned char)s.p[at]);
    return bytes_delitem(vm, args[0], val_of_int((int64_t)at)) ? VAL_UNSET : v;
}

static val array_remove(struct vm *vm, const val *args, size_t n) {
    (void)n;
    unsigned char c;
    if (bytes_item(vm, args[1], "byte", &c)) return VAL_UNSET;
    ptrdiff_t at = find_bytes(bytes_get(vm, args[0]), (str){(char *)&c, 1});
    if (at < 0)
        return vm_raise(vm, EXC_ValueError, "value not found in bytearray");
    return bytes_delitem(vm, args[0], val_of_int(at)) ? VAL_UNSET : VAL_NONE;
}

static val array_reverse(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t len = bytes_get(vm, args[0]).n;
    if (!len) return VAL_NONE;
    struct ostore *o = heap_at(&vm->heap, bytes_at(vm, args[0])->store);
    char *p = (char *)o->data;
    for (uint64_t i = 0; i < len / 2; i++) {
        char c = p[i];
        p[i] = p[len - 1 - i];
        p[len - 1 - i] = c;
    }
    return VAL_NONE;
}

static val array_clear(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return bytes_resize(vm, args[0], 0) ? VAL_UNSET : VAL_NONE;
}

static val array_copy(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]);
    return bytes_like(vm, args[0], s.p, s.n);
}

/* -- tables -----------------------------------------------------------------
 */

#define FIND "self, sub, start=None, end=None, /"
#define PAD  "self, width, fillchar=b' ', /"

static const struct native methods[] = {
#include "vm/bytesmethods.def"
#define SLOTS_SEQUENCE
#define SLOTS_ADD
#define SLOTS_MUL
#define SLOTS_MOD
#define SLOTS_COMPARE
#define SLOTS_HASH
#include "vm/slots.def"
    {0},
};

const struct native_type native_bytes = {
    "bytes", KIND_BYTES, NULL, 0, methods, NULL, "Immutable bytes.",
};

static const struct native array_methods[] = {
#include "vm/bytesmethods.def"
    {"append", "self, item, /", array_append, "Adds one byte.", NULL},
    {"clear", "self, /", array_clear, "Removes all bytes.", NULL},
    {"copy", "self, /", array_copy, "A copy.", NULL},
    {"extend", "self, iterable, /", array_extend, "Adds bytes.",
     "_bytearray_extend"},
    {"insert", "self, index, item, /", array_insert, "Puts in a byte.", NULL},
    {"pop", "self, index=-1, /", array_pop, "Removes and returns a byte.",
     NULL},
    {"remove", "self, value, /", array_remove, "Removes the first such byte.",
     NULL},
    {"reverse", "self, /", array_reverse, "Reverses in place.", NULL},
#define SLOTS_SEQUENCE
#define SLOTS_SETITEM
#define SLOTS_ADD
#define SLOTS_MUL
#define SLOTS_MOD
#define SLOTS_INPLACE
#define SLOTS_COMPARE
#include "vm/slots.def"
    {0},
};

const struct native_type native_bytearray = {
    "bytearray", KIND_BYTES, NULL, 0, array_methods, NULL, "Mutable bytes.",
};
