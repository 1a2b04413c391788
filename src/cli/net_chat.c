/* SPDX-License-Identifier: MIT
 *
 * cordon chat: a conversation at the terminal. Ctrl-C stops the turn, not the
 * program; a call that needs a yes asks for it right here.
 */
#include "base/dirs.h"
#include "base/file.h"
#include "base/utf8.h"
#include "call/approval.h"
#include "cli/lines.h"
#include "cli/programs.h"
#include "cli/talk.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_BYTES ((size_t)16 << 20)
#define SHOWN      160 /* bytes of arguments and results on one line */
#define TICK       ((int64_t)120 * 1000000)

#define QUESTIONS 256 /* calls that wait for a yes at once */

/* A call that waits for a yes; the approval's id lives as long as the call. */
struct question {
    struct bound_call *call;
    str approval;
};

enum chat_state { CHAT_TYPING, CHAT_BUSY, CHAT_ASKING, CHAT_UNSURE };

struct chat {
    struct cli *cli;
    struct talk talk;
    struct lines *lines;
    enum chat_state state;
    struct buf typed; /* lines that end with a backslash go on */
    struct question asked[QUESTIONS]; /* the first is on the screen */
    size_t asked_count;
    bool leaving;
    bool in_text; /* the last thing shown is text without a line end */
    struct io_timer tick;
    unsigned frame;
    bool spinning; /* something is drawn that must be wiped */
    char doing[96];
};

/* -- the screen -------------------------------------------------------------
 */

static void on_unsure(void *data, double sure);
static void show(struct chat *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void wipe(struct chat *c) {
    struct err e;
    if (c->spinning) (void)cli_out(STR("\r\033[K"), &e);
    c->spinning = false;
}

static void show(struct chat *c, const char *fmt, ...) {
    AUTO_BUF struct buf out = BUF_MAX(TEXT_BYTES);
    struct err e;
    va_list ap;
    wipe(c);
    if (c->in_text && buf_add_char(&out, '\n', &e)) return;
    c->in_text = false;
    va_start(ap, fmt);
    if (buf_vaddf(&out, &e, fmt, ap) == 0) (void)cli_out(buf_str(&out), &e);
    va_end(ap);
}

/* One line of text from outside: nothing that could move the cursor. */
static const char *one_line(str text, char out[SHOWN + 8]) {
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < SHOWN; i++) {
        unsigned char b = (unsigned char)text.p[i];
        out[n++] = b < 32 || b == 127 ? ' ' : (char)b;
    }
    while (n > 0 && utf8_valid(out, n) < n)
        n--;
    memcpy(out + n, text.n > n ? "..." : "", text.n > n ? 4 : 1);
    return out;
}

static void on_tick(struct io_timer *t) {
    struct chat *c = t->data;
    AUTO_BUF struct buf out = BUF_MAX(512);
    struct err e;
    if (c->state != CHAT_BUSY) return;
    if (!c->in_text && c->cli->color_out &&
        buf_addf(&out, &e, "\r\033[K%c %s", "|/-\\"[c->frame++ % 4],
                 c -> doing) == 0) {
        c->spinning = true;
        (void)cli_out(buf_str(&out), &e);
    }
    (void)loop_timer(c->talk.loop, t, TICK, &e);
}

static void spin(struct chat *c, const char *doing) {
    struct err e;
    snprintf(c->doing, sizeof c->doing, "%s", doing);
    c->tick = (struct io_timer){.fn = on_tick, .data = c};
    (void)loop_timer(c->talk.loop, &c->tick, TICK, &e);
}

static void prompt(struct chat *c) {
    struct err e;
    c->state = CHAT_TYPING;
    loop_timer_stop(&c->tick);
    wipe(c);
    if (lines_ask(c->lines, c->typed.len > 0 ? "... " : "> ", true, &e)) {
        log_error(&c->cli->log, "%s", e.text);
        c->leaving = true;
        loop_stop(c->talk.loop);
    }
}

/* -- what the agent does ----------------------------------------------------
 */

static void on_delta(void *data, enum part_kind kind, str text) {
    struct chat *c = data;
    struct err e;
    if (kind != PART_TEXT) return;
    wipe(c);
    (void)cli_say(text, &e);
    c->in_text = text.p[text.n - 1] != '\n';
}

