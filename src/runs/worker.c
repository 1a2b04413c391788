/* SPDX-License-Identifier: MIT
 *
 * worker -- the parent's side of a locked process.
 */
#include "runs/worker.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "lang/check.h"
#include "runs/frame_label.h"
#include "runs/worker_child.h"

#define IDS_MAX       256
#define ROOM          ((size_t)320 << 20) /* for a message of any worker */
#define BESIDE        ((size_t)64 << 20)  /* what a state has beyond its heap */
#define SLIM          ((size_t)4 << 20)   /* more is not kept for the next */
#define LAST_WORDS_MS 2000
#define AT_ONCE_NS    200000

struct worker {
    int fd;
    pid_t pid;
    int near;        /* the processor it is kept on; -1: it is not */
    bool gone;       /* it was waited for */
    bool adopted;    /* requests are queued, never waited for */
    uint8_t key[32]; /* of snapshots */
    const struct worker_sealing *sealing;
    struct buf in; /* bytes that were read; the frame in use is first */
    size_t used;   /* length of that frame */
    struct buf out;
    uint64_t ids[IDS_MAX];
    str *literals; /* of a program that was checked */
    char how[128]; /* how the process ended */
};

/* -- the process --------------------------------------------------------------
 */

/* Made once before the first fork, so that children find the template mapped
 * and a range to work in. */
static void warm_up(void) {
    static bool warm;
    if (warm) return;
    warm = true;
    cordon_session_free(cordon_session_new(NULL, NULL));
}

static int spawn(struct worker *w, struct err *e) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return fail_sys(e, "worker's socket");
    pid_t parent = getpid();
    w->pid = fork();
    if (w->pid == 0) {
        close(pair[0]);
        worker_child(pair[1], parent);
    }
    close(pair[1]);
    if (w->pid < 0) {
        close(pair[0]);
        return fail_sys(e, "fork of a worker");
    }
    w->fd = pair[0];
    return 0;
}

static void say_how(struct worker *w, int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        snprintf(w->how, sizeof w->how,
                 "the worker made a system call it may not make");
    else if (WIFSIGNALED(status))
        snprintf(w->how, sizeof w->how, "the worker was ended by signal %d",
                 WTERMSIG(status));
    else if (WEXITSTATUS(status) == WORKER_UNLOCKED)
        snprintf(w->how, sizeof w->how,
                 "the worker could not be locked (seccomp; see cordon doctor), "
                 "and nothing runs in one that is not");
    else
        snprintf(w->how, sizeof w->how, "the worker ended with status %d",
                 WEXITSTATUS(status));
}

