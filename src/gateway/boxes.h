/* SPDX-License-Identifier: MIT
 *
 * boxes -- run_code in tier container: CPython in a sandbox, for hosts.
 *
 * A program there is a task (runs/task.h); its tools are those of code mode and
 * go through the same boundary. Plots and other pictures it leaves come back as
 * image blocks, other files by name and size. A question to a person is put in
 * the host where the host can ask; elsewhere the answer says that it waits.
 */
#ifndef CORDON_GATEWAY_BOXES_H
#define CORDON_GATEWAY_BOXES_H

#include "call/call.h"
#include "mcp/server.h"
#include "store/store.h"

struct pools;
struct secrets;

struct boxes_config {
    struct loop *loop;
    struct boundary *boundary;
    struct store *store;
    struct audit *audit;        /* may be NULL */
    struct pools *pools;        /* may be NULL */
    struct secrets *secrets;    /* that the next may name */
    const struct json *sandbox; /* what they have beyond the least; or NULL */
    int64_t wait_ns; /* before one is answered for as running; 0: 50 s */
};

struct boxes *boxes_new(const struct boxes_config *config, struct err *e);
void boxes_free(struct boxes *b); /* kills what runs; b may be NULL */

/* Whether a call of run_code is for us (its tier, or a run of ours); then it is
 * answered, now or later. */
bool boxes_take(struct boxes *b, struct mcp_request *r,
                const struct json *arguments);

/* Nobody wants the answer any more: whether it was ours. */
bool boxes_cancel(struct boxes *b, struct mcp_request *r);

#endif
