/* SPDX-License-Identifier: MIT
 *
 * wasm -- tier wasm: a WASI module, compiled once and run in a locked worker.
 *
 * wasm2c turns a module into C, the machine's compiler turns that and our own
 * WASI functions (wasi/host) into a static program. Both run in a container of
 * their own, because they read what a stranger wrote. The program is kept in
 * the cache under the hash of the module and of everything it was made with.
 *
 * It runs in a root that holds nothing but itself, the scratch and the bound
 * directories, which the module finds preopened; before its first instruction
 * the process is locked (read, write, files below those directories, exit).
 */
#ifndef CORDON_SANDBOX_WASM_H
#define CORDON_SANDBOX_WASM_H

#include "sandbox/cage.h"

/* What must be known of a module before it is compiled. */
struct wasm_facts {
    bool imports; /* something of WASI */
};

/* Refuses what is no WASI command, and says which import or export is at
 * fault. */
int wasm_examine(str module, struct wasm_facts *out, struct err *e);

/* The path of the compiled program for a module file, appended to out. What
 * the compiler's own cage may miss is what the caller agreed to. */
int wasm_compile(const char *path, uint32_t may_miss, struct buf *out,
                 struct err *e);

/* From a cage whose argv[0] is a module file outside to the cage of the
 * program it becomes; strings live in the cage's arena. */
int wasm_cage(const struct cage *c, struct cage *out, struct err *e);

/* Whether its module was compiled before; one that cannot be read was not. */
bool wasm_is_ready(const struct cage *c);

/* What is missing here, or 0. */
int wasm_tools(struct err *e);

#endif
