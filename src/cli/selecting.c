/* SPDX-License-Identifier: MIT */
#include "cli/selecting.h"

#include <limits.h>

#include "agent/aside.h"
#include "base/dirs.h"
#include "base/file.h"
#include "base/mem.h"
#include "call/embed_http.h"
#include "cli/models.h"
#include "tools/select/memory.h"
#include "json/config.h"

#define ROOM        ((size_t)16 << 20)
#define MILLISECOND INT64_C(1000000)
#define ROUTER_NS   (800 * MILLISECOND)
#define ROUTER_MOST (60000 * MILLISECOND)

/* What one version of the configuration makes. */
struct made {
    struct arena arena; /* of texts and lists */
    struct standing standing;
    struct weights weights;
    struct embed_http *embed;
    struct aside *aside;
    struct model_config model;
    struct model_router model_router;
    struct router router;
};

struct selecting {
    struct provider_host host;
    struct made *made;
    struct standing
        standing; /* of what is made; where it lies does not change */
};

static void made_free(struct made *p) {
    if (!p) return;
    model_router_end(&p->model_router, false);
    embed_http_free(p->embed);
    aside_free(p->aside);
    memory_free(p->standing.memory);
    arena_fini(&p->arena);
    mem_free(p);
}

/* ---- lists ---- */

/* Copies of texts, because the settings may go before we do. */
static int read_texts(const struct json *list, struct arena *a, const str **out,
                      size_t *count, struct err *e) {
    size_t n = list ? json_len(list) : 0;
    str *texts = arena_zalloc(a, n + 1, sizeof *texts, e);
    if (!texts) return -1;
    const struct json *item = list ? json_first(list) : NULL;
    for (size_t i = 0; i < n; i++, item = json_skip(item))
        if (arena_dup(a, json_str(item), &texts[i], e)) return -1;
    *out = texts;
    *count = n;
    return 0;
}

static size_t count_patterns(const struct json *keywords) {
    size_t n = 0;
    const struct json *key = keywords ? json_first(keywords) : NULL;
    for (size_t i = keywords ? json_len(keywords) : 0; i > 0;
         i--, key = json_skip(key + 1))
        n += json_len(key + 1);
    return n;
}

/* {"words": ["pattern", ...]}: one rule a pattern. */
static int read_keywords(const struct json *keywords, struct made *p,
                         struct err *e) {
    struct keyword_rule *rules =
        arena_zalloc(&p->arena, count_patterns(keywords) + 1, sizeof *rules, e);
    size_t n = 0;
    if (!rules) return -1;
    const struct json *key = keywords ? json_first(keywords) : NULL;
    for (size_t i = keywords ? json_len(keywords) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        const str *patterns;
        size_t count;
        str words;
        if (arena_dup(&p->arena, json_str(key), &words, e) ||
            read_texts(key + 1, &p->arena, &patterns, &count, e))
            return -1;
        for (size_t k = 0; k < count; k++)
            rules[n++] = (struct keyword_rule){words, patterns[k]};
    }
    p->standing.rules = rules;
    p->standing.rule_count = n;
    return 0;
}

static int read_weights(const struct json *v, struct made *p, struct err *e) {
    p->weights = weights_default();
    if (!v) return 0;
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        if (!json_is_number(key + 1))
            return fail(e, ERR_INVALID, "weights.%.*s: a number is wanted",
                        STR_ARG(json_str(key)));
        if (weights_set(&p->weights, json_str(key), (float)json_number(key + 1),
                        e))
            return fail_while(e, "weights");
    }
    p->standing.weights = &p->weights;
    return 0;
}

/* ---- files ---- */

static int open_memory(const struct json *v, struct made *p, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (!json_get_bool(v, "remember", false)) return 0;
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_STATE, "", &folder, e) ||
        file_make_dirs(buf_text(&folder), 0700, e) || memory_path(&path, e))
        return -1;
    p->standing.memory = memory_new(buf_text(&path), e);
    return p->standing.memory ? 0 : fail_while(e, "remember");
}

