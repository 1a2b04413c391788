/* SPDX-License-Identifier: MIT
 *
 * apply -- what the files that label a result share.
 *
 * The value is walked once beside a tree of its shapes: all items of a list
 * share one node, so a list of a thousand mails has the labels of one.
 */
#ifndef CORDON_POLICY_APPLY_H
#define CORDON_POLICY_APPLY_H

#include "policy/facts.h"
#include "policy/same.h"

/* A place in every record of the same form. */
struct shape {
    str key; /* of an object; items of a list have none */
    const struct source_field *field; /* that names it or what holds it */
    bool token;                       /* its strings must be tokens */
    bool way;                         /* named fields lie below */
    bool leaf, container;             /* as seen in the value */
    bool item;
    struct shape *up, *below, *next;
    struct shape *last; /* child that was entered last */
};

struct applying {
    const struct source *source;
    const struct policy_call *call;
    struct arena *arena;
    uint64_t number;
    enum integrity floor; /* of the arguments that selected the result */
    enum secrecy secret_floor;
    bool use_floor; /* false: the server's labels are authoritative */
    enum integrity said;
    enum secrecy said_secrecy;
    struct shape *root;
    struct labelled *items;
    size_t count, cap;
    struct err *e;
};

static inline enum integrity max_integrity(enum integrity a, enum integrity b) {
    return a > b ? a : b;
}

static inline enum secrecy max_secrecy(enum secrecy a, enum secrecy b) {
    return a > b ? a : b;
}

/* -- apply_shape.c ----------------------------------------------------------
 */

/* The tree's root. */
int shape_root(struct applying *ap);

/* The place of a member, or of an item (then key is empty); NULL: no memory. */
struct shape *shape_look(struct applying *ap, struct shape *up, str key,
                         bool item);

/* Records of one list have their members in one order: the next one is mostly
 * behind the last. */
static inline struct shape *shape_enter(struct applying *ap, struct shape *up,
                                        str key, bool item) {
    struct shape *guess =
        up->last && up->last->next ? up->last->next : up->below;
    if (guess && guess->item == item && guess->key.n == key.n &&
        same_bytes(guess->key.p, key.p, key.n))
        return up->last = guess;
    return shape_look(ap, up, key, item);
}

/* What gives a place its label where no field does: the source's "*", or NULL.
 */
const struct source_field *source_rest(const struct source *s);

/* The label that a field gives, with the place as its origin. */
int apply_label(struct applying *ap, const struct source_field *f, str path,
                struct label *out);
int apply_add(struct applying *ap, str path, const struct label *l);

/* Labels of all shapes, those apart that inherit theirs. */
int shapes_label(struct applying *ap);

/* -- apply_record.c ---------------------------------------------------------
 */

/* Records that name their own readers. */
int records_label(struct applying *ap, const struct json *value);

/* -- apply.c ----------------------------------------------------------------
 */

/* What an id, an address or a handle looks like. */
bool is_token(str s);

#endif
