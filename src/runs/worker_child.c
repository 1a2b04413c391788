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
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "runs/frame.h"
#include "runs/worker.h"
#include "sandbox/worker.h"
#include "vm/session.h"

#define PIECE 16384 /* bytes of printed text that make a frame */

struct rule {
    char *path;
    cordon_label_id label;
    bool structure;
};

struct child {
    int fd;
    cordon_session *s;
    bool at_once;
    struct buf in, out, printed;
    struct rule *rules; /* for the value that comes next */
    size_t nrules;
    char **trusted; /* literals that have no label */
    size_t *trusted_len;
    size_t ntrusted;
    cordon_label_id literal;
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
    frame_str(&f, buf_str(&c->printed));
    if (frame_end(&f, &e)) leave(1);
    buf_truncate(&c->printed, 0);
    if (c->out.len > PIECE || c->at_once) send_out(c);
}

static void on_print(void *user, const char *text, size_t len) {
    struct child *c = user;
    struct err e;
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

struct labelled_places {
    struct child *c;
    struct buf text;
    bool bad;
};

static void put_step(struct labelled_places *p, const struct cordon_step *s) {
    struct err e;
    if (!s->key) {
        p->bad |=
            buf_addf(&p->text, &e, "/%llu", (unsigned long long)s->index) != 0;
        return;
    }
    p->bad |= buf_add_char(&p->text, '/', &e) != 0;
    for (size_t i = 0; i < s->len; i++) {
        char ch = s->key[i];
        if (ch == '~' || ch == '/')
            p->bad |= buf_add_text(&p->text, ch == '~' ? "~0" : "~1", &e) != 0;
        else if (ch == '"' || ch == '\\' || (unsigned char)ch < 0x20)
            p->bad |= buf_addf(&p->text, &e, "\\u%04x", (unsigned char)ch) != 0;
        else
            p->bad |= buf_add_char(&p->text, ch, &e) != 0;
    }
}

static void put_place(void *user, const struct cordon_place *place,
                      cordon_label_id label) {
    struct labelled_places *p = user;
    struct err e;
    if (!label) return;
    p->bad |=
        buf_add_text(&p->text, p->text.len > 1 ? ", [\"" : "[\"", &e) != 0;
    for (size_t i = 0; i < place->depth; i++)
        put_step(p, &place->path[i]);
    p->bad |= buf_addf(&p->text, &e, "\", %u]", label) != 0;
}

static void put_labels(struct child *c, struct frame_out *f) {
    struct err e;
    struct labelled_places p = {.c = c, .text = BUF_MAX(FRAME_MAX)};
    p.bad = buf_add_char(&p.text, '[', &e) != 0;
    if (c->s->vm.labels) p.bad |= cordon_call_labels(c->s, put_place, &p) != 0;
    p.bad |= buf_add_char(&p.text, ']', &e) != 0;
    if (p.bad) leave(1); /* a place without its label would be trusted */
    frame_str(f, buf_str(&p.text));
    buf_fini(&p.text);
}

static void put_call(struct child *c, struct frame_out *f) {
    frame_u64(f, cordon_call_id(c->s));
    frame_str(f, str_of(cordon_call_name(c->s)));
    const char *args = cordon_call_args_json(c->s);
    frame_u8(f, args != NULL);
    frame_str(f, str_of(args ? args : cordon_error(c->s)));
    put_labels(c, f);
    frame_u32(f, cordon_call_label(c->s));
    frame_u32(f, cordon_call_control(c->s));
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
    const char *json = st == CORDON_DONE ? cordon_result_json(c->s) : NULL;
    frame_u8(f, json != NULL);
    frame_str(f, json ? str_of(json) : STR(""));
    frame_str(f, buf_str(&trace));
    frame_str(f,
              st == CORDON_DONE && json ? STR("") : str_of(cordon_error(c->s)));
    frame_u32(f, st == CORDON_DONE ? cordon_result_label(c->s)
                                   : cordon_traceback_label(c->s));
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
    frame_u32(f, cordon_output_label(c->s));
}

static enum worker_event_kind kind_of(enum cordon_status st) {
    switch (st) {
    case CORDON_FAILED: return WORKER_FAILED;
    case CORDON_DONE: return WORKER_DONE;
    case CORDON_RAISED: return WORKER_RAISED;
    case CORDON_CALL: return WORKER_CALL;
    case CORDON_LIMIT: return WORKER_LIMIT;
    case CORDON_WAIT: return WORKER_WAIT;
    }
    return WORKER_FAILED;
}

static void stop(struct child *c, enum cordon_status st) {
    struct err e;
    flush_printed(c);
    struct frame_out f = frame_begin(&c->out, FRAME_STOP);
    frame_u8(&f, (uint8_t)kind_of(st));
    put_usage(c, &f);
    if (st == CORDON_CALL)
        put_call(c, &f);
    else if (st == CORDON_WAIT)
        put_wait(c, &f);
    else
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
        frame_u32(&f, 0);
        if (frame_end(&f, &e)) leave(1);
    }
    send_out(c);
}

