/* SPDX-License-Identifier: MIT
 *
 * explain -- which words of a request a tool has, and in which fields.
 */
#ifndef CORDON_TOOLS_SELECT_EXPLAIN_H
#define CORDON_TOOLS_SELECT_EXPLAIN_H

#include "tools/select/query.h"
#include "tools/select/select.h"

struct explained_word {
    str text;        /* as it stands in the request */
    uint32_t fields; /* a bit for each field that has it */
};

struct explanation {
    float field[FIELD_COUNT]; /* what each field's words add to BM25F */
    struct explained_word words[QUERY_TERMS];
    size_t word_count;
};

/* The tool must be in the index as it is. */
void explain(const struct selector *s, const struct tool *t, str request,
             struct explanation *out);

#endif
