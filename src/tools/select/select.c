/* SPDX-License-Identifier: MIT */
#include "tools/select/select.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tools/select/cluster.h"
#include "tools/select/memory.h"
#include "tools/select/rules.h"

#define ROUTE_OPTIONS 20                 /* what a router chooses from */
#define ROUTE_BYTES   ((size_t)64 << 10) /* in which they are described */
#define COPY_COSINE   0.98f /* tools this alike are copies of each other */
#define COPIES        2     /* of one tool that are offered before others */
#define RIVAL         0.60f /* of the best score: worth a place before copies */
#define FIT_TOOLS     8     /* candidates in which something may fit */
#define FIT_SHARE     0.4f
#define FIT_RARE      0.1f
#define FIT_RARE_MOST 3.0f
#define WAITS                                               \
    4 /* of one request: for an endpoint, for a router, and \
         again where the tools changed in between */

const char *why_name(enum why w) {
    switch (w) {
    case WHY_RANK: return "rank";
    case WHY_EXACT: return "exact";
    case WHY_PINNED: return "pinned";
    case WHY_KEYWORD: return "keyword";
    case WHY_ROUTED: return "routed";
    case WHY_STICKY: return "sticky";
    case WHY_ALWAYS: return "always";
    }
    return "?";
}

/* ---- waiting ---- */

void select_queue(struct select_wait *w, struct select_wait **list) {
    w->times++;
    w->next = *list;
    w->link = list;
    if (w->next) w->next->link = &w->next;
    *list = w;
}

void select_unwait(struct select_wait *w) {
    if (!w->link) return;
    *w->link = w->next;
    if (w->next) w->next->link = w->link;
    w->link = NULL;
}

void select_wake(struct select_wait **list) {
    for (struct select_wait *w; (w = *list);) {
        select_unwait(w);
        w->fn(w);
    }
}

void select_forget(struct select_wait **list) {
    while (*list)
        select_unwait(*list);
}

static bool is_waiting(const struct select_request *r) {
    return r->wait && r->wait->link;
}

/* Whoever waited this often gets what is known here. */
static bool is_local(const struct select_request *r) {
    return r->local || (r->wait && r->wait->times >= WAITS);
}

/* ---- a life ---- */

int selector_init(struct selector *s, const struct weights *w, struct err *e) {
    struct selector fresh = {0};
    struct weights standard = weights_default();
    if (vectors_builtin(&fresh.table, e)) return -1;
    fresh.scorer = scorer_new(e);
    if (!fresh.scorer) return -1;
    if (corpus_init(&fresh.corpus, w ? w : &standard, NULL, e)) {
        scorer_free(fresh.scorer);
        return -1;
    }
    *s = fresh;
    s->corpus.table = &s->table;
    return 0;
}

void selector_fini(struct selector *s) {
    corpus_fini(&s->corpus);
    scorer_free(s->scorer);
    mem_free(s->remote);
    memset(s, 0, sizeof *s);
}

int selector_load(struct selector *s, const char *path, struct err *e) {
    struct weights w = s->corpus.weights;
    struct corpus loaded;
    if (corpus_load(&loaded, path, &w, &s->table, e)) return -1;
    corpus_fini(&s->corpus);
    s->corpus = loaded;
    return 0;
}

int selector_put(struct selector *s, const struct tool *t, struct document *d,
                 struct err *e) {
    const struct standing *standing = s->standing;
    document_of(t, d);
    if (standing && standing->memory) memory_add(standing->memory, t->id, d);
    if (corpus_put(&s->corpus, t, d, e))
        return fail_while(e, "%.*s", STR_ARG(t->id));
    const struct remote *remote = standing ? standing->remote : NULL;
    if (remote && remote->learn) remote->learn(remote->context, t);
    return 0;
}

static void drop_missing(struct selector *s, const struct catalogue *c) {
    for (size_t i = 0; i < s->corpus.docs.count; i++) {
        str id = corpus_id(&s->corpus, i);
        if (!corpus_doc(&s->corpus, i)->dead && !catalogue_find(c, id))
            corpus_drop(&s->corpus, id);
    }
}

int selector_sync(struct selector *s, const struct catalogue *c,
                  struct err *e) {
    AUTO_MEM struct document *d = mem_alloc(sizeof *d, e);
    if (!d) return -1;
    drop_missing(s, c);
    for (size_t i = 0; i < c->count; i++)
        if (selector_put(s, &c->tools[i], d, e)) return -1;
    return selector_route(s, e);
}

int selector_route(struct selector *s, struct err *e) {
    bool wanted = s->corpus.weights.w[WEIGHT_ROUTE] > 0;
    return wanted ? cluster_tools(&s->corpus, 0, e) : 0;
}

/* ---- one request ---- */

