/* SPDX-License-Identifier: MIT
 *
 * Builtin values from C: what the language tests cannot see. */
#include "test.h"

#include "vm/bigint.h"
#include "vm/dict.h"
#include "vm/engine.h"
#include "vm/number.h"
#include "vm/seq.h"
#include "vm/set.h"
#include "vm/sort.h"
#include "vm/text.h"

#include <stdio.h>

static void start(struct vm *vm, uint64_t memory) {
    struct err e;
    const struct engine *engine = engine_get(&e);
    CHECK(engine != NULL);
    struct vm_limits limits = {.steps = 1u << 30,
                               .memory = memory,
                               .time_ns = 10000000000,
                               .output = 1 << 20,
                               .depth = 1000,
                               .calls = 10};
    CHECK_OK(vm_init(vm, engine, &limits, &e), &e);
    vm_budget_begin(vm);
    vm_clock_start(vm);
}

static void stop(struct vm *vm) {
    vm_fini(vm);
    engine_fini();
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20;
}

/* -- ints -------------------------------------------------------------------
 */

/* A random int of up to `limbs` limbs, as a value and for GMP's own layer. */
static val random_int(struct vm *vm, uint64_t *state, int limbs, mpz_t out) {
    mp_limb_t p[8];
    mp_size_t n = (mp_size_t)(next_random(state) % (unsigned)(limbs + 1));
    for (mp_size_t i = 0; i < n; i++) {
        p[i] = next_random(state) << 32 ^ next_random(state);
        /* Runs of zeros and ones find carries that random bits do not. */
        if (next_random(state) % 4 == 0) p[i] = 0;
        if (next_random(state) % 4 == 0) p[i] = ~(mp_limb_t)0;
    }
    bool neg = next_random(state) & 1;
    mpz_import(out, (size_t)n, -1, sizeof *p, 0, 0, p);
    if (neg) mpz_neg(out, out);
    return big_new(vm, p, n, neg);
}

static void check_same(struct vm *vm, val got, const mpz_t want) {
    CHECK(got != VAL_UNSET);
    struct big b;
    big_of(vm, got, &b);
    mpz_t z;
    mpz_roinit_n(z, b.p, b.neg ? -b.n : b.n);
    CHECK_EQ(mpz_cmp(z, want), 0);
    /* The inline form is used exactly when it can be. */
    bool fits = mpz_sizeinbase(want, 2) <= 62;
    if (fits) CHECK(val_is_int(got));
}

TEST(ints_agree_with_gmp_on_every_operator) {
    struct vm vm;
    start(&vm, 64u << 20);
    uint64_t state = 1;
    mpz_t a, b, r, q;
    mpz_inits(a, b, r, q, NULL);
    for (int i = 0; i < 3000; i++) {
        val x = random_int(&vm, &state, 5, a),
            y = random_int(&vm, &state, 4, b);
        mpz_add(r, a, b);
        check_same(&vm, int_add(&vm, x, y), r);
        mpz_sub(r, a, b);
        check_same(&vm, int_sub(&vm, x, y), r);
        mpz_mul(r, a, b);
        check_same(&vm, int_mul(&vm, x, y), r);
        mpz_and(r, a, b);
        check_same(&vm, int_bitwise(&vm, OP_AND, x, y), r);
        mpz_ior(r, a, b);
        check_same(&vm, int_bitwise(&vm, OP_OR, x, y), r);
        mpz_xor(r, a, b);
        check_same(&vm, int_bitwise(&vm, OP_XOR, x, y), r);
        CHECK_EQ((int_cmp(&vm, x, y) > 0) - (int_cmp(&vm, x, y) < 0),
                 (mpz_cmp(a, b) > 0) - (mpz_cmp(a, b) < 0));
        unsigned shift = (unsigned)(next_random(&state) % 200);
        mpz_mul_2exp(r, a, shift);
        check_same(&vm, int_lshift(&vm, x, val_of_int(shift)), r);
        mpz_fdiv_q_2exp(r, a, shift);
        check_same(&vm, int_rshift(&vm, x, val_of_int(shift)), r);
        if (!mpz_sgn(b)) continue;
        val qv, rv;
        mpz_fdiv_qr(q, r, a, b);
        CHECK_EQ(int_divmod(&vm, x, y, &qv, &rv, ""), 0);
        check_same(&vm, qv, q);
        check_same(&vm, rv, r);
    }
    mpz_clears(a, b, r, q, NULL);
    stop(&vm);
}

