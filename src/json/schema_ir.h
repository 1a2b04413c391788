/* SPDX-License-Identifier: MIT
 *
 * schema_ir -- the compiled form of a schema, shared by the files that make it
 * (schema_compile, schema_emit), run it (schema_eval) and read it (coerce).
 *
 * Each schema object is a unit. A unit holds the set of types it accepts and,
 * for each kind of value, the index of the instructions that such a value must
 * pass, ended by OP_END. Most units of tool schemas are a type and nothing
 * else, so they are decided without running an instruction.
 */
#ifndef CORDON_JSON_SCHEMA_IR_H
#define CORDON_JSON_SCHEMA_IR_H

#include "json/format.h"
#include "json/regex.h"
#include "json/schema.h"
#include "json/schema_names.h"

enum keyword {
#define KEYWORD(name, text, dialects, holds, vocabulary) KEY_##name,
#include "json/schema_keywords.def"
#undef KEYWORD
    KEY_COUNT,
    KEY_FALSE = KEY_COUNT, /* the schema `false`, in reports */
};

const char *keyword_text(enum keyword k);

enum op_nature { LEAF, BRANCH, TREE };

enum schema_op {
#define OP(name, operand, nature) OP_##name,
#include "json/schema_ops.def"
#undef OP
};

enum op_nature op_nature(enum schema_op op);

/* Values fall into five kinds; keywords apply to one of them or to all. */
enum kind { KIND_PLAIN, KIND_NUMBER, KIND_TEXT, KIND_ARRAY, KIND_OBJECT };
#define KIND_COUNT 5
#define KINDS_ALL  0x1fu

static inline enum kind kind_of(enum json_type t) {
    static const unsigned char kinds[] = {
        [JSON_NULL] = KIND_PLAIN,  [JSON_BOOL] = KIND_PLAIN,
        [JSON_INT] = KIND_NUMBER,  [JSON_REAL] = KIND_NUMBER,
        [JSON_BIG] = KIND_NUMBER,  [JSON_STRING] = KIND_TEXT,
        [JSON_ARRAY] = KIND_ARRAY, [JSON_OBJECT] = KIND_OBJECT,
    };
    return (enum kind)kinds[t];
}

#define TYPE_BIT(t) (1u << (t))
#define TYPES_NUMBER \
    (TYPE_BIT(JSON_INT) | TYPE_BIT(JSON_REAL) | TYPE_BIT(JSON_BIG))
#define TYPES_ALL 0xffu

#define UNIT_TRUE 0u         /* accepts everything */
#define UNIT_NONE UINT32_MAX /* no such schema */
#define CODE_END  0u         /* index of an OP_END that all units share */

struct unit {
    uint32_t code[KIND_COUNT]; /* first instruction for each kind */
    uint8_t types;             /* TYPE_BIT of each accepted JSON type */
    uint8_t plain;             /* of those, the types with no instructions */
    uint8_t bounded;           /* and those that low and high say all about */
    uint8_t leaf;      /* bit 1 << kind: all its instructions are LEAF */
    bool integral;     /* "integer": a real with an integer value passes too */
    bool unevaluated;  /* keeps marks of what its keywords evaluated */
    uint32_t resource; /* index of the schema resource it lies in */
    int64_t low, high; /* of an integer, or of a string's length */
    const struct json *where; /* the schema */
    const struct json *type;  /* its "type", NULL without one */
};

struct unit_list {
    size_t count;
    uint32_t units[];
};

/* The members of an object, in one instruction. */
struct prop {
    uint32_t unit;     /* UNIT_NONE: named by "required" only */
    uint32_t required; /* 1 + number of its bit; 0: optional */
    uint64_t bit;      /* that bit, where it is one of the first 64 */
};

struct prop_pattern {
    struct regex *regex;
    uint32_t unit;
};

struct props {
    struct names names;    /* of properties and required, in schema order */
    struct prop *list;     /* parallel to names */
    uint32_t required;     /* how many bits */
    uint64_t all_required; /* the bits, where they fit */
    uint32_t additional;   /* UNIT_NONE: anything goes */
    bool closed;           /* additionalProperties is false */
    bool simple;           /* no patterns, at most 64 required, all of them in
                              properties: what tools have */
    size_t pattern_count;
    struct prop_pattern *patterns;
    const struct json *required_at; /* the keywords, for reports */
    const struct json *additional_at;
};

/* A number as an integer times a power of ten, for multipleOf. */
struct decimal_step {
    uint64_t digits;
    int64_t exp10;
    int64_t integer; /* the step itself where it is an int64, else 0 */
};

struct need {
    str member;
    const struct json *required; /* array of strings, or NULL */
    uint32_t unit;               /* or UNIT_NONE */
};

struct need_list {
    size_t count;
    struct need needs[];
};

struct count_range {
    size_t min, max;
};

struct choice {
    uint32_t then_unit, else_unit; /* UNIT_TRUE where absent */
};

/* $dynamicRef: for each resource the unit of the anchor there. */
struct dynamic_ref {
    str anchor;
    uint32_t *units; /* by resource; UNIT_NONE where it has none */
    size_t bound;    /* how many resources there were when units was filled */
    struct dynamic_ref *next;
};

struct instr {
    uint8_t op;      /* enum schema_op */
    uint8_t keyword; /* enum keyword */
    uint32_t unit;
    union {
        const struct json *value;
        const struct names *names;
        const struct props *props;
        const struct unit_list *list;
        const struct need_list *needs;
        const struct decimal_step *step;
        const struct count_range *range;
        const struct choice *choice;
        const struct dynamic_ref *dynamic;
        const struct format *format;
        struct regex *regex;
        size_t count;
    } as;
    const struct json *where; /* the keyword's value */
};

/* A document that was compiled or referred to. */
struct source {
    struct source *next;
    const struct json *root;
    str uri;         /* retrieval address; "" for the compiled document */
    uint32_t *units; /* 1 + unit of the schema at each node; 0: none yet */
    uint32_t first_resource, end_resource; /* of the schema index */
};

struct schema {
    struct arena arena; /* everything but the three below */
    struct unit *units;
    struct instr *code;
    struct regex *regexes; /* all of them, linked */
    struct regex_scratch *scratch;
    size_t unit_count, unit_cap;
    size_t code_count, code_cap;
    uint32_t root;               /* unit */
    bool dynamic;                /* some $dynamicRef needs the dynamic scope */
    struct source *sources;      /* the compiled document first */
    struct arena work;           /* of an evaluation; empty between them */
    uint64_t hash_key[2];        /* for uniqueItems */
    size_t max_steps, max_depth; /* steps 0: by the value's size */
};

/* The location of a node as "#/pointer", with the URI of its document in
 * front unless it is the compiled one. */
int schema_location(const struct schema *s, const struct json *node,
                    struct buf *out, struct err *e);

/* A pointer token with its "/", escaped. */
int schema_token(str token, struct buf *out, struct err *e);

/* Where a value stands, as a chain on the C stack from the innermost out. */
struct at {
    const struct at *up;
    const struct json *key; /* NULL: an array's item */
    size_t index;
};

int schema_at_pointer(const struct at *at, struct buf *out, struct err *e);

/* One evaluation of one unit, for coercion; *steps is what may be spent and
 * then what is left. 1 valid, 0 not, -1 limit. */
int schema_test(struct schema *s, uint32_t unit, const struct json *v,
                size_t *steps, struct err *e);

/* How many steps an evaluation of v may take. */
size_t schema_steps(const struct schema *s, const struct json *v);

/* True when the unit accepts values of this type, keywords aside. */
bool unit_takes(const struct unit *u, const struct json *v);

#endif
