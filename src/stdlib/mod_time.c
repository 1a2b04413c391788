/* SPDX-License-Identifier: MIT
 *
 * time: the clocks. Sleeping passes no time: a program that waits for something
 * waits for a call, not for a while.
 */
#include "base/clock.h"
#include "stdlib/embed.h"
#include "vm/native.h"
#include "vm/ops.h"

static val t_wall_ns(struct vm *vm, const val *args, size_t n) {
    (void)args, (void)n;
    return int_new(vm, clock_wall_ns());
}

static val t_mono_ns(struct vm *vm, const val *args, size_t n) {
    (void)args, (void)n;
    return int_new(vm, clock_mono_ns());
}

static const struct native functions[] = {
    {"time_ns", "", t_wall_ns, "Nanoseconds since 1970.", NULL},
    {"monotonic_ns", "", t_mono_ns, "A clock that never goes back.", NULL},
    {0},
};

EMBED(time_py, "src/stdlib/time.py");
const struct native_module module_time = {
    .name = "time", .functions = functions, .python = time_py};
