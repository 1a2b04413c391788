/* SPDX-License-Identifier: MIT
 *
 * worker_child -- what a worker does: it reads a frame, lets the interpreter
 * act on it, writes what came of it, and knows nothing else.
 */
#include "runs/worker_child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "runs/frame.h"
#include "runs/worker.h"
#include "runs/worker_label.h"
#include "runs/worker_order.h"
#include "sandbox/worker.h"
#include "stdlib/program.h"
#include "vm/dict.h"
#include "vm/load.h"
#include "vm/session.h"
#include "vm/text.h"
#include "json/write.h"

#define PIECE 16384 /* bytes of printed text that make a frame */

struct child {
    int fd;
    cordon_session *s;
    bool at_once;
    bool display;    /* results are printed and bound to _ */
    bool no_result;  /* they are not told */
    bool displaying; /* the program that runs is the one that prints */
    struct buf in, out, printed;
    enum cordon_stream stream;    /* of what is in printed */
    struct worker_labels *labels; /* NULL: they are off */
    struct worker_order order;
};

/* -- sending ------------------------------------------------------------------
 */

/* There is nobody to tell and nothing to save. */
__attribute__((noreturn)) static void leave(int status) {
    _exit(status);
}

static void send_out(struct child *c) {
    struct err e;
    if (fd_write_all(c->fd, buf_str(&c->out), &e)) leave(1);
    buf_truncate(&c->out, 0);
}

static void flush_printed(struct child *c) {
    struct err e;
    if (!c->printed.len) return;
    struct frame_out f = frame_begin(&c->out, FRAME_OUTPUT);
    frame_u8(&f, (uint8_t)c->stream);
    frame_str(&f, buf_str(&c->printed));
    if (frame_end(&f, &e)) leave(1);
    buf_truncate(&c->printed, 0);
    if (c->out.len > PIECE || c->at_once) send_out(c);
}

static void on_print(void *user, enum cordon_stream stream, const char *text,
                     size_t len) {
    struct child *c = user;
    struct err e;
    if (stream != c->stream) flush_printed(c);
    c->stream = stream;
    if (buf_add(&c->printed, text, len, &e)) leave(1);
    if (c->at_once || c->printed.len > PIECE) flush_printed(c);
}

static void reply(struct child *c, bool done, str text) {
    struct err e;
    struct frame_out f = frame_begin(&c->out, FRAME_REPLY);
    frame_u8(&f, done);
    frame_str(&f, text);
    if (frame_end(&f, &e)) leave(1);
    send_out(c);
}

/* -- stops --------------------------------------------------------------------
 */

static void put_call(struct child *c, struct frame_out *f) {
    AUTO_BUF struct buf labels = BUF_MAX(FRAME_MAX);
    struct frame_out l = {.to = &labels};
    struct err e;
    frame_u64(f, cordon_call_id(c->s));
    frame_str(f, str_of(cordon_call_name(c->s)));
    const char *args = cordon_call_args_json(c->s);
    frame_u8(f, args != NULL);
    frame_str(f, str_of(args ? args : cordon_error(c->s)));
    if (c->labels && (worker_labels_put_call(c->labels, &l, &e) || l.bad))
        leave(1); /* a place without its label would be trusted */
    frame_str(f, buf_str(&labels));
}

static void put_label(struct child *c, cordon_label_id id,
                      struct frame_out *f) {
    AUTO_BUF struct buf label = BUF_MAX(FRAME_MAX);
    struct frame_out l = {.to = &label};
    struct err e;
    if (c->labels && (worker_labels_put(c->labels, id, &l, &e) || l.bad))
        leave(1);
    frame_str(f, buf_str(&label));
}

