/* SPDX-License-Identifier: MIT
 *
 * bridge -- labels on their way into a program and out of it.
 *
 * The interpreter carries labels as numbers: integrity, a set of principals
 * who may not see a value, numbers of origins (include/cordon.h). A bridge
 * belongs to one session and keeps what those numbers stand for. Origins
 * beyond its room become "many", readers beyond sixty-two become private: less
 * is known then, never more trusted.
 */
#ifndef CORDON_POLICY_BRIDGE_H
#define CORDON_POLICY_BRIDGE_H

#include "policy/label.h"
#include "policy/shown.h"
#include "tools/tool.h"

#include "cordon.h"

struct bridge;

struct bridge *bridge_new(struct err *e);
void bridge_free(struct bridge *b); /* b may be NULL */

/* The number of a label in a session, and back. A label that cannot be given a
 * number is an error. */
int bridge_number(struct bridge *b, cordon_session *s, const struct label *l,
                  cordon_label_id *out, struct err *e);
int bridge_read(const struct bridge *b, const cordon_session *s,
                cordon_label_id id, struct arena *a, struct label *out,
                struct err *e);

/* A result for cordon_resume_labelled and its like: hand bridge_place and a
 * struct bridge_result. After it, `failed` tells whether a place got the label
 * of nothing known instead of its own. */
struct bridge_result {
    struct bridge *bridge;
    cordon_session *session;
    struct label_finder finder;
    bool failed;
    struct bridge_way *way; /* to the last place; from bridge_begin */
};
int bridge_begin(struct bridge_result *r, struct bridge *b, cordon_session *s,
                 const struct labels *labels, struct arena *a, struct err *e);
cordon_label_id bridge_place(void *result, const struct cordon_place *place);

/* Literals of a program, for cordon_label_literals. */
struct bridge_literals {
    struct bridge *bridge;
    cordon_session *session;
    const struct shown *shown;
};
cordon_label_id bridge_literal(void *literals, const char *text, size_t len);

/* The labels of the arguments of the call that the session waits for, with
 * paths into the arguments object (tools/params.h says which positional
 * argument is which). */
int bridge_call(const struct bridge *b, cordon_session *s,
                const struct tool *tool, struct arena *a,
                const struct labels **out, struct err *e);

/* The numbers of origins and readers as JSON, to be kept with a snapshot. */
int bridge_save(const struct bridge *b, struct buf *out, struct err *e);
struct bridge *bridge_load(const struct json *saved, struct err *e);

#endif
