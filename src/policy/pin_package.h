/* SPDX-License-Identifier: MIT
 *
 * pin_package -- what a package runner (npx, uvx, pipx) installed for a server:
 * names, versions and integrity as the registry gave them, and a hash over
 * every file as it lies there now.
 *
 *     {"runner": "npx", "packages": [{"name", "version", "integrity"}],
 *      "files": 812, "sha256": "<hash>"}
 *
 * A package that was replaced in the registry, a version that moved and a
 * server that rewrote its own code between two starts all change it. What
 * Python compiled for itself (__pycache__) is left out.
 */
#ifndef CORDON_POLICY_PIN_PACKAGE_H
#define CORDON_POLICY_PIN_PACKAGE_H

#include "sandbox/runner.h"
#include "json/json.h"

/* home is the server's own. *out is NULL where nothing is installed. */
int pin_package(enum runner r, const char *home, struct arena *a,
                const struct json **out, struct err *e);

#endif
