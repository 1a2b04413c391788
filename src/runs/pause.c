/* SPDX-License-Identifier: MIT
 *
 * Runs that wait for a person. The interpreter's state goes into the store as
 * a sealed snapshot; what is left is a small struct, and a look at the answers
 * now and then.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "runs/inside.h"
#include "json/write.h"

#define POLL_NS    ((int64_t)200 * 1000000)
#define LOOK_EVERY 25 /* polls */

static str blob_name(const struct run *r, char out[STORE_ID + 8]) {
    snprintf(out, STORE_ID + 8, "snap_%s", r->id);
    return str_of(out);
}

/* -- going to sleep -----------------------------------------------------------
 */

static int save_state(struct run *r, struct err *e) {
    struct store *s = r->runs->config.store;
    char name[STORE_ID + 8];
    size_t len = 0;
    void *bytes = cordon_snapshot(r->vm, store_key(s), &len);
    if (!bytes) return fail(e, ERR_LIMIT, "%s", cordon_error(r->vm));
    struct store_blob b = {.id = blob_name(r, name),
                           .owner = str_of(r->id),
                           .type = STR("application/x-cordon-snapshot"),
                           .bytes = {bytes, len},
                           .created = clock_wall_ns()};
    int status = store_blob_put(s, &b, e);
    cordon_free(bytes);
    return status;
}

static int write_status(struct run *r, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    struct jw w = JW(&text);
    jw_object(&w);
    jw_put_text(&w, "approval", str_of(r->approval));
    jw_put_int(&w, "call", (int64_t)r->asked_call);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return store_run_set(r->runs->config.store, str_of(r->id), r->journal.fence,
                         RUN_WAITING, buf_str(&text), STR(""), e);
}

static void on_saved(struct store_wait *w) {
    struct run *r = w->data;
    struct err e;
    if (outcome_waiting(r, &r->outcome, &e)) r->outcome = NULL;
    run_watch(r->runs);
    run_tell(r, RUN_WAITING);
}

void run_pause(struct run *r) {
    struct err e;
    if (save_state(r, &e) || run_labels_save(r, &e) || write_status(r, &e)) {
        run_fail(r, "StoreError", e.text);
        return;
    }
    r->stage = RUN_PAUSED;
    if (!r->session) cordon_session_free(r->vm);
    if (r->session) {
        cordon_session_free(r->session->vm);
        r->session->vm = NULL;
    }
    r->vm = NULL;
    bridge_free(r->own_bridge); /* it is saved; many runs may wait for long */
    r->own_bridge = NULL;
    r->written = (struct store_wait){.fn = on_saved, .data = r};
    store_when_durable(r->runs->config.store, &r->written);
}

/* -- waking up ----------------------------------------------------------------
 */

int run_restore(struct run *r, enum cordon_status *status, struct err *e) {
    struct store *s = r->runs->config.store;
    AUTO_BUF struct buf bytes = BUF_MAX(STORE_BLOB_MAX);
    char name[STORE_ID + 8];
    size_t size;
    const char *why = "";
    if (store_blob_get(s, blob_name(r, name), str_of(r->id), 0, STORE_BLOB_MAX,
                       &bytes, &size, NULL, e))
        return -1;
    cordon_options *o = run_options(r, e);
    if (!o) return -1;
    r->vm = cordon_restore(o, bytes.data, bytes.len, store_key(s), &why);
    cordon_options_free(o);
    if (!r->vm) return fail(e, ERR_UNSUPPORTED, "%s", why);
    if (r->session) r->session->vm = r->vm;
    if (run_labels_load(r, e) || run_labels_begin(r, e)) return -1;
    *status = CORDON_CALL;
    return 0;
}

static void wake(struct run *r, enum approval_state state) {
    enum cordon_status status;
    struct err e;
    struct store *s = r->runs->config.store;
    if (run_restore(r, &status, &e)) {
        run_fail(r, "StoreError", e.text);
        return;
    }
    const struct memory *m = run_memory(r, r->asked_call);
    /* The question was about a call that was cut off: yes, make it again. */
    r->second_try = state == APPROVAL_GRANTED && m && m->intent;
    r->stage = RUN_GOING;
    (void)store_run_set(s, str_of(r->id), r->journal.fence, RUN_RUNNING,
                        STR(""), STR(""), &e);
    bool refused = state != APPROVAL_GRANTED && m && m->intent;
    if (refused)
        status = cordon_resume_error(r->vm, NULL,
                                     "nobody knows whether this call was done");
    run_drive(r, status);
}