TEST(ints_survive_the_way_to_text_and_back) {
    struct vm vm;
    start(&vm, 64u << 20);
    uint64_t state = 7;
    mpz_t a;
    mpz_init(a);
    for (unsigned i = 0; i < 500; i++) {
        val x = random_int(&vm, &state, 6, a);
        unsigned base = 2 + i % 35;
        val text = int_text(&vm, x, base, true);
        CHECK(text != VAL_UNSET);
        check_same(&vm, int_parse(&vm, text_get(&vm, text), base), a);
    }
    mpz_clear(a);
    stop(&vm);
}

TEST(ints_beside_doubles_compare_exactly) {
    struct vm vm;
    start(&vm, 8u << 20);
    val big = int_lshift(&vm, val_of_int(1), val_of_int(53));
    val odd = int_add(&vm, big, val_of_int(1));
    CHECK_EQ(int_cmp_real(&vm, big, 0x1p53), 0);
    CHECK_EQ(int_cmp_real(&vm, odd, 0x1p53), 1);
    CHECK_EQ(int_cmp_real(&vm, odd, 0x1p53 + 2), -1);
    CHECK_EQ(int_cmp_real(&vm, int_neg(&vm, odd), -0x1p53), -1);
    val huge = int_lshift(&vm, odd, val_of_int(900));
    CHECK_EQ(int_cmp_real(&vm, huge, 0x1p953), 1);
    double d;
    CHECK_EQ(int_to_real(&vm, odd, &d), 0);
    CHECK(d == 0x1p53); /* half to even */
    stop(&vm);
}

/* -- dicts and sets ---------------------------------------------------------
 */

TEST(dicts_keep_order_through_growth_and_deletion) {
    struct vm vm;
    start(&vm, 64u << 20);
    val d = dict_new(&vm), v;
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(dict_set(&vm, d, val_of_int(i * 7919), val_of_int(i)), 0);
    for (int i = 0; i < 1000; i += 3)
        CHECK_EQ(dict_del(&vm, d, val_of_int(i * 7919)), 1);
    CHECK_EQ(dict_del(&vm, d, val_of_int(0)), 0);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(dict_get(&vm, d, val_of_int(i * 7919), &v), i % 3 != 0);
    val k;
    int64_t last = -1, count = 0;
    for (uint64_t i = 0; dict_next(&vm, d, &i, &k, &v); count++) {
        CHECK(val_int(v) > last);
        last = val_int(v);
    }
    CHECK_EQ(count, 666);
    stop(&vm);
}

TEST(dict_literals_share_their_shape_until_they_change) {
    struct vm vm;
    start(&vm, 64u << 20);
    val names[3] = {text_intern(&vm, STR("alpha")),
                    text_intern(&vm, STR("beta")),
                    text_intern(&vm, STR("gamma"))};
    val keys = tuple_new(&vm, names, 3);
    val items[3] = {val_of_int(1), val_of_int(2), val_of_int(3)}, v;
    val a = dict_from_keys(&vm, keys, items);
    val b = dict_from_keys(&vm, keys, items);
    CHECK(dict_at(&vm, a)->shape &&
          dict_at(&vm, a)->shape == dict_at(&vm, b)->shape);
    /* A key that is equal but another object is found, too. */
    val beta = text_concat(&vm, text_of(&vm, "be"), text_of(&vm, "ta"));
    CHECK_EQ(dict_get(&vm, a, beta, &v), 1);
    CHECK_EQ(val_int(v), 2);
    CHECK_EQ(dict_set(&vm, a, val_of_int(5), val_of_int(6)), 0);
    CHECK(!dict_at(&vm, a)->shape);
    CHECK(dict_at(&vm, b)->shape);
    CHECK_EQ(dict_get(&vm, a, names[2], &v), 1);
    CHECK_EQ(dict_del(&vm, b, names[0]), 1);
    CHECK_EQ(dict_get(&vm, b, names[0], &v), 0);
    CHECK_EQ(value_equal(&vm, a, b), 0);
    stop(&vm);
}

TEST(sets_of_ints_are_walked_as_cpython_walks_them) {
    struct vm vm;
    start(&vm, 8u << 20);
    static const int items[] = {1000, 7, 255, 0, -1, 64, 32, 8, 99};
    static const int want[] = {0, 64, 32, 99, 7, 1000, 8, -1, 255};
    val s = set_new(&vm, false), item;
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        CHECK_EQ(set_add(&vm, s, val_of_int(items[i])), 1);
    size_t n = 0;
    for (uint64_t i = 0; set_next(&vm, s, &i, &item); n++)
        CHECK_EQ(val_int(item), want[n]);
    CHECK_EQ(n, sizeof want / sizeof want[0]);
    stop(&vm);
}

