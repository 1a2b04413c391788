/* SPDX-License-Identifier: MIT */
#include "runs/worker_order.h"

#include <string.h>

#include "base/mem.h"

struct held {
    struct held *next;
    uint64_t id;
    enum frame type;
    size_t n;
    char bytes[]; /* the rest of the frame */
};

static struct history *history_of(struct worker_order *o) {
    return o->s->vm.journal;
}

/* -- as it happens ------------------------------------------------------------
 */

static void note(struct worker_order *o, enum history_type type, uint64_t id) {
    struct history *j = history_of(o);
    if (j) history_add(j, type, (str){(const char *)&id, sizeof id});
}

void order_stopped(struct worker_order *o) {
    o->owed = vm_root(&o->s->vm)->pending != VAL_UNSET;
}

void order_came(struct worker_order *o, uint64_t id) {
    note(o, HISTORY_CAME, id);
}

void order_later(struct worker_order *o) {
    note(o, HISTORY_LATER, cordon_call_id(o->s));
}

void order_went_on(struct worker_order *o) {
    if (o->owed) note(o, HISTORY_CONTINUE, 0);
}

/* -- once more ----------------------------------------------------------------
 */

static bool next_is(struct worker_order *o, enum history_type type,
                    uint64_t *id) {
    struct history *j = history_of(o);
    struct record r;
    if (!history_replaying(j) || !history_peek(j, &r) || r.type != type ||
        r.body.n != sizeof *id)
        return false;
    memcpy(id, r.body.p, sizeof *id);
    return true;
}

static bool take(struct worker_order *o, enum history_type type, uint64_t *id) {
    if (!next_is(o, type, id)) return false;
    history_skip(history_of(o));
    return true;
}

/* One that is not held is being made again; its host will bring it. */
static void hand_over(struct worker_order *o, uint64_t id) {
    struct held **p = &o->held;
    while (*p && (*p)->id != id)
        p = &(*p)->next;
    struct held *h = *p;
    if (!h) return;
    *p = h->next;
    struct frame_in f = {.type = h->type, .rest = {h->bytes, h->n}};
    o->settle(o->data, id, &f);
    mem_free(h);
}

static int hold(struct worker_order *o, uint64_t id, const struct frame_in *f,
                struct err *e) {
    struct held *h = mem_zalloc(1, sizeof *h + f->rest.n, e);
    if (!h) return -1;
    h->id = id;
    h->type = f->type;
    h->n = f->rest.n;
    memcpy(h->bytes, f->rest.p, h->n);
    h->next = o->held;
    o->held = h;
    return 0;
}

static bool take_values(struct worker_order *o) {
    uint64_t id;
    bool any = false;
    while (o->owed && take(o, HISTORY_CAME, &id)) {
        hand_over(o, id);
        any = true;
    }
    return any;
}

int order_defers(struct worker_order *o, const struct frame_in *f,
                 struct err *e) {
    uint64_t call = cordon_call_id(o->s), id;
    if (!history_replaying(history_of(o))) {
        order_went_on(o);
        return 0;
    }
    (void)take_values(o);
    if (next_is(o, HISTORY_LATER, &id) && id == call) {
        history_skip(history_of(o));
        return hold(o, call, f, e) ? -1 : 1;
    }
    if (o->owed && !take(o, HISTORY_CONTINUE, &id)) order_went_on(o);
    return 0;
}

/* What the record does not tell the order of comes as it lies here: nothing
 * that was made depended on it. */
static bool release(struct worker_order *o) {
    bool any = o->held != NULL;
    while (o->held) {
        order_came(o, o->held->id);
        hand_over(o, o->held->id);
    }
    return any;
}

enum cordon_status order_follow(struct worker_order *o, enum cordon_status st) {
    uint64_t none;
    while (st == CORDON_WAIT) {
        order_stopped(o);
        bool came = take_values(o);
        if (came && !take(o, HISTORY_CONTINUE, &none)) order_went_on(o);
        if (!came && !release(o)) break;
        if (!came) order_went_on(o);
        st = cordon_continue(o->s);
    }
    return st;
}
