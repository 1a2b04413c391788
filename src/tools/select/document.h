/* SPDX-License-Identifier: MIT
 *
 * document -- the searchable text of a tool, piece by piece, by field.
 *
 * What a tool is not for ("Do not use for ...") is left out. The size is
 * bounded whatever the tool holds: so many pieces, so many bytes of each
 * field, so deep into the schema.
 */
#ifndef CORDON_TOOLS_SELECT_DOCUMENT_H
#define CORDON_TOOLS_SELECT_DOCUMENT_H

#include "tools/tool.h"

enum field {
#define FIELD(id, name, lexical, vector, text) FIELD_##id,
#include "tools/select/fields.def"
#undef FIELD
    FIELD_COUNT,
};

#define DOCUMENT_PIECES      512
#define DOCUMENT_FIELD_BYTES ((size_t)8 << 10)

struct piece {
    enum field field;
    float credit; /* how much its words count; 1 but for past use */
    str text;     /* borrowed from the tool */
};

struct document {
    size_t count;
    size_t bytes[FIELD_COUNT];
    struct piece pieces[DOCUMENT_PIECES];
};

/* Never fails: what does not fit is left out. */
void document_of(const struct tool *t, struct document *out);

/* Adds one more piece, within the same bounds. */
void document_add(struct document *d, enum field field, str text, float credit);

const char *field_name(enum field f);

#endif
