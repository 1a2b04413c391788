/* SPDX-License-Identifier: MIT
 *
 * What a client may say to a server: each line is a message on its standard
 * input. An '@' in it becomes the id of the task that the server made last,
 * which nobody could guess. Tools answer at once, later, never, ask first or
 * become tasks; whatever comes, every request that the service holds is given
 * up in the end, and nothing is lost.
 */
#include "fuzz.h"

#include "base/file.h"
#include "mcp/server.h"

#include <assert.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HELD_MAX = 32, LINES_MAX = 200, OUT = 1 << 16 };

struct world {
    struct loop *loop;
    struct mcp_server *server;
    const struct json *caps;
    struct mcp_request *held[HELD_MAX];
    size_t held_count;
    int peer;       /* our end */
    char task[64];  /* id of the newest */
    char seen[OUT]; /* what the server said last */
    bool over;
};

static const struct json empty[] = {{.head = JSON_OBJECT, .as.span = 1}};

/* -- the service -------------------------------------------------------------
 */

static void hold(struct world *w, struct mcp_request *r) {
    if (w->held_count == HELD_MAX)
        mcp_refuse(r, RPC_INTERNAL, NULL, "enough");
    else
        w->held[w->held_count++] = r;
}

static void release(struct world *w) {
    while (w->held_count)
        mcp_answer(w->held[--w->held_count], empty);
}

static void ask(struct mcp_request *r, const char *method) {
    mcp_need(r, "k", method, NULL);
    mcp_wait(r, STR("m"));
}

static void answer_error(struct mcp_request *r) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    build_object(&b);
    build_put_bool(&b, "isError", true);
    build_end(&b);
    mcp_answer_built(r, &b);
}

static void call_tool(struct world *w, struct mcp_request *r, char tool) {
    switch (tool) {
    case 'h': hold(w, r); break;
    case 'r':
        release(w);
        mcp_answer(r, empty);
        break;
    case 'q':
        if (mcp_input(r, "k"))
            mcp_answer(r, empty);
        else
            ask(r, "elicitation/create");
        break;
    case 'e': answer_error(r); break;
    case 't':
        if (mcp_make_task(r, true) != MCP_TASK_REFUSED) hold(w, r);
        break;
    case 'p':
        mcp_progress(r, 1, 2, "half");
        mcp_log_to(r, 1, "l", empty);
        mcp_answer(r, empty);
        break;
    default: mcp_refuse(r, RPC_BAD_PARAMS, NULL, "unknown tool"); break;
    }
}

static void handle(void *data, struct mcp_request *r) {
    str name = json_get_text(mcp_params(r), "name", STR(""));
    if (mcp_method(r) == MCP_TOOLS_CALL)
        call_tool(data, r, name.n ? name.p[0] : 0);
    else
        mcp_answer(r, empty);
}

static void cancelled(void *data, struct mcp_request *r) {
    struct world *w = data;
    size_t i = 0;
    while (i < w->held_count && w->held[i] != r)
        i++;
    assert(i < w->held_count); /* others were answered */
    w->held[i] = w->held[--w->held_count];
    mcp_refuse(r, RPC_INTERNAL, NULL, "cancelled");
}

static const struct json *capabilities(void *data, enum mcp_era era) {
    (void)era;
    return ((struct world *)data)->caps;
}

static enum mcp_task_support task_support(void *data, str tool) {
    (void)data;
    if (str_starts(tool, STR("p"))) return MCP_TASK_FORBIDDEN;
    return str_starts(tool, STR("e")) ? MCP_TASK_REQUIRED : MCP_TASK_OPTIONAL;
}

/* -- the client --------------------------------------------------------------
 */

/* Reads what was said and remembers the task in it. */
static void listen_in(struct world *w) {
    static const char key[] = "\"taskId\":\"";
    for (ssize_t n; (n = read(w->peer, w->seen, OUT - 1)) > 0;) {
        w->seen[n] = '\0';
        const char *id = strstr(w->seen, key);
        if (!id) continue;
        id += sizeof key - 1;
        size_t len = strcspn(id, "\"");
        if (len >= sizeof w->task) continue;
        memcpy(w->task, id, len);
        w->task[len] = '\0';
    }
}

static void turn(struct world *w) {
    struct err e;
    for (int i = 0; i < 4; i++)
        (void)loop_step(w->loop, 0, &e);
    listen_in(w);
}

static void say(struct world *w, str line) {
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    struct err e;
    str before = str_cut(&line, '@');
    if (buf_add_str(&text, before, &e) ||
        (line.p &&
         (buf_add_text(&text, w->task, &e) || buf_add_str(&text, line, &e))) ||
        buf_add_char(&text, '\n', &e))
        return;
    (void)!write(w->peer, buf_text(&text), text.len);
    turn(w);
}

static void on_done(void *data) {
    ((struct world *)data)->over = true;
}

static void talk(struct world *w, str text) {
    struct err e;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                   ends))
        return;
    w->peer = ends[1];
    if (mcp_serve_stdio(w->server, ends[0], ends[0], on_done, w, &e)) return;
    for (int i = 0; text.n && i < LINES_MAX; i++)
        say(w, str_cut(&text, '\n'));
    (void)shutdown(w->peer, SHUT_WR);
    while (!w->over)
        turn(w);
    /* Tasks of modern clients outlive the pipe; their work goes on. */
    release(w);
    (void)close(w->peer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    static struct world w;
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct log log = LOG_TO(-1, LOG_ERROR);
    memset(&w, 0, sizeof w);
    w.loop = loop;
    assert(json_parse(STR("{\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{"
                          "\"call\":{}}}}}"),
                      NULL, &a, &w.caps, &e) == 0);
    const struct mcp_service service = {.name = "f",
                                        .version = "1",
                                        .capabilities = capabilities,
                                        .handle = handle,
                                        .cancelled = cancelled,
                                        .task_support = task_support,
                                        .data = &w};
    w.server = mcp_server_new(loop, &service, &log, &e);
    talk(&w, (str){(const char *)data, size});
    mcp_server_free(w.server);
    return 0;
}
