/* SPDX-License-Identifier: MIT */
#include "agent/aside.h"

#include "base/clock.h"
#include "base/mem.h"

#define ROOM         ((size_t)16 << 20)
#define ANSWER_BYTES ((size_t)256 << 10)

struct aside {
    struct model_config config;
    struct loop *loop; /* of questions that are waited for */
    struct client *client;
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

/* -- in a loop ---------------------------------------------------------------
 */

static void fail_with(struct aside_question *q, const struct err *e) {
    q->failed = true;
    q->why = *e;
}

static void read_answer(struct aside_question *q,
                        const struct model_answer *m) {
    struct err why;
    if (m->stop == STOP_ERROR || m->stop == STOP_REFUSED) {
        err_set(&why, ERR_PEER, "the model: %s %.*s", stop_name(m->stop),
                STR_ARG(m->error.message));
        fail_with(q, &why);
        return;
    }
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (p->kind == PART_TEXT && buf_add_str(&q->answer, p->text, &why)) {
            fail_with(q, &why);
            return;
        }
}

static void on_done(void *data, const struct model_answer *m,
                    const struct err *e) {
    struct aside_question *q = data;
    q->over = true;
    if (m)
        read_answer(q, m);
    else
        fail_with(q, e);
    if (q->done) q->done(q);
}

int aside_start(struct aside *a, struct loop *loop, struct client *client,
                str instruction, str question, int64_t max_tokens,
                int64_t budget_ns, struct aside_question *q, struct err *e) {
    static const struct turn_events events = {.done = on_done};
    AUTO_ARENA struct arena scratch = ARENA_MAX(ROOM);
    struct model_config config = a->config;
    struct model_request r = {.model = config.model,
                              .max_tokens = max_tokens,
                              .choice = {.parallel = -1}};
    config.retries = -1;
    config.timeout_ns = budget_ns;
    q->answer = BUF_MAX(ANSWER_BYTES);
    if (!messages_say(&r.messages, ROLE_SYSTEM, instruction, &scratch, e) ||
        !messages_say(&r.messages, ROLE_USER, question, &scratch, e))
        return -1;
    q->turn = turn_start(client, loop, &config, &r, &events, q, e);
    return q->turn ? 0 : -1;
}

void aside_stop(struct aside_question *q) {
    turn_free(q->turn);
    buf_fini(&q->answer);
}

/* -- waited for --------------------------------------------------------------
 */

/* Until the answer is there or the time is over. */
static int wait(struct aside *a, struct aside_question *q, int64_t end,
                struct err *e) {
    while (!q->over) {
        int64_t left = end - clock_mono_ns();
        if (left <= 0) return fail(e, ERR_TIMEOUT, "the model took too long");
        if (loop_step(a->loop, left, e)) return -1;
    }
    if (!q->failed) return 0;
    *e = q->why;
    return -1;
}

int aside_ask(struct aside *a, str instruction, str question,
              int64_t max_tokens, int64_t budget_ns, struct buf *answer,
              struct err *e) {
    struct aside_question q = {0};
    int64_t end = clock_mono_ns() + budget_ns;
    int result = aside_start(a, a->loop, a->client, instruction, question,
                             max_tokens, budget_ns, &q, e) ||
                 wait(a, &q, end, e) ||
                 buf_add_str(answer, buf_str(&q.answer), e);
    aside_stop(&q);
    return result ? -1 : 0;
}
