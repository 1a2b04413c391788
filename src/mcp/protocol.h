/* SPDX-License-Identifier: MIT
 *
 * protocol -- the revisions and methods of MCP, as tables.
 *
 * Two eras: legacy revisions begin with an initialize handshake and keep a
 * session; modern ones carry everything with each request.
 */
#ifndef CORDON_MCP_PROTOCOL_H
#define CORDON_MCP_PROTOCOL_H

#include "base/str.h"

enum mcp_era { MCP_LEGACY = 1, MCP_MODERN = 2, MCP_BOTH = 3 };

enum mcp_revision {
#define REVISION(name, date, era) MCP_##name,
#include "mcp/revisions.def"
#undef REVISION
    MCP_REVISIONS,
};

#define MCP_NEWEST_LEGACY MCP_2025_11_25
#define MCP_NEWEST        MCP_2026_07_28

enum mcp_method {
#define METHOD(id, name, eras, who) MCP_##id,
#include "mcp/methods.def"
#undef METHOD
    MCP_METHODS,
};

/* MCP_REVISIONS when there is no such revision. */
enum mcp_revision mcp_revision_of(str date);
const char *mcp_revision_date(enum mcp_revision r);
enum mcp_era mcp_revision_era(enum mcp_revision r);

/* MCP_METHODS when there is no such method in that era. */
enum mcp_method mcp_method_of(str name, enum mcp_era era);
const char *mcp_method_name(enum mcp_method m);
bool mcp_method_is_core(enum mcp_method m);

/* What a server may ask its client. */
enum mcp_question {
#define QUESTION(id, method, capability) MCP_ASK_##id,
#include "mcp/questions.def"
#undef QUESTION
    MCP_QUESTIONS,
};

/* MCP_QUESTIONS when it is none. */
enum mcp_question mcp_question_of(str method);
const char *mcp_question_method(enum mcp_question q);
/* What a client that can be asked it declares. */
const char *mcp_question_capability(enum mcp_question q);

/* Keys in _meta that the modern era defines. */
#define MCP_META              "io.modelcontextprotocol/"
#define MCP_META_VERSION      MCP_META "protocolVersion"
#define MCP_META_CLIENT       MCP_META "clientInfo"
#define MCP_META_CAPS         MCP_META "clientCapabilities"
#define MCP_META_LOG_LEVEL    MCP_META "logLevel"
#define MCP_META_SERVER       MCP_META "serverInfo"
#define MCP_META_SUBSCRIPTION MCP_META "subscriptionId"
/* Of 2025-11-25: the task that a message is about. */
#define MCP_META_TASK MCP_META "related-task"
/* Ours: what a legacy server calls its question, for gateways to keep. */
#define MCP_META_QUESTION "cordon/question"

/* RFC 5424 levels in the order of the protocol; -1 when unknown. */
int mcp_log_level(str name);
const char *mcp_log_level_name(int level);

#endif
