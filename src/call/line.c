/* SPDX-License-Identifier: MIT
 *
 * Waiting for its turn: calls stand in one line and go in, in order, as the
 * gates of their server and tool (gate.h) let them.
 */
#include <stdio.h>

#include "base/clock.h"
#include "call/inside.h"

static void unlink_call(struct call *c) {
    struct boundary *b = c->boundary;
    *(c->wait_prev ? &c->wait_prev->wait_next : &b->waiting) = c->wait_next;
    *(c->wait_next ? &c->wait_next->wait_prev : &b->waiting_last) =
        c->wait_prev;
    c->wait_next = c->wait_prev = NULL;
}

static void leave_gates(struct call *c) {
    if (!c->entered) return;
    c->entered = false;
    if (c->trial) gate_give_up(c->gates[0]);
    for (size_t i = 0; i < 2; i++)
        gate_leave(c->gates[i]);
}

void line_leave(struct call *c) {
    if (c->stage == STAGE_GATE) unlink_call(c);
    leave_gates(c);
}

static int64_t gates_wait(struct call *c, int64_t now) {
    int64_t server = gate_wait(c->gates[0], now);
    if (server) return server;
    return gate_wait(c->gates[1], now);
}

static bool refused(struct call *c, int64_t now) {
    int64_t left = gate_refuses(c->gates[0], now);
    c->trial = c->gates[0]->trying;
    if (left == 0) return false;
    char text[160];
    snprintf(text, sizeof text,
             "server '%.*s' failed again and again; it is left alone for now",
             STR_ARG(c->tool->tool.server));
    struct fault f = {.code = "unavailable",
                      .message = str_of(text),
                      .retryable = true,
                      .retry_ms = left / 1000000 + 1};
    call_refuse(c, &f);
    return true;
}

/* The first in line that may go. *soonest: ns until a rate lets one in. */
static struct call *next_in_line(struct boundary *b, int64_t *soonest) {
    int64_t now = clock_mono_ns();
    *soonest = INT64_MAX;
    for (struct call *c = b->waiting; c; c = c->wait_next) {
        int64_t wait = gates_wait(c, now);
        if (wait == 0) return c;
        if (wait > 0 && wait < *soonest) *soonest = wait;
    }
    return NULL;
}

/* Lets in whoever may go. A call that ends at once comes back here: the outer
 * turn of the loop sees to what it made possible. */
void line_pump(struct boundary *b) {
    struct call *c;
    struct err e;
    int64_t soonest;
    if (b->pumping || !b->waiting) return;
    b->pumping = true;
    while ((c = next_in_line(b, &soonest))) {
        unlink_call(c);
        c->stage = STAGE_NEW;
        if (refused(c, clock_mono_ns())) continue;
        c->entered = true;
        for (size_t i = 0; i < 2; i++)
            gate_enter(c->gates[i]);
        call_go(c);
    }
    b->pumping = false;
    if (soonest != INT64_MAX) (void)loop_timer(b->loop, &b->pump, soonest, &e);
}

static void on_pump(struct io_timer *t) {
    line_pump(t->data);
}

void line_init(struct boundary *b) {
    b->pump = (struct io_timer){.fn = on_pump, .data = b};
}

static int find_gates(struct call *c, struct err *e) {
    struct boundary *b = c->boundary;
    struct limit server;
    char name[256];
    limits_server(b->limits, c->tool->tool.server, &server);
    snprintf(name, sizeof name, "server/%.*s", STR_ARG(c->tool->tool.server));
    if (!(c->gates[0] = gates_get(&b->gates, str_of(name), &server, e)))
        return -1;
    c->gates[1] = gates_get(&b->gates, c->tool->name, &c->limit, e);
    return c->gates[1] ? 0 : -1;
}

void line_join(struct call *c) {
    struct boundary *b = c->boundary;
    struct err e;
    if (find_gates(c, &e) ||
        loop_timer(b->loop, &c->deadline, c->limit.timeout_ns, &e)) {
        call_refuse_with(c, "unavailable", true, e.text);
        return;
    }
    c->stage = STAGE_GATE;
    c->wait_prev = b->waiting_last;
    *(b->waiting_last ? &b->waiting_last->wait_next : &b->waiting) = c;
    b->waiting_last = c;
    line_pump(b);
}