/* -- labels -------------------------------------------------------------------
 */

static void drop_rules(struct child *c) {
    for (size_t i = 0; i < c->nrules; i++)
        mem_free(c->rules[i].path);
    mem_free(c->rules);
    c->rules = NULL;
    c->nrules = 0;
}

/* One step of a pointer against one of a place. */
static bool step_fits(str step, const struct cordon_step *s) {
    char number[24];
    if (str_is(step, "*")) return true;
    if (!s->key) {
        int n = snprintf(number, sizeof number, "%llu",
                         (unsigned long long)s->index);
        return str_eq(step, (str){number, (size_t)n});
    }
    size_t k = 0;
    for (size_t i = 0; i < step.n; i++, k++) {
        char ch = step.p[i];
        if (ch == '~' && i + 1 < step.n) ch = step.p[++i] == '1' ? '/' : '~';
        if (k >= s->len || s->key[k] != ch) return false;
    }
    return k == s->len;
}

static bool rule_fits(const struct rule *r, const struct cordon_place *place) {
    bool holds = place->type >= CORDON_JSON_ARRAY;
    if (holds != r->structure) return false;
    str rest = str_of(r->path);
    size_t at = 0;
    if (rest.n && rest.p[0] == '/') rest = str_sub(rest, 1, rest.n);
    if (!rest.n && r->path[0] != '/') return true;
    while (rest.p) {
        str step = str_cut(&rest, '/');
        if (at == place->depth || !step_fits(step, &place->path[at++]))
            return false;
    }
    return true;
}

static cordon_label_id by_rules(void *user, const struct cordon_place *place) {
    struct child *c = user;
    for (size_t i = c->nrules; i > 0; i--)
        if (rule_fits(&c->rules[i - 1], place)) return c->rules[i - 1].label;
    return 0;
}

static cordon_label_id literal_label(void *user, const char *text, size_t len) {
    struct child *c = user;
    for (size_t i = 0; i < c->ntrusted; i++)
        if (c->trusted_len[i] == len && !memcmp(c->trusted[i], text, len))
            return 0;
    return c->literal;
}

static void on_label(struct child *c, struct frame_in *f) {
    struct cordon_label label;
    frame_get_bytes(f, &label, sizeof label);
    int number = f->bad ? -1 : cordon_label_number(c->s, &label);
    uint32_t id = (uint32_t)number;
    reply(c, number >= 0,
          number >= 0 ? (str){(const char *)&id, sizeof id}
                      : str_of(cordon_error(c->s)));
}

static void on_label_read(struct child *c, struct frame_in *f) {
    struct cordon_label label;
    cordon_label_read(c->s, (cordon_label_id)frame_get_u32(f), &label);
    reply(c, true, (str){(const char *)&label, sizeof label});
}

static void on_rules(struct child *c, struct frame_in *f) {
    struct err e;
    uint32_t n = frame_get_u32(f);
    drop_rules(c);
    if (n > f->rest.n) leave(1);
    if (!(c->rules = mem_zalloc(n + 1, sizeof *c->rules, &e))) leave(1);
    for (uint32_t i = 0; i < n && !f->bad; i++) {
        str path = frame_get_str(f);
        if (!(c->rules[i].path = mem_dup(path.p, path.n, &e))) leave(1);
        c->rules[i].label = (cordon_label_id)frame_get_u32(f);
        c->rules[i].structure = frame_get_u8(f) != 0;
        c->nrules = i + 1;
    }
    if (f->bad) leave(1);
}

