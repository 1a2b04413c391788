/* SPDX-License-Identifier: MIT
 *
 * What the app gets in the end: the server's own bytes, an answer put together
 * here, or an error in the shape its API has for errors.
 */
#include "gateway/proxy_job.h"
#include "json/write.h"

#include <stdio.h>
#include <string.h>

#define OUT_BYTES ((size_t)128 << 20)

static const char *error_type(unsigned status) {
    if (status == 401 || status == 403) return "authentication_error";
    if (status == 429) return "rate_limit_error";
    return status < 500 ? "invalid_request_error" : "api_error";
}

static int error_body(const struct job *j, unsigned status, str code,
                      str message, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    if (j->api == API_ANTHROPIC) jw_put_text(&w, "type", STR("error"));
    jw_key(&w, "error");
    jw_object(&w);
    jw_put_text(&w, "type", str_of(error_type(status)));
    jw_put_text(&w, "message", message);
    if (j->api != API_ANTHROPIC) {
        jw_put_text(&w, "code", code);
        jw_key(&w, "param"), jw_null(&w);
    }
    jw_end_object(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

/* Errors that will not go away by asking again say so to the client's SDK. */
static void send_error(struct job *j, unsigned status, str code, str message,
                       const char *retry_after) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct http_header headers[4] = {{"Content-Type", "application/json"}};
    struct err e;
    size_t n = 1;
    if (retry_after)
        headers[n++] = (struct http_header){"Retry-After", retry_after};
    if (status >= 500 && str_is(code, "invalid_tool_call"))
        headers[n++] = (struct http_header){"x-should-retry", "false"};
    struct exchange *x = job_take_exchange(j);
    if (!x) return;
    if (error_body(j, status, code, message, &out, &e) ||
        exchange_answer(x, status, headers, buf_str(&out), &e))
        exchange_end(x);
}

static void end_stream_with(struct job *j, str code, str message) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct model_error error = {.code = code, .message = message};
    struct err e;
    struct exchange *x = job_take_exchange(j);
    if (!x) return;
    if (emit_error(&j->emit, &error, &out, &e) ||
        exchange_send(x, buf_str(&out), &e))
        exchange_cut(x);
    else
        exchange_end(x);
}

void job_fail(struct job *j, unsigned status, const char *code,
              const char *message) {
    char wait[24];
    j->proxy->ledger->counts.failed++;
    snprintf(wait, sizeof wait, "%lld", (long long)j->wait_s);
    if (j->opened)
        end_stream_with(j, str_of(code), str_of(message));
    else if (j->x)
        send_error(j, status, str_of(code), str_of(message),
                   j->wait_s > 0 ? wait : NULL);
    job_free(j);
}

/* Its own words where the app knows them, translated where not. */
void job_server_error(struct job *j, const struct model_answer *m) {
    unsigned status = turn_status(j->turn);
    str body = turn_body(j->turn), after = turn_header(j->turn, "retry-after");
    struct http_header headers[3] = {{"Content-Type", "application/json"}};
    struct err e;
    str code = m->error.code.n > 0 ? m->error.code : STR("upstream_error");
    j->proxy->ledger->counts.failed++;
    if (status < 400) status = 502;
    if (after.p) headers[1] = (struct http_header){"Retry-After", after.p};
    if (j->opened) {
        end_stream_with(j, code, m->error.message);
    } else if (!j->same || body.n == 0 || body.p[0] != '{') {
        send_error(j, status, code, m->error.message, after.p);
    } else {
        struct exchange *x = job_take_exchange(j);
        if (exchange_answer(x, status, headers, body, &e)) exchange_end(x);
    }
    job_free(j);
}

/* -- attempts and rounds -----------------------------------------------------
 */

static bool is_text(const struct job *j, const struct part *p) {
    return p->kind == PART_TEXT || p->kind == PART_REFUSAL ||
           (p->kind == PART_THINKING && j->api == API_CHAT);
}

static bool is_other(const struct job *j, const struct part *p) {
    return !is_text(j, p) && p->kind != PART_CALL;
}

static int put_before(struct job *j, str text, struct part *p, struct err *e) {
    char *joined = arena_alloc(&j->arena, text.n + p->text.n + 1, e);
    if (!joined) return -1;
    memcpy(joined, text.p, text.n);
    memcpy(joined + text.n, p->text.p, p->text.n);
    p->text = (str){joined, text.n + p->text.n};
    return 0;
}

/* What is said after calls of our own is a paragraph of its own; a part with
 * nothing but the gap would be one that APIs refuse. */
