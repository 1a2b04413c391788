/* SPDX-License-Identifier: MIT
 *
 * Methods of bytes and bytearray that look for other bytes. */
#include "vm/bytesmethods.h"

#include "vm/seq.h"
#include "vm/strmethods.h"

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

int bytes_argument(struct vm *vm, val v, str *out) {
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
        seq_bounds(vm, args[2], args[3], s.n, &from, &to))
        return -2;
    if (from > to) return -1;
    str part = str_sub(s, from, to);
    ptrdiff_t at = last ? rfind_bytes(vm, part, sub) : find_bytes(part, sub);
    if (!charge_find(vm, part, sub, at, last)) return -2;
    return at < 0 ? at : at + (int64_t)from;
}

val bytes_m_find(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t at = look(vm, args, false);
    return at == -2 ? VAL_UNSET : val_of_int(at);
}

val bytes_m_rfind(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t at = look(vm, args, true);
    return at == -2 ? VAL_UNSET : val_of_int(at);
}

static val must_find(struct vm *vm, int64_t at) {
    if (at == -1) return vm_raise(vm, EXC_ValueError, "subsection not found");
    return at == -2 ? VAL_UNSET : val_of_int(at);
}

val bytes_m_index(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return must_find(vm, look(vm, args, false));
}

val bytes_m_rindex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return must_find(vm, look(vm, args, true));
}

val bytes_m_count(struct vm *vm, const val *args, size_t n) {
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
        if (bytes_argument(vm, item, &sub) ||
            !vm_charge(vm, 4 + (sub.n <= s.n ? sub.n / 16 : 0)))
            return VAL_UNSET;
        if (at_end ? str_ends(s, sub) : str_starts(s, sub)) return VAL_TRUE;
    }
    return VAL_FALSE;
}

val bytes_m_startswith(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return ends(vm, args, false, "startswith");
}

val bytes_m_endswith(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return ends(vm, args, true, "endswith");
}

/* -- replacing, cutting -----------------------------------------------------
 */

val bytes_m_replace(struct vm *vm, const val *args, size_t n) {
    (void)n;
    str s = bytes_get(vm, args[0]), from, to;
    int64_t limit = -1;
    struct build b;
    if (bytes_argument(vm, args[1], &from) ||
        bytes_argument(vm, args[2], &to) ||
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
    return bytes_built(vm, args[0], &b);
}

static val cut(struct vm *vm, const val *args, bool last) {
    str s = bytes_get(vm, args[0]), sep;
    if (bytes_argument(vm, args[1], &sep)) return VAL_UNSET;
    if (!sep.n) return vm_raise(vm, EXC_ValueError, "empty separator");
    ptrdiff_t at = last ? rfind_bytes(vm, s, sep) : find_bytes(s, sep);
    if (at == -2 || !vm_charge(vm, s.n / 8)) return VAL_UNSET;
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

val bytes_m_partition(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return cut(vm, args, false);
}

val bytes_m_rpartition(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return cut(vm, args, true);
}

static val remove_end(struct vm *vm, const val *args, bool at_end) {
    str s = bytes_get(vm, args[0]), sub;
    if (bytes_argument(vm, args[1], &sub) || !vm_charge(vm, s.n / 8))
        return VAL_UNSET;
    if (at_end && str_ends(s, sub)) s = str_sub(s, 0, s.n - sub.n);
    if (!at_end && str_starts(s, sub)) s = str_sub(s, sub.n, s.n);
    return bytes_like(vm, args[0], s.p, s.n);
}

val bytes_m_removeprefix(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return remove_end(vm, args, false);
}

val bytes_m_removesuffix(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return remove_end(vm, args, true);
}
