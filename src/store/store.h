/* SPDX-License-Identifier: MIT
 *
 * store -- what must outlive the process: runs and their journals, sessions,
 * approvals, values.
 *
 * Additions are queued and written together at the end of the loop's turn, in
 * one transaction (group commit). Who must not go on before something is on
 * disk asks with store_when_durable; one sync then serves everybody who waits.
 * When the disk is full or the file is locked, the queue is kept and tried
 * again: nothing is dropped, nobody is told it was written, and store_ready
 * says why no new run may begin. Reading first writes what is queued, so a
 * reader sees everything added before.
 *
 * Several processes may share one store. A run belongs to the holder of its
 * lease; each claim raises the run's fence, and what an earlier holder still
 * writes about it is refused (store_on_lost).
 *
 * Text that is handed out lives in the caller's arena, or until a row callback
 * returns; such a callback may not call the store. Times are wall clock,
 * nanoseconds.
 */
#ifndef CORDON_STORE_STORE_H
#define CORDON_STORE_STORE_H

#include "base/arena.h"
#include "base/buf.h"
#include "io/loop.h"

#include <stdbool.h>
#include <stdint.h>

struct store;

struct store_config {
    const char *path;  /* of the file; its folder is made */
    struct loop *loop; /* NULL: written when something is read, and at close */
};

/* The error says what to do: damaged, made by a newer version, not a store. A
 * file that cannot be written is opened for reading; store_ready says so. */
struct store *store_open(const struct store_config *config, struct err *e);

/* Writes what is queued and gives leases back. -1 when that failed: the store
 * is closed all the same. s may be NULL. */
int store_close(struct store *s, struct err *e);

/* 0 when new work can be recorded; else why not. */
int store_ready(struct store *s, struct err *e);

/* A secret of this store, for what it keeps sealed (snapshots, tokens). */
#define STORE_KEY 32
const uint8_t *store_key(const struct store *s);

/* An id for a new thing: prefix and 16 letters and digits. */
#define STORE_ID 32
int store_new_id(const char *prefix, char out[STORE_ID], struct err *e);

/* -- durability -------------------------------------------------------------
 */

struct store_wait {
    void (*fn)(struct store_wait *w);
    void *data;
    bool written; /* enough that the kernel has it: a killed process loses
                     nothing, a power cut may */
    bool queued;
    struct store_wait *next;
};

/* Calls fn once everything queued so far is on disk, never before this
 * returns. While the disk refuses it is not called. */
void store_when_durable(struct store *s, struct store_wait *w);
void store_wait_stop(struct store *s, struct store_wait *w);

/* Writes what is queued now; durable: and waits for the disk. */
int store_flush(struct store *s, bool durable, struct err *e);

/* -- runs -------------------------------------------------------------------
 */

enum run_state {
#define STATE(name, text, ended) RUN_##name,
#include "store/states.def"
#undef STATE
};
const char *run_state_name(enum run_state state);
bool run_state_ended(enum run_state state);
int run_state_parse(str name, enum run_state *out, struct err *e);

struct store_run {
    str id;
    str kind;    /* "run", "job", "call", "agent" */
    str session; /* may be empty, like what follows */
    str principal, client;
    str program; /* text that is run */
    str options; /* JSON: what it was submitted with */
    str result;  /* JSON, once it ended */
    str status;  /* JSON: progress, what it waits for */
    enum run_state state;
    int64_t created, updated;
    int64_t expires; /* 0: never */
    uint64_t fence;  /* of the last claim */
    str owner;       /* of the lease, or empty */
};

/* Queued. id, kind and created must be set. With fence (may be NULL) it is
 * ours from the start, as if claimed. */
int store_run_add(struct store *s, const struct store_run *r, uint64_t *fence,
                  struct err *e);
int store_run_get(struct store *s, str id, struct arena *a,
                  struct store_run *out, struct err *e);

/* Queued; refused later (lost) when the fence is not the newest. An empty
 * status or result leaves the one there is. */
int store_run_set(struct store *s, str id, uint64_t fence, enum run_state state,
                  str status, str result, struct err *e);

struct store_filter {
    str session, principal; /* empty: any */
    bool only_open;         /* not ended */
    size_t max;             /* 0: 100 */
};
typedef int store_run_fn(void *data, const struct store_run *r, struct err *e);

/* Newest first; a non-zero return of fn stops and is returned. */
int store_runs(struct store *s, const struct store_filter *filter,
               store_run_fn *fn, void *data, struct err *e);

/* How many runs of a principal have not ended; counted up to max. */
int store_open_runs(struct store *s, str principal, size_t max, size_t *out,
                    struct err *e);

