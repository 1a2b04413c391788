/* SPDX-License-Identifier: MIT
 *
 * entry -- how the registry makes and keeps one entry; for registry.c alone.
 */
#ifndef CORDON_TOOLS_ENTRY_H
#define CORDON_TOOLS_ENTRY_H

#include "tools/registry.h"

struct held_entry {
    struct entry entry; /* first: an entry is its held_entry */
    size_t refs;
    bool indexed;                   /* the selection index has it */
    bool stale;                     /* in the index, to be put there again */
    uint8_t made_of[CRYPTO_SHA256]; /* of everything the entry was made from */
    struct json *memory;            /* of the definition */
    struct schema *input, *output;  /* NULL before the first call */
    struct arena arena;
};

static inline struct held_entry *entry_held(struct entry *t) {
    return (struct held_entry *)(void *)t;
}

/* What an entry would be made from, as a digest: same digest, same entry. */
int entry_digest(const struct registry_source *s, const struct json *definition,
                 uint8_t out[CRYPTO_SHA256], struct err *e);

/* Entry number `index` of a list, with one reference. A tool that cannot be
 * called is an entry all the same, set aside with the reason. */
struct entry *entry_new(const struct registry_source *s, str space,
                        const struct json *definition, size_t index,
                        struct err *e);

/* Says why it may not be called. */
int entry_set_aside(struct entry *t, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The tool's own name in a definition; empty when it has none. */
str entry_tool_name(const struct json *definition);

#endif
