/* SPDX-License-Identifier: MIT
 *
 * query -- a request, read against an index: its words and its clauses.
 *
 * Each word counts once. A long request often asks for several things, so its
 * clauses are kept apart as sets of words; a request of one clause has one set
 * with all of them.
 */
#ifndef CORDON_TOOLS_SELECT_QUERY_H
#define CORDON_TOOLS_SELECT_QUERY_H

#include "tools/select/corpus.h"

#define QUERY_BYTES   ((size_t)16 << 10) /* of a request that are read */
#define QUERY_TERMS   256
#define QUERY_CLAUSES 8

struct query_term {
    const struct term *term; /* NULL: no tool has the word */
    int32_t row;             /* of the vector table, or -1 */
    float weight;            /* 1; less for a word that was only meant */
    float idf;               /* 0 when there is no term */
    uint32_t start, end;     /* where it stands in the request */
};

struct query_clause {
    uint64_t has[QUERY_TERMS / 64]; /* numbers of its terms */
    size_t count;
};

struct query {
    str text; /* borrowed */
    size_t term_count, clause_count;
    struct query_term terms[QUERY_TERMS];
    struct query_clause clauses[QUERY_CLAUSES];
};

/* Reads at most QUERY_BYTES. The index must not change while q is used. */
void query_read(struct query *q, const struct corpus *ix, str text);

static inline bool clause_has(const struct query_clause *c, size_t term) {
    return c->has[term / 64] >> (term % 64) & 1;
}

#endif