static int set_apart(struct job *j, struct part *p, struct err *e) {
    if (!j->gap || p->kind != PART_TEXT || p->text.n == 0) return 0;
    j->gap = false;
    return put_before(j, STR(JOB_GAP), p, e);
}

/* Items of text that the app sees as the server wrote them have the server's
 * ids; those that are written here get others. */
static bool has_own_ids(const struct job *j) {
    return job_is_verbatim(j) && !j->rewritten &&
           (j->opened || !j->wants_stream);
}

/* Text that goes on in the block that text before it is in, as in a stream. */
static bool goes_on(const struct job *j, const struct part *p) {
    bool own = p->api == j->api && (p->native || p->inner);
    return p->kind == PART_TEXT && !own;
}

static int copy_part(struct job *j, const struct part *p, struct part_list *to,
                     struct err *e) {
    struct part copy = *p, *last = to->last;
    copy.next = NULL;
    if (is_text(j, p) && j->api == API_RESPONSES && !has_own_ids(j))
        copy.native = copy.inner = NULL;
    if (is_text(j, p) && set_apart(j, &copy, e)) return -1;
    if (last && goes_on(j, last) && goes_on(j, &copy)) {
        if (put_before(j, last->text, &copy, e)) return -1;
        last->text = copy.text;
        return 0;
    }
    return part_copy(&copy, to, &j->arena, e) ? 0 : -1;
}

static int copy_parts(struct job *j, const struct part_list *from, bool text,
                      struct part_list *to, struct err *e) {
    for (const struct part *p = from->first; p; p = p->next) {
        bool foreign = is_other(j, p) && p->api != j->api;
        if ((is_text(j, p) ? text : !foreign) && copy_part(j, p, to, e))
            return -1;
    }
    return 0;
}

/* The app has read the text of the first attempt: it stays, and the text of
 * the last is left out where that makes calls. What was said between calls of
 * our own stays in any case. */
static int join_attempts(struct job *j, struct model_answer *m, struct err *e) {
    bool calls = next_call(&m->parts, NULL) != NULL;
    bool kept = j->rounds > 0 || j->passed[0] + j->passed[1] > 0;
    j->rewritten = j->asked > 0 && j->wants_stream;
    struct part_list all = kept ? j->first : (struct part_list){0};
    bool text = !kept || !calls || j->asked == 0;
    if (copy_parts(j, &m->parts, text, &all, e)) return -1;
    m->parts = all;
    return 0;
}

/* Can what is neither text nor call go to the app, and come back from it? */
static bool has_others(const struct job *j) {
    return j->same && (j->api == API_ANTHROPIC || j->api == API_RESPONSES);
}

/* Messages wants an answer with calls to begin with its thought, whatever that
 * led to. Responses wants a thought to be followed by what it led to: one that
 * led to a call of our own, which the app never sees, stays here. */
int job_keep_round(struct job *j, const struct part_list *said, struct err *e) {
    const struct part *last = NULL;
    for (const struct part *p = said->first; p; p = p->next)
        if (is_text(j, p) || j->api == API_ANTHROPIC) last = p;
    bool others = has_others(j);
    for (const struct part *p = said->first; p && last; p = p->next) {
        bool kept = is_text(j, p) || (others && p->kind != PART_CALL);
        if (kept && copy_part(j, p, &j->first, e)) return -1;
        if (p == last) break;
    }
    return 0;
}

/* -- whole ------------------------------------------------------------------
 */

static void answer_whole(struct job *j, const struct model_answer *m,
                         bool changed) {
    static const struct http_header json[] = {
        {"Content-Type", "application/json"}, {NULL, NULL}};
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct err e;
    str body = turn_body(j->turn);
    bool verbatim = j->same && !changed && body.n > 0;
    struct model_answer told = *m;
    if (!verbatim && (join_attempts(j, &told, &e) ||
                      answer_encode(j->api, &told, &out, &e))) {
        job_fail(j, 502, "upstream_error", e.text);
        return;
    }
    struct exchange *x = job_take_exchange(j);
    if (exchange_answer(x, 200, json, verbatim ? body : buf_str(&out), &e))
        exchange_end(x);
    job_free(j);
}

/* -- streamed ---------------------------------------------------------------
 */

