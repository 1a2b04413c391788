/* SPDX-License-Identifier: MIT
 *
 * One request to a model server and its answer.
 */
#include "agent/alias.h"
#include "agent/provider.h"
#include "agent/stream.h"
#include "agent/wire.h"
#include "audit/audit.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "io/url.h"
#include "json/build.h"

#define BODY_BYTES ((size_t)64 << 20)
#define TREE_BYTES ((size_t)512 << 20)
#define ROW_BYTES  ((size_t)1 << 20)
#define NAME_BYTES 256 /* of a name in the record */

struct turn {
    struct client *client;
    struct loop *loop;
    struct model_config config; /* strings in the arena */
    const struct turn_events *events;
    void *data;
    struct arena arena; /* the request's, for all attempts */
    struct arena heard; /* the answer's */
    const char *url;
    const struct http_header *headers;
    struct buf body;
    bool stream;
    int attempt;
    struct request *request; /* NULL between attempts */
    struct io_timer timer;   /* until the next attempt */
    struct io_task end;      /* done is called from the loop */
    struct stream *reader;   /* of a streamed answer */
    struct buf answer;       /* of any other */
    unsigned status;
    struct buf raw; /* an event that is not over yet */
    bool in_line;   /* its last line has begun */
    bool passed_on; /* the caller has seen some of the answer */
    struct err err;
    bool failed;
    struct model_answer m;
    struct aliases names; /* that the vendor does not take */
    int64_t began;        /* mono ns */
    bool recorded;
    struct http_header kept[6]; /* headers worth knowing; values in heard */
};

static const char *const kept_names[] = {
    "retry-after",  "retry-after-ms", "x-should-retry",
    "content-type", "request-id",     "x-request-id",
};

static int start(struct turn *t, struct err *e);

/* -- the record -------------------------------------------------------------
 */

/* A name, however long: no row is lost for the sake of one. */
static void put_name(struct json_build *b, const char *key, str name) {
    str begin = str_sub(name, 0, NAME_BYTES);
    begin.n = utf8_valid(begin.p, begin.n);
    build_put_text(b, key, begin);
}

/* Who was asked and how much, neither the key nor the words. */
static void put_request(const struct turn *t, struct json_build *b) {
    struct url u;
    struct err e;
    build_put_text(b, "by", str_of(t->config.by));
    if (t->config.of.n) put_name(b, "of", t->config.of);
    put_name(b, "model", t->config.model);
    if (t->url && url_parse(str_of(t->url), &u, &e) == 0)
        put_name(b, "host", u.host);
    build_put_int(b, "bytes", (int64_t)t->body.len);
}

/* A request that cannot be written down does not leave this machine. */
static int announce(struct turn *t, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROW_BYTES);
    struct json_build b = JSON_BUILD(&a);
    const struct json *data;
    if (t->config.audit) {
        build_object(&b);
        put_request(t, &b);
        build_end(&b);
        if (build_done(&b, &data, e) || audit_ready(t->config.audit, e) ||
            audit_add(t->config.audit, "model.start", data, e))
            return fail_while(e, "the model is not asked");
    }
    t->began = clock_mono_ns();
    return 0;
}

static void record(struct turn *t, const char *status) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROW_BYTES);
    struct json_build b = JSON_BUILD(&a);
    const struct json *data;
    struct err e;
    if (!t->config.audit || t->recorded || !t->began) return;
    t->recorded = true;
    build_object(&b);
    put_request(t, &b);
    build_put_text(&b, "status", str_of(status));
    if (t->failed) build_put_text(&b, "error", str_of(t->err.text));
    if (t->m.usage.input > 0)
        build_put_int(&b, "input_tokens", t->m.usage.input);
    if (t->m.usage.output > 0)
        build_put_int(&b, "output_tokens", t->m.usage.output);
    build_put_int(&b, "attempts", t->attempt + 1);
    build_put_int(&b, "us", (clock_mono_ns() - t->began) / 1000);
    build_end(&b);
    if (build_done(&b, &data, &e) ||
        audit_add(t->config.audit, "model", data, &e))
        audit_lost(t->config.audit);
}

