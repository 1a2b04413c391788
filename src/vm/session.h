/* SPDX-License-Identifier: MIT
 *
 * session -- what stands behind the handles of cordon.h.
 */
#ifndef CORDON_VM_SESSION_H
#define CORDON_VM_SESSION_H

#include "cordon.h"
#include "vm/engine.h"
#include "vm/label.h"

struct host_function {
    char *name; /* owned */
    unsigned flags;
};

struct cordon_options {
    struct cordon_limits limits;
    struct host_function *functions;
    size_t nfunctions;
    cordon_print_fn *print;
    void *print_user;
    enum cordon_labels labels;
    bool record;
};

struct cordon_session {
    struct vm vm;
    enum cordon_status status;
    int exit_status;
    bool answering;  /* CORDON_WAIT for the value of the call itself */
    struct buf text; /* the last text handed out, or the traceback */
    struct err err;
};

/* Binds a variable to v; unset: reading it failed. */
int session_set(cordon_session *s, const char *name, val v);
/* Answers the call with v, or with the exception in flight, and runs on. */
enum cordon_status session_resume(cordon_session *s, val v);
enum cordon_status session_not_waiting(cordon_session *s);

/* Goes on with vm_run(). */
enum cordon_status session_run_on(cordon_session *s);
/* CORDON_WAIT until the call's own value is there. */
enum cordon_status session_wait_call(cordon_session *s);
/* An exception of the host is in flight. */
void session_raise(cordon_session *s, const char *type, const char *message);
val session_read_labelled(cordon_session *s, str json, cordon_label_fn *fn,
                          void *user);

#endif