static int read_index(const struct provider_host *host, const struct json *v,
                      struct made *p, struct err *e) {
    str path = json_get_text(v, "index", STR(""));
    if (path.n == 0) return 0;
    p->standing.index = host_path(host, path, &p->arena, e);
    return p->standing.index ? 0 : fail_while(e, "index");
}

/* ---- endpoint and router ---- */

static int open_embeddings(const struct provider_host *host,
                           const struct json *v, struct made *p,
                           struct err *e) {
    const struct json *config = json_get(v, "embeddings");
    if (!config) return 0;
    p->embed = embed_http_new(host, config, e);
    if (!p->embed) return -1;
    p->standing.remote = embed_http_remote(p->embed);
    return 0;
}

static int open_router(const struct provider_host *host,
                       const struct json *settings, const struct json *v,
                       struct made *p, struct err *e) {
    const struct json *config = json_get(v, "router");
    if (!config) return 0;
    int64_t budget = config_duration(json_get(config, "budget"), ROUTER_NS);
    if (budget < MILLISECOND || budget > ROUTER_MOST)
        return fail(e, ERR_INVALID, "router.budget: from 1ms to 60s");
    const char *name =
        arena_text(&p->arena, json_get_text(config, "model", STR("")), e);
    if (!name) return -1;
    if (models_choose(settings, host->secrets, *name ? name : NULL, NULL,
                      &p->arena, &p->model, e))
        return fail_while(e, "router");
    p->model.audit = host->audit;
    p->model.by = "router";
    if (!(p->aside = aside_new(&p->model, e))) return fail_while(e, "router");
    p->model_router =
        (struct model_router){.aside = p->aside,
                              .log = host->log,
                              .loop = host->loop,
                              .client = host->loop ? host->http : NULL};
    p->router = model_router(&p->model_router, budget);
    p->standing.router = &p->router;
    return 0;
}

/* ---- a life ---- */

static int read_all(const struct provider_host *host,
                    const struct json *settings, struct made *p,
                    struct err *e) {
    const struct json *v = json_get(settings, "select");
    int64_t count = json_get_int(v, "count", 0);
    if (json_get(v, "count") && (count < 1 || count > SELECT_MAX))
        return fail(e, ERR_INVALID, "count: from 1 to %d", SELECT_MAX);
    p->standing.k = (size_t)count;
    if (read_texts(json_get(v, "always"), &p->arena, &p->standing.always,
                   &p->standing.always_count, e))
        return -1;
    return read_keywords(json_get(v, "keywords"), p, e) ||
                   read_weights(json_get(v, "weights"), p, e) ||
                   open_memory(v, p, e) || read_index(host, v, p, e) ||
                   open_embeddings(host, v, p, e) ||
                   open_router(host, settings, v, p, e)
               ? -1
               : 0;
}

/* Whoever waits for what goes away selects again, with what holds now. */
static void let_go(struct made *p) {
    if (!p) return;
    embed_http_let_go(p->embed);
    model_router_end(&p->model_router, true);
}

int selecting_reload(struct selecting *s, const struct json *settings,
                     struct err *e) {
    struct made *now = mem_zalloc(1, sizeof *now, e);
    if (!now) return -1;
    now->arena = ARENA_MAX(ROOM);
    if (read_all(&s->host, settings, now, e)) {
        made_free(now);
        return fail_while(e, "select");
    }
    struct made *old = s->made;
    registry_stand(s->host.registry, NULL);
    s->made = now;
    s->standing = now->standing;
    registry_stand(s->host.registry, &s->standing);
    let_go(old);
    made_free(old);
    return 0;
}

struct selecting *selecting_new(const struct provider_host *host,
                                const struct json *settings, struct err *e) {
    struct selecting *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->host = *host;
    if (selecting_reload(s, settings, e) == 0) return s;
    mem_free(s);
    return NULL;
}

void selecting_free(struct selecting *s) {
    if (!s) return;
    registry_stand(s->host.registry, NULL);
    made_free(s->made);
    mem_free(s);
}

const struct standing *selecting_standing(const struct selecting *s) {
    return &s->standing;
}

void selecting_wait(struct selecting *s) {
    struct err e;
    if (!s->made->embed) return;
    if (embed_http_wait(s->made->embed, &e) && s->host.log)
        log_warn(s->host.log, "%s", e.text);
}