struct choosing {
    const struct selector *s;
    const struct select_request *r;
    struct selection *out;
    enum why why; /* of what is being added */
    size_t k;     /* tools that may still be added by rank or rule */
    bool remote;  /* the endpoint has had its say */
};

static bool allowed(void *context, uint32_t doc) {
    const struct choosing *c = context;
    const struct corpus *ix = &c->s->corpus;
    const struct select_request *r = c->r;
    return !r->filter || r->filter(r->filter_context, corpus_id(ix, doc));
}

static bool in_group(const struct choosing *c, enum space space, str name,
                     uint32_t group) {
    if (name.n == 0) return true;
    char joined[DOCUMENT_FIELD_BYTES / 16];
    if (space == SPACE_CATEGORY)
        name = (str){joined, corpus_join(name, joined, sizeof joined)};
    const struct term *t = corpus_term(&c->s->corpus, space, name);
    return t && group == (uint32_t)t->row;
}

/* The policy's filter, and the server or category that was asked for. */
static bool may_offer(void *context, uint32_t doc) {
    const struct choosing *c = context;
    const struct doc *d = corpus_doc(&c->s->corpus, doc);
    return in_group(c, SPACE_SERVER, c->r->server, d->server) &&
           in_group(c, SPACE_CATEGORY, c->r->category, d->category) &&
           allowed(context, doc);
}

static bool is_chosen(const struct selection *out, uint32_t doc) {
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].doc == doc) return true;
    return false;
}

static void choose(struct choosing *c, const struct candidate *from) {
    if (c->out->count == SELECT_MAX || is_chosen(c->out, from->doc)) return;
    c->out->items[c->out->count++] = (struct selected){.doc = from->doc,
                                                       .why = c->why,
                                                       .score = from->score,
                                                       .parts = from->parts};
}

/* With its scores, if it is among the candidates. */
static void choose_doc(struct choosing *c, uint32_t doc) {
    const struct scorer *s = c->s->scorer;
    for (size_t i = 0; i < s->pool_count; i++)
        if (s->pool[i].doc == doc) {
            choose(c, &s->pool[i]);
            return;
        }
    choose(c, &(struct candidate){.doc = doc});
}

static bool choose_named(void *context, uint32_t doc) {
    struct choosing *c = context;
    if (may_offer(c, doc)) choose_doc(c, doc);
    return c->out->count < c->k;
}

static void choose_ids(struct choosing *c, enum why why, const str *ids,
                       size_t count) {
    c->why = why;
    for (size_t i = 0; i < count; i++) {
        uint32_t doc = corpus_find(&c->s->corpus, ids[i]);
        if (doc != CORPUS_NONE && allowed(c, doc)) choose_doc(c, doc);
    }
}

static void choose_by_list(struct choosing *c, const struct keyword_rule *rules,
                           size_t count) {
    const struct corpus *ix = &c->s->corpus;
    for (size_t r = 0; r < count; r++) {
        if (!rules_match(c->r->text, rules[r].words)) continue;
        for (uint32_t i = 0; i < ix->docs.count && c->out->count < c->k; i++)
            if (!corpus_doc(ix, i)->dead &&
                str_glob(rules[r].pattern, corpus_id(ix, i)))
                choose_named(c, i);
    }
}

static void choose_by_rules(struct choosing *c) {
    const struct standing *standing = c->s->standing;
    c->why = WHY_KEYWORD;
    rules_keywords(&c->s->corpus, c->r->text, choose_named, c);
    choose_by_list(c, c->r->rules, c->r->rule_count);
    if (standing) choose_by_list(c, standing->rules, standing->rule_count);
}

bool standing_always(const struct standing *s, str id) {
    for (size_t i = 0; s && i < s->always_count; i++)
        if (str_glob(s->always[i], id)) return true;
    return false;
}

static void choose_always(struct choosing *c) {
    const struct corpus *ix = &c->s->corpus;
    const struct standing *standing = c->s->standing;
    bool some = standing && standing->always_count > 0;
    c->why = WHY_ALWAYS;
    if (ix->always == 0 && !some) return;
    for (uint32_t i = 0; i < ix->docs.count; i++) {
        const struct doc *d = corpus_doc(ix, i);
        bool wanted = d->always || standing_always(standing, corpus_id(ix, i));
        if (wanted && !d->dead && allowed(c, i)) choose_doc(c, i);
    }
}

static size_t of_server(const struct choosing *c, uint32_t server) {
    size_t n = 0;
    for (size_t i = 0; i < c->out->count; i++)
        n += corpus_doc(&c->s->corpus, c->out->items[i].doc)->server == server;
    return n;
}

