/* SPDX-License-Identifier: MIT
 *
 * Ints of any size: sums, products, quotients, powers. Bits are in bigbits.c,
 * text in inttext.c. */
#include "vm/bigint.h"

#include "base/num.h"

#include <math.h>

#define POWMOD_SLICE 5000000u /* units of pow(a, b, c) between two looks */

/* -- limbs ------------------------------------------------------------------
 */

#define LIMBS_MAX ((mp_size_t)1 << 19) /* 4 MiB */

static int too_large(struct vm *vm) {
    vm_raise(vm, EXC_MemoryError, "integer too large");
    return -1;
}

int limbs_init(struct vm *vm, struct limbs *l, mp_size_t n) {
    return n > LIMBS_MAX ? too_large(vm) : limbs_room(vm, l, n);
}

int limbs_room(struct vm *vm, struct limbs *l, mp_size_t n) {
    l->store = VAL_UNSET;
    l->p = l->small;
    if (n <= LIMBS_INLINE) return 0;
    l->store = heap_store_raw(vm, (uint64_t)n * sizeof(mp_limb_t));
    if (!l->store) return -1;
    struct ostore *s = heap_at(&vm->heap, l->store);
    l->p = (mp_limb_t *)s->data;
    return 0;
}

void limbs_fini(struct vm *vm, struct limbs *l) {
    if (l->store) heap_free(vm, l->store);
}

void big_of(const struct vm *vm, val v, struct big *out) {
    v = value_plain(vm, v);
    if (val_is_int(v) || v == VAL_TRUE || v == VAL_FALSE) {
        int64_t i = val_is_int(v) ? val_int(v) : v == VAL_TRUE;
        out->neg = i < 0;
        out->one = out->neg ? 0 - (mp_limb_t)i : (mp_limb_t)i;
        out->n = i != 0;
        out->p = &out->one;
        return;
    }
    const struct oint *o = heap_kind(&vm->heap, v, KIND_INT);
    out->neg = o->limbs < 0;
    out->n = o->limbs < 0 ? -o->limbs : o->limbs;
    out->p = o->limb;
}

val big_new(struct vm *vm, const mp_limb_t *p, mp_size_t n, bool neg) {
    while (n > 0 && p[n - 1] == 0)
        n--;
    if (n == 0) return val_of_int(0);
    if (n == 1) {
        if (p[0] <= (mp_limb_t)INT_INLINE_MAX)
            return val_of_int(neg ? -(int64_t)p[0] : (int64_t)p[0]);
        if (neg && p[0] == (mp_limb_t)INT_INLINE_MAX + 1)
            return val_of_int(INT_INLINE_MIN);
    }
    uint64_t bytes = sizeof(struct oint) + (uint64_t)n * sizeof *p;
    struct oint *o = heap_new_raw(vm, KIND_INT, TYPE_VAL(int), bytes);
    if (!o) return VAL_UNSET;
    o->limbs = neg ? -n : n;
    memcpy(o->limb, p, (size_t)n * sizeof *p);
    return heap_ref(&vm->heap, o);
}

val int_new(struct vm *vm, int64_t i) {
    if (val_int_fits(i)) return val_of_int(i);
    mp_limb_t limb = i < 0 ? 0 - (mp_limb_t)i : (mp_limb_t)i;
    return big_new(vm, &limb, 1, i < 0);
}

val int_new_u64(struct vm *vm, uint64_t u) {
    if (u <= (uint64_t)INT_INLINE_MAX) return val_of_int((int64_t)u);
    mp_limb_t limb = u;
    return big_new(vm, &limb, 1, false);
}

bool int_is(const struct vm *vm, val v) {
    if (val_is_int(v)) return true;
    if (!val_is_ref(v) || !v) return false;
    uint8_t kind = vm_obj(vm, v)->kind;
    return kind == KIND_INT || kind == KIND_BOOL;
}

int int_get(const struct vm *vm, val v, int64_t *out) {
    if (val_is_int(v)) {
        *out = val_int(v);
        return 0;
    }
    if (!int_is(vm, v)) return -1;
    struct big b;
    big_of(vm, v, &b);
    if (b.n > 1) return -1;
    uint64_t m = b.n ? b.p[0] : 0;
    if (m > (uint64_t)INT64_MAX + b.neg) return -1;
    *out = b.neg ? (int64_t)(0 - m) : (int64_t)m;
    return 0;
}

