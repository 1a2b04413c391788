/* SPDX-License-Identifier: MIT
 *
 * toolset -- the tools a client sends with every request, prepared once.
 *
 * Clients send the same list again and again. The first time it is indexed for
 * selection; its schemas are compiled when first needed. Sets are kept by what
 * they hold, the least recently used one goes first.
 */
#ifndef CORDON_GATEWAY_TOOLSET_H
#define CORDON_GATEWAY_TOOLSET_H

#include "agent/vet.h"
#include "tools/select/session.h"

struct toolset;
struct toolset_cache;

/* standing holds for every selection; or NULL. */
struct toolset_cache *
toolset_cache_new(size_t sets, const struct standing *standing, struct err *e);
void toolset_cache_free(struct toolset_cache *c);

/* What tells lists of offers apart; before: that of the list in front of this
 * one, or 0. Never 0 itself. */
uint64_t toolset_key(const struct toolset_cache *c, const struct offers *offers,
                     uint64_t before);

/* The set of these offers, whose key this is; held until toolset_drop. */
struct toolset *toolset_get(struct toolset_cache *c, uint64_t key,
                            const struct offers *offers, struct err *e);
void toolset_drop(struct toolset *t); /* t may be NULL */

/* What is wanted of a selection. */
struct toolset_wish {
    str text;          /* of the conversation's last words */
    size_t k;          /* how many at most, those below apart */
    const str *pinned; /* names that must be among them */
    size_t pinned_count;
    uint64_t conversation;    /* tools once offered in it stay offered */
    struct select_wait *wait; /* as in struct select_request */
};

/* Sets keep[i] for each function offered (in the order of the offers) that
 * shall be sent; keep has room for all. ERR_WAITING as of select_tools. */
int toolset_select(struct toolset *t, const struct toolset_wish *wish,
                   bool *keep, struct err *e);

/* The schema of an offer of the set, for vet_call; data is the set. */
struct schema *toolset_schema(void *data, const struct offer *o);

/* Two tools have one name: nothing can be chosen by name then. */
bool toolset_has_twins(const struct toolset *t);

/* Of one tool, as JSON. */
size_t toolset_bytes(const struct toolset *t, size_t index);

#endif
