/* SPDX-License-Identifier: MIT
 *
 * worker -- the parent's side of a locked process.
 */
#include "runs/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "runs/frame.h"
#include "runs/worker_child.h"

#define IDS_MAX 256

struct worker {
    int fd;
    pid_t pid;
    bool gone;       /* it was waited for */
    bool seals;      /* a snapshot was asked for */
    uint8_t key[32]; /* of snapshots */
    const struct worker_sealing *sealing;
    struct buf in; /* bytes that were read; the frame in use is first */
    size_t used;   /* length of that frame */
    struct buf out, sealed;
    uint64_t ids[IDS_MAX];
    char how[96]; /* how the process ended */
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
    w->pid = fork();
    if (w->pid == 0) {
        close(pair[0]);
        worker_child(pair[1]);
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
    else
        snprintf(w->how, sizeof w->how, "the worker ended with status %d",
                 WEXITSTATUS(status));
}

static void bury(struct worker *w) {
    int status;
    if (w->gone || w->pid <= 0) return;
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    w->gone = true;
}

/* It closed its end: it is gone, or will be at once. */
static void mourn(struct worker *w) {
    int status = 0;
    if (w->gone) return;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    w->gone = true;
    say_how(w, status);
}

void worker_free(struct worker *w) {
    if (!w) return;
    bury(w);
    if (w->fd >= 0) close(w->fd);
    buf_fini(&w->in);
    buf_fini(&w->out);
    buf_fini(&w->sealed);
    mem_wipe(w->key, sizeof w->key);
    mem_free(w);
}

int worker_fd(const struct worker *w) {
    return w->fd;
}

pid_t worker_pid(const struct worker *w) {
    return w->pid;
}

void worker_cancel(struct worker *w) {
    if (!w->gone) kill(w->pid, SIGUSR1);
}

/* -- sending ------------------------------------------------------------------
 */

static int send_all(struct worker *w, struct err *e) {
    size_t at = 0;
    while (at < w->out.len) {
        ssize_t n =
            send(w->fd, w->out.data + at, w->out.len - at, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        at += (size_t)n;
    }
    bool all = at == w->out.len;
    buf_truncate(&w->out, 0);
    return all ? 0 : fail(e, ERR_PEER, "the worker is gone");
}

static int finish(struct worker *w, struct frame_out *f, struct err *e) {
    return frame_end(f, e) ? -1 : send_all(w, e);
}

/* -- receiving ----------------------------------------------------------------
 */

/* More bytes: 1, 0: time is up, -1: the end. */
static int more(struct worker *w, int timeout_ms, struct err *e) {
    struct pollfd p = {.fd = w->fd, .events = POLLIN};
    char *room = buf_reserve(&w->in, 65536, e);
    if (!room) return -1;
    for (;;) {
        ssize_t n = recv(w->fd, room, 65536, timeout_ms < 0 ? 0 : MSG_DONTWAIT);
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
        int ready = poll(&p, 1, timeout_ms);
        if (ready == 0) return 0;
        if (ready < 0 && errno != EINTR) return fail_sys(e, "poll");
    }
}

/* The next frame; the one before is forgotten. */
static int next_frame(struct worker *w, int timeout_ms, struct frame_in *f,
                      struct err *e) {
    buf_consume(&w->in, w->used);
    w->used = 0;
    for (;;) {
        int n = frame_first(buf_str(&w->in), f, &w->used, e);
        if (n != 0) return n;
        if ((n = more(w, timeout_ms, e)) != 1) return n;
    }
}

/* Waits for the answer to what was just sent. */
static int reply_to(struct worker *w, str *out, struct err *e) {
    struct frame_in f;
    if (next_frame(w, -1, &f, e) != 1) return -1;
    bool done = frame_get_u8(&f) != 0;
    str text = frame_get_str(&f);
    if (f.type != FRAME_REPLY || f.bad) {
        bury(w);
        return fail(e, ERR_PEER, "the worker broke its protocol");
    }
    if (!done) return fail(e, ERR_INVALID, "%.*s", STR_ARG(text));
    if (out) *out = text;
    return 0;
}

static int ask(struct worker *w, struct frame_out *f, str *out, struct err *e) {
    return finish(w, f, e) ? -1 : reply_to(w, out, e);
}

/* -- life ---------------------------------------------------------------------
 */

static int set_up(struct worker *w, const struct worker_options *o,
                  struct err *e) {
    uint64_t seed[2];
    if (hash_random(seed, sizeof seed, e)) return -1;
    struct frame_out f = frame_begin(&w->out, FRAME_SETUP);
    frame_bytes(&f, &o->limits, sizeof o->limits);
    frame_u8(&f, (uint8_t)o->labels);
    frame_u8(&f, o->at_once);
    frame_bytes(&f, seed, sizeof seed);
    frame_u32(&f, (uint32_t)o->nfunctions);
    for (size_t i = 0; i < o->nfunctions; i++) {
        frame_str(&f, str_of(o->functions[i].name));
        frame_u32(&f, o->functions[i].flags);
    }
    frame_str(&f, o->snapshot.p ? o->snapshot : STR(""));
    return ask(w, &f, NULL, e);
}

int worker_start(const struct worker_options *o, struct worker **out,
                 struct err *e) {
    if (o->snapshot.p && (!o->key || !o->sealing))
        return fail(e, ERR_INVALID, "a snapshot needs its key");
    if (o->snapshot.p && o->sealing->open(o->snapshot, o->key, e)) return -1;
    struct worker *w = mem_zalloc(1, sizeof *w, e);
    if (!w) return -1;
    w->fd = -1;
    w->in = BUF_MAX(FRAME_MAX + 65536);
    w->out = w->sealed = BUF_MAX(FRAME_MAX);
    if (o->key && o->sealing) {
        memcpy(w->key, o->key, sizeof w->key);
        w->sealing = o->sealing;
    }
    warm_up();
    if (spawn(w, e) || set_up(w, o, e)) {
        worker_free(w);
        return -1;
    }
    *out = w;
    return 0;
}

/* -- requests -----------------------------------------------------------------
 */

int worker_set(struct worker *w, const char *name, str json, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_SET);
    frame_str(&f, str_of(name));
    frame_str(&f, json);
    return ask(w, &f, NULL, e);
}

int worker_run(struct worker *w, str code, const char *filename,
               struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_RUN);
    frame_str(&f, str_of(filename ? filename : ""));
    frame_str(&f, code);
    return finish(w, &f, e);
}

