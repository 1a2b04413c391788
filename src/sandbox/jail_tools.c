/* SPDX-License-Identifier: MIT
 *
 * Tools that a task may call.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sandbox/jail_inside.h"

/* A runtime that passes nothing but the standard streams. */
static int take_input(struct jail *j, bool has_input, int theirs,
                      struct err *e) {
    if (has_input)
        return fail(e, ERR_UNSUPPORTED,
                    "tier gvisor: tools take the place of standard input");
    if (dup3(theirs, j->std[0], O_CLOEXEC) < 0) return fail_sys(e, "tools");
    return 0;
}

/* The task's end becomes the first of its descriptors. */
int jail_open_tools(struct jail *j, bool has_input, int *theirs,
                    struct err *e) {
    const struct cage *c = j->cage;
    if (!c->tools) return 0;
    if (c->fd_count == CAGE_MAX_FDS)
        return fail(e, ERR_LIMIT, "more than %d descriptors", CAGE_MAX_FDS);
    if (calls_open(&j->tools, c->tools, theirs, e)) return -1;
    if (c->tier == TIER_GVISOR) return take_input(j, has_input, *theirs, e);
    struct cage made = *c;
    made.fds[0] = *theirs;
    memcpy(made.fds + 1, c->fds, c->fd_count * sizeof c->fds[0]);
    made.fd_count++;
    j->made = made;
    j->cage = &j->made;
    return 0;
}

void jail_on_call(struct jail *j, jail_call_fn *fn, void *context) {
    j->on_tool = fn;
    j->on_tool_context = context;
}

/* What is not wanted now must not wake us: a task with too many calls in
 * flight waits for the first answer. */
static int tools_interest(struct jail *j, struct err *e) {
    if (j->tools.fd < 0) return 0;
    bool busy = j->tools.waiting_count == CALLS_MAX_WAITING;
    uint32_t want =
        (busy ? 0 : EPOLLIN) | (calls_full(&j->tools) ? EPOLLOUT : 0);
    if (want == j->tools_events) return 0;
    struct epoll_event event = {.events = want, .data.u32 = FROM_TOOLS};
    if (epoll_ctl(j->epoll, EPOLL_CTL_MOD, j->tools.fd, &event) < 0)
        return fail_sys(e, "watch");
    j->tools_events = want;
    return 0;
}

static int give_tool(struct jail *j, const struct task_call *call,
                     struct err *e) {
    if (!j->on_tool)
        return calls_refuse(&j->tools, call->id, NULL, "there are no tools", e);
    j->on_tool(j->on_tool_context, j, call);
    return 0;
}

/* A task that breaks the rules loses its tools, not its life. */
int jail_on_tools(struct jail *j, struct err *e) {
    struct err broken;
    if (j->in_tools || calls_turn(&j->tools, &broken)) return 0;
    int rc = 0;
    j->in_tools = true;
    while (!rc) {
        AUTO_ARENA struct arena a = ARENA_MAX((size_t)8 * CALLS_MAX_FRAME);
        struct task_call call;
        if (calls_next(&j->tools, &a, &call, &broken) <= 0) break;
        rc = give_tool(j, &call, e);
    }
    j->in_tools = false;
    return rc ? -1 : tools_interest(j, e);
}

int jail_answer(struct jail *j, int64_t id, const struct json *result,
                struct err *e) {
    if (calls_answer(&j->tools, id, result, e)) return -1;
    return jail_on_tools(j, e); /* there may be calls that waited for room */
}

int jail_refuse(struct jail *j, int64_t id, const char *type,
                const char *message, struct err *e) {
    if (calls_refuse(&j->tools, id, type, message, e)) return -1;
    return jail_on_tools(j, e);
}
