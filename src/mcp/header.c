/* SPDX-License-Identifier: MIT
 *
 * The headers that a modern request repeats parts of its body in, so that
 * intermediaries can route without parsing. They are never believed, only
 * compared.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/codec.h"
#include "io/server.h"
#include "mcp/serve.h"

static bool refuse(struct mcp_request *r, const char *what) {
    char text[256];
    (void)snprintf(text, sizeof text,
                   "header %s is missing or differs from "
                   "the body",
                   what);
    refuse_with(r, 400, RPC_HEADER_MISMATCH, NULL, text);
    return false;
}

/* "=?base64?...?=" carries what a header cannot hold as it is. */
static bool header_equals(str header, str want) {
    AUTO_BUF struct buf plain = BUF_MAX(64 * 1024);
    struct err e;
    header = str_trim(header);
    if (str_starts(header, STR("=?base64?")) && str_ends(header, STR("?=")) &&
        header.n >= 11) {
        if (base64_decode(str_sub(header, 9, header.n - 2), &plain, &e))
            return false;
        header = buf_str(&plain);
    }
    return str_eq(header, want);
}

/* The member of params that Mcp-Name repeats, or NULL. */
static const char *name_member(enum mcp_method m) {
    switch ((int)m) {
    case MCP_TOOLS_CALL:
    case MCP_PROMPTS_GET: return "name";
    case MCP_RESOURCES_READ: return "uri";
    case MCP_TASKS_GET:
    case MCP_TASKS_UPDATE:
    case MCP_TASKS_CANCEL: return "taskId";
    }
    return NULL;
}

/* -- Mcp-Param-* ------------------------------------------------------------
 */

static bool scalar_text(const struct json *v, char number[32], str *out) {
    switch (json_type(v)) {
    case JSON_STRING: *out = json_str(v); return true;
    case JSON_BOOL:
        *out = v->as.boolean ? STR("true") : STR("false");
        return true;
    case JSON_INT:
        (void)snprintf(number, 32, "%" PRId64, v->as.integer);
        *out = str_of(number);
        return true;
    case JSON_NULL:
    case JSON_REAL:
    case JSON_BIG:
    case JSON_ARRAY:
    case JSON_OBJECT: return false;
    }
    return false;
}

static bool check_param(struct mcp_request *r, const struct exchange *x,
                        str header_name, const struct json *argument) {
    char name[160], number[32];
    str want;
    (void)snprintf(name, sizeof name, "Mcp-Param-%.*s",
                   STR_ARG(str_sub(header_name, 0, 128)));
    str header = exchange_header(x, name);
    bool given = argument && json_type(argument) != JSON_NULL;
    if (!given) return header.p ? refuse(r, name) : true;
    if (!header.p || !scalar_text(argument, number, &want) ||
        !header_equals(header, want))
        return refuse(r, name);
    return true;
}

/* Properties at any depth may ask for a header; `arguments` follows. */
static bool check_params(struct mcp_request *r, const struct exchange *x,
                         const struct json *schema, const struct json *value,
                         int depth) {
    const struct json *properties = json_get(schema, "properties");
    if (!properties || json_type(properties) != JSON_OBJECT || depth > 16)
        return true;
    const struct json *key = json_first(properties);
    for (size_t i = json_len(properties); i > 0;
         i--, key = json_skip(key + 1)) {
        const struct json *inner = json_get_str(value, json_str(key));
        str name = json_get_text(key + 1, "x-mcp-header", (str){NULL, 0});
        if (name.p && !check_param(r, x, name, inner)) return false;
        if (!check_params(r, x, key + 1, inner, depth + 1)) return false;
    }
    return true;
}

static bool check_tool_params(struct mcp_request *r, const struct exchange *x) {
    const struct mcp_service *s = &r->server->service;
    str name = json_get_text(mcp_params(r), "name", STR(""));
    const struct json *tool = s->tool ? s->tool(s->data, name) : NULL;
    if (!tool) return true;
    return check_params(r, x, json_get(tool, "inputSchema"),
                        json_get(mcp_params(r), "arguments"), 0);
}

bool header_check_version(struct mcp_request *r, const struct exchange *x) {
    const struct json *meta = json_get(mcp_params(r), "_meta");
    str version = json_get_text(meta, MCP_META_VERSION, STR(""));
    str header = exchange_header(x, "MCP-Protocol-Version");
    if (!version.n || header_equals(header, version)) return true;
    return refuse(r, "MCP-Protocol-Version");
}

bool header_check(struct mcp_request *r, const struct exchange *x) {
    str header = exchange_header(x, "Mcp-Method");
    if (!header.p || !header_equals(header, r->msg.method))
        return refuse(r, "Mcp-Method");
    enum mcp_method m = mcp_method_of(r->msg.method, MCP_MODERN);
    const char *member = name_member(m);
    str name = member ? json_get_text(mcp_params(r), member, STR("")) : STR("");
    header = exchange_header(x, "Mcp-Name");
    if (member && (!header.p || !header_equals(header, name)))
        return refuse(r, "Mcp-Name");
    return m != MCP_TOOLS_CALL || check_tool_params(r, x);
}
