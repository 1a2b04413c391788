/* SPDX-License-Identifier: MIT */
#include "agent/emit.h"

#include "agent/anthropic.h"
#include "agent/chat.h"
#include "agent/gemini.h"
#include "agent/responses.h"
#include "base/clock.h"

/* -- events -----------------------------------------------------------------
 */

/* One event while its JSON is being written. */
struct event {
    struct jw w;
    struct buf *out;
};

/* "event: name" where the API names its events, then "data: " and the JSON. */
static int event_begin(struct event *v, const char *name, struct buf *out,
                       struct err *e) {
    v->out = out;
    v->w = JW(out);
    if (name && buf_addf(out, e, "event: %s\n", name)) return -1;
    return buf_add_text(out, "data: ", e);
}

static int event_end(struct event *v, struct err *e) {
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

/* -- Messages ---------------------------------------------------------------
 */

static int block_event(struct emit *x, struct event *v, const char *type,
                       struct buf *out, struct err *e) {
    if (event_begin(v, type, out, e)) return -1;
    jw_object(&v->w);
    jw_put_text(&v->w, "type", str_of(type));
    jw_put_int(&v->w, "index", (int64_t)x->index);
    return 0;
}

static int block_delta(struct emit *x, const char *type, const char *key,
                       str text, struct buf *out, struct err *e) {
    struct event v;
    if (block_event(x, &v, "content_block_delta", out, e)) return -1;
    jw_key(&v.w, "delta");
    jw_object(&v.w);
    jw_put_text(&v.w, "type", str_of(type));
    jw_put_text(&v.w, key, text);
    jw_end_object(&v.w);
    jw_end_object(&v.w);
    return event_end(&v, e);
}

static int block_stop(struct emit *x, struct buf *out, struct err *e) {
    struct event v;
    if (block_event(x, &v, "content_block_stop", out, e)) return -1;
    jw_end_object(&v.w);
    x->index++;
    return event_end(&v, e);
}

static int anthropic_begin(struct emit *x, struct buf *out, struct err *e) {
    struct event v;
    if (event_begin(&v, "message_start", out, e)) return -1;
    jw_object(&v.w);
    jw_put_text(&v.w, "type", STR("message_start"));
    jw_key(&v.w, "message");
    jw_object(&v.w);
    jw_put_text(&v.w, "id", x->head.id);
    jw_put_text(&v.w, "type", STR("message"));
    jw_put_text(&v.w, "role", STR("assistant"));
    jw_put_text(&v.w, "model", x->head.model);
    jw_key(&v.w, "content");
    jw_raw(&v.w, STR("[]"));
    jw_key(&v.w, "stop_reason"), jw_null(&v.w);
    jw_key(&v.w, "stop_sequence"), jw_null(&v.w);
    jw_key(&v.w, "usage");
    anthropic_put_usage(&v.w, &x->head);
    jw_end_object(&v.w);
    jw_end_object(&v.w);
    return event_end(&v, e);
}

static int anthropic_text(struct emit *x, str text, struct buf *out,
                          struct err *e) {
    struct event v;
    if (!x->open) {
        if (block_event(x, &v, "content_block_start", out, e)) return -1;
        jw_key(&v.w, "content_block");
        jw_raw(&v.w, STR("{\"type\":\"text\",\"text\":\"\"}"));
        jw_end_object(&v.w);
        if (event_end(&v, e)) return -1;
        x->open = true;
    }
    return block_delta(x, "text_delta", "text", text, out, e);
}

static int anthropic_part(struct emit *x, const struct part *p, struct buf *out,
                          struct err *e) {
    AUTO_BUF struct buf args = BUF_MAX((size_t)64 << 20);
    struct part head = *p;
    struct event v;
    head.args = NULL; /* written as {}; the delta has them */
    if (block_event(x, &v, "content_block_start", out, e)) return -1;
    jw_key(&v.w, "content_block");
    if (anthropic_put_block(&v.w, p->kind == PART_CALL ? &head : p, e))
        return -1;
    jw_end_object(&v.w);
    if (event_end(&v, e)) return -1;
    if (p->kind == PART_CALL) {
        struct jw w = JW(&args);
        wire_put_args(&w, p);
        if (jw_done(&w, e) || block_delta(x, "input_json_delta", "partial_json",
                                          buf_str(&args), out, e))
            return -1;
    }
    return block_stop(x, out, e);
}

static int anthropic_end(struct emit *x, const struct model_answer *m,
                         struct buf *out, struct err *e) {
    struct event v;
    (void)x;
    if (event_begin(&v, "message_delta", out, e)) return -1;
    jw_object(&v.w);
    jw_put_text(&v.w, "type", STR("message_delta"));
    jw_key(&v.w, "delta");
    jw_object(&v.w);
    jw_put_text(&v.w, "stop_reason", str_of(stop_word(API_ANTHROPIC, m->stop)));
    jw_key(&v.w, "stop_sequence"), jw_null(&v.w);
    jw_end_object(&v.w);
    jw_key(&v.w, "usage");
    anthropic_put_usage(&v.w, m);
    jw_end_object(&v.w);
    if (event_end(&v, e)) return -1;
    return buf_add_text(
        out, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", e);
}

/* -- Responses --------------------------------------------------------------
 */

static int item_event(struct emit *x, struct event *v, const char *type,
                      struct buf *out, struct err *e) {
    if (event_begin(v, type, out, e)) return -1;
    jw_object(&v->w);
    jw_put_text(&v->w, "type", str_of(type));
    jw_put_int(&v->w, "sequence_number", (int64_t)x->number++);
    return 0;
}

static int response_event(struct emit *x, const char *type,
                          const struct model_answer *m, const char *status,
                          bool with_output, struct buf *out, struct err *e) {
    struct event v;
    if (item_event(x, &v, type, out, e)) return -1;
    jw_key(&v.w, "response");
    if (responses_put_object(&v.w, m, status, with_output, e)) return -1;
    jw_end_object(&v.w);
    return event_end(&v, e);
}

/* "item_id" and where it stands. */
static int put_place(struct emit *x, struct event *v, const char *prefix,
                     const struct part *p, bool content, struct err *e) {
    AUTO_BUF struct buf id = BUF_MAX(4096);
    struct item_place at = {x->head.id, x->index};
    if (responses_item_id(&at, prefix, p, &id, e)) return -1;
    jw_put_text(&v->w, "item_id", buf_str(&id));
    jw_put_int(&v->w, "output_index", (int64_t)x->index);
    if (content) jw_put_int(&v->w, "content_index", 0);
    return 0;
}

static int text_event(struct emit *x, const char *type, const char *key,
                      str text, bool whole, struct buf *out, struct err *e) {
    struct event v;
    if (item_event(x, &v, type, out, e) ||
        put_place(x, &v, "msg", NULL, true, e))
        return -1;
    if (whole) {
        jw_key(&v.w, "part");
        jw_object(&v.w);
        jw_put_text(&v.w, "type", STR("output_text"));
    }
    jw_put_text(&v.w, key, text);
    if (whole) {
        jw_key(&v.w, "annotations");
        jw_raw(&v.w, STR("[]"));
        jw_end_object(&v.w);
    }
    jw_end_object(&v.w);
    return event_end(&v, e);
}

static int responses_text_begin(struct emit *x, struct buf *out,
                                struct err *e) {
    AUTO_BUF struct buf id = BUF_MAX(4096);
    struct item_place at = {x->head.id, x->index};
    struct event v;
    if (responses_item_id(&at, "msg", NULL, &id, e) ||
        item_event(x, &v, "response.output_item.added", out, e))
        return -1;
    jw_put_int(&v.w, "output_index", (int64_t)x->index);
    jw_key(&v.w, "item");
    jw_object(&v.w);
    jw_put_text(&v.w, "id", buf_str(&id));
    jw_put_text(&v.w, "type", STR("message"));
    jw_put_text(&v.w, "status", STR("in_progress"));
    jw_put_text(&v.w, "role", STR("assistant"));
    jw_key(&v.w, "content");
    jw_raw(&v.w, STR("[]"));
    jw_end_object(&v.w);
    jw_end_object(&v.w);
    x->open = true;
    return event_end(&v, e) || text_event(x, "response.content_part.added",
                                          "text", STR(""), true, out, e)
               ? -1
               : 0;
}

static int item_done(struct emit *x, const struct part *p, struct buf *out,
                     struct err *e) {
    struct item_place at = {x->head.id, x->index};
    const struct part *next;
    struct event v;
    if (item_event(x, &v, "response.output_item.done", out, e)) return -1;
    jw_put_int(&v.w, "output_index", (int64_t)x->index);
    jw_key(&v.w, "item");
    if (responses_put_item(&v.w, &at, p, &next, e)) return -1;
    jw_end_object(&v.w);
    x->index++;
    return event_end(&v, e);
}

static int responses_text(struct emit *x, str text, struct buf *out,
                          struct err *e) {
    if (!x->open && responses_text_begin(x, out, e)) return -1;
    return text_event(x, "response.output_text.delta", "delta", text, false,
                      out, e);
}

static int responses_text_end(struct emit *x, struct buf *out, struct err *e) {
    struct part said = {.kind = PART_TEXT, .text = buf_str(&x->text)};
    return text_event(x, "response.output_text.done", "text", said.text, false,
                      out, e) ||
                   text_event(x, "response.content_part.done", "text",
                              said.text, true, out, e) ||
                   item_done(x, &said, out, e)
               ? -1
               : 0;
}

static int args_event(struct emit *x, const struct part *p, const char *type,
                      const char *key, struct buf *out, struct err *e) {
    struct event v;
    if (item_event(x, &v, type, out, e) || put_place(x, &v, "fc", p, false, e))
        return -1;
    jw_key(&v.w, key);
    wire_put_args_text(&v.w, p);
    jw_end_object(&v.w);
    return event_end(&v, e);
}

static int responses_call_begin(struct emit *x, const struct part *p,
                                struct buf *out, struct err *e) {
    AUTO_BUF struct buf id = BUF_MAX(4096);
    struct item_place at = {x->head.id, x->index};
    struct event v;
    if (responses_item_id(&at, "fc", p, &id, e) ||
        item_event(x, &v, "response.output_item.added", out, e))
        return -1;
    jw_put_int(&v.w, "output_index", (int64_t)x->index);
    jw_key(&v.w, "item");
    jw_object(&v.w);
    jw_put_text(&v.w, "id", buf_str(&id));
    jw_put_text(&v.w, "type",
                p->custom ? STR("custom_tool_call") : STR("function_call"));
    jw_put_text(&v.w, "status", STR("in_progress"));
    jw_put_text(&v.w, "call_id", p->id);
    jw_put_text(&v.w, "name", p->name);
    jw_put_text(&v.w, p->custom ? "input" : "arguments", STR(""));
    jw_end_object(&v.w);
    jw_end_object(&v.w);
    return event_end(&v, e);
}

static int responses_part(struct emit *x, const struct part *p, struct buf *out,
                          struct err *e) {
    if (p->kind != PART_CALL) return item_done(x, p, out, e);
    const char *delta = p->custom ? "response.custom_tool_call_input.delta"
                                  : "response.function_call_arguments.delta";
    const char *done = p->custom ? "response.custom_tool_call_input.done"
                                 : "response.function_call_arguments.done";
    return responses_call_begin(x, p, out, e) ||
                   args_event(x, p, delta, "delta", out, e) ||
                   args_event(x, p, done, p->custom ? "input" : "arguments",
                              out, e) ||
                   item_done(x, p, out, e)
               ? -1
               : 0;
}

static int responses_begin(struct emit *x, struct buf *out, struct err *e) {
    return response_event(x, "response.created", &x->head, "in_progress", false,
                          out, e) ||
                   response_event(x, "response.in_progress", &x->head,
                                  "in_progress", false, out, e)
               ? -1
               : 0;
}

static int responses_end(struct emit *x, const struct model_answer *m,
                         struct buf *out, struct err *e) {
    bool cut = m->stop == STOP_LENGTH || m->stop == STOP_FILTER;
    return response_event(x, cut ? "response.incomplete" : "response.completed",
                          m, cut ? "incomplete" : "completed", true, out, e);
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
    case API_ANTHROPIC: return anthropic_begin(x, out, e);
    case API_RESPONSES: return responses_begin(x, out, e);
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
    int result = x->api == API_ANTHROPIC ? block_stop(x, out, e)
                                         : responses_text_end(x, out, e);
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
    case API_ANTHROPIC: return anthropic_text(x, text, out, e);
    case API_RESPONSES:
        if (responses_text(x, text, out, e)) return -1;
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
    case API_ANTHROPIC: return anthropic_part(x, p, out, e);
    case API_RESPONSES: return responses_part(x, p, out, e);
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
    case API_ANTHROPIC: return anthropic_end(x, m, out, e);
    case API_RESPONSES: return responses_end(x, m, out, e);
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
