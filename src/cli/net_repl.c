/* SPDX-License-Identifier: MIT
 *
 * cordon repl at a terminal: lines can be edited and are remembered.
 */
#include <linux/limits.h>
#include <unistd.h>

#include "base/dirs.h"
#include "base/file.h"
#include "cli/lines.h"
#include "cli/programs.h"
#include "cli/repl.h"

#define LOOK_NS 200000000 /* how soon an interrupt is seen at the latest */

struct edited {
    struct loop *loop;
    struct lines *lines;
    struct buf *line; /* where it goes, while one is asked for */
    enum repl_line got;
    bool there;
};

static void on_line(void *data, const char *text) {
    struct edited *d = data;
    struct err e;
    d->there = true;
    d->got =
        text && buf_add_text(d->line, text, &e) == 0 ? REPL_LINE : REPL_END;
}

static enum repl_line read_edited(void *user, const char *prompt,
                                  struct buf *line, struct err *e) {
    struct edited *d = user;
    d->line = line;
    d->there = false;
    if (lines_ask(d->lines, prompt, true, e)) return REPL_END;
    while (!d->there) {
        if (loop_step(d->loop, LOOK_NS, e)) return REPL_END;
        if (!repl_interrupted()) continue;
        lines_stop(d->lines);
        (void)!write(1, "\n", 1);
        return REPL_INTERRUPTED;
    }
    return d->got;
}

static int open_lines(struct edited *d, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    struct err ignored; /* without the folder nothing is remembered */
    if (dirs_path(DIRS_STATE, "", &folder, e) ||
        dirs_path(DIRS_STATE, "repl_history", &path, e))
        return -1;
    (void)file_make_dirs(buf_text(&folder), 0700, &ignored);
    d->lines = lines_open(d->loop, buf_text(&path), on_line, d, e);
    return d->lines ? 0 : -1;
}

int net_repl(struct cli *cli, struct err *e) {
    AUTO_LOOP struct loop *loop = loop_new(e);
    struct edited d = {.loop = loop};
    struct repl_source from = {isatty(0), read_edited, &d};
    if (!loop || open_lines(&d, e)) return -1;
    int result = repl_run(cli, &from, e);
    lines_close(d.lines);
    return result;
}
