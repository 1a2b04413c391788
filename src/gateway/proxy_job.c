/* SPDX-License-Identifier: MIT
 *
 * From the first question to an answer that makes sense: asking the model,
 * passing its text on, looking at its calls, asking again.
 */
#include "gateway/proxy_job.h"

#include "agent/shape.h"
#include "base/hash.h"
#include "base/mem.h"
#include "json/build.h"
#include "json/write.h"

#define PING ((int64_t)15 * 1000000000)
#define BACKLOG \
    ((size_t)8 << 20) /* a client this far behind loses its stream */

struct exchange *job_take_exchange(struct job *j) {
    struct exchange *x = j->x;
    if (x) exchange_on_gone(x, NULL, NULL);
    j->x = NULL;
    return x;
}

void job_free(struct job *j) {
    struct exchange *x = job_take_exchange(j);
    if (x && j->opened)
        exchange_cut(x);
    else if (x)
        exchange_end(x);
    loop_timer_stop(&j->ping);
    select_unwait(&j->chosen);
    own_fini(j);
    turn_free(j->turn);
    toolset_drop(j->set);
    recall_drop(j->known);
    emit_fini(&j->emit);
    textcall_fini(&j->reader);
    buf_fini(&j->held);
    arena_fini(&j->arena);
    *j->link = j->next;
    if (j->next) j->next->link = j->link;
    mem_free(j);
}

/* -- passing text on --------------------------------------------------------
 */

static void ping(struct io_timer *t) {
    struct job *j = t->data;
    struct err e;
    if (exchange_send(j->x, STR(": ping\n\n"), &e) ||
        loop_timer(j->proxy->config.loop, t, PING, &e))
        job_free(j);
}

static int open_stream(struct job *j, struct err *e) {
    static const struct http_header headers[] = {
        {"Content-Type", "text/event-stream; charset=utf-8"},
        {"Cache-Control", "no-cache"},
        {"X-Accel-Buffering", "no"},
        {NULL, NULL}};
    if (j->opened) return 0;
    if (exchange_stream(j->x, 200, headers, BACKLOG, e)) return -1;
    j->opened = true;
    j->ping = (struct io_timer){.fn = ping, .data = j};
    return loop_timer(j->proxy->config.loop, &j->ping, PING, e);
}

/* Sends what is held. A client that is gone or too slow is told so by the
 * server; the job ends with its exchange. */
static int flush(struct job *j, struct err *e) {
    if (j->held.len == 0) return 0;
    if (open_stream(j, e) || exchange_send(j->x, buf_str(&j->held), e))
        return -1;
    buf_truncate(&j->held, 0);
    j->passed[0] = j->told[0];
    j->passed[1] = j->told[1];
    return 0;
}

/* Is what comes in meant for the app as it comes? */
static bool is_live(const struct job *j) {
    return j->wants_stream && j->asked == 0;
}

void job_cut(struct job *j) {
    j->proxy->ledger->counts.failed++;
    job_free(j);
}

static void cut(struct io_timer *t) {
    job_cut(t->data);
}

/* A stream that lost something is not ended as if it were whole. Not at once:
 * the turn is in the middle of its own work. */
static void lose(struct job *j) {
    struct err e;
    j->lost = true;
    loop_timer_stop(&j->ping);
    j->ping = (struct io_timer){.fn = cut, .data = j};
    if (j->opened) (void)loop_timer(j->proxy->config.loop, &j->ping, 0, &e);
}

static void on_event(void *data, str raw, bool plain) {
    struct job *j = data;
    struct err e;
    if (!is_live(j) || !job_is_verbatim(j) || j->lost) return;
    if (buf_add_str(&j->held, raw, &e)) {
        lose(j);
        return;
    }
    /* nothing goes out before there is something to say, so that a server that
     * fails at once can be asked again */
    if (!plain || j->told[0] + j->told[1] == 0) return;
    /* a thought that leads to a call of our own is not the app's: see
     * job_keep_round */
    if (j->api == API_RESPONSES && j->ours.count > 0 && !turn_in_text(j->turn))
        return;
    if (flush(j, &e)) {
        lose(j);
        return;
    }
    j->parts_passed = turn_parts(j->turn);
    j->events_passed = turn_events_read(j->turn);
}

