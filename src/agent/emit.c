/* SPDX-License-Identifier: MIT
 *
 * An answer as a stream: Chat Completions and Gemini, and what chooses between
 * the APIs.
 */
#include "agent/emit.h"

#include "agent/anthropic.h"
#include "agent/chat.h"
#include "agent/emit_inside.h"
#include "agent/gemini.h"
#include "agent/responses.h"
#include "base/clock.h"

/* -- events -----------------------------------------------------------------
 */

int event_begin(struct event *v, const char *name, struct buf *out,
                struct err *e) {
    v->out = out;
    v->w = JW(out);
    if (name && buf_addf(out, e, "event: %s\n", name)) return -1;
    return buf_add_text(out, "data: ", e);
}

int event_end(struct event *v, struct err *e) {
    if (jw_done(&v->w, e)) return -1;
    return buf_add_text(v->out, "\n\n", e);
}

/* -- Chat Completions -------------------------------------------------------
 */

static int chunk_begin(struct emit *x, struct event *v, struct buf *out,
                       struct err *e) {
    if (event_begin(v, NULL, out, e)) return -1;
    jw_object(&v->w);
    jw_put_text(&v->w, "id", x->head.id);
    jw_put_text(&v->w, "object", STR("chat.completion.chunk"));
    jw_put_int(&v->w, "created", x->created);
    jw_put_text(&v->w, "model", x->head.model);
    jw_key(&v->w, "choices");
    jw_array(&v->w);
    return 0;
}

static int chunk_end(struct event *v, struct err *e) {
    jw_end_array(&v->w);
    jw_end_object(&v->w);
    return event_end(v, e);
}

/* Opens the choice and its delta. */
static int delta_begin(struct emit *x, struct event *v, struct buf *out,
                       struct err *e) {
    if (chunk_begin(x, v, out, e)) return -1;
    jw_object(&v->w);
    jw_put_int(&v->w, "index", 0);
    jw_key(&v->w, "delta");
    jw_object(&v->w);
    return 0;
}

static int delta_end(struct event *v, const char *reason, struct err *e) {
    jw_end_object(&v->w);
    jw_key(&v->w, "finish_reason");
    if (reason)
        jw_text(&v->w, str_of(reason));
    else
        jw_null(&v->w);
    jw_end_object(&v->w);
    return chunk_end(v, e);
}

static int chat_begin(struct emit *x, struct buf *out, struct err *e) {
    struct event v;
    if (delta_begin(x, &v, out, e)) return -1;
    jw_put_text(&v.w, "role", STR("assistant"));
    jw_put_text(&v.w, "content", STR(""));
    return delta_end(&v, NULL, e);
}

static int chat_text(struct emit *x, enum part_kind kind, str text,
                     struct buf *out, struct err *e) {
    struct event v;
    if (delta_begin(x, &v, out, e)) return -1;
    jw_put_text(&v.w,
                kind == PART_THINKING  ? "reasoning_content"
                : kind == PART_REFUSAL ? "refusal"
                                       : "content",
                text);
    return delta_end(&v, NULL, e);
}

static void call_begin(struct emit *x, struct event *v) {
    jw_key(&v->w, "tool_calls");
    jw_array(&v->w);
    jw_object(&v->w);
    jw_put_int(&v->w, "index", (int64_t)x->calls);
}

static int call_end(struct event *v, struct err *e) {
    jw_end_object(&v->w);
    jw_end_object(&v->w);
    jw_end_array(&v->w);
    return delta_end(v, NULL, e);
}

/* Name and id first, then the arguments: as OpenAI does it. */
static int chat_call(struct emit *x, const struct part *p, struct buf *out,
                     struct err *e) {
    const char *type = p->custom ? "custom" : "function";
    const char *key = p->custom ? "input" : "arguments";
    struct event v;
    if (delta_begin(x, &v, out, e)) return -1;
    call_begin(x, &v);
    jw_put_text(&v.w, "id", p->id);
    jw_put_text(&v.w, "type", str_of(type));
    jw_key(&v.w, type);
    jw_object(&v.w);
    jw_put_text(&v.w, "name", p->name);
    jw_put_text(&v.w, key, STR(""));
    if (call_end(&v, e) || delta_begin(x, &v, out, e)) return -1;
    call_begin(x, &v);
    jw_key(&v.w, type);
    jw_object(&v.w);
    jw_key(&v.w, key);
    wire_put_args_text(&v.w, p);
    x->calls++;
    return call_end(&v, e);
}

static int chat_end(struct emit *x, const struct model_answer *m,
                    struct buf *out, struct err *e) {
    struct event v;
    if (delta_begin(x, &v, out, e) ||
        delta_end(&v, stop_word(API_CHAT, m->stop), e))
        return -1;
    if (x->usage) {
        if (chunk_begin(x, &v, out, e)) return -1;
        jw_end_array(&v.w);
        jw_key(&v.w, "usage");
        chat_put_usage(&v.w, m);
        jw_end_object(&v.w);
        if (event_end(&v, e)) return -1;
    }
    return buf_add_text(out, "data: [DONE]\n\n", e);
}

/* -- Gemini -----------------------------------------------------------------
 */

