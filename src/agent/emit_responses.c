/* SPDX-License-Identifier: MIT
 *
 * An answer as the events of OpenAI's Responses: numbered, item by item.
 */
#include "agent/emit_inside.h"
#include "agent/responses.h"

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

/* An item begins: its object is open. */
static int begin_item(struct emit *x, struct event *v, const char *prefix,
                      const struct part *p, const char *type, struct buf *out,
                      struct err *e) {
    AUTO_BUF struct buf id = BUF_MAX(4096);
    struct item_place at = {x->head.id, x->index};
    if (responses_item_id(&at, prefix, p, &id, e) ||
        item_event(x, v, "response.output_item.added", out, e))
        return -1;
    jw_put_int(&v->w, "output_index", (int64_t)x->index);
    jw_key(&v->w, "item");
    jw_object(&v->w);
    jw_put_text(&v->w, "id", buf_str(&id));
    jw_put_text(&v->w, "type", str_of(type));
    jw_put_text(&v->w, "status", STR("in_progress"));
    return 0;
}

static int begin_text(struct emit *x, struct buf *out, struct err *e) {
    struct event v;
    if (begin_item(x, &v, "msg", NULL, "message", out, e)) return -1;
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

/* The item as a whole, in an event that says what became of it. */
static int whole_item(struct emit *x, const struct part *p, const char *type,
                      struct buf *out, struct err *e) {
    struct item_place at = {x->head.id, x->index};
    const struct part *next;
    struct event v;
    if (item_event(x, &v, type, out, e)) return -1;
    jw_put_int(&v.w, "output_index", (int64_t)x->index);
    jw_key(&v.w, "item");
    if (responses_put_item(&v.w, &at, p, &next, e)) return -1;
    jw_end_object(&v.w);
    return event_end(&v, e);
}

static int item_done(struct emit *x, const struct part *p, struct buf *out,
                     struct err *e) {
    if (whole_item(x, p, "response.output_item.done", out, e)) return -1;
    x->index++;
    return 0;
}

int emit_responses_text(struct emit *x, str text, struct buf *out,
                        struct err *e) {
    if (!x->open && begin_text(x, out, e)) return -1;
    return text_event(x, "response.output_text.delta", "delta", text, false,
                      out, e);
}

int emit_responses_text_end(struct emit *x, struct buf *out, struct err *e) {
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

static int begin_call(struct emit *x, const struct part *p, struct buf *out,
                      struct err *e) {
    const char *type = p->custom ? "custom_tool_call" : "function_call";
    struct event v;
    if (begin_item(x, &v, "fc", p, type, out, e)) return -1;
    jw_put_text(&v.w, "call_id", p->id);
    jw_put_text(&v.w, "name", p->name);
    jw_put_text(&v.w, p->custom ? "input" : "arguments", STR(""));
    jw_end_object(&v.w);
    jw_end_object(&v.w);
    return event_end(&v, e);
}

int emit_responses_part(struct emit *x, const struct part *p, struct buf *out,
                        struct err *e) {
    if (p->kind != PART_CALL) /* clients count items by their beginnings */
        return whole_item(x, p, "response.output_item.added", out, e) ||
                       item_done(x, p, out, e)
                   ? -1
                   : 0;
    const char *delta = p->custom ? "response.custom_tool_call_input.delta"
                                  : "response.function_call_arguments.delta";
    const char *done = p->custom ? "response.custom_tool_call_input.done"
                                 : "response.function_call_arguments.done";
    return begin_call(x, p, out, e) ||
                   args_event(x, p, delta, "delta", out, e) ||
                   args_event(x, p, done, p->custom ? "input" : "arguments",
                              out, e) ||
                   item_done(x, p, out, e)
               ? -1
               : 0;
}

int emit_responses_begin(struct emit *x, struct buf *out, struct err *e) {
    return response_event(x, "response.created", &x->head, "in_progress", false,
                          out, e) ||
                   response_event(x, "response.in_progress", &x->head,
                                  "in_progress", false, out, e)
               ? -1
               : 0;
}

int emit_responses_end(struct emit *x, const struct model_answer *m,
                       struct buf *out, struct err *e) {
    bool cut = m->stop == STOP_LENGTH || m->stop == STOP_FILTER;
    return response_event(x, cut ? "response.incomplete" : "response.completed",
                          m, cut ? "incomplete" : "completed", true, out, e);
}
