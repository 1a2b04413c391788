/* SPDX-License-Identifier: MIT
 *
 * vm -- the budget: fuel, clock, cancellation, depth of C recursion.
 *
 * Fuel is handed out in slices. At the end of a slice, or sooner when something
 * asked for it, vm_look() accounts what was used and asks the limits.
 */
#include "vm/vm.h"

#include "base/clock.h"
#include "vm/exc.h"
#include "vm/history.h"
#include "vm/native.h"
#include "vm/taint.h"

#define SLICE   20000 /* units between two looks at the clock */
#define C_DEPTH 100   /* levels of repr, comparison, hashing ... */

#define LONG_WORK 5000000u /* units that may end well past the time limit */
#define MOST_WORK ((uint64_t)INT64_MAX / 4)

static int64_t next_slice(const struct vm *vm) {
    uint64_t left = vm->limits.steps - vm->fuel_spent, step;
    unsigned limit;
    /* A slice ends when more than it holds is spent. */
    if (vm->journal && history_next_limit(vm, &step, &limit)) {
        uint64_t until = step > vm->fuel_spent ? step - vm->fuel_spent - 1 : 0;
        if (until < left) left = until;
    }
    return left < SLICE ? (int64_t)left : SLICE;
}

static void begin_slice(struct vm *vm) {
    vm->fuel_slice = vm->fuel = next_slice(vm);
    vm->fuel_parked = 0;
}

void vm_budget_begin(struct vm *vm) {
    vm->fuel_spent = 0;
    vm->time_spent_ns = 0;
    vm->output_spent = 0;
    vm->calls_spent = 0;
    vm->fired = LIMIT_NONE;
    begin_slice(vm);
}

void vm_clock_start(struct vm *vm) {
    vm->slice_began_ns = clock_mono_ns();
}

void vm_clock_stop(struct vm *vm) {
    int64_t now = clock_mono_ns();
    vm->time_spent_ns += now - vm->slice_began_ns;
    vm->slice_began_ns = now;
}

uint64_t vm_steps(const struct vm *vm) {
    int64_t used = vm->fuel_slice - vm->fuel - vm->fuel_parked;
    return vm->fuel_spent + (uint64_t)(used < 0 ? 0 : used);
}

void vm_look_soon(struct vm *vm) {
    if (vm->fuel <= 0) return;
    vm->fuel_parked += vm->fuel;
    vm->fuel = 0;
}

/* Everything spent so far, counted; never more than the limit itself, so that
 * a replay that stops at the same unit reports the same number. */
static void account(struct vm *vm) {
    uint64_t spent = vm_steps(vm);
    vm->fuel_spent = spent < vm->limits.steps ? spent : vm->limits.steps;
}

static bool fire(struct vm *vm, enum vm_limit limit) {
    vm->fired = limit;
    if (limit == LIMIT_TIME || limit == LIMIT_CANCELLED)
        history_limit(vm, limit);
    exc_limit(vm, limit);
    return false;
}

/* Time is what it was then: the step at which it ran out is in the journal. */
static bool look_replaying(struct vm *vm) {
    uint64_t step;
    unsigned limit;
    if (vm->fuel_spent >= vm->limits.steps) return fire(vm, LIMIT_STEPS);
    if (!history_next_limit(vm, &step, &limit) || vm->fuel_spent < step)
        return true;
    history_skip(vm->journal);
    vm->fired = limit == LIMIT_TIME ? LIMIT_TIME : LIMIT_CANCELLED;
    exc_limit(vm, vm->fired);
    return false;
}

bool vm_look(struct vm *vm) {
    account(vm);
    vm_clock_stop(vm);
    begin_slice(vm);
    if (vm->journal && history_replaying(vm->journal))
        return look_replaying(vm);
    if (vm->cancel) return fire(vm, LIMIT_CANCELLED);
    if (vm->fuel_spent >= vm->limits.steps) return fire(vm, LIMIT_STEPS);
    if (vm->time_spent_ns > vm->limits.time_ns) return fire(vm, LIMIT_TIME);
    return true;
}

/* Units are about nanoseconds: what would end past the limit is not begun. */
static bool ends_in_time(struct vm *vm, uint64_t n) {
    if (n < LONG_WORK) return true;
    return (int64_t)n <= vm->limits.time_ns - vm->time_spent_ns;
}

bool vm_charge_long(struct vm *vm, uint64_t n) {
    if (n > MOST_WORK) n = MOST_WORK;
    vm->fuel -= (int64_t)n;
    if (vm->fuel >= 0) return true;
    if (vm->fuel + vm->fuel_parked >= 0) { /* the loop looks soon anyway */
        vm->fuel_parked += vm->fuel;
        vm->fuel = 0;
        return true;
    }
    if (!vm_look(vm)) return false;
    if (!ends_in_time(vm, n) && !history_replaying(vm->journal))
        return fire(vm, LIMIT_TIME);
    if (vm->collect_wanted || vm->retrying || vm->pause) vm_look_soon(vm);
    return true;
}

bool vm_enter(struct vm *vm) {
    if (vm->c_depth >= C_DEPTH) return false;
    vm->c_depth++;
    return true;
}

void vm_leave(struct vm *vm) {
    vm->c_depth--;
}

val vm_slow(struct vm *vm) {
    vm->slow_wanted = true;
    return VAL_UNSET;
}

bool vm_print(struct vm *vm, enum cordon_stream stream, str text) {
    struct err e;
    uint64_t left = vm->limits.output - vm->output_spent;
    if (!vm_charge(vm, text.n / 16)) return false;
    if (vm->labels) taint_print(vm);
    if (text.n > left)
        text.n = (size_t)left;
    else
        left = 0;
    if (vm->print)
        vm->print(vm->print_user, stream, text.p, text.n);
    else if (buf_add_str(&vm->output, text, &e))
        return fire(vm, LIMIT_OUTPUT);
    vm->output_spent += text.n;
    return left == 0 || fire(vm, LIMIT_OUTPUT);
}
