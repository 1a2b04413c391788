/* SPDX-License-Identifier: MIT
 *
 * rpc -- JSON-RPC 2.0 messages: read strictly, written compactly.
 *
 * An id is a string or an integer and is kept as it came: 1 and "1" differ.
 */
#ifndef CORDON_MCP_RPC_H
#define CORDON_MCP_RPC_H

#include "base/buf.h"
#include "json/json.h"

enum rpc_kind {
    RPC_INVALID, /* not a message; `id` is set where it could be read */
    RPC_REQUEST,
    RPC_NOTIFICATION,
    RPC_RESULT,
    RPC_ERROR,
};

/* Codes of JSON-RPC, then those of MCP. */
enum rpc_code {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_BAD_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_NO_RESOURCE = -32002,      /* until 2025-11-25 */
    RPC_HEADER_MISMATCH = -32020,  /* from 2026-07-28 */
    RPC_NEEDS_CAPABILITY = -32021, /* likewise */
    RPC_BAD_VERSION = -32022,      /* likewise */
    RPC_URL_ELICITATION = -32042,  /* 2025-11-25 */
};

struct rpc_message {
    enum rpc_kind kind;
    const struct json *id;     /* NULL: none */
    str method;                /* requests and notifications */
    const struct json *params; /* an object, or NULL */
    const struct json *result; /* results */
    const struct json *error;  /* errors: the object */
};

/* Sorts a parsed value. A value that is no message has kind RPC_INVALID. */
struct rpc_message rpc_sort(const struct json *v);

/* -- writing: each appends one message, without LF ---------------------------
 */

int rpc_write_request(const struct json *id, const char *method,
                      const struct json *params, struct buf *out,
                      struct err *e);
int rpc_write_notification(const char *method, const struct json *params,
                           struct buf *out, struct err *e);

/* The result is JSON text that we made ourselves or that was parsed before. */
int rpc_write_result(const struct json *id, str result, struct buf *out,
                     struct err *e);

/* The same for a result that is written in between, by whoever has it. */
int rpc_open_result(const struct json *id, struct buf *out, struct err *e);
int rpc_close_result(struct buf *out, struct err *e);

/* id NULL writes null; data may be NULL. */
int rpc_write_error(const struct json *id, int code, str message,
                    const struct json *data, struct buf *out, struct err *e);

/* Code and message of an error object, with sane values where they lack. */
int rpc_error_code(const struct json *error);
str rpc_error_message(const struct json *error);

#endif
