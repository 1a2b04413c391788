/* SPDX-License-Identifier: MIT
 *
 * What only the client can tell: questions, their answers, and the memo that
 * carries a request from one round to the next.
 */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/codec.h"
#include "base/num.h"
#include "mcp/serve.h"
#include "json/build.h"
#include "json/write.h"

#define MEMO_LIFE_NS ((int64_t)15 * 60 * 1000000000)
enum { MEMO_MAX = 1 << 20 };

static const char *capability_for(const char *method) {
    enum mcp_question q = mcp_question_of(str_of(method));
    return q == MCP_QUESTIONS ? "(none)" : mcp_question_capability(q);
}

/* -- the service's side -----------------------------------------------------
 */

const struct json *mcp_input(const struct mcp_request *r, const char *key) {
    for (size_t i = r->need_count; i > 0; i--)
        if (r->needs[i - 1].answered && !strcmp(r->needs[i - 1].key, key))
            return r->needs[i - 1].answer;
    if (r->era == MCP_LEGACY) return NULL;
    return json_get(json_get(mcp_params(r), "inputResponses"), key);
}

void mcp_need(struct mcp_request *r, const char *key, const char *method,
              const struct json *params) {
    if (r->need_count == MCP_NEEDS_MAX) return; /* mcp_wait refuses it */
    r->needs[r->need_count++] =
        (struct mcp_need){.key = key, .method = method, .params = params};
}

str mcp_memo(const struct mcp_request *r) {
    return r->memo;
}

/* -- sealing ----------------------------------------------------------------
 */

/* What a memo is bound to: who asks, the method and its parameters without the
 * parts that change from round to round. */
static int write_binding(const struct mcp_request *r, struct buf *out,
                         struct err *e) {
    const struct json *params = mcp_params(r), *key = json_first(params);
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "who", r->who.principal);
    jw_put_text(&w, "method", r->msg.method);
    for (size_t i = json_len(params); i > 0; i--, key = json_skip(key + 1)) {
        str name = json_str(key);
        if (str_is(name, "_meta") || str_is(name, "inputResponses") ||
            str_is(name, "requestState"))
            continue;
        jw_key_str(&w, name);
        jw_value(&w, key + 1);
    }
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int seal_memo(const struct mcp_request *r, str memo, struct buf *out,
                     struct err *e) {
    AUTO_BUF struct buf plain = BUF_MAX(MEMO_MAX),
                        sealed = BUF_MAX(2 * MEMO_MAX);
    AUTO_BUF struct buf binding = BUF_MAX(MCP_MESSAGE_MAX);
    int64_t until = clock_wall_ns() + MEMO_LIFE_NS;
    if (buf_addf(&plain, e, "%" PRId64 "\n", until) ||
        buf_add_str(&plain, memo, e) || write_binding(r, &binding, e) ||
        crypto_seal(r->server->key, buf_str(&binding), buf_str(&plain), &sealed,
                    e))
        return -1;
    return base64url_encode(buf_str(&sealed), out, e);
}

static int open_memo(struct mcp_request *r, str text, struct err *e) {
    AUTO_BUF struct buf plain = BUF_MAX(2 * MEMO_MAX),
                        sealed = BUF_MAX(2 * MEMO_MAX);
    AUTO_BUF struct buf binding = BUF_MAX(MCP_MESSAGE_MAX);
    int64_t until;
    if (base64url_decode(text, &sealed, e) || write_binding(r, &binding, e) ||
        crypto_open(r->server->key, buf_str(&binding), buf_str(&sealed), &plain,
                    e))
        return -1;
    str rest = buf_str(&plain);
    if (num_parse_i64(str_cut(&rest, '\n'), &until, e)) return -1;
    if (until < clock_wall_ns()) return fail(e, ERR_DENIED, "it has expired");
    return arena_dup(&r->arena, rest.p ? rest : STR(""), &r->memo, e);
}

bool input_open(struct mcp_request *r) {
    const struct json *state = json_get(mcp_params(r), "requestState");
    const struct json *inputs = json_get(mcp_params(r), "inputResponses");
    struct err e;
    if (inputs && json_type(inputs) != JSON_OBJECT) {
        refuse_with(r, 200, RPC_BAD_PARAMS, NULL,
                    "inputResponses is not an object");
        return false;
    }
    if (!state) return true;
    if (json_type(state) == JSON_STRING && !open_memo(r, json_str(state), &e))
        return true;
    refuse_with(r, 200, RPC_BAD_PARAMS, NULL,
                "requestState is not one that this server gave for this "
                "request");
    return false;
}

/* -- asking -----------------------------------------------------------------
 */

static bool capabilities_lack(struct mcp_request *r) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *data;
    struct err e;
    size_t lacking = 0;
    build_object(&b);
    build_key(&b, STR("requiredCapabilities"));
    build_object(&b);
    for (size_t i = r->round_start; i < r->need_count; i++) {
        const char *capability = capability_for(r->needs[i].method);
        if (mcp_client_can(r, capability)) continue;
        lacking++;
        build_key(&b, str_of(capability));
        build_object(&b);
        build_end(&b);
    }
    build_end(&b);
    build_end(&b);
    if (!lacking) return false;
    if (build_done(&b, &data, &e)) data = NULL;
    bool modern = r->era == MCP_MODERN;
    refuse_with(r, modern ? 400 : 200,
                modern ? RPC_NEEDS_CAPABILITY : RPC_INVALID_REQUEST, data,
                "the client lacks a capability that this request needs");
    return true;
}

static void answer_input_required(struct mcp_request *r, str memo) {
    AUTO_BUF struct buf state = BUF_MAX(4 * MEMO_MAX);
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *result;
    struct err e;
    if (seal_memo(r, memo, &state, &e)) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    build_object(&b);
    build_put_text(&b, "resultType", STR("input_required"));
    if (r->need_count) {
        build_key(&b, STR("inputRequests"));
        build_object(&b);
        for (size_t i = 0; i < r->need_count; i++) {
            build_key(&b, str_of(r->needs[i].key));
            build_object(&b);
            build_put_text(&b, "method", str_of(r->needs[i].method));
            if (r->needs[i].params) build_put(&b, "params", r->needs[i].params);
            build_end(&b);
        }
        build_end(&b);
    }
    build_put_text(&b, "requestState", buf_str(&state));
    build_end(&b);
    if (build_done(&b, &result, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        mcp_answer(r, result);
}

static void ask_legacy(struct mcp_request *r, str memo) {
    struct err e;
    if (arena_dup(&r->arena, memo, &r->memo, &e)) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    r->waiting = true;
    if (r->round_start == r->need_count) {
        input_complete(r); /* only a pause: there is nobody to wait for */
        return;
    }
    for (size_t i = r->round_start; i < r->need_count; i++)
        if (session_ask(r, r->channel, &r->needs[i], &e)) {
            mcp_refuse(r, RPC_INTERNAL, NULL, "%s: %s", r->needs[i].method,
                       e.text);
            return;
        }
}

void mcp_wait(struct mcp_request *r, str memo) {
    if (r->need_count == MCP_NEEDS_MAX || ++r->rounds > MCP_ROUNDS_MAX) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "too many questions to the client");
        return;
    }
    if (capabilities_lack(r)) return;
    if (r->is_task)
        task_ask(r, memo);
    else if (r->era == MCP_MODERN)
        answer_input_required(r, memo);
    else
        ask_legacy(r, memo);
}

void input_complete(struct mcp_request *r) {
    r->waiting = false;
    if (r->is_task) task_resume(r);
    r->round_start = r->need_count;
    r->server->service.handle(r->server->service.data, r);
}