static int random_id(struct job *j, const char *prefix, str *out,
                     struct err *e) {
    uint64_t random;
    if (hash_random(&random, sizeof random, e)) return -1;
    char *id = arena_printf(&j->arena, e, "%s%016llx", prefix,
                            (unsigned long long)random);
    if (!id) return -1;
    *out = str_of(id);
    return 0;
}

static int begin_emit(struct job *j, const struct model_answer *head,
                      struct err *e) {
    if (j->emitting) return 0;
    j->emitting = true;
    return emit_begin(&j->emit, head, &j->held, e);
}

static int emit_gap(struct job *j, enum part_kind kind, struct err *e) {
    str gap = STR(JOB_GAP);
    if (!j->gap_due || kind != PART_TEXT) return 0;
    j->gap_due = false;
    j->told[0] += gap.n;
    return emit_text(&j->emit, kind, gap, &j->held, e);
}

/* Text that is the app's to see. */
static int tell(struct job *j, enum part_kind kind, str text, struct err *e) {
    struct model_answer head = {
        .api = j->api, .model = j->q.model, .usage = USAGE_UNSAID};
    j->told[kind == PART_THINKING] += text.n;
    if (job_is_verbatim(j)) return 0; /* the event itself will be passed on */
    if (!j->emitting && random_id(j, "msg_", &head.id, e)) return -1;
    if (begin_emit(j, &head, e) ||
        (kind == PART_TEXT && job_emit_before(j, e)) || emit_gap(j, kind, e) ||
        emit_text(&j->emit, kind, text, &j->held, e))
        return -1;
    return flush(j, e);
}

static int tell_plain(void *data, str text, struct err *e) {
    return tell(data, PART_TEXT, text, e);
}

static const struct textcall_events plain_events = {.text = tell_plain};

static void hear_calls(struct job *j) {
    textcall_fini(&j->reader);
    textcall_begin(&j->reader, (enum textcall)j->upstream.text_format,
                   &j->q.offers, &j->arena, &plain_events, j);
}

/* What cannot be told as it comes is told with the whole answer, or is why
 * there is none. */
static void on_delta(void *data, enum part_kind kind, str text) {
    struct job *j = data;
    bool calls = j->upstream.text_calls;
    struct err e;
    if (!is_live(j)) return;
    if (calls && kind == PART_TEXT)
        (void)textcall_feed(&j->reader, text, &e);
    else if (!calls || textcall_flush(&j->reader, true, &e) == 0)
        (void)tell(j, kind, text, &e);
}

static void on_retry(void *data, const char *why, int64_t wait_ns) {
    struct job *j = data;
    buf_truncate(&j->held, 0);
    hear_calls(j);
    if (j->proxy->config.log)
        log_info(j->proxy->config.log, "model server: %s; again in %lld ms",
                 why, (long long)(wait_ns / 1000000));
}

static void on_done(void *data, const struct model_answer *m,
                    const struct err *e) {
    struct job *j = data;
    struct model_answer read = m ? *m : (struct model_answer){0};
    struct err why;
    if (m && shape_answer(&j->upstream, &j->q.offers, &j->arena, &read, &why))
        job_fail(j, 500, "internal_error", why.text);
    else if (m)
        job_settle(j, &read);
    else
        job_fail(j, e->kind == ERR_TIMEOUT ? 504 : 502, "upstream_error",
                 e->text);
}

const struct turn_events job_turn_events = {
    .delta = on_delta,
    .event = on_event,
    .retry = on_retry,
    .done = on_done,
};

