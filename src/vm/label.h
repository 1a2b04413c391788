/* SPDX-License-Identifier: MIT
 *
 * label -- the labels of a run, as numbers that fit an object's header.
 *
 * Equal labels have one number; 0 is the bottom. The table only grows. When it
 * is nearly full, labels lose their origins, and a label that even then has no
 * place becomes LABEL_TOP: always less trust than was asked for, never more.
 */
#ifndef CORDON_VM_LABEL_H
#define CORDON_VM_LABEL_H

#include "base/err.h"
#include "base/str.h"
#include "cordon.h"

#include <stdbool.h>

#define LABEL_TOP   1 /* joins with anything to itself */
#define LABEL_CACHE 1024

struct label_table {
    struct cordon_label *table; /* [0] the bottom, [1] the top */
    uint32_t n, room;
    uint32_t *index; /* open addressing by content; number or 0 */
    uint32_t slots;
    uint64_t joined[LABEL_CACHE]; /* a << 32 | b << 16 | a join b */
    bool strict;                  /* control joins the values made under it */
    uint16_t literal;      /* of literals in programs loaded from now on */
    uint16_t error;        /* of errors that the host hands in */
    uint16_t output;       /* of all that was printed in this run */
    uint16_t traceback;    /* of the exception that ended the run */
    uint16_t result_under; /* control where the result was made */
    cordon_literal_fn *literal_fn;
    void *literal_user;
};

struct label_table *label_table_new(bool strict, struct err *e);
void label_table_free(struct label_table *l);

/* The number of a label, which is brought into order first. Never fails: see
 * above. */
uint16_t label_number(struct label_table *l, const struct cordon_label *label);
uint16_t label_join_slow(struct label_table *l, uint16_t a, uint16_t b);

static inline uint16_t label_join(struct label_table *l, uint16_t a,
                                  uint16_t b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    return label_join_slow(l, a, b);
}

/* The table as bytes, and back: for snapshots. */
static inline str label_table_bytes(const struct label_table *l) {
    return (str){(const char *)l->table, l->n * sizeof *l->table};
}
int label_table_load(struct label_table *l, str bytes, struct err *e);

#endif
