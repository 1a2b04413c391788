/* SPDX-License-Identifier: MIT
 *
 * code_ask -- a question of a run's, put to a person in the host.
 */
#ifndef CORDON_GATEWAY_CODE_ASK_H
#define CORDON_GATEWAY_CODE_ASK_H

#include "audit/audit.h"
#include "mcp/server.h"
#include "store/store.h"

/* Ends this round of the request; the run and the question travel with it. */
int code_ask(struct mcp_request *r, struct store *store, const char *run,
             str approval, struct err *e);

/* In the next round: the run that was asked about; n 0: none was. */
str code_asked(const struct mcp_request *r);

/* What the person said is written down. */
int code_take_answer(struct mcp_request *r, struct store *store,
                     struct audit *audit, struct err *e);

#endif