int job_ask(struct job *j, struct err *e) {
    struct turn *old = j->turn;
    const struct proxy_config *c = &j->proxy->config;
    j->q.stream = is_live(j);
    struct model_request q;
    if (shape_request(&j->upstream, &j->q, &j->arena, &q, e)) return -1;
    hear_calls(j);
    j->parts_seen = 0;
    j->turn = turn_start(c->client, c->loop, &j->upstream, &q, &job_turn_events,
                         j, e);
    turn_free(old);
    return j->turn ? 0 : -1;
}

void job_not_asked(struct job *j, const struct err *e) {
    if (e->kind == ERR_SYSTEM)
        job_fail(j, 503, "internal_error", e->text);
    else
        job_fail(j, e->kind == ERR_UNSUPPORTED ? 400 : 502, "upstream_error",
                 e->text);
}

/* -- looking at calls -------------------------------------------------------
 */

#define CALLS 256 /* of one answer: more is no model's honest work */

static bool was_allowed(const struct job *j, str name) {
    const struct choice *c = &j->q.choice;
    if (c->mode == CHOICE_NONE) return false;
    if (c->mode == CHOICE_ONE) return str_eq(c->name, name);
    if (!c->allowed) return true;
    for (size_t i = 0; i < c->allowed_count; i++)
        if (str_eq(c->allowed[i], name)) return true;
    return false;
}

static int vet_one(struct job *j, const struct part *call, struct vetted *out,
                   struct err *e) {
    struct vet_schemas schemas = {toolset_schema, j->set};
    if (vet_call(call, &j->given, j->set ? &schemas : NULL, &j->arena, out, e))
        return -1;
    if (out->code || was_allowed(j, call->name)) return 0;
    out->code = "not_allowed";
    return vet_error(out->code,
                     STR("this tool may not be called now: the request's "
                         "tool_choice says otherwise"),
                     &j->arena, &out->error, e);
}

/* An id of its own for a call that came without, or with another's. */
static int need_id(struct job *j, const struct part_list *in, struct part *p,
                   bool *changed, struct err *e) {
    bool taken = p->id.n == 0;
    for (const struct part *q = in->first; q != p && !taken; q = q->next)
        taken = q->kind == PART_CALL && str_eq(q->id, p->id);
    if (!taken) return 0;
    *changed = true;
    return random_id(j, "call_", &p->id, e);
}

static int set_args(struct job *j, struct part *p, const struct json *args,
                    struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
    if (json_write(args, JSON_COMPACT, &text, e)) return -1;
    p->args = args;
    return arena_dup(&j->arena, buf_str(&text), &p->text, e);
}

/* What a look at an answer's calls found. */
struct look {
    struct model_answer m;      /* as the app shall get it */
    const struct json **errors; /* of each call; NULL: it is fine */
    size_t calls, bad;
    bool changed;
};

static int look_at(struct job *j, struct look *look, struct part *p,
                   struct err *e) {
    struct vetted v;
    if (need_id(j, &look->m.parts, p, &look->changed, e) ||
        vet_one(j, p, &v, e))
        return -1;
    look->errors[look->calls++] = v.error;
    look->bad += v.code != NULL;
    if (v.code || !v.changed) return 0;
    look->changed = true;
    j->proxy->ledger->counts.calls_changed++;
    return set_args(j, p, v.args, e);
}

/* Copies the parts, since some will differ; calls that must not be executed
 * are left out, and all but the first where the app wants one at a time. */
