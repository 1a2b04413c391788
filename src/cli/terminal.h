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

/* Puts a form, field by field, or a page to visit before the person and answers
 * for them; what is not filled in is declined. */
void terminal_answer(struct mcp_ask *ask);

/* Somebody interrupts, and the loop has not heard of it yet. */
bool terminal_interrupted(void);

#endif
