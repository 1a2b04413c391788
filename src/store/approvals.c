/* SPDX-License-Identifier: MIT
 *
 * Questions to a person, and their answers.
 */
#include "base/clock.h"
#include "store/inside.h"

const char *approval_state_name(enum approval_state state) {
    switch (state) {
    case APPROVAL_PENDING: return "pending";
    case APPROVAL_DENIED: return "denied";
    case APPROVAL_EXPIRED: return "expired";
    case APPROVAL_GRANTED: return "granted";
    case APPROVAL_USED: return "used";
    }
    return "denied";
}

int store_approval_add(struct store *s, const struct store_approval *p,
                       struct err *e) {
    struct sql_value args[] = {
        sql_text(p->id),      sql_text(p->run),
        sql_text(p->session), sql_text(p->principal),
        sql_text(p->client),  sql_int((int64_t)p->number),
        sql_text(p->binding), sql_text(p->batch),
        sql_text(p->tool),    sql_text(p->card),
        sql_text(p->memory),  sql_int(p->created),
        sql_int(p->expires),
    };
    return store_push(s, SQL_APPROVAL_ADD, PUSH_ANY, args, COUNT(args), e);
}

static enum approval_state read_state(int64_t stored, int64_t expires) {
    if (stored < APPROVAL_PENDING || stored > APPROVAL_USED)
        return APPROVAL_DENIED;
    enum approval_state state = (enum approval_state)stored;
    bool open = state == APPROVAL_PENDING || state == APPROVAL_GRANTED;
    return open && expires <= clock_wall_ns() ? APPROVAL_EXPIRED : state;
}

static struct store_approval read_approval(const struct sql_value *c) {
    return (struct store_approval){
        .id = c[0].text,
        .run = c[1].text,
        .session = c[2].text,
        .principal = c[3].text,
        .client = c[4].text,
        .number = (uint64_t)c[5].integer,
        .binding = c[6].text,
        .batch = c[7].text,
        .tool = c[8].text,
        .card = c[9].text,
        .memory = c[10].text,
        .state = read_state(c[11].integer, c[13].integer),
        .created = c[12].integer,
        .expires = c[13].integer,
        .decided = c[14].integer,
        .by = c[15].text,
    };
}

int store_approval_get(struct store *s, str id, struct arena *a,
                       struct store_approval *out, struct err *e) {
    struct sql_value args[] = {sql_text(id)}, cols[SQL_ARGS];
    if (store_one(s, SQL_APPROVAL_GET, args, 1, a, cols, e))
        return fail_while(e, "approval %.*s", STR_ARG(id));
    *out = read_approval(cols);
    return 0;
}

int store_approval_find(struct store *s, str run, uint64_t number, str binding,
                        struct arena *a, struct store_approval *out,
                        struct err *e) {
    struct sql_value args[] = {sql_text(run), sql_int((int64_t)number),
                               sql_text(binding)};
    struct sql_value cols[SQL_ARGS];
    if (store_one(s, SQL_APPROVAL_FIND, args, COUNT(args), a, cols, e))
        return -1;
    *out = read_approval(cols);
    return 0;
}

struct rows {
    store_approval_fn *fn;
    void *data;
};

static int each_approval(void *data, const struct sql_value *cols, size_t count,
                         struct err *e) {
    struct rows *rows = data;
    (void)count;
    struct store_approval p = read_approval(cols);
    return rows->fn(rows->data, &p, e);
}

int store_approvals(struct store *s, const struct store_approval_filter *f,
                    store_approval_fn *fn, void *data, struct err *e) {
    struct rows rows = {fn, data};
    struct sql_value args[] = {
        sql_text(f->run),         sql_text(f->principal),
        sql_text(f->batch),       sql_int(f->only_pending),
        sql_int(clock_wall_ns()), sql_int((int64_t)(f->max ? f->max : 100)),
    };
    return store_query(s, SQL_APPROVALS, args, COUNT(args), each_approval,
                       &rows, e);
}

int store_answers(struct store *s, int64_t since, store_approval_fn *fn,
                  void *data, struct err *e) {
    struct rows rows = {fn, data};
    struct sql_value args[] = {sql_int(since)};
    return store_query(s, SQL_APPROVALS_DECIDED, args, 1, each_approval, &rows,
                       e);
}

int store_approval_decide(struct store *s, str id, bool grant, str by,
                          struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)16 << 20);
    struct store_approval p;
    int64_t changed;
    struct sql_value args[] = {
        sql_text(id),
        sql_int(grant ? APPROVAL_GRANTED : APPROVAL_DENIED),
        sql_int(clock_wall_ns()),
        sql_text(by),
    };
    if (store_now(s, SQL_APPROVAL_DECIDE, args, COUNT(args), &changed, e))
        return -1;
    if (store_approval_get(s, id, &a, &p, e)) return -1;
    if (changed) return store_wake(s, p.run), 0;
    if (p.state == APPROVAL_EXPIRED)
        return fail(e, ERR_TIMEOUT, "approval %.*s has expired", STR_ARG(id));
    return fail(e, ERR_EXISTS, "approval %.*s is %s already", STR_ARG(id),
                approval_state_name(p.state));
}

int store_approval_use(struct store *s, str id, str binding, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)16 << 20);
    struct store_approval p;
    int64_t changed;
    struct sql_value args[] = {sql_text(id), sql_text(binding),
                               sql_int(clock_wall_ns())};
    if (store_now(s, SQL_APPROVAL_USE, args, COUNT(args), &changed, e))
        return -1;
    if (changed) return 0;
    if (store_approval_get(s, id, &a, &p, e)) return -1;
    if (!str_eq(p.binding, binding))
        return fail(e, ERR_DENIED,
                    "approval %.*s was given for something else: the call, its "
                    "arguments or the tool have changed since",
                    STR_ARG(id));
    return fail(e, ERR_DENIED, "approval %.*s is %s", STR_ARG(id),
                approval_state_name(p.state));
}