/* Takes the lease of a run that has not ended. ERR_EXISTS: a living process
 * holds it. */
int store_claim(struct store *s, str id, uint64_t *fence, struct err *e);

/* Claims the oldest open run that nobody holds: 1 with its id, or 0. */
int store_claim_next(struct store *s, char id[STORE_ID], uint64_t *fence,
                     struct err *e);
int store_release(struct store *s, str id, uint64_t fence, struct err *e);

/* Has the process that holds the run look at what changed. Nothing is told to
 * one that is not there. store_approval_decide does it by itself. */
void store_wake(struct store *s, str run);
/* Called in the loop when somebody else did so. */
void store_on_wake(struct store *s, void (*fn)(void *data, str run),
                   void *data);

/* Somebody else holds this run now, or its row is gone. Told before those who
 * wait for what was refused: fn may not change anything in the store. */
void store_on_lost(struct store *s, void (*fn)(void *data, str run),
                   void *data);

/* Leases last this long; the store renews its own while the loop runs. */
#define STORE_LEASE_NS ((int64_t)30 * 1000000000)

/* Removes runs that ended before `before`, with their journals, and values that
 * expired. The count of runs is returned. */
int64_t store_prune(struct store *s, int64_t before, struct err *e);

/* -- the journal of a run ---------------------------------------------------
 */

struct store_event {
    uint64_t seq; /* from 1, without gaps */
    str kind;     /* "intent", "result", ... */
    str data;     /* JSON */
    int64_t at;
};

/* Queued; fence as in store_run_set. */
int store_event_add(struct store *s, str run, uint64_t fence,
                    const struct store_event *ev, struct err *e);
typedef int store_event_fn(void *data, const struct store_event *ev,
                           struct err *e);
int store_events(struct store *s, str run, uint64_t from, store_event_fn *fn,
                 void *data, struct err *e);

/* -- approvals --------------------------------------------------------------
 */

enum approval_state {
    APPROVAL_PENDING,
    APPROVAL_DENIED,
    APPROVAL_EXPIRED,
    APPROVAL_GRANTED,
    APPROVAL_USED, /* granted, and the call was made */
};
const char *approval_state_name(enum approval_state state);

struct store_approval {
    str id;
    str run, session, principal, client;
    uint64_t number; /* of the call in its run or session */
    str binding;     /* hash of all that was asked about */
    str batch;       /* like calls share one; empty: alone */
    str tool;        /* flat name */
    str card;        /* JSON: what a person is shown */
    str memory;      /* the key a narrow memory would have, or empty */
    enum approval_state state;
    int64_t created, expires, decided;
    str by; /* who decided, and how: "cli:user" */
};

int store_approval_add(struct store *s, const struct store_approval *p,
                       struct err *e); /* queued */
int store_approval_get(struct store *s, str id, struct arena *a,
                       struct store_approval *out, struct err *e);

/* The newest approval of a call with this binding; ERR_MISSING. */
int store_approval_find(struct store *s, str run, uint64_t number, str binding,
                        struct arena *a, struct store_approval *out,
                        struct err *e);

typedef int store_approval_fn(void *data, const struct store_approval *p,
                              struct err *e);
struct store_approval_filter {
    str run, principal, batch; /* empty: any */
    bool only_pending;
    size_t max; /* 0: 100 */
};
int store_approvals(struct store *s, const struct store_approval_filter *f,
                    store_approval_fn *fn, void *data, struct err *e);

/* Those that were answered after `since`, oldest first. */
int store_answers(struct store *s, int64_t since, store_approval_fn *fn,
                  void *data, struct err *e);

/* At once and on disk. Only a pending one that has not expired can be decided;
 * ERR_MISSING, ERR_EXISTS (decided before), ERR_TIMEOUT. */
int store_approval_decide(struct store *s, str id, bool grant, str by,
                          struct err *e);

/* Spends a granted approval: at once, on disk, at most once in all processes.
 * The binding must be the one that was asked about. */
int store_approval_use(struct store *s, str id, str binding, struct err *e);

/* -- states of runs ---------------------------------------------------------
 *
 * What a run goes on with: the interpreter, sealed by whoever made it, and what
 * is known beside it. A large state is a file beside the store's, on disk
 * before the row that names it.
 */

#define STORE_ROW_MAX ((size_t)8 << 20) /* a larger one is a file */

/* Queued; replaces. Of an earlier holder of the run it is refused. A large one
 * is named by the row, and its file is there before (store_new_id("s_")). */
