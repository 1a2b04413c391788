/* SPDX-License-Identifier: MIT
 *
 * api_label -- cordon.h: labels.
 */
#include "vm/exc.h"
#include "vm/jsonval.h"
#include "vm/load.h"
#include "vm/ops.h"
#include "vm/session.h"
#include "vm/taint.h"

void cordon_options_labels(cordon_options *o, enum cordon_labels mode) {
    o->labels = mode;
}

int cordon_label_number(cordon_session *s, const struct cordon_label *label) {
    struct label_table *l = s->vm.labels;
    uint32_t before = l ? l->n : 0;
    if (l) {
        int number = label_number(l, label);
        struct cordon_label same;
        bool known = l->n == before;
        if (!known && !s->journal.draws &&
            !history_take(&s->journal, HISTORY_LABEL, &same, sizeof same))
            history_add(&s->journal, HISTORY_LABEL,
                        (str){(const char *)label, sizeof *label});
        return number;
    }
    return fail(&s->err, ERR_UNSUPPORTED, "labels are off in this session");
}

void cordon_label_read(const cordon_session *s, cordon_label_id id,
                       struct cordon_label *out) {
    const struct label_table *l = s->vm.labels;
    *out = (struct cordon_label){0};
    if (l && id) *out = l->table[id < l->n ? id : LABEL_TOP];
}

/* A number that was never given out is no way to less than the top. */
static uint16_t known(const struct label_table *l, cordon_label_id id) {
    return id < l->n ? id : LABEL_TOP;
}

cordon_label_id cordon_label_join(cordon_session *s, cordon_label_id a,
                                  cordon_label_id b) {
    struct label_table *l = s->vm.labels;
    return l ? label_join(l, known(l, a), known(l, b)) : 0;
}

void cordon_label_errors(cordon_session *s, cordon_label_id id) {
    struct label_table *l = s->vm.labels;
    if (l) l->error = known(l, id);
}

void cordon_label_literals(cordon_session *s, cordon_label_id base,
                           cordon_literal_fn *fn, void *user) {
    struct label_table *l = s->vm.labels;
    if (!l) return;
    l->literal = known(l, base);
    l->literal_fn = fn;
    l->literal_user = user;
}

cordon_label_id cordon_output_label(const cordon_session *s) {
    return s->vm.labels ? s->vm.labels->output : 0;
}

cordon_label_id cordon_traceback_label(const cordon_session *s) {
    return s->vm.labels ? s->vm.labels->traceback : 0;
}

/* -- values in
 * -----------------------------------------------------------------
 */

val session_read_labelled(cordon_session *s, str json, cordon_label_fn *fn,
                          void *user) {
    vm_clock_start(&s->vm); /* waiting does not count */
    struct label_notes notes = {s, fn, user};
    bool direct = fn && !s->journal.record && s->journal.labels.n == 0;
    if (s->vm.labels)
        return jsonval_read_labelled(&s->vm, json,
                                     direct ? fn : session_note_label,
                                     direct ? user : &notes, &s->err);
    err_set(&s->err, ERR_UNSUPPORTED, "labels are off in this session");
    return VAL_UNSET;
}

int cordon_set_labelled(cordon_session *s, const char *name, const char *json,
                        size_t len, cordon_label_fn *fn, void *user) {
    if (session_note(s, HISTORY_INPUT, str_of(name), (str){json, len}))
        return -1;
    val v = session_read_labelled(s, (str){json, len}, fn, user);
    session_note_labels(s);
    return session_set(s, name, v);
}

enum cordon_status cordon_resume_labelled(cordon_session *s, const char *json,
                                          size_t len, cordon_label_fn *fn,
                                          void *user) {
    if (!vm_root(&s->vm)->call) return session_not_waiting(s);
    val v = session_read_labelled(s, (str){json, len}, fn, user);
    session_note_labels(s);
    session_note_answer(s, HISTORY_ANSWER, (str){json, len}, STR(""));
    return session_resume(s, v);
}

/* -- labels out
 * ----------------------------------------------------------------
 */

static const val *call_parts(cordon_session *s) {
    val call = vm_root(&s->vm)->call;
    return s->vm.labels && call ? tuple_items(&s->vm, call) : NULL;
}

int cordon_call_labels(cordon_session *s, cordon_place_fn *fn, void *user) {
    const val *part = call_parts(s);
    if (!part)
        return fail(&s->err, ERR_INVALID, "no call waits, or labels are off");
    if (jsonval_places(&s->vm, "args", part[1], fn, user) ||
        (part[2] != VAL_NONE &&
         jsonval_places(&s->vm, "kwargs", part[2], fn, user)))
        return fail(&s->err, ERR_LIMIT, "the arguments nest too deeply");
    return 0;
}

cordon_label_id cordon_call_label(cordon_session *s) {
    const val *part = call_parts(s);
    if (!part) return 0;
    return label_join(s->vm.labels, taint_deep(&s->vm, part[1]),
                      taint_deep(&s->vm, part[2]));
}

cordon_label_id cordon_call_control(cordon_session *s) {
    return call_parts(s) ? vm_frame(&s->vm)->control : 0;
}

cordon_label_id cordon_result_label(cordon_session *s) {
    struct label_table *l = s->vm.labels;
    if (!l) return 0;
    return label_join(l, taint_deep(&s->vm, vm_root(&s->vm)->result),
                      l->result_under);
}
