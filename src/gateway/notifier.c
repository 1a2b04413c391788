/* SPDX-License-Identifier: MIT */
#include "gateway/notifier.h"

#include <stdio.h>
#include <string.h>

#include "audit/audit.h"
#include "base/clock.h"
#include "base/codec.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "io/url.h"
#include "json/build.h"
#include "json/write.h"

#define LOOK_NS  ((int64_t)1000000000)
#define CLAIM_MS 60000 /* nobody else tries meanwhile */
#define TRIES    6
#define AT_ONCE  8
#define BYTES    ((size_t)1 << 20)

#define SECRET_MAX   4096
#define SECRET_LEAST 16 /* bytes of a key */

struct telling {
    struct notifier *notifier;
    struct request *request; /* NULL: it has not begun */
    char run[STORE_ID];
    char *url; /* NULL: the place is free */
    char state[24];
    int64_t tries;
};

struct notifier {
    struct notifier_config config;
    struct buf key; /* of signatures; empty: there are none */
    struct io_timer timer;
    struct telling now[AT_ONCE];
};

/* -- the store ----------------------------------------------------------------
 */

/* When it is tried again: 5 s, 20 s, 80 s ... */
static int64_t pause_ms(int64_t tries) {
    int64_t ms = 5000;
    for (int64_t i = 1; i < tries && ms < 3600000; i++)
        ms *= 4;
    return ms;
}

static int put_back(struct telling *t, int64_t due_ms, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(BYTES);
    struct jw w = JW(&text);
    jw_object(&w);
    jw_put_text(&w, "url", str_of(t->url));
    jw_put_text(&w, "state", str_of(t->state));
    jw_put_int(&w, "tries", t->tries);
    jw_put_int(&w, "due", due_ms);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return store_put(t->notifier->config.store, "notify", str_of(t->run),
                     buf_str(&text),
                     clock_wall_ns() + (int64_t)24 * 3600 * 1000000000, e);
}

static void end(struct telling *t) {
    mem_free(t->url);
    t->url = NULL;
    t->request = NULL;
}

static void give_up(struct telling *t, const char *why) {
    struct notifier *n = t->notifier;
    struct err e;
    log_warn(n->config.log, "run %s: %s was not told: %s", t->run, t->url, why);
    (void)store_del(n->config.store, "notify", str_of(t->run), &e);
    end(t);
}

/* What left this machine on behalf of a run. */
static void record(const struct telling *t, unsigned status,
                   const struct err *failed) {
    AUTO_ARENA struct arena a = ARENA_MAX(64 * 1024);
    struct json_build b = JSON_BUILD(&a);
    const struct json *data;
    struct err e;
    struct audit *audit = t->notifier->config.audit;
    if (!audit) return;
    build_object(&b);
    build_put_text(&b, "run", str_of(t->run));
    build_put_text(&b, "url", str_of(t->url));
    build_put_int(&b, "try", t->tries);
    if (failed)
        build_put_text(&b, "error", str_of(failed->text));
    else
        build_put_int(&b, "http_status", status);
    build_end(&b);
    if (build_done(&b, &data, &e) || audit_add(audit, "notify", data, &e))
        audit_lost(audit);
}

static void on_told(void *data, struct request *r, const struct err *failed) {
    struct telling *t = data;
    struct err e;
    char why[sizeof failed->text];
    unsigned status = failed ? 0 : request_status(r);
    record(t, status, failed);
    if (status >= 200 && status < 300) {
        (void)store_del(t->notifier->config.store, "notify", str_of(t->run),
                        &e);
        end(t);
        return;
    }
    if (failed)
        snprintf(why, sizeof why, "%s", failed->text);
    else
        snprintf(why, sizeof why, "status %u", status);
    if (t->tries >= TRIES) {
        give_up(t, why);
        return;
    }
    (void)put_back(t, clock_wall_ns() / 1000000 + pause_ms(t->tries), &e);
    end(t);
}

/* -- requests -----------------------------------------------------------------
 */

static bool is_named(const struct notifier *n, const char *url) {
    const struct json *hosts = n->config.hosts;
    struct url u;
    struct err e;
    if (!hosts || json_type(hosts) != JSON_ARRAY ||
        url_parse(str_of(url), &u, &e))
        return false;
    const struct json *v = json_first(hosts);
    for (size_t i = json_len(hosts); i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING && str_eq(json_str(v), u.host))
            return true;
    return false;
}

/* "v1," and the HMAC of "id.time.body", as Standard Webhooks has it. Empty:
 * there is no key. */
static int sign(const struct notifier *n, const char *id, const char *seconds,
                const char *body, struct buf *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    uint8_t tag[CRYPTO_SHA256];
    if (n->key.len == 0) return 0;
    return buf_addf(&text, e, "%s.%s.%s", id, seconds, body) ||
                   crypto_hmac((const uint8_t *)n->key.data, n->key.len,
                               buf_str(&text), tag, e) ||
                   buf_add_text(out, "v1,", e) ||
                   base64_encode((str){(const char *)tag, sizeof tag}, out, e)
               ? -1
               : 0;
}