static void on_calling(void *data, const struct part *call) {
    struct chat *c = data;
    char args[SHOWN + 8], name[SHOWN + 8];
    show(c, "%s> %s %s%s\n", cli_style(c->cli->color_out, CLI_DIM),
         one_line(call->name, name), one_line(call->text, args),
         cli_style(c->cli->color_out, CLI_PLAIN));
    snprintf(c->doing, sizeof c->doing, "%.80s", name);
}

static void on_called(void *data, const struct part *call,
                      const struct part *result) {
    struct chat *c = data;
    const struct part *first = result->content.first;
    char text[SHOWN + 8];
    (void)call;
    show(c, "%s< %s%s%s\n", cli_style(c->cli->color_out, CLI_DIM),
         result->failed ? "failed: " : "",
         one_line(first ? first->text : STR(""), text),
         cli_style(c->cli->color_out, CLI_PLAIN));
    snprintf(c->doing, sizeof c->doing, "thinking");
}

static void on_done(void *data, enum agent_end end, const char *why) {
    struct chat *c = data;
    struct agent_spent spent = agent_spent(c->talk.agent);
    c->state = CHAT_TYPING;
    if (end == AGENT_ANSWERED && !*why)
        show(c, "%s(%lld in, %lld out%s)%s\n",
             cli_style(c->cli->color_out, CLI_DIM),
             (long long)spent.usage.input, (long long)spent.usage.output, "",
             cli_style(c->cli->color_out, CLI_PLAIN));
    else
        show(c, "%s(%s%s%s)%s\n", cli_style(c->cli->color_out, CLI_YELLOW),
             agent_end_name(end), *why ? ": " : "", why,
             cli_style(c->cli->color_out, CLI_PLAIN));
    if (!c->leaving) prompt(c);
}

static void on_attached(void *data, str server, str what, size_t bytes) {
    struct chat *c = data;
    char name[SHOWN + 8], uri[SHOWN + 8];
    show(c, "%s+ %s:%s, %zu bytes, not trusted%s\n",
         cli_style(c->cli->color_out, CLI_DIM), one_line(server, name),
         one_line(what, uri), bytes, cli_style(c->cli->color_out, CLI_PLAIN));
}

static const struct agent_events chat_events = {.delta = on_delta,
                                                .calling = on_calling,
                                                .called = on_called,
                                                .unsure = on_unsure,
                                                .done = on_done};

/* -- approvals --------------------------------------------------------------
 */

static int describe(struct chat *c, str approval, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(TEXT_BYTES);
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    struct store_approval row;
    if (store_approval_get(c->talk.authority.store, approval, &a, &row, e) ||
        approval_describe(c->talk.authority.store, &row, &text, e))
        return -1;
    show(c, "%s\n", buf_text(&text));
    return 0;
}

static void next_question(struct chat *c);

/* Puts the first question, and the next after it. */
static void put_question(struct chat *c) {
    struct question q = c->asked[0];
    struct err e;
    c->state = CHAT_ASKING;
    loop_timer_stop(&c->tick);
    if (describe(c, q.approval, &e) == 0 &&
        lines_ask(c->lines, "allow it? [y]es, [a]lways, [N]o: ", false, &e) ==
            0)
        return;
    show(c, "%s\n", e.text);
    next_question(c);
    bound_answer(q.call, false);
}

/* The first one is dealt with. */
static void next_question(struct chat *c) {
    c->asked_count--;
    memmove(c->asked, c->asked + 1, c->asked_count * sizeof c->asked[0]);
    c->state = CHAT_BUSY;
    spin(c, "thinking");
    if (c->asked_count > 0) put_question(c);
}

/* Calls that only read overlap, so several may ask at once. */
static void on_approve(void *data, struct bound_call *call, str approval) {
    struct chat *c = data;
    if (c->asked_count == QUESTIONS) {
        bound_answer(call, false);
        return;
    }
    c->asked[c->asked_count++] = (struct question){call, approval};
    if (c->asked_count == 1) put_question(c);
}

