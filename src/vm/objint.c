/* SPDX-License-Identifier: MIT
 *
 * The classes int and bool. */
#include "vm/bigint.h"
#include "vm/bytes.h"
#include "vm/number.h"
#include "vm/slots.h"
#include "vm/text.h"
#include "vm/unicode.h"

/* -- int() ------------------------------------------------------------------
 */

/* i as an instance of `type`, which may be derived from int. */
static val int_as(struct vm *vm, val type, val i) {
    if (type == TYPE_VAL(int) || !i) return i;
    struct big b;
    big_of(vm, i, &b);
    struct oint *o = value_new(vm, KIND_INT, type,
                               sizeof *o + (uint64_t)b.n * sizeof(mp_limb_t));
    if (!o) return VAL_UNSET;
    o->limbs = b.neg ? -b.n : b.n;
    if (b.n) memcpy(o->limb, b.p, (size_t)b.n * sizeof(mp_limb_t));
    return heap_ref(&vm->heap, o);
}

static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if ((c | 32) >= 'a' && (c | 32) <= 'z')
        return (unsigned)((c | 32) - 'a') + 10;
    return 99;
}

/* The base a prefix asks for: 0x, 0o, 0b; 0 when there is none. */
static unsigned prefix_base(str s) {
    if (s.n < 2 || s.p[0] != '0') return 0;
    char c = (char)(s.p[1] | 32);
    return c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 0;
}

/* Drops sign, prefix and underscores into out (room for s.n bytes); returns the
 * length, 0 when it is no number in this base. *base 0 takes the prefix's. */
static size_t clean_int(str s, unsigned *base, char *out) {
    size_t n = 0;
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) {
        out[n++] = s.p[0];
        s = str_sub(s, 1, s.n);
    }
    unsigned prefix = prefix_base(s);
    bool prefixed = prefix && (*base == 0 || *base == prefix);
    bool zeros_only = *base == 0 && !prefix && s.n && s.p[0] == '0';
    if (prefixed) {
        *base = prefix;
        s = str_sub(s, 2, s.n);
    }
    if (*base == 0) *base = 10;
    size_t digits = 0;
    bool gap = !prefixed; /* an underscore may not stand here */
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '_') {
            if (gap) return 0;
            gap = true;
            continue;
        }
        if (digit_of(s.p[i]) >= *base) return 0;
        if (zeros_only && s.p[i] != '0') return 0;
        gap = false;
        out[n++] = s.p[i];
        digits++;
    }
    return digits && !gap ? n : 0;
}

static val bad_int_text(struct vm *vm, val v, int64_t base) {
    val r = value_repr(vm, v);
    if (!r) return VAL_UNSET;
    str s = text_get(vm, r);
    return vm_raise(vm, EXC_ValueError,
                    "invalid literal for int() with base %lld: %.*s",
                    (long long)base, (int)(s.n > 200 ? 200 : s.n), s.p);
}

/* A few decimal digits and nothing else, as most numbers in text are. */
static bool plain_digits(str s, int64_t *out) {
    if (s.n == 0 || s.n > 18) return false;
    int64_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned digit = (unsigned)(unsigned char)s.p[i] - '0';
        if (digit > 9) return false;
        n = n * 10 + digit;
    }
    *out = n;
    return true;
}

static val int_of_text(struct vm *vm, val type, val v, int64_t base) {
    if (base != 0 && (base < 2 || base > 36))
        return vm_raise(vm, EXC_ValueError,
                        "int() base must be >= 2 and <= 36, or 0");
    bool is_text = vm_is(vm, v, KIND_STR);
    str s = is_text ? text_get(vm, v) : bytes_get(vm, v);
    if (!vm_charge(vm, s.n / 4)) return VAL_UNSET;
    int64_t few;
    if (base == 10 && plain_digits(s, &few))
        return int_as(vm, type, val_of_int(few));
    val store = heap_store_raw(vm, s.n * 2 + 16);
    if (!store) return VAL_UNSET;
    char *clean = (char *)((struct ostore *)heap_at(&vm->heap, store))->data;
    if (is_text && !text_ascii(vm, v))
        s = unicode_number(s, clean + s.n + 8, s.n + 8);
    unsigned used = (unsigned)base;
    size_t n = clean_int(str_trim(s), &used, clean);
    val i =
        n ? int_parse(vm, (str){clean, n}, used) : bad_int_text(vm, v, base);
    heap_free(vm, store);
    return int_as(vm, type, i);
}

