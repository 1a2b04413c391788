/* SPDX-License-Identifier: MIT */
#include "mcp/rpc.h"

#include "json/write.h"

static bool usable_id(const struct json *id) {
    return json_type(id) == JSON_STRING || json_type(id) == JSON_INT;
}

static enum rpc_kind kind_of(const struct json *v,
                             const struct rpc_message *m) {
    bool has_result = m->result != NULL, has_error = m->error != NULL;
    if (!str_eq(json_get_text(v, "jsonrpc", STR("")), STR("2.0")))
        return RPC_INVALID;
    if (json_get(v, "id") && !m->id && !has_error) return RPC_INVALID;
    if (m->method.p) {
        const struct json *params = json_get(v, "params");
        if (has_result || has_error) return RPC_INVALID;
        if (params && json_type(params) != JSON_OBJECT) return RPC_INVALID;
        return m->id ? RPC_REQUEST : RPC_NOTIFICATION;
    }
    if (has_result == has_error) return RPC_INVALID;
    if (has_error)
        return json_type(m->error) == JSON_OBJECT ? RPC_ERROR : RPC_INVALID;
    return m->id ? RPC_RESULT : RPC_INVALID;
}

struct rpc_message rpc_sort(const struct json *v) {
    struct rpc_message m = {0};
    if (json_type(v) != JSON_OBJECT) return m;
    const struct json *id = json_get(v, "id");
    if (id && usable_id(id)) m.id = id;
    m.method = json_get_text(v, "method", (str){NULL, 0});
    m.params = json_get(v, "params");
    m.result = json_get(v, "result");
    m.error = json_get(v, "error");
    m.kind = kind_of(v, &m);
    return m;
}

/* -- writing ----------------------------------------------------------------
 */

static void open_message(struct jw *w, const struct json *id) {
    jw_object(w);
    jw_put_text(w, "jsonrpc", STR("2.0"));
    if (!id) return;
    jw_key(w, "id");
    jw_value(w, id);
}

static int close_message(struct jw *w, struct err *e) {
    jw_end_object(w);
    return jw_done(w, e);
}

static int write_call(const struct json *id, const char *method,
                      const struct json *params, struct buf *out,
                      struct err *e) {
    struct jw w = JW(out);
    open_message(&w, id);
    jw_put_text(&w, "method", str_of(method));
    if (params) {
        jw_key(&w, "params");
        jw_value(&w, params);
    }
    return close_message(&w, e);
}

int rpc_write_request(const struct json *id, const char *method,
                      const struct json *params, struct buf *out,
                      struct err *e) {
    return write_call(id, method, params, out, e);
}

int rpc_write_notification(const char *method, const struct json *params,
                           struct buf *out, struct err *e) {
    return write_call(NULL, method, params, out, e);
}

int rpc_write_result(const struct json *id, str result, struct buf *out,
                     struct err *e) {
    struct jw w = JW(out);
    open_message(&w, id);
    jw_key(&w, "result");
    jw_raw(&w, result);
    return close_message(&w, e);
}

int rpc_write_error(const struct json *id, int code, str message,
                    const struct json *data, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    open_message(&w, id);
    if (!id) {
        jw_key(&w, "id");
        jw_null(&w);
    }
    jw_key(&w, "error");
    jw_object(&w);
    jw_put_int(&w, "code", code);
    jw_put_text(&w, "message", message);
    if (data) {
        jw_key(&w, "data");
        jw_value(&w, data);
    }
    jw_end_object(&w);
    return close_message(&w, e);
}

int rpc_error_code(const struct json *error) {
    int64_t code = json_get_int(error, "code", RPC_INTERNAL);
    return code < INT32_MIN || code > INT32_MAX ? RPC_INTERNAL : (int)code;
}

str rpc_error_message(const struct json *error) {
    return json_get_text(error, "message", STR("(no message)"));
}
