/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "call/gate.h"

#define SECOND INT64_C(1000000000)

static struct gate *closed_gate(struct gates *g) {
    struct limit limit = {.concurrency = 4};
    struct err e;
    struct gate *gate = gates_get(g, STR("server/s"), &limit, &e);
    CHECK(gate);
    for (int i = 0; i < 5; i++)
        gate_report(gate, false, SECOND);
    CHECK(gate_refuses(gate, 2 * SECOND) > 0);
    return gate;
}

TEST(one_call_finds_out_whether_it_works_again) {
    struct gates all = GATES_INIT;
    struct gate *g = closed_gate(&all);
    CHECK_EQ(gate_refuses(g, 100 * SECOND), 0);
    CHECK(gate_refuses(g, 100 * SECOND) > 0);
    gate_report(g, true, 100 * SECOND);
    CHECK_EQ(gate_refuses(g, 100 * SECOND), 0);
    CHECK_EQ(gate_refuses(g, 100 * SECOND), 0);
    gates_fini(&all);
}

TEST(a_trial_that_was_given_up_leaves_it_to_the_next) {
    struct gates all = GATES_INIT;
    struct gate *g = closed_gate(&all);
    CHECK_EQ(gate_refuses(g, 100 * SECOND), 0);
    gate_give_up(g);
    CHECK_EQ(gate_refuses(g, 100 * SECOND), 0);
    gates_fini(&all);
}
