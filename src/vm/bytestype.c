/* SPDX-License-Identifier: MIT
 *
 * The classes bytes and bytearray. */
#include "vm/bytesmethods.h"

#include "vm/seq.h"
#include "vm/slots.h"
#include "vm/strmethods.h"

/* -- making -----------------------------------------------------------------
 */

static val zeros(struct vm *vm, val type, int64_t n) {
    char *p;
    if (n < 0) return vm_raise(vm, EXC_ValueError, "negative count");
    if ((uint64_t)n > vm->heap.limit)
        return vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    return bytes_alloc(vm, type, (uint64_t)n, &p);
}

val bytes_built(struct vm *vm, val like, struct build *b) {
    val v = b->failed ? VAL_UNSET : bytes_like(vm, like, b->p, b->n);
    build_drop(b);
    return v;
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
        const char *caller =
            type == TYPE_VAL(bytearray) ? "bytearray" : "bytes";
        return of_class(
            vm, type,
            text_encode(vm, v, (struct codec_args){caller, args[2], args[3]}));
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
    if (!vm_charge(vm, s.n * 4)) return VAL_UNSET;
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

static const char hex_digits[] = "0123456789abcdef";

/* Room for the digits and separators; false raised. */
static bool hex_room(struct vm *vm, struct build *b, size_t n, uint64_t every) {
    size_t seps = every ? n / every : 0;
    return vm_charge(vm, n * 2) && build_room(b, 2 * n + seps + 1);
}

static val bytes_hex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]), sep = {0};
    int64_t group = 1;
    if (args[1] && vm_is(vm, args[1], KIND_STR)) sep = text_get(vm, args[1]);
    if (args[1] && sep.n != 1)
        return vm_raise(vm, EXC_ValueError, "sep must be length 1.");
    if (args[2] && value_index(vm, args[2], &group)) return VAL_UNSET;
    uint64_t every = sep.n ? (uint64_t)(group < 0 ? -group : group) : 0;
    struct build b;
    build_init(&b, vm);
    if (!hex_room(vm, &b, s.n, every)) return VAL_UNSET;
    char *out = b.p;
    for (size_t i = 0; i < s.n; i++) {
        uint64_t from = group < 0 ? i : s.n - i;
        if (i && every && from % every == 0) *out++ = sep.p[0];
        unsigned char c = (unsigned char)s.p[i];
        *out++ = hex_digits[c >> 4];
        *out++ = hex_digits[c & 15];
    }
    b.n = b.chars = (size_t)(out - b.p);
    return build_take(&b);
}

static val bytes_decode(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return text_decode(vm, bytes_get(vm, args[0]), args[0],
                       (struct codec_args){"decode", args[1], args[2]});
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
    int64_t given;
    if (args[1] && value_index(vm, args[1], &given)) return VAL_UNSET;
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
    if (!vm_charge(vm, len)) return VAL_UNSET;
    char *p = bytes_data(vm, args[0]);
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
