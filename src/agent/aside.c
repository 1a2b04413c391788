/* SPDX-License-Identifier: MIT */
#include "agent/aside.h"

#include "base/clock.h"
#include "base/mem.h"

#define ROOM ((size_t)16 << 20)

struct aside {
    struct model_config config;
    struct loop *loop;
    struct client *client;
    struct buf *answer; /* of the question under way */
    bool over, failed;
    struct err why;
};

struct aside *aside_new(const struct model_config *config, struct err *e) {
    struct aside *a = mem_zalloc(1, sizeof *a, e);
    if (!a) return NULL;
    a->config = *config;
    a->loop = loop_new(e);
    if (a->loop) a->client = client_new(a->loop, e);
    if (a->client) return a;
    aside_free(a);
    return NULL;
}

void aside_free(struct aside *a) {
    if (!a) return;
    if (a->client) client_free(a->client);
    if (a->loop) loop_free(a->loop);
    mem_free(a);
}

static void fail_with(struct aside *a, const struct err *e) {
    a->failed = true;
    a->why = *e;
}

static void on_done(void *data, const struct model_answer *m,
                    const struct err *e) {
    struct aside *a = data;
    struct err why;
    a->over = true;
    if (!m) {
        fail_with(a, e);
        return;
    }
    if (m->stop == STOP_ERROR || m->stop == STOP_REFUSED) {
        err_set(&why, ERR_PEER, "the model: %s %.*s", stop_name(m->stop),
                STR_ARG(m->error.message));
        fail_with(a, &why);
        return;
    }
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (p->kind == PART_TEXT && buf_add_str(a->answer, p->text, &why)) {
            fail_with(a, &why);
            return;
        }
}

/* Until the answer is there or the time is over. */
static int wait(struct aside *a, int64_t end, struct err *e) {
    while (!a->over) {
        int64_t left = end - clock_mono_ns();
        if (left <= 0) return fail(e, ERR_TIMEOUT, "the model took too long");
        if (loop_step(a->loop, left, e)) return -1;
    }
    if (!a->failed) return 0;
    *e = a->why;
    return -1;
}

int aside_ask(struct aside *a, str instruction, str question,
              int64_t max_tokens, int64_t budget_ns, struct buf *answer,
              struct err *e) {
    static const struct turn_events events = {.done = on_done};
    AUTO_ARENA struct arena scratch = ARENA_MAX(ROOM);
    struct model_config config = a->config;
    struct model_request q = {.model = config.model,
                              .max_tokens = max_tokens,
                              .choice = {.parallel = -1}};
    config.retries = -1;
    config.timeout_ns = budget_ns;
    if (!messages_say(&q.messages, ROLE_SYSTEM, instruction, &scratch, e) ||
        !messages_say(&q.messages, ROLE_USER, question, &scratch, e))
        return -1;
    a->answer = answer;
    a->over = a->failed = false;
    struct turn *turn =
        turn_start(a->client, a->loop, &config, &q, &events, a, e);
    if (!turn) return -1;
    int result = wait(a, clock_mono_ns() + budget_ns, e);
    turn_free(turn);
    return result;
}
