/* SPDX-License-Identifier: MIT
 *
 * An errand's life, and the two ways it goes: straight to a server, or through
 * the boundary.
 */
#include "gateway/errand.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "gateway/uris.h"
#include "json/build.h"

#define QUESTION_MEMORY ((size_t)256 << 20)

/* -- life --------------------------------------------------------------------
 */

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
    errand_learn(t);
    t->next = h->errands;
    t->link = &h->errands;
    if (t->next) t->next->link = &t->next;
    h->errands = t;
    mcp_set_state(r, t);
    return t;
}

void errand_free(struct errand *t) {
    errand_drop_questions(t);
    loop_timer_stop(&t->breath);
    loop_timer_stop(&t->patience);
    loop_timer_stop(&t->beginning);
    *t->link = t->next;
    if (t->next) t->next->link = t->link;
    if (t->request) mcp_set_state(t->request, NULL);
    arena_fini(&t->memory);
    mem_free(t);
}

struct errand *errand_find(struct hub *h, str id) {
    for (struct errand *t = h->errands; t; t = t->next)
        if (str_is(id, t->id)) return t;
    return NULL;
}

struct mcp_request *errand_take(struct errand *t) {
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
    r = errand_take(t);
    errand_free(t);
    if (r) mcp_refuse(r, RPC_INTERNAL, NULL, "cancelled");
}

void errand_abandon(struct hub *h, str memo) {
    struct errand *t = errand_find(h, memo);
    if (t) errand_cancel(t);
}

void errands_free(struct hub *h) {
    while (h->errands) {
        h->errands->request = NULL; /* the server that held it is gone */
        errand_cancel(h->errands);
    }
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
    errand_ask(data, mcp_ask_method(ask), mcp_ask_params(ask), answer_ask, ask);
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

/* Before it goes on (-32042) the server wants pages visited. */
static void note_pages(struct member *m, const struct mcp_request *r, int code,
                       const struct json *data) {
    if (code == RPC_URL_ELICITATION)
        pages_shown(m, r, json_get(data, "elicitations"));
}

static void answer_failure(struct mcp_request *r, struct member *m,
                           const struct mcp_reply *reply) {
    if (!reply->error) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", reply->err->text);
        return;
    }
    str text = rpc_error_message(reply->error);
    int code = code_for(r, rpc_error_code(reply->error));
    note_pages(m, r, code, json_get(reply->error, "data"));
    mcp_refuse(r, code, json_get(reply->error, "data"), "%.*s",
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
    struct mcp_request *r = errand_take(t);
    errand_free(t);
    if (!r) return; /* nobody came back for it */
    if (reply->result)
        answer_result(r, m, reply->result);
    else
        answer_failure(r, m, reply);
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
    (void)errand_take(t);
    errand_free(t);
    mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
}

/* -- through the boundary ----------------------------------------------------
 */

void errand_call_again(struct errand *t) {
    struct call *call;
    t->tool.approval = str_of(t->approval);
    call = boundary_call(t->hub->config.boundary, &t->tool);
    if (call) t->call = call;
}

/* -- outcomes ----------------------------------------------------------------
 */

/* A refusal that a model can read and act on is a result of the tool; an error
 * of the protocol stays one, with the server's own code. */
static void answer_refusal(struct mcp_request *r, struct member *m,
                           const struct call_outcome *outcome) {
    AUTO_BUF struct buf text = BUF_MAX(64 << 10);
    str message = json_get_text(outcome->error, "message", STR("it failed"));
    str hint = json_get_text(outcome->error, "hint", STR(""));
    int64_t code = json_get_int(outcome->error, "server_code", 0);
    struct err e;
    if (code) {
        note_pages(m, r, (int)code, json_get(outcome->error, "server_data"));
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

static bool went_well(const struct call_outcome *outcome) {
    return outcome->status == CALL_DONE &&
           !json_get_bool(outcome->result, "isError", false);
}

static void end_with(struct errand *t, const struct call_outcome *outcome) {
    struct member *m = t->member;
    bool lacks[MCP_QUESTIONS];
    memcpy(lacks, t->lacks, sizeof lacks);
    (void)errand_keep_promise(t);
    struct mcp_request *r = errand_take(t);
    errand_free(t);
    if (!r || (!went_well(outcome) && errand_refuse_lacking(lacks, r))) return;
    if (outcome->status == CALL_DONE)
        answer_result(r, m, outcome->result);
    else
        answer_refusal(r, m, outcome);
}

static void on_outcome(void *data, const struct call_outcome *outcome) {
    struct errand *t = data;
    t->call = NULL;
    bool asked = outcome->status == CALL_ASKED
                     ? errand_ask_approval(t, outcome->approval)
                     : errand_ask_pages(t, outcome->error);
    if (!asked) end_with(t, outcome);
}

static void on_call_progress(void *data, double progress, double total,
                             str message) {
    struct errand *t = data;
    char text[1024];
    if (!t->request) return;
    (void)snprintf(text, sizeof text, "%.*s", STR_ARG(message));
    mcp_progress(t->request, progress, total, message.p ? text : NULL);
    errand_begun(t);
}

static void on_call_asked(void *data, str method, const struct json *params,
                          void (*answer)(void *to, const struct json *result),
                          void *to) {
    errand_ask(data, method, params, answer, to);
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

void errand_call_tool(struct hub *h, struct mcp_request *r, str name) {
    const struct entry *tool =
        registry_find(boundary_registry(h->config.boundary), name);
    struct member *m = member_of(h, tool);
    bool later;
    struct err e;
    if (!errand_promise(r, m, tool, &later)) return;
    struct errand *t = errand_new(h, r);
    if (!t) return;
    if (keep_request(t, r, name, &e)) {
        (void)errand_take(t);
        errand_free(t);
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    t->member = m;
    t->promised = later;
    surface_used(h, r, name);
    errand_expect(t);
    struct call *call = boundary_call(h->config.boundary, &t->tool);
    /* done may have been called already, and the errand be gone. */
    if (call) t->call = call;
}
