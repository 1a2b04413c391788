/* SPDX-License-Identifier: MIT
 *
 * The server as a program: one message a line on its pipes.
 *
 * Its standard error is read to the end and logged; what it says there decides
 * nothing. Lines that are no messages are counted and skipped. When the program
 * ends, what it wrote before is still taken, then every call ends with the
 * reason.
 */
#include <stdio.h>

#include "base/mem.h"
#include "io/pipe.h"
#include "mcp/client_conn.h"

enum { ERRPUT_LINE = 4096, OUTPUT_MAX = 128 << 20, LAST_WORDS = 256 };
#define GRACE  (2 * CONN_SECOND)
#define LINGER (500 * CONN_MS)

struct stdio_link {
    struct conn_link link;
    struct mcp_client *client;
    struct child child;
    struct pipe pipe, errput;
    bool open, errput_open; /* the pipes are initialised */
    bool output_ended, exited;
    int status;
    char last_words[LAST_WORDS]; /* of its standard error */
    struct io_task end_task;
    struct io_timer linger; /* for output after the exit */
};

static struct stdio_link *self(struct conn_link *l) {
    return (struct stdio_link *)l;
}

/* -- its end -----------------------------------------------------------------
 */

static void tell_end(struct io_task *t) {
    struct stdio_link *s = t->data;
    struct err e;
    char how[64] = "closed its output";
    if (s->exited) child_describe(s->status, how);
    err_set(&e, ERR_PEER, "the server %s%s%s", how,
            s->last_words[0] ? ": " : "", s->last_words);
    conn_lost(s->client, &e);
}

/* The exit may be seen before the last lines, and the end of output before the
 * exit; a program that closes its output and lives on is as good as gone. */
static void maybe_end(struct stdio_link *s) {
    struct err e;
    if (!s->output_ended) return;
    if (s->exited)
        loop_post(s->client->loop, &s->end_task);
    else
        (void)child_stop(&s->child, GRACE, &e);
}

static void on_linger(struct io_timer *t) {
    tell_end(&((struct stdio_link *)t->data)->end_task);
}

/* What it started may hold its output open for ever. */
static void on_exit(struct child *child, int status) {
    struct stdio_link *s = child->data;
    struct err e;
    s->exited = true;
    s->status = status;
    maybe_end(s);
    if (!s->output_ended)
        (void)loop_timer(s->client->loop, &s->linger, LINGER, &e);
}

/* -- reading -----------------------------------------------------------------
 */

static void on_line(void *data, str line) {
    struct stdio_link *s = data;
    if (str_trim(line).n == 0) return;
    if (!conn_take(s->client, NULL, line))
        conn_log(s->client, LOG_DEBUG, "not a message: %.*s",
                 STR_ARG(str_sub(line, 0, 200)));
}

static void on_overlong(void *data, size_t bytes, str beginning) {
    struct stdio_link *s = data;
    s->client->counts.overlong++;
    conn_log(s->client, LOG_WARN, "a line of %zu bytes was dropped: %.*s",
             bytes, STR_ARG(str_sub(beginning, 0, 100)));
}

static void on_closed(void *data, const struct err *e) {
    struct stdio_link *s = data;
    (void)e;
    s->output_ended = true;
    maybe_end(s);
}

static void on_errput(void *data, str line) {
    struct stdio_link *s = data;
    s->client->counts.errput += line.n + 1;
    conn_log(s->client, LOG_DEBUG, "stderr: %.*s", STR_ARG(line));
    if (s->client->config.events->said)
        s->client->config.events->said(s->client->config.data, s->client, line);
    str words = str_trim(line);
    if (words.n == 0) return;
    (void)snprintf(s->last_words, sizeof s->last_words, "%.*s", STR_ARG(words));
}

static void on_errput_overlong(void *data, size_t bytes, str beginning) {
    struct stdio_link *s = data;
    (void)beginning;
    s->client->counts.errput += bytes;
}

static void on_errput_closed(void *data, const struct err *e) {
    (void)data;
    (void)e;
}

static const struct pipe_events output_events = {
    .line = on_line, .overlong = on_overlong, .closed = on_closed};
static const struct pipe_events errput_events = {.line = on_errput,
                                                 .overlong = on_errput_overlong,
                                                 .closed = on_errput_closed};

/* -- what the client asks of a link ------------------------------------------
 */

static int stdio_send(struct conn_link *l, struct mcp_call *call, str message,
                      struct err *e) {
    (void)call;
    return pipe_send_line(&self(l)->pipe, message, e);
}

static void stdio_drop(struct conn_link *l, struct mcp_call *call, bool tell,
                       const char *reason) {
    struct stdio_link *s = self(l);
    struct err e;
    if (!tell || call->handshake || !call->id || s->output_ended) return;
    AUTO_BUF struct buf text = BUF_MAX(s->client->config.message_max);
    if (call_write_cancelled(call, reason, &text, &e) == 0)
        (void)pipe_send_line(&s->pipe, buf_str(&text), &e);
}

static void stdio_ready(struct conn_link *l) {
    (void)l;
}

static void stdio_close(struct conn_link *l) {
    struct stdio_link *s = self(l);
    struct err e;
    pipe_finish(&s->pipe);
    if (s->exited || child_stop(&s->child, GRACE, &e))
        loop_post(s->client->loop, &s->end_task);
}

static void stdio_free(struct conn_link *l) {
    struct stdio_link *s = self(l);
    loop_unpost(s->client->loop, &s->end_task);
    loop_timer_stop(&s->linger);
    if (s->open) pipe_fini(&s->pipe);
    if (s->errput_open) pipe_fini(&s->errput);
    child_fini(&s->child);
    mem_free(s);
}

/* -- start -------------------------------------------------------------------
 */

static int open_pipes(struct stdio_link *s, struct err *e) {
    struct mcp_client *c = s->client;
    struct child *child = &s->child;
    if (pipe_init(&s->pipe, c->loop, child->out, child->in,
                  c->config.message_max, OUTPUT_MAX, &output_events, s, e))
        return -1;
    child->in = child->out = -1;
    s->open = true;
    if (child->err < 0) return 0;
    if (pipe_init(&s->errput, c->loop, child->err, -1, ERRPUT_LINE, 0,
                  &errput_events, s, e))
        return -1;
    child->err = -1;
    s->errput_open = true;
    return 0;
}

struct conn_link *transport_stdio(struct mcp_client *c, struct err *e) {
    struct stdio_link *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return NULL;
    s->link = (struct conn_link){stdio_send, stdio_drop, stdio_ready,
                                 stdio_close, stdio_free};
    s->client = c;
    s->end_task = (struct io_task){.fn = tell_end, .data = s};
    s->linger = (struct io_timer){.fn = on_linger, .data = s};
    if (child_start(&s->child, c->loop, c->config.command, on_exit, s, e)) {
        mem_free(s);
        return NULL;
    }
    if (open_pipes(s, e)) {
        stdio_free(&s->link);
        return NULL;
    }
    return &s->link;
}