static void take_answer(struct chat *c, const char *text) {
    struct question q = c->asked[0];
    char first = text ? text[0] : 'n';
    bool yes = first == 'y' || first == 'Y' || first == 'a' || first == 'A';
    enum approval_choice choice = first == 'a' || first == 'A'
                                      ? APPROVE_REMEMBER
                                  : yes ? APPROVE_ONCE
                                        : APPROVE_NOT;
    struct err e;
    if (approval_answer(c->talk.authority.store, c->talk.authority.audit,
                        q.approval, choice, STR("cli:local"), &e)) {
        show(c, "%s\n", e.text);
        yes = false;
    }
    next_question(c);
    bound_answer(q.call, yes);
}

/* The model answered without a tool, and it was a close thing. */
static void on_unsure(void *data, double sure) {
    struct chat *c = data;
    struct err e;
    c->state = CHAT_UNSURE;
    loop_timer_stop(&c->tick);
    show(c, "%sthe model was only %.0f%% sure that it needs no tool%s\n",
         cli_style(c->cli->color_out, CLI_YELLOW), 100 * sure,
         cli_style(c->cli->color_out, CLI_PLAIN));
    if (lines_ask(c->lines, "make it use one? [y]es, [N]o: ", false, &e) == 0)
        return;
    c->state = CHAT_BUSY;
    agent_insist(c->talk.agent, false);
}

static void take_insistence(struct chat *c, const char *text) {
    bool yes = text && (text[0] == 'y' || text[0] == 'Y');
    c->state = CHAT_BUSY;
    spin(c, "thinking");
    agent_insist(c->talk.agent, yes);
}

/* -- commands ---------------------------------------------------------------
 */

static void show_tools(struct chat *c, str query) {
    AUTO_BUF struct buf out = BUF_MAX(TEXT_BYTES);
    struct err e;
    int bad = talk_show_tools(&c->talk, query, c->cli->color_out, &out, &e);
    show(c, "%s", bad ? e.text : buf_text(&out));
}

static void show_policy(struct chat *c) {
    AUTO_BUF struct buf out = BUF_MAX(TEXT_BYTES);
    struct err e;
    int bad = talk_show_policy(&c->talk, c->cli->color_out, &out, &e);
    show(c, "%s", bad ? e.text : buf_text(&out));
}

static int save(struct chat *c, const char *path, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX((size_t)256 << 20);
    const struct message *m = agent_talk(c->talk.agent)->first;
    for (; m; m = m->next)
        if (canon_write_message(m, &out, e) || buf_add_char(&out, '\n', e))
            return -1;
    return file_replace(path, buf_str(&out), 0600, e);
}

static void save_to(struct chat *c, str path) {
    char name[PATH_MAX];
    struct err e;
    if (path.n == 0 || path.n >= sizeof name) {
        show(c, "where to? /save FILE\n");
        return;
    }
    memcpy(name, path.p, path.n);
    name[path.n] = '\0';
    if (save(c, name, &e))
        show(c, "%s\n", e.text);
    else
        show(c, "saved to %s, one message a line\n", name);
}

static const char help[] =
    "/tools [WORD]  the tools there are\n"
    "/policy        the policy that holds, and what it says of each tool\n"
    "/undo          takes back the last question and its answer\n"
    "/save FILE     writes the conversation to a file\n"
    "/quit          ends (or Ctrl-D)\n"
    "/SERVER:PROMPT [NAME=VALUE...]  asks what a server's prompt says\n"
    "@SERVER:URI    in a question: puts a server's resource beside it\n"
    "A line that ends with \\ goes on. Ctrl-C stops an answer.\n";

static void command(struct chat *c, str line) {
    str rest = line;
    str word = str_cut(&rest, ' ');
    rest = str_trim(rest);
    if (str_is(word, "/quit") || str_is(word, "/exit")) {
        c->leaving = true;
        loop_stop(c->talk.loop);
        return;
    }
    if (str_is(word, "/tools"))
        show_tools(c, rest);
    else if (str_is(word, "/policy"))
        show_policy(c);
    else if (str_is(word, "/undo"))
        show(c, talk_undo(&c->talk) ? "taken back\n" : "there is nothing\n");
    else if (str_is(word, "/save"))
        save_to(c, rest);
    else
        show(c, "%s", help);
    prompt(c);
}

/* -- lines ------------------------------------------------------------------
 */

