/* SPDX-License-Identifier: MIT
 *
 * The public keys of an authorization server: given in the settings, or fetched
 * from where its metadata says, and again when a token names a key that is not
 * among them (but not more than once a minute).
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "gateway/front_inside.h"
#include "io/url.h"
#include "json/build.h"

#define PAUSE_NS ((int64_t)60 * 1000000000)
#define SET_MAX  ((size_t)4 << 20)
enum { ANSWER_MAX = 1 << 20, URL_MAX = 4096 };

/* Where metadata may lie, in the order of RFC 8414 and OpenID Connect. */
static const char *const well_known[] = {
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
};
enum { WELL_KNOWN = sizeof well_known / sizeof well_known[0] };

struct keys {
    struct loop *loop;
    struct client *http;
    struct log *log;
    const struct json *oauth; /* the settings' */
    struct request *request;  /* under way, or NULL */
    size_t step;              /* in well_known; WELL_KNOWN: the set itself */
    struct arena memory;      /* of the set */
    const struct json *set;
    int64_t fetched_ns; /* when it was last tried; 0: never */
    struct keys_waiter *waiters;
    struct io_task told;
};

static void tell(struct io_task *t) {
    struct keys *k = t->data;
    while (k->waiters) {
        struct keys_waiter *w = k->waiters;
        keys_unwait(w);
        w->done(w);
    }
}

void keys_wait(struct keys *k, struct keys_waiter *w) {
    w->next = k->waiters;
    w->link = &k->waiters;
    if (w->next) w->next->link = &w->next;
    k->waiters = w;
}

void keys_unwait(struct keys_waiter *w) {
    if (!w->link) return;
    *w->link = w->next;
    if (w->next) w->next->link = w->link;
    w->link = NULL;
}

const struct json *keys_set(const struct keys *k) {
    return k->set;
}

/* -- fetching ----------------------------------------------------------------
 */

static int fetch(struct keys *k, const char *url, struct err *e);

static void finish(struct keys *k, const char *fault) {
    if (fault) log_warn(k->log, "keys of the authorization server: %s", fault);
    loop_post(k->loop, &k->told);
}

static int metadata_url(const struct keys *k, size_t step, struct buf *out,
                        struct err *e) {
    str issuer = json_get_text(k->oauth, "issuer", STR(""));
    struct url u;
    if (url_parse(issuer, &u, e)) return -1;
    str path = str_is(u.path, "/") ? STR("") : u.path;
    return buf_addf(out, e, "%.*s%s%.*s", STR_ARG(u.origin), well_known[step],
                    STR_ARG(path));
}

static void next_metadata(struct keys *k) {
    AUTO_BUF struct buf url = BUF_MAX(URL_MAX);
    struct err e;
    if (k->step == WELL_KNOWN) {
        finish(k, "no metadata was found");
        return;
    }
    if (metadata_url(k, k->step, &url, &e) || fetch(k, buf_text(&url), &e))
        finish(k, e.text);
}

static int keep_set(struct keys *k, const struct json *v, struct err *e) {
    struct arena memory = ARENA_MAX(SET_MAX);
    struct json_build b = JSON_BUILD(&memory);
    const struct json *copy;
    if (!json_get(v, "keys"))
        return fail(e, ERR_PEER, "the answer is no set of keys");
    build_copy(&b, v);
    if (build_done(&b, &copy, e)) {
        arena_fini(&memory);
        return -1;
    }
    arena_fini(&k->memory);
    k->memory = memory;
    k->set = copy;
    return 0;
}

static int take_metadata(struct keys *k, const struct json *v, struct err *e) {
    char url[URL_MAX];
    str issuer = json_get_text(k->oauth, "issuer", STR(""));
    str uri = json_get_text(v, "jwks_uri", STR(""));
    if (!str_eq(json_get_text(v, "issuer", STR("")), issuer))
        return fail(e, ERR_DENIED, "the metadata is of another issuer");
    if (!uri.n || uri.n >= sizeof url)
        return fail(e, ERR_PEER, "the metadata names no keys");
    (void)snprintf(url, sizeof url, "%.*s", STR_ARG(uri));
    k->step = WELL_KNOWN;
    return fetch(k, url, e);
}

