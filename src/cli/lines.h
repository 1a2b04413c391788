/* SPDX-License-Identifier: MIT
 *
 * lines -- lines typed by a person, in the loop.
 *
 * On a terminal they are edited (libedit), with a history that is kept in a
 * file; otherwise they are read as they are. A line is delivered only after it
 * was asked for, so that what is typed ahead waits. One reader a process:
 * libedit's own interface has room for no more.
 */
#ifndef CORDON_CLI_LINES_H
#define CORDON_CLI_LINES_H

#include "base/buf.h"
#include "io/loop.h"

struct lines;

/* line gets the text without its end, or NULL when there will be no more.
 * history may be NULL. */
struct lines *lines_open(struct loop *loop, const char *history,
                         void (*line)(void *data, const char *text), void *data,
                         struct err *e);
/* What a tab completes the word before the cursor to: the index-th text that
 * begins as `typed`; false past the last. */
void lines_complete(struct lines *l,
                    bool (*complete)(void *data, str typed, size_t index,
                                     struct buf *out));

void lines_close(struct lines *l); /* l may be NULL */

/* Shows the prompt and waits for one line. */
int lines_ask(struct lines *l, const char *prompt, bool remember,
              struct err *e);

/* Gives up the line that is being typed; the prompt is gone. */
void lines_stop(struct lines *l);

#endif
