/* SPDX-License-Identifier: MIT
 *
 * schema_eval -- the state of one evaluation, shared by the files that run a
 * compiled schema and the one that writes reports.
 */
#ifndef CORDON_JSON_SCHEMA_EVAL_H
#define CORDON_JSON_SCHEMA_EVAL_H

#include "json/schema_ir.h"

/* The resources entered so far, innermost first; for $dynamicRef. */
struct scope {
    const struct scope *up;
    uint32_t resource;
};

/* Gathers violations; see schema_explain. */
struct collector {
    struct arena *arena;
    struct schema_error *errors;
    size_t count, max;
    bool more;
    bool brief; /* the first violation is enough, its schema_path not needed */
};

struct eval {
    struct schema *s;
    struct collector *collector; /* NULL: the first violation decides */
    const struct scope *scope;
    size_t steps; /* left */
    size_t depth; /* of units being applied */
    bool stopped; /* a limit was hit; err says which */
    struct err *err;
};

/* Which members of an object or items of an array some keyword evaluated.
 * They exist only while an unevaluated... keyword waits for them. */
struct marks {
    uint64_t *bits;
    size_t count;
    uint64_t small;
};

/* Keeps the frames of rare keywords out of the functions that run for all. */
#define OUTLINE __attribute__((noinline))
#define INLINE  static inline __attribute__((always_inline))

/* Nodes of a value, itself too: what reading all of it costs. */
static inline size_t json_nodes(const struct json *v) {
    return (size_t)(json_skip(v) - v);
}

bool eval_unit(struct eval *x, uint32_t unit, const struct json *v,
               const struct at *at, struct marks *marks);

/* Spends n steps; false when there are not so many left. */
bool eval_exhausted(struct eval *x);
static inline bool eval_spend(struct eval *x, size_t n) {
    if (x->steps < n) return eval_exhausted(x);
    x->steps -= n;
    return true;
}

/* Applies a unit whose failure is no violation. Its marks count only when it
 * accepts the value. */
bool eval_try(struct eval *x, uint32_t unit, const struct json *v,
              const struct at *at, struct marks *marks);

/* After a violation at `in`: goes on when someone collects them. False. */
bool eval_run_on(struct eval *x, const struct instr *in, const struct json *v,
                 const struct at *at, struct marks *marks);

/* Keywords for objects. */
bool eval_properties(struct eval *x, const struct instr *in,
                     const struct json *v, const struct at *at,
                     struct marks *marks);
bool eval_names(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at);
bool eval_needs(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at, struct marks *marks);
bool eval_unevaluated_members(struct eval *x, const struct instr *in,
                              const struct json *v, const struct at *at,
                              struct marks *marks);

/* Keywords for arrays. */
bool eval_items(struct eval *x, const struct instr *in, const struct json *v,
                const struct at *at, struct marks *marks);
bool eval_contains(struct eval *x, const struct instr *in, const struct json *v,
                   const struct at *at, struct marks *marks);
bool eval_unevaluated_items(struct eval *x, const struct instr *in,
                            const struct json *v, const struct at *at,
                            struct marks *marks);
bool items_unique(struct eval *x, const struct json *v);

/* Ends the evaluation; -1 made by fail() has filled *x->err. False. */
bool eval_stop(struct eval *x, int failed);

/* Records a violation when someone collects; always false. */
bool report_type(struct eval *x, const struct unit *u, const struct json *v,
                 const struct at *at);
bool report(struct eval *x, const struct instr *in, const struct json *v,
            const struct at *at);
/* For anyOf and oneOf: where only one alternative is for values of this type,
 * what is wrong with it tells more than that none fits. */
void report_choice(struct eval *x, const struct instr *in, const struct json *v,
                   const struct at *at);
/* known: the names of the schema's members, for a hint; may be NULL. */
bool report_missing(struct eval *x, const struct json *keyword_at,
                    enum keyword k, str member, const struct names *known,
                    const struct json *v, const struct at *at);
bool report_extra(struct eval *x, const struct json *keyword_at, enum keyword k,
                  const struct names *known, const struct json *key,
                  const struct at *at);

static inline void mark(struct marks *m, size_t i) {
    m->bits[i / 64] |= (uint64_t)1 << (i % 64);
}
static inline bool marked(const struct marks *m, size_t i) {
    return m->bits[i / 64] >> (i % 64) & 1;
}
void mark_all(struct marks *m);

#endif
