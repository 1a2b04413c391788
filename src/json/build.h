/* SPDX-License-Identifier: MIT
 *
 * build -- makes JSON values, in document order.
 *
 * Open a container, add keys and values, close it; the first failure sticks
 * and build_done() reports it, so callers check once. Strings are copied into
 * the arena; bytes in them that are not UTF-8 become U+FFFD each, so that a
 * value always holds text. Calls that make no document (a value without its
 * key, a container not closed) are failures too.
 */
#ifndef CORDON_JSON_BUILD_H
#define CORDON_JSON_BUILD_H

#include "json/json.h"

struct json_build {
    struct arena *arena;
    struct json *nodes;
    size_t used, cap;
    size_t open;  /* index of the innermost open container + 1; 0: none */
    size_t depth; /* of open containers */
    bool failed;  /* sticky; the reason is in err */
    struct err err;
};

/* err is left as it is: it is long, and read only after a failure. */
static inline struct json_build build_start(struct arena *arena) {
    struct json_build b;
    b.arena = arena;
    b.nodes = NULL;
    b.used = b.cap = b.open = b.depth = 0;
    b.failed = false;
    return b;
}
#define JSON_BUILD(arena_) build_start(arena_)

void build_object(struct json_build *b); /* opens */
void build_array(struct json_build *b);  /* opens */
void build_end(struct json_build *b);    /* closes the innermost */
void build_key(struct json_build *b, str key);
void build_null(struct json_build *b);
void build_bool(struct json_build *b, bool v);
void build_int(struct json_build *b, int64_t v);
void build_real(struct json_build *b, double v);  /* NaN, infinity: failure */
void build_big(struct json_build *b, str digits); /* a number of any size */
void build_text(struct json_build *b, str v);
void build_copy(struct json_build *b, const struct json *v); /* a subtree */

/* Key and value at once, inside an object. */
void build_put_text(struct json_build *b, const char *key, str v);
void build_put_int(struct json_build *b, const char *key, int64_t v);
void build_put_bool(struct json_build *b, const char *key, bool v);
void build_put(struct json_build *b, const char *key, const struct json *v);

/* The finished value; it lives in the arena. */
int build_done(struct json_build *b, const struct json **out, struct err *e);

#endif
