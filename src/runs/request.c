/* SPDX-License-Identifier: MIT
 *
 * What a run was asked for: from its caller, to its row in the store, and from
 * there when another process goes on with it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "runs/inside.h"
#include "json/write.h"

/* -- how much it may take -----------------------------------------------------
 */

static uint64_t or_else(uint64_t asked, uint64_t otherwise) {
    return asked ? asked : otherwise;
}

static int choose_limits(struct run *r, const struct run_request *q,
                         struct err *e) {
    const struct cordon_limits *asked = &q->limits;
    struct cordon_limits class, *d = &class;
    if (run_take_class(r, q->resources, d, e)) return -1;
    r->limits = (struct cordon_limits){
        .steps = or_else(asked->steps, d->steps),
        .memory = or_else(asked->memory, d->memory),
        .time_ms = or_else(asked->time_ms, d->time_ms),
        .output = or_else(asked->output, d->output),
        .depth = (uint32_t)or_else(asked->depth, d->depth),
        .calls = (uint32_t)or_else(asked->calls, d->calls),
    };
    return 0;
}

/* -- from its caller ----------------------------------------------------------
 */

int run_fill(struct run *r, const struct run_request *q, struct err *e) {
    struct arena *a = &r->arena;
    r->kind = q->kind && !strcmp(q->kind, "job") ? "job" : "run";
    r->can_ask = q->can_ask;
    r->created = clock_wall_ns();
    r->expires = q->expires;
    if (run_take_tier(r, q, e) || choose_limits(r, q, e) ||
        arena_dup(a, q->notify, &r->notify, e))
        return -1;
    if (arena_dup(a, q->program, &r->program, e) ||
        arena_dup(a, q->principal, &r->principal, e) ||
        arena_dup(a, q->client, &r->client, e) ||
        arena_dup(a, q->session, &r->session_id, e) ||
        arena_dup(a, q->user_text, &r->user_text, e))
        return -1;
    if (q->scopes.p && arena_dup(a, q->scopes, &r->scopes, e)) return -1;
    str conversation = q->conversation.n ? q->conversation
                       : q->session.n    ? q->session
                                         : str_of(r->id);
    return arena_dup(a, conversation, &r->conversation, e);
}

/* -- to its row ---------------------------------------------------------------
 */

static int write_options(const struct run *r, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    char seed[40];
    jw_object(&w);
    jw_put_bool(&w, "can_ask", r->can_ask);
    jw_put_int(&w, "steps", (int64_t)r->limits.steps);
    jw_put_int(&w, "memory", (int64_t)r->limits.memory);
    jw_put_int(&w, "time_ms", (int64_t)r->limits.time_ms);
    jw_put_int(&w, "output", (int64_t)r->limits.output);
    jw_put_int(&w, "depth", (int64_t)r->limits.depth);
    jw_put_int(&w, "calls", (int64_t)r->limits.calls);
    if (r->user_text.n) jw_put_text(&w, "user_text", r->user_text);
    if (r->scopes.p) jw_put_text(&w, "scopes", r->scopes);
    jw_put_text(&w, "conversation", r->conversation);
    snprintf(seed, sizeof seed, "%016" PRIx64 "%016" PRIx64, r->seed[0],
             r->seed[1]);
    jw_put_text(&w, "seed", str_of(seed));
    if (r->notify.n) jw_put_text(&w, "notify", r->notify);
    if (r->asks_class) jw_put_text(&w, "class", str_of(r->asks_class));
    if (r->contains) {
        jw_put_text(&w, "tier", STR("container"));
        jw_put_int(&w, "attempts", (int64_t)r->attempts_max);
        if (r->tier_why) jw_put_text(&w, "tier_why", str_of(r->tier_why));
    }
    jw_end_object(&w);
    return jw_done(&w, e);
}

int run_record(struct run *r, struct err *e) {
    AUTO_BUF struct buf options = BUF_MAX(OUTCOME_BYTES);
    if (write_options(r, &options, e)) return -1;
    struct store_run row = {.id = str_of(r->id),
                            .kind = str_of(r->kind),
                            .session = r->session_id,
                            .principal = r->principal,
                            .client = r->client,
                            .program = r->program,
                            .options = buf_str(&options),
                            .state = RUN_RUNNING,
                            .created = r->created,
                            .expires = r->expires};
    return store_run_add(r->runs->config.store, &row, &r->journal.fence, e);
}

/* -- from its row -------------------------------------------------------------
 */

void run_read_seed(str text, uint64_t seed[2]) {
    char half[17] = {0};
    seed[0] = seed[1] = 0;
    for (size_t i = 0; i < 2 && text.n == 32; i++) {
        memcpy(half, text.p + 16 * i, 16);
        seed[i] = strtoull(half, NULL, 16);
    }
}

int run_from_row(struct run *r, const struct store_run *row, struct err *e) {
    const struct json *o;
    struct arena *a = &r->arena;
    if (json_parse(row->options, NULL, a, &o, e)) return -1;
    struct run_request q = {
        .program = row->program,
        .session = row->session,
        .principal = row->principal,
        .client = row->client,
        .kind = str_is(row->kind, "job") ? "job" : "run",
        .user_text = json_get_text(o, "user_text", STR("")),
        .scopes = json_get_text(o, "scopes", (str){NULL, 0}),
        .conversation = json_get_text(o, "conversation", STR("")),
        .notify = json_get_text(o, "notify", STR("")),
        .tier = json_get_text(o, "tier", STR("")),
        .attempts = (uint64_t)json_get_int(o, "attempts", 0),
        .can_ask = json_get_bool(o, "can_ask", false),
        .expires = row->expires,
        .limits = {.steps = (uint64_t)json_get_int(o, "steps", 0),
                   .memory = (uint64_t)json_get_int(o, "memory", 0),
                   .time_ms = (uint64_t)json_get_int(o, "time_ms", 0),
                   .output = (uint64_t)json_get_int(o, "output", 0),
                   .depth = (uint32_t)json_get_int(o, "depth", 0),
                   .calls = (uint32_t)json_get_int(o, "calls", 0)},
    };
    if (run_fill(r, &q, e)) return -1;
    r->created = row->created;
    run_recall_class(r, json_get_text(o, "class", STR("")));
    str why = json_get_text(o, "tier_why", STR(""));
    r->tier_why = why.n ? arena_text(a, why, e) : NULL;
    if (why.n && !r->tier_why) return -1;
    run_read_seed(json_get_text(o, "seed", STR("")), r->seed);
    return 0;
}
