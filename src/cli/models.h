/* SPDX-License-Identifier: MIT
 *
 * models -- the models of the configuration, ready to be asked.
 */
#ifndef CORDON_CLI_MODELS_H
#define CORDON_CLI_MODELS_H

#include "gateway/proxy.h"
#include "policy/secret.h"

struct models {
    struct model_config *list;
    size_t count;
};

/* All of "models", but their secrets: a key is as it is written, and headers
 * are left out. Text lives in the arena or in root. */
int models_read(const struct json *root, struct arena *a, struct models *out,
                struct err *e);

/* The one that is meant, with its secrets: `name` is one of the
 * configuration's, or what the server of `provider` calls it. Both may be NULL:
 * the configuration's default, or its only one. */
int models_choose(const struct json *root, struct secrets *secrets,
                  const char *name, const char *provider, struct arena *a,
                  struct model_config *out, struct err *e);

/* The part "proxy"; all of it lives in the arena. loop, client, log and who
 * carries out calls are left to the caller. */
int models_proxy(const struct json *settings, struct secrets *secrets,
                 struct arena *a, struct proxy_config *out, struct err *e);

#endif
