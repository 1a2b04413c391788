/* SPDX-License-Identifier: MIT */
#include "gateway/sample.h"

#include "base/mem.h"
#include "json/build.h"

#define MEMORY     ((size_t)64 << 20)
#define AT_ONCE    16   /* of all servers */
#define TOKENS_MAX 8192 /* where the model's configuration says nothing */

struct sample {
    struct samples *owner;
    struct sample *next, **link;
    struct arena arena;
    struct turn *turn;
    str model;
    void (*answer)(void *to, const struct json *result);
    void *to;
};

struct samples {
    struct samples_config config;
    struct sample *open;
    size_t count;
};

struct samples *samples_new(const struct samples_config *config,
                            struct err *e) {
    struct samples *s = mem_zalloc(1, sizeof *s, e);
    if (s) s->config = *config;
    return s;
}

static void end(struct sample *t, const struct json *result) {
    t->answer(t->to, result);
    *t->link = t->next;
    if (t->next) t->next->link = t->link;
    t->owner->count--;
    turn_free(t->turn);
    arena_fini(&t->arena);
    mem_free(t);
}

void samples_free(struct samples *s) {
    if (!s) return;
    while (s->open)
        end(s->open, NULL);
    mem_free(s);
}

/* -- the question ------------------------------------------------------------
 */

static int add_content(struct message *m, const struct json *v, struct arena *a,
                       struct err *e) {
    str type = json_get_text(v, "type", STR(""));
    bool text = str_is(type, "text");
    if (!text && !str_is(type, "image"))
        return fail(e, ERR_UNSUPPORTED, "content of type \"%.*s\"",
                    STR_ARG(str_sub(type, 0, 40)));
    struct part *p = parts_add(&m->parts, text ? PART_TEXT : PART_IMAGE, a, e);
    if (!p) return -1;
    p->text = json_get_text(v, "text", STR(""));
    p->data = json_get_text(v, "data", STR(""));
    p->mime = json_get_text(v, "mimeType", STR("image/png"));
    return 0;
}

static int add_message(struct messages *to, const struct json *v,
                       struct arena *a, struct err *e) {
    const struct json *content = json_get(v, "content");
    bool user = str_is(json_get_text(v, "role", STR("")), "user");
    struct message *m =
        messages_add(to, user ? ROLE_USER : ROLE_ASSISTANT, a, e);
    if (!m) return -1;
    if (!content) return fail(e, ERR_INVALID, "a message without content");
    if (json_type(content) != JSON_ARRAY) return add_content(m, content, a, e);
    const struct json *item = json_first(content);
    for (size_t i = json_len(content); i > 0; i--, item = json_skip(item))
        if (add_content(m, item, a, e)) return -1;
    return 0;
}

static int64_t most_tokens(const struct json *params,
                           const struct model_config *config) {
    int64_t most = config->max_tokens > 0 ? config->max_tokens : TOKENS_MAX;
    int64_t asked = json_get_int(params, "maxTokens", most);
    return asked > 0 && asked < most ? asked : most;
}

static int make_request(struct sample *t, const struct json *params,
                        const struct model_config *config,
                        struct model_request *q, struct err *e) {
    const struct json *list = json_get(params, "messages");
    str system = json_get_text(params, "systemPrompt", STR(""));
    const struct json *warm = json_get(params, "temperature");
    const struct json *stop = json_get(params, "stopSequences");
    if (!list || json_type(list) != JSON_ARRAY || json_len(list) == 0)
        return fail(e, ERR_INVALID, "there are no messages");
    *q = (struct model_request){.model = config->model,
                                .max_tokens = most_tokens(params, config),
                                .choice = {.parallel = -1}};
    q->temperature = warm && json_is_number(warm) ? warm : config->temperature;
    if (stop && json_type(stop) == JSON_ARRAY && json_len(stop)) q->stop = stop;
    if (system.n &&
        !messages_say(&q->messages, ROLE_SYSTEM, system, &t->arena, e))
        return -1;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v))
        if (add_message(&q->messages, v, &t->arena, e)) return -1;
    return 0;
}

/* -- the answer --------------------------------------------------------------
 */

static const char *reason(enum stop stop) {
    if (stop == STOP_LENGTH) return "maxTokens";
    return stop == STOP_END ? "endTurn" : stop_name(stop);
}

static const struct json *result_of(struct sample *t,
                                    const struct model_answer *m) {
    struct json_build b = JSON_BUILD(&t->arena);
    const struct json *out;
    struct err e;
    str text;
    if (m->stop == STOP_ERROR || m->stop == STOP_NONE ||
        parts_text(&m->parts, &t->arena, &text, &e))
        return NULL;
    build_object(&b);
    build_put_text(&b, "role", STR("assistant"));
    build_key(&b, STR("content"));
    build_object(&b);
    build_put_text(&b, "type", STR("text"));
    build_put_text(&b, "text", text);
    build_end(&b);
    build_put_text(&b, "model", t->model);
    build_put_text(&b, "stopReason", str_of(reason(m->stop)));
    build_end(&b);
    return build_done(&b, &out, &e) ? NULL : out;
}

static void on_done(void *data, const struct model_answer *m,
                    const struct err *e) {
    struct sample *t = data;
    (void)e;
    end(t, m ? result_of(t, m) : NULL);
}

static int start(struct sample *t, str server, str model,
                 const struct json *params, struct err *e) {
    static const struct turn_events events = {.done = on_done};
    const struct samples_config *c = &t->owner->config;
    struct model_config config;
    struct model_request q;
    if (c->model(c->data, model, &t->arena, &config, e) ||
        arena_dup(&t->arena, config.model, &t->model, e) ||
        make_request(t, params, &config, &q, e))
        return -1;
    config.audit = c->audit;
    config.by = "sampling";
    config.of = server;
    t->turn = turn_start(c->http, c->loop, &config, &q, &events, t, e);
    return t->turn ? 0 : -1;
}

int sample_ask(struct samples *s, str server, str model,
               const struct json *params,
               void (*answer)(void *to, const struct json *result), void *to,
               struct err *e) {
    if (s->count == AT_ONCE)
        return fail(e, ERR_LIMIT, "more than %d questions to models", AT_ONCE);
    struct sample *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return -1;
    *t = (struct sample){.owner = s,
                         .next = s->open,
                         .link = &s->open,
                         .arena = ARENA_MAX(MEMORY),
                         .answer = answer,
                         .to = to};
    if (t->next) t->next->link = &t->next;
    s->open = t;
    s->count++;
    if (start(t, server, model, params, e) == 0) return 0;
    *t->link = t->next;
    if (t->next) t->next->link = t->link;
    s->count--;
    arena_fini(&t->arena);
    mem_free(t);
    return -1;
}
