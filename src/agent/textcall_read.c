/* SPDX-License-Identifier: MIT
 *
 * Calls in the text of answers. A streamed text and a whole one are read by the
 * same reader, so that what was shown as it came and what is kept in the end
 * cannot differ.
 */
#include "agent/textcall.h"

#include "agent/wire.h"

#define HELD_BYTES ((size_t)16 << 20)
#define TEXT_BYTES ((size_t)64 << 20)

void textcall_begin(struct textcall_reader *r, enum textcall format,
                    const struct offers *offers, struct arena *a,
                    const struct textcall_events *events, void *data) {
    *r = (struct textcall_reader){.format = format,
                                  .offers = offers,
                                  .arena = a,
                                  .events = events,
                                  .data = data,
                                  .held = BUF_MAX(HELD_BYTES)};
}

void textcall_fini(struct textcall_reader *r) {
    buf_fini(&r->held);
}

/* -- telling ----------------------------------------------------------------
 */

/* The first n bytes that are held are done with. */
static void drop(struct textcall_reader *r, size_t n) {
    buf_consume(&r->held, n);
    r->mark = r->read = 0;
    r->within = r->quoted = r->escaped = false;
}

/* White space alone is no text between calls. */
static int tell_text(struct textcall_reader *r, size_t n, struct err *e) {
    str text = str_sub(buf_str(&r->held), 0, n);
    if (n == 0 || (!r->told && str_trim(text).n == 0)) return 0;
    r->told = true;
    if (r->events->text && r->events->text(r->data, text, e)) return -1;
    drop(r, n);
    return 0;
}

static int tell_call(struct textcall_reader *r, str name,
                     const struct json *args, struct err *e) {
    r->told = false;
    return r->events->call ? r->events->call(r->data, name, args, e) : 0;
}

/* -- calls ------------------------------------------------------------------
 */

/* The arguments of a call object; NULL: it is none that may be made. */
static const struct json *read_call(const struct textcall_reader *r,
                                    const struct json *v, str *name) {
    const struct json *args = json_get(v, textcall_words(r->format).arguments);
    *name = wire_text(v, "name");
    if (!args) args = wire_get2(v, "arguments", "parameters");
    return wire_object(args) && offer_find(r->offers, *name) ? args : NULL;
}

/* All of a text that holds calls and nothing else in their place; 1: it does,
 * and they were told. */
static int take_json(struct textcall_reader *r, str text, struct err *e) {
    const struct json *v;
    str name;
    if (json_parse(str_trim(text), NULL, r->arena, &v, e))
        return e->kind == ERR_MEMORY ? -1 : 0;
    size_t n = wire_array(v) ? json_len(v) : 1;
    const struct json *first = wire_array(v) && n > 0 ? json_first(v) : v;
    const struct json *item = first;
    for (size_t i = 0; i < n; i++, item = json_skip(item))
        if (!read_call(r, item, &name)) return 0;
    item = first;
    for (size_t i = 0; i < n; i++, item = json_skip(item)) {
        const struct json *args = read_call(r, item, &name);
        if (tell_call(r, name, args, e)) return -1;
    }
    return n > 0;
}

/* Where the mark ends that ends a call; 0: not yet. A mark within a JSON string
 * is an argument's, unless the string is broken by the end of a line. */
static size_t find_end(struct textcall_reader *r, str after) {
    str text = buf_str(&r->held);
    for (; r->read < text.n; r->read++) {
        str rest = str_sub(text, r->read, text.n);
        char c = *rest.p;
        if (!r->quoted && str_starts(rest, after)) return r->read + after.n;
        if (!r->quoted && str_starts(after, rest)) return 0; /* of it, so far */
        bool escape = r->quoted && !r->escaped && c == '\\';
        if (c == '"' && !r->escaped) r->quoted = !r->quoted;
        if (c == '\n') r->quoted = false;
        r->escaped = escape;
    }
    return 0;
}

/* A call is complete, or is not to be had; 1: something was done. */
static int read_within(struct textcall_reader *r, struct err *e) {
    struct textcall_words w = textcall_words(r->format);
    size_t past = w.after.n > 0 ? find_end(r, w.after) : 0;
    if (past == 0) return 0;
    str inner =
        str_sub(buf_str(&r->held), r->mark + w.before.n, past - w.after.n);
    int taken = take_json(r, inner, e);
    if (taken < 0) return -1;
    if (!taken) return tell_text(r, past, e) ? -1 : 1;
    drop(r, past);
    return 1;
}

/* -- text -------------------------------------------------------------------
 */

/* How much of the end of a text may be the beginning of a mark. */
static size_t tail_of(str text, str mark) {
    size_t n = text.n < mark.n ? text.n : mark.n - 1;
    while (n > 0 && !str_starts(mark, str_sub(text, text.n - n, text.n)))
        n--;
    return n;
}

static int read_marked(struct textcall_reader *r, struct err *e) {
    str before = textcall_words(r->format).before;
    str text = buf_str(&r->held);
    ptrdiff_t at = str_find(text, before);
    if (at < 0) return tell_text(r, text.n - tail_of(text, before), e);
    if (tell_text(r, (size_t)at, e)) return -1;
    bool blank = r->held.len == text.n; /* it stays, in case this is no call */
    r->within = true;
    r->mark = blank ? (size_t)at : 0;
    r->read = r->mark + before.n;
    return 1;
}

