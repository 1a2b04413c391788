/* SPDX-License-Identifier: MIT
 *
 * One request of a host on its way to a server and back.
 *
 * When the server asks something in between, the errand stays and the host is
 * asked: a legacy one while its request waits, a modern one by ending its
 * request with input-required, whose sealed state names the errand. The next
 * request with that state finds it again. Nobody else can: the state is bound
 * to who asked and what for.
 */
#include <stdio.h>
#include <string.h>

#include "base/codec.h"
#include "base/hash.h"
#include "base/mem.h"
#include "call/approval.h"
#include "gateway/hub_inside.h"
#include "gateway/sample.h"
#include "gateway/uris.h"
#include "store/store.h"
#include "json/build.h"

#define PATIENCE        (15 * 60 * HUB_SECOND)
#define QUESTION_MEMORY ((size_t)256 << 20)
/* A server that wants several things asks for them in one breath, but the bytes
 * may come in several. */
#define BREATH (15 * HUB_MS)

/* Something the server wants to know. */
struct question {
    char key[16];
    const char *method;
    const struct json *params;
    void (*answer)(void *to, const struct json *result);
    void *to;
};

struct errand {
    struct hub *hub;
    struct errand *next, **link;
    struct mcp_request *request;  /* NULL: between two rounds */
    struct member *member;        /* whose URIs are in the result; or NULL */
    struct call *call;            /* through the boundary, */
    struct downstream_call *down; /* or straight to the server */
    struct call_request tool;     /* what the boundary was asked */
    char approval[STORE_ID];      /* what a person is asked about it */
    char id[HASH_ID_SIZE];
    struct arena memory; /* of the questions */
    struct question questions[HUB_QUESTIONS_MAX];
    size_t question_count;
    unsigned next_key;
    bool can[3]; /* what the host can be asked, as `askable` has it */
    struct io_timer breath;   /* until the questions so far are asked */
    struct io_timer patience; /* until nobody is thought to come back */
};

static const struct {
    const char *method, *capability;
} askable[] = {
    {"elicitation/create", "elicitation"},
    {"sampling/createMessage", "sampling"},
    {"roots/list", "roots"},
};
enum { ASKABLE = sizeof askable / sizeof askable[0] };

/* -- life --------------------------------------------------------------------
 */

static void ask_host(struct io_timer *t);
static void on_impatient(struct io_timer *t);

static struct errand *errand_new(struct hub *h, struct mcp_request *r) {
    struct err e;
    struct errand *t = mem_zalloc(1, sizeof *t, &e);
    if (!t || hash_random_id(t->id, &e)) {
        mem_free(t);
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return NULL;
    }
    t->hub = h;
    t->request = r;
    t->memory = ARENA_MAX(QUESTION_MEMORY);
    for (size_t i = 0; i < ASKABLE; i++)
        t->can[i] = mcp_client_can(r, askable[i].capability);
    t->breath = (struct io_timer){.fn = ask_host, .data = t};
    t->patience = (struct io_timer){.fn = on_impatient, .data = t};
    t->next = h->errands;
    t->link = &h->errands;
    if (t->next) t->next->link = &t->next;
    h->errands = t;
    mcp_set_state(r, t);
    return t;
}

/* Whoever still waits for an answer learns that there is none. */
static void drop_questions(struct errand *t) {
    while (t->question_count) {
        struct question *q = &t->questions[--t->question_count];
        q->answer(q->to, NULL);
    }
}

static void errand_free(struct errand *t) {
    drop_questions(t);
    loop_timer_stop(&t->breath);
    loop_timer_stop(&t->patience);
    *t->link = t->next;
    if (t->next) t->next->link = t->link;
    if (t->request) mcp_set_state(t->request, NULL);
    arena_fini(&t->memory);
    mem_free(t);
}

static struct errand *find(struct hub *h, str id) {
    for (struct errand *t = h->errands; t; t = t->next)
        if (str_is(id, t->id)) return t;
    return NULL;
}

/* Takes the request out of the errand, to be answered. */
static struct mcp_request *take_request(struct errand *t) {
    struct mcp_request *r = t->request;
    t->request = NULL;
    if (r) mcp_set_state(r, NULL);
    return r;
}