val int_plain(struct vm *vm, val a) {
    if (val_is_int(a)) return a;
    if (type_of(vm, a) == TYPE_VAL(int)) return a;
    struct big b;
    big_of(vm, a, &b);
    return big_new(vm, b.p, b.n, b.neg);
}

/* -- sums and products ------------------------------------------------------
 */

static bool both_small(val a, val b) {
    return val_both_int(a, b);
}

/* |a| + |b| with the sign given; a is the longer one. */
static val add_magnitudes(struct vm *vm, const struct big *a,
                          const struct big *b, bool neg) {
    struct limbs r;
    if (!vm_charge(vm, (uint64_t)a->n) || limbs_init(vm, &r, a->n + 1))
        return VAL_UNSET;
    if (b->n == 0) {
        mpn_copyi(r.p, a->p, a->n);
        r.p[a->n] = 0;
    } else {
        r.p[a->n] = mpn_add(r.p, a->p, a->n, b->p, b->n);
    }
    val v = big_new(vm, r.p, a->n + 1, neg);
    limbs_fini(vm, &r);
    return v;
}

static int cmp_magnitudes(const struct big *a, const struct big *b) {
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    return a->n ? mpn_cmp(a->p, b->p, a->n) : 0;
}

/* |a| - |b| where |a| >= |b|. */
static val sub_magnitudes(struct vm *vm, const struct big *a,
                          const struct big *b, bool neg) {
    struct limbs r;
    if (!vm_charge(vm, (uint64_t)a->n) || limbs_init(vm, &r, a->n))
        return VAL_UNSET;
    if (b->n == 0)
        mpn_copyi(r.p, a->p, a->n);
    else
        mpn_sub(r.p, a->p, a->n, b->p, b->n);
    val v = big_new(vm, r.p, a->n, neg);
    limbs_fini(vm, &r);
    return v;
}

static val add_signed(struct vm *vm, const struct big *a, const struct big *b) {
    if (a->neg == b->neg)
        return a->n >= b->n ? add_magnitudes(vm, a, b, a->neg)
                            : add_magnitudes(vm, b, a, a->neg);
    if (cmp_magnitudes(a, b) >= 0) return sub_magnitudes(vm, a, b, a->neg);
    return sub_magnitudes(vm, b, a, b->neg);
}

val int_add(struct vm *vm, val a, val b) {
    if (both_small(a, b)) return int_new(vm, val_int(a) + val_int(b));
    struct big x, y;
    big_of(vm, a, &x);
    big_of(vm, b, &y);
    return add_signed(vm, &x, &y);
}

val int_sub(struct vm *vm, val a, val b) {
    if (both_small(a, b)) return int_new(vm, val_int(a) - val_int(b));
    struct big x, y;
    big_of(vm, a, &x);
    big_of(vm, b, &y);
    y.neg = !y.neg;
    return add_signed(vm, &x, &y);
}

static val mul_big(struct vm *vm, const struct big *a, const struct big *b) {
    if (!a->n || !b->n) return val_of_int(0);
    mp_size_t n = a->n + b->n;
    if (n > LIMBS_MAX && too_large(vm)) return VAL_UNSET;
    uint64_t bytes = sizeof(struct oint) + (uint64_t)n * sizeof(mp_limb_t);
    if (!charge_pieces(vm, mul_cost(a->n, b->n))) return VAL_UNSET;
    struct oint *o = heap_new_raw(vm, KIND_INT, TYPE_VAL(int), bytes);
    if (!o) return VAL_UNSET;
    bool neg = a->neg != b->neg;
    o->limbs = n;
    if (limbs_mul(vm, o->limb, a->p, a->n, b->p, b->n)) {
        heap_free(vm, heap_ref(&vm->heap, o));
        return VAL_UNSET;
    }
    /* Most products stay where they are; a shorter one must be as long as its
     * object. */
    uint64_t size = object_size(&o->h);
    n -= o->limb[n - 1] == 0;
    o->limbs = neg ? -n : n;
    if (n > 1 && object_size(&o->h) == size) return heap_ref(&vm->heap, o);
    val v = big_new(vm, o->limb, n, neg);
    o->limbs = a->n + b->n;
    heap_free(vm, heap_ref(&vm->heap, o));
    return v;
}