static int look_over(struct job *j, const struct model_answer *m,
                     struct look *look, struct err *e) {
    bool runs = answer_executable(m);
    size_t room = m->parts.count + 1, calls = 0;
    for (const struct part *p = NULL; (p = next_call(&m->parts, p));)
        if (++calls > CALLS)
            return fail(e, ERR_PEER,
                        "the model made more than %d calls at "
                        "once",
                        CALLS);
    *look = (struct look){.m = *m};
    look->m.parts = (struct part_list){0};
    look->errors = arena_zalloc(&j->arena, room, sizeof *look->errors, e);
    if (!look->errors) return -1;
    for (const struct part *from = m->parts.first; from; from = from->next) {
        bool call = from->kind == PART_CALL;
        if (call && (!runs || (j->q.choice.parallel == 0 && look->calls > 0))) {
            look->changed = true;
            continue;
        }
        struct part *p = part_copy(from, &look->m.parts, &j->arena, e);
        if (!p) return -1;
        if (call && look_at(j, look, p, e)) return -1;
    }
    if (m->stop == STOP_CALLS && !runs) look->m.stop = STOP_OTHER;
    j->proxy->ledger->counts.calls += look->calls;
    j->proxy->ledger->counts.calls_refused += look->bad;
    return 0;
}

/* -- asking again -----------------------------------------------------------
 */

struct message *job_remember(struct job *j, const struct model_answer *m,
                             struct err *e) {
    struct model_answer copy;
    if (canon_copy_answer(m, &j->arena, &copy, e)) return NULL;
    return answer_message(&copy, &j->q.messages, &j->arena, e);
}

/* Every call gets its result: what was wrong with it, or that it must be made
 * again because its neighbours were wrong. */
static int add_results(struct job *j, const struct look *look,
                       const struct message *said, struct err *e) {
    struct message *m = messages_add(&j->q.messages, ROLE_USER, &j->arena, e);
    const struct part *call = NULL;
    size_t i = 0;
    if (!m) return -1;
    while ((call = next_call(&said->parts, call))) {
        AUTO_BUF struct buf text = BUF_MAX((size_t)1 << 20);
        const struct json *error = look->errors[i++];
        struct part *r = parts_add(&m->parts, PART_RESULT, &j->arena, e);
        struct part *t =
            r ? parts_add(&r->content, PART_TEXT, &j->arena, e) : NULL;
        if (!t) return -1;
        r->id = call->id;
        r->name = call->name;
        r->failed = true;
        if (error ? json_write(error, JSON_COMPACT, &text, e)
                  : buf_add_text(&text,
                                 "Not executed, because another call of this "
                                 "message was wrong. Make it again.",
                                 e))
            return -1;
        if (arena_dup(&j->arena, buf_str(&text), &t->text, e)) return -1;
    }
    return 0;
}

static bool may_ask_again(struct job *j) {
    if (j->asked >= j->proxy->config.reasks) return false;
    j->asked++;
    j->proxy->ledger->counts.reasked++;
    return true;
}

static int ask_again(struct job *j, const struct look *look, struct err *e) {
    struct message *said = job_remember(j, &look->m, e);
    if (!said || add_results(j, look, said, e)) return -1;
    /* only the first attempt's text was passed on as it came */
    if (j->asked == 1 && job_keep_round(j, &said->parts, e)) return -1;
    usage_sum(&j->before, &look->m.usage);
    return job_ask(j, e);
}

/* Some servers report a model's bad call as an error of the request. */
static int ask_again_after(struct job *j, const struct model_answer *m,
                           struct err *e) {
    str attempt, why;
    char *text;
    if (arena_dup(&j->arena, m->error.attempt, &attempt, e) ||
        arena_dup(&j->arena, m->error.message, &why, e))
        return -1;
    text = arena_printf(&j->arena, e,
                        "That was not a valid tool call: %.*s. Call one of "
                        "the tools with arguments that fit its schema.",
                        STR_ARG(why));
    if (!text ||
        (attempt.n > 0 && !messages_say(&j->q.messages, ROLE_ASSISTANT, attempt,
                                        &j->arena, e)) ||
        !messages_say(&j->q.messages, ROLE_USER, str_of(text), &j->arena, e))
        return -1;
    return job_ask(j, e);
}

