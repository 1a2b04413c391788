/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "base/mem.h"
#include "call/needs.h"
#include "call/sandboxed.h"
#include "runs/task_inside.h"
#include "sandbox/zygote.h"
#include "json/build.h"

#define TASK_BYTES ((size_t)256 << 20)

/* -- records ------------------------------------------------------------------
 */

static struct sandboxed row_of(const struct task *t) {
    return (struct sandboxed){.audit = t->config.audit,
                              .by = t->config.principal,
                              .run = str_of(t->id)};
}

/* A run says for itself that it waits, and for what, or ended. */
void task_set_state(struct task *t, enum run_state state, str result) {
    struct err e;
    if (t->journal == &t->own || state == RUN_RUNNING)
        (void)store_run_set(t->config.store, str_of(t->id), t->journal->fence,
                            state, STR(""), result, &e);
}

/* -- attempts -----------------------------------------------------------------
 */

static void on_jail(struct io_watch *w, uint32_t events) {
    struct task *t = w->data;
    const struct sandboxed row = row_of(t);
    struct err e;
    (void)events;
    int status = jail_step(t->jail, &e);
    if (status == 0) return;
    loop_unwatch(&t->watch);
    if (status < 0) {
        sandboxed_failed(&row, &e);
        task_end(t, &e);
        return;
    }
    task_stop_calls(t, "the program ended");
    if (t->has_result) cage_result_fini(&t->result);
    jail_result_take(t->jail, &t->result);
    t->has_result = true;
    sandboxed_end(&row, &t->result);
    if (!task_find_need(t)) task_end(t, NULL);
}

void task_begin(struct task *t) {
    const struct sandboxed row = row_of(t);
    struct jail_io io = JAIL_IO_KEEP;
    struct err e;
    jail_free(t->jail);
    t->jail = NULL;
    t->attempt++;
    task_set_state(t, RUN_RUNNING, STR(""));
    if (task_name_tools(t, &e) ||
        zygote_describe(&t->cage, t->config.program, &e) ||
        sandboxed_start(&row, &t->cage, &e)) {
        task_end(t, &e);
        return;
    }
    if (pools_start_python(t->config.pools, t->config.principal, &t->cage,
                           t->config.program, &io, &t->jail, &e)) {
        sandboxed_failed(&row, &e);
        task_end(t, &e);
        return;
    }
    jail_on_call(t->jail, task_on_call, t);
    t->watch =
        (struct io_watch){.fd = jail_fd(t->jail), .fn = on_jail, .data = t};
    if (loop_watch(t->config.loop, &t->watch, EPOLLIN, &e)) task_end(t, &e);
}

void task_end(struct task *t, const struct err *why) {
    char text[64];
    if (t->over) return;
    t->over = true;
    task_stop_calls(t, "the program ended");
    bool good = !why && t->has_result && cage_exit_status(&t->result) == 0;
    snprintf(text, sizeof text, "{\"exit\":%d}",
             t->has_result ? cage_exit_status(&t->result) : -1);
    task_set_state(t, good ? RUN_DONE : RUN_FAILED, str_of(text));
    boundary_forget(t->config.boundary, str_of(t->id));
    t->config.done(t->config.data, why ? NULL : &t->result, t->jail, why);
}

/* -- a life -------------------------------------------------------------------
 */

static int record(struct task *t, struct err *e) {
    if (store_new_id("r_", t->id, e)) return -1;
    struct store_run row = {.id = str_of(t->id),
                            .kind = STR("task"),
                            .principal = t->config.principal,
                            .client = t->config.client,
                            .program = t->config.program,
                            .options = STR("{\"tier\":\"container\"}"),
                            .state = RUN_RUNNING,
                            .created = clock_wall_ns()};
    t->own = (struct journal){
        .store = t->config.store, .run = str_of(t->id), .next = 1};
    t->journal = &t->own;
    return store_run_add(t->config.store, &row, &t->own.fence, e);
}

/* One more attempt of a run. */
static int join_run(struct task *t, struct err *e) {
    t->journal = t->config.journal;
    t->calls = t->config.past_number;
    snprintf(t->id, sizeof t->id, "%.*s", STR_ARG(t->journal->run));
    for (size_t i = 0; i < t->config.past_count; i++)
        if (task_take_past(t, &t->config.past[i], e)) return -1;
    for (size_t i = 0; i < t->config.given_count; i++)
        if (task_grant(t, t->config.given[i], e)) return -1;
    /* What it was handed before is not told apart any more. */
    if (t->config.past_count) shown_forgot(t->shown);
    return 0;
}

static int prepare(struct task *t, struct err *e) {
    t->shown = shown_new(e);
    if (!t->shown ||
        (t->config.user_text.n && shown_user(t->shown, t->config.user_text, e)))
        return -1;
    /* What stands in the program is as good as what its author had seen. */
    if (t->config.turn &&
        shown_text(t->shown, t->config.program, t->config.turn, e))
        return -1;
    /* With no list there would be no proxy, and nobody to say what was
     * refused. The name can never resolve. */
    if (t->cage.net == NET_NONE && t->config.can_ask) {
        t->cage.net = NET_EGRESS;
        if (cage_add_egress(&t->cage, STR("nowhere.invalid:443"), e)) return -1;
    }
    if (boundary_offer_needs(t->config.boundary, e)) return -1;
    return t->config.journal ? join_run(t, e) : record(t, e);
}

static void ask_tier(struct task *t) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct json_build b = JSON_BUILD(&a);
    const struct json *args;
    struct err e;
    build_object(&b);
    build_put_text(&b, "tier", STR("container"));
    build_put_text(&b, "why", str_of(t->config.tier_reason));
    build_end(&b);
    if (build_done(&b, &args, &e))
        task_end(t, &e);
    else
        task_ask_need(t, NEEDS_SERVER ".tier", args);
}

struct task *task_start(const struct task_config *config, struct err *e) {
    struct task *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return NULL;
    t->config = *config;
    t->arena = ARENA_MAX(TASK_BYTES);
    t->cage = *config->cage;
    if (prepare(t, e)) {
        task_free(t);
        return NULL;
    }
    if (t->config.tier_reason)
        ask_tier(t);
    else
        task_begin(t);
    return t;
}

const char *task_id(const struct task *t) {
    return t->id;
}

const struct label *task_label(const struct task *t) {
    return shown_turn(t->shown);
}

void task_free(struct task *t) {
    if (!t) return;
    t->over = true;
    loop_timer_stop(&t->poll);
    if (t->watch.loop) loop_unwatch(&t->watch);
    task_stop_calls(t, "the task ended");
    jail_free(t->jail);
    if (t->has_result) cage_result_fini(&t->result);
    for (struct made *m = t->made; m; m = m->next)
        entry_drop((struct entry *)(uintptr_t)m->tool);
    shown_free(t->shown);
    arena_fini(&t->arena);
    mem_free(t);
}