static void take_answer(struct keys *k, str text) {
    AUTO_ARENA struct arena a = ARENA_MAX(SET_MAX);
    const struct json *v;
    struct err e;
    bool is_set = k->step == WELL_KNOWN;
    if (json_parse(text, NULL, &a, &v, &e)) {
        finish(k, e.text);
    } else if (is_set) {
        finish(k, keep_set(k, v, &e) ? e.text : NULL);
    } else if (take_metadata(k, v, &e)) {
        finish(k, e.text);
    }
}

static void on_done(void *data, struct request *r, const struct err *e) {
    struct keys *k = data;
    k->request = NULL;
    if (e) {
        finish(k, e->text);
    } else if (request_status(r) == 200) {
        take_answer(k, request_answer(r));
    } else if (k->step < WELL_KNOWN) {
        k->step++;
        next_metadata(k);
    } else {
        finish(k, "the set could not be fetched");
    }
}

static int fetch(struct keys *k, const char *url, struct err *e) {
    static const struct request_events events = {.done = on_done};
    const struct request_spec spec = {.url = url,
                                      .answer_max = ANSWER_MAX,
                                      .timeout_ns = (int64_t)15 * 1000000000,
                                      .events = &events,
                                      .data = k};
    if (!k->http) return fail(e, ERR_UNSUPPORTED, "keys cannot be fetched");
    k->request = client_start(k->http, &spec, e);
    return k->request ? 0 : -1;
}

static void begin(struct keys *k) {
    str jwks = json_get_text(k->oauth, "jwks", STR(""));
    char url[URL_MAX];
    struct err e;
    k->fetched_ns = loop_now(k->loop);
    k->step = jwks.n ? WELL_KNOWN : 0;
    if (!jwks.n) {
        next_metadata(k);
        return;
    }
    (void)snprintf(url, sizeof url, "%.*s", STR_ARG(str_sub(jwks, 0, 4000)));
    if (fetch(k, url, &e)) finish(k, e.text);
}

bool keys_refresh(struct keys *k) {
    const struct json *given = json_get(k->oauth, "jwks");
    if (given && json_type(given) == JSON_OBJECT) return false;
    if (k->request || k->told.queued) return true;
    if (k->fetched_ns && loop_now(k->loop) - k->fetched_ns < PAUSE_NS)
        return false;
    begin(k);
    return true;
}

/* -- beginning and end -------------------------------------------------------
 */

struct keys *keys_new(struct loop *loop, struct client *http,
                      const struct json *oauth, struct log *log,
                      struct err *e) {
    const struct json *given = json_get(oauth, "jwks");
    if (!json_get_text(oauth, "issuer", STR("")).n ||
        !json_get_text(oauth, "resource", STR("")).n) {
        err_set(e, ERR_INVALID,
                "serve.http.oauth: issuer and resource are "
                "needed");
        return NULL;
    }
    struct keys *k = mem_zalloc(1, sizeof *k, e);
    if (!k) return NULL;
    *k = (struct keys){.loop = loop,
                       .http = http,
                       .log = log,
                       .oauth = oauth,
                       .memory = ARENA_MAX(SET_MAX)};
    k->told = (struct io_task){.fn = tell, .data = k};
    if (given && json_type(given) == JSON_OBJECT) k->set = given;
    return k;
}

void keys_free(struct keys *k) {
    if (!k) return;
    if (k->request) request_cancel(k->request);
    loop_unpost(k->loop, &k->told);
    while (k->waiters)
        keys_unwait(k->waiters);
    arena_fini(&k->memory);
    mem_free(k);
}