static bool is_models_mistake(const struct model_answer *m) {
    return m->stop == STOP_BAD_CALL ||
           (m->stop == STOP_ERROR &&
            (m->error.attempt.n > 0 ||
             str_is(m->error.code, "tool_use_failed")));
}

/* -- the verdict ------------------------------------------------------------
 */

static void count_tokens(struct job *j, const struct model_answer *m) {
    struct proxy_counts *c = &j->proxy->ledger->counts;
    int64_t in = m->usage.input > 0 ? m->usage.input : 0;
    int64_t made = m->usage.output > 0 ? m->usage.output : 0;
    c->input_tokens += (uint64_t)in;
    c->output_tokens += (uint64_t)made;
    if (j->key) j->key->tokens += in + made;
}

static void refuse(struct job *j, const struct look *look) {
    AUTO_BUF struct buf text = BUF_MAX(4096);
    struct err e;
    const struct json *error = NULL;
    for (size_t i = 0; i < look->calls && !error; i++)
        error = look->errors[i];
    str why = json_get_text(json_get(error, "error"), "message",
                            STR("it makes no sense"));
    if (buf_addf(&text, &e,
                 "the model's tool call was not valid, also when asked again "
                 "%d times: %.*s",
                 j->asked, (int)(why.n < 500 ? why.n : 500), why.p))
        buf_truncate(&text, 0);
    job_fail(j, 502, "invalid_tool_call", buf_text(&text));
}

static size_t count_own(const struct job *j, const struct model_answer *m) {
    size_t n = 0;
    for (const struct part *p = NULL; (p = next_call(&m->parts, p));)
        n += own_has(j, p->name);
    return n;
}

/* Calls of both kinds in one answer: the app's come first. The model will ask
 * for the others again when it has those results. */
static int leave_out_own(struct job *j, struct look *look, struct err *e) {
    struct part_list rest = {0};
    for (const struct part *p = look->m.parts.first; p; p = p->next) {
        if (p->kind == PART_CALL && own_has(j, p->name)) continue;
        if (!part_copy(p, &rest, &j->arena, e)) return -1;
    }
    look->m.parts = rest;
    look->changed = true;
    return 0;
}

/* Every call makes sense. */
static int go_on(struct job *j, struct look *look, struct err *e) {
    size_t own = count_own(j, &look->m);
    if (own > 0 && own == look->calls) return own_begin(j, &look->m, e);
    if (own > 0 && leave_out_own(j, look, e)) return -1;
    usage_sum(&look->m.usage, &j->before);
    if (j->before.input >= 0) look->m.usage_native = NULL;
    job_answer(j, &look->m,
               look->changed || j->asked > 0 || j->rounds > 0 ||
                   j->upstream.text_calls || turn_odd(j->turn));
    return 0;
}

void job_settle(struct job *j, const struct model_answer *m) {
    struct look look;
    struct err e;
    count_tokens(j, m);
    if (is_models_mistake(m) && may_ask_again(j)) {
        if (ask_again_after(j, m, &e))
            job_fail(j, 502, "upstream_error", e.text);
        return;
    }
    if (m->stop == STOP_ERROR) {
        job_server_error(j, m);
        return;
    }
    if (m->stop == STOP_NONE) {
        job_fail(j, 502, "upstream_error",
                 "the model's answer was cut off before its end");
        return;
    }
    if (look_over(j, m, &look, &e)) {
        bool ours = e.kind != ERR_PEER;
        job_fail(j, ours ? 500 : 502,
                 ours ? "internal_error" : "upstream_error", e.text);
    } else if (look.bad == 0) {
        if (go_on(j, &look, &e)) job_fail(j, 502, "upstream_error", e.text);
    } else if (!may_ask_again(j)) {
        refuse(j, &look);
    } else if (ask_again(j, &look, &e)) {
        job_fail(j, 502, "upstream_error", e.text);
    }
}