static int gemini_chunk(struct emit *x, const struct part *p,
                        const struct model_answer *end, struct buf *out,
                        struct err *e) {
    struct event v;
    if (event_begin(&v, NULL, out, e)) return -1;
    jw_object(&v.w);
    jw_key(&v.w, "candidates");
    jw_array(&v.w);
    jw_object(&v.w);
    jw_key(&v.w, "content");
    jw_object(&v.w);
    jw_put_text(&v.w, "role", STR("model"));
    jw_key(&v.w, "parts");
    jw_array(&v.w);
    if (p && gemini_put_part(&v.w, NULL, p, e)) return -1;
    jw_end_array(&v.w);
    jw_end_object(&v.w);
    if (end)
        jw_put_text(&v.w, "finishReason",
                    str_of(stop_word(API_GEMINI, end->stop)));
    jw_put_int(&v.w, "index", 0);
    jw_end_object(&v.w);
    jw_end_array(&v.w);
    if (end) {
        jw_key(&v.w, "usageMetadata");
        gemini_put_usage(&v.w, end);
    }
    jw_put_text(&v.w, "modelVersion", x->head.model);
    jw_put_text(&v.w, "responseId", x->head.id);
    jw_end_object(&v.w);
    return event_end(&v, e);
}

/* -- all of them ------------------------------------------------------------
 */

int emit_begin(struct emit *x, const struct model_answer *head, struct buf *out,
               struct err *e) {
    x->head = (struct model_answer){.api = head->api,
                                    .id = head->id,
                                    .model = head->model,
                                    .usage = USAGE_UNSAID};
    x->created = clock_wall_ns() / 1000000000;
    x->text = BUF_MAX((size_t)64 << 20);
    switch (x->api) {
    case API_CHAT: return chat_begin(x, out, e);
    case API_ANTHROPIC: return emit_anthropic_begin(x, out, e);
    case API_RESPONSES: return emit_responses_begin(x, out, e);
    case API_GEMINI: return 0;
    case API_BEDROCK:
    case API_COUNT: break;
    }
    return fail(e, ERR_UNSUPPORTED, "no stream can be written for \"%s\"",
                api_name(x->api));
}

/* Chat and Gemini do not mark where a text ends. */
static int end_text(struct emit *x, struct buf *out, struct err *e) {
    if (!x->open) return 0;
    int result = x->api == API_ANTHROPIC ? emit_anthropic_text_end(x, out, e)
                                         : emit_responses_text_end(x, out, e);
    x->open = false;
    buf_truncate(&x->text, 0);
    return result;
}

/* Thoughts are told only where they need no signature. */
int emit_text(struct emit *x, enum part_kind kind, str text, struct buf *out,
              struct err *e) {
    struct part piece = {.kind = kind, .text = text};
    if (text.n == 0) return 0;
    if (kind == PART_THINKING && x->api != API_CHAT) return 0;
    switch (x->api) {
    case API_CHAT: return chat_text(x, kind, text, out, e);
    case API_ANTHROPIC: return emit_anthropic_text(x, text, out, e);
    case API_RESPONSES:
        if (emit_responses_text(x, text, out, e)) return -1;
        return buf_add_str(&x->text, text, e);
    case API_GEMINI: return gemini_chunk(x, &piece, NULL, out, e);
    case API_BEDROCK:
    case API_COUNT: break;
    }
    return 0;
}

static bool takes(enum api api, const struct part *p) {
    switch (api) {
    case API_CHAT: return p->kind == PART_CALL && !p->partial;
    case API_ANTHROPIC: return anthropic_takes(p);
    case API_RESPONSES: return responses_takes(p);
    case API_GEMINI: return gemini_takes(p);
    case API_BEDROCK:
    case API_COUNT: break;
    }
    return false;
}

int emit_part(struct emit *x, const struct part *p, struct buf *out,
              struct err *e) {
    if (!takes(x->api, p)) return 0;
    if (end_text(x, out, e)) return -1;
    switch (x->api) {
    case API_CHAT: return chat_call(x, p, out, e);
    case API_ANTHROPIC: return emit_anthropic_part(x, p, out, e);
    case API_RESPONSES: return emit_responses_part(x, p, out, e);
    case API_GEMINI: return gemini_chunk(x, p, NULL, out, e);
    case API_BEDROCK:
    case API_COUNT: break;
    }
    return 0;
}

int emit_end(struct emit *x, const struct model_answer *m, struct buf *out,
             struct err *e) {
    if (end_text(x, out, e)) return -1;
    switch (x->api) {
    case API_CHAT: return chat_end(x, m, out, e);
    case API_ANTHROPIC: return emit_anthropic_end(m, out, e);
    case API_RESPONSES: return emit_responses_end(x, m, out, e);
    case API_GEMINI: return gemini_chunk(x, NULL, m, out, e);
    case API_BEDROCK:
    case API_COUNT: break;
    }
    return 0;
}

int emit_error(struct emit *x, const struct model_error *error, struct buf *out,
               struct err *e) {
    bool named = x->api == API_ANTHROPIC || x->api == API_RESPONSES;
    struct event v;
    if (event_begin(&v, named ? "error" : NULL, out, e)) return -1;
    jw_object(&v.w);
    if (named) jw_put_text(&v.w, "type", STR("error"));
    if (x->api == API_RESPONSES) {
        jw_put_int(&v.w, "sequence_number", (int64_t)x->number++);
        jw_put_text(&v.w, "code", error->code);
        jw_put_text(&v.w, "message", error->message);
    } else {
        jw_key(&v.w, "error");
        jw_object(&v.w);
        jw_put_text(&v.w, "type",
                    error->type.n > 0 ? error->type : STR("api_error"));
        if (x->api == API_CHAT) jw_put_text(&v.w, "code", error->code);
        jw_put_text(&v.w, "message", error->message);
        jw_end_object(&v.w);
    }
    jw_end_object(&v.w);
    return event_end(&v, e);
}

void emit_fini(struct emit *x) {
    buf_fini(&x->text);
}
