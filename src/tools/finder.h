/* SPDX-License-Identifier: MIT
 *
 * finder -- two of code mode's tools: searching tools by what they do, and
 * everything about those that were found. Hosts of the gateway and the models
 * of our own loop are offered the same two, in the same words.
 */
#ifndef CORDON_TOOLS_FINDER_H
#define CORDON_TOOLS_FINDER_H

#include "base/buf.h"
#include "tools/registry.h"
#include "tools/select/select.h"

#define FINDER_MOST 30

/* Definitions as MCP has them. Their text never changes, so that a model's
 * prompt cache stays warm. */
extern const char finder_search_definition[];
extern const char finder_describe_definition[];

struct finder {
    struct registry *registry;
    bool (*may)(void *data, str name); /* find this one; NULL: all */
    void *data;
    str who;           /* asks, for the memory of use; p NULL: nobody */
    const str *sticky; /* names of tools that they used */
    size_t sticky_count;
    struct select_wait *wait; /* as in struct select_request */
};

/* The tools that fit some words; "limit" and "server" of args say how many,
 * kept within bounds, and of which server. Quarantined tools are not found.
 * ERR_WAITING as of select_tools, also below. */
int finder_find(const struct finder *f, str query, const struct json *args,
                struct selection *out, struct err *e);

/* The signatures of what was found, a line each, or why nothing was. */
int finder_write(const struct finder *f, const struct selection *s,
                 struct buf *out, struct err *e);

/* The two tools: ERR_INVALID says what is wrong with the arguments. */
int finder_search(const struct finder *f, const struct json *args,
                  struct buf *out, struct err *e);
int finder_describe(const struct finder *f, const struct json *args,
                    struct buf *out, struct err *e);

#endif