/* -- the end ----------------------------------------------------------------
 */

static void call_done(struct io_task *task) {
    struct turn *t = task->data;
    record(t, t->failed ? "failed" : "done");
    if (t->failed)
        t->events->done(t->data, NULL, &t->err);
    else
        t->events->done(t->data, &t->m, NULL);
}

/* Told from the loop: the caller may free the turn there. */
static void end(struct turn *t, const struct err *e) {
    if (e) {
        t->failed = true;
        t->err = *e;
    }
    t->end.fn = call_done;
    t->end.data = t;
    loop_post(t->loop, &t->end);
}

static int read_whole(struct turn *t, struct err *e) {
    const struct json *v;
    if (json_parse(buf_str(&t->answer), NULL, &t->heard, &v, e) ||
        answer_decode(t->config.vendor->api, v, &t->heard, &t->m, e)) {
        if (e->kind != ERR_MEMORY) e->kind = ERR_PEER;
        return fail_while(e, "answer with status %u", t->status);
    }
    return 0;
}

/* An error of which only the status makes sense. */
static int read_error(struct turn *t, struct err *e) {
    if (read_whole(t, e) == 0 && t->m.stop == STOP_ERROR) return 0;
    t->m = (struct model_answer){.api = t->config.vendor->api,
                                 .usage = USAGE_UNSAID,
                                 .stop = STOP_ERROR};
    char *text = arena_printf(&t->heard, e,
                              "the server answered with status "
                              "%u",
                              t->status);
    if (!text) return -1;
    t->m.error.message = str_of(text);
    return 0;
}

static int read_answer(struct turn *t, struct err *e) {
    if (t->status >= 400) return read_error(t, e);
    if (t->reader ? stream_answer(t->reader, &t->heard, &t->m, e)
                  : read_whole(t, e))
        return -1;
    alias_answer(&t->names, &t->m);
    return 0;
}

/* -- trying again -----------------------------------------------------------
 */

static void again(struct io_timer *timer) {
    struct turn *t = timer->data;
    struct err e;
    if (start(t, &e)) end(t, &e);
}

static void forget_answer(struct turn *t) {
    stream_free(t->reader);
    t->reader = NULL;
    buf_truncate(&t->answer, 0);
    buf_truncate(&t->raw, 0);
    t->in_line = false;
    arena_fini(&t->heard);
    for (size_t i = 0; i < 6; i++)
        t->kept[i].value = NULL;
}

/* True when another attempt will be made. */
static bool try_again(struct turn *t, const struct err *why) {
    struct err e;
    bool cut =
        t->reader && (!t->reader->ended || t->reader->head.stop == STOP_ERROR);
    bool trouble = why || t->status >= 400 || cut;
    if (!trouble || t->passed_on) return false;
    int64_t wait = provider_wait(
        &t->config, why || cut ? 0 : t->status, turn_header(t, "retry-after"),
        turn_header(t, "retry-after-ms"), turn_header(t, "x-should-retry"),
        t->reader ? t->reader->head.error.code : buf_str(&t->answer),
        t->attempt);
    if (wait < 0) return false;
    if (why)
        e = *why;
    else if (cut)
        err_set(&e, ERR_PEER, "the stream ended too early");
    else
        err_set(&e, ERR_PEER, "status %u", t->status);
    if (t->events->retry) t->events->retry(t->data, e.text, wait);
    forget_answer(t);
    t->attempt++;
    t->timer = (struct io_timer){.fn = again, .data = t};
    return loop_timer(t->loop, &t->timer, wait, &e) == 0;
}

/* -- one attempt ------------------------------------------------------------
 */

static void keep_headers(struct turn *t, struct request *r) {
    struct err e;
    for (size_t i = 0; i < 6; i++) {
        str value = request_header(r, kept_names[i]);
        t->kept[i].name = kept_names[i];
        t->kept[i].value = value.p ? arena_text(&t->heard, value, &e) : NULL;
    }
}

static void pass_on(void *data, enum part_kind kind, str text) {
    struct turn *t = data;
    t->passed_on = true;
    if (t->events->delta) t->events->delta(t->data, kind, text);
}