/* Cosine of two tools of one server. */
static float likeness(const struct corpus *ix, uint32_t a, uint32_t b) {
    const struct doc *x = corpus_doc(ix, a), *y = corpus_doc(ix, b);
    int32_t dot;
    if (x->server != y->server || x->server == CORPUS_NONE) return 0;
    vectors_scan(pool_at(&ix->rows, a), 1, pool_at(&ix->rows, b), &dot);
    return (float)dot * x->vector_scale * y->vector_scale;
}

/* How many of the chosen are nearly the same tool. */
static size_t copies_of(const struct choosing *c, uint32_t doc) {
    size_t n = 0;
    for (size_t i = 0; i < c->out->count; i++)
        n += likeness(&c->s->corpus, c->out->items[i].doc, doc) >= COPY_COSINE;
    return n;
}

/* The turns in which tools are chosen by rank. */
enum turn {
    TURN_FAIR, /* no copies; a server takes at most its share; only tools that
                  come near the best */
    TURN_OWN,  /* no copies */
    TURN_REST,
};

/* So a server that floods the catalogue with copies of one tool, or has most
 * of what fits, does not push out another's tool that fits nearly as well. */
static bool may_choose(const struct choosing *c, enum turn turn,
                       const struct candidate *from, float top) {
    if (turn == TURN_REST) return true;
    if (copies_of(c, from->doc) >= COPIES) return false;
    if (turn == TURN_OWN) return true;
    uint32_t server = corpus_doc(&c->s->corpus, from->doc)->server;
    size_t share = c->r->per_server ? c->r->per_server : c->k - c->k / 4;
    return from->score >= RIVAL * top &&
           (server == CORPUS_NONE || of_server(c, server) < share);
}

static void choose_by_rank(struct choosing *c) {
    const struct scorer *s = c->s->scorer;
    float top = s->pool_count > 0 ? s->pool[0].score : 0;
    c->why = WHY_RANK;
    for (enum turn turn = TURN_FAIR; turn <= TURN_REST; turn++)
        for (size_t i = 0; i < s->pool_count && c->out->count < c->k; i++)
            if (may_choose(c, turn, &s->pool[i], top)) choose(c, &s->pool[i]);
}

/* ---- a router ---- */

static const struct router *router_of(const struct choosing *c) {
    const struct standing *standing = c->s->standing;
    if (is_local(c->r)) return NULL;
    if (c->r->router) return c->r->router;
    return standing ? standing->router : NULL;
}

/* What the options are is written into one text; each gets its part. */
static int describe_options(const struct selector *s,
                            struct route_option *options, size_t count,
                            struct buf *text, struct err *e) {
    size_t ends[ROUTE_OPTIONS];
    for (size_t i = 0; i < count; i++) {
        if (s->describe
                ? s->describe(s->describe_context, options[i].id, text, e)
                : buf_add_str(text, options[i].id, e))
            return -1;
        ends[i] = text->len;
    }
    for (size_t i = 0; i < count; i++)
        options[i].text =
            str_trim(str_sub(buf_str(text), i ? ends[i - 1] : 0, ends[i]));
    return 0;
}

static int ask_router(struct choosing *c, const struct router *router,
                      size_t picks[ROUTE_OPTIONS], struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(ROUTE_BYTES);
    const struct scorer *s = c->s->scorer;
    struct route_option options[ROUTE_OPTIONS];
    size_t n = 0;
    for (; n < ROUTE_OPTIONS && n < s->pool_count; n++)
        options[n] = (struct route_option){
            .id = corpus_id(&c->s->corpus, s->pool[n].doc),
            .score = s->pool[n].score};
    if (n == 0) return 0;
    if (describe_options(c->s, options, n, &text, e)) return -1;
    return router->pick(router->context, c->r->text, options, n,
                        router->budget_ns, c->r->wait, picks, n, e);
}

static void choose_by_router(struct choosing *c) {
    const struct router *router = router_of(c);
    const struct scorer *s = c->s->scorer;
    size_t picks[ROUTE_OPTIONS];
    struct err e;
    if (!router) return;
    int got = ask_router(c, router, picks, &e);
    if (got < 0) {
        snprintf(c->out->router_note, sizeof c->out->router_note, "%s", e.text);
        return;
    }
    c->why = WHY_ROUTED;
    for (size_t i = 0; i < (size_t)got && i < ROUTE_OPTIONS; i++)
        if (picks[i] < s->pool_count && picks[i] < ROUTE_OPTIONS &&
            c->out->count < c->k)
            choose(c, &s->pool[picks[i]]);
}

/* ---- does anything fit? ---- */