static void on_literals(struct child *c, struct frame_in *f) {
    struct err e;
    c->literal = (cordon_label_id)frame_get_u32(f);
    uint32_t n = frame_get_u32(f);
    for (size_t i = 0; i < c->ntrusted; i++)
        mem_free(c->trusted[i]);
    mem_free(c->trusted);
    mem_free(c->trusted_len);
    c->ntrusted = 0;
    if (n > f->rest.n) leave(1);
    c->trusted = mem_zalloc(n + 1, sizeof *c->trusted, &e);
    c->trusted_len = mem_zalloc(n + 1, sizeof *c->trusted_len, &e);
    if (!c->trusted || !c->trusted_len) leave(1);
    for (uint32_t i = 0; i < n && !f->bad; i++) {
        str text = frame_get_str(f);
        if (!(c->trusted[i] = mem_dup(text.p, text.n, &e))) leave(1);
        c->trusted_len[i] = text.n;
        c->ntrusted = i + 1;
    }
    if (f->bad) leave(1);
    cordon_label_literals(c->s, c->literal, literal_label, c);
}

/* -- requests -----------------------------------------------------------------
 */

/* A counted text with a NUL behind it; freed by the caller. */
static char *text_of(str s) {
    struct err e;
    char *copy = mem_dup(s.p, s.n, &e);
    if (!copy) leave(1);
    return copy;
}

static void on_setup(struct child *c, struct frame_in *f) {
    struct cordon_limits limits;
    uint64_t seed[2];
    const char *why = "";
    cordon_options *o = cordon_options_new();
    if (c->s || !o) leave(1);
    frame_get_bytes(f, &limits, sizeof limits);
    cordon_options_limits(o, &limits);
    cordon_options_labels(o, (enum cordon_labels)frame_get_u8(f));
    c->at_once = frame_get_u8(f) != 0;
    frame_get_bytes(f, seed, sizeof seed);
    uint32_t n = frame_get_u32(f);
    for (uint32_t i = 0; i < n && !f->bad; i++) {
        char *name = text_of(frame_get_str(f));
        int bad = cordon_options_function(o, name, frame_get_u32(f));
        mem_free(name);
        if (bad) {
            reply(c, false, STR("the name of a function cannot be used"));
            return;
        }
    }
    str state = frame_get_str(f);
    if (f->bad) leave(1);
    cordon_options_print(o, on_print, c);
    c->s = cordon_session_new(o, &why);
    cordon_options_free(o);
    if (!c->s) {
        reply(c, false, str_of(why));
        return;
    }
    struct root *root = vm_root(&c->s->vm);
    memcpy(root->seed, seed, sizeof seed);
    root->seeded = 1;
    struct err e;
    if (state.n && session_load(c->s, state, &e))
        reply(c, false, str_of(e.text));
    else
        reply(c, true, STR(""));
}

static enum cordon_status answer(struct child *c, str json) {
    if (!c->rules) return cordon_resume_json(c->s, json.p, json.n);
    enum cordon_status st =
        cordon_resume_labelled(c->s, json.p, json.n, by_rules, c);
    drop_rules(c);
    return st;
}

static void on_error(struct child *c, struct frame_in *f) {
    char *type = text_of(frame_get_str(f));
    char *message = text_of(frame_get_str(f));
    enum cordon_status st =
        cordon_resume_error(c->s, type[0] ? type : NULL, message);
    mem_free(type);
    mem_free(message);
    stop(c, st);
}

static void on_resolve(struct child *c, struct frame_in *f) {
    uint64_t id = frame_get_u64(f);
    str json = frame_get_str(f);
    int bad = c->rules ? cordon_resolve_labelled(c->s, id, json.p, json.n,
                                                 by_rules, c)
                       : cordon_resolve_json(c->s, id, json.p, json.n);
    drop_rules(c);
    reply(c, !bad, bad ? str_of(cordon_error(c->s)) : STR(""));
}

