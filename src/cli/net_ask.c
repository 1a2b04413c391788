/* SPDX-License-Identifier: MIT
 *
 * cordon ask: one question, tools if needed, one answer on standard output.
 */
#include "agent/workflow.h"
#include "base/file.h"
#include "call/approval.h"
#include "cli/programs.h"
#include "cli/talk.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define QUESTION ((size_t)16 << 20)

struct asking {
    struct cli *cli;
    struct talk talk;
    bool wrote; /* some of the answer is out */
    bool newline;
};

/* -- what is shown ----------------------------------------------------------
 */

static void on_delta(void *data, enum part_kind kind, str text) {
    struct asking *a = data;
    struct err e;
    if (kind != PART_TEXT || a->cli->json) return;
    a->wrote = true;
    a->newline = text.p[text.n - 1] == '\n';
    (void)cli_say(text, &e);
}

/* What follows begins on a line of its own. */
static int end_line(struct asking *a, struct err *e) {
    if (!a->wrote || a->newline) return 0;
    a->newline = true;
    return cli_out(STR("\n"), e);
}

static void on_calling(void *data, const struct part *call) {
    struct asking *a = data;
    log_info(&a->cli->log, "calling %.*s %.*s", STR_ARG(call->name),
             (int)(call->text.n < 200 ? call->text.n : 200), call->text.p);
}

static void on_called(void *data, const struct part *call,
                      const struct part *result) {
    struct asking *a = data;
    const struct part *first = result->content.first;
    str text = first ? first->text : STR("");
    log_info(&a->cli->log, "%.*s %s: %.*s", STR_ARG(call->name),
             result->failed ? "failed" : "gave",
             (int)(text.n < 200 ? text.n : 200), text.n ? text.p : "");
}

/* Text that was not streamed is shown now. Where calls follow, or the model is
 * told something, its next text is a paragraph. */
static void on_message(void *data, const struct message *m) {
    struct asking *a = data;
    struct err e;
    bool late =
        m->role == ROLE_ASSISTANT && args_flag(&a->cli->args, "no-stream");
    for (const struct part *p = late ? m->parts.first : NULL; p; p = p->next)
        if (p->text.n > 0) on_delta(a, p->kind, p->text);
    if (m->role == ROLE_USER || next_call(&m->parts, NULL))
        (void)end_line(a, &e);
}

static void on_attached(void *data, str server, str what, size_t bytes) {
    struct asking *a = data;
    log_info(&a->cli->log, "%.*s:%.*s goes along (%zu bytes)", STR_ARG(server),
             STR_ARG(what), bytes);
}

static const struct agent_events ask_events = {.delta = on_delta,
                                               .calling = on_calling,
                                               .called = on_called,
                                               .message = on_message};

/* -- the answer -------------------------------------------------------------
 */

static void put_usage(struct jw *w, const struct agent_spent *s) {
    jw_key(w, "usage");
    jw_object(w);
    jw_put_int(w, "turns", s->turns);
    jw_put_int(w, "calls", s->calls);
    if (s->usage.input >= 0) jw_put_int(w, "input_tokens", s->usage.input);
    if (s->usage.output >= 0) jw_put_int(w, "output_tokens", s->usage.output);
    /* a sum of many small ones: what is below a billionth is noise */
    if (s->cost > 0) jw_key(w, "cost"), jw_real(w, round(s->cost * 1e9) / 1e9);
    jw_end_object(w);
}

static int show_json(struct asking *a, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX((size_t)256 << 20);
    struct jw w = JW(&out);
    struct agent_spent spent = agent_spent(a->talk.agent);
    const struct message *last = agent_talk(a->talk.agent)->last;
    str text = STR("");
    if (last && last->role == ROLE_ASSISTANT &&
        parts_text(&last->parts, &a->talk.arena, &text, e))
        return -1;
    jw_object(&w);
    jw_put_text(&w, "end", str_of(agent_end_name(a->talk.end)));
    if (a->talk.why[0]) jw_put_text(&w, "why", str_of(a->talk.why));
    jw_put_text(&w, "text", text);
    if (a->talk.thread[0])
        jw_put_text(&w, "conversation", str_of(a->talk.thread));
    jw_put_text(&w, "model", a->talk.model.model);
    put_usage(&w, &spent);
    jw_end_object(&w);
    if (jw_done(&w, e) || buf_add_char(&out, '\n', e)) return -1;
    return cli_out(buf_str(&out), e);
}

static int finish(struct asking *a, struct err *e) {
    const struct talk *t = &a->talk;
    if (end_line(a, e)) return -1;
    if (a->cli->json && show_json(a, e)) return -1;
    switch (t->end) {
    case AGENT_ANSWERED: return 0;
    case AGENT_STOPPED: return 130;
    case AGENT_REFUSED: return fail(e, ERR_DENIED, "%s", t->why);
    case AGENT_LIMITED: return fail(e, ERR_LIMIT, "%s", t->why);
    case AGENT_FAILED: return fail(e, ERR_PEER, "%s", t->why);
    }
    return 0;
}

