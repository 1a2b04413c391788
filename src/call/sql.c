/* SPDX-License-Identifier: MIT */
#include "call/sql.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "call/job.h"
#include "call/sql_postgres.h"
#include "call/sql_sqlite.h"
#include "call/sql_tools.h"
#include "json/build.h"
#include "json/write.h"

#define ROOM  ((size_t)64 << 10) /* of an answer beyond its rows */
#define GRACE INT64_C(1000000000)

struct sqlite_provider {
    struct provider provider; /* first */
    struct provider_host host;
    struct arena arena;
    struct sql_config config;
    char *path;   /* of the file */
    char *copy;   /* of its snapshot; NULL: none yet */
    char *folder; /* the snapshot's; NULL: none */
    struct sql_rate rate;
    struct asked *running;
};

struct asked {
    struct sqlite_provider *provider;
    struct provider_call *call;
    struct sql_request request;
    struct job job;
    struct asked *next; /* running */
};

/* ---- a call ---- */

/* In the copy. */
static void work(void *context, struct buf *out) {
    const struct asked *q = context;
    const struct sqlite_provider *p = q->provider;
    const char *path = p->copy ? p->copy : p->path;
    const struct sql_request *r = &q->request;
    struct err e, ignored;
    int failed = r->schema ? sqlite_schema(&p->config, path, r->table, out, &e)
                           : sqlite_query(&p->config, path, r->sql,
                                          r->parameters, out, &e);
    if (!failed) return;
    struct jw w = JW(out);
    buf_truncate(out, 0);
    jw_object(&w);
    jw_put_text(&w, "error", str_of(e.text));
    jw_put_int(&w, "kind", e.kind);
    jw_end_object(&w);
    (void)jw_done(&w, &ignored);
}

static void forget(struct asked *q) {
    struct asked **at = &q->provider->running;
    while (*at && *at != q)
        at = &(*at)->next;
    if (*at) *at = q->next;
}

/* "{"error": ...}" as the error it was. */
static bool is_error(struct provider_call *c, str answer, struct err *out) {
    const struct json *v;
    struct err ignored;
    if (!str_starts(answer, STR("{\"error\":")) ||
        json_parse(answer, NULL, c->arena, &v, &ignored))
        return false;
    str text = json_get_text(v, "error", STR(""));
    err_set(out, (enum err_kind)json_get_int(v, "kind", ERR_INTERNAL), "%.*s",
            STR_ARG(text));
    return true;
}

static void done(struct job *j, const struct err *failure) {
    struct asked *q = j->data;
    struct provider_call *c = q->call;
    struct err e;
    forget(q);
    if (failure) {
        sql_reply_error(c, failure);
    } else if (j->answer.len == 0) {
        err_set(&e, ERR_SYSTEM, "the process of the query died");
        sql_reply_error(c, &e);
    } else if (is_error(c, buf_str(&j->answer), &e)) {
        sql_reply_error(c, &e);
    } else {
        sql_reply(c, &q->provider->config, &q->provider->rate,
                  buf_str(&j->answer));
    }
}

static void call(struct provider *provider, struct provider_call *c) {
    struct sqlite_provider *p = (struct sqlite_provider *)provider;
    struct err e;
    struct asked *q = arena_zalloc(c->arena, 1, sizeof *q, &e);
    if (!q) {
        provider_failed(c, "unavailable", false, &e);
        return;
    }
    *q = (struct asked){.provider = p, .call = c};
    q->job = (struct job){.loop = p->host.loop, .done = done, .data = q};
    if (sql_request_read(&p->config, c, &q->request, &e) ||
        job_start(&q->job, work, q, p->config.bytes + ROOM,
                  p->config.timeout_ns + GRACE, &e)) {
        sql_reply_error(c, &e);
        return;
    }
    c->state = q;
    q->next = p->running;
    p->running = q;
}

static void cancel(struct provider *provider, struct provider_call *c) {
    struct asked *q = c->state;
    (void)provider;
    if (!q) return;
    forget(q);
    job_cancel(&q->job);
}

