/* SPDX-License-Identifier: MIT */
#include "cli/lines.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <editline/readline.h>

#define LINE_BYTES ((size_t)1 << 20)

struct lines {
    struct loop *loop;
    struct io_watch watch;
    struct io_task deliver; /* a line that was there already */
    void (*line)(void *data, const char *text);
    bool (*complete)(void *data, str typed, size_t index, struct buf *out);
    void *data;
    char *history;
    bool terminal;
    size_t match;     /* the next completion to offer */
    bool asked;       /* somebody waits for a line */
    bool remember;    /* it goes into the history */
    bool ended;       /* end of input was seen */
    struct buf ahead; /* not a terminal: read, not delivered */
};

/* libedit calls back without a word about whom. */
static struct lines *the_reader;

static void give(struct lines *l, const char *text) {
    l->asked = false;
    loop_unwatch(&l->watch);
    l->line(l->data, text);
}

/* -- a terminal -------------------------------------------------------------
 */

static void on_typed(char *text) {
    struct lines *l = the_reader;
    rl_callback_handler_remove();
    if (text && *text && l->remember) {
        add_history(text);
        if (l->history) (void)write_history(l->history);
    }
    if (!text) (void)!write(1, "\n", 1);
    give(l, text);
    mem_free_foreign(text);
}

static void on_key(struct io_watch *w, uint32_t events) {
    (void)w;
    (void)events;
    rl_callback_read_char();
}

/* libedit asks for one after the other, from 0 on, until NULL; it frees them
 * itself. */
static char *next_match(const char *typed, int state) {
    AUTO_BUF struct buf out = BUF_MAX(4096);
    struct lines *l = the_reader;
    if (state == 0) l->match = 0;
    if (!l->complete(l->data, str_of(typed), l->match++, &out)) return NULL;
    return mem_give_foreign(buf_text(&out));
}

static char **matches(const char *typed, int start, int end) {
    (void)start;
    (void)end;
    return rl_completion_matches(typed, next_match);
}

/* Nothing but these names: a file's would mislead. */
static char *no_match(const char *typed, int state) {
    (void)typed;
    (void)state;
    return NULL;
}

void lines_complete(struct lines *l,
                    bool (*complete)(void *data, str typed, size_t index,
                                     struct buf *out)) {
    static char breaks[] = " \t\n"; /* libedit only reads it */
    l->complete = complete;
    if (!l->terminal) return;
    rl_completer_word_break_characters = breaks;
    rl_attempted_completion_function = matches;
    rl_completion_entry_function = no_match;
}

/* -- anything else ----------------------------------------------------------
 */

/* Delivers the next whole line, or the rest at the end. */
static bool give_ahead(struct lines *l) {
    AUTO_BUF struct buf text = BUF_MAX(LINE_BYTES);
    struct err e;
    ptrdiff_t end = str_find_char(buf_str(&l->ahead), '\n');
    if (end < 0 && !l->ended) return false;
    size_t n = end < 0 ? l->ahead.len : (size_t)end;
    if (end < 0 && n == 0) {
        give(l, NULL);
        return true;
    }
    if (buf_add(&text, l->ahead.data, n, &e)) return false;
    buf_consume(&l->ahead, end < 0 ? n : n + 1);
    give(l, buf_text(&text));
    return true;
}

static void on_input(struct io_watch *w, uint32_t events) {
    struct lines *l = w->data;
    char piece[4096];
    struct err e;
    (void)events;
    ssize_t n = read(0, piece, sizeof piece);
    if (n <= 0 || buf_add(&l->ahead, piece, (size_t)n, &e)) l->ended = true;
    (void)give_ahead(l);
}

static void on_task(struct io_task *t) {
    struct lines *l = t->data;
    struct err e;
    if (l->asked && !give_ahead(l) &&
        loop_watch(l->loop, &l->watch, EPOLLIN, &e)) {
        l->ended = true;
        (void)give_ahead(l);
    }
}

/* -- both -------------------------------------------------------------------
 */

struct lines *lines_open(struct loop *loop, const char *history,
                         void (*line)(void *data, const char *text), void *data,
                         struct err *e) {
    struct lines *l = mem_zalloc(1, sizeof *l, e);
    if (!l) return NULL;
    l->loop = loop;
    l->line = line;
    l->data = data;
    l->terminal = isatty(0) && isatty(1);
    l->ahead = BUF_MAX(LINE_BYTES);
    l->watch = (struct io_watch){
        .fd = 0, .fn = l->terminal ? on_key : on_input, .data = l};
    l->deliver = (struct io_task){.fn = on_task, .data = l};
    l->history = history ? mem_dup(history, strlen(history), e) : NULL;
    if (history && !l->history) {
        lines_close(l);
        return NULL;
    }
    the_reader = l;
    if (!l->terminal) return l;
    rl_readline_name = "cordon";
    using_history();
    stifle_history(1000);
    if (l->history) (void)read_history(l->history);
    return l;
}

void lines_close(struct lines *l) {
    if (!l) return;
    lines_stop(l);
    if (l->terminal) clear_history();
    loop_unpost(l->loop, &l->deliver);
    buf_fini(&l->ahead);
    mem_free(l->history);
    mem_free(l);
    the_reader = NULL;
}

int lines_ask(struct lines *l, const char *prompt, bool remember,
              struct err *e) {
    l->asked = true;
    l->remember = remember;
    if (!l->terminal) {
        loop_post(l->loop, &l->deliver);
        return 0;
    }
    rl_callback_handler_install(prompt, on_typed);
    return loop_watch(l->loop, &l->watch, EPOLLIN, e);
}

void lines_stop(struct lines *l) {
    if (l->asked && l->terminal) rl_callback_handler_remove();
    l->asked = false;
    loop_unwatch(&l->watch);
}
