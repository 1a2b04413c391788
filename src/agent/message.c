/* SPDX-License-Identifier: MIT */
#include "agent/message.h"

#include "base/buf.h"

#include <string.h>

static const char *const api_names[] = {
#define API(id, name, prefix, path) name,
#include "agent/apis.def"
#undef API
    NULL,
};

const char *api_name(enum api api) {
    return api_names[api];
}

int api_parse(str name, enum api *out, struct err *e) {
    for (int i = 0; i < API_COUNT; i++)
        if (str_is(name, api_names[i])) {
            *out = (enum api)i;
            return 0;
        }
    AUTO_BUF struct buf all = BUF_MAX(256);
    for (int i = 0; i < API_COUNT; i++)
        if (buf_addf(&all, e, "%s%s", i ? ", " : "", api_names[i])) return -1;
    return fail(e, ERR_USAGE, "no API \"%.*s\": %s", STR_ARG(name),
                buf_text(&all));
}

const char *part_kind_name(enum part_kind kind) {
    static const char *const names[] = {
        [PART_TEXT] = "text",       [PART_THINKING] = "thinking",
        [PART_REFUSAL] = "refusal", [PART_IMAGE] = "image",
        [PART_CALL] = "call",       [PART_RESULT] = "result",
        [PART_OPAQUE] = "opaque",
    };
    return names[kind];
}

const char *role_name(enum role role) {
    static const char *const names[] = {
        [ROLE_USER] = "user",
        [ROLE_ASSISTANT] = "assistant",
        [ROLE_SYSTEM] = "system",
    };
    return names[role];
}

const char *stop_name(enum stop stop) {
    static const char *const names[] = {
        [STOP_NONE] = "none",     [STOP_END] = "end",
        [STOP_CALLS] = "calls",   [STOP_LENGTH] = "length",
        [STOP_FILTER] = "filter", [STOP_REFUSED] = "refused",
        [STOP_PAUSE] = "pause",   [STOP_BAD_CALL] = "bad_call",
        [STOP_ERROR] = "error",   [STOP_OTHER] = "other",
    };
    return names[stop];
}

static const struct stop_row {
    enum api api;
    const char *word;
    enum stop stop;
} stop_rows[] = {
#define STOP_WORD(api, word, stop) {API_##api, word, STOP_##stop},
#include "agent/stops.def"
#undef STOP_WORD
};

#define STOP_ROWS (sizeof stop_rows / sizeof stop_rows[0])

enum stop stop_parse(enum api api, str word) {
    for (size_t i = 0; i < STOP_ROWS; i++)
        if (stop_rows[i].api == api && str_is(word, stop_rows[i].word))
            return stop_rows[i].stop;
    return STOP_OTHER;
}

const char *stop_word(enum api api, enum stop stop) {
    const char *first = NULL;
    for (size_t i = 0; i < STOP_ROWS; i++) {
        if (stop_rows[i].api != api) continue;
        if (stop_rows[i].stop == stop) return stop_rows[i].word;
        if (!first) first = stop_rows[i].word;
    }
    return first;
}

bool answer_executable(const struct model_answer *a) {
    if (a->stop != STOP_CALLS) return false;
    const struct part *p = NULL;
    while ((p = next_call(&a->parts, p)))
        if (p->partial) return false;
    return true;
}

struct part *parts_add(struct part_list *to, enum part_kind kind,
                       struct arena *a, struct err *e) {
    struct part *p = arena_zalloc(a, 1, sizeof *p, e);
    if (!p) return NULL;
    p->kind = kind;
    if (to->last)
        to->last->next = p;
    else
        to->first = p;
    to->last = p;
    to->count++;
    return p;
}

struct message *messages_add(struct messages *to, enum role role,
                             struct arena *a, struct err *e) {
    struct message *m = arena_zalloc(a, 1, sizeof *m, e);
    if (!m) return NULL;
    m->role = role;
    if (to->last)
        to->last->next = m;
    else
        to->first = m;
    to->last = m;
    to->count++;
    return m;
}

struct offer *offers_add(struct offers *to, struct arena *a, struct err *e) {
    struct offer *o = arena_zalloc(a, 1, sizeof *o, e);
    if (!o) return NULL;
    o->strict = -1;
    if (to->last)
        to->last->next = o;
    else
        to->first = o;
    to->last = o;
    to->count++;
    return o;
}

struct part *part_copy(const struct part *p, struct part_list *to,
                       struct arena *a, struct err *e) {
    struct part *copy = parts_add(to, p->kind, a, e);
    if (!copy) return NULL;
    *copy = *p;
    copy->next = NULL;
    return copy;
}

struct offer *offer_copy(const struct offer *o, struct offers *to,
                         struct arena *a, struct err *e) {
    struct offer *copy = offers_add(to, a, e);
    if (!copy) return NULL;
    *copy = *o;
    copy->next = NULL;
    return copy;
}

static void add_count(int64_t *to, int64_t n) {
    if (n >= 0) *to = (*to < 0 ? 0 : *to) + n;
}

void usage_sum(struct usage *to, const struct usage *u) {
    add_count(&to->input, u->input);
    add_count(&to->output, u->output);
    add_count(&to->cache_read, u->cache_read);
    add_count(&to->cache_write, u->cache_write);
    add_count(&to->thinking, u->thinking);
}

struct message *messages_say(struct messages *to, enum role role, str text,
                             struct arena *a, struct err *e) {
    struct message *m = messages_add(to, role, a, e);
    struct part *p = m ? parts_add(&m->parts, PART_TEXT, a, e) : NULL;
    if (!p) return NULL;
    p->text = text;
    return m;
}

int part_set_args(struct part *call, str text, struct arena *a, struct err *e) {
    struct arena_mark mark = arena_mark(a);
    const struct json *v = NULL;
    if (str_trim(text).n > 0 && json_parse(text, NULL, a, &v, e)) {
        if (e->kind == ERR_MEMORY) return -1;
        arena_rewind(a, mark);
        v = NULL;
    }
    call->text = text;
    call->args = v && json_type(v) == JSON_OBJECT ? v : NULL;
    return 0;
}

const struct part *next_call(const struct part_list *in,
                             const struct part *from) {
    const struct part *p = from ? from->next : in->first;
    while (p && p->kind != PART_CALL)
        p = p->next;
    return p;
}

const struct offer *offer_find(const struct offers *in, str name) {
    for (const struct offer *o = in->first; o; o = o->next)
        if (o->kind != OFFER_OPAQUE && str_eq(o->name, name)) return o;
    return NULL;
}

struct message *answer_message(const struct model_answer *a,
                               struct messages *to, struct arena *arena,
                               struct err *e) {
    struct message *m = messages_add(to, ROLE_ASSISTANT, arena, e);
    if (!m) return NULL;
    m->api = a->api;
    m->parts = a->parts;
    return m;
}

int parts_text(const struct part_list *in, struct arena *a, str *out,
               struct err *e) {
    size_t n = 0, count = 0;
    for (const struct part *p = in->first; p; p = p->next)
        if (p->kind == PART_TEXT) n += p->text.n, count++, *out = p->text;
    if (count == 1) return 0;
    char *text = arena_alloc(a, n + 1, e);
    if (!text) return -1;
    *out = (str){text, n};
    for (const struct part *p = in->first; p; p = p->next) {
        if (p->kind != PART_TEXT) continue;
        if (p->text.n > 0) memcpy(text, p->text.p, p->text.n);
        text += p->text.n;
    }
    *text = '\0';
    return 0;
}
