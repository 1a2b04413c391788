/* SPDX-License-Identifier: MIT
 *
 * pack -- Python text in little room.
 *
 * Modules that the template keeps as text are a part of every program. What
 * only people need is left out of them, and then the two neighbours that are
 * there most often become one byte, again and again: the text is ASCII, and
 * bytes from 128 on stand for pairs.
 */
#ifndef CORDON_VM_PACK_H
#define CORDON_VM_PACK_H

#include "base/buf.h"

#define PACK_PAIRS 128

/* A byte of 128 + i stands for pair[i], whose bytes are below it. */
struct pack {
    unsigned char pair[PACK_PAIRS][2];
};

/* Adds text without comments, empty lines and three of four spaces of its
 * indentation, which must be by fours; what is within strings stays. */
int pack_squeeze(str text, struct buf *out, struct err *e);

/* Finds the pairs of `all`, texts with a NUL behind each, and packs it. */
int pack_learn(struct buf *all, struct pack *pack, struct err *e);

/* The text again. */
int pack_open(const struct pack *pack, str packed, struct buf *out,
              struct err *e);

#endif
