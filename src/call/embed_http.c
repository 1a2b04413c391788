/* SPDX-License-Identifier: MIT */
#include "call/embed_http.h"

#include "base/clock.h"
#include "base/mem.h"
#include "io/url.h"
#include "json/build.h"
#include "json/write.h"

#define ANSWER_BYTES ((size_t)32 << 20)
#define MILLISECOND  INT64_C(1000000)

struct embed_http {
    struct embed embed;
    struct remote remote;
    struct provider_host host;
    struct loop *loop;
    struct client *client;
    struct arena arena;        /* of the configuration */
    const struct json *config; /* copied */
    char *cache;               /* path, or NULL */
    float *values;             /* of the last answer */
    size_t value_cap;
    struct buf answer;
    unsigned status;
    bool ended, failed;
    struct err why;
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

static struct request *begin(struct embed_http *m, str body, int64_t budget_ns,
                             struct err *e) {
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
        .events = &events,
        .data = m,
    };
    struct request *r = client_start(m->client, &spec, e);
    if (key.data) mem_wipe(key.data, key.len);
    return r;
}

/* Waits for the answer, for no longer than the budget. */
static int exchange(struct embed_http *m, str body, int64_t budget_ns,
                    struct err *e) {
    int64_t end = clock_mono_ns() + budget_ns;
    m->ended = m->failed = false;
    buf_truncate(&m->answer, 0);
    struct request *r = begin(m, body, budget_ns, e);
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
    if (m->status != 200)
        return fail(e, ERR_PEER, "the endpoint answers %u", m->status);
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
static int read_answer(struct embed_http *m, size_t count,
                       struct embed_reply *reply, struct err *e) {
    AUTO_ARENA struct arena scratch = ARENA_MAX((size_t)256 << 20);
    AUTO_MEM bool *seen = mem_zalloc(count, sizeof *seen, e);
    const struct json *v;
    if (!seen) return -1;
    if (json_parse(buf_str(&m->answer), NULL, &scratch, &v, e))
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
    return read_answer(m, count, reply, e);
}

/* ---- a life ---- */

static int set_up(struct embed_http *m, const struct json *config,
                  struct err *e) {
    static const char *const known[] = {"url",       "model", "key",
                                        "budget_ms", "cache", NULL};
    struct json_build b = JSON_BUILD(&m->arena);
    struct url url;
    struct err ignored;
    if (host_check_members(config, known, e)) return -1;
    build_copy(&b, config);
    if (build_done(&b, &m->config, e)) return -1;
    str said = json_get_text(m->config, "url", STR(""));
    if (url_parse(said, &url, e)) return fail_while(e, "url");
    int64_t ms = json_get_int(m->config, "budget_ms", 150);
    if (ms < 1 || ms > 60000)
        return fail(e, ERR_INVALID, "budget_ms: a number from 1 to 60000");
    m->embed.budget_ns = ms * MILLISECOND;
    str cache = json_get_text(m->config, "cache", STR(""));
    if (cache.n > 0 && !(m->cache = host_path(&m->host, cache, &m->arena, e)))
        return -1;
    str model = json_get_text(m->config, "model", STR(""));
    if (m->cache) (void)embed_load(&m->embed, model, m->cache, &ignored);
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
    m->embed.context = m;
    m->remote = (struct remote){embed_score, &m->embed};
    if (set_up(m, config, e) == 0) return m;
    embed_http_free(m);
    err_context(e, "embeddings");
    return NULL;
}

void embed_http_free(struct embed_http *m) {
    if (!m) return;
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

static int gather(struct registry *r, struct catalogue *c, struct err *e) {
    for (size_t i = 0; i < registry_count(r); i++) {
        const struct entry *t = registry_at(r, i);
        if (t->fault || t->flags & TOOL_BUILTIN) continue;
        if (catalogue_add(c, &t->tool, e)) return -1;
    }
    return 0;
}

int embed_http_sync(struct embed_http *m, struct registry *r, int64_t budget_ns,
                    struct err *e) {
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    struct selector *s = registry_selector(r, e);
    size_t before = m->embed.count;
    str model = json_get_text(m->config, "model", STR(""));
    if (!s || gather(r, &c, e)) return -1;
    int result = embed_tools(&m->embed, &c, &s->corpus, budget_ns, e);
    struct err unsaved;
    if (m->cache && m->embed.count > before &&
        embed_save(&m->embed, model, m->cache, &unsaved) && result == 0) {
        *e = unsaved;
        return -1;
    }
    return result;
}