static int post(struct telling *t, struct err *e) {
    static const struct request_events events = {.done = on_told};
    AUTO_BUF struct buf signature = BUF_MAX(256);
    struct notifier *n = t->notifier;
    char body[200], seconds[24];
    int len = snprintf(body, sizeof body, "{\"run\":\"%s\",\"state\":\"%s\"}",
                       t->run, t->state);
    snprintf(seconds, sizeof seconds, "%lld",
             (long long)(clock_wall_ns() / 1000000000));
    if (sign(n, t->run, seconds, body, &signature, e)) return -1;
    const struct http_header headers[] = {
        {"content-type", "application/json"},
        {"webhook-id", t->run},
        {"webhook-timestamp", seconds},
        {signature.len ? "webhook-signature" : NULL, buf_text(&signature)},
        {NULL, NULL}};
    struct request_spec spec = {
        .method = "POST",
        .url = t->url,
        .headers = headers,
        .body = {body, (size_t)len},
        .answer_max = 64 * 1024,
        .timeout_ns = (int64_t)20 * 1000000000,
        .guard = is_named(n, t->url) ? NULL : guard_public_only,
        .events = &events,
        .data = t};
    t->request = client_start(n->config.http, &spec, e);
    return t->request ? 0 : -1;
}

static void begin(struct telling *t) {
    struct err e;
    t->tries++;
    if (put_back(t, clock_wall_ns() / 1000000 + CLAIM_MS, &e) || post(t, &e))
        give_up(t, e.text);
}

/* -- looking ------------------------------------------------------------------
 */

static struct telling *free_place(struct notifier *n) {
    for (size_t i = 0; i < AT_ONCE; i++)
        if (!n->now[i].url) return &n->now[i];
    return NULL;
}

static bool is_going(const struct notifier *n, str run) {
    for (size_t i = 0; i < AT_ONCE; i++)
        if (n->now[i].url && str_is(run, n->now[i].run)) return true;
    return false;
}

/* A place is filled; the request begins when the store is not being read. */
static int take(void *data, str key, str value, struct err *e) {
    struct notifier *n = data;
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    struct telling *t = free_place(n);
    const struct json *v;
    if (!t) return 1;
    if (key.n >= STORE_ID || is_going(n, key) ||
        json_parse(value, NULL, &a, &v, e) ||
        json_get_int(v, "due", 0) > clock_wall_ns() / 1000000)
        return 0;
    str url = json_get_text(v, "url", STR(""));
    t->url = mem_dup(url.p, url.n, e);
    if (!t->url) return -1;
    t->notifier = n;
    t->tries = json_get_int(v, "tries", 0);
    snprintf(t->run, sizeof t->run, "%.*s", STR_ARG(key));
    snprintf(t->state, sizeof t->state, "%.*s",
             STR_ARG(json_get_text(v, "state", STR(""))));
    return 0;
}

static void on_look(struct io_timer *timer) {
    struct notifier *n = timer->data;
    struct err e;
    (void)store_each(n->config.store, "notify", take, n, &e);
    for (size_t i = 0; i < AT_ONCE; i++)
        if (n->now[i].url && !n->now[i].request) begin(&n->now[i]);
    (void)loop_timer(n->config.loop, timer, LOOK_NS, &e);
}

struct notifier *notifier_new(const struct notifier_config *config,
                              struct err *e) {
    struct notifier *n = mem_zalloc(1, sizeof *n, e);
    if (!n) return NULL;
    n->config = *config;
    n->key = BUF_MAX(SECRET_MAX);
    n->timer = (struct io_timer){.fn = on_look, .data = n};
    if (loop_timer(config->loop, &n->timer, LOOK_NS, e) == 0) return n;
    mem_free(n);
    return NULL;
}

void notifier_hosts(struct notifier *n, const struct json *hosts) {
    n->config.hosts = hosts;
}

static void wipe(struct buf *b) {
    if (b->len) mem_wipe(b->data, b->len);
    buf_fini(b);
}

int notifier_secret(struct notifier *n, str secret, struct err *e) {
    struct buf key = BUF_MAX(SECRET_MAX);
    bool coded = str_starts(secret, STR("whsec_"));
    int status = coded ? base64_decode(str_sub(secret, 6, secret.n), &key, e)
                       : buf_add_str(&key, secret, e);
    if (status == 0 && key.len && key.len < SECRET_LEAST)
        status =
            fail(e, ERR_INVALID, "too short: %d bytes at least", SECRET_LEAST);
    if (status) {
        wipe(&key);
        return -1;
    }
    wipe(&n->key);
    n->key = key;
    return 0;
}

void notifier_free(struct notifier *n) {
    if (!n) return;
    loop_timer_stop(&n->timer);
    for (size_t i = 0; i < AT_ONCE; i++) {
        if (n->now[i].request) request_cancel(n->now[i].request);
        mem_free(n->now[i].url);
    }
    wipe(&n->key);
    mem_free(n);
}
