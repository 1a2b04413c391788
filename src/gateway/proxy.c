/* SPDX-License-Identifier: MIT
 *
 * The proxy's door: who may ask, what is asked, which tools go along.
 */
#include "gateway/proxy.h"

#include "agent/lower.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/hash.h"
#include "base/mem.h"
#include "gateway/proxy_job.h"
#include "json/write.h"

#include <string.h>

#define JOB_BYTES ((size_t)256 << 20)
#define SETS      16
#define KEYS      100000
#define SECOND    ((int64_t)1000000000)
#define MINUTE    60 /* seconds */
#define DAY       86400

static void ledger_drop(struct ledger *l) {
    const struct map_entry *it;
    if (!l || --l->refs > 0) return;
    for (size_t i = 0; (it = map_next(&l->keys, &i));)
        mem_free(it->value);
    map_fini(&l->keys);
    mem_free(l);
}

static struct ledger *ledger_of(const struct proxy *before, struct err *e) {
    struct ledger *l = before ? before->ledger : mem_zalloc(1, sizeof *l, e);
    if (!l) return NULL;
    if (!before) l->keys = MAP_MAX(KEYS);
    l->refs++;
    return l;
}

struct proxy *proxy_new(const struct proxy_config *config,
                        const struct proxy *before, struct err *e) {
    struct proxy *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->config = *config;
    if (p->config.tools == 0) p->config.tools = PROXY_TOOLS;
    if (p->config.reasks == 0) p->config.reasks = PROXY_REASKS;
    if (p->config.own.rounds == 0) p->config.own.rounds = PROXY_ROUNDS;
    p->ledger = ledger_of(before, e);
    p->sets = toolset_cache_new(SETS, config->standing, e);
    p->recall = recall_new(e);
    if (p->ledger && p->sets && p->recall) return p;
    proxy_free(p);
    return NULL;
}

void proxy_free(struct proxy *p) {
    if (!p) return;
    while (p->jobs)
        job_free(p->jobs);
    toolset_cache_free(p->sets);
    recall_free(p->recall);
    ledger_drop(p->ledger);
    mem_free(p);
}

bool proxy_idle(const struct proxy *p) {
    return !p->jobs;
}

struct proxy_counts proxy_counts(const struct proxy *p) {
    return p->ledger->counts;
}

