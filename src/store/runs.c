/* SPDX-License-Identifier: MIT
 *
 * Runs, their leases and their journals.
 */
#include <string.h>

#include "base/clock.h"
#include "store/inside.h"

static const struct {
    const char *name;
    bool ended;
} states[] = {
#define STATE(name, text, ended) [RUN_##name] = {text, ended},
#include "store/states.def"
#undef STATE
};

const char *run_state_name(enum run_state state) {
    return states[state].name;
}

bool run_state_ended(enum run_state state) {
    return states[state].ended;
}

int run_state_parse(str name, enum run_state *out, struct err *e) {
    for (size_t i = 0; i < COUNT(states); i++)
        if (str_is(name, states[i].name)) {
            *out = (enum run_state)i;
            return 0;
        }
    return fail(e, ERR_INVALID, "no state of a run is called '%.*s'",
                STR_ARG(name));
}

int store_run_add(struct store *s, const struct store_run *r, uint64_t *fence,
                  struct err *e) {
    str owner = fence ? str_of(s->owner) : STR("");
    int64_t lease = fence ? clock_wall_ns() + STORE_LEASE_NS : 0;
    struct sql_value args[] = {
        sql_text(r->id),
        sql_text(r->kind),
        sql_text(r->session),
        sql_text(r->principal),
        sql_text(r->client),
        sql_text(r->program),
        sql_text(r->options),
        sql_int(r->state),
        sql_int(run_state_ended(r->state)),
        sql_int(r->created),
        sql_int(r->expires),
        sql_text(owner),
        sql_int(lease),
        sql_int(fence ? 1 : 0),
    };
    if (store_push(s, SQL_RUN_ADD, PUSH_FENCED, args, COUNT(args), e))
        return -1;
    if (fence) *fence = 1;
    return 0;
}

static struct store_run read_run(const struct sql_value *c) {
    struct store_run r = {
        .id = c[0].text,
        .kind = c[1].text,
        .session = c[2].text,
        .principal = c[3].text,
        .client = c[4].text,
        .program = c[5].text,
        .options = c[6].text,
        .result = c[7].text,
        .status = c[8].text,
        .created = c[10].integer,
        .updated = c[11].integer,
        .expires = c[12].integer,
        .fence = (uint64_t)c[13].integer,
        .owner = c[14].text,
    };
    /* A state that this version does not know is not one to act on. */
    r.state = c[9].integer >= 0 && c[9].integer < (int64_t)COUNT(states)
                  ? (enum run_state)c[9].integer
                  : RUN_FAILED;
    return r;
}

int store_run_get(struct store *s, str id, struct arena *a,
                  struct store_run *out, struct err *e) {
    struct sql_value args[] = {sql_text(id)}, cols[SQL_ARGS];
    if (store_one(s, SQL_RUN_GET, args, 1, a, cols, e))
        return fail_while(e, "run %.*s", STR_ARG(id));
    *out = read_run(cols);
    return 0;
}

int store_run_set(struct store *s, str id, uint64_t fence, enum run_state state,
                  str status, str result, struct err *e) {
    struct sql_value args[] = {
        sql_text(id),
        sql_int((int64_t)fence),
        sql_int(state),
        sql_int(run_state_ended(state)),
        sql_text(status),
        sql_text(result),
        sql_int(clock_wall_ns()),
    };
    return store_push(s, SQL_RUN_SET, PUSH_FENCED, args, COUNT(args), e);
}

struct run_rows {
    store_run_fn *fn;
    void *data;
};

static int each_run(void *data, const struct sql_value *cols, size_t count,
                    struct err *e) {
    struct run_rows *rows = data;
    (void)count;
    struct store_run r = read_run(cols);
    return rows->fn(rows->data, &r, e);
}

int store_runs(struct store *s, const struct store_filter *filter,
               store_run_fn *fn, void *data, struct err *e) {
    struct run_rows rows = {fn, data};
    struct sql_value args[] = {
        sql_text(filter->session),
        sql_text(filter->principal),
        sql_int(filter->only_open),
        sql_int((int64_t)(filter->max ? filter->max : 100)),
    };
    return store_query(s, SQL_RUNS, args, COUNT(args), each_run, &rows, e);
}

static int take_count(void *data, const struct sql_value *cols, size_t count,
                      struct err *e) {
    (void)count;
    (void)e;
    *(size_t *)data = (size_t)cols[0].integer;
    return 0;
}

int store_open_runs(struct store *s, str principal, size_t max, size_t *out,
                    struct err *e) {
    struct sql_value args[] = {sql_text(principal), sql_int((int64_t)max)};
    return store_query(s, SQL_RUNS_OPEN_COUNT, args, COUNT(args), take_count,
                       out, e);
}

/* -- leases -----------------------------------------------------------------
 */

/* A holder that is gone holds nothing. One that lives, or that we cannot look
 * at, holds until its time is over; a time further off than any lease was
 * written under another clock. */
static bool is_free(const struct store *s, str owner, int64_t until) {
    int64_t now = clock_wall_ns();
    if (owner.n == 0) return true;
    if (str_is(owner, s->owner)) return false;
    if (owner_look(owner) == OWNER_DEAD) return true;
    return until < now || until > now + 2 * STORE_LEASE_NS;
}

