/* SPDX-License-Identifier: MIT
 *
 * native -- how Python reaches C: builtin functions, methods, module functions.
 *
 * A native is a row in a table: name, signature, function, summary. The
 * signature is Python's own ("iterable, /, *, key=None, reverse=False") and is
 * parsed once into the template: arguments are bound by it before the function
 * runs, missing optional ones arrive as VAL_UNSET whatever default the text
 * shows, and `cordon check` and help() read the same text.
 *
 * Rules for a native:
 *  - It returns a value, or VAL_UNSET after vm_raise().
 *  - It never calls Python code and never keeps state in C: a run can be
 *    suspended and saved between any two instructions. A native that finds it
 *    must call user code (a key function, a user's __eq__ ...) returns
 *    vm_slow(vm) before it has changed anything; the call is then made again
 *    on the prelude function named in `slow`, with the same arguments.
 *  - It charges work in proportion to what it does (vm_charge) and checks the
 *    result: a failed charge is a limit, and unwinds.
 *  - An allocation that fails has already raised; the loop then collects and
 *    runs the native once more, so nothing may be changed before the last
 *    allocation, or the change must be harmless to repeat.
 *  - C recursion is bounded by vm_enter/vm_leave; too deep is vm_slow() where
 *    a prelude function exists, else RecursionError.
 *  - Allocation never moves or frees objects: C pointers stay good until the
 *    native returns.
 */
#ifndef CORDON_VM_NATIVE_H
#define CORDON_VM_NATIVE_H

#include "vm/vm.h"

/* args[0..n): for a method self first (named self or cls, or not at all), then
 * the parameters in the order of the signature, keyword-only ones included; for
 * **kwargs one dict (VAL_UNSET when none were given); then, last, the items of
 * *args, whose number follows from n. A signature may begin with a word:
 *   "@class iterable, value=None"   args[0] is the class: dict.fromkeys
 *   "@static x, /"                  no self: str.maketrans
 *   "@method self, x, /"            of a module: a method of Python classes
 * that have it in their body; self is anything A row named "__new__" gets the
 * class to make as args[0]. Where an object can be changed (list, dict, set,
 * bytearray) __new__ makes it empty, whatever the arguments, and a row
 * "__init__" fills it; others do all in __new__. */
typedef val native_fn(struct vm *vm, const val *args, size_t n);

struct native {
    const char *name;
    const char *signature;
    native_fn *fn;       /* NULL: always the prelude function in `slow` */
    const char *summary; /* one line for help() */
    const char *slow;    /* name of a prelude function, or NULL: it gets the
                            arguments in the order the native does, those not
                            given as its own defaults. With fn NULL, "@name" is
                            a step of vm/steps.def, which pushes frames */
};

/* A builtin type: its methods, and `get` rows that are attributes computed on
 * read (real, imag, start ...) rather than called. */
struct native_type {
    const char *name;
    enum kind kind;
    const char *base;             /* "object" when NULL */
    unsigned flags;               /* TYPE_* */
    const struct native *methods; /* ends with a zero row */
    const struct native *getters; /* likewise, or NULL */
    const char *doc;
};

/* A module in C, with an optional Python part that is compiled into the
 * template and sees the C names as its own globals. */
struct native_module {
    const char *name;
    const struct native *functions;
    int (*init)(struct vm *vm, val module); /* constants; template time only */
};

/* Raises; the value is always VAL_UNSET. exc is a row of exceptions.def. */
val vm_raise(struct vm *vm, enum exc exc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));

/* Raises exc(*args): KeyError(key), UnicodeDecodeError with its five. */
val vm_raise_args(struct vm *vm, enum exc exc, const val *args, size_t n);

/* Its name, for repr(). */
str native_name(const struct vm *vm, val native);

/* Writes printed text to the host; false: the output limit is raised. */
bool vm_print(struct vm *vm, enum cordon_stream stream, str text);

/* Asks for the prelude version of this native. */
val vm_slow(struct vm *vm);

/* An exception is in flight, or vm_slow() was asked for. */
static inline bool vm_failed(struct vm *vm) {
    return vm_root(vm)->exception || vm->slow_wanted;
}

/* Spends n units of fuel (a unit is about a nanosecond of work, rounded up to
 * at least one); false means a limit fired and is raised: return VAL_UNSET. */
bool vm_charge_long(struct vm *vm, uint64_t n); /* where that ends the slice */
static inline bool vm_charge(struct vm *vm, uint64_t n) {
    if (n > (uint64_t)vm->fuel || vm->fuel < 0) return vm_charge_long(vm, n);
    vm->fuel -= (int64_t)n;
    return true;
}

/* The same for work that is short in itself and cannot fail (a comparison, a
 * hash): a limit fires at the next charge, call or back-edge. */
static inline void vm_spend(struct vm *vm, uint64_t n) {
    vm->fuel -= (int64_t)n;
}

/* False: a limit fired meanwhile and is raised. For loops whose items spend. */
static inline bool vm_go_on(struct vm *vm) {
    return vm->fuel >= 0 || vm_charge(vm, 0);
}

/* Makes the loop stop at its next call or back-edge to look at the clock,
 * cancellation and collection. */
void vm_look_soon(struct vm *vm);

/* What the loop does there: accounts the slice, asks the limits, begins the
 * next slice. False: a limit fired and is raised. */
bool vm_look(struct vm *vm);

/* Bounds C recursion in repr, comparison, hashing, json. */
bool vm_enter(struct vm *vm);
void vm_leave(struct vm *vm);

/* A native's own name; borrowed. */
str native_name(const struct vm *vm, val native);

/* Name of a value's class for messages; valid until the next allocation. */
const char *vm_type_name(struct vm *vm, val v);

#endif
