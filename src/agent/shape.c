/* SPDX-License-Identifier: MIT */
#include "agent/shape.h"

#include "agent/gbnf.h"

#define GRAMMAR_BYTES ((size_t)16 << 20)

int shape_request(const struct model_config *c, const struct model_request *q,
                  struct arena *a, struct model_request *out, struct err *e) {
    AUTO_BUF struct buf grammar = BUF_MAX(GRAMMAR_BYTES);
    enum textcall format = (enum textcall)c->text_format;
    if (!c->text_calls) {
        *out = *q;
        return 0;
    }
    if (textcall_request(format, q, a, out, e)) return -1;
    if (!c->grammar) return 0;
    if (gbnf_write(format, &q->offers, &grammar, e)) return -1;
    return arena_dup(a, buf_str(&grammar), &out->grammar, e);
}

int shape_answer(const struct model_config *c, const struct offers *offers,
                 struct arena *a, struct model_answer *m, struct err *e) {
    if (!c->text_calls) return 0;
    return textcall_answer((enum textcall)c->text_format, offers, a, m, e);
}