static val int_of_number(struct vm *vm, val type, val v) {
    if (special_of(vm, v, SPECIAL_INT)) return vm_slow(vm);
    if (int_is(vm, v)) return int_as(vm, type, int_plain(vm, v));
    if (float_is(vm, v)) return int_as(vm, type, number_trunc(vm, v));
    if (vm_is(vm, v, KIND_STR) || vm_is(vm, v, KIND_BYTES))
        return int_of_text(vm, type, v, 10);
    if (special_of(vm, v, SPECIAL_INDEX) || vm_is(vm, v, KIND_INSTANCE))
        return vm_slow(vm); /* __index__, __trunc__ */
    return vm_raise(vm, EXC_TypeError,
                    "int() argument must be a string, a bytes-like object or a "
                    "real number, not '%s'",
                    vm_type_name(vm, v));
}

static val int_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val type = args[0], v = args[1];
    if (!args[2])
        return v ? int_of_number(vm, type, v) : int_as(vm, type, val_of_int(0));
    int64_t base;
    if (!v) return vm_raise(vm, EXC_TypeError, "int() missing string argument");
    if (value_index_near(vm, args[2], &base)) return VAL_UNSET;
    if (!vm_is(vm, v, KIND_STR) && !vm_is(vm, v, KIND_BYTES))
        return vm_raise(vm, EXC_TypeError,
                        "int() can't convert non-string with explicit base");
    return int_of_text(vm, type, v, base);
}

/* -- bytes ------------------------------------------------------------------
 */

static int byte_order(struct vm *vm, val order, bool *big) {
    *big = true;
    if (!order) return 0;
    if (!vm_is(vm, order, KIND_STR)) {
        vm_raise(vm, EXC_TypeError,
                 "to_bytes() argument 'byteorder' must be str, not %s",
                 vm_type_name(vm, order));
        return -1;
    }
    str s = text_get(vm, order);
    *big = str_is(s, "big");
    if (*big || str_is(s, "little")) return 0;
    vm_raise(vm, EXC_ValueError, "byteorder must be either 'little' or 'big'");
    return -1;
}

/* Little-endian two's complement in n bytes. */
static void write_bytes(const struct big *b, unsigned char *p, uint64_t n) {
    uint64_t carry = 1;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t limb = i / 8 < (uint64_t)b->n ? b->p[i / 8] : 0;
        uint64_t byte = limb >> (i % 8 * 8) & 0xff;
        if (b->neg) {
            byte = (~byte & 0xff) + carry;
            carry = byte >> 8;
        }
        p[i] = (unsigned char)byte;
    }
}

static void reverse_bytes(unsigned char *p, uint64_t n) {
    for (uint64_t i = 0; i < n / 2; i++) {
        unsigned char c = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = c;
    }
}

/* Whether i fits n bytes, with room for the sign where there is one. */
static bool fits_bytes(struct vm *vm, val i, const struct big *b, uint64_t n,
                       bool is_signed) {
    uint64_t bits = int_bits(vm, i);
    if (!is_signed) return bits <= n * 8;
    if (bits < n * 8 || bits == 0) return true;
    /* Only -2^(8n-1) uses all bits. */
    if (!b->neg || bits != n * 8) return false;
    return mpn_scan1(b->p, 0) == bits - 1;
}

static val int_to_bytes(struct vm *vm, const val *args, size_t argc) {
    (void)argc;
    int64_t n = 1;
    bool big;
    if (args[1] && value_index(vm, args[1], &n)) return VAL_UNSET;
    if (byte_order(vm, args[2], &big)) return VAL_UNSET;
    int is_signed = args[3] ? value_truth(vm, args[3]) : 0;
    if (is_signed < 0) return VAL_UNSET;
    if (n < 0)
        return vm_raise(vm, EXC_ValueError,
                        "length argument must be non-negative");
    struct big b;
    big_of(vm, args[0], &b);
    if (b.neg && !is_signed)
        return vm_raise(vm, EXC_OverflowError,
                        "can't convert negative int to unsigned");
    if (!fits_bytes(vm, args[0], &b, (uint64_t)n, is_signed))
        return vm_raise(vm, EXC_OverflowError, "int too big to convert");
    char *p;
    if (!text_fits(vm, (uint64_t)n) || !vm_charge(vm, (uint64_t)n))
        return VAL_UNSET;
    val v = bytes_alloc(vm, TYPE_VAL(bytes), (uint64_t)n, &p);
    if (!v) return VAL_UNSET;
    write_bytes(&b, (unsigned char *)p, (uint64_t)n);
    if (big) reverse_bytes((unsigned char *)p, (uint64_t)n);
    return v;
}

