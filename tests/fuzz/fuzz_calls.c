/* SPDX-License-Identifier: MIT
 *
 * What a task sends over the socket to its tools, in one piece and cut in two:
 * questions, or the end of the conversation.
 */
#include "fuzz.h"

#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/calls.h"

static void feed(struct calls *c, int task, const uint8_t *data, size_t size) {
    struct err e;
    struct task_call call;
    if (c->fd < 0 || size == 0) return;
    assert(send(task, data, size, MSG_NOSIGNAL) == (ssize_t)size);
    if (calls_turn(c, &e)) return;
    for (;;) {
        AUTO_ARENA struct arena a = ARENA_MAX(64 << 20);
        if (calls_next(c, &a, &call, &e) <= 0) return;
        assert(json_type(call.args) == JSON_ARRAY);
        assert(json_type(call.kwargs) == JSON_OBJECT);
        if (call.id & 1) (void)calls_answer(c, call.id, call.kwargs, &e);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a.b", NULL};
    struct err e;
    struct calls c;
    int task;
    if (size > 60000) return 0;
    if (calls_open(&c, names, &task, &e)) return 0;
    size_t half = size ? data[size - 1] % size : 0;
    feed(&c, task, data, half);
    feed(&c, task, data + half, size - half);
    calls_close(&c);
    close(task);
    return 0;
}
