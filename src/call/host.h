/* SPDX-License-Identifier: MIT
 *
 * host -- what providers that are made from configuration stand on, and how
 * their tools reach the registry.
 *
 * Each kind has one function that takes a name and an object of the
 * configuration ("apis", "databases", "commands"), puts its tools into the
 * registry under that name and returns the provider. It is freed through its
 * class, after registry_remove and when no call of it runs.
 */
#ifndef CORDON_CALL_HOST_H
#define CORDON_CALL_HOST_H

#include "base/log.h"
#include "call/provider.h"
#include "io/client.h"
#include "policy/secret.h"

struct pools;

struct provider_host {
    struct loop *loop;
    struct registry *registry;
    struct client *http;     /* needed by apis alone */
    struct secrets *secrets; /* NULL: references are refused */
    const char *folder;      /* what relative paths are relative to */
    struct log *log;         /* NULL: nothing is logged */
    struct audit *audit;     /* of what runs in sandboxes; NULL: none */
    struct pools *pools;     /* of sandboxes; NULL: each starts cold */
};

/* Puts tools into the registry with the members that every kind has: "allow",
 * "exclude" (lists of patterns) and "tools" (overrides). */
int host_put(const struct provider_host *h, struct provider *p,
             const struct json *config, str about, const struct json *tools,
             struct err *e);

/* A text of the configuration with its secrets in place. */
int host_expand(const struct provider_host *h, str text, struct buf *out,
                struct err *e);

/* A path of the configuration, made absolute in the arena. */
char *host_path(const struct provider_host *h, str path, struct arena *a,
                struct err *e);

/* A member that must be one of the listed ones: a slip is an error that names
 * the nearest. known ends with NULL. */
int host_check_members(const struct json *config, const char *const *known,
                       struct err *e);

#endif
