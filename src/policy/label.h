/* SPDX-License-Identifier: MIT
 *
 * label -- where a value came from, and who may see it.
 *
 * Joining two labels gives one that is as untrusted as the worse, as secret as
 * the more secret, readable by those who may read both, with the origins of
 * both. A zeroed label is that of what the user typed: no one's secret.
 */
#ifndef CORDON_POLICY_LABEL_H
#define CORDON_POLICY_LABEL_H

#include "base/arena.h"
#include "base/str.h"

/* Higher is less trusted: joining takes the maximum. */
enum integrity {
#define INTEGRITY(id, word, meaning) INTEGRITY_##id,
#include "policy/integrity.def"
#undef INTEGRITY
};

/* Higher is more secret: joining takes the maximum. */
enum secrecy {
    SECRECY_PUBLIC,
    SECRECY_READERS, /* those named may see it */
    SECRECY_PRIVATE, /* the user's own; no one else is known to see it */
    SECRECY_SECRET,  /* a credential: leaves in no argument */
};

#define ORIGINS_MAX 16

/* Where a value came from, for cards and audit. */
struct origin {
    str server, tool, field; /* field: JSON pointer into the result */
    uint64_t call;
};

struct label {
    enum integrity integrity;
    enum secrecy secrecy;
    const str *readers; /* SECRECY_READERS: sorted, no two alike */
    size_t reader_count;
    const struct origin *origins;
    size_t origin_count; /* at most ORIGINS_MAX; beyond it many is set */
    bool many;
};

/* A path is a JSON pointer in which a segment "~*" stands for any one key or
 * index (no pointer has it otherwise), so that the labels of a long list are
 * short. */
struct labelled {
    str path;
    struct label label;
};

/* Labels of the leaves of a JSON value. A leaf takes the label of the longest
 * path that leads to it or to what holds it; of two as long the one with the
 * name beats the one with "~*" at the first segment where they differ. With no
 * path at all it is untrusted. The keys of an object are as trusted as the
 * object: whoever labels joins theirs into it. */
struct labels {
    const struct labelled *items;
    size_t count;
    struct label pc; /* of the decision to make the call at all */
};

const char *integrity_word(enum integrity i);
int integrity_read(str word, enum integrity *out); /* -1: no such word */

/* What joins reads is in the arena of the joined, or shared with its parts. */
int label_combine(const struct label *a, const struct label *b,
                  struct arena *arena, struct label *out, struct err *e);

/* Joining part into whole would change nothing. */
bool label_covers(const struct label *whole, const struct label *part);

/* Finding the label of one path after another. */
struct label_finder {
    const struct labels *labels; /* NULL: everything is untrusted */
    struct label_node *root;
};

int label_finder_init(struct label_finder *f, const struct labels *labels,
                      struct arena *a, struct err *e);
const struct label *label_find(const struct label_finder *f, str path);

/* The same while walking a value from the top. Zeroed: nothing is labelled. */
struct label_at {
    const struct label *label;         /* of this place; never NULL */
    const struct label_node *nodes[8]; /* paths that go on below */
    size_t count;
};
struct label_at label_top(const struct label_finder *f);
struct label_at label_below(const struct label_at *at, str segment);
/* No path below here names a number: items of a list have one label. */
bool label_items_alike(const struct label_at *at);

/* "from mail.search, call 3, /0/from" and the like; for people. */
struct buf;
int label_describe(const struct label *l, struct buf *out, struct err *e);

/* Appends one segment of a JSON pointer, escaped. */
int pointer_add(str key, struct buf *out, struct err *e);

/* What nothing is known of. */
const struct label *label_unknown(void);

#endif