static val int_from_bytes(struct vm *vm, const val *args, size_t argc) {
    (void)argc;
    bool big;
    if (byte_order(vm, args[2], &big)) return VAL_UNSET;
    int is_signed = args[3] ? value_truth(vm, args[3]) : 0;
    val from = is_signed < 0 ? VAL_UNSET : bytes_from(vm, args[1]);
    if (!from) return VAL_UNSET;
    str s = bytes_get(vm, from);
    if (!s.n) return int_as(vm, args[0], val_of_int(0));
    mp_size_t limbs = (mp_size_t)(s.n / 8 + 1);
    struct limbs l;
    if (!vm_charge(vm, s.n) || limbs_init(vm, &l, limbs)) return VAL_UNSET;
    bool neg = is_signed && (unsigned char)s.p[big ? 0 : s.n - 1] & 0x80;
    for (mp_size_t i = 0; i < limbs; i++)
        l.p[i] = neg ? ~(mp_limb_t)0 : 0;
    for (size_t i = 0; i < s.n; i++) {
        uint64_t byte = (unsigned char)s.p[big ? s.n - 1 - i : i];
        l.p[i / 8] &= ~((uint64_t)0xff << (i % 8 * 8));
        l.p[i / 8] |= byte << (i % 8 * 8);
    }
    if (neg) mpn_neg(l.p, l.p, limbs);
    val v = big_new(vm, l.p, limbs, neg);
    limbs_fini(vm, &l);
    return int_as(vm, args[0], v);
}

/* -- methods ----------------------------------------------------------------
 */

static val int_bit_length(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return val_of_int((int64_t)int_bits(vm, args[0]));
}

static val int_bit_count(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct big b;
    big_of(vm, args[0], &b);
    vm_spend(vm, (uint64_t)b.n);
    return val_of_int(b.n ? (int64_t)mpn_popcount(b.p, b.n) : 0);
}

static val int_self(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return int_plain(vm, args[0]);
}

static val int_zero(struct vm *vm, const val *args, size_t n) {
    (void)vm;
    (void)args;
    (void)n;
    return val_of_int(0);
}

static val int_one(struct vm *vm, const val *args, size_t n) {
    (void)vm;
    (void)args;
    (void)n;
    return val_of_int(1);
}

static val int_ratio(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val i = int_plain(vm, args[0]);
    return i ? tuple_new(vm, (val[]){i, val_of_int(1)}, 2) : VAL_UNSET;
}

static val int_round_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return number_round(vm, args[0], args[1]);
}

static const struct native methods[] = {
    {"__new__", "cls, x=0, /, base=10", int_make,
     "An int from a number, or from text in a base.", "_int_new"},
    {"as_integer_ratio", "self, /", int_ratio, "(self, 1)", NULL},
    {"bit_count", "self, /", int_bit_count, "Ones in the magnitude.", NULL},
    {"bit_length", "self, /", int_bit_length, "Bits of the magnitude.", NULL},
    {"conjugate", "self, /", int_self, "Itself.", NULL},
    {"from_bytes", "@class cls, bytes, byteorder='big', *, signed=False",
     int_from_bytes, "An int from bytes.", "_int_from_bytes"},
    {"to_bytes", "self, length=1, byteorder='big', *, signed=False",
     int_to_bytes, "The int as bytes.", NULL},
    {"__round__", "self, ndigits=None, /", int_round_method, "round()", NULL},
    {"__trunc__", "self, /", int_self, "Itself.", NULL},
    {"__floor__", "self, /", int_self, "Itself.", NULL},
    {"__ceil__", "self, /", int_self, "Itself.", NULL},
#define SLOTS_NUMBER
#define SLOTS_REAL
#define SLOTS_INT
#define SLOTS_COMPARE
#define SLOTS_HASH
#define SLOTS_FORMAT
#include "vm/slots.def"
    {0},
};

static const struct native getters[] = {
    {"real", "self", int_self, "Itself.", NULL},
    {"imag", "self", int_zero, "Zero.", NULL},
    {"numerator", "self", int_self, "Itself.", NULL},
    {"denominator", "self", int_one, "One.", NULL},
    {0},
};

const struct native_type native_int = {
    "int", KIND_INT, NULL, 0, methods, getters, "An integer of any size.",
};

/* -- bool -------------------------------------------------------------------
 */

static val bool_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int t = args[1] ? value_truth(vm, args[1]) : 0;
    return t < 0 ? VAL_UNSET : val_of_bool(t);
}

static const struct native bool_methods[] = {
    {"__new__", "cls, x=False, /", bool_make, "The truth of a value.",
     "_bool_new"},
    {0},
};

const struct native_type native_bool = {
    "bool", KIND_BOOL, "int", TYPE_FINAL, bool_methods, NULL, "True or False.",
};