void errand_cancel(struct errand *t) {
    struct call *call = t->call;
    struct downstream_call *down = t->down;
    struct mcp_request *r;
    if (call) { /* its end comes before this returns */
        boundary_cancel(call, "the client does not want it any more");
        return;
    }
    if (down) downstream_cancel(down, "the client does not want it any more");
    r = take_request(t);
    errand_free(t);
    if (r) mcp_refuse(r, RPC_INTERNAL, NULL, "cancelled");
}

void errand_abandon(struct hub *h, str memo) {
    struct errand *t = find(h, memo);
    if (t) errand_cancel(t);
}

static void on_impatient(struct io_timer *timer) {
    errand_cancel(timer->data);
}

void errands_free(struct hub *h) {
    while (h->errands) {
        h->errands->request = NULL; /* the server that held it is gone */
        errand_cancel(h->errands);
    }
}

/* -- questions ---------------------------------------------------------------
 */

/* The question's method, if the host can be asked it. */
static const char *askable_method(const struct errand *t, str method) {
    for (size_t i = 0; i < ASKABLE; i++)
        if (t->can[i] && str_is(method, askable[i].method))
            return askable[i].method;
    return NULL;
}

static void ask_soon(struct errand *t) {
    struct err e;
    if (t->breath.place) return;
    if (loop_timer(t->hub->loop, &t->breath, BREATH, &e)) ask_host(&t->breath);
}

static const struct json *keep(struct errand *t, const struct json *v) {
    struct json_build b = JSON_BUILD(&t->memory);
    const struct json *copy;
    struct err e;
    if (!v) return NULL;
    build_copy(&b, v);
    return build_done(&b, &copy, &e) ? NULL : copy;
}

/* A host that has no model to ask leaves it to ours, where the user allowed
 * that for this server. */
static bool ask_model(const struct errand *t, str method,
                      const struct json *params,
                      void (*answer)(void *to, const struct json *result),
                      void *to) {
    struct samples *ours = t->hub->config.samples;
    const struct server_spec *spec = t->member ? t->member->spec : NULL;
    struct err e;
    if (!ours || !spec || !spec->sampling || !params ||
        !str_is(method, "sampling/createMessage"))
        return false;
    str model = json_type(spec->sampling) == JSON_STRING
                    ? json_str(spec->sampling)
                    : STR("");
    log_info(t->hub->log, "%s asks a model", spec->name);
    if (sample_ask(ours, model, params, answer, to, &e) == 0) return true;
    log_warn(t->hub->log, "%s: sampling: %s", spec->name, e.text);
    return false;
}

/* One that comes while the host ponders another waits for its return. */
static void take_question(struct errand *t, str method,
                          const struct json *params,
                          void (*answer)(void *to, const struct json *result),
                          void *to) {
    const char *name = askable_method(t, method);
    bool parked = t->patience.place != 0;
    if (!name && ask_model(t, method, params, answer, to)) return;
    if (!name || t->question_count == HUB_QUESTIONS_MAX ||
        (!t->request && !parked)) {
        answer(to, NULL);
        return;
    }
    struct question *q = &t->questions[t->question_count++];
    *q = (struct question){
        .method = name, .params = keep(t, params), .answer = answer, .to = to};
    (void)snprintf(q->key, sizeof q->key, "q%u", ++t->next_key);
    if (t->request) ask_soon(t);
}

/* After mcp_wait the request is not ours: a modern one has ended, a legacy one
 * waits and comes back through errand_resume, or is abandoned. */
static void ask_host(struct io_timer *timer) {
    struct errand *t = timer->data;
    struct mcp_request *r = t->request;
    struct err e;
    if (!r || !t->question_count) return;
    for (size_t i = 0; i < t->question_count; i++) {
        struct question *q = &t->questions[i];
        const char *key = arena_text(mcp_arena(r), str_of(q->key), &e);
        if (!key) {
            errand_cancel(t);
            return;
        }
        mcp_need(r, key, q->method, q->params);
    }
    (void)take_request(t);
    (void)loop_timer(t->hub->loop, &t->patience, PATIENCE, &e);
    mcp_wait(r, (str){t->id, 32});
}