static void end_process(pid_t pid) {
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void bury(struct worker *w) {
    if (w->gone || w->pid <= 0) return;
    end_process(w->pid);
    w->gone = true;
}

/* It closed its end: it is gone, or will be at once. One that was taken over
 * and stays is not waited for. */
static void mourn(struct worker *w) {
    int status = 0;
    if (w->gone || w->pid <= 0) return;
    for (int i = 0; i < LAST_WORDS_MS; i++) {
        pid_t ended = waitpid(w->pid, &status, WNOHANG);
        if (ended == w->pid || (ended < 0 && errno == ECHILD)) {
            w->gone = true;
            say_how(w, status);
            return;
        }
        (void)poll(NULL, 0, 1);
    }
    bury(w);
    snprintf(w->how, sizeof w->how, "the worker closed its socket and stayed");
}

static void free_worker(struct worker *w) {
    if (w->fd >= 0) close(w->fd);
    buf_fini(&w->in);
    buf_fini(&w->out);
    mem_free(w->literals);
    mem_wipe(w->key, sizeof w->key);
    mem_free(w);
}

void worker_free(struct worker *w) {
    if (!w) return;
    bury(w);
    free_worker(w);
}

pid_t worker_end(struct worker *w) {
    pid_t pid = w->gone ? 0 : w->pid;
    if (pid) kill(pid, SIGKILL);
    free_worker(w);
    return pid;
}

int worker_fd(const struct worker *w) {
    return w->fd;
}

bool worker_gone(const struct worker *w) {
    char c;
    return w->gone || recv(w->fd, &c, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

pid_t worker_pid(const struct worker *w) {
    return w->pid;
}

void worker_cancel(struct worker *w) {
    if (!w->gone) kill(w->pid, SIGUSR1);
}

void worker_pause(struct worker *w) {
    if (!w->gone) kill(w->pid, SIGUSR2);
}

/* -- sending ------------------------------------------------------------------
 */

int worker_flush(struct worker *w, struct err *e) {
    size_t at = 0;
    int how = MSG_NOSIGNAL | (w->adopted ? MSG_DONTWAIT : 0);
    bool full = false, broken = false;
    while (at < w->out.len && !full && !broken) {
        ssize_t n = send(w->fd, w->out.data + at, w->out.len - at, how);
        if (n >= 0)
            at += (size_t)n;
        else
            full = errno == EAGAIN, broken = !full && errno != EINTR;
    }
    buf_consume(&w->out, at);
    if (full) return 0;
    if (!broken) return 1;
    buf_truncate(&w->out, 0);
    return fail(e, ERR_PEER, "the worker is gone");
}

static int finish(struct worker *w, struct frame_out *f, struct err *e) {
    return frame_end(f, e) || worker_flush(w, e) < 0 ? -1 : 0;
}

/* -- receiving ----------------------------------------------------------------
 */

/* Waking a processor that sleeps takes longer than a short program does. Who
 * waits for a worker has one to lend: as long as the worker answers at once it
 * stays where we are, and is let go when it takes its time. */
static void come_near(struct worker *w) {
    cpu_set_t here;
    int cpu = sched_getcpu();
    if (w->adopted || cpu < 0 || cpu >= CPU_SETSIZE || cpu == w->near) return;
    CPU_ZERO(&here);
    CPU_SET((size_t)cpu, &here);
    w->near = sched_setaffinity(w->pid, sizeof here, &here) ? -1 : cpu;
}

static void let_go(struct worker *w) {
    cpu_set_t ours;
    if (w->near < 0) return;
    w->near = -1;
    if (sched_getaffinity(0, sizeof ours, &ours)) /* more than we can name */
        memset(&ours, 0xff, sizeof ours);
    (void)sched_setaffinity(w->pid, sizeof ours, &ours); /* or it is gone */
}

/* As poll. */
static int await_bytes(struct worker *w, int timeout_ms) {
    const struct timespec at_once = {.tv_nsec = AT_ONCE_NS};
    struct pollfd p = {.fd = w->fd, .events = POLLIN};
    int64_t began = clock_mono_ns();
    int ready = w->near < 0 ? 0 : ppoll(&p, 1, &at_once, NULL);
    if (ready == 0) let_go(w);
    if (ready == 0) ready = poll(&p, 1, timeout_ms);
    if (clock_mono_ns() - began < AT_ONCE_NS) come_near(w);
    return ready;
}

/* More bytes: 1, 0: time is up, -1: the end. */
static int more(struct worker *w, int timeout_ms, struct err *e) {
    char *room = buf_reserve(&w->in, 65536, e);
    if (!room) return -1;
    for (;;) {
        ssize_t n = recv(w->fd, room, 65536, MSG_DONTWAIT);
        if (n > 0) {
            buf_commit(&w->in, (size_t)n);
            return 1;
        }
        if (n == 0 || (n < 0 && errno == ECONNRESET)) {
            mourn(w);
            return fail(e, ERR_PEER, "%s", w->how);
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN) return fail_sys(e, "worker's socket");
        if (timeout_ms == 0) let_go(w);
        if (timeout_ms == 0) return 0;
        int ready = await_bytes(w, timeout_ms);
        if (ready == 0) return 0;
        if (ready < 0 && errno != EINTR) return fail_sys(e, "poll");
    }
}

static void slim(struct buf *b) {
    if (b->len == 0 && b->cap > SLIM) buf_fini(b);
}

/* The next frame; the one before is forgotten. */
static int next_frame(struct worker *w, int timeout_ms, struct frame_in *f,
                      struct err *e) {
    buf_consume(&w->in, w->used);
    w->used = 0;
    slim(&w->in);
    for (;;) {
        int n = frame_first(buf_str(&w->in), f, &w->used, e);
        if (n != 0) return n;
        if ((n = more(w, timeout_ms, e)) != 1) return n;
    }
}

/* Waits for the answer to what was just sent. */
static int reply_to(struct worker *w, struct err *e) {
    struct frame_in f;
    if (next_frame(w, -1, &f, e) != 1) return -1;
    bool done = frame_get_u8(&f) != 0;
    str text = frame_get_str(&f);
    if (f.type != FRAME_REPLY || f.bad) {
        bury(w);
        return fail(e, ERR_PEER, "the worker broke its protocol");
    }
    return done ? 0 : fail(e, ERR_INVALID, "%.*s", STR_ARG(text));
}

/* -- life ---------------------------------------------------------------------
 */

static void put_options(struct frame_out *f, const struct worker_options *o,
                        const uint64_t seed[2]) {
    frame_bytes(f, &o->limits, sizeof o->limits);
    frame_u8(f, (uint8_t)o->labels);
    frame_u8(f, o->at_once);
    frame_u8(f, o->display);
    frame_u8(f, o->no_result);
    frame_u8(f, o->record);
    frame_u64(f, seed[0]);
    frame_u64(f, seed[1]);
    frame_u32(f, (uint32_t)o->nfunctions);
    for (size_t i = 0; i < o->nfunctions; i++) {
        frame_str(f, str_of(o->functions[i].name));
        frame_u32(f, o->functions[i].flags);
    }
    frame_str(f, o->draws.p ? o->draws : STR(""));
    frame_str(f, o->snapshot.p ? o->snapshot : STR(""));
    frame_str(f, o->snapshot.p ? o->origins : STR(""));
}

/* What a session may send, or is sent, is bounded by the memory it may have:
 * its state is the most. */
static void bound(struct worker *w, uint64_t memory) {
    size_t room = memory > ROOM - BESIDE ? (size_t)memory + BESIDE : ROOM;
    if (memory > FRAME_MAX - BESIDE) room = FRAME_MAX;
    w->in.max = room + 65536;
    w->out.max = room;
}

int worker_setup(struct worker *w, const struct worker_options *o,
                 struct err *e) {
    uint64_t seed[2] = {o->seed[0], o->seed[1]};
    bound(w, o->limits.memory);
    if (o->snapshot.p && (!o->key || !o->sealing))
        return fail(e, ERR_INVALID, "a snapshot needs its key");
    if (o->snapshot.p && o->sealing->open(o->snapshot, o->key, e)) return -1;
    if (!seed[0] && !seed[1] && hash_random(seed, sizeof seed, e)) return -1;
    if (o->key && o->sealing) {
        memcpy(w->key, o->key, sizeof w->key);
        w->sealing = o->sealing;
    }
    struct frame_out f = frame_begin(&w->out, FRAME_SETUP);
    put_options(&f, o, seed);
    return finish(w, &f, e);
}

static struct worker *new_worker(struct err *e) {
    struct worker *w = mem_zalloc(1, sizeof *w, e);
    if (!w) return NULL;
    w->fd = w->near = -1;
    bound(w, 0);
    return w;
}

int worker_start(const struct worker_options *o, struct worker **out,
                 struct err *e) {
    struct worker *w = new_worker(e);
    if (!w) return -1;
    warm_up();
    if (spawn(w, e) || worker_setup(w, o, e) || reply_to(w, e)) {
        worker_free(w);
        return -1;
    }
    *out = w;
    return 0;
}

int worker_adopt(int fd, pid_t pid, struct worker **out, struct err *e) {
    struct worker *w = new_worker(e);
    if (!w) {
        close(fd);
        if (pid > 0) end_process(pid);
        return -1;
    }
    w->fd = fd;
    w->pid = pid;
    w->adopted = true;
    *out = w;
    return 0;
}

/* -- requests -----------------------------------------------------------------
 */

int worker_set(struct worker *w, const char *name, str json,
               const struct labels *labels, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_SET);
    frame_str(&f, str_of(name));
    frame_str(&f, json);
    frame_labels(&f, labels);
    return finish(w, &f, e) || reply_to(w, e) ? -1 : 0;
}

int worker_check(struct worker *w, str code,
                 const struct check_function *functions, size_t n,
                 struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_CHECK);
    frame_str(&f, code);
    frame_u32(&f, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        const struct check_function *fn = &functions[i];
        frame_str(&f, fn->space);
        frame_str(&f, fn->name);
        frame_u8(&f, fn->open);
        frame_u32(&f, (uint32_t)fn->count);
        for (size_t k = 0; k < fn->count; k++) {
            frame_str(&f, fn->params[k].name);
            frame_u32(&f, fn->params[k].types);
            frame_u8(&f, fn->params[k].required);
        }
    }
    return finish(w, &f, e);
}

int worker_run(struct worker *w, str code, const char *filename,
               struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_RUN);
    frame_str(&f, str_of(filename ? filename : ""));
    frame_str(&f, code);
    return finish(w, &f, e);
}

