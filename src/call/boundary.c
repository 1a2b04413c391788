/* SPDX-License-Identifier: MIT
 *
 * The life of a boundary: what it is made of, and what it forgets.
 */
#include "base/hash.h"
#include "base/mem.h"
#include "call/inside.h"
#include "call/needs.h"

#define DAY_NS ((int64_t)24 * 3600 * 1000000000)

int boundary_set_policy(struct boundary *b, struct policy *p, struct err *e) {
    if (!p && !b->own_policy &&
        !(b->own_policy = policy_new(POLICY_BALANCED, e)))
        return -1;
    b->policy = p ? p : b->own_policy;
    return 0;
}

void boundary_set_answers(struct boundary *b, struct boundary_answers answers) {
    b->answers = answers;
}

struct boundary *boundary_new(const struct boundary_config *config,
                              struct err *e) {
    struct boundary *b = mem_zalloc(1, sizeof *b, e);
    if (!b) return NULL;
    b->loop = config->loop;
    b->registry = config->registry;
    b->store = config->store;
    b->audit = config->audit;
    b->secrets = config->secrets;
    b->gates = GATES_INIT;
    b->repeats = MAP_MAX((size_t)1 << 14);
    b->shapes = MAP_MAX((size_t)1 << 20);
    seen_fini(b);
    b->approval_ns = config->approval_ns ? config->approval_ns : DAY_NS;
    line_init(b);
    b->spent = spent_new(e);
    if (b->spent && hash_random(b->seed, sizeof b->seed, e) == 0 &&
        (b->limits = limits_new(config->limits, e)) &&
        (b->redact = redact_new(config->redact, config->secrets, e)) &&
        boundary_set_policy(b, config->policy, e) == 0)
        return b;
    boundary_free(b);
    return NULL;
}

void boundary_free(struct boundary *b) {
    if (!b) return;
    while (b->calls)
        boundary_cancel(b->calls, "cordon ends");
    loop_timer_stop(&b->pump);
    gates_fini(&b->gates);
    repeat_forget(b);
    shape_fini(b);
    seen_fini(b);
    limits_free(b->limits);
    redact_free(b->redact);
    spent_free(b->spent);
    policy_free(b->own_policy);
    if (b->needs) {
        registry_remove(b->registry, b->needs->server);
        b->needs->class->free(b->needs);
    }
    mem_free(b);
}

int boundary_offer_needs(struct boundary *b, struct err *e) {
    if (!b->needs) b->needs = provider_needs_new(b->registry, e);
    return b->needs ? 0 : -1;
}

struct registry *boundary_registry(struct boundary *b) {
    return b->registry;
}

struct store *boundary_store(struct boundary *b) {
    return b->store;
}

void boundary_forget(struct boundary *b, str run_or_session) {
    spent_end(b->spent, run_or_session);
    seen_forget(b, run_or_session);
}
