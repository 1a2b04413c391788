/* SPDX-License-Identifier: MIT
 *
 * api -- /api/v1: tools, runs, jobs, sessions, approvals and the audit log over
 * HTTP, for programs that are no MCP hosts. The routes are api.def; what they
 * are is served as /api/v1/openapi.json.
 *
 * A caller without scopes sees and answers everything. One with scopes sees
 * what is its own, and answers questions only with the scope "approve": a
 * token that runs code must not be the one that allows it.
 */
#ifndef CORDON_GATEWAY_API_H
#define CORDON_GATEWAY_API_H

#include "gateway/front.h"
#include "gateway/hub.h"
#include "runs/runs.h"

struct pools;

struct api_config {
    struct loop *loop;
    struct hub *hub; /* requests wait until its servers are there */
    struct runs *runs;
    struct boundary *boundary;
    struct store *store;
    struct audit *audit;
    const char *audit_dir; /* to read the log from; borrowed */
    bool (*allows)(void *data, str scopes, str tool); /* NULL: always */
    void *data;
    const struct json *sandbox; /* what tasks over HTTP have beyond the least:
                                   the operator's word; NULL: nothing */
    struct secrets *secrets;    /* that it may name */
    struct pools *pools;        /* of sandboxes; NULL: each starts cold */
};

struct api *api_new(const struct api_config *config, struct err *e);
void api_free(struct api *a); /* after the front; a may be NULL */

/* Gets sandboxes ready for the tasks that will come. */
void api_expect(const struct api *a);

/* For the front: "/api/v1". */
void api_handle(void *api, struct exchange *x, const struct front_caller *who);

#endif