int store_snapshot_put(struct store *s, str run, uint64_t fence, str bytes,
                       str beside, struct err *e);
int store_snapshot_name(struct store *s, str run, uint64_t fence, str name,
                        str beside, struct err *e);
/* On disk when this returns. Touches nothing but files: another process may do
 * it. */
int store_snapshot_file(const struct store *s, str run, str name, str bytes,
                        struct err *e);
int store_snapshot_get(struct store *s, str run, struct buf *bytes,
                       struct buf *beside, struct err *e);
/* Queued, and nothing of an earlier holder's. The file goes with
 * store_snapshot_tidy, once that is on disk. */
int store_snapshot_drop(struct store *s, str run, uint64_t fence,
                        struct err *e);
/* Removes files of the run that its row does not name. */
void store_snapshot_tidy(struct store *s, str run);

/* -- sessions ---------------------------------------------------------------
 */

struct store_session {
    str id, principal, client;
    str state;    /* JSON: turn label, counters */
    str snapshot; /* sealed by whoever made it, or empty */
    int64_t created, updated, expires;
};

/* Queued; adds or replaces. Only the run that used the session puts it back,
 * and only while it is ours: fence as in store_run_set. */
int store_session_put(struct store *s, str run, uint64_t fence,
                      const struct store_session *v, struct err *e);
/* Whether another living process is at a run of the session: 1, and the run. */
int store_session_elsewhere(struct store *s, str session, char run[STORE_ID],
                            struct err *e);
int store_session_get(struct store *s, str id, struct arena *a,
                      struct store_session *out, struct err *e);
int store_session_drop(struct store *s, str id, struct err *e);
typedef int store_session_fn(void *data, const struct store_session *v,
                             struct err *e);
/* Newest first, without snapshots. */
int store_sessions(struct store *s, str principal, store_session_fn *fn,
                   void *data, struct err *e);

/* -- small values, by space and key -----------------------------------------
 *
 * Learned shapes ("shape"), remembered approvals ("remember"), use of tools
 * ("usage"), and what else needs no table of its own.
 */

int store_put(struct store *s, const char *space, str key, str value,
              int64_t expires, struct err *e); /* queued; 0: never */
/* Of a run, whose id is the key; fence as in store_run_set. */
int store_run_put(struct store *s, str run, uint64_t fence, const char *space,
                  str value, int64_t expires, struct err *e);
int store_get(struct store *s, const char *space, str key, struct buf *out,
              struct err *e); /* ERR_MISSING, also when expired */
int store_del(struct store *s, const char *space, str key, struct err *e);
typedef int store_value_fn(void *data, str key, str value, struct err *e);
int store_each(struct store *s, const char *space, store_value_fn *fn,
               void *data, struct err *e); /* by key */

/* -- large values -----------------------------------------------------------
 */

struct store_blob {
    str id;
    str owner; /* run or session that may read it */
    str type;  /* MIME */
    str bytes;
    int64_t created, expires;
};
#define STORE_BLOB_MAX ((size_t)64 << 20)

int store_blob_put(struct store *s, const struct store_blob *b,
                   struct err *e); /* queued; adds or replaces */

/* Appends bytes [from, from+max) and tells the whole size; type (may be NULL)
 * receives a NUL-terminated text. */
int store_blob_get(struct store *s, str id, str owner, size_t from, size_t max,
                   struct buf *out, size_t *size, char type[64], struct err *e);
int store_blob_drop(struct store *s, str id, struct err *e);

/* -- conversations ----------------------------------------------------------
 */

struct store_thread {
    str id, principal;
    str title;
    str meta; /* JSON: model, settings */
    int64_t created, updated;
};

int store_thread_put(struct store *s, const struct store_thread *t,
                     struct err *e); /* queued; adds or replaces */
int store_thread_get(struct store *s, str id, struct arena *a,
                     struct store_thread *out, struct err *e);
typedef int store_thread_fn(void *data, const struct store_thread *t,
                            struct err *e);
int store_threads(struct store *s, str principal, size_t max,
                  store_thread_fn *fn, void *data, struct err *e);
int store_thread_drop(struct store *s, str id, struct err *e);

struct store_message {
    uint64_t seq; /* from 1; an existing one is replaced */
    str body;     /* JSON */
    int64_t at;
};
int store_message_put(struct store *s, str thread,
                      const struct store_message *m, struct err *e);
typedef int store_message_fn(void *data, const struct store_message *m,
                             struct err *e);
int store_messages(struct store *s, str thread, uint64_t from,
                   store_message_fn *fn, void *data, struct err *e);

#endif
