/* SPDX-License-Identifier: MIT
 *
 * json -- JSON values: parsed from text, read, never changed.
 *
 * A value is a node in a flat array: the children of a container follow it, in
 * order, and an object's children alternate between key (a JSON_STRING) and
 * value. So a document is one piece of memory in an arena, walking it is
 * walking an array, and a const pointer to a node is a whole subtree. New
 * values are made with build.h; text is written with write.h.
 *
 * Strings are UTF-8 that may hold NULs and, where the text had a lone escape
 * such as \ud800, a loose surrogate (see utf8.h). Integers within 64 bits are
 * exact; longer ones, and reals too large for a double, keep their text.
 */
#ifndef CORDON_JSON_JSON_H
#define CORDON_JSON_JSON_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_INT,  /* fits int64_t */
    JSON_REAL, /* had a point or exponent, or came from json_real() */
    JSON_BIG,  /* a number kept as text: over 64 bits, or out of a double */
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json {
    uint64_t head; /* type in the low byte, length or child count above it */
    union {
        bool boolean;
        int64_t integer;
        double real;
        const char *text; /* JSON_STRING, JSON_BIG: NUL-terminated */
        size_t span;      /* containers: nodes in the subtree, itself too */
    } as;
};

/* No value, parsed or built, nests containers deeper than this. */
#define JSON_DEPTH_MAX 1024

/* What a parse may use and accept. Zero means the strict default given here. */
struct json_limits {
    size_t depth;         /* containers inside each other; 0: 512; at most
                             JSON_DEPTH_MAX */
    size_t bytes;         /* of text; 0: 64 MiB */
    bool keep_duplicates; /* default: a repeated key is an error */
    bool comments;        /* config files: // and block comments, and a comma
                             after the last item */
};

/* Where and why a text is not JSON. */
struct json_fault {
    size_t offset;        /* byte, from 0 */
    size_t line, column;  /* from 1; column in code points */
    bool truncated;       /* the text ended before its value did */
    const char *expected; /* static text: "':' after the key" */
};

/* The error names line, column and what was expected. limits may be NULL.
 * Nodes and strings live in the arena. */
int json_parse(str text, const struct json_limits *limits, struct arena *a,
               const struct json **out, struct err *e);

/* As json_parse; *fault is filled when the text itself is at fault
 * (ERR_INVALID), for callers that repair or underline. */
int json_parse_fault(str text, const struct json_limits *limits,
                     struct arena *a, const struct json **out,
                     struct json_fault *fault, struct err *e);

static inline enum json_type json_type(const struct json *v) {
    return (enum json_type)(v->head & 0xff);
}

/* "null", "boolean", "integer", "number", "string", "array", "object". */
const char *json_type_name(enum json_type t);

/* Items of an array, members of an object, bytes of a string. */
static inline size_t json_len(const struct json *v) {
    return (size_t)(v->head >> 8);
}

static inline str json_str(const struct json *v) {
    return (str){v->as.text, json_len(v)};
}

/* The node after v's subtree: the next item, key or value. */
static inline const struct json *json_skip(const struct json *v) {
    return v + (json_type(v) >= JSON_ARRAY ? v->as.span : 1);
}

/* Walks an array:
 *   const struct json *item = json_first(v);
 *   for (size_t i = json_len(v); i > 0; i--, item = json_skip(item)) ...
 * and an object, where the key is one node and its value follows it:
 *   const struct json *key = json_first(v);
 *   for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) ... */
static inline const struct json *json_first(const struct json *v) {
    return v + 1;
}

/* NULL when v is NULL, not an object, or has no such key. With duplicates kept
 * the last one counts. */
const struct json *json_get(const struct json *v, const char *key);
const struct json *json_get_str(const struct json *v, str key);
const struct json *json_at(const struct json *v, size_t index);

/* The value at an RFC 6901 pointer ("/a/0/b~1c"), or NULL. */
const struct json *json_pointer(const struct json *v, str pointer);

/* Typed reads of a member; the fallback when it is absent or of another type.
 */
str json_get_text(const struct json *v, const char *key, str fallback);
int64_t json_get_int(const struct json *v, const char *key, int64_t fallback);
bool json_get_bool(const struct json *v, const char *key, bool fallback);

/* Any number as a double (JSON_BIG rounded, perhaps infinite). */
double json_number(const struct json *v);
static inline bool json_is_number(const struct json *v) {
    return json_type(v) >= JSON_INT && json_type(v) <= JSON_BIG;
}

/* Equality of JSON Schema: 1 equals 1.0, member order does not count. */
bool json_equal(const struct json *a, const struct json *b);

#endif
