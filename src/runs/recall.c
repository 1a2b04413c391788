/* SPDX-License-Identifier: MIT
 *
 * What a run did before: its journal, by the numbers of its calls.
 */
#include <inttypes.h>
#include <stdio.h>

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

static int take_event(void *data, const struct store_event *ev, struct err *e) {
    struct run *r = data;
    const struct json *v;
    r->journal.next = ev->seq + 1;
    bool intent = str_is(ev->kind, "intent");
    if (!intent && !str_is(ev->kind, "result")) return 0;
    if (json_parse(ev->data, NULL, &r->arena, &v, e))
        return fail_while(e, "journal of %s, event %" PRIu64, r->id, ev->seq);
    struct memory *m = memory_of(r, (uint64_t)json_get_int(v, "call", 0), e);
    if (!m) return -1;
    if (intent) {
        m->intent = v;
        m->result = NULL; /* of an attempt before this one */
    } else {
        m->result = v;
    }
    return 0;
}

int run_recall(struct run *r, struct err *e) {
    r->memory = MAP_MAX(CALLS_MAX);
    r->journal.next = 1;
    return store_events(r->runs->config.store, str_of(r->id), 1, take_event, r,
                        e);
}
