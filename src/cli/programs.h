/* SPDX-License-Identifier: MIT
 *
 * programs -- the functions behind the commands: cmd_* in cordon, net_* in
 * cordon-net. See commands.def.
 */
#ifndef CORDON_CLI_PROGRAMS_H
#define CORDON_CLI_PROGRAMS_H

#include "cli/cli.h"

#define DECLARE_LEAN(id) cli_command cmd_##id;
#define DECLARE_NET(id)  cli_command net_##id;
#define DECLARE_BOTH(id) cli_command cmd_##id, net_##id;
#define OPTION(name, letter, type, value, text)
#define COMMAND(id, name, part, operands, summary) DECLARE_##part(id)
#include "cli/commands.def"
#undef COMMAND
#undef OPTION
#undef DECLARE_LEAN
#undef DECLARE_NET
#undef DECLARE_BOTH

#endif
