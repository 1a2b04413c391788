/* SPDX-License-Identifier: MIT
 *
 * usage -- requests that led to a successful call, remembered for the tool.
 *
 * The strongest hint there is: people ask for the same thing in the same
 * words. Opt-in; only the runtime writes it, after a call succeeded. Each tool
 * keeps its newest requests; a request that led to several tools is shared
 * among them.
 */
#ifndef CORDON_TOOLS_SELECT_USAGE_H
#define CORDON_TOOLS_SELECT_USAGE_H

#include "base/buf.h"
#include "base/map.h"
#include "tools/select/document.h"

#define USAGE_KEEP  20  /* requests of one tool */
#define USAGE_BYTES 512 /* of one request */

struct uses {
    struct map tools; /* id -> struct usage_tool */
};

#define USAGE_INIT ((struct uses){.tools = MAP_MAX((size_t)1 << 20)})

/* A turn with this request called `sharers` tools, this one among them. A
 * request that is already known is moved to the front. */
int usage_note(struct uses *u, str id, str request, size_t sharers,
               struct err *e);

/* Adds what is remembered of a tool to its document. */
void usage_add(const struct uses *u, str id, struct document *d);

bool usage_forget(struct uses *u, str id);

/* Calls fn for each request that is kept, tool by tool, oldest first. */
void usage_each(const struct uses *u,
                void (*fn)(void *context, str id, str request), void *context);

/* As JSON lines, one a request, oldest first; usage_read adds them back. */
int usage_write(const struct uses *u, struct buf *out, struct err *e);
int usage_read(struct uses *u, str text, struct err *e);

void usage_fini(struct uses *u);

#define AUTO_USAGE __attribute__((cleanup(usage_fini)))

#endif