int worker_answer(struct worker *w, str json, const struct labels *labels,
                  struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_ANSWER);
    frame_str(&f, json);
    frame_labels(&f, labels);
    return finish(w, &f, e);
}

int worker_answer_error(struct worker *w, str type, str message,
                        struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_ANSWER_ERROR);
    frame_str(&f, type);
    frame_str(&f, message);
    return finish(w, &f, e);
}

int worker_later(struct worker *w, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_LATER);
    return finish(w, &f, e);
}

int worker_resolve(struct worker *w, uint64_t id, str json,
                   const struct labels *labels, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_RESOLVE);
    frame_u64(&f, id);
    frame_str(&f, json);
    frame_labels(&f, labels);
    return finish(w, &f, e);
}

int worker_resolve_error(struct worker *w, uint64_t id, str type, str message,
                         struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_RESOLVE_ERROR);
    frame_u64(&f, id);
    frame_str(&f, type);
    frame_str(&f, message);
    return finish(w, &f, e);
}

int worker_continue(struct worker *w, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_CONTINUE);
    return finish(w, &f, e);
}

int worker_snapshot(struct worker *w, struct err *e) {
    if (!w->sealing)
        return fail(e, ERR_INVALID, "the worker was started without a key");
    struct frame_out f = frame_begin(&w->out, FRAME_SNAPSHOT);
    return finish(w, &f, e);
}

