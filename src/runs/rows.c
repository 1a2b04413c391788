/* SPDX-License-Identifier: MIT
 *
 * What the audit log has of a run: that it was submitted, with its program, and
 * how it ended.
 */
#include "runs/inside.h"
#include "json/build.h"

/* A longer one is recorded by its hash alone. However much of it has to be
 * escaped, it fits an event: no program is too odd to be recorded. */
#define PROGRAM_BYTES ((size_t)AUDIT_EVENT_MAX / 6 - 4096)

static int add_row(struct run *r, const char *kind,
                   void (*add)(struct json_build *b, struct run *r),
                   struct err *e) {
    struct audit *audit = r->runs->config.audit;
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *data;
    if (!audit) return 0;
    build_object(&b);
    build_put_text(&b, "run", str_of(r->id));
    if (r->session_id.n) build_put_text(&b, "session", r->session_id);
    build_put_text(&b, "principal", r->principal);
    build_put_text(&b, "client", r->client);
    add(&b, r);
    build_end(&b);
    return build_done(&b, &data, e) || audit_add(audit, kind, data, e) ? -1 : 0;
}

static void add_program(struct json_build *b, struct run *r) {
    char hash[JOURNAL_KEY];
    struct json_build none = JSON_BUILD(&r->arena);
    const struct json *empty;
    struct err e;
    build_object(&none);
    build_end(&none);
    if (build_done(&none, &empty, &e) == 0 &&
        journal_key(r->program, 0, STR("program"), empty, hash, &e) == 0)
        build_put_text(b, "program_sha256", str_of(hash));
    if (r->program.n <= PROGRAM_BYTES) build_put_text(b, "program", r->program);
}

static void add_end(struct json_build *b, struct run *r) {
    build_put_text(b, "state", str_of(run_state_name(r->end_state)));
    build_put_int(b, "calls", (int64_t)r->call_count);
    const struct json *error = json_get(r->outcome, "error");
    if (error) build_put(b, "error", error);
}

int run_audit_submit(struct run *r, struct err *e) {
    struct audit *audit = r->runs->config.audit;
    if (audit && audit_ready(audit, e)) return -1;
    return add_row(r, "run.submit", add_program, e);
}

void run_audit_end(struct run *r) {
    struct err e;
    if (add_row(r, "run.end", add_end, &e)) audit_lost(r->runs->config.audit);
}
