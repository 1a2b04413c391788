/* SPDX-License-Identifier: MIT
 *
 * session -- what stands behind the handles of cordon.h.
 */
#ifndef CORDON_VM_SESSION_H
#define CORDON_VM_SESSION_H

#include "cordon.h"
#include "vm/engine.h"
#include "vm/history.h"
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
    void *replay; /* owned: a journal, or NULL */
    size_t replay_len;
};

struct cordon_session {
    struct vm vm;
    enum cordon_status status;
    int exit_status;
    bool exited;    /* by SystemExit */
    bool answering; /* CORDON_WAIT for the value of the call itself */
    struct history journal;
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

/* -- the journal (api_journal.c) ----------------------------------------------
 */

int session_journal(cordon_session *s, const cordon_options *o);
void session_journal_free(cordon_session *s);
/* A program or input comes from the host: recorded, or compared with what was
 * recorded. -1: it is another one. */
int session_note(cordon_session *s, enum history_type type, str name,
                 str value);
/* The host answers the call: b is the message of an error. */
void session_note_answer(cordon_session *s, enum history_type type, str a,
                         str b);
void session_note_value(cordon_session *s, enum history_type type, uint64_t id,
                        str a, str b);
void session_note_continue(cordon_session *s);
/* While the journal has answers they are given. */
enum cordon_status session_follow(cordon_session *s, enum cordon_status st);
/* Labels that a value gets are recorded: fn and user to hand on instead. */
struct label_notes {
    cordon_session *s;
    cordon_label_fn *fn;
    void *user;
};
cordon_label_id session_note_label(void *notes,
                                   const struct cordon_place *place);
void session_note_labels(cordon_session *s);

/* -- snapshots in parts (snapshot.c) ------------------------------------------
 *
 * A worker saves and loads; who has the key, and no program, seals and opens.
 */

/* Appends the session's bytes, which are not sealed yet. */
int session_save(cordon_session *s, struct buf *out, struct err *e);
int session_seal(struct buf *bytes, const uint8_t key[32], struct err *e);
/* 0: they are whole and sealed with this key. */
int session_open(str bytes, const uint8_t key[32], struct err *e);
/* Sealed bytes become the state of s, which is lost on failure. */
int session_load(cordon_session *s, str bytes, struct err *e);

#endif
