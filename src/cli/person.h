/* SPDX-License-Identifier: MIT
 *
 * person -- somebody at the terminal, who can be asked.
 */
#ifndef CORDON_CLI_PERSON_H
#define CORDON_CLI_PERSON_H

#include "cli/authority.h"

/* Both sides of the terminal are there. */
bool person_here(void);

/* Shows the card and takes the answer; the answer is in the store then. */
int person_ask(const struct authority *a, str approval, struct err *e);

#endif
