/* SPDX-License-Identifier: MIT */
#include "gateway/code.h"

#include <stdio.h>
#include <string.h>

#include "base/codec.h"
#include "base/mem.h"
#include "gateway/question.h"
#include "runs/tool.h"
#include "sandbox/files.h"
#include "json/build.h"
#include "json/write.h"

#define TEXT_BYTES ((size_t)16 << 20)
#define WAIT_NS    ((int64_t)50 * 1000000000)
#define TASK_NS    ((int64_t)1 * 1000000000) /* what takes longer is a task */

struct code {
    struct code_config config;
    char mark[STORE_ID]; /* of this process: sessions of the next are others */
};

/* One request of the tool. */
struct asking {
    struct code *code;
    struct mcp_request *request;
    struct run_waiter waiter;
    struct io_timer timer; /* after which it is answered for as running */
    bool job;              /* only its id is waited for */
    char run[STORE_ID];
};

/* -- answers ------------------------------------------------------------------
 */

static void build_picture(struct asking *q, const struct json *picture,
                          struct json_build *b) {
    AUTO_BUF struct buf bytes = BUF_MAX(FILES_SHOWN);
    AUTO_BUF struct buf text = BUF_MAX(2 * FILES_SHOWN);
    str handle = json_get_text(picture, "handle", STR(""));
    size_t size;
    struct err e; /* one that is not kept any more is left out */
    if (store_blob_get(q->code->config.store, handle, str_of(q->run), 0,
                       FILES_SHOWN, &bytes, &size, NULL, &e) ||
        base64_encode(buf_str(&bytes), &text, &e))
        return;
    build_object(b);
    build_put_text(b, "type", STR("image"));
    build_put_text(b, "data", buf_str(&text));
    build_put_text(b, "mimeType", json_get_text(picture, "type", STR("")));
    build_end(b);
}

