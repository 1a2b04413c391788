/* SPDX-License-Identifier: MIT
 *
 * Runs, jobs and sessions of the HTTP API.
 */
#include <stdio.h>

#include "base/clock.h"
#include "gateway/api_inside.h"

#define SECOND  ((int64_t)1000000000)
#define LOOK_NS ((int64_t)100 * 1000000)

/* -- one run ------------------------------------------------------------------
 */

static int own_run(struct api_call *c, struct store_run *out, struct err *e) {
    if (store_run_get(c->api->config.store, c->id, &c->arena, out, e))
        return -1;
    if (api_may_see(c, out->principal)) return 0;
    return fail(e, ERR_MISSING, "run %.*s: not in the store", STR_ARG(c->id));
}

static void put_run(struct jw *w, const struct store_run *r) {
    jw_object(w);
    jw_put_text(w, "run", r->id);
    jw_put_text(w, "kind", r->kind);
    jw_put_text(w, "state", str_of(run_state_name(r->state)));
    jw_put_text(w, "session", r->session);
    jw_put_text(w, "principal", r->principal);
    jw_put_int(w, "created", r->created / 1000000);
    jw_put_int(w, "updated", r->updated / 1000000);
    jw_end_object(w);
}

static void put_whole(struct jw *w, const struct store_run *r) {
    jw_object(w);
    jw_put_text(w, "run", r->id);
    jw_put_text(w, "state", str_of(run_state_name(r->state)));
    jw_put_text(w, "program", r->program);
    jw_put_int(w, "created", r->created / 1000000);
    if (r->status.n) {
        jw_key(w, "status");
        jw_raw(w, r->status);
    }
    if (r->result.n) {
        jw_key(w, "outcome");
        jw_raw(w, r->result);
    }
    jw_end_object(w);
}

/* -- answers that come later
 * ----------------------------------------------------
 */

static void on_done(struct run_waiter *w, enum run_state state,
                    const struct json *outcome) {
    struct api_call *c = w->data;
    (void)state;
    jw_value(&c->w, outcome);
    if (c->later) api_answer(c);
}

static void answer_running(struct api_call *c) {
    jw_object(&c->w);
    jw_put_text(&c->w, "run", str_of(c->run));
    jw_put_text(&c->w, "state", STR("running"));
    jw_end_object(&c->w);
    c->status = 202;
}

static void on_long(struct io_timer *t) {
    struct api_call *c = t->data;
    answer_running(c);
    api_answer(c);
}

static void prepare(struct api_call *c) {
    c->waiter = (struct run_waiter){.done = on_done, .data = c};
    c->timer = (struct io_timer){.fn = on_long, .data = c};
}

static int wait_at_most(struct api_call *c, double seconds, struct err *e) {
    if (seconds > 3600) seconds = 3600;
    return loop_timer(c->api->config.loop, &c->timer,
                      (int64_t)(seconds * (double)SECOND), e);
}

static int submit(struct api_call *c, const char *kind, struct err *e) {
    const struct json *expires = json_get(c->body, "expires");
    struct run_request q = {
        .program = json_get_text(c->body, "code", STR("")),
        .session = json_get_text(c->body, "session", STR("")),
        .user_text = json_get_text(c->body, "user_text", STR("")),
        .principal = c->principal,
        .scopes = c->scopes,
        .client = STR("api"),
        .kind = kind,
        .resources = json_get_text(c->body, "class", STR("")),
        .tier = json_get_text(c->body, "tier", STR("")),
        .notify = json_get_text(c->body, "notify", STR("")),
        .can_ask = true,
        .waiter = c->waiter.data ? &c->waiter : NULL,
    };
    int64_t attempts = json_get_int(c->body, "attempts", 0);
    if (attempts < 0) return fail(e, ERR_INVALID, "attempts: 1 or more");
    q.attempts = (uint64_t)attempts;
    if (q.program.n == 0) return fail(e, ERR_INVALID, "code: a text is wanted");
    if (q.notify.n && !str_starts(q.notify, STR("https://")) &&
        !str_starts(q.notify, STR("http://")))
        return fail(e, ERR_INVALID, "notify: an http or https URL is wanted");
    if (expires && json_is_number(expires))
        q.expires =
            clock_wall_ns() + (int64_t)(json_number(expires) * (double)SECOND);
    return runs_submit(c->api->config.runs, &q, c->run, e);
}

int api_run_new(struct api_call *c, struct err *e) {
    const struct json *wait = json_get(c->body, "wait");
    double seconds = wait && json_is_number(wait) ? json_number(wait) : 30;
    prepare(c);
    if (submit(c, "run", e) || wait_at_most(c, seconds, e)) return -1;
    api_keep(c);
    return 0;
}

int api_job_new(struct api_call *c, struct err *e) {
    if (submit(c, "job", e)) return -1;
    answer_running(c);
    return 0;
}

int api_run(struct api_call *c, struct err *e) {
    struct store_run r;
    int64_t wait = api_query_int(c, "wait", 0);
    if (own_run(c, &r, e)) return -1;
    if (wait == 0 || run_state_ended(r.state)) {
        put_whole(&c->w, &r);
        return 0;
    }
    snprintf(c->run, sizeof c->run, "%.*s", STR_ARG(r.id));
    prepare(c);
    if (runs_wait(c->api->config.runs, r.id, &c->waiter, e)) return -1;
    if (c->out.len) return 0; /* told at once */
    if (wait_at_most(c, (double)wait, e)) return -1;
    api_keep(c);
    return 0;
}

