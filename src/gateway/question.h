/* SPDX-License-Identifier: MIT
 *
 * question -- a question of a run's, put to a person in the host.
 */
#ifndef CORDON_GATEWAY_QUESTION_H
#define CORDON_GATEWAY_QUESTION_H

#include "audit/audit.h"
#include "mcp/server.h"
#include "store/store.h"

/* Ends this round of the request; the run and the question travel with it. */
int question_put(struct mcp_request *r, struct store *store, const char *run,
                 str approval, struct err *e);

/* In the next round: the run that was asked about; n 0: none was. */
str question_run(const struct mcp_request *r);

/* What the person said is written down. */
int question_answer(struct mcp_request *r, struct store *store,
                    struct audit *audit, struct err *e);

#endif