int proxy_metrics(const struct proxy *p, struct buf *out, struct err *e) {
    const struct proxy_counts *c = &p->ledger->counts;
    const struct {
        const char *name, *text;
        uint64_t value;
    } rows[] = {
        {"requests", "requests of apps", c->requests},
        {"failed", "answered with an error", c->failed},
        {"tools_given", "tools that apps sent", c->tools_given},
        {"tools_sent", "tools that were sent on", c->tools_sent},
        {"tokens_saved", "estimated tokens of tools not sent", c->tokens_saved},
        {"calls", "calls that models made", c->calls},
        {"calls_changed", "calls repaired or coerced", c->calls_changed},
        {"calls_refused", "calls that made no sense", c->calls_refused},
        {"reasked", "times a model was asked again", c->reasked},
        {"executed", "calls of the gateway's own tools", c->executed},
        {"input_tokens", "tokens read by models", c->input_tokens},
        {"output_tokens", "tokens written by models", c->output_tokens},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (buf_addf(out, e,
                     "# HELP cordon_proxy_%s_total %s\n"
                     "# TYPE cordon_proxy_%s_total counter\n"
                     "cordon_proxy_%s_total %llu\n",
                     rows[i].name, rows[i].text, rows[i].name, rows[i].name,
                     (unsigned long long)rows[i].value))
            return -1;
    return 0;
}

/* -- who asks ---------------------------------------------------------------
 */

static str sent_key(const struct exchange *x) {
    str bearer = exchange_header(x, "authorization");
    str key = exchange_header(x, "x-api-key");
    if (key.p) return key;
    if (bearer.n > 7 && str_eq_nocase(str_sub(bearer, 0, 7), STR("bearer ")))
        return str_sub(bearer, 7, bearer.n);
    return STR("");
}

static const struct proxy_key *find_key(const struct proxy *p, str sent) {
    const struct proxy_key *found = NULL;
    for (size_t i = 0; i < p->config.key_count; i++)
        if (crypto_equal_str(sent, p->config.keys[i].secret))
            found = &p->config.keys[i];
    return found;
}

/* What a key has used, from when it was used first. */
static struct key_state *state_of(struct ledger *l, str name, struct err *e) {
    struct key_state *state = map_get(&l->keys, name);
    if (state) return state;
    state = mem_zalloc(1, sizeof *state, e);
    if (!state) return NULL;
    if (map_put(&l->keys, name, state, NULL, e) == 0) return state;
    mem_free(state);
    return NULL;
}

/* How long it has to wait, in seconds; 0: it may ask. */
static int64_t spent_for(const struct proxy_key *key, struct key_state *state) {
    int64_t now = clock_wall_ns() / SECOND;
    if (state->minute != now / MINUTE)
        state->minute = now / MINUTE, state->requests = 0;
    if (state->day != now / DAY) state->day = now / DAY, state->tokens = 0;
    if (key->tokens > 0 && state->tokens >= key->tokens) return DAY - now % DAY;
    if (key->requests > 0 && state->requests >= key->requests)
        return MINUTE - now % MINUTE;
    return 0;
}

static void fail_key(struct job *j) {
    job_fail(j, 401, "invalid_api_key", "this key is not known here");
}

/* False: refused, and the exchange is over. */
static bool admit(struct job *j) {
    struct proxy *p = j->proxy;
    struct err e;
    if (p->config.key_count == 0) return true;
    const struct proxy_key *key = find_key(p, sent_key(j->x));
    if (!key) {
        fail_key(j);
        return false;
    }
    j->principal = key->name;
    j->key = state_of(p->ledger, key->name, &e);
    if (!j->key) {
        job_fail(j, 503, "internal_error", e.text);
        return false;
    }
    j->wait_s = spent_for(key, j->key);
    if (j->wait_s > 0) {
        job_fail(j, 429, "rate_limit_exceeded",
                 j->wait_s > MINUTE
                     ? "this key has used up its tokens of today"
                     : "this key has made all its requests of this minute");
        return false;
    }
    j->key->requests++;
    return true;
}

/* -- which model ------------------------------------------------------------
 */

/* A key of the app goes along where we have none of our own. */
static int choose_model(struct job *j, struct err *e) {
    struct proxy *p = j->proxy;
    const struct model_config *found = &p->config.models[0];
    bool named = false;
    for (size_t i = 0; i < p->config.model_count && !named; i++)
        if (str_eq(p->config.models[i].name, j->q.model)) {
            found = &p->config.models[i];
            named = true;
        }
    j->upstream = *found;
    j->upstream.audit = p->config.audit;
    j->upstream.by = "proxy";
    j->upstream.of = j->principal;
    if (named && found->model.n > 0) j->q.model = found->model;
    if (!named && j->q.model.n == 0) j->q.model = found->model;
    j->upstream.model = j->q.model;
    j->same = found->vendor->api == j->api;
    if (found->key.n > 0 || p->config.key_count > 0) return 0;
    return arena_dup(&j->arena, sent_key(j->x), &j->upstream.key, e);
}

/* -- which tools ------------------------------------------------------------
 */

static bool is_pinned(const struct proxy_config *c, const struct offer *o) {
    for (size_t i = 0; i < c->pin_count; i++)
        if (str_glob(c->pin[i], o->name)) return true;
    return o->cache; /* dropping it would move the app's cache mark */
}

static size_t add_called(const struct job *j, str *names) {
    size_t n = 0;
    for (const struct message *m = j->q.messages.first; m; m = m->next)
        for (const struct part *p = NULL; (p = next_call(&m->parts, p)); n++)
            if (names) names[n] = p->name;
    return n;
}

/* What the config pins, what the request's choice names and what was called
 * before; names that are no tool's, or come twice, do no harm. */
static int collect_pinned(struct job *j, struct toolset_wish *wish,
                          struct err *e) {
    const struct choice *choice = &j->q.choice;
    size_t room =
        j->given.count + choice->allowed_count + add_called(j, NULL) + 1;
    str *names = arena_zalloc(&j->arena, room, sizeof *names, e);
    if (!names) return -1;
    size_t n = add_called(j, names);
    for (const struct offer *o = j->given.first; o; o = o->next)
        if (o->kind != OFFER_OPAQUE && is_pinned(&j->proxy->config, o))
            names[n++] = o->name;
    for (size_t i = 0; i < choice->allowed_count; i++)
        names[n++] = choice->allowed[i];
    if (choice->mode == CHOICE_ONE) names[n++] = choice->name;
    wish->pinned = names;
    wish->pinned_count = n;
    return 0;
}

/* The last words of the user; those before them where they are few. */
static str last_words(const struct job *j, uint64_t *conversation) {
    static const uint64_t key[2] = {0,
                                    0}; /* only tells talks of one app apart */
    str last = STR("");
    *conversation = 0;
    for (const struct message *m = j->q.messages.first; m; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next) {
            if (m->role != ROLE_USER || p->kind != PART_TEXT) continue;
            if (*conversation == 0)
                *conversation = hash_bytes(p->text.p, p->text.n, key) | 1;
            last = p->text;
        }
    return last;
}

/* Copies, since they may be changed and the app's are others' too. keep NULL:
 * all of them. */
static int keep_offers(struct job *j, const bool *keep, struct err *e) {
    struct proxy_counts *c = &j->proxy->ledger->counts;
    size_t i = 0, number = 0;
    size_t apps = j->given.count - j->ours.count; /* they come first */
    j->q.offers = (struct offers){0};
    for (const struct offer *o = j->given.first; o; o = o->next) {
        bool function = o->kind != OFFER_OPAQUE;
        size_t at = i;
        bool app = number++ < apps;
        i += function;
        if (function && keep && !keep[at]) {
            if (app) c->tokens_saved += toolset_bytes(j->set, at) / 4;
            continue;
        }
        c->tools_sent += app;
        if (!offer_copy(o, &j->q.offers, &j->arena, e)) return -1;
    }
    return 0;
}

/* What a known list hashes to is known too. */
static uint64_t key_of_given(struct job *j) {
    const struct toolset_cache *sets = j->proxy->sets;
    uint64_t key = j->known ? j->known->key : 0;
    if (!key) key = toolset_key(sets, &j->q.offers, 0);
    if (j->known) j->known->key = key;
    return j->ours.count > 0 ? toolset_key(sets, &j->ours, key) : key;
}

static int take_offers(struct job *j, struct err *e) {
    j->given = j->q.offers;
    j->proxy->ledger->counts.tools_given += j->q.offers.count;
    if (own_offer(j, e)) return -1;
    if (j->given.count == 0) return 0;
    j->set = toolset_get(j->proxy->sets, key_of_given(j), &j->given, e);
    return j->set ? 0 : -1;
}

/* ERR_WAITING: again, when j->chosen is called. */
static int select_offers(struct job *j, struct err *e) {
    struct toolset_wish wish = {.k = j->proxy->config.tools,
                                .wait = &j->chosen};
    if (j->given.count == 0) return 0;
    if (j->given.count <= wish.k || toolset_has_twins(j->set))
        return keep_offers(j, NULL, e);
    bool *keep = arena_zalloc(&j->arena, j->given.count, sizeof *keep, e);
    wish.text = last_words(j, &wish.conversation);
    if (!keep || collect_pinned(j, &wish, e) ||
        toolset_select(j->set, &wish, keep, e))
        return -1;
    return keep_offers(j, keep, e);
}

/* -- what is asked ----------------------------------------------------------
 */

static const struct route {
    const char *path;
    enum api api;
} routes[] = {
    {"/v1/chat/completions", API_CHAT},
    {"/v1/responses", API_RESPONSES},
    {"/v1/messages", API_ANTHROPIC},
};

static const struct route *route_of(str path) {
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
        if (str_is(path, routes[i].path)) return &routes[i];
    return NULL;
}

static void on_gone(void *data) {
    struct job *j = data;
    j->x = NULL;
    job_free(j);
}

static struct job *job_new(struct proxy *p, struct exchange *x, enum api api,
                           const struct proxy_caller *who, struct err *e) {
    struct job *j = mem_zalloc(1, sizeof *j, e);
    if (!j) return NULL;
    j->proxy = p;
    j->x = x;
    j->api = api;
    j->arena = ARENA_MAX(JOB_BYTES);
    j->held = BUF_MAX(JOB_BYTES);
    j->before = USAGE_UNSAID;
    j->next = p->jobs;
    j->link = &p->jobs;
    if (j->next) j->next->link = &j->next;
    p->jobs = j;
    exchange_on_gone(x, on_gone, j);
    if (arena_dup(&j->arena, who->principal, &j->principal, e) == 0 &&
        (!who->scopes.p ||
         arena_dup(&j->arena, who->scopes, &j->scopes, e) == 0))
        return j;
    (void)job_take_exchange(j);
    job_free(j);
    return NULL;
}

/* What cannot be kept up in front of another model, or of several answers. */
static const char *unsupported(const struct job *j) {
    const struct json *body = j->q.native;
    const struct json *n = json_get(body, "n");
    const struct json *before = json_get(body, "previous_response_id");
    if (n && json_type(n) == JSON_INT && n->as.integer > 1)
        return "\"n\" above 1 is not supported here";
    if (before && json_type(before) == JSON_STRING && !j->same)
        return "\"previous_response_id\" needs a model that speaks the "
               "Responses API; send the whole input instead";
    return NULL;
}

static int read_job(struct job *j, struct err *e) {
    if (recall_decode(j->proxy->recall, j->api, exchange_body(j->x), &j->arena,
                      &j->q, &j->known, e))
        return -1;
    j->wants_stream = j->q.stream;
    j->emit.api = j->api;
    j->emit.usage = json_get_bool(json_get(j->q.native, "stream_options"),
                                  "include_usage", false);
    return choose_model(j, e);
}

/* Another vendor may not be able to enforce what the app's could. */
static int lower(struct job *j, struct err *e) {
    if (j->same) return 0;
    return lower_offers(&j->q.offers, j->upstream.vendor, &j->arena, e);
}

/* Others are served while an endpoint or a router is asked. */
static void choose_and_ask(struct job *j) {
    struct err e;
    if (select_offers(j, &e)) {
        if (e.kind != ERR_WAITING) job_fail(j, 500, "internal_error", e.text);
        return;
    }
    if (lower(j, &e))
        job_fail(j, 500, "internal_error", e.text);
    else if (job_ask(j, &e))
        job_not_asked(j, &e);
}

static void on_chosen(struct select_wait *w) {
    choose_and_ask(w->data);
}

static void run(struct job *j) {
    struct err e;
    j->proxy->ledger->counts.requests++;
    if (!admit(j)) return;
    if (read_job(j, &e)) {
        job_fail(j, 400, "invalid_request", e.text);
        return;
    }
    const char *why = unsupported(j);
    j->chosen = (struct select_wait){.fn = on_chosen, .data = j};
    if (why)
        job_fail(j, 400, "unsupported_parameter", why);
    else if (take_offers(j, &e))
        job_fail(j, 500, "internal_error", e.text);
    else
        choose_and_ask(j);
}

static void answer_text(struct exchange *x, unsigned status, str body) {
    static const struct http_header json[] = {
        {"Content-Type", "application/json"}, {NULL, NULL}};
    struct err e;
    if (exchange_answer(x, status, json, body, &e)) exchange_end(x);
}

/* In the shape of both OpenAI's and Anthropic's list. */
static void list_models(struct proxy *p, struct exchange *x) {
    AUTO_BUF struct buf out = BUF_MAX((size_t)1 << 20);
    struct jw w = JW(&out);
    struct err e;
    jw_object(&w);
    jw_put_text(&w, "object", STR("list"));
    jw_key(&w, "data");
    jw_array(&w);
    for (size_t i = 0; i < p->config.model_count; i++) {
        const struct model_config *m = &p->config.models[i];
        jw_object(&w);
        jw_put_text(&w, "id", m->name);
        jw_put_text(&w, "object", STR("model"));
        jw_put_text(&w, "type", STR("model"));
        jw_put_text(&w, "display_name", m->name);
        jw_put_int(&w, "created", 0);
        jw_put_text(&w, "created_at", STR("1970-01-01T00:00:00Z"));
        jw_put_text(&w, "owned_by", str_of(m->vendor->name));
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_put_bool(&w, "has_more", false);
    jw_end_object(&w);
    if (jw_done(&w, &e)) buf_truncate(&out, 0);
    answer_text(x, 200, buf_str(&out));
}

static void fail_memory(struct exchange *x) {
    answer_text(x, 503, STR("{\"error\":{\"message\":\"out of memory\"}}"));
}

bool proxy_screen(struct proxy *p, struct exchange *x) {
    const struct route *route = route_of(exchange_path(x));
    const struct proxy_caller nobody = {STR(""), {NULL, 0}};
    struct err e;
    if (p->config.key_count == 0 || find_key(p, sent_key(x))) return true;
    p->ledger->counts.requests++;
    struct job *j = job_new(p, x, route ? route->api : API_CHAT, &nobody, &e);
    if (j)
        fail_key(j);
    else
        fail_memory(x);
    return false;
}

bool proxy_handle(struct proxy *p, struct exchange *x,
                  const struct proxy_caller *who) {
    const struct route *route = route_of(exchange_path(x));
    bool models = str_is(exchange_path(x), "/v1/models");
    struct err e;
    if (!route && !models) return false;
    if (!str_is(exchange_method(x), models ? "GET" : "POST")) {
        answer_text(x, 405,
                    STR("{\"error\":{\"message\":\"method not allowed\","
                        "\"type\":\"invalid_request_error\"}}"));
        return true;
    }
    struct job *j = job_new(p, x, models ? API_CHAT : route->api, who, &e);
    if (!j) {
        fail_memory(x);
        return true;
    }
    if (!models) {
        run(j);
    } else if (admit(j)) {
        list_models(p, job_take_exchange(j));
        job_free(j);
    }
    return true;
}
