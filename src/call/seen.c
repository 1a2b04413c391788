/* SPDX-License-Identifier: MIT
 *
 * What the models of sessions have been shown, by session. A session of before
 * a restart is known by its mark in the store: nothing else is known of it, so
 * it counts as having seen anything. So does one that was dropped because all
 * together took too much memory: the one that was silent longest goes first.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "call/inside.h"

#define SESSIONS 10000
#define BYTES    ((size_t)64 << 20) /* of all sessions together */
#define SPACE    "shown"
#define MONTH_NS ((int64_t)30 * 24 * 3600 * 1000000000)

struct seen {
    struct shown *shown;
    size_t bytes;  /* counted in boundary.seen_bytes */
    uint64_t used; /* the larger, the later */
};

static void free_seen(struct boundary *b, struct seen *s) {
    if (!s) return;
    if (b->seen_last == s) b->seen_last = NULL;
    b->seen_bytes -= s->bytes;
    shown_free(s->shown);
    mem_free(s);
}

void seen_fini(struct boundary *b) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&b->seen, &i));)
        free_seen(b, it->value);
    map_fini(&b->seen);
    b->seen = MAP_MAX(SESSIONS);
}

void seen_forget(struct boundary *b, str session) {
    free_seen(b, map_del(&b->seen, session));
}

static void drop_oldest(struct boundary *b) {
    const struct map_entry *it, *oldest = NULL;
    for (size_t i = 0; (it = map_next(&b->seen, &i));)
        if (!oldest || ((struct seen *)it->value)->used <
                           ((struct seen *)oldest->value)->used)
            oldest = it;
    if (!oldest) return;
    b->seen_dropped = true;
    seen_forget(b, (str){oldest->key, oldest->key_len});
}

/* Was there such a session before? From now on there was. */
static bool met_before(struct boundary *b, str session) {
    AUTO_BUF struct buf text = BUF_MAX(64);
    struct err e;
    if (!b->store) return b->seen_dropped;
    if (store_get(b->store, SPACE, session, &text, &e) == 0) return true;
    (void)store_put(b->store, SPACE, session, STR("1"),
                    clock_wall_ns() + MONTH_NS, &e);
    return false;
}

static struct seen *new_seen(struct boundary *b, str session) {
    struct err e;
    struct seen *s = mem_zalloc(1, sizeof *s, &e);
    if (!s) return NULL;
    if (b->seen.live == SESSIONS) drop_oldest(b);
    if ((s->shown = shown_new(&e)) &&
        map_put(&b->seen, session, s, NULL, &e) == 0) {
        if (met_before(b, session)) shown_forgot(s->shown);
        return s;
    }
    free_seen(b, s);
    return NULL;
}

/* Only the one that was used last can have grown. */
static void count_last(struct boundary *b) {
    struct seen *s = b->seen_last;
    if (!s) return;
    size_t now = shown_bytes(s->shown);
    b->seen_bytes += now - s->bytes;
    s->bytes = now;
    while (b->seen_bytes > BYTES && b->seen.live > 1)
        drop_oldest(b);
}

static struct seen *find_seen(struct boundary *b, str session) {
    count_last(b);
    struct seen *s = map_get(&b->seen, session);
    if (!s && session.n) s = new_seen(b, session);
    if (!s) return NULL;
    s->used = ++b->seen_count;
    b->seen_last = s;
    return s;
}

struct shown *boundary_shown(struct boundary *b, str session) {
    struct seen *s = find_seen(b, session);
    return s ? s->shown : NULL;
}

/* Calls of programs bring the labels of their values; of others the values are
 * looked up. */
int seen_label(struct call *c, struct err *e) {
    const struct caller *who = &c->request.who;
    /* A run that is a conversation of its own shows nobody anything before it
     * ends: another process that takes it over knows as much as the first. */
    bool alone = who->run.n && str_eq(who->run, who->session);
    struct shown *s = alone ? NULL : boundary_shown(c->boundary, who->session);
    c->turn = who->turn;
    c->labels = c->request.labels;
    if (!s) return 0;
    if (shown_turn(s)->integrity > c->turn) c->turn = shown_turn(s)->integrity;
    if (c->labels || who->run.n) return 0;
    return shown_match(s, c->args.value, &c->arena, &c->labels, e);
}

/* The result of a program's call stays in the program. */
void seen_result(struct call *c, const struct json *value,
                 const struct labels *labels) {
    const struct caller *who = &c->request.who;
    struct shown *s =
        who->run.n ? NULL : boundary_shown(c->boundary, who->session);
    struct err e;
    if (s && shown_result(s, value, labels, &e)) shown_forgot(s);
}
