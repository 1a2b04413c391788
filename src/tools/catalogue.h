/* SPDX-License-Identifier: MIT
 *
 * catalogue -- the tools there are, in the order they were given.
 *
 * Reads any of: a JSON object or array a line (JSONL), an array of tools, the
 * answer to tools/list ({"tools": [...]}, also inside "result", also with a
 * "server" beside it). Ids are unique: a later tool of the same id replaces the
 * earlier one.
 */
#ifndef CORDON_TOOLS_CATALOGUE_H
#define CORDON_TOOLS_CATALOGUE_H

#include "base/map.h"
#include "tools/tool.h"

#define CATALOGUE_TOOLS ((size_t)1 << 20)    /* tools at most */
#define CATALOGUE_BYTES ((size_t)1024 << 20) /* of parsed values */
#define CATALOGUE_FILE  ((size_t)512 << 20)  /* of one file */

struct catalogue {
    struct tool *tools;
    size_t count, cap;
    struct map by_id;   /* id -> tool number + 1 */
    struct arena arena; /* what the tools borrow from */
};

#define CATALOGUE_INIT                                     \
    ((struct catalogue){.by_id = MAP_MAX(CATALOGUE_TOOLS), \
                        .arena = ARENA_MAX(CATALOGUE_BYTES)})

/* Adds what text holds; the tools keep no pointer into it. On failure the
 * catalogue holds what was read before the fault. */
int catalogue_add_text(struct catalogue *c, str text, struct err *e);
int catalogue_add_file(struct catalogue *c, const char *path, struct err *e);

/* A list of definitions of one server, copied. */
int catalogue_add_json(struct catalogue *c, const struct json *tools,
                       str server, struct err *e);

/* A copy of *t, whose text must outlive the catalogue. */
int catalogue_add(struct catalogue *c, const struct tool *t, struct err *e);

const struct tool *catalogue_find(const struct catalogue *c, str id);

void catalogue_fini(struct catalogue *c);

#define AUTO_CATALOGUE __attribute__((cleanup(catalogue_fini)))

#endif
