/* SPDX-License-Identifier: MIT */
#include "call/embed_http.h"

#include "base/clock.h"
#include "base/dirs.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "io/url.h"
#include "json/build.h"
#include "json/config.h"
#include "json/write.h"

#include <limits.h>

#define ANSWER_BYTES ((size_t)32 << 20)
#define QUESTIONS    32 /* under way at once */
#define MILLISECOND  INT64_C(1000000)
#define SECOND       (1000 * MILLISECOND)

/* Of one request that somebody waits for in the loop. */
struct question {
    struct embed_http *http;
    uint64_t key;
    struct request *request; /* NULL: it is over */
    struct select_wait *waiting;
    struct question *next, **link;
};

struct embed_http {
    struct embed embed;
    struct remote remote;
    struct provider_host host;
    struct loop *loop; /* of requests that are waited for */
    struct client *client;
    struct arena arena;        /* of the configuration */
    const struct json *config; /* copied */
    int64_t timeout_ns;        /* of a batch */
    char *cache;               /* path, or NULL */
    size_t saved;              /* vectors the cache has */
    float *values;             /* of the last answer */
    size_t value_cap;
    /* The request that is waited for. */
    struct buf answer;
    unsigned status;
    bool ended, failed;
    struct err why;
    /* The batch under way in the background. */
    struct request *batch;
    size_t batch_count;
    struct io_timer timer; /* when the next one may start */
    struct question *questions;
    size_t question_count;
};

/* ---- one exchange ---- */

static void done(void *data, struct request *r, const struct err *e) {
    struct embed_http *m = data;
    m->ended = true;
    m->status = request_status(r);
    m->failed = e != NULL;
    if (e) m->why = *e;
    if (!e && buf_add_str(&m->answer, request_answer(r), &m->why))
        m->failed = true;
}

static const struct request_events events = {.done = done};

