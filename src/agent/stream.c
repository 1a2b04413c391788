/* SPDX-License-Identifier: MIT */
#include "agent/stream.h"

#include "agent/chat.h"
#include "agent/doubt.h"
#include "agent/wire.h"
#include "base/mem.h"

struct stream *stream_new(enum api api, const struct stream_sink *sink,
                          struct err *e) {
    struct stream *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->api = api;
    if (sink) s->sink = *sink;
    s->arena = ARENA_MAX(STREAM_BYTES);
    s->line = BUF_MAX(STREAM_EVENT);
    s->head = (struct model_answer){.api = api, .usage = USAGE_UNSAID};
    sse_init(&s->sse, STREAM_EVENT);
    return s;
}

static void slot_free(struct slot *slot) {
    buf_fini(&slot->text);
    buf_fini(&slot->extra);
    mem_free(slot);
}

void stream_free(struct stream *s) {
    if (!s) return;
    for (size_t i = 0; i < s->count; i++)
        slot_free(s->slots[i]);
    mem_free(s->slots);
    buf_fini(&s->line);
    sse_fini(&s->sse);
    arena_fini(&s->arena);
    mem_free(s);
}

/* -- slots ------------------------------------------------------------------
 */

static int grow(struct stream *s, struct err *e) {
    if (s->count == STREAM_SLOTS)
        return fail(e, ERR_LIMIT, "an answer of more than %d parts",
                    STREAM_SLOTS);
    if (s->count < s->cap) return 0;
    size_t cap = s->cap ? s->cap * 2 : 8;
    struct slot **slots = mem_resize(s->slots, cap, sizeof(struct slot *), e);
    if (!slots) return -1;
    s->slots = slots;
    s->cap = cap;
    return 0;
}

struct slot *stream_add(struct stream *s, enum part_kind kind, int64_t index,
                        struct err *e) {
    if (grow(s, e)) return NULL;
    struct slot *slot = mem_zalloc(1, sizeof *slot, e);
    if (!slot) return NULL;
    slot->kind = kind;
    slot->index = index;
    slot->text = slot->extra = BUF_MAX(STREAM_BYTES);
    s->slots[s->count++] = slot;
    return slot;
}

struct slot *stream_at(struct stream *s, int64_t index) {
    for (size_t i = s->count; i > 0; i--)
        if (s->slots[i - 1]->index == index) return s->slots[i - 1];
    return NULL;
}

struct slot *stream_last(struct stream *s, enum part_kind kind) {
    for (size_t i = s->count; i > 0; i--)
        if (s->slots[i - 1]->kind == kind) return s->slots[i - 1];
    return NULL;
}

int stream_text(struct stream *s, struct slot *slot, str text, struct err *e) {
    if (text.n == 0) return 0;
    if (buf_add_str(&slot->text, text, e)) return -1;
    bool shown = slot->kind == PART_TEXT || slot->kind == PART_THINKING ||
                 slot->kind == PART_REFUSAL;
    if (shown && s->sink.delta) s->sink.delta(s->sink.data, slot->kind, text);
    return 0;
}

/* The word is copied: the event it stands in may go. */
void stream_stop(struct stream *s, str word) {
    s->head.stop_text = word;
    s->stop = stop_parse(s->api, word);
    s->keep = true;
}

void stream_end(struct stream *s) {
    s->ended = true;
    if (s->head.stop != STOP_ERROR) s->head.stop = s->stop;
}

void stream_error(struct stream *s, const struct json *v) {
    if (!wire_error(v, &s->head)) {
        s->head.stop = STOP_ERROR;
        s->head.error.message = STR("the stream ended with an error");
    }
    s->keep = true;
    s->ended = true;
}

bool stream_past_text(const struct stream *s) {
    if (s->ended || s->stop != STOP_NONE) return true;
    for (size_t i = 0; i < s->count; i++)
        if (s->slots[i]->kind == PART_CALL) return true;
    return false;
}