static int take_lease(struct store *s, str id, int64_t fence, uint64_t *out,
                      struct err *e) {
    int64_t changed;
    struct sql_value args[] = {
        sql_text(id),
        sql_int(fence),
        sql_text(str_of(s->owner)),
        sql_int(clock_wall_ns() + STORE_LEASE_NS),
    };
    if (store_now(s, SQL_RUN_CLAIM, args, COUNT(args), &changed, e)) return -1;
    if (changed == 0)
        return fail(e, ERR_EXISTS, "run %.*s was just taken", STR_ARG(id));
    *out = (uint64_t)fence + 1;
    return 0;
}

int store_claim(struct store *s, str id, uint64_t *fence, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4096);
    struct sql_value args[] = {sql_text(id)}, cols[SQL_ARGS];
    if (store_one(s, SQL_RUN_LEASE, args, 1, &a, cols, e))
        return fail_while(e, "run %.*s", STR_ARG(id));
    if (cols[3].integer)
        return fail(e, ERR_EXISTS, "run %.*s has ended", STR_ARG(id));
    if (!is_free(s, cols[0].text, cols[1].integer))
        return fail(e, ERR_EXISTS, "run %.*s is held by another process",
                    STR_ARG(id));
    return take_lease(s, id, cols[2].integer, fence, e);
}

struct search {
    const struct store *store;
    char *id;
};

static int take_id(struct search *f, str id) {
    if (id.n >= STORE_ID) return 0;
    memcpy(f->id, id.p, id.n);
    f->id[id.n] = 0;
    return 1;
}

static int first_free(void *data, const struct sql_value *cols, size_t count,
                      struct err *e) {
    struct search *f = data;
    (void)count;
    (void)e;
    if (!is_free(f->store, cols[1].text, cols[2].integer)) return 0;
    return take_id(f, cols[0].text);
}

static int first_elsewhere(void *data, const struct sql_value *cols,
                           size_t count, struct err *e) {
    struct search *f = data;
    (void)count;
    (void)e;
    if (str_is(cols[1].text, f->store->owner) ||
        is_free(f->store, cols[1].text, cols[2].integer))
        return 0;
    return take_id(f, cols[0].text);
}

int store_session_elsewhere(struct store *s, str session, char run[STORE_ID],
                            struct err *e) {
    struct search f = {s, run};
    struct sql_value args[] = {sql_text(session)};
    return store_query(s, SQL_SESSION_RUNS, args, 1, first_elsewhere, &f, e);
}

int store_claim_next(struct store *s, char id[STORE_ID], uint64_t *fence,
                     struct err *e) {
    char found[STORE_ID];
    struct search f = {s, found};
    for (;;) {
        int any = store_query(s, SQL_RUNS_OPEN, NULL, 0, first_free, &f, e);
        if (any <= 0) return any;
        if (store_claim(s, str_of(found), fence, e) == 0) break;
        if (e->kind != ERR_EXISTS) return -1;
    }
    memcpy(id, found, sizeof found);
    return 1;
}

int store_release(struct store *s, str id, uint64_t fence, struct err *e) {
    struct sql_value args[] = {sql_text(id), sql_int((int64_t)fence)};
    return store_push(s, SQL_RUN_RELEASE, PUSH_ANY, args, COUNT(args), e);
}

int64_t store_prune(struct store *s, int64_t before, struct err *e) {
    int64_t now = clock_wall_ns(), runs, other;
    struct sql_value old[] = {sql_int(before), sql_int(now)};
    struct sql_value past[] = {sql_int(now)};
    if (store_now(s, SQL_EVENTS_PRUNE, old, 1, &other, e) ||
        store_now(s, SQL_APPROVALS_PRUNE, old, 1, &other, e) ||
        store_now(s, SQL_BLOBS_PRUNE, old, 2, &other, e) ||
        store_now(s, SQL_RUNS_PRUNE, old, 1, &runs, e) ||
        store_now(s, SQL_SESSIONS_PRUNE, past, 1, &other, e) ||
        store_now(s, SQL_KV_PRUNE, past, 1, &other, e))
        return -1;
    snapshots_sweep(s);
    return runs;
}

/* -- the journal ------------------------------------------------------------
 */

int store_event_add(struct store *s, str run, uint64_t fence,
                    const struct store_event *ev, struct err *e) {
    struct sql_value args[] = {
        sql_text(run),      sql_int((int64_t)fence), sql_int((int64_t)ev->seq),
        sql_text(ev->kind), sql_text(ev->data),      sql_int(ev->at),
    };
    return store_push(s, SQL_EVENT_ADD, PUSH_FENCED, args, COUNT(args), e);
}

struct event_rows {
    store_event_fn *fn;
    void *data;
};

static int each_event(void *data, const struct sql_value *cols, size_t count,
                      struct err *e) {
    struct event_rows *rows = data;
    (void)count;
    struct store_event ev = {(uint64_t)cols[0].integer, cols[1].text,
                             cols[2].text, cols[3].integer};
    return rows->fn(rows->data, &ev, e);
}

int store_events(struct store *s, str run, uint64_t from, store_event_fn *fn,
                 void *data, struct err *e) {
    struct event_rows rows = {fn, data};
    struct sql_value args[] = {sql_text(run), sql_int((int64_t)from)};
    return store_query(s, SQL_EVENTS, args, COUNT(args), each_event, &rows, e);
}
