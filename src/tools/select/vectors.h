/* SPDX-License-Identifier: MIT
 *
 * vectors -- a table of word vectors, and texts compared by them.
 *
 * A text's vector is the sum of its words' rows; a row's length says how much
 * the word means. Texts are compared by cosine, on vectors packed to a byte a
 * dimension. The table that ships is made by bench/train-table from the
 * sources named in its provenance; it is part of the program.
 */
#ifndef CORDON_TOOLS_SELECT_VECTORS_H
#define CORDON_TOOLS_SELECT_VECTORS_H

#include "base/buf.h"
#include "base/err.h"

#define VECTOR_DIMS 96

struct vectors {
    size_t count;
    const float *scale; /* one a row */
    const uint32_t *at; /* count + 1 offsets into words */
    const char *words;  /* stems, in ascending order */
    const int8_t *rows; /* count x VECTOR_DIMS */
    str provenance;     /* JSON: sources, licences, settings */
};

/* Reads a table in place; bytes must be 16-byte aligned and outlive it. */
int vectors_open(str bytes, struct vectors *out, struct err *e);

/* The table in the program. */
int vectors_builtin(struct vectors *out, struct err *e);

/* Its pages may go from memory: they come back from the program's file when
 * they are looked at. A table that is not the program's stays. */
void vectors_rest(const struct vectors *v);

/* The row of a stem, or -1. */
int32_t vectors_find(const struct vectors *v, str stem);

/* acc += weight * row */
void vectors_add(const struct vectors *v, int32_t row, float weight,
                 float acc[VECTOR_DIMS]);

/* Packs the direction of acc; returns the factor that turns packed values into
 * a unit vector's, or 0 when acc is zero. */
float vector_pack(const float acc[VECTOR_DIMS], int8_t out[VECTOR_DIMS]);

/* Dot products of count packed rows with a packed vector. */
void vectors_scan(const int8_t *rows, size_t count, const int8_t *query,
                  int32_t *out);

/* Appends a table in the form vectors_open reads. Words must ascend; rows are
 * count x VECTOR_DIMS. */
int vectors_write(const str *words, const float *rows, size_t count,
                  str provenance, struct buf *out, struct err *e);

#endif
