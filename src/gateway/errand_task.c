/* SPDX-License-Identifier: MIT
 *
 * Tasks of the gateway's own. A host that knows tasks is answered with a
 * promise for a tool that is made for that, whatever its server can do: the
 * errand goes on in the background, and what becomes of it is kept for the
 * host.
 *
 * Which tools these are says the server (execution.taskSupport), or the user
 * ("task" in the configuration). A legacy host says with its call whether it
 * wants one, and may do without. A modern one is asked nothing: where a task is
 * optional there is one at once.
 * A tool that must be one may first ask for what it needs: until its server has
 * begun, its questions belong to the request.
 */
#include "gateway/errand.h"

/* A server that has not asked anything by then has begun. */
#define BEGINNING HUB_SECOND

enum mcp_task_support errand_task_support(const struct member *m,
                                          const struct entry *tool) {
    const struct json *own =
        m && m->spec ? json_get_str(m->spec->tools, tool->tool.name) : NULL;
    str word = json_get_text(own, "task", (str){NULL, 0});
    if (!word.p) return mcp_task_support(tool->definition);
    if (str_is(word, "required")) return MCP_TASK_REQUIRED;
    return str_is(word, "optional") ? MCP_TASK_OPTIONAL : MCP_TASK_FORBIDDEN;
}

bool errand_promise(struct mcp_request *r, const struct member *m,
                    const struct entry *tool, bool *later) {
    enum mcp_task_support support = errand_task_support(m, tool);
    bool required = support == MCP_TASK_REQUIRED;
    *later = false;
    if (support == MCP_TASK_FORBIDDEN || mcp_era(r) != MCP_MODERN) return true;
    if (required && mcp_client_can(r, MCP_CAN_TASKS)) {
        *later = true;
        return true;
    }
    return mcp_make_task(r, required) != MCP_TASK_REFUSED;
}

static void on_begun(struct io_timer *timer) {
    errand_begun(timer->data);
}

void errand_expect(struct errand *t) {
    struct err e;
    if (!t->promised) return;
    loop_timer_stop(&t->beginning);
    t->beginning = (struct io_timer){.fn = on_begun, .data = t};
    if (loop_timer(t->hub->loop, &t->beginning, BEGINNING, &e)) errand_begun(t);
}

bool errand_keep_promise(struct errand *t) {
    loop_timer_stop(&t->beginning);
    if (!t->promised || !t->request) return true;
    t->promised = false;
    if (mcp_make_task(t->request, true) != MCP_TASK_REFUSED) return true;
    t->request = NULL; /* it has ended */
    return false;
}

void errand_begun(struct errand *t) {
    if (!errand_keep_promise(t)) errand_cancel(t);
}