/* -- text -------------------------------------------------------------------
 */

TEST(appending_to_text_does_not_copy_what_is_there) {
    struct vm vm;
    start(&vm, 8u << 20);
    val s = TEXT_EMPTY_VAL, piece = text_of(&vm, "0123456789");
    for (int i = 0; i < 20000; i++) {
        s = text_concat(&vm, s, piece);
        CHECK(s != VAL_UNSET);
    }
    /* Copying would have needed 2 GB; 8 MiB were enough without a collection.
     */
    CHECK_EQ(text_get(&vm, s).n, 200000);
    CHECK(vm.heap.top < (8u << 20) + vm.heap.template_end);
    stop(&vm);
}

TEST(text_that_was_appended_to_twice_has_two_endings) {
    struct vm vm;
    start(&vm, 8u << 20);
    val base = text_of(&vm, "a line that is long enough to live in a store of "
                            "its own, which short text never does, really");
    val grown = text_concat(&vm, base, text_of(&vm, "!"));
    val one = text_concat(&vm, grown, text_of(&vm, "one"));
    val two = text_concat(&vm, grown, text_of(&vm, "two"));
    CHECK(str_ends(text_get(&vm, one), STR("!one")));
    CHECK(str_ends(text_get(&vm, two), STR("!two")));
    CHECK(str_ends(text_get(&vm, grown), STR("!")));
    stop(&vm);
}

TEST(interned_text_is_one_object) {
    struct vm vm;
    start(&vm, 8u << 20);
    char name[16];
    val first[500];
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "name%d", i);
        first[i] = text_intern(&vm, str_of(name));
    }
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "name%d", i);
        CHECK(text_intern(&vm, str_of(name)) == first[i]);
    }
    CHECK(text_interned(&vm, text_of(&vm, "never seen")) == VAL_UNSET);
    stop(&vm);
}

TEST(positions_in_long_text_go_through_the_table) {
    struct vm vm;
    start(&vm, 8u << 20);
    struct build b;
    build_init(&b, &vm);
    for (uint32_t i = 0; i < 5000; i++)
        build_char(&b, i % 3 ? 'a' + i % 26 : 0x4e00 + i);
    val s = build_take(&b);
    for (uint32_t i = 0; i < 5000; i += 7) {
        val c = text_at(&vm, s, i),
            want = text_char(&vm, i % 3 ? 'a' + i % 26 : 0x4e00 + i);
        CHECK(text_equal(&vm, c, want));
        CHECK_EQ(text_position(&vm, s, text_offset(&vm, s, i)), i);
    }
    stop(&vm);
}

/* -- sorting, limits --------------------------------------------------------
 */

TEST(sorting_is_stable_and_orders_by_value) {
    struct vm vm;
    start(&vm, 64u << 20);
    enum { N = 5000 };
    static val keys[N], items[N], out[N];
    uint64_t state = 3;
    for (int i = 0; i < N; i++) {
        keys[i] = val_of_int((int64_t)(next_random(&state) % 100) - 50);
        items[i] = val_of_int(i);
    }
    for (int reverse = 0; reverse < 2; reverse++) {
        CHECK_EQ(sort_by_keys(&vm, keys, items, N, reverse, out), 0);
        for (int i = 1; i < N; i++) {
            int64_t a = val_int(keys[val_int(out[i - 1])]);
            int64_t b = val_int(keys[val_int(out[i])]);
            CHECK(reverse ? a >= b : a <= b);
            if (a == b) CHECK(val_int(out[i - 1]) < val_int(out[i]));
        }
    }
    stop(&vm);
}

TEST(sizes_that_cannot_be_are_refused_at_once) {
    struct vm vm;
    start(&vm, 4u << 20);
    CHECK(!int_lshift(&vm, val_of_int(1), val_of_int((int64_t)1 << 40)));
    CHECK(!int_pow(&vm, val_of_int(10), val_of_int((int64_t)1 << 40)));
    val by = val_of_int((int64_t)1 << 40);
    CHECK(!arith_binary(&vm, OP_MUL, text_of(&vm, "ab"), by));
    CHECK(!arith_binary(&vm, OP_MUL, tuple_new(&vm, &by, 1), by));
    CHECK(!vm.slow_wanted);
    CHECK(vm_root(&vm)->exception != VAL_UNSET);
    stop(&vm);
}