val int_mul(struct vm *vm, val a, val b) {
    int64_t small;
    if (both_small(a, b) && !num_mul(val_int(a), val_int(b), &small))
        return int_new(vm, small);
    struct big x, y;
    big_of(vm, a, &x);
    big_of(vm, b, &y);
    return mul_big(vm, &x, &y);
}

/* -- division ---------------------------------------------------------------
 */

static int divmod_small(struct vm *vm, int64_t a, int64_t b, val *q, val *r) {
    int64_t quot = a / b, rem = a % b;
    if (rem && (rem < 0) != (b < 0)) {
        quot--;
        rem += b;
    }
    val qv = VAL_UNSET;
    if (q && !(qv = int_new(vm, quot))) return -1;
    if (q) *q = qv;
    if (r) *r = val_of_int(rem);
    return 0;
}

/* Truncated quotient and remainder are there: floor them. q has qn limbs and
 * room for one more; r has b->n. */
static void floor_adjust(const struct big *a, const struct big *b, mp_limb_t *q,
                         mp_size_t *qn, mp_limb_t *r) {
    if (a->neg == b->neg || mpn_zero_p(r, b->n)) return;
    q[*qn] = mpn_add_1(q, q, *qn, 1);
    (*qn)++;
    mpn_sub_n(r, b->p, r, b->n);
}

/* |a| < |b|: the quotient is 0, or -1 when the signs differ. */
static int divmod_short(struct vm *vm, val a, val b, const struct big *x,
                        const struct big *y, val *q, val *r) {
    bool adjust = x->n && x->neg != y->neg;
    val rem = adjust ? int_add(vm, a, b) : int_plain(vm, a);
    if (!rem) return -1;
    if (q) *q = val_of_int(adjust ? -1 : 0);
    if (r) *r = rem;
    return 0;
}

static int divmod_limbs(struct vm *vm, const struct big *x, const struct big *y,
                        struct limbs *ql, struct limbs *rl, val *q, val *r) {
    mp_size_t qn = x->n - y->n + 1;
    if (limbs_divmod(vm, ql->p, rl->p, x->p, x->n, y->p, y->n)) return -1;
    floor_adjust(x, y, ql->p, &qn, rl->p);
    val qv = VAL_UNSET, rv = VAL_UNSET;
    if (q && !(qv = big_new(vm, ql->p, qn, x->neg != y->neg))) return -1;
    if (r && !(rv = big_new(vm, rl->p, y->n, y->neg))) return -1;
    if (q) *q = qv;
    if (r) *r = rv;
    return 0;
}

int int_divmod(struct vm *vm, val a, val b, val *q, val *r, const char *what) {
    if (both_small(a, b) && val_int(b))
        return divmod_small(vm, val_int(a), val_int(b), q, r);
    struct big x, y;
    big_of(vm, a, &x);
    big_of(vm, b, &y);
    if (!y.n) {
        vm_raise(vm, EXC_ZeroDivisionError, "%s", what);
        return -1;
    }
    if (cmp_magnitudes(&x, &y) < 0) return divmod_short(vm, a, b, &x, &y, q, r);
    struct limbs ql, rl;
    if (!charge_pieces(vm, 2 * mul_cost(x.n - y.n + 1, y.n))) return -1;
    if (limbs_init(vm, &ql, x.n - y.n + 2)) return -1;
    int bad = limbs_init(vm, &rl, y.n);
    if (!bad) {
        bad = divmod_limbs(vm, &x, &y, &ql, &rl, q, r);
        limbs_fini(vm, &rl);
    }
    limbs_fini(vm, &ql);
    return bad;
}

/* -- powers -----------------------------------------------------------------
 */

/* r = r * r or r * base, through t; both have room for the final result. */
static int pow_step(struct vm *vm, mp_limb_t **r, mp_limb_t **t, mp_size_t *n,
                    const struct big *base) {
    const mp_limb_t *p = base ? base->p : *r;
    mp_size_t pn = base ? base->n : *n, tn = *n + pn;
    if (limbs_mul(vm, *t, *r, *n, p, pn)) return -1;
    while (tn > 0 && (*t)[tn - 1] == 0)
        tn--;
    mp_limb_t *swap = *r;
    *r = *t;
    *t = swap;
    *n = tn;
    return 0;
}

