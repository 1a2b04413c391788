/* SPDX-License-Identifier: MIT
 *
 * cordon-net -- the commands that need heavy libraries. People start cordon,
 * which becomes this program when it must.
 */
#include "cli/handoff.h"
#include "cli/programs.h"

#define RUN_LEAN(id) handoff_refused
#define RUN_NET(id)  net_##id
#define RUN_BOTH(id) net_##id
#define OPTION(name, letter, type, value, text)
#define COMMAND(id, name, part, operands, summary) \
    [COMMAND_##id] = RUN_##part(id),

static const struct cli_program program = {{
#include "cli/commands.def"
}};

int main(int argc, char **argv) {
    return cli_main(&program, argc, argv);
}
