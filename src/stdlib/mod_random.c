/* SPDX-License-Identifier: MIT
 *
 * random: entropy for the generator, which itself is in random.py and whose
 * state therefore belongs to the run.
 */
#include "vm/history.h"
#include "vm/native.h"
#include "vm/ops.h"

static val r_entropy(struct vm *vm, const val *args, size_t n) {
    (void)args, (void)n;
    uint64_t word;
    if (!history_entropy(vm, &word))
        return vm_raise(vm, EXC_OSError, "there is no source of randomness");
    return int_new_u64(vm, word);
}

static const struct native functions[] = {
    {"_entropy", "", r_entropy, "64 bits from outside.", NULL},
    {0},
};

const struct native_module module_random = {.name = "random",
                                            .functions = functions};
