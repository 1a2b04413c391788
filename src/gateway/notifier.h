/* SPDX-License-Identifier: MIT
 *
 * notifier -- tells URLs that runs have ended (webhooks).
 *
 * What is to be told is in the store (runs.h), so it is told after a crash too.
 * A POST of {"run", "state"} is tried a few times over an hour; any 2xx status
 * ends it. The URL comes from whoever submitted the run: only addresses on the
 * public Internet are called, and hosts that the configuration names. Nothing
 * of the answer is kept, redirects are not followed.
 *
 * With a secret, requests are signed as Standard Webhooks has it: the headers
 * webhook-id (the run), webhook-timestamp (seconds) and webhook-signature
 * ("v1," and HMAC-SHA256 of "id.timestamp.body" in base64). The id is the same
 * in every try, so that a receiver knows what it has heard before.
 */
#ifndef CORDON_GATEWAY_NOTIFIER_H
#define CORDON_GATEWAY_NOTIFIER_H

#include "base/log.h"
#include "io/client.h"
#include "store/store.h"
#include "json/json.h"

struct notifier;

struct notifier_config {
    struct loop *loop;
    struct client *http;
    struct store *store;
    struct log *log;
    struct audit *audit;      /* may be NULL */
    const struct json *hosts; /* names that may be private; or NULL. Borrowed */
};

struct notifier *notifier_new(const struct notifier_config *config,
                              struct err *e);
/* Other hosts from now on; borrowed like the first. */
void notifier_hosts(struct notifier *n, const struct json *hosts);
/* "whsec_" and base64, or the bytes themselves; empty: nothing is signed. */
int notifier_secret(struct notifier *n, str secret, struct err *e);
void notifier_free(struct notifier *n); /* n may be NULL */

#endif