static val pow_limbs(struct vm *vm, const struct big *base, uint64_t e,
                     mp_limb_t *r, mp_limb_t *t) {
    mpn_copyi(r, base->p, base->n);
    mp_size_t n = base->n;
    for (int bit = 62 - __builtin_clzll(e); bit >= 0; bit--) {
        if (!charge_pieces(vm, mul_cost(n, n)) ||
            pow_step(vm, &r, &t, &n, NULL))
            return VAL_UNSET;
        if ((e >> bit & 1) && pow_step(vm, &r, &t, &n, base)) return VAL_UNSET;
    }
    return big_new(vm, r, n, base->neg && (e & 1));
}

static val pow_small(int64_t a, uint64_t e) {
    int64_t r = 1, square = a;
    for (;; e >>= 1) {
        if ((e & 1) && num_mul(r, square, &r)) return VAL_UNSET;
        if (e <= 1) break;
        if (num_mul(square, square, &square)) return VAL_UNSET;
    }
    return val_int_fits(r) ? val_of_int(r) : VAL_UNSET;
}

/* 0, 1 and -1 to any power; VAL_UNSET for other bases. */
static val pow_trivial(const struct big *a, const struct big *e) {
    if (e->n == 0) return val_of_int(1);
    if (a->n == 0) return val_of_int(0);
    if (a->n > 1 || a->p[0] != 1) return VAL_UNSET;
    return val_of_int(a->neg && (e->p[0] & 1) ? -1 : 1);
}

val int_pow(struct vm *vm, val a, val b) {
    struct big x, e;
    big_of(vm, a, &x);
    big_of(vm, b, &e);
    val easy = pow_trivial(&x, &e);
    if (easy) return easy;
    if (e.n > 1) return vm_raise(vm, EXC_MemoryError, "integer too large");
    if (val_is_int(a) && (easy = pow_small(val_int(a), e.p[0]))) return easy;
    uint64_t bits;
    if (num_mul(int_bits(vm, a), e.p[0], &bits) || bits / 8 > vm->heap.limit)
        return vm_raise(vm, EXC_MemoryError, "integer too large");
    mp_size_t n = (mp_size_t)(bits / 64 + 3);
    struct limbs r, t;
    if (limbs_init(vm, &r, n)) return VAL_UNSET;
    val v = VAL_UNSET;
    if (!limbs_init(vm, &t, n)) {
        v = pow_limbs(vm, &x, e.p[0], r.p, t.p);
        limbs_fini(vm, &t);
    }
    limbs_fini(vm, &r);
    return v;
}

static void big_mpz(mpz_t out, const struct big *b) {
    mpz_roinit_n(out, b->p, b->neg ? -b->n : b->n);
}

/* r = a ** e mod m, a slice of the exponent's bits at a time where one go would
 * take too long: r ** (2 ** bits) * a ** slice for each, twice the work. */
static bool powmod_slices(struct vm *vm, const mpz_t a, const mpz_t e,
                          const mpz_t m, uint64_t step, mpz_t r) {
    uint64_t left = mpz_sizeinbase(e, 2), most = POWMOD_SLICE / step + 1;
    if (left <= most) {
        if (!vm_charge(vm, step * left)) return false;
        mpz_powm(r, a, e, m);
        return true;
    }
    mpz_t part, power;
    mpz_inits(part, power, NULL);
    mpz_set_ui(r, 1);
    bool on = true;
    while (left && (on = vm_charge(vm, 2 * step * most))) {
        uint64_t bits = left < most ? left : most;
        left -= bits;
        mpz_tdiv_q_2exp(part, e, left);
        mpz_tdiv_r_2exp(part, part, bits);
        mpz_powm(power, a, part, m);
        mpz_set_ui(part, 0);
        mpz_setbit(part, bits);
        mpz_powm(r, r, part, m);
        mpz_mul(r, r, power);
        mpz_tdiv_r(r, r, m);
    }
    mpz_clears(part, power, NULL);
    return on;
}

/* The same where one step alone is long: products and remainders as ints, which
 * are taken in pieces. */
static val powmod_steps(struct vm *vm, val base, const struct big *e, val mod) {
    val r = val_of_int(1), b = VAL_UNSET;
    if (int_divmod(vm, base, mod, NULL, &b, "")) return VAL_UNSET;
    for (mp_size_t i = e->n * 64; i-- > 0;) {
        bool set = e->p[i / 64] >> (i % 64) & 1;
        if (r == val_of_int(1) && !set) continue;
        for (int k = 0; k <= set; k++) {
            val product = int_mul(vm, r, k ? b : r), before = r;
            if (!product || int_divmod(vm, product, mod, NULL, &r, ""))
                return VAL_UNSET;
            if (val_is_ref(product) && product != r) heap_free(vm, product);
            if (val_is_ref(before) && before != b && before != r)
                heap_free(vm, before);
        }
    }
    return r;
}

