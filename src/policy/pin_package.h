/* SPDX-License-Identifier: MIT
 *
 * pin_package -- what a package runner (npx, uvx, pipx) installed for a server:
 * names, versions and integrity as the registry gave them, and a hash over
 * every file as it lies there now.
 *
 *     {"runner": "npx", "packages": [{"name", "version", "integrity",
 *                                     "signature", "keyid"}],
 *      "others": {"verified": 90}, "files": 812, "sha256": "<hash>"}
 *
 * The signature is the registry's over name, version and integrity
 * (registry_key.h), from the answer that npm kept when it installed:
 * "verified", "unverified" (its key is not known), "unsigned" (none is at hand)
 * or "wrong". "others" counts what came with the packages that were asked for.
 *
 * A package that was replaced in the registry, a version that moved and a
 * server that rewrote its own code between two starts all change it. What
 * Python compiled for itself (__pycache__) is left out.
 */
#ifndef CORDON_POLICY_PIN_PACKAGE_H
#define CORDON_POLICY_PIN_PACKAGE_H

#include "base/buf.h"
#include "policy/registry_key.h"
#include "sandbox/runner.h"
#include "json/json.h"

/* home is the server's own. *out is NULL where nothing is installed. keys NULL:
 * signatures are not looked at. */
int pin_package(enum runner r, const char *home,
                const struct registry_keys *keys, struct arena *a,
                const struct json **out, struct err *e);

/* Is what is there now what was pinned? A signature that was verified must
 * still be there. */
bool pin_package_same(const struct json *known, const struct json *now);

/* A signature of it is wrong: nobody may use it, pinned or not. */
bool pin_package_forged(const struct json *package);

/* A line for each package: what is known of its signature. */
int pin_package_describe(const struct json *package, struct buf *out,
                         struct err *e);

#endif
