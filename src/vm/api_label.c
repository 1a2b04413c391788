/* SPDX-License-Identifier: MIT
 *
 * api_label -- cordon.h: labels.
 */
#include "vm/session.h"

void cordon_options_labels(cordon_options *o, enum cordon_labels mode) {
    o->labels = mode;
}

int cordon_label_number(cordon_session *s, const struct cordon_label *label) {
    if (s->vm.labels) return label_number(s->vm.labels, label);
    return fail(&s->err, ERR_UNSUPPORTED, "labels are off in this session");
}

void cordon_label_read(const cordon_session *s, cordon_label_id id,
                       struct cordon_label *out) {
    const struct labels *l = s->vm.labels;
    *out = (struct cordon_label){0};
    if (l && id) *out = l->table[id < l->n ? id : LABEL_TOP];
}

/* A number that was never given out is no way to less than the top. */
static uint16_t known(const struct labels *l, cordon_label_id id) {
    return id < l->n ? id : LABEL_TOP;
}

cordon_label_id cordon_label_join(cordon_session *s, cordon_label_id a,
                                  cordon_label_id b) {
    struct labels *l = s->vm.labels;
    return l ? label_join(l, known(l, a), known(l, b)) : 0;
}

void cordon_label_errors(cordon_session *s, cordon_label_id id) {
    struct labels *l = s->vm.labels;
    if (l) l->error = known(l, id);
}

void cordon_label_literals(cordon_session *s, cordon_label_id base,
                           cordon_literal_fn *fn, void *user) {
    struct labels *l = s->vm.labels;
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
