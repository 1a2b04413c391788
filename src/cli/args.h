/* SPDX-License-Identifier: MIT
 *
 * args -- the command line, parsed by the table of commands.
 *
 * Long options (--name VALUE, --name=VALUE), letters (-c CODE, -cCODE, -vq),
 * options anywhere, "--" ends them. Values are checked against their type
 * here, so that a command that runs has sound options.
 */
#ifndef CORDON_CLI_ARGS_H
#define CORDON_CLI_ARGS_H

#include "base/err.h"
#include "cli/command.h"

struct given {
    const struct option *option;
    const char *value; /* NULL for flags */
};

struct args {
    const struct command *command; /* NULL when none was named */
    str group;                     /* "json" when only that was named */
    struct given *given;           /* in the order of the command line */
    size_t given_count;
    const char **operands; /* NULL behind the last one */
    size_t operand_count;
};

/* argv[0] is skipped. Text in *out is borrowed from argv. */
int args_parse(int argc, char *const *argv, struct args *out, struct err *e);
void args_fini(struct args *a);

/* The name must be an option of the command: anything else is our mistake. */
bool args_flag(const struct args *a, const char *name);
const char *args_text(const struct args *a, const char *name); /* or NULL */

/* The index-th value of a LIST option; NULL past the last one. */
const char *args_nth(const struct args *a, const char *name, size_t index);

/* Values of INT, REAL, SIZE and DURATION (in ns) options. */
int64_t args_int(const struct args *a, const char *name, int64_t fallback);
double args_real(const struct args *a, const char *name, double fallback);
uint64_t args_size(const struct args *a, const char *name, uint64_t fallback);
int64_t args_duration(const struct args *a, const char *name, int64_t fallback);

#endif
