/* SPDX-License-Identifier: MIT
 *
 * Every query runs in a transaction of its own that may only read and is rolled
 * back, in the extended protocol (one statement), inside a SELECT with a LIMIT,
 * under the server's statement timeout. A connection that has to be stopped is
 * closed; the next query makes a new one.
 */
#include "call/sql_postgres.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "call/sql_lex.h"
#include "call/sql_pg_row.h"
#include "call/sql_tools.h"
#include "json/build.h"

#define CONNECTIONS 4
#define PARAMETERS  1000
#define NAMES       65536
#define GRACE       INT64_C(2000000000)

enum step {
    STEP_NONE,    /* no connection */
    STEP_CONNECT, /* PQconnectPoll */
    STEP_SET,     /* settings */
    STEP_LEARN,   /* what the catalogue says of functions and labels */
    STEP_IDLE,
    STEP_BEGIN,
    STEP_QUERY,
    STEP_END, /* rolling back */
};

struct postgres;

struct link {
    struct postgres *owner;
    PGconn *pg;
    enum step step;
    struct io_watch watch;
    struct io_timer timer;
    struct pg_query *query; /* NULL: none */
};

struct pg_query {
    struct provider_call *call;
    struct sql_request request;
    struct pg_rows rows;
    struct link *link;     /* NULL while it waits */
    struct pg_query *next; /* waiting */
};

struct postgres {
    struct provider provider; /* first */
    struct provider_host host;
    struct arena arena;
    struct sql_config config;
    struct map effects; /* functions that may do more than read */
    bool learned;
    struct link links[CONNECTIONS];
    struct pg_query *waiting;
    struct sql_rate rate;
    struct libpq pq;
};

static void serve(struct postgres *p);
static void on_ready(struct io_watch *w, uint32_t events);

/* ---- ends ---- */

static void hang_up(struct link *l) {
    loop_unwatch(&l->watch);
    loop_timer_stop(&l->timer);
    if (l->pg) l->owner->pq.finish(l->pg);
    l->pg = NULL;
    l->step = STEP_NONE;
}

/* Ends the call of the link, if there is one. */
static void end_query(struct link *l, const struct err *e) {
    struct pg_query *q = l->query;
    if (!q) return;
    l->query = NULL;
    q->link = NULL;
    q->call->state = NULL;
    struct provider_call *c = q->call;
    if (e)
        sql_reply_error(c, e);
    else
        sql_reply(c, &l->owner->config, &l->owner->rate, buf_str(&q->rows.out));
    buf_fini(&q->rows.out);
}

static void lose(struct link *l, const struct err *e) {
    struct postgres *p = l->owner;
    hang_up(l);
    end_query(l, e);
    serve(p);
}

static void lose_pg(struct link *l, const char *what) {
    struct err e;
    const char *why = l->pg ? l->owner->pq.errorMessage(l->pg) : "";
    size_t n = strlen(why);
    while (n > 0 && why[n - 1] == '\n')
        n--;
    err_set(&e, ERR_PEER, "%s%s%.*s", what, n > 0 ? ": " : "",
            (int)(n < 300 ? n : 300), why);
    lose(l, &e);
}

static void on_time(struct io_timer *t) {
    struct err e;
    struct link *l = t->data;
    err_set(&e, ERR_TIMEOUT, "the query took longer than %lld ms",
            (long long)(l->owner->config.timeout_ns / 1000000));
    lose(l, &e);
}

/* ---- sending ---- */

static int watch(struct link *l, uint32_t events) {
    struct err e;
    l->watch.fd = l->owner->pq.socket(l->pg);
    l->watch.fn = on_ready;
    l->watch.data = l;
    if (loop_watch(l->owner->host.loop, &l->watch, events, &e) == 0) return 0;
    lose(l, &e);
    return -1;
}

