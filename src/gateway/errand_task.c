/* SPDX-License-Identifier: MIT
 *
 * Tasks of the gateway's own. A host that knows tasks is answered with a
 * promise for a tool that is made for that, whatever its server can do: the
 * errand goes on in the background, and what becomes of it is kept for the
 * host.
 *
 * Which tools these are says the server (execution.taskSupport), or the user
 * ("task" in the configuration). Where a task is optional there is one at once.
 * A tool that must be one may first ask for what it needs: until its server has
 * begun, its questions belong to the request.
 */
#include "gateway/errand.h"

/* A server that has not asked anything by then has begun. */
#define BEGINNING HUB_SECOND

enum support { NEVER, OPTIONAL, REQUIRED };

static enum support support_of(const struct member *m,
                               const struct entry *tool) {
    const struct json *own =
        m && m->spec ? json_get_str(m->spec->tools, tool->tool.name) : NULL;
    str said = json_get_text(json_get(tool->definition, "execution"),
                             "taskSupport", STR("forbidden"));
    str word = json_get_text(own, "task", said);
    if (str_is(word, "required")) return REQUIRED;
    return str_is(word, "optional") ? OPTIONAL : NEVER;
}

bool errand_promise(struct mcp_request *r, const struct member *m,
                    const struct entry *tool, bool *later) {
    enum support support = support_of(m, tool);
    *later = false;
    if (support == NEVER || mcp_era(r) != MCP_MODERN) return true;
    if (support == REQUIRED && mcp_client_can(r, MCP_CAN_TASKS)) {
        *later = true;
        return true;
    }
    return mcp_make_task(r, support == REQUIRED) != MCP_TASK_REFUSED;
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