static void ask(struct chat *c) {
    struct err e;
    c->state = CHAT_BUSY;
    spin(c, "thinking");
    if (talk_begin(&c->talk, buf_str(&c->typed), &e)) {
        show(c, "%s\n", e.text);
        buf_truncate(&c->typed, 0);
        prompt(c);
        return;
    }
    buf_truncate(&c->typed, 0);
}

static void take_line(struct chat *c, const char *text) {
    struct err e;
    str line = str_of(text);
    bool more = line.n > 0 && line.p[line.n - 1] == '\\';
    if (c->typed.len == 0 && line.n > 0 && line.p[0] == '/' &&
        !talk_is_prompt(&c->talk, line)) {
        command(c, line);
        return;
    }
    if ((c->typed.len > 0 && buf_add_char(&c->typed, '\n', &e)) ||
        buf_add(&c->typed, line.p, more ? line.n - 1 : line.n, &e))
        show(c, "%s\n", e.text);
    if (more || str_trim(buf_str(&c->typed)).n == 0) {
        if (!more) buf_truncate(&c->typed, 0);
        prompt(c);
        return;
    }
    ask(c);
}

static void on_line(void *data, const char *text) {
    struct chat *c = data;
    if (c->state == CHAT_ASKING) {
        take_answer(c, text);
    } else if (c->state == CHAT_UNSURE) {
        take_insistence(c, text);
    } else if (!text) {
        c->leaving = true;
        loop_stop(c->talk.loop);
    } else {
        take_line(c, text);
    }
}

static void on_signal(void *data, int number) {
    struct chat *c = data;
    if (number != SIGINT) {
        c->leaving = true;
        loop_stop(c->talk.loop);
        return;
    }
    if (c->state == CHAT_TYPING) {
        lines_stop(c->lines);
        buf_truncate(&c->typed, 0);
        show(c, "\n(Ctrl-D or /quit ends)\n");
        prompt(c);
        return;
    }
    if (c->state == CHAT_ASKING || c->state == CHAT_UNSURE) {
        lines_stop(c->lines);
        show(c, "\n");
    }
    c->state = CHAT_BUSY;
    c->asked_count = 0;
    talk_stop(&c->talk);
}

/* -- the program ------------------------------------------------------------
 */

static bool complete(void *data, str typed, size_t index, struct buf *out) {
    struct chat *c = data;
    return talk_complete(&c->talk, typed, index, out);
}

static int open_lines(struct chat *c, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_STATE, "chat_history", &path, e)) return -1;
    c->lines = lines_open(c->talk.loop, buf_text(&path), on_line, c, e);
    if (!c->lines) return -1;
    lines_complete(c->lines, complete);
    return 0;
}

static int run(struct chat *c, struct err *e) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, 0};
    if (loop_signals(c->talk.loop, signals, on_signal, c, e) ||
        open_lines(c, e))
        return -1;
    show(c, "%.*s; /help says what there is\n", STR_ARG(c->talk.model.model));
    prompt(c);
    while (!c->leaving)
        if (loop_run(c->talk.loop, e)) return -1;
    return 0;
}

static void close_chat(struct chat *c) {
    loop_timer_stop(&c->tick);
    lines_close(c->lines);
    if (c->talk.thread[0] && c->talk.seq > 0)
        show(c, "go on with: cordon chat --resume %s\n", c->talk.thread);
    talk_close(&c->talk);
    buf_fini(&c->typed);
}

int net_chat(struct cli *cli, struct err *e) {
    struct chat c = {.cli = cli, .typed = BUF_MAX(TEXT_BYTES)};
    str only[64];
    size_t n = 0;
    while (n < 64 && args_nth(&cli->args, "tools", n))
        only[n] = str_of(args_nth(&cli->args, "tools", n)), n++;
    struct talk_options o = {
        .events = &chat_events,
        .data = &c,
        .approve = on_approve,
        .attached = on_attached,
        .resume = args_text(&cli->args, "resume"),
        .stream = true,
        .forget = args_flag(&cli->args, "forget"),
        .only = only,
        .only_count = n,
    };
    if (talk_open(&c.talk, cli, &o, e)) return -1;
    int result = run(&c, e);
    close_chat(&c);
    return result;
}