int worker_answer(struct worker *w, str json, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_ANSWER);
    frame_str(&f, json);
    return finish(w, &f, e);
}

int worker_answer_error(struct worker *w, const char *type, const char *message,
                        struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_ANSWER_ERROR);
    frame_str(&f, str_of(type ? type : ""));
    frame_str(&f, str_of(message));
    return finish(w, &f, e);
}

int worker_later(struct worker *w, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_LATER);
    return finish(w, &f, e);
}

int worker_resolve(struct worker *w, uint64_t id, str json, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_RESOLVE);
    frame_u64(&f, id);
    frame_str(&f, json);
    return ask(w, &f, NULL, e);
}

int worker_resolve_error(struct worker *w, uint64_t id, const char *type,
                         const char *message, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_RESOLVE_ERROR);
    frame_u64(&f, id);
    frame_str(&f, str_of(type ? type : ""));
    frame_str(&f, str_of(message));
    return ask(w, &f, NULL, e);
}

int worker_continue(struct worker *w, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_CONTINUE);
    return finish(w, &f, e);
}

int worker_snapshot(struct worker *w, struct err *e) {
    if (!w->sealing)
        return fail(e, ERR_INVALID, "the worker was started without a key");
    struct frame_out f = frame_begin(&w->out, FRAME_SNAPSHOT);
    w->seals = true;
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
    ev->output_label = (cordon_label_id)frame_get_u32(f);
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
    ev->label = (cordon_label_id)frame_get_u32(f);
    ev->control = (cordon_label_id)frame_get_u32(f);
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
    ev->label = (cordon_label_id)frame_get_u32(f);
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
    case WORKER_OUTPUT:
    case WORKER_SNAPSHOT:
    case WORKER_GONE: f->bad = true; break;
    }
}

/* The bytes are the worker's; that they are, and are whole, is sealed here. */
static int read_snapshot(struct worker *w, struct frame_in *f,
                         struct worker_event *ev, struct err *e) {
    bool done = frame_get_u8(f) != 0;
    str text = frame_get_str(f);
    w->seals = false;
    ev->kind = done ? WORKER_SNAPSHOT : WORKER_FAILED;
    ev->text = ev->error = text;
    if (!done || f->bad) return 0;
    buf_truncate(&w->sealed, 0);
    if (buf_add_str(&w->sealed, text, e) ||
        w->sealing->seal(&w->sealed, w->key, e))
        return -1;
    ev->text = buf_str(&w->sealed);
    ev->error = STR("");
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
    if (f.type == FRAME_OUTPUT) {
        ev->kind = WORKER_OUTPUT;
        ev->text = frame_get_str(&f);
    } else if (f.type == FRAME_STOP) {
        read_stop(w, &f, ev);
    } else if (f.type == FRAME_REPLY && w->seals) {
        if (read_snapshot(w, &f, ev, e)) return -1;
    } else {
        f.bad = true;
    }
    if (!f.bad) return 1;
    bury(w);
    return fail(e, ERR_PEER, "the worker broke its protocol");
}

/* -- labels -------------------------------------------------------------------
 */

int worker_label(struct worker *w, const struct cordon_label *label,
                 cordon_label_id *out, struct err *e) {
    str text;
    uint32_t id;
    struct frame_out f = frame_begin(&w->out, FRAME_LABEL);
    frame_bytes(&f, label, sizeof *label);
    if (ask(w, &f, &text, e)) return -1;
    if (text.n != sizeof id)
        return fail(e, ERR_PEER, "the worker broke its protocol");
    memcpy(&id, text.p, sizeof id);
    *out = (cordon_label_id)id;
    return 0;
}

int worker_label_read(struct worker *w, cordon_label_id id,
                      struct cordon_label *out, struct err *e) {
    str text;
    struct frame_out f = frame_begin(&w->out, FRAME_LABEL_READ);
    frame_u32(&f, id);
    if (ask(w, &f, &text, e)) return -1;
    if (text.n != sizeof *out)
        return fail(e, ERR_PEER, "the worker broke its protocol");
    memcpy(out, text.p, sizeof *out);
    return 0;
}

int worker_label_rules(struct worker *w, const struct worker_label_rule *rules,
                       size_t n, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_RULES);
    frame_u32(&f, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        frame_str(&f, str_of(rules[i].path));
        frame_u32(&f, rules[i].label);
        frame_u8(&f, rules[i].structure);
    }
    return finish(w, &f, e);
}

int worker_label_errors(struct worker *w, cordon_label_id id, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_LABEL_ERRORS);
    frame_u32(&f, id);
    return finish(w, &f, e);
}

int worker_label_literals(struct worker *w, cordon_label_id id,
                          const str *trusted, size_t n, struct err *e) {
    struct frame_out f = frame_begin(&w->out, FRAME_LITERALS);
    frame_u32(&f, id);
    frame_u32(&f, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        frame_str(&f, trusted[i]);
    return finish(w, &f, e);
}
