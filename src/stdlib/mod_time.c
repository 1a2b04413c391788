/* SPDX-License-Identifier: MIT
 *
 * time: the clocks. Sleeping passes no time: a program that waits for something
 * waits for a call, not for a while.
 */
#include "vm/history.h"
#include "vm/native.h"
#include "vm/ops.h"

static val t_wall_ns(struct vm *vm, const val *args, size_t n) {
    (void)args, (void)n;
    return int_new(vm, history_clock(vm, true));
}

static val t_mono_ns(struct vm *vm, const val *args, size_t n) {
    (void)args, (void)n;
    return int_new(vm, history_clock(vm, false));
}

static const struct native functions[] = {
    {"time_ns", "", t_wall_ns, "Nanoseconds since 1970.", NULL},
    {"monotonic_ns", "", t_mono_ns, "A clock that never goes back.", NULL},
    {0},
};

const struct native_module module_time = {.name = "time",
                                          .functions = functions};