/* ---- a life ---- */

static void free_sqlite(struct provider *provider) {
    struct sqlite_provider *p = (struct sqlite_provider *)provider;
    while (p->running)
        cancel(provider, p->running->call);
    if (p->copy) (void)unlink(p->copy);
    if (p->folder) (void)rmdir(p->folder);
    mem_wipe(p->config.key, sizeof p->config.key);
    arena_fini(&p->arena);
    mem_free(p);
}

static const struct provider_class class = {"sql", call, cancel, free_sqlite};

/* From "mask_key", or for as long as this process runs. */
static int choose_key(struct sqlite_provider *p, struct err *e) {
    str said = json_get_text(p->config.json, "mask_key", STR(""));
    AUTO_BUF struct buf text = BUF_MAX(SECRET_BYTES);
    if (said.n == 0) {
        ssize_t n = getrandom(p->config.key, CRYPTO_KEY, 0);
        return n == CRYPTO_KEY ? 0 : fail_sys(e, "getrandom");
    }
    if (host_expand(&p->host, said, &text, e)) return -1;
    return crypto_sha256(buf_str(&text), p->config.key, e);
}

/* In a folder that only we can enter. */
static int take_snapshot(struct sqlite_provider *p, struct err *e) {
    const char *base = getenv("TMPDIR");
    char *folder = arena_printf(&p->arena, e, "%s/cordon-XXXXXX",
                                base && base[0] == '/' ? base : "/tmp");
    if (!folder) return -1;
    if (!mkdtemp(folder)) return fail_sys(e, "make %s", folder);
    p->folder = folder;
    char *copy = arena_printf(&p->arena, e, "%s/copy.db", folder);
    if (!copy || sqlite_snapshot(p->path, copy, e)) return -1;
    p->copy = copy;
    return 0;
}

static int open_file(struct sqlite_provider *p, struct err *e) {
    AUTO_BUF struct buf trial = BUF_MAX((size_t)64 << 20);
    str path = json_get_text(p->config.json, "sqlite", STR(""));
    if (path.n == 0) return fail(e, ERR_INVALID, "sqlite: the path of a file");
    p->path = host_path(&p->host, path, &p->arena, e);
    if (!p->path || choose_key(p, e)) return -1;
    if (p->config.snapshot && take_snapshot(p, e)) return -1;
    /* Faults of the file and of the masks show now, not at the first call. */
    return sqlite_schema(&p->config, p->copy ? p->copy : p->path, STR(""),
                         &trial, e);
}

static int set_up(struct sqlite_provider *p, str name,
                  const struct json *config, struct err *e) {
    struct json_build b = JSON_BUILD(&p->arena);
    const struct json *copy, *tools;
    build_copy(&b, config);
    if (arena_dup(&p->arena, name, &p->provider.server, e) ||
        build_done(&b, &copy, e) || sql_config_read(copy, &p->config, e) ||
        open_file(p, e) ||
        sql_tools(&p->config, "SQLite", &p->arena, &tools, e))
        return -1;
    str about = json_get_text(copy, "description", STR(""));
    return host_put(&p->host, &p->provider, copy, about, tools, e);
}

static struct provider *sqlite_new(const struct provider_host *h, str name,
                                   const struct json *config, struct err *e) {
    struct sqlite_provider *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->arena = ARENA_MAX((size_t)64 << 20);
    p->provider.class = &class;
    p->host = *h;
    p->rate.log = h->log;
    if (set_up(p, name, config, e) == 0) return &p->provider;
    free_sqlite(&p->provider);
    return NULL;
}

struct provider *provider_sql_new(const struct provider_host *h, str name,
                                  const struct json *config, struct err *e) {
    struct provider *p = json_get(config, "postgres")
                             ? postgres_new(h, name, config, e)
                             : sqlite_new(h, name, config, e);
    if (!p) err_context(e, "database %.*s", STR_ARG(name));
    return p;
}
