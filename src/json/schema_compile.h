/* SPDX-License-Identifier: MIT
 *
 * schema_compile -- what the driver (schema_compile.c) and the keywords
 * (schema_emit.c) of the compiler share.
 */
#ifndef CORDON_JSON_SCHEMA_COMPILE_H
#define CORDON_JSON_SCHEMA_COMPILE_H

#include "json/schema_index.h"

/* An instruction that waits until its unit is complete: nested units are
 * compiled in between, and a unit's instructions must lie together. */
struct pending {
    struct instr in;
    unsigned kinds; /* bit 1 << kind for each kind of value it is for */
};

/* A unit that something refers to and that is not compiled yet. */
struct todo {
    struct source *source;
    const struct json *node;
    uint32_t unit;
};

struct compile {
    struct schema *s;
    struct index index;
    struct pending *pending;
    size_t pending_count, pending_cap;
    struct todo *todo;
    size_t todo_count, todo_cap;
    struct dynamic_ref *dynamic; /* one for each anchor's name, newest first */
    struct map dynamic_names;    /* the same by name */
    bool assert_formats;
    size_t regex_count;
    size_t depth;
    size_t max_bytes;
};

/* The schema object being compiled. */
struct subject {
    struct source *source;
    const struct json *node;
    uint32_t unit;
    uint32_t resource;
    struct place place;
};

/* ERR_INVALID with the node's location in front; -1. */
int compile_fault(struct compile *c, const struct json *node, struct err *e,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The unit of the schema at a node inside the subject, compiled at once. */
int compile_child(struct compile *c, const struct subject *in,
                  const struct json *node, uint32_t *out, struct err *e);

/* The unit of a schema anywhere, compiled before compilation ends. */
int compile_later(struct compile *c, struct source *source,
                  const struct json *node, uint32_t *out, struct err *e);

int compile_push(struct compile *c, struct instr in, unsigned kinds,
                 struct err *e);

/* Emits everything the subject's keywords ask for. */
int emit_keywords(struct compile *c, struct subject *in, struct err *e);

#endif