/* The first question that the host has answered; false: none. */
static bool next_answer(struct errand *t, const struct mcp_request *r,
                        struct question *out, const struct json **answer) {
    for (size_t i = 0; i < t->question_count; i++) {
        const struct json *v = mcp_input(r, t->questions[i].key);
        if (!v) continue;
        *out = t->questions[i];
        *answer = v;
        t->question_count--;
        memmove(&t->questions[i], &t->questions[i + 1],
                (t->question_count - i) * sizeof *t->questions);
        return true;
    }
    return false;
}

/* Answering may end the errand, so it is looked for each time. */
bool errand_resume(struct hub *h, struct mcp_request *r) {
    str memo = mcp_memo(r);
    const struct json *answer;
    struct question q;
    if (!memo.p) return false;
    struct errand *t = find(h, memo);
    if (!t || t->request) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "this request is over");
        return true;
    }
    loop_timer_stop(&t->patience);
    t->request = r;
    mcp_set_state(r, t);
    while (t && t->request == r && next_answer(t, r, &q, &answer)) {
        q.answer(q.to, answer);
        t = find(h, memo);
    }
    /* What is still open is asked again. */
    if (t && t->request == r && t->question_count) ask_soon(t);
    return true;
}

/* -- telling on the way ------------------------------------------------------
 */

static double number(const struct json *v, const char *key) {
    const struct json *n = json_get(v, key);
    return n && json_is_number(n) ? json_number(n) : 0;
}

static void on_progress(void *data, const struct json *params) {
    struct errand *t = data;
    str message = json_get_text(params, "message", (str){NULL, 0});
    char text[1024];
    if (!t->request) return;
    (void)snprintf(text, sizeof text, "%.*s", STR_ARG(message));
    mcp_progress(t->request, number(params, "progress"),
                 number(params, "total"), message.p ? text : NULL);
}

static void on_logged(void *data, const struct json *params) {
    struct errand *t = data;
    int level = mcp_log_level(json_get_text(params, "level", STR("info")));
    str logger = json_get_text(params, "logger", (str){NULL, 0});
    const struct json *value = json_get(params, "data");
    char name[256];
    if (!t->request || !value) return;
    (void)snprintf(name, sizeof name, "%.*s", STR_ARG(logger));
    mcp_log_to(t->request, level < 0 ? 0 : level, logger.p ? name : NULL,
               value);
}

void errand_logged(struct hub *h, const struct member *m, str owner,
                   const struct json *params) {
    for (struct errand *t = h->errands; t; t = t->next) {
        if (t->member != m || !t->request ||
            !str_eq(mcp_who(t->request)->principal, owner))
            continue;
        on_logged(t, params);
        return;
    }
}

/* -- straight to a server ----------------------------------------------------
 */

static void answer_ask(void *to, const struct json *result) {
    if (result)
        mcp_ask_answer(to, result);
    else
        mcp_ask_refuse(to, RPC_NO_METHOD, "the client cannot be asked");
}

static void on_asked(void *data, struct mcp_ask *ask) {
    take_question(data, mcp_ask_method(ask), mcp_ask_params(ask), answer_ask,
                  ask);
}

/* Codes that changed between the eras. */
static int code_for(const struct mcp_request *r, int code) {
    if (mcp_era(r) == MCP_MODERN && code == RPC_NO_RESOURCE)
        return RPC_BAD_PARAMS;
    if (mcp_era(r) == MCP_LEGACY && code == RPC_BAD_PARAMS &&
        mcp_method(r) == MCP_RESOURCES_READ)
        return RPC_NO_RESOURCE;
    return code;
}

static void answer_failure(struct mcp_request *r,
                           const struct mcp_reply *reply) {
    if (!reply->error) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", reply->err->text);
        return;
    }
    str text = rpc_error_message(reply->error);
    mcp_refuse(r, code_for(r, rpc_error_code(reply->error)),
               json_get(reply->error, "data"), "%.*s",
               STR_ARG(str_sub(text, 0, 1000)));
}

/* What a server says of its result's era is not for the host. */
static int without_type(const struct json *result, struct arena *a,
                        const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    if (!json_get(result, "resultType")) {
        *out = result;
        return 0;
    }
    const struct json *key = json_first(result);
    build_object(&b);
    for (size_t i = json_len(result); i > 0; i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "resultType")) continue;
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

