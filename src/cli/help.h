/* SPDX-License-Identifier: MIT
 *
 * help -- texts made from the table of commands: --help, the command section
 * of the manual page, completions for shells.
 */
#ifndef CORDON_CLI_HELP_H
#define CORDON_CLI_HELP_H

#include "base/buf.h"
#include "cli/command.h"

/* Prints help on a command, on a group ("json") or, with neither, on all. */
int help_show(const struct command *command, str group, struct err *e);

/* The same as text. */
int help_add(const struct command *command, str group, struct buf *out,
             struct err *e);

/* The COMMANDS section of the manual page, in mdoc. */
int help_add_man(struct buf *out, struct err *e);

/* Completions; shell is "bash", "zsh" or "fish". */
int complete_add(str shell, struct buf *out, struct err *e);

#endif