static void on_headers(void *data, struct request *r, unsigned status) {
    struct turn *t = data;
    struct stream_sink sink = {pass_on, t};
    t->status = status;
    keep_headers(t, r);
    str type = turn_header(t, "content-type");
    bool page = str_starts(type, STR("text/html")); /* somebody in between */
    if (status < 400 && t->stream && !page &&
        !str_starts(type, STR("application/json")))
        t->reader = stream_new(t->config.vendor->api, &sink, &t->err);
}

/* One event, with the empty line after it. */
static int take_raw(struct turn *t) {
    if (t->raw.len == 0) return 0;
    if (stream_feed(t->reader, buf_str(&t->raw), &t->err)) return -1;
    if (t->events->event)
        t->events->event(t->data, buf_str(&t->raw),
                         !stream_past_text(t->reader));
    buf_truncate(&t->raw, 0);
    return 0;
}

static bool has_text(str line) {
    size_t i = 0;
    while (i < line.n && line.p[i] == '\r')
        i++;
    return i < line.n;
}

/* Cuts the bytes where an empty line ends an event. */
static int feed(struct turn *t, str piece) {
    while (piece.n > 0) {
        ptrdiff_t lf = str_find_char(piece, '\n');
        size_t n = lf < 0 ? piece.n : (size_t)lf + 1;
        str line = str_sub(piece, 0, lf < 0 ? n : n - 1);
        bool text = t->in_line || has_text(line);
        if (buf_add(&t->raw, piece.p, n, &t->err) ||
            (lf >= 0 && !text && take_raw(t)))
            return -1;
        t->in_line = lf < 0 && text;
        piece = str_sub(piece, n, piece.n);
    }
    return 0;
}

static int on_body(void *data, struct request *r, str piece) {
    struct turn *t = data;
    (void)r;
    int result =
        t->reader ? feed(t, piece) : buf_add_str(&t->answer, piece, &t->err);
    if (result) t->failed = true;
    return result;
}

static void on_done(void *data, struct request *r, const struct err *e) {
    struct turn *t = data;
    struct err why;
    (void)r;
    t->request = NULL;
    if (t->failed) { /* our reader gave up: say what it said */
        t->failed = false;
        why = t->err;
        why.kind = ERR_PEER;
        e = &why;
    }
    if (!e && t->reader) {
        (void)take_raw(t); /* half an event says nothing */
        stream_close(t->reader);
    }
    /* a cut stream is read as far as it went: it says itself that it was cut */
    if (e && t->reader && t->reader->ended) e = NULL;
    if (try_again(t, e)) return;
    if (!e && read_answer(t, &why)) e = &why;
    end(t, e);
}

static const struct request_events turn_request_events = {
    .headers = on_headers,
    .body = on_body,
    .done = on_done,
};

static const char *text_or_null(const char *text) {
    return text && *text ? text : NULL;
}

static int start(struct turn *t, struct err *e) {
    const struct model_config *c = &t->config;
    struct request_spec spec = {
        .method = "POST",
        .url = t->url,
        .headers = t->headers,
        .body = buf_str(&t->body),
        .timeout_ns = c->timeout_ns ? c->timeout_ns : PROVIDER_TIMEOUT,
        .idle_ns = c->idle_ns ? c->idle_ns : PROVIDER_IDLE,
        .proxy = text_or_null(c->proxy.p),
        .ca_file = text_or_null(c->ca_file.p),
        .events = &turn_request_events,
        .data = t,
    };
    t->status = 0;
    t->request = client_start(t->client, &spec, e);
    return t->request ? 0 : -1;
}

/* -- the life of a turn -----------------------------------------------------
 */

static int copy_config(struct turn *t, const struct model_config *c,
                       struct err *e) {
    struct arena *a = &t->arena;
    t->config = *c;
    t->config.headers = NULL;
    t->config.temperature = NULL;
    if (arena_dup(a, c->model, &t->config.model, e) ||
        arena_dup(a, c->proxy, &t->config.proxy, e) ||
        arena_dup(a, c->ca_file, &t->config.ca_file, e) ||
        arena_dup(a, c->of, &t->config.of, e))
        return -1;
    if (!t->config.by) t->config.by = "loop";
    return 0;
}

