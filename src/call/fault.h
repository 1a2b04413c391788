/* SPDX-License-Identifier: MIT
 *
 * fault -- why a call failed, as data that a model can act on.
 */
#ifndef CORDON_CALL_FAULT_H
#define CORDON_CALL_FAULT_H

#include "base/arena.h"
#include "json/json.h"

#define FAULT_NEAR 5 /* names that are suggested */

struct fault {
    const char *code; /* stable; the list is in call.h */
    str message;
    str path, expected, got; /* of the argument at fault, or empty */
    str hint;
    str rule; /* of the policy, for denied */
    str near[FAULT_NEAR];
    size_t near_count;
    bool retryable;
    int64_t retry_ms; /* when it makes sense; 0: not said */
    /* What a server said of its own accord: the code of JSON-RPC, 0 for none,
     * and what came with it, or NULL. */
    int64_t server_code;
    const struct json *server_data;
};

/* {"code", "message", ...}; empty members are left out. Never NULL: when even
 * this cannot be made, a constant says so. */
const struct json *fault_json(const struct fault *f, struct arena *a);

#endif