static int write_question(struct embed_http *m, const str *texts, size_t count,
                          struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "model", json_get_text(m->config, "model", STR("")));
    jw_put_text(&w, "encoding_format", STR("float"));
    jw_key(&w, "input");
    jw_array(&w);
    for (size_t i = 0; i < count; i++)
        jw_text(&w, texts[i]);
    jw_end_array(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int authorization(struct embed_http *m, struct buf *out, struct err *e) {
    str key = json_get_text(m->config, "key", STR(""));
    if (key.n == 0) return 0;
    return buf_add_text(out, "Bearer ", e) || host_expand(&m->host, key, out, e)
               ? -1
               : 0;
}

static struct request *begin(struct embed_http *m, struct client *client,
                             const struct request_events *told, void *data,
                             str body, int64_t budget_ns, struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX(SECRET_BYTES);
    AUTO_BUF struct buf url = BUF_MAX(4096);
    str said = json_get_text(m->config, "url", STR(""));
    if (authorization(m, &key, e) || buf_add_str(&url, said, e)) return NULL;
    struct http_header headers[] = {
        {"Content-Type", "application/json"}, {NULL, NULL}, {NULL, NULL}};
    if (key.len > 0)
        headers[1] = (struct http_header){"Authorization", buf_text(&key)};
    struct request_spec spec = {
        .url = buf_text(&url),
        .headers = headers,
        .body = body,
        .answer_max = ANSWER_BYTES,
        .timeout_ns = budget_ns,
        .connect_ns = budget_ns,
        .events = told,
        .data = data,
    };
    struct request *r = client_start(client, &spec, e);
    if (key.data) mem_wipe(key.data, key.len);
    return r;
}

/* Waits for the answer, for no longer than the budget. */
static int exchange(struct embed_http *m, str body, int64_t budget_ns,
                    struct err *e) {
    int64_t end = clock_mono_ns() + budget_ns;
    m->ended = m->failed = false;
    buf_truncate(&m->answer, 0);
    struct request *r = begin(m, m->client, &events, m, body, budget_ns, e);
    if (!r) return -1;
    while (!m->ended) {
        int64_t left = end - clock_mono_ns();
        if (left > 0 && loop_step(m->loop, left, e) == 0) continue;
        bool late = left <= 0;
        if (!m->ended) request_cancel(r);
        return late ? fail(e, ERR_TIMEOUT, "the endpoint took over %lld ms",
                           (long long)(budget_ns / MILLISECOND))
                    : -1;
    }
    if (m->failed) {
        *e = m->why;
        return -1;
    }
    return 0;
}

/* ---- the answer ---- */

static int make_room(struct embed_http *m, size_t values, struct err *e) {
    if (values <= m->value_cap) return 0;
    float *grown = mem_resize(m->values, values, sizeof *grown, e);
    if (!grown) return -1;
    m->values = grown;
    m->value_cap = values;
    return 0;
}

static int read_vector(struct embed_http *m, const struct json *v, size_t count,
                       struct embed_reply *reply, struct err *e) {
    const struct json *numbers = json_get(v, "embedding");
    int64_t index = json_get_int(v, "index", -1);
    if (!numbers || json_type(numbers) != JSON_ARRAY || index < 0 ||
        (size_t)index >= count)
        return fail(e, ERR_PEER, "the endpoint's answer has no vectors");
    if (reply->dims == 0) {
        reply->dims = json_len(numbers);
        if (reply->dims == 0 || reply->dims > EMBED_DIMS ||
            make_room(m, count * reply->dims, e))
            return fail(e, ERR_PEER, "vectors of %zu numbers", reply->dims);
    }
    if (json_len(numbers) != reply->dims)
        return fail(e, ERR_PEER, "vectors of different lengths");
    const struct json *n = json_first(numbers);
    float *to = m->values + (size_t)index * reply->dims;
    for (size_t i = 0; i < reply->dims; i++, n = json_skip(n)) {
        if (!json_is_number(n))
            return fail(e, ERR_PEER, "a vector holds what is no number");
        to[i] = (float)json_number(n);
    }
    return 0;
}

/* Each text's vector once, whatever their order. */
static int read_answer(struct embed_http *m, unsigned status, str text,
                       size_t count, struct embed_reply *reply, struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX((size_t)256 << 20);
    AUTO_MEM bool *seen = mem_zalloc(count, sizeof *seen, e);
    const struct json *v;
    if (!seen) return -1;
    if (status != 200)
        return fail(e, ERR_PEER, "the endpoint answers %u", status);
    if (json_parse(text, NULL, &scratch, &v, e))
        return fail_while(e, "the endpoint's answer");
    const struct json *data = json_get(v, "data");
    if (!data || json_type(data) != JSON_ARRAY || json_len(data) != count)
        return fail(e, ERR_PEER, "the endpoint gave %zu vectors for %zu texts",
                    data ? json_len(data) : 0, count);
    const struct json *item = json_first(data);
    for (size_t i = 0; i < count; i++, item = json_skip(item)) {
        if (read_vector(m, item, count, reply, e)) return -1;
        bool *mine = &seen[json_get_int(item, "index", 0)];
        if (*mine) return fail(e, ERR_PEER, "two vectors for one text");
        *mine = true;
    }
    reply->count = count;
    reply->values = m->values;
    return 0;
}

static int fetch(void *context, const str *texts, size_t count,
                 int64_t budget_ns, struct embed_reply *reply, struct err *e) {
    struct embed_http *m = context;
    AUTO_BUF struct buf body = BUF_MAX((size_t)16 << 20);
    *reply = (struct embed_reply){0};
    if (budget_ns <= 0) return fail(e, ERR_TIMEOUT, "no time left");
    if (write_question(m, texts, count, &body, e) ||
        exchange(m, buf_str(&body), budget_ns, e))
        return -1;
    return read_answer(m, m->status, buf_str(&m->answer), count, reply, e);
}

/* What is told once: it rests for a while then. */
static void tell(const struct embed_http *m, const struct err *e) {
    if (m->host.log)
        log_warn(m->host.log, "embeddings: %s; left alone for %d s", e->text,
                 EMBED_REST_S);
}

/* ---- in the loop ---- */

/* Those who wait are told, or not. */
static void end_question(struct question *q, bool told) {
    struct embed_http *m = q->http;
    *q->link = q->next;
    if (q->next) q->next->link = q->link;
    m->question_count--;
    if (q->request) request_cancel(q->request);
    if (told)
        select_wake(&q->waiting);
    else
        select_forget(&q->waiting);
    mem_free(q);
}

static void on_answer(void *data, struct request *r, const struct err *e) {
    struct question *q = data;
    struct embed_http *m = q->http;
    struct embed_reply reply = {0};
    struct err why = e ? *e : (struct err){0};
    q->request = NULL;
    bool bad = e || read_answer(m, request_status(r), request_answer(r), 1,
                                &reply, &why);
    if (embed_heard(&m->embed, q->key, bad ? NULL : &reply, &why))
        tell(m, &why);
    end_question(q, true);
}

static struct question *ask_later(struct embed_http *m, uint64_t key, str text,
                                  int64_t budget_ns, struct err *e) {
    static const struct request_events told = {.done = on_answer};
    AUTO_BUF struct buf body = BUF_MAX((size_t)16 << 20);
    struct question *q = NULL;
    if (m->question_count >= QUESTIONS) {
        err_set(e, ERR_LIMIT, "the endpoint has %d questions", QUESTIONS);
        return NULL;
    }
    if (write_question(m, &text, 1, &body, e) ||
        !(q = mem_zalloc(1, sizeof *q, e)))
        return NULL;
    *q = (struct question){
        .http = m, .key = key, .next = m->questions, .link = &m->questions};
    if (q->next) q->next->link = &q->next;
    m->questions = q;
    m->question_count++;
    q->request = begin(m, m->host.http, &told, q, buf_str(&body), budget_ns, e);
    if (q->request) return q;
    end_question(q, false);
    return NULL;
}

static int later(void *context, uint64_t key, str text, int64_t budget_ns,
                 struct select_wait *wait, struct err *e) {
    struct embed_http *m = context;
    struct question *q = m->questions;
    while (q && q->key != key)
        q = q->next;
    if (!q && !(q = ask_later(m, key, text, budget_ns, e))) return -1;
    select_queue(wait, &q->waiting);
    return 0;
}

void embed_http_let_go(struct embed_http *m) {
    while (m && m->questions)
        end_question(m->questions, true);
}

/* ---- the cache ---- */

/* Named after what the vectors depend on. */
static int usual_cache(struct embed_http *m, str url, str model,
                       struct err *e) {
    static const uint64_t key[2] = {0x656d626564, 2};
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    uint64_t parts[] = {hash_bytes(url.p, url.n, key),
                        hash_bytes(model.p, model.n, key)};
    uint64_t name = hash_bytes(parts, sizeof parts, key);
    if (dirs_path(DIRS_CACHE, "", &path, e) ||
        file_make_dirs(buf_text(&path), 0700, e) ||
        buf_addf(&path, e, "/%016llx.vectors", (unsigned long long)name))
        return -1;
    m->cache = arena_text(&m->arena, buf_str(&path), e);
    return m->cache ? 0 : -1;
}

static int save(struct embed_http *m, struct err *e) {
    str model = json_get_text(m->config, "model", STR(""));
    if (!m->cache || m->embed.count == m->saved) return 0;
    if (embed_save(&m->embed, model, m->cache, e)) return -1;
    m->saved = m->embed.count;
    return 0;
}

/* ---- in the background ---- */

static void wake(struct embed_http *m, int64_t delay_ns) {
    struct err e;
    if (!m->host.loop || !m->host.http || m->batch || m->timer.place) return;
    if (loop_timer(m->host.loop, &m->timer, delay_ns, &e)) tell(m, &e);
}

static void refused(struct embed_http *m, const struct err *e) {
    tell(m, e);
    embed_refused(&m->embed, m->batch_count);
    wake(m, embed_rests(&m->embed));
}

static void batch_done(void *data, struct request *r, const struct err *e) {
    struct embed_http *m = data;
    struct embed_reply reply = {0};
    struct err why;
    m->batch = NULL;
    if (e) {
        refused(m, e);
        return;
    }
    if (read_answer(m, request_status(r), request_answer(r), m->batch_count,
                    &reply, &why) ||
        embed_take(&m->embed, m->batch_count, &reply, &why))
        refused(m, &why);
    else
        wake(m, 0);
}

/* The next batch, or the end of them. */
static void on_timer(struct io_timer *t) {
    static const struct request_events batch_events = {.done = batch_done};
    struct embed_http *m = t->data;
    AUTO_BUF struct buf body = BUF_MAX((size_t)16 << 20);
    str texts[EMBED_BATCH];
    struct err e;
    int64_t rests = embed_rests(&m->embed);
    if (rests > 0) {
        wake(m, rests);
        return;
    }
    m->batch_count = embed_next(&m->embed, texts);
    if (m->batch_count == 0) {
        if (save(m, &e)) tell(m, &e);
        return;
    }
    if (write_question(m, texts, m->batch_count, &body, &e) == 0)
        m->batch = begin(m, m->host.http, &batch_events, m, buf_str(&body),
                         m->timeout_ns, &e);
    if (!m->batch) refused(m, &e);
}

static void learn(void *context, const struct tool *t) {
    struct embed_http *m = context;
    embed_learn(&m->embed, t);
    if (m->embed.wanted_count > 0) wake(m, 0);
}

static int score(void *context, const struct corpus *ix, str request,
                 struct select_wait *wait, float *out, struct err *e) {
    struct embed_http *m = context;
    bool rested = embed_rests(&m->embed) > 0;
    int result = embed_score(&m->embed, ix, request, wait, out, e);
    if (!rested && embed_rests(&m->embed) > 0) tell(m, e);
    return result;
}

/* ---- a life ---- */

static int duration(const struct json *config, const char *key, int64_t usual,
                    int64_t most, int64_t *out, struct err *e) {
    const struct json *v = json_get(config, key);
    *out = config_duration(v, usual);
    if (*out >= MILLISECOND && *out <= most) return 0;
    return fail(e, ERR_INVALID, "%s: from 1ms to %lldms", key,
                (long long)(most / MILLISECOND));
}

static int read_config(struct embed_http *m, struct err *e) {
    const struct json *c = m->config;
    str said = json_get_text(c, "url", STR(""));
    struct url url;
    if (url_parse(said, &url, e)) return fail_while(e, "url");
    int64_t batch = json_get_int(c, "batch", EMBED_BATCH);
    if (batch < 1 || batch > EMBED_BATCH)
        return fail(e, ERR_INVALID, "batch: from 1 to %d", EMBED_BATCH);
    m->embed.batch = (size_t)batch;
    if (duration(c, "budget", 150 * MILLISECOND, 60 * SECOND,
                 &m->embed.budget_ns, e) ||
        duration(c, "timeout", 10 * SECOND, 600 * SECOND, &m->timeout_ns, e))
        return -1;
    const struct json *cache = json_get(c, "cache");
    str model = json_get_text(c, "model", STR(""));
    if (!cache) return usual_cache(m, said, model, e);
    if (json_type(cache) == JSON_BOOL && !cache->as.boolean) return 0;
    str path = json_get_text(c, "cache", STR(""));
    if (path.n == 0) return fail(e, ERR_INVALID, "cache: a path, or false");
    m->cache = host_path(&m->host, path, &m->arena, e);
    return m->cache ? 0 : -1;
}

static int set_up(struct embed_http *m, const struct json *config,
                  struct err *e) {
    static const char *const known[] = {"url",     "model", "key",   "budget",
                                        "timeout", "batch", "cache", NULL};
    struct json_build b = JSON_BUILD(&m->arena);
    struct err ignored;
    if (host_check_members(config, known, e)) return -1;
    build_copy(&b, config);
    if (build_done(&b, &m->config, e) || read_config(m, e)) return -1;
    str model = json_get_text(m->config, "model", STR(""));
    if (m->cache) (void)embed_load(&m->embed, model, m->cache, &ignored);
    m->saved = m->embed.count;
    m->loop = loop_new(e);
    if (m->loop) m->client = client_new(m->loop, e);
    return m->client ? 0 : -1;
}

struct embed_http *embed_http_new(const struct provider_host *h,
                                  const struct json *config, struct err *e) {
    struct embed_http *m = mem_zalloc(1, sizeof *m, e);
    if (!m) return NULL;
    m->host = *h;
    m->arena = ARENA_MAX((size_t)1 << 20);
    m->answer = BUF_MAX(ANSWER_BYTES);
    m->embed.fetch = fetch;
    m->embed.later = h->loop && h->http ? later : NULL;
    m->embed.context = m;
    m->timer = (struct io_timer){.fn = on_timer, .data = m};
    m->remote = (struct remote){.score = score, .context = m, .learn = learn};
    if (set_up(m, config, e) == 0) return m;
    embed_http_free(m);
    err_context(e, "embeddings");
    return NULL;
}

void embed_http_free(struct embed_http *m) {
    struct err ignored;
    if (!m) return;
    while (m->questions)
        end_question(m->questions, false);
    if (m->batch) request_cancel(m->batch);
    loop_timer_stop(&m->timer);
    (void)save(m, &ignored);
    embed_fini(&m->embed);
    if (m->client) client_free(m->client);
    if (m->loop) loop_free(m->loop);
    mem_free(m->values);
    buf_fini(&m->answer);
    arena_fini(&m->arena);
    mem_free(m);
}

const struct remote *embed_http_remote(struct embed_http *m) {
    return &m->remote;
}

int embed_http_wait(struct embed_http *m, struct err *e) {
    struct err unsaved;
    int result = embed_drain(&m->embed, m->timeout_ns, e);
    if (save(m, &unsaved) && result == 0) {
        *e = unsaved;
        return -1;
    }
    return result;
}
