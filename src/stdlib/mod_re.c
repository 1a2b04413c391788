/* SPDX-License-Identifier: MIT
 *
 * re: matching in C; patterns, matches and replacing as Python objects in
 * re.py.
 */
#include "vm/native.h"
#include "vm/ops.h"
#include "vm/pattern.h"
#include "vm/seq.h"
#include "vm/text.h"

/* (message, position) of what is wrong with a pattern. */
static val fault_pair(struct vm *vm, const struct pattern_fault *fault) {
    val at = fault->at == PATTERN_NOWHERE ? VAL_NONE
                                          : val_of_int((int64_t)fault->at);
    val pair[2] = {text_of(vm, fault->text), at};
    return pair[0] ? tuple_new(vm, pair, 2) : VAL_UNSET;
}

/* re.py hands over what it checked, but a program can call these too. */
static bool not_text(struct vm *vm, val v) {
    if (vm_is(vm, v, KIND_STR)) return false;
    vm_raise(vm, EXC_TypeError, "expected str, not %s", vm_type_name(vm, v));
    return true;
}

static struct pattern *get(struct vm *vm, const val *args,
                           struct pattern_fault *fault) {
    int64_t flags;
    if (not_text(vm, args[0]) || value_index(vm, args[1], &flags)) return NULL;
    return pattern_get(vm, args[0], (unsigned)flags, fault);
}

/* (groups, names), or (message, position) as a list when it is wrong. */
static val re_compile(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct pattern_fault fault;
    struct pattern *p = get(vm, args, &fault);
    if (!p && vm_failed(vm)) return VAL_UNSET;
    if (!p) {
        val pair = fault_pair(vm, &fault);
        return pair ? list_new(vm, tuple_items(vm, pair), 2) : VAL_UNSET;
    }
    val made[2] = {val_of_int((int64_t)pattern_groups(p)),
                   pattern_names(vm, p)};
    return made[1] ? tuple_new(vm, made, 2) : VAL_UNSET;
}

/* A flat tuple of code point positions, two for each group; -1: no part. */
static val spans_tuple(struct vm *vm, val text, const struct pattern *p,
                       const size_t *spans) {
    size_t n = 2 * ((size_t)pattern_groups(p) + 1);
    val *items;
    val tuple = tuple_alloc(vm, n, &items);
    for (size_t i = 0; tuple && i < n; i++)
        items[i] = spans[i] == (size_t)-1
                       ? val_of_int(-1)
                       : val_of_int((int64_t)text_position(vm, text, spans[i]));
    return tuple;
}

/* pattern, flags, text, from, to, mode */
static val re_run(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct pattern_fault fault;
    const size_t *spans;
    int64_t from, to, mode;
    struct pattern *p = get(vm, args, &fault);
    if (!p && !vm_failed(vm))
        return vm_raise(vm, EXC_ValueError, "%s", fault.text);
    if (!p || not_text(vm, args[2]) || value_index(vm, args[3], &from) ||
        value_index(vm, args[4], &to) || value_index(vm, args[5], &mode))
        return VAL_UNSET;
    if (from < 0 || to < from || to > (int64_t)text_chars(vm, args[2]) ||
        mode < PATTERN_SEARCH || mode > PATTERN_NOT_EMPTY)
        return vm_raise(vm, EXC_ValueError, "positions out of range");
    size_t first = text_offset(vm, args[2], (uint64_t)from);
    size_t last = text_offset(vm, args[2], (uint64_t)to);
    int found = pattern_run(vm, p, text_get(vm, args[2]), first, last,
                            (enum pattern_mode)mode, &spans);
    if (found < 0) return VAL_UNSET;
    return found ? spans_tuple(vm, args[2], p, spans) : VAL_NONE;
}

static const struct native functions[] = {
    {"_compile", "pattern, flags, /", re_compile, "Groups and names.", NULL},
    {"_run", "pattern, flags, text, pos, endpos, mode, /", re_run,
     "Positions of the groups, or None.", NULL},
    {0},
};

const struct native_module module_re = {.name = "re", .functions = functions};
