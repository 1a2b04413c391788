/* SPDX-License-Identifier: MIT
 *
 * Sessions, small values, large values, conversations.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "store/inside.h"

/* -- sessions ---------------------------------------------------------------
 */

int store_session_put(struct store *s, str run, uint64_t fence,
                      const struct store_session *v, struct err *e) {
    struct sql_value args[] = {
        sql_text(run),          sql_int((int64_t)fence), sql_text(v->id),
        sql_text(v->principal), sql_text(v->client),     sql_text(v->state),
        sql_bytes(v->snapshot), sql_int(v->created),     sql_int(v->updated),
        sql_int(v->expires),
    };
    return store_push(s, SQL_SESSION_PUT, PUSH_FENCED, args, COUNT(args), e);
}

static struct store_session read_session(const struct sql_value *c,
                                         bool whole) {
    return (struct store_session){
        .id = c[0].text,
        .principal = c[1].text,
        .client = c[2].text,
        .state = c[3].text,
        .created = c[4].integer,
        .updated = c[5].integer,
        .expires = c[6].integer,
        .snapshot = whole ? c[7].text : STR(""),
    };
}

int store_session_get(struct store *s, str id, struct arena *a,
                      struct store_session *out, struct err *e) {
    struct sql_value args[] = {sql_text(id)}, cols[SQL_ARGS];
    if (store_one(s, SQL_SESSION_GET, args, 1, a, cols, e))
        return fail_while(e, "session %.*s", STR_ARG(id));
    *out = read_session(cols, true);
    return 0;
}

int store_session_drop(struct store *s, str id, struct err *e) {
    struct sql_value args[] = {sql_text(id)};
    return store_push(s, SQL_SESSION_DROP, PUSH_ANY, args, 1, e);
}

struct session_rows {
    store_session_fn *fn;
    void *data;
};

static int each_session(void *data, const struct sql_value *cols, size_t count,
                        struct err *e) {
    struct session_rows *rows = data;
    (void)count;
    struct store_session v = read_session(cols, false);
    return rows->fn(rows->data, &v, e);
}

int store_sessions(struct store *s, str principal, store_session_fn *fn,
                   void *data, struct err *e) {
    struct session_rows rows = {fn, data};
    struct sql_value args[] = {sql_text(principal)};
    return store_query(s, SQL_SESSIONS, args, 1, each_session, &rows, e);
}

/* -- small values -----------------------------------------------------------
 */

int store_put(struct store *s, const char *space, str key, str value,
              int64_t expires, struct err *e) {
    struct sql_value args[] = {sql_text(str_of(space)), sql_text(key),
                               sql_bytes(value), sql_int(expires)};
    return store_push(s, SQL_KV_PUT, PUSH_ANY, args, COUNT(args), e);
}

int store_run_put(struct store *s, str run, uint64_t fence, const char *space,
                  str value, int64_t expires, struct err *e) {
    struct sql_value args[] = {sql_text(run), sql_int((int64_t)fence),
                               sql_text(str_of(space)), sql_bytes(value),
                               sql_int(expires)};
    return store_push(s, SQL_RUN_KV_PUT, PUSH_FENCED, args, COUNT(args), e);
}

static int add_value(void *data, const struct sql_value *cols, size_t count,
                     struct err *e) {
    (void)count;
    if (buf_add_str(data, cols[0].text, e)) return -1;
    return 1;
}

int store_get(struct store *s, const char *space, str key, struct buf *out,
              struct err *e) {
    struct sql_value args[] = {sql_text(str_of(space)), sql_text(key),
                               sql_int(clock_wall_ns())};
    int found =
        store_query(s, SQL_KV_GET, args, COUNT(args), add_value, out, e);
    if (found < 0) return -1;
    if (found) return 0;
    return fail(e, ERR_MISSING, "no %s of '%.*s'", space, STR_ARG(key));
}

int store_del(struct store *s, const char *space, str key, struct err *e) {
    struct sql_value args[] = {sql_text(str_of(space)), sql_text(key)};
    return store_push(s, SQL_KV_DEL, PUSH_ANY, args, COUNT(args), e);
}

struct value_rows {
    store_value_fn *fn;
    void *data;
};

static int each_value(void *data, const struct sql_value *cols, size_t count,
                      struct err *e) {
    struct value_rows *rows = data;
    (void)count;
    return rows->fn(rows->data, cols[0].text, cols[1].text, e);
}

int store_each(struct store *s, const char *space, store_value_fn *fn,
               void *data, struct err *e) {
    struct value_rows rows = {fn, data};
    struct sql_value args[] = {sql_text(str_of(space)),
                               sql_int(clock_wall_ns())};
    return store_query(s, SQL_KV_EACH, args, COUNT(args), each_value, &rows, e);
}

/* -- large values -----------------------------------------------------------
 */