int worker_turn(struct worker *w, const struct label *literals,
                const struct label *errors, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_TURN);
    frame_label(&f, literals);
    frame_label(&f, errors);
    return finish(w, &f, e);
}

int worker_literals(struct worker *w, const struct worker_literal *literals,
                    size_t n, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_LITERALS);
    frame_u32(&f, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        frame_str(&f, literals[i].text);
        frame_label(&f, literals[i].label);
    }
    return finish(w, &f, e);
}

/* -- events -------------------------------------------------------------------
 */

static void read_usage(struct frame_in *f, struct worker_event *ev) {
    ev->usage.steps = frame_get_u64(f);
    ev->usage.memory_peak = frame_get_u64(f);
    ev->usage.time_ns = frame_get_u64(f);
    ev->usage.output = frame_get_u64(f);
    ev->usage.calls = frame_get_u32(f);
    ev->exit_status = (int)frame_get_u32(f);
    ev->exited = frame_get_u8(f) != 0;
    ev->printed = frame_get_str(f);
    ev->draws = frame_get_str(f);
}

static void read_call(struct frame_in *f, struct worker_event *ev) {
    ev->id = frame_get_u64(f);
    ev->name = frame_get_str(f);
    bool good = frame_get_u8(f) != 0;
    str args = frame_get_str(f);
    if (good)
        ev->args = args;
    else
        ev->error = args; /* they have no JSON: answer with an error */
    ev->labels = frame_get_str(f);
}

static void read_wait(struct worker *w, struct frame_in *f,
                      struct worker_event *ev) {
    ev->nids = frame_get_u32(f);
    if (ev->nids > IDS_MAX) f->bad = true;
    for (size_t i = 0; i < ev->nids && !f->bad; i++)
        w->ids[i] = frame_get_u64(f);
    ev->ids = w->ids;
}

static void read_end(struct frame_in *f, struct worker_event *ev) {
    bool has_json = frame_get_u8(f) != 0;
    str json = frame_get_str(f);
    ev->traceback = frame_get_str(f);
    ev->error = frame_get_str(f);
    ev->repr = frame_get_str(f);
    ev->label = frame_get_str(f);
    ev->text = ev->kind == WORKER_DONE ? json : ev->traceback;
    if (ev->kind == WORKER_DONE && !has_json) ev->text = (str){NULL, 0};
}

static void read_stop(struct worker *w, struct frame_in *f,
                      struct worker_event *ev) {
    ev->kind = (enum worker_event_kind)frame_get_u8(f);
    read_usage(f, ev);
    switch (ev->kind) {
    case WORKER_CALL: read_call(f, ev); break;
    case WORKER_WAIT: read_wait(w, f, ev); break;
    case WORKER_DONE:
    case WORKER_RAISED:
    case WORKER_LIMIT:
    case WORKER_FAILED: read_end(f, ev); break;
    case WORKER_PAUSED: break;
    case WORKER_OUTPUT:
    case WORKER_READY:
    case WORKER_CHECKED:
    case WORKER_SNAPSHOT:
    case WORKER_GONE: f->bad = true; break;
    }
}

