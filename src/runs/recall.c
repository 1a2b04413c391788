/* SPDX-License-Identifier: MIT
 *
 * What a run did before: its journal, by the numbers of its calls.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/codec.h"
#include "base/mem.h"
#include "runs/inside.h"

#define CALLS_MAX 100000

static str name_of(uint64_t call, char out[24]) {
    snprintf(out, 24, "%" PRIu64, call);
    return str_of(out);
}

const struct memory *run_memory(struct run *r, uint64_t call) {
    char name[24];
    return map_get(&r->memory, name_of(call, name));
}

static struct memory *memory_of(struct run *r, uint64_t call, struct err *e) {
    char name[24];
    str key = name_of(call, name);
    struct memory *m = map_get(&r->memory, key);
    if (m) return m;
    m = arena_zalloc(&r->arena, 1, sizeof *m, e);
    if (!m || map_put(&r->memory, key, m, NULL, e)) return NULL;
    return m;
}

/* Bytes that the program drew, up to this event. */
static int take_draws(struct run *r, const struct json *v, struct err *e) {
    AUTO_BUF struct buf bytes = BUF_MAX(RUN_BYTES);
    str text = json_get_text(v, "draws", STR(""));
    if (text.n == 0) return 0;
    return base64_decode(text, &bytes, e) ||
                   buf_add_str(&r->past, buf_str(&bytes), e) ||
                   buf_add_str(&r->whole, buf_str(&bytes), e)
               ? -1
               : 0;
}

/* The state was saved: what was drawn before is in it. */
static int take_snap(struct run *r, str data, struct err *e) {
    const struct json *v;
    if (json_parse(data, NULL, &r->arena, &v, e) || take_draws(r, v, e))
        return -1;
    buf_truncate(&r->past, 0);
    r->based = true;
    return 0;
}

/* What a person gave it. */
static int take_grant(struct run *r, str data, struct err *e) {
    const struct json *v;
    if (json_parse(data, NULL, &r->arena, &v, e) ||
        run_grant(r, json_get_text(v, "tool", STR("")), e))
        return -1;
    r->grants->need = v;
    return 0;
}

static int take_event(void *data, const struct store_event *ev, struct err *e) {
    struct run *r = data;
    const struct json *v;
    r->journal.next = ev->seq + 1;
    if (str_is(ev->kind, "snap")) return take_snap(r, ev->data, e);
    if (str_is(ev->kind, "attempt")) r->attempts++;
    if (str_is(ev->kind, "class")) r->asks_class = NULL; /* it was given */
    bool intent = str_is(ev->kind, "intent");
    if (str_is(ev->kind, "grant")) return take_grant(r, ev->data, e);
    if (!intent && !str_is(ev->kind, "result")) return 0;
    if (json_parse(ev->data, NULL, &r->arena, &v, e))
        return fail_while(e, "journal of %s, event %" PRIu64, r->id, ev->seq);
    struct memory *m = memory_of(r, (uint64_t)json_get_int(v, "call", 0), e);
    if (!m) return -1;
    if (intent) {
        if (take_draws(r, v, e)) return -1;
        m->intent = v;
        m->result = NULL; /* of an attempt before this one */
    } else {
        m->result = v;
    }
    return 0;
}

int run_remember(struct run *r, struct err *e) {
    buf_truncate(&r->output, 0);
    buf_truncate(&r->timeline, 0);
    buf_truncate(&r->draws, 0);
    r->call_count = 0;
    r->taken_over = true;
    return run_recall(r, e);
}

void run_forget_state(struct run *r) {
    struct buf whole = r->whole;
    r->based = false;
    buf_fini(&r->state);
    buf_fini(&r->origins);
    buf_fini(&r->past);
    r->past = whole;
    r->whole = BUF_MAX(RUN_BYTES);
}

int run_recall(struct run *r, struct err *e) {
    map_fini(&r->memory);
    r->memory = MAP_MAX(CALLS_MAX);
    r->journal.next = 1;
    r->grants = NULL;
    r->based = false;
    r->attempts = 0;
    buf_truncate(&r->past, 0);
    buf_truncate(&r->whole, 0);
    return store_events(r->runs->config.store, str_of(r->id), 1, take_event, r,
                        e);
}