int store_blob_put(struct store *s, const struct store_blob *b, struct err *e) {
    struct sql_value args[] = {
        sql_text(b->id),     sql_text(b->owner),  sql_text(b->type),
        sql_bytes(b->bytes), sql_int(b->created), sql_int(b->expires),
    };
    if (b->bytes.n > STORE_BLOB_MAX)
        return fail(e, ERR_LIMIT, "a value of %zu bytes is too large to keep",
                    b->bytes.n);
    return store_push(s, SQL_BLOB_PUT, PUSH_ANY, args, COUNT(args), e);
}

struct blob_read {
    struct buf *out;
    size_t *size;
    char *type;
};

static int read_blob(void *data, const struct sql_value *cols, size_t count,
                     struct err *e) {
    struct blob_read *r = data;
    (void)count;
    if (buf_add_str(r->out, cols[2].text, e)) return -1;
    *r->size = (size_t)cols[1].integer;
    if (r->type) snprintf(r->type, 64, "%.*s", STR_ARG(cols[0].text));
    return 1;
}

int store_blob_get(struct store *s, str id, str owner, size_t from, size_t max,
                   struct buf *out, size_t *size, char type[64],
                   struct err *e) {
    struct blob_read r = {out, size, type};
    if (from > STORE_BLOB_MAX) from = STORE_BLOB_MAX;
    if (max > STORE_BLOB_MAX) max = STORE_BLOB_MAX;
    struct sql_value args[] = {
        sql_text(id),          sql_text(owner),          sql_int((int64_t)from),
        sql_int((int64_t)max), sql_int(clock_wall_ns()),
    };
    int found =
        store_query(s, SQL_BLOB_GET, args, COUNT(args), read_blob, &r, e);
    if (found < 0) return -1;
    if (found) return 0;
    return fail(e, ERR_MISSING, "no value is kept as '%.*s' (expired?)",
                STR_ARG(id));
}

int store_blob_drop(struct store *s, str id, struct err *e) {
    struct sql_value args[] = {sql_text(id)};
    return store_push(s, SQL_BLOB_DROP, PUSH_ANY, args, 1, e);
}

/* -- conversations ----------------------------------------------------------
 */

int store_thread_put(struct store *s, const struct store_thread *t,
                     struct err *e) {
    struct sql_value args[] = {
        sql_text(t->id),   sql_text(t->principal), sql_text(t->title),
        sql_text(t->meta), sql_int(t->created),    sql_int(t->updated),
    };
    return store_push(s, SQL_THREAD_PUT, PUSH_ANY, args, COUNT(args), e);
}

static struct store_thread read_thread(const struct sql_value *c) {
    return (struct store_thread){c[0].text, c[1].text,    c[2].text,
                                 c[3].text, c[4].integer, c[5].integer};
}

int store_thread_get(struct store *s, str id, struct arena *a,
                     struct store_thread *out, struct err *e) {
    struct sql_value args[] = {sql_text(id)}, cols[SQL_ARGS];
    if (store_one(s, SQL_THREAD_GET, args, 1, a, cols, e))
        return fail_while(e, "conversation %.*s", STR_ARG(id));
    *out = read_thread(cols);
    return 0;
}

struct thread_rows {
    store_thread_fn *fn;
    void *data;
};

static int each_thread(void *data, const struct sql_value *cols, size_t count,
                       struct err *e) {
    struct thread_rows *rows = data;
    (void)count;
    struct store_thread t = read_thread(cols);
    return rows->fn(rows->data, &t, e);
}

int store_threads(struct store *s, str principal, size_t max,
                  store_thread_fn *fn, void *data, struct err *e) {
    struct thread_rows rows = {fn, data};
    struct sql_value args[] = {sql_text(principal),
                               sql_int((int64_t)(max ? max : 100))};
    return store_query(s, SQL_THREADS, args, COUNT(args), each_thread, &rows,
                       e);
}

int store_thread_drop(struct store *s, str id, struct err *e) {
    struct sql_value args[] = {sql_text(id)};
    if (store_push(s, SQL_MESSAGES_DROP, PUSH_ANY, args, 1, e)) return -1;
    return store_push(s, SQL_THREAD_DROP, PUSH_ANY, args, 1, e);
}

int store_message_put(struct store *s, str thread,
                      const struct store_message *m, struct err *e) {
    struct sql_value args[] = {sql_text(thread), sql_int((int64_t)m->seq),
                               sql_text(m->body), sql_int(m->at)};
    return store_push(s, SQL_MESSAGE_PUT, PUSH_ANY, args, COUNT(args), e);
}

struct message_rows {
    store_message_fn *fn;
    void *data;
};

static int each_message(void *data, const struct sql_value *cols, size_t count,
                        struct err *e) {
    struct message_rows *rows = data;
    (void)count;
    struct store_message m = {(uint64_t)cols[0].integer, cols[1].text,
                              cols[2].integer};
    return rows->fn(rows->data, &m, e);
}

int store_messages(struct store *s, str thread, uint64_t from,
                   store_message_fn *fn, void *data, struct err *e) {
    struct message_rows rows = {fn, data};
    struct sql_value args[] = {sql_text(thread), sql_int((int64_t)from)};
    return store_query(s, SQL_MESSAGES, args, COUNT(args), each_message, &rows,
                       e);
}