static void read_ready(struct frame_in *f, struct worker_event *ev) {
    bool done = frame_get_u8(f) != 0;
    ev->kind = done ? WORKER_READY : WORKER_FAILED;
    ev->text = ev->error = frame_get_str(f);
}

static int read_checked(struct worker *w, struct frame_in *f,
                        struct worker_event *ev, struct err *e) {
    ev->text = frame_get_str(f);
    size_t n = frame_get_u32(f);
    if (n > f->rest.n / 4) f->bad = true;
    if (f->bad) return 0;
    mem_free(w->literals);
    w->literals = mem_zalloc(n + 1, sizeof *w->literals, e);
    if (!w->literals) return -1;
    for (size_t i = 0; i < n; i++)
        w->literals[i] = frame_get_str(f);
    ev->literals = w->literals;
    ev->nliterals = n;
    return 0;
}

static void read_saved(struct worker *w, struct frame_in *f,
                       struct worker_event *ev) {
    bool done = frame_get_u8(f) != 0;
    ev->text = frame_get_str(f);
    ev->origins = frame_get_str(f);
    ev->kind = done ? WORKER_SNAPSHOT : WORKER_FAILED;
    ev->error = done ? STR("") : ev->text;
    if (!w->sealing) f->bad = true;
}

int worker_seal(const struct worker *w, str bytes, struct buf *out,
                struct err *e) {
    if (!w->sealing)
        return fail(e, ERR_UNSUPPORTED, "this worker has no key of snapshots");
    return buf_add_str(out, bytes, e) || w->sealing->seal(out, w->key, e) ? -1
                                                                          : 0;
}

static int read_event(struct worker *w, struct frame_in *f,
                      struct worker_event *ev, struct err *e) {
    switch (f->type) {
    case FRAME_OUTPUT:
        ev->kind = WORKER_OUTPUT;
        ev->stream = frame_get_u8(f) ? CORDON_STDERR : CORDON_STDOUT;
        ev->text = frame_get_str(f);
        return 0;
    case FRAME_STOP: read_stop(w, f, ev); return 0;
    case FRAME_CHECKED:
        ev->kind = WORKER_CHECKED;
        return read_checked(w, f, ev, e);
    case FRAME_SAVED: read_saved(w, f, ev); return 0;
    case FRAME_REPLY: read_ready(f, ev); return 0;
    case FRAME_SETUP:
    case FRAME_SET:
    case FRAME_CHECK:
    case FRAME_TURN:
    case FRAME_LITERALS:
    case FRAME_RUN:
    case FRAME_ANSWER:
    case FRAME_ANSWER_ERROR:
    case FRAME_LATER:
    case FRAME_RESOLVE:
    case FRAME_RESOLVE_ERROR:
    case FRAME_CONTINUE:
    case FRAME_SNAPSHOT:
    case FRAME_COUNT: f->bad = true;
    }
    return 0;
}

int worker_next(struct worker *w, int timeout_ms, struct worker_event *ev,
                struct err *e) {
    struct frame_in f;
    *ev = (struct worker_event){.kind = WORKER_GONE};
    int n = next_frame(w, timeout_ms, &f, e);
    if (n < 0 && w->gone) {
        ev->text = str_of(w->how);
        return 1;
    }
    if (n != 1) return n;
    if (read_event(w, &f, ev, e)) return -1;
    if (!f.bad) return 1;
    bury(w);
    return fail(e, ERR_PEER, "the worker broke its protocol");
}

/* -- labels -------------------------------------------------------------------
 */

static int read_bad(struct err *e) {
    return fail(e, ERR_PEER, "the worker broke its protocol");
}

int worker_read_labels(str bytes, struct arena *a, const struct labels **out,
                       struct err *e) {
    static const struct labels none = {0};
    struct frame_in f = {0};
    const struct labels *labels;
    if (arena_dup(a, bytes, &f.rest, e) || frame_get_labels(&f, a, &labels, e))
        return -1;
    if (f.bad) return read_bad(e);
    *out = labels ? labels : &none;
    return 0;
}

int worker_read_label(str bytes, struct arena *a, struct label *out,
                      struct err *e) {
    struct frame_in f = {0};
    struct label label = {0};
    if (bytes.n == 0) return *out = label, 0; /* labels are off */
    if (arena_dup(a, bytes, &f.rest, e) || frame_get_label(&f, a, &label, e))
        return -1;
    if (f.bad) return read_bad(e);
    *out = label;
    return 0;
}
