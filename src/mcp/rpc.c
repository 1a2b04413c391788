/* SPDX-License-Identifier: MIT */
#include "mcp/rpc.h"

#include "json/write.h"

static bool usable_id(const struct json *id) {
    return json_type(id) == JSON_STRING || json_type(id) == JSON_INT;
}

/* The members of a message, found in one pass. */
struct members {
    const struct json *jsonrpc, *id, *method, *params, *result, *error;
};

static struct members members_of(const struct json *v) {
    struct members m = {0};
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        str name = json_str(key);
        if (str_is(name, "jsonrpc"))
            m.jsonrpc = key + 1;
        else if (str_is(name, "id"))
            m.id = key + 1;
        else if (str_is(name, "method"))
            m.method = key + 1;
        else if (str_is(name, "params"))
            m.params = key + 1;
        else if (str_is(name, "result"))
            m.result = key + 1;
        else if (str_is(name, "error"))
            m.error = key + 1;
    }
    return m;
}

static bool is_text(const struct json *v) {
    return v && json_type(v) == JSON_STRING;
}

static bool is_object(const struct json *v) {
    return json_type(v) == JSON_OBJECT;
}

static enum rpc_kind kind_of(const struct members *m, bool has_id) {
    if (!is_text(m->jsonrpc) || !str_is(json_str(m->jsonrpc), "2.0"))
        return RPC_INVALID;
    if (m->id && !has_id && !m->error) return RPC_INVALID;
    if (is_text(m->method)) {
        if (m->result || m->error) return RPC_INVALID;
        if (m->params && !is_object(m->params)) return RPC_INVALID;
        return has_id ? RPC_REQUEST : RPC_NOTIFICATION;
    }
    if (!m->result == !m->error) return RPC_INVALID;
    if (m->error) return is_object(m->error) ? RPC_ERROR : RPC_INVALID;
    return has_id ? RPC_RESULT : RPC_INVALID;
}

struct rpc_message rpc_sort(const struct json *v) {
    struct rpc_message out = {0};
    if (json_type(v) != JSON_OBJECT) return out;
    struct members m = members_of(v);
    out.id = m.id && usable_id(m.id) ? m.id : NULL;
    if (is_text(m.method)) out.method = json_str(m.method);
    out.params = m.params;
    out.result = m.result;
    out.error = m.error;
    out.kind = kind_of(&m, out.id != NULL);
    return out;
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

int rpc_open_result(const struct json *id, struct buf *out, struct err *e) {
    return buf_add_str(out, STR("{\"jsonrpc\":\"2.0\",\"id\":"), e) ||
                   json_write(id, JSON_COMPACT, out, e) ||
                   buf_add_str(out, STR(",\"result\":"), e)
               ? -1
               : 0;
}

int rpc_close_result(struct buf *out, struct err *e) {
    return buf_add_char(out, '}', e);
}

int rpc_write_result(const struct json *id, str result, struct buf *out,
                     struct err *e) {
    if (rpc_open_result(id, out, e) || buf_add_str(out, result, e)) return -1;
    return rpc_close_result(out, e);
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