/* How much of the request's words a tool has, in idf. */
static float words_in(const struct corpus *ix, const struct query *q,
                      uint32_t doc) {
    const struct doc *d = corpus_doc(ix, doc);
    const uint32_t *forward = pool_at(&ix->forward, d->terms);
    const struct term *terms = ix->terms.items;
    float sum = 0;
    for (size_t i = 0; i < q->term_count; i++)
        for (size_t k = 0; q->terms[i].term && k < d->term_count; k++)
            if (&terms[forward[k]] == q->terms[i].term) {
                sum += q->terms[i].idf * q->terms[i].weight;
                break;
            }
    return sum;
}

/* Best of the first few: the cosine, the share of the request's words that a
 * tool has, and how many rare words that is. The sum was fitted to requests
 * that have a tool and to small talk that has none; docs/selection.md. */
static bool anything_fits(const struct choosing *c, const struct query *q) {
    const struct scorer *s = c->s->scorer;
    const struct corpus *ix = &c->s->corpus;
    float needed = ix->weights.w[WEIGHT_FIT], cosine = 0, words = 0, all = 0;
    size_t n = s->pool_count < FIT_TOOLS ? s->pool_count : FIT_TOOLS;
    for (size_t i = 0; i < n; i++)
        cosine = fmaxf(cosine, s->pool[i].parts.cosine);
    if (cosine >= needed || c->remote) return n > 0;
    float rarest = logf(1.0f + ((float)ix->live + 0.5f) / 0.5f);
    for (size_t i = 0; i < q->term_count; i++)
        all += q->terms[i].term ? q->terms[i].idf : rarest;
    for (size_t i = 0; i < n; i++)
        words = fmaxf(words, words_in(ix, q, s->pool[i].doc));
    if (!(words > 0)) return false;
    return cosine + FIT_SHARE * words / all +
               FIT_RARE * fminf(words / rarest, FIT_RARE_MOST) >=
           needed;
}

static void say_nothing_fits(struct selection *out) {
    out->nothing_fits = true;
    snprintf(out->hint, sizeof out->hint,
             "No tool fits this request. Say what should happen and to what "
             "(\"create a calendar event\"), or list the servers and search "
             "one of them.");
}

static const struct remote *remote_of(const struct selector *s,
                                      const struct select_request *r) {
    if (is_local(r)) return NULL;
    if (r->remote) return r->remote;
    return s->standing ? s->standing->remote : NULL;
}

static const float *remote_scores(struct selector *s,
                                  const struct select_request *r,
                                  struct selection *out) {
    const struct remote *remote = remote_of(s, r);
    struct err e;
    if (!remote) return NULL;
    if (s->remote_cap < s->corpus.docs.count) {
        size_t cap = s->corpus.docs.count + 64;
        float *grown = mem_resize(s->remote, cap, sizeof *grown, &e);
        if (!grown) return NULL;
        s->remote = grown;
        s->remote_cap = cap;
    }
    if (remote->score(remote->context, &s->corpus, r->text, r->wait, s->remote,
                      &e)) {
        snprintf(out->remote_note, sizeof out->remote_note, "%s", e.text);
        return NULL;
    }
    return s->remote;
}

int select_tools(struct selector *s, const struct select_request *r,
                 struct selection *out, struct err *e) {
    struct query q;
    struct choosing c = {.s = s, .r = r, .out = out};
    size_t usual = s->standing ? s->standing->k : 0;
    c.k = r->k ? r->k : usual ? usual : SELECT_K;
    if (c.k > SELECT_MAX) c.k = SELECT_MAX;
    out->count = 0;
    out->nothing_fits = false;
    out->hint[0] = out->router_note[0] = out->remote_note[0] = 0;
    query_read(&q, &s->corpus, r->text);
    const float *remote = remote_scores(s, r, out);
    if (is_waiting(r)) return fail(e, ERR_WAITING, "an endpoint was asked");
    c.remote = remote != NULL;
    bool any = !r->filter && r->server.n == 0 && r->category.n == 0;
    if (score_all(s->scorer, &s->corpus, &q, c.k * 2, remote,
                  any ? NULL : may_offer, &c, e))
        return -1;
    c.why = WHY_EXACT;
    rules_named(&s->corpus, r->text, choose_named, &c);
    choose_ids(&c, WHY_PINNED, r->pinned, r->pinned_count);
    choose_by_rules(&c);
    out->doubtful = !anything_fits(&c, &q);
    if (r->pad || !out->doubtful) {
        choose_by_router(&c);
        if (is_waiting(r)) return fail(e, ERR_WAITING, "a router was asked");
        choose_by_rank(&c);
    } else if (out->count == 0) {
        say_nothing_fits(out);
    }
    choose_ids(&c, WHY_STICKY, r->sticky, r->sticky_count);
    choose_always(&c);
    if (r->who.p && s->standing && s->standing->memory)
        memory_asked(s->standing->memory, r->who, r->text, &s->corpus, out);
    return 0;
}