bool run_question_stands(struct run *r) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)32 << 20);
    struct store_approval p;
    struct err e;
    return r->stage == RUN_PAUSED && !r->written.queued && r->outcome &&
           store_approval_get(r->runs->config.store, str_of(r->approval), &a,
                              &p, &e) == 0 &&
           p.state == APPROVAL_PENDING;
}

static struct run *paused_on(struct runs *rs, str run, str approval) {
    struct run *r = map_get(&rs->runs, run);
    return r && r->stage == RUN_PAUSED && !r->written.queued &&
                   str_is(approval, r->approval)
               ? r
               : NULL;
}

struct answers {
    struct runs *runs;
    struct run *first; /* to be woken */
    int64_t newest;
};

static void wake_later(struct answers *a, struct run *r,
                       enum approval_state state) {
    r->stage = RUN_GOING; /* so that it is not found twice */
    r->answer = state;
    r->next = a->first;
    a->first = r;
}

static int take_answer(void *data, const struct store_approval *p,
                       struct err *e) {
    struct answers *a = data;
    struct run *r = paused_on(a->runs, p->run, p->id);
    (void)e;
    if (p->decided > a->newest) a->newest = p->decided;
    if (!r) return 0;
    wake_later(a, r, p->state);
    return 0;
}

/* Answers are found by their time; the clock may have jumped, and a question
 * may have expired: now and then every one is looked at. */
static void look_at_all(struct runs *rs, struct answers *a) {
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&rs->runs, &i));) {
        AUTO_ARENA struct arena arena = ARENA_MAX((size_t)32 << 20);
        struct run *r = it->value;
        struct store_approval p;
        struct err e;
        if (r->stage != RUN_PAUSED || r->written.queued ||
            store_approval_get(rs->config.store, str_of(r->approval), &arena,
                               &p, &e) ||
            p.state == APPROVAL_PENDING)
            continue;
        wake_later(a, r, p.state);
    }
}

/* -- runs whose time is over --------------------------------------------------
 */

static void end_expired(struct runs *rs) {
    const struct map_entry *it;
    int64_t now = clock_wall_ns();
    for (size_t i = 0; (it = map_next(&rs->runs, &i));) {
        struct run *r = it->value;
        if (r->expires == 0 || r->expires > now || r->stage == RUN_OVER)
            continue;
        r->expired = true;
        store_wait_stop(rs->config.store, &r->written);
        run_fail(r, "Expired", "the run did not end in its time");
    }
}

/* -- cancelling from another process ------------------------------------------
 */

struct cancels {
    struct runs *runs;
    char id[STORE_ID]; /* one of ours, or "" */
};

static int find_cancel(void *data, str key, str value, struct err *e) {
    struct cancels *c = data;
    (void)value;
    (void)e;
    if (key.n >= STORE_ID || !map_get(&c->runs->runs, key)) return 0;
    snprintf(c->id, sizeof c->id, "%.*s", STR_ARG(key));
    return 1;
}

static void take_cancels(struct runs *rs) {
    struct cancels c = {.runs = rs};
    struct err e;
    while (store_each(rs->config.store, "cancel", find_cancel, &c, &e) == 1) {
        if (store_del(rs->config.store, "cancel", str_of(c.id), &e) ||
            runs_cancel(rs, str_of(c.id), "somebody cancelled it", &e))
            return;
    }
}

/* Looked at from a little before the newest answer seen: two processes may
 * have written theirs in another order than they took their times. */
static void on_poll(struct io_timer *t) {
    struct runs *rs = t->data;
    struct answers a = {.runs = rs, .newest = rs->polled};
    struct err e;
    int64_t since = rs->polled > POLL_NS ? rs->polled - 10 * POLL_NS : 0;
    (void)store_answers(rs->config.store, since, take_answer, &a, &e);
    rs->polled = a.newest;
    if (rs->polls++ % LOOK_EVERY == 0) look_at_all(rs, &a);
    while (a.first) {
        struct run *r = a.first;
        a.first = r->next;
        r->next = NULL;
        wake(r, r->answer);
    }
    take_cancels(rs);
    end_expired(rs);
    if (rs->runs.live) run_watch(rs);
}

/* Looks at the store every now and then, while there are runs. */
void run_watch(struct runs *rs) {
    struct err e;
    if (rs->poll.place) return;
    rs->poll.fn = on_poll;
    rs->poll.data = rs;
    (void)loop_timer(rs->config.loop, &rs->poll, POLL_NS, &e);
}
