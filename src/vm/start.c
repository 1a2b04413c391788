/* SPDX-License-Identifier: MIT
 *
 * start -- the first frame of a run, and the answer to a host call.
 */
#include "vm/load.h"
#include "vm/ops.h"
#include "vm/run.h"
#include "vm/taint.h"

void vm_clear(struct vm *vm) {
    struct root *root = vm_root(vm);
    root->frame = VAL_UNSET;
    root->call = VAL_UNSET;
    root->depth = 0;
    vm->c_depth = 0;
    vm->slow_wanted = vm->memory_failed = false;
}

int vm_start(struct vm *vm, val code, val module) {
    struct ofunc *fn =
        heap_new(vm, KIND_FUNCTION, TYPE_VAL(function), sizeof *fn);
    if (!fn) return -1;
    const struct ocode *c = heap_at(&vm->heap, code);
    fn->code = code;
    fn->globals = module;
    fn->name = fn->qualname = c->name;
    vm_clear(vm);
    struct ret end = {.how = RET_END};
    return frame_push(vm, heap_ref(&vm->heap, fn), end) ? 0 : -1;
}

int vm_start_call(struct vm *vm, val func, const val *args, size_t n) {
    vm_clear(vm);
    struct ret end = {.how = RET_END};
    struct oframe *f = frame_push(vm, func, end);
    if (!f) return -1;
    memcpy(f->reg, args, n * sizeof(val));
    return 0;
}

void vm_resume(struct vm *vm, val answer) {
    struct root *root = vm_root(vm);
    struct ret ret = {(uint8_t)root->call_how, (uint8_t)root->call_reg,
                      (uint8_t)root->call_state, root->call_word};
    root->call = VAL_UNSET;
    root->answered = root->frame;
    root->answered_pc = vm_frame(vm)->pc;
    vm->status = VM_READY;
    if (!answer) return;
    if (vm->labels)
        taint_deliver(vm, ret, answer);
    else
        deliver(vm, ret, answer);
}
