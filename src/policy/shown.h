/* SPDX-License-Identifier: MIT
 *
 * shown -- what a model has been shown in a session, and so what its words may
 * come from.
 *
 * In function calling a value leaves as text and comes back as text: its
 * labels are found again by the value. In code mode results stay in variables,
 * and only the literals of a program need this. A value is
 *
 *     the user's    when it stands in a message of theirs as a whole token
 *                   (short numbers and two letters do not count),
 *     a result's    when a result that was shown holds it: where a field equals
 *                   it the labels of those fields, else of those that hold it,
 *     the turn's    otherwise: the model made it up, after all it has seen.
 *
 * What does not fit any more makes the turn untrusted.
 */
#ifndef CORDON_POLICY_SHOWN_H
#define CORDON_POLICY_SHOWN_H

#include "policy/label.h"
#include "json/json.h"

struct shown;

struct shown *shown_new(struct err *e);
void shown_free(struct shown *s); /* s may be NULL */
size_t shown_bytes(const struct shown *s);

/* The user said this. */
int shown_user(struct shown *s, str message, struct err *e);

/* The model saw this result, or this text (printed output, an error). */
int shown_result(struct shown *s, const struct json *value,
                 const struct labels *labels, struct err *e);
int shown_text(struct shown *s, str text, const struct label *label,
               struct err *e);

/* Nothing is known of what came before, as after a restart. */
void shown_forgot(struct shown *s);

/* Of all it has seen. */
const struct label *shown_turn(const struct shown *s);

/* The label of one value; it lives as long as s. */
const struct label *shown_value(const struct shown *s, str text);

/* The labels of a call's arguments; what decided to make the call (pc) is the
 * turn. */
int shown_match(const struct shown *s, const struct json *args, struct arena *a,
                const struct labels **out, struct err *e);

#endif
