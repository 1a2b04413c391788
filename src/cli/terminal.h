/* SPDX-License-Identifier: MIT
 *
 * terminal -- questions of a server, put to whoever sits at the terminal.
 */
#ifndef CORDON_CLI_TERMINAL_H
#define CORDON_CLI_TERMINAL_H

#include "mcp/client.h"

/* There is somebody. */
bool terminal_present(void);

/* What a client says it can be asked then; it is in the arena. NULL: nothing.
 */
const struct json *terminal_can(struct arena *a);

/* Puts a question with one choice before the person and answers it; declines
 * all others. */
void terminal_answer(struct mcp_ask *ask);

#endif
