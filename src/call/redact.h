/* SPDX-License-Identifier: MIT
 *
 * redact -- what must not leave: secrets, personal data, fields nobody needs.
 *
 *     {"kinds": ["email", "iban", "pii"],
 *      "patterns": {"STAFF": "\\bE[0-9]{6}\\b"},
 *      "fields": {"crm.*": {"drop": ["/notes"], "mask": ["/list/~*"]},
 *                 "hr.lookup": {"keep": ["/name", "/team"]}}}
 *
 * A value that is found becomes a word with a tag that is the same wherever
 * the same value stands (<EMAIL_3fa2b1>), so programs can still compare. Kinds
 * are words of policy/detect.h. Keys and tokens of known shape are always taken
 * out; so are the values of secrets that Cordon itself handed to providers
 * (policy/secret.h). Field paths are
 * JSON pointers in which "~*" stands for any one key or index.
 */
#ifndef CORDON_CALL_REDACT_H
#define CORDON_CALL_REDACT_H

#include "policy/secret.h"
#include "tools/registry.h"

struct redact;

/* config and secrets may be NULL; config is copied, secrets borrowed. */
struct redact *redact_new(const struct json *config, struct secrets *secrets,
                          struct err *e);
void redact_free(struct redact *r); /* r may be NULL */

/* Are there field rules for this tool? */
bool redact_shapes(const struct redact *r, const struct entry *t);

/* The value as it may leave. t NULL: no field rules. *out is v itself where
 * nothing had to go. */
int redact_value(struct redact *r, const struct entry *t, const struct json *v,
                 struct arena *a, const struct json **out, struct err *e);

/* The same for one text, such as an error. */
int redact_text(struct redact *r, str text, struct buf *out, struct err *e);

#endif