int api_run_cancel(struct api_call *c, struct err *e) {
    struct store_run r;
    if (own_run(c, &r, e) ||
        runs_cancel(c->api->config.runs, r.id, "cancelled over the API", e))
        return -1;
    jw_object(&c->w);
    jw_put_text(&c->w, "run", r.id);
    jw_put_text(&c->w, "state", STR("cancelled"));
    jw_end_object(&c->w);
    return 0;
}

/* -- lists
 * ----------------------------------------------------------------------
 */

static int add_run(void *data, const struct store_run *r, struct err *e) {
    struct api_call *c = data;
    (void)e;
    put_run(&c->w, r);
    return 0;
}

int api_runs(struct api_call *c, struct err *e) {
    int64_t limit = api_query_int(c, "limit", 100);
    str session = exchange_query(c->exchange, "session");
    struct store_filter f = {
        .session = session.p ? session : STR(""),
        .principal = c->scopes.p ? c->principal : STR(""),
        .only_open = api_query_int(c, "open", 0) != 0,
        .max = (size_t)(limit > 1000 ? 1000 : limit),
    };
    jw_array(&c->w);
    if (store_runs(c->api->config.store, &f, add_run, c, e)) return -1;
    jw_end_array(&c->w);
    return 0;
}

static int add_session(void *data, const struct store_session *s,
                       struct err *e) {
    struct api_call *c = data;
    (void)e;
    jw_object(&c->w);
    jw_put_text(&c->w, "session", s->id);
    jw_put_text(&c->w, "principal", s->principal);
    jw_put_int(&c->w, "created", s->created / 1000000);
    jw_put_int(&c->w, "updated", s->updated / 1000000);
    jw_end_object(&c->w);
    return 0;
}

int api_sessions(struct api_call *c, struct err *e) {
    str principal = c->scopes.p ? c->principal : STR("");
    jw_array(&c->w);
    if (store_sessions(c->api->config.store, principal, add_session, c, e))
        return -1;
    jw_end_array(&c->w);
    return 0;
}

int api_session_end(struct api_call *c, struct err *e) {
    struct store_session s;
    if (store_session_get(c->api->config.store, c->id, &c->arena, &s, e))
        return -1;
    if (!api_may_see(c, s.principal))
        return fail(e, ERR_MISSING, "session %.*s: not in the store",
                    STR_ARG(c->id));
    if (runs_end_session(c->api->config.runs, c->id, e)) return -1;
    jw_object(&c->w);
    jw_put_text(&c->w, "session", c->id);
    jw_put_text(&c->w, "state", STR("ended"));
    jw_end_object(&c->w);
    return 0;
}

/* -- events
 * -----------------------------------------------------------------------
 */

static int send_event(struct api_call *c, uint64_t seq, str kind, str data,
                      struct err *e) {
    buf_truncate(&c->out, 0);
    if (buf_addf(&c->out, e, "id: %llu\nevent: %.*s\ndata: ",
                 (unsigned long long)seq, STR_ARG(kind)) ||
        buf_add_str(&c->out, data, e) || buf_add_text(&c->out, "\n\n", e))
        return -1;
    return exchange_send(c->exchange, buf_str(&c->out), e);
}

static int add_event(void *data, const struct store_event *ev, struct err *e) {
    struct api_call *c = data;
    c->seen = ev->seq;
    if (!str_is(ev->kind, "intent") && !str_is(ev->kind, "result"))
        return 0; /* what only a replay needs */
    return send_event(c, ev->seq, ev->kind, ev->data, e);
}

/* 1: the run ended and everything was sent. */
static int send_news(struct api_call *c, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(API_BYTES);
    struct store_run r;
    str id = str_of(c->run);
    if (store_run_get(c->api->config.store, id, &a, &r, e) ||
        store_events(c->api->config.store, id, c->seen + 1, add_event, c, e))
        return -1;
    if (!run_state_ended(r.state)) return 0;
    str result = r.result.n ? r.result : STR("{}");
    return send_event(c, c->seen + 1, STR("end"), result, e) ? -1 : 1;
}

static void on_look(struct io_timer *t) {
    struct api_call *c = t->data;
    struct err e;
    int over = send_news(c, &e);
    if (over == 0 && loop_timer(c->api->config.loop, t, LOOK_NS, &e) == 0)
        return;
    exchange_end(c->exchange);
    api_drop(c);
}

int api_run_events(struct api_call *c, struct err *e) {
    static const struct http_header headers[] = {
        {"content-type", "text/event-stream"},
        {"cache-control", "no-store"},
        {NULL, NULL},
    };
    struct store_run r;
    if (own_run(c, &r, e)) return -1;
    snprintf(c->run, sizeof c->run, "%.*s", STR_ARG(r.id));
    int64_t from = api_query_int(c, "from", 1);
    c->seen = from > 0 ? (uint64_t)from - 1 : 0;
    c->timer = (struct io_timer){.fn = on_look, .data = c};
    if (exchange_stream(c->exchange, 200, headers, API_BYTES, e)) return -1;
    if (loop_timer(c->api->config.loop, &c->timer, 0, e)) return -1;
    api_keep(c);
    return 0;
}
