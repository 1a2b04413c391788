/* SPDX-License-Identifier: MIT
 *
 * Source text: whatever it is, it is refused with a fault inside the text, or
 * compiled to words that could be run.
 */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "../tools/verify.h"
#include "lang/compile.h"

static int slot_of(void *user, str name) {
    int *n = user;
    assert(name.n > 0);
    return (*n)++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    str text = {(const char *)data, size};
    int slots = 0;
    struct compile_env env = {slot_of, &slots, {1, 2}};
    const struct code_unit *unit;
    struct fault fault;
    struct err e;
    if (compile_source(text, &env, &a, &unit, &fault, &e)) {
        if (fault.kind == FAULT_NONE) return 0;
        assert(fault.start <= fault.end && fault.text[0]);
        assert(place_of(text, fault.start).line > 0);
        return 0;
    }
    uint32_t at;
    const char *why = verify_unit(unit, &a, &at);
    assert(!why);
    return 0;
}