static int prepare(struct turn *t, const struct model_config *c,
                   const struct model_request *q, struct err *e) {
    AUTO_BUF struct buf url = BUF_MAX(8192);
    const struct http_header *h;
    struct model_request known;
    if (alias_request(c->vendor, q, &t->arena, &known, &t->names, e) ||
        copy_config(t, c, e) || provider_url(c, NULL, q->stream, &url, e) ||
        provider_headers(c, &t->arena, &h, e) ||
        request_encode(c->vendor, &known, &t->body, e))
        return -1;
    t->url = arena_text(&t->arena, buf_str(&url), e);
    t->headers = h; /* client_start copies them at each attempt */
    return t->url ? 0 : -1;
}

/* Headers of the config outlive the turn's attempts only as copies. */
static int copy_headers(struct turn *t, struct err *e) {
    size_t n = 0;
    while (t->headers[n].name)
        n++;
    struct http_header *h = arena_zalloc(&t->arena, n + 1, sizeof *h, e);
    for (size_t i = 0; h && i < n; i++) {
        h[i].name = arena_text(&t->arena, str_of(t->headers[i].name), e);
        h[i].value = arena_text(&t->arena, str_of(t->headers[i].value), e);
        if (!h[i].name || !h[i].value) return -1;
    }
    t->headers = h;
    return h ? 0 : -1;
}

struct turn *turn_start(struct client *client, struct loop *loop,
                        const struct model_config *config,
                        const struct model_request *q,
                        const struct turn_events *events, void *data,
                        struct err *e) {
    struct turn *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return NULL;
    t->client = client;
    t->loop = loop;
    t->events = events;
    t->data = data;
    t->stream = q->stream;
    t->arena = t->heard = ARENA_MAX(TREE_BYTES);
    t->body = t->answer = t->raw = BUF_MAX(BODY_BYTES);
    if (prepare(t, config, q, e) || copy_headers(t, e) || announce(t, e) ||
        start(t, e)) {
        t->failed = true;
        t->err = *e;
        record(t, "failed");
        turn_free(t);
        return NULL;
    }
    return t;
}

void turn_free(struct turn *t) {
    if (!t) return;
    record(t, "cancelled");
    if (t->request) request_cancel(t->request);
    loop_timer_stop(&t->timer);
    loop_unpost(t->loop, &t->end);
    stream_free(t->reader);
    buf_fini(&t->body);
    buf_fini(&t->answer);
    buf_fini(&t->raw);
    arena_fini(&t->arena);
    arena_fini(&t->heard);
    mem_free(t);
}

unsigned turn_status(const struct turn *t) {
    return t->status;
}

str turn_header(const struct turn *t, const char *name) {
    for (size_t i = 0; i < 6; i++)
        if (t->kept[i].value && str_is(str_of(name), t->kept[i].name))
            return str_of(t->kept[i].value);
    return (str){NULL, 0};
}

size_t turn_events_read(const struct turn *t) {
    return t->reader ? t->reader->events : 0;
}

size_t turn_parts(const struct turn *t) {
    return t->reader ? t->reader->count : 0;
}

bool turn_in_text(const struct turn *t) {
    const struct stream *s = t->reader;
    enum part_kind kind =
        s && s->count > 0 ? s->slots[s->count - 1]->kind : PART_OPAQUE;
    return kind == PART_TEXT || kind == PART_REFUSAL;
}

int turn_heard(const struct turn *t, struct arena *a, struct model_answer *out,
               struct err *e) {
    if (t->reader) return stream_answer(t->reader, a, out, e);
    *out = (struct model_answer){.usage = USAGE_UNSAID};
    return 0;
}

bool turn_odd(const struct turn *t) {
    return t->names.count > 0 || (t->reader && t->reader->odd);
}

str turn_body(const struct turn *t) {
    return buf_str(&t->answer);
}
