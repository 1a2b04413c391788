/* SPDX-License-Identifier: MIT
 *
 * Where values come from, on their way through a run: results get their labels
 * when they enter the program, arguments have theirs when they leave it, and
 * what the model is shown in the end is noted in its conversation.
 */
#include <stdlib.h>

#include "runs/inside.h"
#include "runs/own.h"
#include "tools/params.h"
#include "json/write.h"

/* -- copies
 * ---------------------------------------------------------------------
 */

static int copy_label(const struct label *from, struct arena *a,
                      struct label *to, struct err *e) {
    str *readers =
        arena_alloc(a, (from->reader_count + 1) * sizeof *readers, e);
    struct origin *origins =
        arena_alloc(a, (from->origin_count + 1) * sizeof *origins, e);
    if (!readers || !origins) return -1;
    *to = *from;
    for (size_t i = 0; i < from->reader_count; i++)
        if (arena_dup(a, from->readers[i], &readers[i], e)) return -1;
    for (size_t i = 0; i < from->origin_count; i++) {
        const struct origin *o = &from->origins[i];
        origins[i] = *o;
        if (arena_dup(a, o->server, &origins[i].server, e) ||
            arena_dup(a, o->tool, &origins[i].tool, e) ||
            arena_dup(a, o->field, &origins[i].field, e))
            return -1;
    }
    to->readers = readers;
    to->origins = origins;
    return 0;
}

int run_labels_keep(const struct labels *from, struct arena *a,
                    const struct labels **out, struct err *e) {
    struct labels *to = arena_zalloc(a, 1, sizeof *to, e);
    size_t count = from ? from->count : 0;
    struct labelled *items = arena_alloc(a, (count + 1) * sizeof *items, e);
    if (!to || !items) return -1;
    for (size_t i = 0; i < count; i++)
        if (arena_dup(a, from->items[i].path, &items[i].path, e) ||
            copy_label(&from->items[i].label, a, &items[i].label, e))
            return -1;
    to->items = items;
    to->count = count;
    *out = to;
    return 0;
}

/* -- into the program ---------------------------------------------------------
 */

/* For a replay: which words of the program had a label. */
static int note_turn(struct run *r, const struct label *turn,
                     const struct worker_literal *all, size_t n,
                     struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(RUN_BYTES);
    struct jw w = JW(&text);
    if (r->taken_over || (!n && !journal_labelled(turn))) return 0;
    jw_object(&w);
    jw_put_bool(&w, "labelled", journal_labelled(turn));
    jw_key(&w, "words");
    jw_array(&w);
    for (size_t i = 0; i < n; i++) {
        jw_array(&w);
        jw_text(&w, all[i].text);
        jw_bool(&w, journal_labelled(all[i].label));
        jw_end_array(&w);
    }
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return journal_add(&r->journal, "turn", buf_str(&text), e);
}

/* What the model wrote is the user's where the user said it, else as trusted as
 * what the model has seen. Errors come from tools. */
int run_labels_turn(struct run *r, struct err *e) {
    struct shown *shown =
        boundary_shown(r->runs->config.boundary, r->conversation);
    if (!shown) return fail(e, ERR_MEMORY, "out of memory");
    if (r->user_text.n && shown_user(shown, r->user_text, e)) return -1;
    return worker_turn(r->seat.worker, shown_turn(shown), label_unknown(), e);
}

int run_labels_literals(struct run *r, const struct worker_event *checked,
                        struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(RUN_BYTES);
    const struct shown *shown =
        boundary_shown(r->runs->config.boundary, r->conversation);
    size_t n = checked->nliterals, kept = 0;
    struct worker_literal *all = arena_alloc(&a, (n + 1) * sizeof *all, e);
    if (!all || !shown) return fail(e, ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        const struct label *l = shown_value(shown, checked->literals[i]);
        if (l == shown_turn(shown)) continue;
        all[kept++] = (struct worker_literal){checked->literals[i], l};
    }
    if (note_turn(r, shown_turn(shown), all, kept, e)) return -1;
    return kept ? worker_literals(r->seat.worker, all, kept, e) : 0;
}

/* -- out of it ----------------------------------------------------------------
 */

/* A segment of a JSON pointer as it was before it was escaped. */
static int unescape(str segment, struct buf *out, struct err *e) {
    for (size_t i = 0; i < segment.n; i++) {
        char c = segment.p[i];
        if (c == '~' && i + 1 < segment.n)
            c = segment.p[++i] == '1' ? '/' : '~';
        if (buf_add_char(out, c, e)) return -1;
    }
    return 0;
}

/* "/args/0" and "/kwargs/class_" become the schema's names. */
static int schema_path(const struct params *params, str path, struct arena *a,
                       str *out, struct err *e) {
    AUTO_BUF struct buf key = BUF_MAX(1 << 16), text = BUF_MAX(1 << 20);
    bool by_place = str_starts(path, STR("/args/"));
    str rest = str_sub(path, by_place ? 6 : 8, path.n);
    ptrdiff_t end = str_find_char(rest, '/');
    str first = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
    str name = STR("");
    if (unescape(first, &key, e)) return -1;
    if (by_place) {
        unsigned long i = strtoul(buf_text(&key), NULL, 10);
        if (i < params->count) name = params->items[i].json;
    } else {
        const struct param *p = params_find(params, buf_str(&key));
        name = p ? p->json : buf_str(&key);
    }
    if (buf_add_char(&text, '/', e) || pointer_add(name, &text, e) ||
        buf_add_str(&text, str_sub(rest, first.n, rest.n), e))
        return -1;
    return arena_dup(a, buf_str(&text), out, e);
}

/* What was called by tools.call() is not told apart, so that it is trusted with
 * nothing. */
int run_labels_call(struct run_call *c, const struct labels **out,
                    struct err *e) {
    const struct labels *given = c->given;
    struct params params;
    if (str_is(c->name, OWN_CALL) || !given)
        return fail(e, ERR_MISSING, "no labels are known");
    struct labels *labels = arena_zalloc(&c->arena, 1, sizeof *labels, e);
    struct labelled *items =
        arena_zalloc(&c->arena, given->count + 1, sizeof *items, e);
    if (!labels || !items ||
        params_of(c->tool->tool.input, &c->arena, &params, e))
        return -1;
    /* What the program left out is the schema's default, not an outsider's. */
    items[labels->count++] = (struct labelled){STR(""), {0}};
    for (size_t i = 0; i < given->count; i++) {
        struct labelled *item = &items[labels->count++];
        item->label = given->items[i].label;
        if (schema_path(&params, given->items[i].path, &c->arena, &item->path,
                        e))
            return -1;
    }
    labels->items = items;
    labels->pc = given->pc;
    *out = labels;
    return 0;
}

static int note_text(struct run *r, struct shown *s, str label, str text,
                     struct err *e) {
    struct label l;
    if (text.n == 0) return 0;
    if (worker_read_label(label, &r->arena, &l, e)) return -1;
    return shown_text(s, text, &l, e);
}

/* What cannot be noted must have been anything. */
void run_labels_end(struct run *r, const struct worker_event *ev) {
    struct shown *s = boundary_shown(r->runs->config.boundary, r->conversation);
    struct err e;
    if (!s) return;
    if (note_text(r, s, ev->printed, buf_str(&r->output), &e) ||
        note_text(r, s, ev->label, ev->text, &e) ||
        note_text(r, s, ev->label, ev->repr, &e))
        shown_forgot(s);
}