static void answer_result(struct mcp_request *r, const struct member *m,
                          const struct json *result) {
    struct arena *a = mcp_arena(r);
    str prefix = m ? str_of(m->uri_prefix) : STR("");
    const struct json *plain, *wrapped;
    struct err e;
    if (without_type(result, a, &plain, &e) ||
        uri_wrap_result(prefix, plain, a, &wrapped, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        mcp_answer(r, wrapped);
}

static void on_reply(void *data, const struct mcp_reply *reply) {
    struct errand *t = data;
    struct member *m = t->member;
    t->down = NULL;
    struct mcp_request *r = take_request(t);
    errand_free(t);
    if (!r) return; /* nobody came back for it */
    if (reply->result)
        answer_result(r, m, reply->result);
    else
        answer_failure(r, reply);
}

void errand_forward(struct hub *h, struct mcp_request *r, struct member *m,
                    const char *method, const struct json *params) {
    struct errand *t = errand_new(h, r);
    struct err e;
    if (!t) return;
    t->member = m;
    const struct downstream_spec spec = {.method = method,
                                         .params = params,
                                         .owner = mcp_who(r)->principal,
                                         .done = on_reply,
                                         .progress = on_progress,
                                         .asked = on_asked,
                                         .logged = on_logged,
                                         .data = t};
    t->down = downstream_call(m->down, &spec, &e);
    if (t->down) return;
    (void)take_request(t);
    errand_free(t);
    mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
}

/* -- through the boundary ----------------------------------------------------
 */

/* -- a person's word in between ---------------------------------------------
 */

static void call_again(struct errand *t) {
    struct call *call;
    t->tool.approval = str_of(t->approval);
    call = boundary_call(t->hub->config.boundary, &t->tool);
    if (call) t->call = call;
}

static void refuse_errand(struct errand *t, const char *why) {
    struct mcp_request *r = take_request(t);
    errand_free(t);
    if (r) hub_answer_text(r, str_of(why), true);
}

/* {"action": "accept", "content": {"decision": "once"}} */
static void on_decision(void *to, const struct json *answer) {
    struct errand *t = to;
    struct hub *h = t->hub;
    enum approval_choice choice = APPROVE_NOT;
    str action = json_get_text(answer, "action", STR(""));
    str word = json_get_text(json_get(answer, "content"), "decision", STR(""));
    char by[128];
    struct err e;
    if (!answer) return; /* the errand ends by itself */
    if (str_is(action, "accept") && approval_choice_read(word, &choice, &e))
        choice = APPROVE_NOT;
    (void)snprintf(by, sizeof by, "mcp:%.*s", STR_ARG(t->tool.who.principal));
    if (approval_answer(boundary_store(h->config.boundary), h->config.audit,
                        str_of(t->approval), choice, str_of(by), &e))
        refuse_errand(t, e.text);
    else if (choice == APPROVE_NOT)
        refuse_errand(t, "The user does not allow this call.");
    else
        call_again(t);
}

static const struct json *approval_form(struct errand *t, struct err *e) {
    AUTO_BUF struct buf card = BUF_MAX(256 << 10);
    struct json_build b = JSON_BUILD(&t->memory);
    struct store *store = boundary_store(t->hub->config.boundary);
    struct store_approval question;
    const struct json *schema, *form;
    if (store_approval_get(store, str_of(t->approval), &t->memory, &question,
                           e) ||
        approval_describe(store, &question, &card, e) ||
        json_parse(STR("{\"type\":\"object\",\"properties\":{\"decision\":{"
                       "\"type\":\"string\",\"title\":\"Allow this call?\","
                       "\"enum\":[\"once\",\"alike\",\"remember\",\"deny\"],"
                       "\"enumNames\":[\"This once\",\"And calls like it\","
                       "\"Remember it\",\"No\"]}},"
                       "\"required\":[\"decision\"]}"),
                   NULL, &t->memory, &schema, e))
        return NULL;
    build_object(&b);
    build_put_text(&b, "mode", STR("form"));
    build_put_text(&b, "message", buf_str(&card));
    build_put(&b, "requestedSchema", schema);
    build_end(&b);
    return build_done(&b, &form, e) ? NULL : form;
}

/* True when the host is being asked; then the errand goes on. */
static bool ask_approval(struct errand *t, str approval) {
    struct err e;
    if (!t->request || !approval.n || approval.n >= sizeof t->approval ||
        !askable_method(t, STR("elicitation/create")))
        return false;
    memcpy(t->approval, approval.p, approval.n);
    t->approval[approval.n] = '\0';
    const struct json *form = approval_form(t, &e);
    if (!form) {
        log_warn(t->hub->log, "approval %s: %s", t->approval, e.text);
        return false;
    }
    take_question(t, STR("elicitation/create"), form, on_decision, t);
    return true;
}

/* -- outcomes ----------------------------------------------------------------
 */

/* A refusal that a model can read and act on is a result of the tool; an error
 * of the protocol stays one, with the server's own code. */
static void answer_refusal(struct mcp_request *r,
                           const struct call_outcome *outcome) {
    AUTO_BUF struct buf text = BUF_MAX(64 << 10);
    str message = json_get_text(outcome->error, "message", STR("it failed"));
    str hint = json_get_text(outcome->error, "hint", STR(""));
    int64_t code = json_get_int(outcome->error, "server_code", 0);
    struct err e;
    if (code) {
        mcp_refuse(r, code_for(r, (int)code),
                   json_get(outcome->error, "server_data"), "%.*s",
                   STR_ARG(str_sub(message, 0, 1000)));
        return;
    }
    if (buf_addf(&text, &e, "%.*s%s%.*s", STR_ARG(message), hint.n ? "\n" : "",
                 STR_ARG(hint)))
        hub_answer_text(r, message, true);
    else
        hub_answer_text(r, buf_str(&text), true);
}

static void end_with(struct errand *t, const struct call_outcome *outcome) {
    struct member *m = t->member;
    struct mcp_request *r = take_request(t);
    errand_free(t);
    if (!r) return;
    if (outcome->status == CALL_DONE)
        answer_result(r, m, outcome->result);
    else
        answer_refusal(r, outcome);
}

static void on_outcome(void *data, const struct call_outcome *outcome) {
    struct errand *t = data;
    t->call = NULL;
    if (outcome->status != CALL_ASKED || !ask_approval(t, outcome->approval))
        end_with(t, outcome);
}

static void on_call_progress(void *data, double progress, double total,
                             str message) {
    struct errand *t = data;
    char text[1024];
    if (!t->request) return;
    (void)snprintf(text, sizeof text, "%.*s", STR_ARG(message));
    mcp_progress(t->request, progress, total, message.p ? text : NULL);
}

static void on_call_asked(void *data, str method, const struct json *params,
                          void (*answer)(void *to, const struct json *result),
                          void *to) {
    take_question(data, method, params, answer, to);
}

/* What the boundary points to must live as long as the call, and the request of
 * a modern host may end before. */
static int keep_request(struct errand *t, struct mcp_request *r, str name,
                        struct err *e) {
    struct call_request *out = &t->tool;
    const struct json *args = json_get(mcp_params(r), "arguments");
    struct json_build b = JSON_BUILD(&t->memory);
    *out = (struct call_request){
        .who = {.kind = "mcp", .can_ask = mcp_client_can(r, "elicitation")},
        .done = on_outcome,
        .progress = on_call_progress,
        .asked = on_call_asked,
        .data = t};
    if (args) {
        build_copy(&b, args);
    } else {
        build_object(&b);
        build_end(&b);
    }
    return build_done(&b, &out->args, e) ||
                   arena_dup(&t->memory, name, &out->name, e) ||
                   arena_dup(&t->memory, mcp_who(r)->principal,
                             &out->who.principal, e) ||
                   arena_dup(&t->memory, mcp_session_name(r), &out->who.session,
                             e)
               ? -1
               : 0;
}

static struct member *member_of(struct hub *h, str name) {
    const struct entry *tool =
        registry_find(boundary_registry(h->config.boundary), name);
    for (struct member *m = h->members; m && tool; m = m->next)
        if ((void *)m->provider == tool->provider) return m;
    return NULL;
}

void errand_call_tool(struct hub *h, struct mcp_request *r, str name) {
    struct errand *t = errand_new(h, r);
    struct err e;
    if (!t) return;
    if (keep_request(t, r, name, &e)) {
        (void)take_request(t);
        errand_free(t);
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    t->member = member_of(h, name);
    surface_used(h, r, name);
    struct call *call = boundary_call(h->config.boundary, &t->tool);
    /* done may have been called already, and the errand be gone. */
    if (call) t->call = call;
}
