/* SPDX-License-Identifier: MIT
 *
 * cli -- what a command is given, and how it speaks.
 *
 * A command returns its exit status, or -1 and a filled struct err, which is
 * then reported in the one shape there is and turned into an exit status by
 * err.def. Results go to standard output, everything else to standard error.
 */
#ifndef CORDON_CLI_CLI_H
#define CORDON_CLI_CLI_H

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/args.h"

struct cli {
    struct args args;
    struct log log;    /* standard error; level from --verbose and --quiet */
    bool json;         /* --json: results and errors are JSON */
    bool color_out;    /* standard output is a terminal that wants colours */
    char *const *argv; /* the whole command line, to hand it on */
};

typedef int cli_command(struct cli *cli, struct err *e);

/* One program: what it does for each command of the table. */
struct cli_program {
    cli_command *run[COMMAND_COUNT];
};

int cli_main(const struct cli_program *program, int argc, char **argv);

/* Writes to standard output, all of it or an error. */
int cli_out(str text, struct err *e);

/* Appends text from outside (a model, a server) for a terminal: what could move
 * its cursor, change it or turn text around becomes \u{...}. */
int cli_tame(str text, struct buf *out, struct err *e);

/* Writes such text; as it is where standard output is no terminal. */
int cli_say(str text, struct err *e);

/* The index-th operand, or NULL. */
const char *cli_operand(const struct cli *cli, size_t index);

/* What errors call it, as a file. */
const char *cli_operand_name(const struct cli *cli, size_t index);

/* A file operand: standard input when it is absent or "-". */
int cli_read(const char *path, struct buf *out, struct err *e);

enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_RED, CLI_GREEN, CLI_YELLOW };

/* The terminal sequence that switches a style on (CLI_PLAIN: all off), or ""
 * where there are no colours. */
const char *cli_style(bool color, enum cli_style style);

#endif
