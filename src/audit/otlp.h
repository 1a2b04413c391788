/* SPDX-License-Identifier: MIT
 *
 * otlp -- events as OpenTelemetry spans, in the JSON form of OTLP/HTTP.
 *
 * A call is a span `execute_tool <tool>` with the attributes of the GenAI and
 * MCP conventions; what is ours has the prefix "cordon.". Arguments and results
 * stay in the log: spans carry their hashes. Other events are spans without a
 * length, named after their kind. Events of one run or session share a trace.
 */
#ifndef CORDON_AUDIT_OTLP_H
#define CORDON_AUDIT_OTLP_H

#include "audit/audit.h"
#include "base/buf.h"

/* A body for POST /v1/traces: begin, any number of events, end. */
struct otlp {
    struct buf *out;
    size_t spans;
};

int otlp_begin(struct otlp *o, struct buf *out, struct err *e);
int otlp_add(struct otlp *o, const struct audit_event *ev, struct err *e);
int otlp_end(struct otlp *o, struct err *e);

#endif