/* The inverse of a modulo m, for negative exponents. */
static val powmod_inverse(struct vm *vm, const mpz_t a, const mpz_t e,
                          const mpz_t m, uint64_t step, mpz_t r) {
    if (!vm_charge(vm, step * 32)) return VAL_UNSET;
    if (!mpz_invert(r, a, m))
        return vm_raise(vm, EXC_ValueError,
                        "base is not invertible for the given modulus");
    mpz_t positive, base;
    mpz_init(positive);
    mpz_init_set(base, r);
    mpz_neg(positive, e);
    bool on = powmod_slices(vm, base, positive, m, step, r);
    mpz_clears(positive, base, NULL);
    return on ? VAL_NONE : VAL_UNSET;
}

static val powmod_mpz(struct vm *vm, const struct big *x, const struct big *e,
                      const struct big *m, uint64_t step) {
    mpz_t a, b, c, r;
    big_mpz(a, x);
    big_mpz(b, e);
    big_mpz(c, m);
    mpz_init(r);
    val ok = VAL_NONE;
    if (e->neg)
        ok = powmod_inverse(vm, a, b, c, step, r);
    else if (!powmod_slices(vm, a, b, c, step, r))
        ok = VAL_UNSET;
    /* mpz_powm answers 0 <= r < |m|; Python's sign is that of m. */
    if (ok && m->neg && mpz_sgn(r) != 0) mpz_add(r, r, c);
    if (ok)
        ok = big_new(vm, mpz_limbs_read(r), (mp_size_t)mpz_size(r),
                     mpz_sgn(r) < 0);
    mpz_clear(r);
    return ok;
}

val int_powmod(struct vm *vm, val a, val b, val mod) {
    struct big x, e, m;
    big_of(vm, a, &x);
    big_of(vm, b, &e);
    big_of(vm, mod, &m);
    if (!m.n)
        return vm_raise(vm, EXC_ValueError, "pow() 3rd argument cannot be 0");
    if (m.n == 1 && m.p[0] == 1) return val_of_int(0);
    uint64_t step = 4 + 2 * mul_cost(m.n, m.n);
    if (!vm_charge(vm, mul_cost(x.n, m.n))) return VAL_UNSET;
    if (step > POWMOD_SLICE && !e.neg) return powmod_steps(vm, a, &e, mod);
    return powmod_mpz(vm, &x, &e, &m, step);
}

/* -- questions --------------------------------------------------------------
 */

int int_sign(const struct vm *vm, val a) {
    if (val_is_int(a)) return (val_int(a) > 0) - (val_int(a) < 0);
    struct big x;
    big_of(vm, a, &x);
    return x.n ? (x.neg ? -1 : 1) : 0;
}

int int_cmp(const struct vm *vm, val a, val b) {
    if (both_small(a, b))
        return (val_int(a) > val_int(b)) - (val_int(a) < val_int(b));
    struct big x, y;
    big_of(vm, a, &x);
    big_of(vm, b, &y);
    if (!x.n || !y.n || x.neg != y.neg)
        return int_sign(vm, a) - int_sign(vm, b);
    int c = cmp_magnitudes(&x, &y);
    return x.neg ? -c : c;
}

uint64_t int_limbs(const struct vm *vm, val a) {
    struct big x;
    if (!vm_is(vm, a, KIND_INT)) return 1;
    big_of(vm, a, &x);
    return (uint64_t)x.n;
}

uint64_t int_bits(const struct vm *vm, val a) {
    struct big x;
    big_of(vm, a, &x);
    if (!x.n) return 0;
    return (uint64_t)x.n * 64 - (uint64_t)__builtin_clzll(x.p[x.n - 1]);
}

int64_t int_hash(const struct vm *vm, val a) {
    const mp_limb_t prime = ((mp_limb_t)1 << 61) - 1;
    struct big x;
    big_of(vm, a, &x);
    if (!x.n) return 0;
    int64_t h =
        (int64_t)(x.n == 1 ? x.p[0] % prime : mpn_mod_1(x.p, x.n, prime));
    if (x.neg) h = -h;
    return h == -1 ? -2 : h;
}
