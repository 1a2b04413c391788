/* SPDX-License-Identifier: MIT
 *
 * exc -- making and raising exceptions.
 */
#include "vm/exc.h"

#include "vm/engine.h"
#include "vm/ops.h"

#define MESSAGE_MAX 65536 /* bytes of a message made in C */

val exc_new(struct vm *vm, val type, const val *args, size_t n) {
    val tuple = n ? tuple_new(vm, args, n) : VAL_EMPTY_TUPLE;
    if (!tuple) return VAL_UNSET;
    struct oexc *x = heap_new(vm, KIND_EXCEPTION, type, sizeof *x);
    if (!x) return VAL_UNSET;
    x->shape = type_at(vm, type)->shape;
    x->args = tuple;
    return heap_ref(&vm->heap, x);
}

/* Records `context` unless that would close a circle, which is cut where it
 * would meet exc again. A program can have made a circle without exc: a second
 * walker at half the pace is met there. */
static void set_context(struct vm *vm, val exc, val context) {
    if (!context || context == exc || exc < vm->heap.template_end) return;
    val at = context, slow = context, next;
    for (bool turn = false; (next = exc_at(vm, at)->context); turn = !turn) {
        vm->fuel--; /* chains can be made long */
        if (next == exc) {
            exc_at(vm, at)->context = VAL_UNSET;
            break;
        }
        at = next;
        if (at == slow) break;
        if (turn) slow = exc_at(vm, slow)->context;
    }
    exc_at(vm, exc)->context = context;
}

val exc_raise(struct vm *vm, val exc) {
    struct root *root = vm_root(vm);
    if (!exc) return VAL_UNSET; /* making it raised MemoryError instead */
    root->exception = exc;
    if (root->frame) {
        const struct oframe *f = heap_at(&vm->heap, root->frame);
        set_context(vm, exc, f->handled);
    }
    return VAL_UNSET;
}

val vm_raise_args(struct vm *vm, enum exc exc, const val *args, size_t n) {
    return exc_raise(vm, exc_new(vm, EXC_AT(exc), args, n));
}

val vm_raise(struct vm *vm, enum exc exc, const char *fmt, ...) {
    AUTO_BUF struct buf b = BUF_MAX(MESSAGE_MAX);
    struct err e;
    va_list ap;
    va_start(ap, fmt);
    int bad = buf_vaddf(&b, &e, fmt, ap);
    va_end(ap);
    /* What was too long has been walked through all the same. */
    if (bad) vm_spend(vm, 4 * (vm->heap.top - vm->heap.template_end));
    str words = bad ? STR("(message too long)") : buf_str(&b);
    val text = text_new(vm, words.p, words.n);
    return text ? vm_raise_args(vm, exc, &text, 1) : VAL_UNSET;
}

/* The reserve behind the limit is open while this exception is made. Should
 * even that be used up, the template's own instance serves. */
void exc_memory(struct vm *vm) {
    struct heap *h = &vm->heap;
    val exc = VAL_UNSET;
    if (vm->raising) return;
    vm->raising = true;
    h->limit += HEAP_RESERVE;
    exc = exc_new(vm, EXC_VAL(MemoryError), NULL, 0);
    h->limit -= HEAP_RESERVE;
    if (h->bump_to > h->limit) h->bump_to = h->limit;
    vm->raising = false;
    exc_raise(vm, exc ? exc : template_head(vm)->memory_error);
}

val exc_limit(struct vm *vm, enum vm_limit limit) {
    static const char *const words[] = {
        [LIMIT_NONE] = "",
        [LIMIT_STEPS] = "step limit reached",
        [LIMIT_MEMORY] = "memory limit reached",
        [LIMIT_TIME] = "time limit reached",
        [LIMIT_OUTPUT] = "output limit reached",
        [LIMIT_DEPTH] = "maximum recursion depth exceeded",
        [LIMIT_CALLS] = "limit of host calls reached",
        [LIMIT_CANCELLED] = "cancelled",
    };
    return vm_raise(vm, EXC_LimitExceeded, "%s", words[limit]);
}

val exc_take(struct vm *vm) {
    struct root *root = vm_root(vm);
    val exc = root->exception;
    root->exception = VAL_UNSET;
    return exc;
}

bool exc_matches(struct vm *vm, val exc, enum exc which) {
    return exc && type_is_subclass(vm, type_of(vm, exc), EXC_AT(which));
}

bool exc_is(struct vm *vm, enum exc exc) {
    return exc_matches(vm, vm_root(vm)->exception, exc);
}

void exc_add_line(struct vm *vm, val exc, val code, uint32_t pc) {
    if (exc < vm->heap.template_end) return; /* the shared MemoryError */
    struct otraceback *t =
        heap_new(vm, KIND_TRACEBACK, TYPE_VAL(traceback), sizeof *t);
    if (!t) {
        /* Out of memory while unwinding: the exception travels on without
         * this line. */
        vm_root(vm)->exception = exc;
        vm->memory_failed = false;
        return;
    }
    t->next = exc_at(vm, exc)->traceback;
    t->code = code;
    t->pc = pc;
    exc_at(vm, exc)->traceback = heap_ref(&vm->heap, t);
}
