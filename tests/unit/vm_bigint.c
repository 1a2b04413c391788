/* SPDX-License-Identifier: MIT
 *
 * Very long ints, whose products and quotients are taken in pieces. */
#include "test.h"

#include "base/mem.h"
#include "vm/bigint.h"
#include "vm/engine.h"

#include <string.h>

/* The clock stands so far back that the limit is not met: what a short limit
 * makes of the pieces is looked at, not the limit. */
static void start(struct vm *vm, int64_t time_ns) {
    struct err e;
    const struct engine *engine = engine_get(&e);
    CHECK(engine != NULL);
    struct vm_limits limits = {.steps = (uint64_t)1 << 50,
                               .memory = (uint64_t)256 << 20,
                               .time_ns = time_ns,
                               .output = 1 << 20,
                               .depth = 1000,
                               .calls = 10};
    CHECK_OK(vm_init(vm, engine, &limits, &e), &e);
    vm_budget_begin(vm);
    vm_clock_start(vm);
    vm->time_spent_ns = -(int64_t)3600 * 1000000000;
}

static void stop(struct vm *vm) {
    vm_fini(vm);
    engine_fini();
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20;
}

/* Random limbs, with runs of zeros and ones, which find carries. */
static mp_limb_t *random_limbs(uint64_t *state, mp_size_t n) {
    struct err e;
    mp_limb_t *p = mem_alloc((size_t)n * sizeof *p, &e);
    CHECK(p);
    for (mp_size_t i = 0; i < n;) {
        uint64_t how = next_random(state) % 4;
        mp_size_t run = (mp_size_t)(next_random(state) % 700) + 1;
        for (; run > 0 && i < n; run--, i++)
            p[i] = how == 0   ? 0
                   : how == 1 ? ~(mp_limb_t)0
                              : next_random(state) << 32 ^ next_random(state);
    }
    if (p[n - 1] == 0) p[n - 1] = next_random(state) % 3 + 1;
    return p;
}

static mp_limb_t *room_for(mp_size_t n) {
    struct err e;
    mp_limb_t *p = mem_alloc((size_t)n * sizeof *p, &e);
    CHECK(p);
    return p;
}

static const mp_size_t sizes[] = {1, 40, 1023, 12000, 20011};
#define SIZES (sizeof sizes / sizeof sizes[0])

static void check_product(struct vm *vm, uint64_t *state, mp_size_t an,
                          mp_size_t bn) {
    mp_limb_t *a = random_limbs(state, an);
    mp_limb_t *b = an == bn && an % 2 ? a : random_limbs(state, bn);
    mp_limb_t *got = room_for(an + bn), *want = room_for(an + bn);
    CHECK_EQ(limbs_mul(vm, got, a, an, b, bn), 0);
    if (an >= bn)
        mpn_mul(want, a, an, b, bn);
    else
        mpn_mul(want, b, bn, a, an);
    CHECK(mpn_cmp(got, want, an + bn) == 0);
    if (b != a) mem_free(b);
    mem_free(a);
    mem_free(got);
    mem_free(want);
}

TEST(products_in_pieces_are_those_of_gmp) {
    struct vm vm;
    uint64_t state = 7;
    start(&vm, 1000000);
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < SIZES; k++)
            check_product(&vm, &state, sizes[i], sizes[k]);
    stop(&vm);
}

static void check_quotient(struct vm *vm, uint64_t *state, mp_size_t xn,
                           mp_size_t yn) {
    mp_limb_t *x = random_limbs(state, xn), *y = random_limbs(state, yn);
    mp_size_t qn = xn - yn + 1;
    mp_limb_t *q = room_for(qn), *r = room_for(yn);
    mp_limb_t *want_q = room_for(qn), *want_r = room_for(yn);
    /* As if a multiple less one: remainders that nearly are the divisor. */
    if (next_random(state) % 3 == 0 && yn > 1) mpn_copyi(x + xn - yn, y, yn);
    CHECK_EQ(limbs_divmod(vm, q, r, x, xn, y, yn), 0);
    mpn_tdiv_qr(want_q, want_r, 0, x, xn, y, yn);
    CHECK(mpn_cmp(q, want_q, qn) == 0);
    CHECK(mpn_cmp(r, want_r, yn) == 0);
    mem_free(x);
    mem_free(y);
    mem_free(q);
    mem_free(r);
    mem_free(want_q);
    mem_free(want_r);
}

TEST(quotients_in_pieces_are_those_of_gmp) {
    struct vm vm;
    uint64_t state = 11;
    start(&vm, 1000000);
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k <= i; k++)
            for (int more = 0; more < 2; more++)
                check_quotient(&vm, &state, sizes[i] + more * 777, sizes[k]);
    stop(&vm);
}

TEST(powers_in_pieces_are_those_of_gmp) {
    struct vm vm;
    uint64_t state = 3;
    start(&vm, 1000000);
    mp_size_t n = 20000;
    mp_limb_t *a = random_limbs(&state, n), *m = random_limbs(&state, n);
    mpz_t ma, mm, want;
    mpz_roinit_n(ma, a, n);
    mpz_roinit_n(mm, m, n);
    mpz_init(want);
    mpz_powm_ui(want, ma, 1000003, mm);
    val got = int_powmod(&vm, big_new(&vm, a, n, false), val_of_int(1000003),
                         big_new(&vm, m, n, false));
    struct big r;
    CHECK(got);
    big_of(&vm, got, &r);
    CHECK_EQ(r.n, (mp_size_t)mpz_size(want));
    CHECK(mpn_cmp(r.p, mpz_limbs_read(want), r.n) == 0);
    mpz_clear(want);
    mem_free(a);
    mem_free(m);
    stop(&vm);
}

/* A limit that fires in the midst of it ends it there, and all is given back.
 */
TEST(a_limit_ends_a_long_product_between_two_pieces) {
    struct vm vm;
    uint64_t state = 5;
    start(&vm, 1000000);
    mp_size_t n = 200000;
    mp_limb_t *a = random_limbs(&state, n), *r = room_for(2 * n);
    uint64_t live = vm.heap.live;
    vm.time_spent_ns = 2000000;
    CHECK_EQ(limbs_mul(&vm, r, a, n, a, n), -1);
    CHECK_EQ(vm.fired, LIMIT_TIME);
    CHECK(vm.heap.live < live + 4096); /* the exception */
    mem_free(a);
    mem_free(r);
    stop(&vm);
}

TEST(an_int_over_four_megabytes_is_refused) {
    struct vm vm;
    start(&vm, 1000000000);
    val a = int_lshift(&vm, val_of_int(1), val_of_int(20000000));
    CHECK(a);
    CHECK(!int_mul(&vm, a, a));
    CHECK(vm_root(&vm)->exception);
    stop(&vm);
}