/* What was queued goes out; more when the socket takes it. */
static void flush(struct link *l) {
    int more = l->owner->pq.flush(l->pg);
    if (more < 0)
        lose_pg(l, "the connection broke");
    else
        (void)watch(l, more > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

static void ask(struct link *l, enum step step, const char *sql) {
    l->step = step;
    if (l->owner->pq.sendQuery(l->pg, sql))
        flush(l);
    else
        lose_pg(l, "the query could not be sent");
}

static bool is_refused(void *data, str name) {
    const struct postgres *p = data;
    const struct json *fine = json_get(p->config.json, "functions");
    const struct json *v = fine ? json_first(fine) : NULL;
    for (size_t i = fine ? json_len(fine) : 0; i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING && str_eq(json_str(v), name))
            return false;
    return map_get(&p->effects, name) != NULL;
}

/* Named queries have their values by name; places are in the order in which
 * the configuration lists them. */
static int parameter_list(struct postgres *p, struct pg_query *q,
                          const char **values, int *count, struct err *e) {
    const struct json *given = q->request.parameters;
    *count = 0;
    if (!given) return 0;
    bool named = json_type(given) == JSON_OBJECT;
    const struct json *order =
        named ? json_get(json_get_str(json_get(p->config.json, "queries"),
                                      q->call->tool->tool.name),
                         "parameters")
              : given;
    if (!order) return 0;
    if (json_len(order) > PARAMETERS)
        return fail(e, ERR_LIMIT, "more than %d parameters", PARAMETERS);
    const struct json *v = json_first(order);
    for (size_t i = json_len(order); i > 0; i--) {
        const struct json *value = named ? json_get_str(given, json_str(v)) : v;
        if (pg_parameter(value, q->call->arena, &values[(*count)++], e))
            return -1;
        v = json_skip(named ? v + 1 : v);
    }
    return 0;
}

static const char schema_sql[] =
    "SELECT table_schema, table_name, column_name, data_type FROM "
    "information_schema.columns WHERE table_schema NOT IN ('pg_catalog', "
    "'information_schema') ORDER BY 1, 2, ordinal_position";

static int send_query(struct link *l, struct err *e) {
    struct postgres *p = l->owner;
    struct pg_query *q = l->query;
    const char *values[PARAMETERS];
    int count = 0;
    AUTO_BUF struct buf sql = BUF_MAX((size_t)1 << 20);
    if (q->request.schema) {
        if (buf_add_text(&sql, schema_sql, e)) return -1;
    } else if (sql_lex_check(q->request.sql, is_refused, p, e) ||
               parameter_list(p, q, values, &count, e) ||
               buf_addf(&sql, e,
                        "SELECT * FROM (\n%.*s\n) AS cordon_query "
                        "LIMIT %zu",
                        STR_ARG(q->request.sql), p->config.rows + 1)) {
        return -1;
    }
    if (!l->owner->pq.sendQueryParams(l->pg, buf_text(&sql), count, NULL,
                                      values, NULL, NULL, 0) ||
        !l->owner->pq.setSingleRowMode(l->pg))
        return fail(e, ERR_PEER, "%s", l->owner->pq.errorMessage(l->pg));
    return 0;
}

/* ---- receiving ---- */

static void learn(struct link *l, PGresult *r) {
    struct postgres *p = l->owner;
    static const char *const harmless[] = {"random",        "clock_timestamp",
                                           "timeofday",     "gen_random_uuid",
                                           "random_normal", NULL};
    struct err e;
    for (int i = 0; i < l->owner->pq.ntuples(r); i++) {
        const char *name = l->owner->pq.getvalue(r, i, 0);
        bool fine = false;
        for (size_t k = 0; harmless[k]; k++)
            fine |= strcmp(name, harmless[k]) == 0;
        if (!fine && map_put(&p->effects, str_of(name), p, NULL, &e)) return;
    }
    p->learned = true;
}

/* A superuser reads files of the server and every table; a role of its own is
 * what holds it. */
static bool is_super(const struct link *l) {
    const char *said = l->owner->pq.parameterStatus(l->pg, "is_superuser");
    return !said || strcmp(said, "off") != 0;
}

static const char learn_sql[] =
    "SELECT DISTINCT proname FROM pg_catalog.pg_proc WHERE provolatile = 'v'";

static void set_up(struct link *l) {
    char sql[512];
    struct err e;
    long long ms = l->owner->config.timeout_ns / 1000000;
    if (is_super(l)) {
        err_set(&e, ERR_DENIED,
                "the role is a superuser: queries need one that may only read "
                "what they are meant to");
        lose(l, &e);
        return;
    }
    l->owner->pq.setnonblocking(l->pg, 1);
    snprintf(sql, sizeof sql,
             "SET default_transaction_read_only = on; SET statement_timeout = "
             "%lld; SET lock_timeout = %lld; SET standard_conforming_strings = "
             "on; SET client_encoding = 'UTF8'; SET client_min_messages = "
             "error",
             ms, ms);
    ask(l, STEP_SET, sql);
}

static void begin(struct link *l) {
    struct err e;
    l->step = STEP_IDLE;
    if (!l->query) {
        loop_timer_stop(&l->timer);
        serve(l->owner);
        return;
    }
    if (!l->owner->learned) {
        ask(l, STEP_LEARN, learn_sql);
        return;
    }
    if (loop_timer(l->owner->host.loop, &l->timer,
                   l->owner->config.timeout_ns + GRACE, &e)) {
        lose(l, &e);
        return;
    }
    ask(l, STEP_BEGIN, "BEGIN READ ONLY");
}

static void query(struct link *l) {
    struct err e;
    l->step = STEP_QUERY;
    if (send_query(l, &e)) {
        struct postgres *p = l->owner;
        end_query(l, &e);
        ask(l, STEP_END, "ROLLBACK");
        serve(p);
        return;
    }
    flush(l);
}

/* One piece of the answer; -1: the link was lost. */
static int take(struct link *l, PGresult *r) {
    struct err e;
    ExecStatusType status = l->owner->pq.resultStatus(r);
    if (l->step == STEP_QUERY && l->query) {
        int result = pg_rows_take(&l->query->rows, r, &e);
        if (result == 0) return 0;
        if (result > 0) { /* enough: what still comes is not wanted */
            hang_up(l);
            end_query(l, NULL);
            serve(l->owner);
            return -1;
        }
        l->query->rows.failed = true;
        l->query->rows.why = e;
        return 0;
    }
    if (l->step == STEP_LEARN && status == PGRES_TUPLES_OK) learn(l, r);
    if (status == PGRES_FATAL_ERROR && l->step != STEP_END) {
        lose_pg(l, "the server refused");
        return -1;
    }
    return 0;
}

/* All of an answer is there: what comes next. */
static void advance(struct link *l) {
    switch (l->step) {
    case STEP_SET:
    case STEP_LEARN:
    case STEP_END: begin(l); return;
    case STEP_BEGIN: query(l); return;
    case STEP_QUERY: {
        struct pg_query *q = l->query;
        struct err e;
        int failed = q && (q->rows.failed || pg_rows_end(&q->rows, &e));
        if (q && q->rows.failed) e = q->rows.why;
        ask(l, STEP_END, "ROLLBACK");
        end_query(l, failed ? &e : NULL);
        return;
    }
    case STEP_NONE:
    case STEP_CONNECT:
    case STEP_IDLE: return;
    }
}

static void receive(struct link *l) {
    if (!l->owner->pq.consumeInput(l->pg)) {
        lose_pg(l, "the connection broke");
        return;
    }
    if (l->owner->pq.flush(l->pg) == 0 && watch(l, EPOLLIN)) return;
    while (l->pg && l->step > STEP_CONNECT && l->step != STEP_IDLE &&
           !l->owner->pq.isBusy(l->pg)) {
        PGresult *r = l->owner->pq.getResult(l->pg);
        if (!r) {
            advance(l);
            continue;
        }
        int lost = take(l, r);
        l->owner->pq.clear(r);
        if (lost) return;
    }
}

static void poll_connect(struct link *l) {
    switch (l->owner->pq.connectPoll(l->pg)) {
    case PGRES_POLLING_READING: (void)watch(l, EPOLLIN); return;
    case PGRES_POLLING_WRITING: (void)watch(l, EPOLLOUT); return;
    case PGRES_POLLING_OK: set_up(l); return;
    case PGRES_POLLING_FAILED:
    case PGRES_POLLING_ACTIVE: break;
    }
    lose_pg(l, "no connection");
}

static void on_ready(struct io_watch *w, uint32_t events) {
    struct link *l = w->data;
    (void)events;
    if (l->step == STEP_CONNECT) {
        loop_unwatch(w); /* the socket may change between two steps */
        poll_connect(l);
    } else if (l->step == STEP_IDLE) {
        hang_up(l); /* the server closed it */
    } else {
        receive(l);
    }
}

/* ---- connections and calls ---- */

static void connect_link(struct link *l) {
    struct postgres *p = l->owner;
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(SECRET_BYTES);
    str said = json_get_text(p->config.json, "postgres", STR(""));
    l->timer = (struct io_timer){.fn = on_time, .data = l};
    if (host_expand(&p->host, said, &text, &e) ||
        loop_timer(p->host.loop, &l->timer, p->config.timeout_ns + GRACE, &e)) {
        lose(l, &e);
        return;
    }
    l->step = STEP_CONNECT;
    l->pg = l->owner->pq.connectStart(buf_text(&text));
    mem_wipe(text.data, text.len);
    if (!l->pg || l->owner->pq.status(l->pg) == CONNECTION_BAD)
        lose_pg(l, "no connection");
    else
        (void)watch(l, EPOLLOUT);
}

/* Gives waiting queries to links that are free, those with a connection
 * first. */
static void serve(struct postgres *p) {
    static const enum step steps[] = {STEP_IDLE, STEP_NONE};
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < CONNECTIONS && p->waiting; i++) {
            struct link *l = &p->links[i];
            if (l->query || l->step != steps[s]) continue;
            l->query = p->waiting;
            p->waiting = l->query->next;
            l->query->link = l;
            if (steps[s] == STEP_IDLE)
                begin(l);
            else
                connect_link(l);
        }
}

static void call(struct provider *provider, struct provider_call *c) {
    struct postgres *p = (struct postgres *)provider;
    struct err e;
    struct pg_query *q = arena_zalloc(c->arena, 1, sizeof *q, &e);
    if (!q || sql_request_read(&p->config, c, &q->request, &e)) {
        sql_reply_error(c, &e);
        return;
    }
    q->call = c;
    pg_rows_init(&q->rows, &p->pq, &p->config, &q->request, c->arena);
    struct pg_query **end = &p->waiting;
    while (*end)
        end = &(*end)->next;
    *end = q;
    c->state = q;
    serve(p);
}

static void cancel(struct provider *provider, struct provider_call *c) {
    struct postgres *p = (struct postgres *)provider;
    struct pg_query *q = c->state;
    if (!q) return;
    for (struct pg_query **at = &p->waiting; *at; at = &(*at)->next)
        if (*at == q) {
            *at = q->next;
            break;
        }
    if (q->link) {
        q->link->query = NULL;
        hang_up(q->link);
    }
    buf_fini(&q->rows.out);
    c->state = NULL;
}

/* ---- a life ---- */

static void free_postgres(struct provider *provider) {
    struct postgres *p = (struct postgres *)provider;
    while (p->waiting)
        cancel(provider, p->waiting->call);
    for (size_t i = 0; i < CONNECTIONS; i++) {
        struct link *l = &p->links[i];
        if (l->query) cancel(provider, l->query->call);
        hang_up(l);
    }
    map_fini(&p->effects);
    arena_fini(&p->arena);
    mem_free(p);
}

static const struct provider_class class = {"sql", call, cancel, free_postgres};

static int set_up_provider(struct postgres *p, str name,
                           const struct json *config, struct err *e) {
    struct json_build b = JSON_BUILD(&p->arena);
    const struct json *copy, *tools;
    build_copy(&b, config);
    if (arena_dup(&p->arena, name, &p->provider.server, e) ||
        build_done(&b, &copy, e) || sql_config_read(copy, &p->config, e))
        return -1;
    if (json_get(copy, "mask") || json_get(copy, "snapshot") ||
        json_get(copy, "tables"))
        return fail(e, ERR_UNSUPPORTED,
                    "mask, snapshot and tables are for SQLite: give the role "
                    "rights on the tables and columns it may read");
    if (sql_tools(&p->config, "PostgreSQL, placeholders $1, $2", &p->arena,
                  &tools, e))
        return -1;
    str about = json_get_text(copy, "description", STR(""));
    return host_put(&p->host, &p->provider, copy, about, tools, e);
}

struct provider *postgres_new(const struct provider_host *h, str name,
                              const struct json *config, struct err *e) {
    struct postgres *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->arena = ARENA_MAX((size_t)64 << 20);
    p->effects = MAP_MAX(NAMES);
    p->provider.class = &class;
    p->host = *h;
    p->rate.log = h->log;
    for (size_t i = 0; i < CONNECTIONS; i++)
        p->links[i] = (struct link){.owner = p, .watch = {.fd = -1}};
    if (libpq_load(&p->pq, e) == 0 && set_up_provider(p, name, config, e) == 0)
        return &p->provider;
    free_postgres(&p->provider);
    return NULL;
}
