/* SPDX-License-Identifier: MIT
 *
 * The same call with the same result, again and again: a model or a program
 * that goes in circles.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "call/inside.h"
#include "json/write.h"

#define TEXT_BYTES ((size_t)64 * 1024) /* longer ones are not compared */

struct repeat {
    uint64_t result;
    unsigned count;
};

/* 0 when it is too long to compare. */
static uint64_t hash_of(struct boundary *b, const struct json *v) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    struct err e;
    if (json_write(v, JSON_CANONICAL, &text, &e)) return 0;
    return hash_bytes(buf_text(&text), text.len, b->seed) | 1;
}

#define NAME_BYTES 320

static bool name_call(struct call *c, char out[NAME_BYTES]) {
    const struct caller *who = &c->request.who;
    str scope = who->run.n ? who->run : who->session;
    uint64_t args = hash_of(c->boundary, c->args.value);
    if (args == 0 || scope.n == 0) return false;
    int n = snprintf(out, NAME_BYTES, "%.*s %.*s %016" PRIx64, STR_ARG(scope),
                     STR_ARG(c->tool->name), args);
    return n < NAME_BYTES;
}

unsigned repeat_count(struct call *c) {
    char name[NAME_BYTES];
    if (!name_call(c, name)) return 0;
    const struct repeat *r = map_get(&c->boundary->repeats, str_of(name));
    return r ? r->count : 0;
}

void repeat_note(struct call *c, const struct json *value) {
    struct boundary *b = c->boundary;
    char name[NAME_BYTES];
    struct err e;
    uint64_t result = hash_of(b, value);
    if (c->limit.repeats == 0 || !name_call(c, name)) return;
    struct repeat *r = map_get(&b->repeats, str_of(name));
    if (!r) {
        /* What was counted long ago does not matter any more. */
        if (b->repeats.live == b->repeats.max) repeat_forget(b);
        r = mem_zalloc(1, sizeof *r, &e);
        if (r && map_put(&b->repeats, str_of(name), r, NULL, &e)) {
            mem_free(r);
            r = NULL;
        }
    }
    if (!r) return;
    r->count = result && result == r->result ? r->count + 1 : 1;
    r->result = result;
}

void repeat_forget(struct boundary *b) {
    const struct map_entry *it;
    size_t max = b->repeats.max;
    for (size_t i = 0; (it = map_next(&b->repeats, &i));)
        mem_free(it->value);
    map_fini(&b->repeats);
    b->repeats = MAP_MAX(max);
}
