/* SPDX-License-Identifier: MIT
 *
 * lines -- offsets of a source text to lines and columns, quickly.
 *
 * place_of() in fault.h serves a single question; this is for a compiler that
 * asks for every instruction, also of a text that is one long line.
 */
#ifndef CORDON_LANG_LINES_H
#define CORDON_LANG_LINES_H

#include "base/arena.h"
#include "lang/fault.h"

struct lines {
    str source;
    uint32_t *starts; /* offset of each line's first byte */
    uint32_t count;
    uint32_t last;  /* the line found last, a good guess for the next */
    uint32_t *wide; /* continuation bytes before each LINES_STEP bytes; NULL
                       when the text is ASCII */
};

int lines_init(struct lines *l, str source, struct arena *a, struct err *e);
struct place lines_place(struct lines *l, uint32_t offset);

#endif
