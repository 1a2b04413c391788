/* SPDX-License-Identifier: MIT
 *
 * api_pending -- cordon.h: pending values.
 */
#include <string.h>

#include "vm/exc.h"
#include "vm/jsonval.h"
#include "vm/load.h"
#include "vm/ops.h"
#include "vm/pending.h"
#include "vm/session.h"

static const struct ohostfn *called(const struct vm *vm) {
    val call = vm_root_const(vm)->call;
    return heap_at(&vm->heap, tuple_items(vm, call)[0]);
}

enum cordon_status cordon_resume_pending(cordon_session *s) {
    struct vm *vm = &s->vm;
    struct root *root = vm_root(vm);
    if (!root->call || s->status != CORDON_CALL) return session_not_waiting(s);
    if (!(called(vm)->flags & HOSTFN_READ_ONLY)) {
        err_set(&s->err, ERR_INVALID,
                "a call of a function that is not read-only cannot be pending");
        return CORDON_FAILED;
    }
    session_note_answer(s, HISTORY_PENDING, STR(""), STR(""));
    if (!pending_add(vm)) return session_resume(s, VAL_UNSET);
    /* An operator or a sort key looks at its value at once. */
    if (root->call_how != RET_VALUE) return session_wait_call(s);
    uint64_t n = list_len(vm, root->pending);
    return session_resume(s, list_items(vm, root->pending)[n - 1]);
}

static int resolve(cordon_session *s, uint64_t id, val v, bool failed) {
    struct vm *vm = &s->vm;
    val box = pending_find(vm, id);
    if (!v) {
        exc_take(vm);
        return -1;
    }
    if (!box)
        return fail(&s->err, ERR_MISSING, "call %llu is not pending",
                    (unsigned long long)id);
    pending_settle(vm, box, v, failed);
    return 0;
}

int cordon_resolve_json(cordon_session *s, uint64_t id, const char *json,
                        size_t len) {
    vm_clock_start(&s->vm);
    val v = jsonval_read(&s->vm, (str){json, len}, &s->err);
    if (resolve(s, id, v, false)) return -1;
    session_note_value(s, HISTORY_RESOLVE, id, (str){json, len}, STR(""));
    return 0;
}

int cordon_resolve_labelled(cordon_session *s, uint64_t id, const char *json,
                            size_t len, cordon_label_fn *fn, void *user) {
    val v = session_read_labelled(s, (str){json, len}, fn, user);
    if (resolve(s, id, v, false)) return -1;
    session_note_labels(s);
    session_note_value(s, HISTORY_RESOLVE, id, (str){json, len}, STR(""));
    return 0;
}

int cordon_resolve_error(cordon_session *s, uint64_t id, const char *type,
                         const char *message) {
    session_raise(s, type, message);
    if (resolve(s, id, exc_take(&s->vm), true)) return -1;
    session_note_value(s, HISTORY_REJECT, id, str_of(type ? type : ""),
                       str_of(message));
    return 0;
}

size_t cordon_waiting(const cordon_session *s, uint64_t *ids, size_t max) {
    const struct vm *vm = &s->vm;
    val list = vm_root_const(vm)->waiting;
    uint64_t n = list ? list_len(vm, list) : 0;
    size_t missing = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t id = (uint64_t)val_int(list_items(vm, list)[i]);
        if (!id || !pending_find(vm, id)) continue;
        if (missing < max) ids[missing] = id;
        missing++;
    }
    return missing;
}

/* The value of a call that was looked at as soon as it was made. */
static enum cordon_status answer_call(cordon_session *s) {
    struct vm *vm = &s->vm;
    struct root *root = vm_root(vm);
    uint64_t n = list_len(vm, root->pending);
    struct obox *box = heap_at(&vm->heap, list_items(vm, root->pending)[n - 1]);
    bool failed = box->h.flags & BOX_FAILED;
    val v = box->inner;
    box->h.flags |= BOX_RAISED;
    pending_over(vm, VAL_UNSET);
    if (failed) exc_raise(vm, v);
    return session_resume(s, failed ? VAL_UNSET : v);
}

/* The journal does not know of pauses: it is followed on from here. */
static enum cordon_status go_on(cordon_session *s) {
    s->vm.status = VM_READY;
    return session_follow(s, session_run_on(s));
}

enum cordon_status cordon_continue(cordon_session *s) {
    struct vm *vm = &s->vm;
    struct root *root = vm_root(vm);
    if (s->status == CORDON_PAUSED) return go_on(s);
    if (s->status != CORDON_WAIT) {
        err_set(&s->err, ERR_INVALID, "the session does not wait for values");
        return CORDON_FAILED;
    }
    if (pending_waits(vm)) return CORDON_WAIT;
    session_note_continue(s);
    if (!root->call) {
        pending_over(vm, VAL_UNSET);
        return session_run_on(s);
    }
    if (s->answering) {
        s->answering = false;
        return answer_call(s);
    }
    if (!pending_over(vm, root->call)) return session_resume(s, VAL_UNSET);
    vm->status = VM_CALL;
    return s->status = CORDON_CALL;
}