/* -- events -----------------------------------------------------------------
 */

static int decode_event(struct stream *s, str type, const struct json *v,
                        struct err *e) {
    switch (s->api) {
#define API(id, name, prefix, path) \
    case API_##id:                  \
        return prefix##_decode_event(s, type, v, e);
#include "agent/apis.def"
#undef API
    case API_COUNT: break;
    }
    return 0;
}

/* Elsewhere the usage may follow the end; nothing else counts after it. */
static bool ends_for_good(enum api api) {
    return api == API_ANTHROPIC || api == API_RESPONSES;
}

int stream_event(struct stream *s, str type, str data, struct err *e) {
    struct arena_mark mark = arena_mark(&s->arena);
    const struct json *v;
    s->keep = false;
    s->events++;
    if (s->ended && ends_for_good(s->api)) return 0;
    if (str_is(str_trim(data), "[DONE]")) {
        if (s->api == API_CHAT) chat_stream_done(s);
        return 0;
    }
    if (json_parse(data, NULL, &s->arena, &v, e))
        return fail_while(e, "event %zu of the stream", s->events);
    if (json_type(v) != JSON_OBJECT)
        return fail(e, ERR_PEER, "event %zu of the stream is no object",
                    s->events);
    if (decode_event(s, type, v, e)) return -1;
    if (odds_read(s->api, v, &s->head.odds)) s->keep = true;
    if (!s->keep) arena_rewind(&s->arena, mark);
    return 0;
}

static int take_event(void *data, const struct sse_event *ev, struct err *e) {
    return stream_event(data, ev->type, ev->data, e);
}

static int take_line(struct stream *s, struct err *e) {
    str line = str_trim(buf_str(&s->line));
    int result = line.n > 0 ? stream_event(s, STR(""), line, e) : 0;
    buf_truncate(&s->line, 0);
    return result;
}

static int feed_lines(struct stream *s, str bytes, struct err *e) {
    while (bytes.n > 0) {
        ptrdiff_t end = str_find_char(bytes, '\n');
        size_t n = end < 0 ? bytes.n : (size_t)end;
        if (buf_add(&s->line, bytes.p, n, e)) return -1;
        if (end < 0) return 0;
        if (take_line(s, e)) return -1;
        bytes = str_sub(bytes, n + 1, bytes.n);
    }
    return 0;
}

int stream_feed(struct stream *s, str bytes, struct err *e) {
    if (bytes.n > STREAM_BYTES - s->bytes)
        return fail(e, ERR_LIMIT, "a stream of more than %zu MiB",
                    STREAM_BYTES >> 20);
    s->bytes += bytes.n;
    if (!s->begun && bytes.n > 0) {
        s->begun = true;
        s->lines = bytes.p[0] == '{';
    }
    if (s->lines) return feed_lines(s, bytes, e);
    return sse_feed(&s->sse, bytes, take_event, s, e);
}

/* -- the answer -------------------------------------------------------------
 */

static int finish_slot(struct stream *s, struct slot *slot, struct arena *a,
                       struct part_list *to, struct err *e) {
    switch (s->api) {
#define API(id, name, prefix, path) \
    case API_##id:                  \
        return prefix##_finish_slot(slot, a, to, e);
#include "agent/apis.def"
#undef API
    case API_COUNT: break;
    }
    return 0;
}

/* Half an event is no event: that it cannot be read is no news. */
void stream_close(struct stream *s) {
    struct err quiet;
    if (s->lines)
        (void)take_line(s, &quiet);
    else
        (void)sse_feed(&s->sse, STR("\n\n"), take_event, s, &quiet);
}

int stream_answer(struct stream *s, struct arena *a, struct model_answer *out,
                  struct err *e) {
    struct model_answer m = s->head;
    for (size_t i = 0; i < s->count; i++)
        if (finish_slot(s, s->slots[i], a, &m.parts, e)) return -1;
    wire_settle(&m);
    *out = m;
    return 0;
}
