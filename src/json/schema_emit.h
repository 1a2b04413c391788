/* SPDX-License-Identifier: MIT
 *
 * schema_emit -- what the files that compile keywords share. Each emit_
 * function does nothing when the subject lacks its keyword.
 */
#ifndef CORDON_JSON_SCHEMA_EMIT_H
#define CORDON_JSON_SCHEMA_EMIT_H

#include "json/schema_compile.h"

#define TEXT_ONLY   (1u << KIND_TEXT)
#define NUMBER_ONLY (1u << KIND_NUMBER)
#define ARRAY_ONLY  (1u << KIND_ARRAY)
#define OBJECT_ONLY (1u << KIND_OBJECT)

static inline const struct json *place_at(const struct subject *in,
                                          enum keyword k) {
    return in->place.at[k];
}

static inline struct arena *compile_arena(struct compile *c) {
    return &c->s->arena;
}

/* An instruction for the keyword, without an operand yet. */
struct instr emit_instr(enum schema_op op, const struct subject *in,
                        enum keyword k);

/* Values of keywords; -1 and the place where they are something else. */
int emit_want(struct compile *c, const struct json *v, enum json_type type,
              struct err *e);
bool emit_all_strings(const struct json *list);
int emit_read_count(struct compile *c, const struct json *v, size_t *out,
                    struct err *e);
int emit_read_list(struct compile *c, struct subject *in, const struct json *v,
                   const struct unit_list **out, struct err *e);
int emit_regex(struct compile *c, const struct json *where, str pattern,
               struct regex **out, struct err *e);

/* Keywords that are a count, and those that are one schema. */
int emit_count(struct compile *c, struct subject *in, enum keyword k,
               enum schema_op op, unsigned kinds, struct err *e);
int emit_one(struct compile *c, struct subject *in, enum keyword k,
             enum schema_op op, unsigned kinds, struct err *e);

int emit_arrays(struct compile *c, struct subject *in, struct err *e);
int emit_objects(struct compile *c, struct subject *in, struct err *e);

#endif
