/* SPDX-License-Identifier: MIT
 *
 * The MCP endpoint of `cordon serve`.
 */
#include <unistd.h>

#include "base/file.h"
#include "cli/serve.h"

static void on_http(void *data, struct exchange *x,
                    const struct front_caller *who) {
    struct serve *s = data;
    const struct mcp_who caller = {who->principal, who->scopes};
    mcp_serve_http(hub_server(s->hub), x, &caller);
}

/* The host closed our input: it is done with us. */
static void on_end(void *data) {
    loop_stop(((struct serve *)data)->loop);
}

/* Nothing but messages may reach the host: what else writes to standard output
 * goes to standard error. */
static int take_streams(int *in, int *out, struct err *e) {
    *in = dup(STDIN_FILENO);
    *out = dup(STDOUT_FILENO);
    if (*in < 0 || *out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return fail_sys(e, "standard input and output");
    return 0;
}

int serve_mcp_start(struct serve *s, struct err *e) {
    const struct front_route route = {
        .prefix = "/mcp", .handle = on_http, .data = s};
    int in, out;
    if (s->front) return front_mount(s->front, &route, e);
    if (take_streams(&in, &out, e)) return -1;
    return mcp_serve_stdio(hub_server(s->hub), in, out, on_end, s, e);
}

void serve_mcp_end(struct serve *s) {
    (void)s;
}
