/* SPDX-License-Identifier: MIT */
#include "call/gate.h"

#include "base/mem.h"

#define SECOND   ((int64_t)1000000000)
#define FAILURES 5 /* in a row close the breaker */
#define CLOSED   (10 * SECOND)

struct gate *gates_get(struct gates *g, str name, const struct limit *l,
                       struct err *e) {
    struct gate *gate = map_get(&g->all, name);
    if (gate) return gate;
    gate = mem_zalloc(1, sizeof *gate, e);
    if (!gate) return NULL;
    gate->max = l->concurrency;
    gate->rate = l->rate;
    gate->tokens = l->rate < 1 ? 1 : l->rate; /* a second's worth at first */
    if (map_put(&g->all, name, gate, NULL, e)) {
        mem_free(gate);
        return NULL;
    }
    return gate;
}

void gates_fini(struct gates *g) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&g->all, &i));)
        mem_free(it->value);
    map_fini(&g->all);
}

static void refill(struct gate *g, int64_t now) {
    double most = g->rate < 1 ? 1 : g->rate;
    if (g->filled)
        g->tokens += (double)(now - g->filled) / (double)SECOND * g->rate;
    if (g->tokens > most) g->tokens = most;
    g->filled = now;
}

int64_t gate_wait(struct gate *g, int64_t now) {
    if (g->active >= g->max) return GATE_FULL;
    if (g->rate <= 0) return 0;
    refill(g, now);
    if (g->tokens >= 1) return 0;
    return (int64_t)((1 - g->tokens) / g->rate * (double)SECOND) + 1;
}

void gate_enter(struct gate *g) {
    g->active++;
    if (g->rate > 0) g->tokens -= 1;
}

void gate_leave(struct gate *g) {
    g->active--;
}

int64_t gate_refuses(struct gate *g, int64_t now) {
    if (g->closed_until == 0) return 0;
    if (now < g->closed_until) return g->closed_until - now;
    if (g->trying) return SECOND;
    g->trying = true;
    return 0;
}

void gate_give_up(struct gate *g) {
    g->trying = false;
}

void gate_report(struct gate *g, bool worked, int64_t now) {
    g->trying = false;
    if (worked) {
        g->failures = 0;
        g->closed_until = 0;
        return;
    }
    if (++g->failures < FAILURES) return;
    g->closed_until = now + CLOSED;
}