static void put_wait(struct child *c, struct frame_out *f) {
    uint64_t ids[256];
    size_t n = cordon_waiting(c->s, ids, 256);
    if (n > 256) n = 256; /* the first of them will do */
    frame_u32(f, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        frame_u64(f, ids[i]);
}

static void put_end(struct child *c, struct frame_out *f,
                    enum cordon_status st) {
    AUTO_BUF struct buf trace = BUF_MAX(FRAME_MAX);
    struct err e;
    /* The result's text takes the traceback's place: copy that first. */
    if (buf_add_text(&trace, cordon_traceback(c->s), &e)) leave(1);
    bool told = st == CORDON_DONE && !c->no_result;
    const char *json = told ? cordon_result_json(c->s) : NULL;
    frame_u8(f, json != NULL);
    frame_str(f, json ? str_of(json) : STR(""));
    frame_str(f, buf_str(&trace));
    frame_str(f,
              st == CORDON_DONE && json ? STR("") : str_of(cordon_error(c->s)));
    const char *repr = told && !json ? cordon_result_repr(c->s) : NULL;
    frame_str(f, repr ? str_of(repr) : STR(""));
    put_label(c,
              st == CORDON_DONE ? cordon_result_label(c->s)
                                : cordon_traceback_label(c->s),
              f);
}

/* What was drawn since the last stop. */
static void put_draws(struct child *c, struct frame_out *f) {
    struct history *j = &c->s->journal;
    if (j->failed) leave(1); /* it has a gap */
    frame_str(f, buf_str(&j->out));
    buf_truncate(&j->out, 0);
}

static void put_usage(struct child *c, struct frame_out *f) {
    struct cordon_usage u;
    cordon_usage(c->s, &u);
    frame_u64(f, u.steps);
    frame_u64(f, u.memory_peak);
    frame_u64(f, u.time_ns);
    frame_u64(f, u.output);
    frame_u32(f, u.calls);
    frame_u32(f, (uint32_t)cordon_exit_status(c->s));
    frame_u8(f, cordon_exited(c->s) != 0);
    put_label(c, cordon_output_label(c->s), f);
    put_draws(c, f);
}

static enum worker_event_kind kind_of(enum cordon_status st) {
    switch (st) {
    case CORDON_FAILED: return WORKER_FAILED;
    case CORDON_DONE: return WORKER_DONE;
    case CORDON_RAISED: return WORKER_RAISED;
    case CORDON_CALL: return WORKER_CALL;
    case CORDON_LIMIT: return WORKER_LIMIT;
    case CORDON_WAIT: return WORKER_WAIT;
    case CORDON_PAUSED: return WORKER_PAUSED;
    }
    return WORKER_FAILED;
}

/* What an expression gave is shown by a program of its own: its class may have
 * a __repr__ that does anything. */
static enum cordon_status displayed(struct child *c, enum cordon_status st) {
    static const char code[] = "print(repr(_))";
    if (!c->display || st != CORDON_DONE || c->displaying ||
        cordon_keep_result(c->s, "_") != 1)
        return st;
    c->displaying = true;
    return cordon_run_file(c->s, code, sizeof code - 1, "<display>");
}

static void stop(struct child *c, enum cordon_status st) {
    struct err e;
    st = displayed(c, order_follow(&c->order, st));
    if (st != CORDON_PAUSED) order_stopped(&c->order);
    if (st != CORDON_CALL && st != CORDON_WAIT && st != CORDON_PAUSED)
        c->displaying = false;
    flush_printed(c);
    struct frame_out f = frame_begin(&c->out, FRAME_STOP);
    frame_u8(&f, (uint8_t)kind_of(st));
    put_usage(c, &f);
    if (st == CORDON_CALL)
        put_call(c, &f);
    else if (st == CORDON_WAIT)
        put_wait(c, &f);
    else if (st != CORDON_PAUSED)
        put_end(c, &f, st);
    if (frame_end(&f, &e)) {
        /* Too long for a message: the run fails, the session stays. */
        f = frame_begin(&c->out, FRAME_STOP);
        frame_u8(&f, WORKER_FAILED);
        put_usage(c, &f);
        frame_u8(&f, 0);
        frame_str(&f, STR(""));
        frame_str(&f, STR(""));
        frame_str(&f, str_of(e.text));
        frame_str(&f, STR(""));
        frame_str(&f, STR(""));
        if (frame_end(&f, &e)) leave(1);
    }
    send_out(c);
}

/* -- checking -----------------------------------------------------------------
 */

#define CHECK_BYTES ((size_t)256 << 20)

static int read_functions(struct frame_in *f, struct arena *a,
                          struct program_host *host, struct err *e) {
    size_t n = frame_get_u32(f);
    if (n > f->rest.n / 9) f->bad = true;
    if (f->bad) return 0;
    struct check_function *all = arena_zalloc(a, n + 1, sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < n && !f->bad; i++) {
        all[i].space = frame_get_str(f);
        all[i].name = frame_get_str(f);
        all[i].open = frame_get_u8(f) != 0;
        all[i].count = frame_get_u32(f);
        if (all[i].count > f->rest.n / 9) f->bad = true;
        if (f->bad) return 0;
        struct check_param *params =
            arena_zalloc(a, all[i].count + 1, sizeof *params, e);
        if (!params) return -1;
        for (size_t k = 0; k < all[i].count; k++) {
            params[k].name = frame_get_str(f);
            params[k].types = frame_get_u32(f);
            params[k].required = frame_get_u8(f) != 0;
        }
        all[i].params = params;
    }
    host->functions = all;
    host->nfunctions = n;
    return 0;
}

/* Names that earlier programs of the session left behind. */
static int session_names(struct child *c, struct arena *a,
                         struct program_host *host, struct err *e) {
    struct vm *vm = &c->s->vm;
    val module = vm_root(vm)->module, key, slot;
    struct omodule *m = heap_at(&vm->heap, module);
    size_t n = 0, room = ((struct odict *)heap_at(&vm->heap, m->names))->len;
    const char **names = arena_zalloc(a, room + 1, sizeof *names, e);
    if (!names) return -1;
    for (uint64_t i = 0;
         n < room && dict_next(vm, m->names, &i, &key, &slot);) {
        str name = text_get(vm, key);
        if (!module_get(vm, module, name)) continue;
        if (!(names[n++] = arena_text(a, name, e))) return -1;
    }
    host->signatures = names;
    host->nsignatures = n;
    return 0;
}

static int write_findings(str code, const struct finding *found,
                          struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_array(&w);
    for (; found; found = found->next) {
        struct place at = place_of(code, found->start);
        jw_object(&w);
        jw_put_int(&w, "line", at.line);
        jw_put_int(&w, "column", at.column + 1);
        jw_put_text(&w, "message", str_of(found->text));
        jw_put_text(&w, "text", str_trim(place_line(code, at.line)));
        jw_end_object(&w);
    }
    jw_end_array(&w);
    return jw_done(&w, e);
}

struct literals {
    struct buf texts;
    uint32_t n;
    bool bad;
};

static void add_literal(void *user, str text) {
    struct literals *l = user;
    struct frame_out f = {.to = &l->texts};
    frame_str(&f, text);
    l->bad |= f.bad;
    l->n++;
}

static void on_check(struct child *c, struct frame_in *f) {
    AUTO_ARENA struct arena a = ARENA_MAX(CHECK_BYTES);
    AUTO_BUF struct buf findings = BUF_MAX(FRAME_MAX);
    struct literals literals = {.texts = BUF_MAX(FRAME_MAX)};
    struct program_host host = {0};
    struct finding *found = NULL;
    struct err e;
    str code = frame_get_str(f);
    if (read_functions(f, &a, &host, &e) || f->bad ||
        session_names(c, &a, &host, &e) ||
        program_check(code, &host, &a, &found, &e) ||
        write_findings(code, found, &findings, &e))
        leave(1);
    if (!found && c->labels &&
        load_literals(code, &a, add_literal, &literals, &e))
        leave(1);
    if (literals.bad) leave(1);
    struct frame_out out = frame_begin(&c->out, FRAME_CHECKED);
    frame_str(&out, buf_str(&findings));
    frame_u32(&out, literals.n);
    frame_bytes(&out, literals.texts.data, literals.texts.len);
    if (frame_end(&out, &e)) leave(1);
    buf_fini(&literals.texts);
    send_out(c);
}

/* -- requests -----------------------------------------------------------------
 */

/* A counted text with a NUL behind it; freed by the caller. */
static char *copy_of(str s) {
    struct err e;
    char *copy = mem_dup(s.p, s.n, &e);
    if (!copy) leave(1);
    return copy;
}

static bool read_functions_of(cordon_options *o, struct frame_in *f) {
    uint32_t n = frame_get_u32(f);
    bool good = true;
    for (uint32_t i = 0; i < n && !f->bad; i++) {
        char *name = copy_of(frame_get_str(f));
        good = !cordon_options_function(o, name, frame_get_u32(f)) && good;
        mem_free(name);
    }
    return good;
}

/* The rest of the frame is a value and its labels. One that cannot be read is
 * an error where it is used. */
static void resolve(struct child *c, uint64_t id, struct frame_in *f) {
    struct err e;
    str json = frame_get_str(f);
    if (c->labels ? worker_labels_resolve(c->labels, id, json, f, &e)
                  : cordon_resolve_json(c->s, id, json.p, json.n))
        (void)cordon_resolve_error(c->s, id, "ValueError", cordon_error(c->s));
}

static void reject(struct child *c, uint64_t id, struct frame_in *f) {
    char *type = copy_of(frame_get_str(f));
    char *message = copy_of(frame_get_str(f));
    (void)cordon_resolve_error(c->s, id, type[0] ? type : NULL, message);
    mem_free(type);
    mem_free(message);
}

static void settle(void *data, uint64_t id, struct frame_in *f) {
    if (f->type == FRAME_ANSWER)
        resolve(data, id, f);
    else
        reject(data, id, f);
    if (f->bad) leave(1);
}

static enum cordon_status answer(struct child *c, struct frame_in *f) {
    struct err e;
    str json = frame_get_str(f);
    return c->labels ? worker_labels_answer(c->labels, json, f, &e)
                     : cordon_resume_json(c->s, json.p, json.n);
}

static enum cordon_status answer_error(struct child *c, struct frame_in *f) {
    char *type = copy_of(frame_get_str(f));
    char *message = copy_of(frame_get_str(f));
    enum cordon_status st =
        cordon_resume_error(c->s, type[0] ? type : NULL, message);
    mem_free(type);
    mem_free(message);
    return st;
}

static void on_answer(struct child *c, struct frame_in *f) {
    struct err e;
    int later = order_defers(&c->order, f, &e);
    if (later < 0) leave(1);
    stop(c, later                     ? cordon_resume_pending(c->s)
            : f->type == FRAME_ANSWER ? answer(c, f)
                                      : answer_error(c, f));
}

static void on_later(struct child *c) {
    order_later(&c->order);
    stop(c, cordon_resume_pending(c->s));
}

static void on_value(struct child *c, struct frame_in *f) {
    uint64_t id = frame_get_u64(f);
    order_came(&c->order, id);
    if (f->type == FRAME_RESOLVE)
        resolve(c, id, f);
    else
        reject(c, id, f);
}

static void on_continue(struct child *c) {
    if (c->s->status == CORDON_WAIT) order_went_on(&c->order);
    stop(c, cordon_continue(c->s));
}

/* The session as it was; a stop follows. */
static void go_on_with(struct child *c, str state) {
    struct err e;
    if (session_load(c->s, state, &e)) {
        reply(c, false, str_of(e.text));
        return;
    }
    reply(c, true, STR(""));
    stop(c, c->s->status);
}

static void on_setup(struct child *c, struct frame_in *f) {
    struct cordon_limits limits;
    uint64_t seed[2];
    struct err e;
    const char *why = "";
    cordon_options *o = cordon_options_new();
    if (c->s || !o) leave(1);
    frame_get_bytes(f, &limits, sizeof limits);
    cordon_options_limits(o, &limits);
    enum cordon_labels labels = (enum cordon_labels)frame_get_u8(f);
    cordon_options_labels(o, labels);
    c->at_once = frame_get_u8(f) != 0;
    c->display = frame_get_u8(f) != 0;
    c->no_result = frame_get_u8(f) != 0;
    cordon_options_record(o, frame_get_u8(f));
    seed[0] = frame_get_u64(f);
    seed[1] = frame_get_u64(f);
    if (!read_functions_of(o, f)) {
        reply(c, false, STR("the name of a function cannot be used"));
        return;
    }
    str draws = frame_get_str(f), state = frame_get_str(f);
    str origins = frame_get_str(f);
    if (f->bad) leave(1);
    if (draws.n && cordon_options_replay(o, draws.p, draws.n)) leave(1);
    cordon_options_print(o, on_print, c);
    c->s = cordon_session_new(o, &why);
    cordon_options_free(o);
    if (!c->s) {
        reply(c, false, str_of(why));
        return;
    }
    c->s->journal.draws = true;
    c->order = (struct worker_order){.s = c->s, .settle = settle, .data = c};
    struct root *root = vm_root(&c->s->vm);
    memcpy(root->seed, seed, sizeof seed);
    root->seeded = 1;
    if (labels && !(c->labels = worker_labels_new(c->s, origins, &e))) {
        reply(c, false, str_of(e.text));
        return;
    }
    if (state.n)
        go_on_with(c, state);
    else
        reply(c, true, STR(""));
}

static void on_set(struct child *c, struct frame_in *f) {
    struct err e = {0};
    char *name = copy_of(frame_get_str(f));
    str json = frame_get_str(f);
    int bad = c->labels ? worker_labels_set(c->labels, name, json, f, &e)
                        : cordon_set_json(c->s, name, json.p, json.n);
    mem_free(name);
    reply(c, !bad, bad ? str_of(cordon_error(c->s)) : STR(""));
}

static void on_run(struct child *c, struct frame_in *f) {
    char *name = copy_of(frame_get_str(f));
    str code = frame_get_str(f);
    enum cordon_status st =
        cordon_run_file(c->s, code.p, code.n, name[0] ? name : NULL);
    mem_free(name);
    stop(c, st);
}

static void on_snapshot(struct child *c) {
    AUTO_BUF struct buf bytes = BUF_MAX(FRAME_MAX - 64);
    AUTO_BUF struct buf origins = BUF_MAX(FRAME_MAX - 64);
    struct err e;
    bool done = session_save(c->s, &bytes, &e) == 0 &&
                (!c->labels || !worker_labels_save(c->labels, &origins, &e));
    struct frame_out f = frame_begin(&c->out, FRAME_SAVED);
    frame_u8(&f, done);
    frame_str(&f, done ? buf_str(&bytes) : str_of(e.text));
    frame_str(&f, buf_str(&origins));
    if (frame_end(&f, &e)) leave(1);
    send_out(c);
}

static void set_labels(struct child *c, struct frame_in *f,
                       int (*set)(struct worker_labels *, struct frame_in *,
                                  struct err *)) {
    struct err e;
    if (c->labels ? set(c->labels, f, &e) : 1) leave(1);
}

static void act(struct child *c, struct frame_in *f) {
    if (!c->s && f->type != FRAME_SETUP) leave(1);
    switch (f->type) {
    case FRAME_SETUP: on_setup(c, f); break;
    case FRAME_SET: on_set(c, f); break;
    case FRAME_CHECK: on_check(c, f); break;
    case FRAME_TURN: set_labels(c, f, worker_labels_turn); break;
    case FRAME_LITERALS: set_labels(c, f, worker_labels_literals); break;
    case FRAME_RUN: on_run(c, f); break;
    case FRAME_ANSWER:
    case FRAME_ANSWER_ERROR: on_answer(c, f); break;
    case FRAME_LATER: on_later(c); break;
    case FRAME_RESOLVE:
    case FRAME_RESOLVE_ERROR: on_value(c, f); break;
    case FRAME_CONTINUE: on_continue(c); break;
    case FRAME_SNAPSHOT: on_snapshot(c); break;
    case FRAME_OUTPUT:
    case FRAME_STOP:
    case FRAME_CHECKED:
    case FRAME_SAVED:
    case FRAME_REPLY:
    case FRAME_COUNT: leave(1);
    }
    if (f->bad) leave(1);
}

/* -- the process --------------------------------------------------------------
 */

/* For the handler alone, which can be given nothing else. */
static cordon_session *volatile running;

static void on_signal(int signal) {
    if (!running) return;
    if (signal == SIGUSR1)
        cordon_cancel(running);
    else
        cordon_pause(running);
}

__attribute__((noreturn)) static void serve(struct child *c) {
    struct err e;
    for (;;) {
        struct frame_in f;
        size_t len;
        int n = frame_first(buf_str(&c->in), &f, &len, &e);
        if (n < 0) leave(1);
        if (n > 0) {
            act(c, &f);
            running = c->s;
            buf_consume(&c->in, len);
            continue;
        }
        char *room = buf_reserve(&c->in, 65536, &e);
        if (!room) leave(1);
        ssize_t got = read(c->fd, room, 65536);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) leave(got < 0);
        buf_commit(&c->in, (size_t)got);
    }
}

/* A program that computes does not notice that nobody will hear of it. */
static void die_with(pid_t parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent) leave(1);
}

void worker_child(int fd, pid_t parent) {
    struct child c = {.fd = fd,
                      .in = BUF_MAX(FRAME_MAX + 65536),
                      .out = BUF_MAX(2 * FRAME_MAX),
                      .printed = BUF_MAX((size_t)64 << 20)};
    struct sigaction act = {.sa_handler = on_signal};
    struct err e;
    sigemptyset(&act.sa_mask);
    sigaction(SIGUSR1, &act, NULL);
    sigaction(SIGUSR2, &act, NULL);
    signal(SIGPIPE, SIG_IGN);
    die_with(parent);
#ifndef __SANITIZE_ADDRESS__ /* which makes system calls of its own */
    if (worker_lock(&fd, 1, WORKER_GROWS, &e)) leave(WORKER_UNLOCKED);
#else
    (void)e;
#endif
    serve(&c);
}