static void on_reject(struct child *c, struct frame_in *f) {
    uint64_t id = frame_get_u64(f);
    char *type = text_of(frame_get_str(f));
    char *message = text_of(frame_get_str(f));
    int bad = cordon_resolve_error(c->s, id, type[0] ? type : NULL, message);
    mem_free(type);
    mem_free(message);
    reply(c, !bad, bad ? str_of(cordon_error(c->s)) : STR(""));
}

static void on_set(struct child *c, struct frame_in *f) {
    char *name = text_of(frame_get_str(f));
    str json = frame_get_str(f);
    int bad = c->rules
                  ? cordon_set_labelled(c->s, name, json.p, json.n, by_rules, c)
                  : cordon_set_json(c->s, name, json.p, json.n);
    drop_rules(c);
    mem_free(name);
    reply(c, !bad, bad ? str_of(cordon_error(c->s)) : STR(""));
}

static void on_run(struct child *c, struct frame_in *f) {
    char *name = text_of(frame_get_str(f));
    str code = frame_get_str(f);
    enum cordon_status st =
        cordon_run_file(c->s, code.p, code.n, name[0] ? name : NULL);
    mem_free(name);
    stop(c, st);
}

static void on_snapshot(struct child *c) {
    AUTO_BUF struct buf bytes = BUF_MAX(FRAME_MAX - 64);
    struct err e;
    if (session_save(c->s, &bytes, &e))
        reply(c, false, str_of(e.text));
    else
        reply(c, true, buf_str(&bytes));
}

static void act(struct child *c, struct frame_in *f) {
    if (!c->s && f->type != FRAME_SETUP) leave(1);
    switch (f->type) {
    case FRAME_SETUP: on_setup(c, f); break;
    case FRAME_SET: on_set(c, f); break;
    case FRAME_RUN: on_run(c, f); break;
    case FRAME_ANSWER: stop(c, answer(c, frame_get_str(f))); break;
    case FRAME_ANSWER_ERROR: on_error(c, f); break;
    case FRAME_LATER: stop(c, cordon_resume_pending(c->s)); break;
    case FRAME_RESOLVE: on_resolve(c, f); break;
    case FRAME_RESOLVE_ERROR: on_reject(c, f); break;
    case FRAME_CONTINUE: stop(c, cordon_continue(c->s)); break;
    case FRAME_SNAPSHOT: on_snapshot(c); break;
    case FRAME_LABEL: on_label(c, f); break;
    case FRAME_LABEL_READ: on_label_read(c, f); break;
    case FRAME_RULES: on_rules(c, f); break;
    case FRAME_LABEL_ERRORS:
        cordon_label_errors(c->s, (cordon_label_id)frame_get_u32(f));
        break;
    case FRAME_LITERALS: on_literals(c, f); break;
    case FRAME_OUTPUT:
    case FRAME_STOP:
    case FRAME_REPLY:
    case FRAME_COUNT: leave(1);
    }
    if (f->bad) leave(1);
}

/* -- the process --------------------------------------------------------------
 */

/* For the handler alone, which can be given nothing else. */
static cordon_session *volatile running;

static void on_cancel(int signal) {
    (void)signal;
    if (running) cordon_cancel(running);
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

void worker_child(int fd) {
    struct child c = {.fd = fd,
                      .in = BUF_MAX(FRAME_MAX + 65536),
                      .out = BUF_MAX(2 * FRAME_MAX),
                      .printed = BUF_MAX((size_t)64 << 20)};
    struct sigaction cancel = {.sa_handler = on_cancel};
    struct err e;
    sigemptyset(&cancel.sa_mask);
    sigaction(SIGUSR1, &cancel, NULL);
    signal(SIGPIPE, SIG_IGN);
#ifndef __SANITIZE_ADDRESS__ /* which makes system calls of its own */
    if (worker_lock(&fd, 1, WORKER_GROWS, &e)) leave(3);
#else
    (void)e;
#endif
    serve(&c);
}
