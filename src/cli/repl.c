/* SPDX-License-Identifier: MIT */
#include "cli/repl.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "cli/script.h"
#include "lang/parse.h"
#include "runs/worker.h"

#define INPUT_BYTES ((size_t)1 << 20)
#define LINE_BYTES  ((size_t)1 << 20)

/* -- statements --------------------------------------------------------------
 */

/* Only more text can make these right. */
static bool wants_more(const struct fault *f) {
    str text = str_of(f->text);
    return str_ends(text, STR("was never closed")) ||
           str_starts(text, STR("unterminated triple-quoted")) ||
           str_starts(text, STR("unexpected EOF"));
}

static bool is_block(const struct ast *ast) {
    const struct nodes *body = ast->module->as.module.body;
    if (nodes_count(body) == 0) return false;
    switch (body->at[body->count - 1]->kind) {
    case N_FunctionDef:
    case N_AsyncFunctionDef:
    case N_ClassDef:
    case N_For:
    case N_AsyncFor:
    case N_While:
    case N_If:
    case N_With:
    case N_AsyncWith:
    case N_Match:
    case N_Try:
    case N_TryStar: return true;
    default: return false;
    }
}

/* A block may go on until an empty line ends it; so may what is wrong only
 * where the text ends. */
bool repl_complete(str text, bool ended) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct ast ast;
    struct fault fault = {0};
    struct err e;
    uint64_t seed[2];
    hash_process_key(seed);
    if (parse(text, seed, &a, &ast, &fault, &e) == 0)
        return ended || !is_block(&ast);
    if (fault.kind == FAULT_NONE) return true;
    if (wants_more(&fault)) return false;
    bool decorated = str_starts(str_trim(text), STR("@"));
    bool at_end = fault.end + 1 >= text.n;
    bool in_block = memchr(text.p, ':', text.n) || decorated;
    return ended || !at_end || !in_block;
}

/* -- the session --------------------------------------------------------------
 */

struct repl {
    struct worker_options options;
    struct worker *worker;
    struct printer printer;
    const struct repl_source *from;
    struct buf text; /* the statement that is being typed */
    bool leaving;
    int status; /* of exit() */
};

/* For the handler alone, which can be given nothing else. */
static struct worker *volatile running;
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal) {
    (void)signal;
    interrupted = 1;
    if (running) worker_cancel(running);
}

bool repl_interrupted(void) {
    bool was = interrupted != 0;
    interrupted = 0;
    return was;
}

/* The worker is of our process group: what is typed at the terminal must not
 * reach it. */
static int start_worker(struct repl *r, struct err *e) {
    struct sigaction ours = {.sa_handler = on_interrupt};
    sigemptyset(&ours.sa_mask);
    signal(SIGINT, SIG_IGN);
    int bad = worker_start(&r->options, &r->worker, e);
    if (r->from->person)
        sigaction(SIGINT, &ours, NULL);
    else
        signal(SIGINT, SIG_DFL);
    return bad ? fail_while(e, "worker") : 0;
}

static int restart(struct repl *r, str why, struct err *e) {
    fprintf(stderr, "%.*s; a new session begins, without the variables\n",
            STR_ARG(why));
    worker_free(r->worker);
    r->worker = NULL;
    return start_worker(r, e);
}

/* Until the statement has ended; 0: it does not. */
static int follow(struct repl *r, struct worker_event *end, struct err *e) {
    for (;;) {
        int n =
            worker_next(r->worker, script_patience(&r->options.limits), end, e);
        if (n <= 0) return n;
        if (end->kind == WORKER_OUTPUT)
            printer_take(&r->printer, end);
        else if (end->kind != WORKER_CALL)
            return 1;
        else if (worker_answer_error(r->worker, STR(""),
                                     STR("no tools are connected"), e))
            return -1;
    }
}

static void show(struct repl *r, const struct worker_event *end) {
    struct err e;
    if (end->kind == WORKER_LIMIT && repl_interrupted())
        fputs("KeyboardInterrupt\n", stderr);
    else if (end->traceback.n)
        (void)fd_write_all(2, end->traceback, &e);
    else if (end->kind == WORKER_FAILED)
        fprintf(stderr, "%.*s\n", STR_ARG(end->error));
    if (!end->exited) return;
    r->leaving = true;
    r->status = end->exit_status;
}

static int run_statement(struct repl *r, struct err *e) {
    struct worker_event end;
    (void)repl_interrupted();
    running = r->worker;
    int n = worker_run(r->worker, buf_str(&r->text), "<stdin>", e)
                ? -1
                : follow(r, &end, e);
    running = NULL;
    printer_flush(&r->printer);
    if (n == 0) return restart(r, STR("the statement does not end"), e);
    if (n < 0) return restart(r, str_of(e->text), e);
    if (end.kind == WORKER_GONE) return restart(r, end.text, e);
    show(r, &end);
    return 0;
}

/* -- the loop -----------------------------------------------------------------
 */

/* 1: a whole statement is there; 0: there is nothing more; -1: failed. */
static int read_statement(struct repl *r, struct err *e) {
    AUTO_BUF struct buf line = BUF_MAX(LINE_BYTES);
    buf_truncate(&r->text, 0);
    for (;;) {
        buf_truncate(&line, 0);
        const char *prompt = r->text.len ? "... " : ">>> ";
        switch (r->from->read(r->from->user, prompt, &line, e)) {
        case REPL_END: return r->text.len ? 1 : 0;
        case REPL_INTERRUPTED:
            fputs("KeyboardInterrupt\n", stderr);
            buf_truncate(&r->text, 0);
            continue;
        case REPL_LINE: break;
        }
        bool empty = str_trim(buf_str(&line)).n == 0;
        if (empty && r->text.len == 0) continue;
        if (buf_add_str(&r->text, buf_str(&line), e) ||
            buf_add_char(&r->text, '\n', e))
            return -1;
        if (repl_complete(buf_str(&r->text), empty)) return 1;
    }
}

static int loop(struct repl *r, struct err *e) {
    while (!r->leaving) {
        int n = read_statement(r, e);
        if (n < 0) return -1;
        if (n == 0) return 0;
        if (run_statement(r, e)) return -1;
    }
    return r->status;
}

int repl_run(struct cli *cli, const struct repl_source *from, struct err *e) {
    struct repl r = {.from = from,
                     .printer = PRINTER(1),
                     .text = BUF_MAX(INPUT_BYTES),
                     .options = {.display = true, .at_once = isatty(1)}};
    const char *words;
    r.printer.at_once = r.options.at_once;
    for (size_t i = 0; (words = args_nth(&cli->args, "limits", i)); i++)
        if (script_limits(words, &r.options.limits, e)) return -1;
    int result = start_worker(&r, e);
    if (result == 0) result = loop(&r, e);
    worker_free(r.worker);
    printer_fini(&r.printer);
    buf_fini(&r.text);
    return result;
}
