/* SPDX-License-Identifier: MIT
 *
 * Where values come from, on their way through a run: results get their labels
 * when they enter the program, arguments have theirs when they leave it, and
 * what the model is shown in the end is noted in its conversation.
 */
#include "runs/inside.h"

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

/* -- into the program
 * -------------------------------------------------------------
 */

/* What the model wrote is the user's where the user said it, else as trusted as
 * what the model has seen. Errors come from tools. */
int run_labels_begin(struct run *r, struct err *e) {
    struct shown *shown =
        boundary_shown(r->runs->config.boundary, r->conversation);
    cordon_label_id turn, errors;
    if (!shown) return fail(e, ERR_MEMORY, "out of memory");
    if (r->user_text.n && shown_user(shown, r->user_text, e)) return -1;
    if (bridge_number(*r->bridge, r->vm, shown_turn(shown), &turn, e) ||
        bridge_number(*r->bridge, r->vm, label_unknown(), &errors, e))
        return -1;
    r->literals = (struct bridge_literals){*r->bridge, r->vm, shown};
    cordon_label_literals(r->vm, turn, bridge_literal, &r->literals);
    cordon_label_errors(r->vm, errors);
    return 0;
}

enum cordon_status run_labels_resume(struct run_call *c) {
    struct run *r = c->run;
    struct bridge_result result;
    struct err e;
    if (bridge_begin(&result, *r->bridge, r->vm, c->labels, &c->arena, &e))
        return cordon_resume_error(r->vm, "MemoryError", e.text);
    return cordon_resume_labelled(r->vm, c->json.p, c->json.n, bridge_place,
                                  &result);
}

int run_labels_resolve(struct run_call *c) {
    struct run *r = c->run;
    struct bridge_result result;
    struct err e;
    if (bridge_begin(&result, *r->bridge, r->vm, c->labels, &c->arena, &e))
        return cordon_resolve_error(r->vm, c->id, "MemoryError", e.text);
    return cordon_resolve_labelled(r->vm, c->id, c->json.p, c->json.n,
                                   bridge_place, &result);
}

/* -- out of it
 * --------------------------------------------------------------------
 */

static int note_text(struct run *r, struct shown *s, cordon_label_id id,
                     str text, struct err *e) {
    struct label label;
    if (text.n == 0) return 0;
    if (bridge_read(*r->bridge, r->vm, id, &r->arena, &label, e)) return -1;
    return shown_text(s, text, &label, e);
}

/* What cannot be noted must have been anything. */
void run_labels_end(struct run *r, enum cordon_status status) {
    struct shown *s = boundary_shown(r->runs->config.boundary, r->conversation);
    size_t len;
    const char *printed = cordon_output(r->vm, &len);
    const char *value =
        status == CORDON_DONE ? cordon_result_json(r->vm) : NULL;
    str traceback = str_of(cordon_traceback(r->vm));
    struct err e;
    if (!s) return;
    if (note_text(r, s, cordon_output_label(r->vm), (str){printed, len}, &e) ||
        note_text(r, s, cordon_result_label(r->vm), str_of(value), &e) ||
        note_text(r, s, cordon_traceback_label(r->vm), traceback, &e))
        shown_forgot(s);
}

/* -- over a pause
 * -----------------------------------------------------------------
 */

int run_labels_save(struct run *r, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    if (bridge_save(*r->bridge, &text, e)) return -1;
    return store_put(r->runs->config.store, "bridge", str_of(r->id),
                     buf_str(&text), 0, e);
}

int run_labels_load(struct run *r, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 * OUTCOME_BYTES);
    AUTO_BUF struct buf text = BUF_MAX(OUTCOME_BYTES);
    const struct json *saved;
    if (store_get(r->runs->config.store, "bridge", str_of(r->id), &text, e) ||
        json_parse(buf_str(&text), NULL, &a, &saved, e))
        return -1;
    struct bridge *b = bridge_load(saved, e);
    if (!b) return -1;
    bridge_free(*r->bridge);
    *r->bridge = b;
    return 0;
}
