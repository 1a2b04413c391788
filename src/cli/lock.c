/* SPDX-License-Identifier: MIT */
#include "cli/lock.h"

#include "cli/corpus.h"

#include <stdio.h>

int lock_open(struct lock *l, const struct cli *cli, struct err *e) {
    const char *path = args_text(&cli->args, "lock");
    *l = (struct lock){.path = path ? path : "tools.lock",
                       .catalogue = CATALOGUE_INIT};
    if (!args_nth(&cli->args, "corpus", 0))
        return fail(e, ERR_USAGE, "--corpus says which tools there are");
    if (corpus_add(&l->catalogue, &cli->args, e)) return -1;
    l->pins = pins_load(l->path, e);
    return l->pins ? 0 : -1;
}

void lock_fini(struct lock *l) {
    pins_free(l->pins);
    catalogue_fini(&l->catalogue);
}

bool lock_chosen(const struct cli *cli, const struct tool *t) {
    char key[512];
    snprintf(key, sizeof key, "%.*s%s%.*s", STR_ARG(t->server),
             t->server.n > 0 ? "." : "", STR_ARG(t->name));
    if (!cli_operand(cli, 0)) return true;
    for (size_t i = 0; cli_operand(cli, i); i++)
        if (str_glob(str_of(cli_operand(cli, i)), str_of(key))) return true;
    return false;
}

int lock_add_diff(const struct cli *cli, const struct tool *t,
                  const struct json *pinned, struct buf *out, struct err *e) {
    return buf_addf(out, e, "%schanged: %.*s%s\n",
                    cli_style(cli->color_out, CLI_BOLD), STR_ARG(t->id),
                    cli_style(cli->color_out, CLI_PLAIN)) ||
                   pin_diff(pinned, t->definition, out, e)
               ? -1
               : 0;
}