/* Takes up where the server's own events left off. */
static int take_up(struct job *j, const struct model_answer *m, struct buf *out,
                   struct err *e) {
    bool mid = j->same && j->opened;
    if (j->emitting) return 0;
    j->emitting = true;
    if (!mid) return emit_begin(&j->emit, m, out, e);
    AUTO_BUF struct buf unsent = BUF_MAX((size_t)1 << 20);
    if (emit_begin(&j->emit, m, &unsent, e)) return -1;
    j->emit.index = j->parts_passed;
    j->emit.number = j->events_passed;
    for (const struct part *p = j->first.first; p; p = p->next)
        j->others_out += is_other(j, p);
    return 0;
}

/* Those that are not out yet; *at counts them through all lists. */
static int emit_others(struct job *j, const struct part_list *in, size_t *at,
                       struct err *e) {
    for (const struct part *p = in->first; p; p = p->next) {
        if (!is_other(j, p) || (*at)++ < j->others_out) continue;
        j->others_out++;
        if (emit_part(&j->emit, p, &j->held, e)) return -1;
    }
    return 0;
}

int job_emit_before(struct job *j, struct err *e) {
    struct model_answer m;
    size_t at = 0, begun = turn_parts(j->turn);
    if (!has_others(j) || begun == j->parts_seen) return 0;
    j->parts_seen = begun;
    return turn_heard(j->turn, &j->arena, &m, e) ||
                   emit_others(j, &j->first, &at, e) ||
                   emit_others(j, &m.parts, &at, e)
               ? -1
               : 0;
}

/* The rest of a text of which some was passed on already. */
static int emit_rest(struct job *j, const struct part *p, struct buf *out,
                     struct err *e) {
    size_t *passed = &j->passed[p->kind == PART_THINKING];
    size_t skip = *passed < p->text.n ? *passed : p->text.n;
    *passed -= skip;
    return emit_text(&j->emit, p->kind, str_sub(p->text, skip, p->text.n), out,
                     e);
}

static int emit_parts(struct job *j, const struct model_answer *m,
                      struct buf *out, struct err *e) {
    /* those before a call are out, if this is the answer that was passed on */
    bool before = job_is_verbatim(j) && j->opened && j->asked == 0;
    size_t at = 0;
    for (const struct part *p = m->parts.first; p; p = p->next) {
        if (p->kind == PART_CALL) before = false;
        bool told = is_other(j, p) && (before || at++ < j->others_out);
        if (told) continue;
        if (is_text(j, p) ? emit_rest(j, p, out, e)
                          : emit_part(&j->emit, p, out, e))
            return -1;
    }
    return emit_end(&j->emit, m, out, e);
}

int job_take_up(struct job *j, const struct model_answer *m, struct err *e) {
    struct model_answer head = *m; /* the turn it came from will be gone */
    buf_truncate(&j->held, 0);
    if (!j->opened) return 0;
    if (arena_dup(&j->arena, m->id, &head.id, e) ||
        arena_dup(&j->arena, m->model, &head.model, e))
        return -1;
    return take_up(j, &head, &j->held, e);
}

static int put_together(struct job *j, const struct model_answer *m,
                        struct err *e) {
    struct model_answer told = *m;
    buf_truncate(&j->held, 0);
    if (take_up(j, m, &j->held, e) || join_attempts(j, &told, e)) return -1;
    told.id = j->emit.head.id; /* the one its first event had */
    return emit_parts(j, &told, &j->held, e);
}

static int open_late(struct job *j, struct err *e) {
    static const struct http_header headers[] = {
        {"Content-Type", "text/event-stream; charset=utf-8"},
        {"Cache-Control", "no-cache"},
        {NULL, NULL}};
    if (j->opened) return 0;
    if (exchange_stream(j->x, 200, headers, OUT_BYTES, e)) return -1;
    j->opened = true;
    return 0;
}

static void answer_stream(struct job *j, const struct model_answer *m,
                          bool changed) {
    struct err e;
    bool verbatim =
        j->same && !changed && !j->lost && turn_events_read(j->turn) > 0;
    bool opened = j->opened;
    if (j->lost && opened) {
        job_cut(j);
        return;
    }
    if ((!verbatim && put_together(j, m, &e)) || open_late(j, &e)) {
        j->opened = opened;
        job_fail(j, 502, "upstream_error", e.text);
        return;
    }
    if (exchange_send(j->x, buf_str(&j->held), &e)) {
        job_cut(j);
        return;
    }
    exchange_end(job_take_exchange(j));
    job_free(j);
}

void job_answer(struct job *j, const struct model_answer *m, bool changed) {
    if (j->wants_stream)
        answer_stream(j, m, changed);
    else
        answer_whole(j, m, changed);
}