static int build_result(struct asking *q, const struct json *outcome,
                        bool failed, const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    struct json_build b = JSON_BUILD(mcp_arena(q->request));
    const struct json *pictures = json_get(outcome, "pictures");
    if (run_code_text(outcome, &text, e)) return -1;
    build_object(&b);
    build_key(&b, STR("content"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "type", STR("text"));
    build_put_text(&b, "text", buf_str(&text));
    build_end(&b);
    for (size_t i = 0; pictures && i < json_len(pictures); i++)
        build_picture(q, json_at(pictures, i), &b);
    build_end(&b);
    build_put(&b, "structuredContent", outcome);
    build_put_bool(&b, "isError", failed);
    build_end(&b);
    return build_done(&b, out, e);
}

static void answer(struct asking *q, const struct json *outcome, bool failed) {
    struct mcp_request *r = q->request;
    const struct json *result;
    struct err e;
    loop_timer_stop(&q->timer);
    runs_unwait(q->code->config.runs, &q->waiter);
    mcp_set_state(r, NULL);
    if (build_result(q, outcome, failed, &result, &e))
        hub_answer_text(r, str_of(e.text), true);
    else
        mcp_answer(r, result);
}

static void answer_error(struct mcp_request *r, const struct err *e) {
    mcp_set_state(r, NULL);
    hub_answer_text(r, str_of(e->text), true);
}

/* -- waiting for a run --------------------------------------------------------
 */

static int ask_host(struct asking *q, str approval, struct err *e) {
    mcp_set_state(q->request, NULL);
    return question_put(q->request, q->code->config.store, q->run, approval, e);
}

static void on_done(struct run_waiter *w, enum run_state state,
                    const struct json *outcome) {
    struct asking *q = w->data;
    struct err e;
    str approval =
        json_get_text(json_get(outcome, "waiting"), "approval", STR(""));
    loop_timer_stop(&q->timer);
    if (state == RUN_WAITING && approval.n &&
        mcp_client_can(q->request, "elicitation") &&
        ask_host(q, approval, &e) == 0)
        return;
    answer(q, outcome, state != RUN_DONE && state != RUN_WAITING);
}

static void on_progress(struct run_waiter *w, double done, double total,
                        str message) {
    struct asking *q = w->data;
    char text[256];
    snprintf(text, sizeof text, "%.*s", STR_ARG(message));
    mcp_progress(q->request, done, total, text);
}

/* A promise for a host that knows tasks: then the run may take its time. False
 * where there is none. The request may be over afterwards, so that the run must
 * not know of it while that is decided. */
static bool promise(struct asking *q) {
    struct code *c = q->code;
    struct mcp_request *r = q->request;
    struct err e;
    if (q->job) return false;
    runs_unwait(c->config.runs, &q->waiter);
    enum mcp_task_outcome outcome = mcp_make_task(r, false);
    if (outcome == MCP_TASK_REFUSED) return true;
    if (runs_wait(c->config.runs, str_of(q->run), &q->waiter, &e))
        answer_error(r, &e);
    else if (outcome == MCP_TASK_NONE)
        return false;
    return true;
}

static void on_long(struct io_timer *t) {
    struct asking *q = t->data;
    if (promise(q)) return;
    struct json_build b = JSON_BUILD(mcp_arena(q->request));
    const struct json *outcome;
    struct err e;
    build_object(&b);
    build_put_text(&b, "run", str_of(q->run));
    build_put_text(&b, "state", STR("running"));
    build_put_text(&b, "hint",
                   STR("It takes longer. Call run_code with this run's id to "
                       "wait for it."));
    build_end(&b);
    if (build_done(&b, &outcome, &e)) {
        runs_unwait(q->code->config.runs, &q->waiter);
        answer_error(q->request, &e);
        return;
    }
    answer(q, outcome, false);
}

/* -- requests -----------------------------------------------------------------
 */

static struct asking *new_asking(struct code *c, struct mcp_request *r,
                                 struct err *e) {
    struct asking *q = arena_zalloc(mcp_arena(r), 1, sizeof *q, e);
    if (!q) return NULL;
    q->code = c;
    q->request = r;
    q->waiter = (struct run_waiter){
        .done = on_done, .progress = on_progress, .data = q};
    q->timer = (struct io_timer){.fn = on_long, .data = q};
    mcp_set_state(r, q);
    return q;
}

/* A run is somebody's: others do not learn that it exists. */
static int check_owner(struct code *c, const struct mcp_request *r, str run,
                       struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct store_run row;
    if (store_run_get(c->config.store, run, &a, &row, e)) return -1;
    if (str_eq(row.principal, mcp_who(r)->principal)) return 0;
    return fail(e, ERR_MISSING, "run %.*s: not in the store", STR_ARG(run));
}

/* How long its answer is waited for. */
static int64_t patience(const struct asking *q) {
    const struct code_config *config = &q->code->config;
    int64_t most = config->wait_ns ? config->wait_ns : WAIT_NS;
    if (q->job) return 0;
    bool tasks = mcp_era(q->request) == MCP_MODERN &&
                 mcp_client_can(q->request, MCP_CAN_TASKS);
    return tasks && most > TASK_NS ? TASK_NS : most;
}

static int wait_for(struct asking *q, str run, struct err *e) {
    struct code *c = q->code;
    if (run.n >= STORE_ID) return fail(e, ERR_MISSING, "no such run");
    snprintf(q->run, sizeof q->run, "%.*s", STR_ARG(run));
    if (check_owner(c, q->request, run, e) ||
        loop_timer(c->config.loop, &q->timer, patience(q), e))
        return -1;
    if (runs_wait(c->config.runs, run, &q->waiter, e) == 0) return 0;
    loop_timer_stop(&q->timer);
    return -1;
}

static int submit(struct asking *q, str code, const struct json *arguments,
                  struct err *e) {
    struct code *c = q->code;
    str job = json_get_text(arguments, "job", STR(""));
    const char *conversation =
        arena_printf(mcp_arena(q->request), e, "%.*s@%s",
                     STR_ARG(mcp_session_name(q->request)), c->mark);
    if (!conversation) return -1;
    struct run_request run = {
        .program = code,
        .session = json_get_text(arguments, "session", STR("")),
        .conversation = str_of(conversation),
        .principal = mcp_who(q->request)->principal,
        .scopes = mcp_who(q->request)->scopes,
        .client = STR("mcp"),
        .kind = job.n ? "job" : "run",
        .tier = job.n ? job : json_get_text(arguments, "tier", STR("")),
        .can_ask = true,
        .waiter = &q->waiter,
    };
    q->job = job.n > 0;
    if (loop_timer(c->config.loop, &q->timer, patience(q), e)) return -1;
    if (runs_submit(c->config.runs, &run, q->run, e) == 0) return 0;
    loop_timer_stop(&q->timer);
    return -1;
}

static int take_answer(struct asking *q, struct err *e) {
    const struct code_config *config = &q->code->config;
    if (question_answer(q->request, config->store, config->audit, e)) return -1;
    return wait_for(q, question_run(q->request), e);
}

static int begin(struct asking *q, const struct json *arguments,
                 struct err *e) {
    str code = json_get_text(arguments, "code", STR(""));
    str run = json_get_text(arguments, "run", STR(""));
    if (question_run(q->request).n) return take_answer(q, e);
    if (run.n) return wait_for(q, run, e);
    if (code.n) return submit(q, code, arguments, e);
    return fail(e, ERR_INVALID, "code: a program is wanted");
}

static void call(void *data, struct hub *h, struct mcp_request *r,
                 const struct json *arguments) {
    struct code *c = data;
    struct err e;
    (void)h;
    struct asking *q = new_asking(c, r, &e);
    if (!q || begin(q, arguments, &e)) answer_error(r, &e);
}

static void cancelled(void *data, struct mcp_request *r) {
    struct code *c = data;
    struct err e;
    struct asking *q = mcp_state(r);
    if (q &&
        runs_cancel(c->config.runs, str_of(q->run), "the client cancelled", &e))
        answer_error(r, &e);
}

struct code *code_new(const struct code_config *config, struct hub *h,
                      struct err *e) {
    struct code *c = mem_zalloc(1, sizeof *c, e);
    if (!c) return NULL;
    c->config = *config;
    struct hub_tool tool = {.definition = run_code_definition,
                            .call = call,
                            .cancelled = cancelled,
                            .data = c};
    if (store_new_id("", c->mark, e) == 0 && hub_add_tool(h, &tool, e) == 0)
        return c;
    mem_free(c);
    return NULL;
}

void code_free(struct code *c) {
    mem_free(c);
}
