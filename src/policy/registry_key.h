/* SPDX-License-Identifier: MIT
 *
 * registry_key -- what a package registry signed.
 *
 * A registry signs each version it publishes: ECDSA P-256 over
 * "name@version:integrity". npm's keys are known (registry_keys.def); those of
 * other registries come from a file in npm's form:
 *
 *     {"keys": [{"keyid": "SHA256:...", "keytype": "ecdsa-sha2-nistp256",
 *                "key": "<base64>"}]}
 *
 * A signature says that the registry published this version with this content.
 * It does not say that the content is good.
 */
#ifndef CORDON_POLICY_REGISTRY_KEY_H
#define CORDON_POLICY_REGISTRY_KEY_H

#include "json/json.h"

struct registry_keys;

struct registry_keys *registry_keys_new(struct err *e);
void registry_keys_free(struct registry_keys *k); /* k may be NULL */

/* The keys of a file's text. Two keys with one id are an error. */
int registry_keys_add(struct registry_keys *k, str text, struct err *e);

enum signed_state {
    SIGNED_WRONG,      /* a signature of a known key that does not fit */
    SIGNED_NOT,        /* there is none at hand */
    SIGNED_BY_UNKNOWN, /* there is one, and its key is not known */
    SIGNED_WELL,
};

const char *signed_word(enum signed_state s); /* "wrong", "unsigned", ... */

/* `signatures` is "dist.signatures" of the version: [{"keyid", "sig"}]; may be
 * NULL. *keyid is that of the key that decided it. */
enum signed_state registry_verify(const struct registry_keys *k, str name,
                                  str version, str integrity,
                                  const struct json *signatures, str *keyid);

#endif