/* May a text that is no longer than this be a call without marks, or a list of
 * such? */
static bool may_be_call(str text) {
    text = str_trim(text);
    if (text.n > 0 && text.p[0] == '[')
        text = str_trim(str_sub(text, 1, text.n));
    if (text.n == 0) return true;
    if (text.p[0] != '{') return false;
    text = str_trim(str_sub(text, 1, text.n));
    return text.n == 0 || text.p[0] == '"';
}

static int read_bare(struct textcall_reader *r, struct err *e) {
    if (!r->told && may_be_call(buf_str(&r->held))) return 0;
    return tell_text(r, r->held.len, e);
}

/* -- pieces -----------------------------------------------------------------
 */

int textcall_feed(struct textcall_reader *r, str piece, struct err *e) {
    bool marked = textcall_words(r->format).before.n > 0;
    if (buf_add_str(&r->held, piece, e))
        return fail_while(e, "a call in the text of an answer");
    if (!marked) return read_bare(r, e);
    for (int more = 1; more > 0;) {
        more = r->within ? read_within(r, e) : read_marked(r, e);
        if (more < 0) return -1;
    }
    return 0;
}

/* Had a call begun that is not complete? */
static bool was_begun(const struct textcall_reader *r) {
    if (textcall_words(r->format).before.n > 0) return r->within;
    str text = str_trim(buf_str(&r->held));
    while (text.n > 0 && (text.p[0] == '[' || text.p[0] == '{'))
        text = str_trim(str_sub(text, 1, text.n));
    return !r->told && str_starts(text, STR("\"name\""));
}

static int take_rest(struct textcall_reader *r, bool whole, struct err *e) {
    struct textcall_words w = textcall_words(r->format);
    str text = buf_str(&r->held);
    bool open = w.before.n > 0 ? r->within && w.after.n == 0 : !r->told;
    size_t from = r->within ? r->mark + w.before.n : 0;
    int taken = open ? take_json(r, str_sub(text, from, text.n), e) : 0;
    if (taken) return taken < 0 ? -1 : 0;
    if (!whole && was_begun(r)) return tell_call(r, STR(""), NULL, e);
    return tell_text(r, text.n, e);
}

int textcall_flush(struct textcall_reader *r, bool whole, struct err *e) {
    int result = take_rest(r, whole, e);
    drop(r, r->held.len);
    return result;
}

/* -- answers ----------------------------------------------------------------
 */

struct gathering {
    struct part_list parts;
    struct arena *arena;
    struct buf text; /* of the part that is next */
    size_t calls;
};

static int gather_text(void *data, str text, struct err *e) {
    struct gathering *g = data;
    return buf_add_str(&g->text, text, e);
}

/* What comes next is another part. */
static int close_text(struct gathering *g, struct err *e) {
    if (g->text.len == 0) return 0;
    struct part *p = parts_add(&g->parts, PART_TEXT, g->arena, e);
    if (!p || arena_dup(g->arena, buf_str(&g->text), &p->text, e)) return -1;
    buf_truncate(&g->text, 0);
    return 0;
}

static int gather_call(void *data, str name, const struct json *args,
                       struct err *e) {
    struct gathering *g = data;
    if (close_text(g, e)) return -1;
    struct part *p = parts_add(&g->parts, PART_CALL, g->arena, e);
    if (!p) return -1;
    g->calls++;
    p->name = name;
    p->partial = !args;
    return args ? wire_args_object(p, args, g->arena, e) : 0;
}

static const struct textcall_events gather = {gather_text, gather_call};

static int gather_parts(struct gathering *g, struct textcall_reader *r,
                        const struct model_answer *m, struct err *e) {
    for (const struct part *p = m->parts.first; p; p = p->next) {
        if (p->kind == PART_TEXT) {
            if (textcall_feed(r, p->text, e)) return -1;
            continue;
        }
        if (p->text.n > 0 && textcall_flush(r, true, e)) return -1;
        if (close_text(g, e) || !part_copy(p, &g->parts, g->arena, e))
            return -1;
    }
    if (textcall_flush(r, m->stop == STOP_END, e)) return -1;
    return close_text(g, e);
}

/* Those that a server has calls, an error or a pause of its own to tell of are
 * left as they are. */
static bool is_plain(enum stop stop) {
    return stop != STOP_CALLS && stop != STOP_PAUSE && stop != STOP_BAD_CALL &&
           stop != STOP_ERROR;
}

int textcall_answer(enum textcall format, const struct offers *offers,
                    struct arena *a, struct model_answer *m, struct err *e) {
    struct gathering g = {.arena = a, .text = BUF_MAX(TEXT_BYTES)};
    struct textcall_reader r;
    if (!is_plain(m->stop)) return 0;
    textcall_begin(&r, format, offers, a, &gather, &g);
    int result = gather_parts(&g, &r, m, e);
    textcall_fini(&r);
    buf_fini(&g.text);
    if (result || g.calls == 0) return result;
    m->parts = g.parts;
    if (m->stop == STOP_END) m->stop = STOP_CALLS;
    return 0;
}
