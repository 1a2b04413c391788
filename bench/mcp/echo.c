/* SPDX-License-Identifier: MIT
 *
 * A server for measurements: one tool that says what it is told, and as many
 * tools that do nothing as a file of definitions lists.
 *
 *     echo                       on standard input and output
 *     echo --tools LIST.json     the same, with the tools of a tools/list
 * answer echo HOST:PORT             over HTTP at /mcp; prints the port
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/server.h"
#include "mcp/server.h"
#include "json/build.h"

#define FILE_BYTES ((size_t)16 << 20)
#define TREE_BYTES ((size_t)128 << 20)

struct echo {
    struct loop *loop;
    struct mcp_server *server;
    const struct json *list; /* the result of tools/list */
    const struct json *capabilities;
};

static void call(struct mcp_request *r) {
    const struct json *args = json_get(mcp_params(r), "arguments"), *result;
    struct json_build b = JSON_BUILD(mcp_arena(r));
    struct err e;
    build_object(&b);
    build_key(&b, STR("content"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "type", STR("text"));
    build_put_text(&b, "text", json_get_text(args, "message", STR("")));
    build_end(&b);
    build_end(&b);
    build_end(&b);
    if (build_done(&b, &result, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        mcp_answer(r, result);
}

static void handle(void *data, struct mcp_request *r) {
    struct echo *s = data;
    switch ((int)mcp_method(r)) {
    case MCP_TOOLS_LIST: mcp_answer(r, s->list); break;
    case MCP_TOOLS_CALL: call(r); break;
    default: mcp_refuse(r, RPC_NO_METHOD, NULL, "not here"); break;
    }
}

static const struct json *capabilities(void *data, enum mcp_era era) {
    (void)era;
    return ((struct echo *)data)->capabilities;
}

static void on_http(void *data, struct exchange *x) {
    mcp_serve_http(((struct echo *)data)->server, x, NULL);
}

static void stop(void *data) {
    loop_stop(data);
}

static void on_signal(void *data, int number) {
    (void)number;
    loop_stop(data);
}

static int serve(struct echo *s, const char *address, struct err *e) {
    const int signals[] = {SIGTERM, SIGINT, 0};
    struct server *http = NULL;
    if (loop_signals(s->loop, signals, on_signal, s->loop, e)) return -1;
    if (address) {
        const struct server_config config = {.address = address,
                                             .connections = 20000,
                                             .handle = on_http,
                                             .data = s};
        http = server_new(s->loop, &config, e);
        if (!http) return -1;
        printf("%u\n", server_port(http));
        (void)fflush(stdout);
    } else if (mcp_serve_stdio(s->server, 0, 1, stop, s->loop, e)) {
        return -1;
    }
    int result = loop_run(s->loop, e);
    server_free(http);
    return result;
}

static const char echo_tool[] =
    "{\"tools\":[{\"name\":\"echo\",\"description\":\"Echo a message\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"message\":"
    "{\"type\":\"string\"}},\"required\":[\"message\"]},"
    "\"annotations\":{\"readOnlyHint\":true}}]}";

static int run(const char *tools, const char *address, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    AUTO_ARENA struct arena a = ARENA_MAX(TREE_BYTES);
    AUTO_LOOP struct loop *loop = loop_new(e);
    struct log log = LOG_TO(2, LOG_WARN);
    struct echo s = {.loop = loop};
    if (!loop || (tools && file_read(tools, &text, e)) ||
        json_parse(tools ? buf_str(&text) : str_of(echo_tool), NULL, &a,
                   &s.list, e) ||
        json_parse(STR("{\"tools\":{}}"), NULL, &a, &s.capabilities, e))
        return -1;
    const struct mcp_service service = {.name = "echo",
                                        .version = "1.0.0",
                                        .capabilities = capabilities,
                                        .handle = handle,
                                        .data = &s};
    s.server = mcp_server_new(loop, &service, &log, e);
    if (!s.server) return -1;
    int result = serve(&s, address, e);
    mcp_server_free(s.server);
    return result;
}

int main(int argc, char **argv) {
    struct err e;
    bool with_list = argc == 3 && !strcmp(argv[1], "--tools");
    if (!run(with_list ? argv[2] : NULL,
             !with_list && argc > 1 ? argv[1] : NULL, &e))
        return 0;
    (void)fprintf(stderr, "echo: %s\n", e.text);
    return 1;
}
