/* SPDX-License-Identifier: MIT
 *
 * What the models of sessions have been shown, by session. A session of before
 * a restart is known by its mark in the store: nothing else is known of it, so
 * it counts as having seen anything.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "call/inside.h"

#define SESSIONS 10000
#define SPACE    "shown"
#define MONTH_NS ((int64_t)30 * 24 * 3600 * 1000000000)

void seen_fini(struct boundary *b) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&b->seen, &i));)
        shown_free(it->value);
    map_fini(&b->seen);
    b->seen = MAP_MAX(SESSIONS);
}

/* Was there such a session before? From now on there was. */
static bool met_before(struct boundary *b, str session) {
    AUTO_BUF struct buf text = BUF_MAX(64);
    struct err e;
    if (!b->store) return false;
    if (store_get(b->store, SPACE, session, &text, &e) == 0) return true;
    (void)store_put(b->store, SPACE, session, STR("1"),
                    clock_wall_ns() + MONTH_NS, &e);
    return false;
}

struct shown *boundary_shown(struct boundary *b, str session) {
    struct shown *s = map_get(&b->seen, session);
    struct err e;
    if (s || session.n == 0) return s;
    if (b->seen.live == SESSIONS) seen_fini(b); /* they were all met before */
    if (!(s = shown_new(&e))) return NULL;
    if (met_before(b, session)) shown_forgot(s);
    if (map_put(&b->seen, session, s, NULL, &e)) {
        shown_free(s);
        return NULL;
    }
    return s;
}

/* Calls of programs bring the labels of their values; of others the values are
 * looked up. */
int seen_label(struct call *c, struct err *e) {
    const struct caller *who = &c->request.who;
    struct shown *s = boundary_shown(c->boundary, who->session);
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
