/* SPDX-License-Identifier: MIT
 *
 * ready -- the sandboxes that `cordon serve` keeps ready, in its loop.
 */
#ifndef CORDON_CLI_READY_H
#define CORDON_CLI_READY_H

#include "base/log.h"
#include "io/loop.h"
#include "json/json.h"

struct ready;
struct pools;
struct steward;

/* Who makes them. Forks, so call it before there are secrets. NULL where there
 * can be none; then every sandbox starts cold. */
struct steward *ready_steward(struct log *log);
void ready_steward_end(struct steward *s); /* last of all; s may be NULL */

/* As "serve.pool" of the settings says; NULL where none are wanted. steward may
 * be NULL, and outlives the result. */
struct ready *ready_new(struct loop *loop, struct steward *steward,
                        const struct json *settings, struct log *log);
struct pools *ready_pools(const struct ready *r);
void ready_free(struct ready *r); /* after the tasks; r may be NULL */

#endif