/* -- the question -----------------------------------------------------------
 */

/* The operand, and what is piped in behind it. */
static int read_question(struct cli *cli, struct buf *out, struct err *e) {
    const char *given = cli_operand(cli, 0);
    if (given && buf_add_text(out, given, e)) return -1;
    if (isatty(0)) return 0;
    if (out->len > 0 && buf_add_text(out, "\n\n", e)) return -1;
    size_t before = out->len;
    if (file_read("-", out, e)) return -1;
    if (out->len == before && given) buf_truncate(out, before - 2);
    return 0;
}

/* -- workflows --------------------------------------------------------------
 */

static int check_workflow(struct talk *t, const struct workflow *w,
                          struct err *e) {
    struct registry *r = boundary_registry(t->authority.boundary);
    size_t n = registry_count(r);
    str *names = arena_zalloc(&t->arena, n + 1, sizeof *names, e);
    if (!names) return -1;
    for (size_t i = 0; i < n; i++)
        names[i] = registry_at(r, i)->name;
    return workflow_check(w, names, n, e);
}

static int read_workflow(struct talk *t, const char *path, struct workflow *w,
                         struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(QUESTION);
    const struct json_limits limits = {.comments = true};
    const struct json *v;
    if (file_read(path, &text, e)) return -1;
    if (json_parse(buf_str(&text), &limits, &t->arena, &v, e) ||
        workflow_read(v, &t->arena, w, e) || check_workflow(t, w, e))
        return fail_while(e, "%s", path);
    return 0;
}

/* One step: its words, its tools, its limits. */
static int take_step(struct asking *a, const struct workflow_step *s,
                     str question, struct err *e) {
    static const str nothing[] = {{"", 0}}; /* no name is empty */
    AUTO_BUF struct buf text = BUF_MAX(QUESTION);
    struct talk *t = &a->talk;
    if (buf_add_str(&text, s->say, e) ||
        (question.n > 0 &&
         (buf_add_text(&text, "\n\n", e) || buf_add_str(&text, question, e))))
        return -1;
    bound_only(t->bound, s->tool_count ? s->tools : nothing,
               s->tool_count ? s->tool_count : 1);
    agent_set_turns(t->agent, s->turns);
    log_info(&a->cli->log, "step %.*s", STR_ARG(s->name));
    return talk_say(t, buf_str(&text), e);
}

static int follow(struct asking *a, const char *path, str question,
                  struct err *e) {
    struct talk *t = &a->talk;
    struct workflow w;
    if (read_workflow(t, path, &w, e)) return -1;
    size_t at = w.start;
    for (size_t taken = 0; at != WORKFLOW_END; taken++) {
        const struct message *before = agent_talk(t->agent)->last;
        if (taken == WORKFLOW_STEPS)
            return fail(e, ERR_LIMIT, "more than %d steps were taken",
                        WORKFLOW_STEPS);
        if (take_step(a, &w.steps[at], taken ? STR("") : question, e))
            return -1;
        if (t->end != AGENT_ANSWERED) return 0;
        if (end_line(a, e)) return -1;
        at = workflow_next(&w.steps[at],
                           before ? before->next : agent_talk(t->agent)->first);
    }
    return 0;
}

static void on_signal(void *data, int number) {
    struct asking *a = data;
    (void)number;
    talk_stop(&a->talk);
}

static size_t only_of(struct cli *cli, str *out, size_t max) {
    size_t n = 0;
    const char *pattern;
    while (n < max && (pattern = args_nth(&cli->args, "tools", n)))
        out[n++] = str_of(pattern);
    return n;
}

int net_ask(struct cli *cli, struct err *e) {
    static const int signals[] = {SIGINT, SIGTERM, 0};
    AUTO_BUF struct buf question = BUF_MAX(QUESTION);
    struct asking a = {.cli = cli};
    str only[64];
    struct talk_options o = {
        .events = &ask_events,
        .data = &a,
        .attached = on_attached,
        .stream = !args_flag(&cli->args, "no-stream"),
        .choice = args_text(&cli->args, "choice"),
        .resume = args_text(&cli->args, "resume"),
        .forget = args_flag(&cli->args, "forget"),
        .only = only,
        .only_count = only_of(cli, only, 64),
    };
    if (read_question(cli, &question, e)) return -1;
    if (str_trim(buf_str(&question)).n == 0)
        return fail(e, ERR_USAGE, "there is no question");
    if (talk_open(&a.talk, cli, &o, e)) return -1;
    int result = loop_signals(a.talk.loop, signals, on_signal, &a, e);
    const char *workflow = args_text(&cli->args, "workflow");
    if (result == 0)
        result = workflow ? follow(&a, workflow, buf_str(&question), e)
                          : talk_say(&a.talk, buf_str(&question), e);
    if (result == 0) result = finish(&a, e);
    talk_close(&a.talk);
    return result;
}
