/* SPDX-License-Identifier: MIT
 *
 * plain -- text from outside, made fit to stand in a line of ours.
 *
 * Invisible characters (format controls, bidirectional overrides, tags,
 * variation selectors, private use) are left out: people would not see what a
 * model reads. Runs of white space and control characters become one blank.
 */
#ifndef CORDON_TOOLS_PLAIN_H
#define CORDON_TOOLS_PLAIN_H

#include "base/buf.h"

bool plain_is_invisible(uint32_t cp);

/* At most max bytes of it, "..." included where it was cut. */
int plain_add(struct buf *out, str text, size_t max, struct err *e);

/* As plain_add, with the line breaks kept and each line indented. */
int plain_add_lines(struct buf *out, str text, const char *indent, size_t max,
                    struct err *e);

/* As a Python string literal in single quotes. */
int plain_add_quoted(struct buf *out, str text, size_t max, struct err *e);

#endif
