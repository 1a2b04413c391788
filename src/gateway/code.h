/* SPDX-License-Identifier: MIT
 *
 * code -- the tool run_code, as hosts see it.
 *
 * A run that needs a person's word asks in the host where the host can ask
 * (elicitation); elsewhere the answer says that it waits, and for what. A run
 * that takes long becomes a task of hosts that know tasks; for others it is
 * answered for as "running", and its id gets the rest.
 */
#ifndef CORDON_GATEWAY_CODE_H
#define CORDON_GATEWAY_CODE_H

#include "gateway/hub.h"
#include "runs/runs.h"

struct code_config {
    struct loop *loop;
    struct runs *runs;
    struct store *store;
    struct audit *audit; /* may be NULL */
    int64_t wait_ns;     /* before a run is answered for as running; 0: 50 s */
};

/* Adds the tool; before the first request. The result is freed after the
 * hub. */
struct code *code_new(const struct code_config *config, struct hub *h,
                      struct err *e);
void code_free(struct code *c); /* c may be NULL */

#endif
