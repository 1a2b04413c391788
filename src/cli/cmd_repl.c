/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/handoff.h"
#include "cli/programs.h"
#include "cli/repl.h"

/* Lines as they come, from a file or from a terminal that nothing edits. */
struct plain {
    struct buf ahead; /* read, not yet handed out */
    bool person, ended;
};

static bool take_line(struct plain *p, struct buf *line, struct err *e) {
    ptrdiff_t end = str_find_char(buf_str(&p->ahead), '\n');
    if (end < 0 && !(p->ended && p->ahead.len)) return false;
    size_t n = end < 0 ? p->ahead.len : (size_t)end;
    if (buf_add(line, p->ahead.data, n, e)) p->ended = true;
    buf_consume(&p->ahead, end < 0 ? n : n + 1);
    return true;
}

static enum repl_line read_plain(void *user, const char *prompt,
                                 struct buf *line, struct err *e) {
    struct plain *p = user;
    char piece[4096];
    if (p->person) fputs(prompt, stdout);
    fflush(stdout);
    while (!take_line(p, line, e)) {
        if (p->ended) {
            if (p->person) puts("");
            return REPL_END;
        }
        ssize_t n = read(0, piece, sizeof piece);
        if (n < 0 && errno == EINTR) {
            if (!repl_interrupted()) continue;
            puts("");
            buf_truncate(&p->ahead, 0);
            return REPL_INTERRUPTED;
        }
        if (n <= 0 || buf_add(&p->ahead, piece, (size_t)n, e)) p->ended = true;
    }
    return REPL_LINE;
}

/* At a terminal lines are edited, if the program that can is there. */
int cmd_repl(struct cli *cli, struct err *e) {
    bool person = isatty(0);
    AUTO_BUF struct buf path = BUF_MAX(1 << 16);
    if (person && isatty(1) && handoff_find(&path, e) == 0 &&
        access(buf_text(&path), X_OK) == 0)
        return handoff_to_net(cli, e);
    struct plain p = {.ahead = BUF_MAX((size_t)2 << 20), .person = person};
    struct repl_source from = {person, read_plain, &p};
    int result = repl_run(cli, &from, e);
    buf_fini(&p.ahead);
    return result;
}
