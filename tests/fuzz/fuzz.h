/* SPDX-License-Identifier: MIT
 *
 * fuzz -- the entry point of a fuzz target, tests/fuzz/fuzz_<name>.c.
 *
 * `make fuzz FUZZ=<name> TIME=60` runs it under libFuzzer; `make test` replays
 * tests/fuzz/corpus/<name>/ through it with a plain main(). It returns 0 and
 * traps (assert, sanitizers) on a finding.
 */
#ifndef CORDON_TESTS_FUZZ_H
#define CORDON_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
