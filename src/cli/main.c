/* SPDX-License-Identifier: MIT
 *
 * cordon -- the program people start. It holds the lean commands; for the
 * others it becomes cordon-net, so that only they pay for the libraries they
 * need.
 */
#include "cli/handoff.h"
#include "cli/programs.h"

#define RUN_LEAN(id) cmd_##id
#define RUN_NET(id)  handoff_to_net
#define RUN_BOTH(id) cmd_##id
#define OPTION(name, letter, type, value, text)
#define COMMAND(id, name, part, operands, summary) \
    [COMMAND_##id] = RUN_##part(id),

static const struct cli_program program = {{
#include "cli/commands.def"
}};

int main(int argc, char **argv) {
    return cli_main(&program, argc, argv);
}
