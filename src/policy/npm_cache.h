/* SPDX-License-Identifier: MIT
 *
 * npm_cache -- what a registry said of a package when npm installed it: the
 * answer that npm kept beside the package. Nothing is fetched.
 */
#ifndef CORDON_POLICY_NPM_CACHE_H
#define CORDON_POLICY_NPM_CACHE_H

#include "json/json.h"

/* The registry's description of a package; resolved: where its archive came
 * from, as the lock has it. *out is NULL where npm kept none. cache: an open
 * ".npm/_cacache" that somebody else may write to. */
int npm_cache_describe(int cache, str name, str resolved, struct arena *a,
                       const struct json **out, struct err *e);

#endif
