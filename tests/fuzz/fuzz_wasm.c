/* SPDX-License-Identifier: MIT
 *
 * A module's imports and exports, as tier wasm looks at them before anything
 * else does: an answer or a reason, whatever the bytes are.
 */
#include "fuzz.h"

#include "sandbox/wasm.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e = {.text = ""};
    struct wasm_facts facts;
    int rc = wasm_examine((str){(const char *)data, size}, &facts, &e);
    if (rc && (e.kind != ERR_INVALID || !e.text[0])) abort();
    return 0;
}
