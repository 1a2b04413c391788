/* SPDX-License-Identifier: MIT */
#include "mcp/protocol.h"

#include <stddef.h>

static const struct {
    const char *date;
    enum mcp_era era;
} revisions[] = {
#define REVISION(name, date, era) {date, MCP_##era},
#include "mcp/revisions.def"
#undef REVISION
};

enum answered_by { CORE, SERVICE };

static const struct {
    const char *name;
    enum mcp_era eras;
    enum answered_by who;
} methods[] = {
#define METHOD(id, name, eras, who) {name, MCP_##eras, who},
#include "mcp/methods.def"
#undef METHOD
};

static const struct {
    const char *method, *capability;
} questions[] = {
#define QUESTION(id, method, capability) {method, capability},
#include "mcp/questions.def"
#undef QUESTION
};

static const char *const levels[] = {"debug",   "info",     "notice",
                                     "warning", "error",    "critical",
                                     "alert",   "emergency"};
enum { LEVELS = sizeof levels / sizeof levels[0] };

enum mcp_revision mcp_revision_of(str date) {
    for (int i = 0; i < MCP_REVISIONS; i++)
        if (str_is(date, revisions[i].date)) return (enum mcp_revision)i;
    return MCP_REVISIONS;
}

const char *mcp_revision_date(enum mcp_revision r) {
    return revisions[r].date;
}

enum mcp_era mcp_revision_era(enum mcp_revision r) {
    return revisions[r].era;
}

enum mcp_method mcp_method_of(str name, enum mcp_era era) {
    for (int i = 0; i < MCP_METHODS; i++)
        if ((methods[i].eras & era) && str_is(name, methods[i].name))
            return (enum mcp_method)i;
    return MCP_METHODS;
}

const char *mcp_method_name(enum mcp_method m) {
    return methods[m].name;
}

bool mcp_method_is_core(enum mcp_method m) {
    return methods[m].who == CORE;
}

enum mcp_question mcp_question_of(str method) {
    for (int i = 0; i < MCP_QUESTIONS; i++)
        if (str_is(method, questions[i].method)) return (enum mcp_question)i;
    return MCP_QUESTIONS;
}

const char *mcp_question_method(enum mcp_question q) {
    return questions[q].method;
}

const char *mcp_question_capability(enum mcp_question q) {
    return questions[q].capability;
}

int mcp_log_level(str name) {
    for (int i = 0; i < LEVELS; i++)
        if (str_is(name, levels[i])) return i;
    return -1;
}

const char *mcp_log_level_name(int level) {
    return levels[level];
}
