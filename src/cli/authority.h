/* SPDX-License-Identifier: MIT
 *
 * authority -- the boundary and what stands behind it (secrets, policy, store,
 * audit log), opened as the configuration says.
 */
#ifndef CORDON_CLI_AUTHORITY_H
#define CORDON_CLI_AUTHORITY_H

#include <limits.h>

#include "call/call.h"
#include "call/host.h"
#include "cli/cli.h"
#include "gateway/servers.h"
#include "policy/pin_keeper.h"
#include "policy/registry_key.h"
#include "store/store.h"

struct authority {
    struct secrets *secrets;
    struct registry *registry;
    struct policy *policy;
    struct store *store; /* both NULL where "record" is false */
    struct audit *audit;
    struct pin_keeper *pins;
    struct registry_keys *registry_keys; /* of package registries */
    struct boundary *boundary;
    struct log *log;       /* where changed definitions are told; or NULL */
    char folder[PATH_MAX]; /* we were started in */
};

/* Appends the path of tools.lock: "pins.file" of the settings, or the one in
 * the folder we were started in, or that of the state folder. */
int authority_lock(const struct json *settings, struct buf *out, struct err *e);

/* policy: what the command line says, or NULL: "policy" of the settings, or
 * balanced. A word (balanced, permissive, strict) or the path of a rule file.
 * On failure nothing is left open. */
int authority_open(struct authority *a, struct loop *loop,
                   const struct json *settings, const char *policy,
                   struct log *log, struct err *e);

/* The policy as the settings have it now; the old one stays when it is wrong.
 */
int authority_reload(struct authority *a, const struct json *settings,
                     const char *policy, struct err *e);

/* Where the configuration's references get their values; good until the next
 * call of it. */
struct servers_context authority_context(struct authority *a);

/* What providers of tools stand on. */
struct provider_host authority_host(struct authority *a, struct loop *loop,
                                    struct client *http, struct log *log);

/* An audit row could not be written: said in the log, and nothing more is done
 * until the log can be written again (audit_ready). */
void authority_lost(struct authority *a, const struct err *why);

void authority_close(struct authority *a, struct log *log);

#endif
