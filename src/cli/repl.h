/* SPDX-License-Identifier: MIT
 *
 * repl -- statements as they are typed, run one after the other in a locked
 * worker that keeps their variables.
 *
 * Where lines come from is the caller's: cordon reads them as they are,
 * cordon-net lets them be edited and has a history.
 */
#ifndef CORDON_CLI_REPL_H
#define CORDON_CLI_REPL_H

#include "cli/cli.h"

enum repl_line {
    REPL_END,         /* there are no more */
    REPL_LINE,        /* one, without its end */
    REPL_INTERRUPTED, /* repl_interrupted() while it was typed */
};

struct repl_source {
    bool person; /* somebody sits there: prompts are shown */
    enum repl_line (*read)(void *user, const char *prompt, struct buf *line,
                           struct err *e);
    void *user;
};

int repl_run(struct cli *cli, const struct repl_source *from, struct err *e);

/* Whether Ctrl-C was pressed since it was last asked. */
bool repl_interrupted(void);

/* Whether a statement is whole, or more lines belong to it. `ended`: an empty
 * line was typed. */
bool repl_complete(str text, bool ended);

#endif
