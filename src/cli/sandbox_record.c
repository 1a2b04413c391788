/* SPDX-License-Identifier: MIT
 *
 * Writing down what becomes of a sandbox.
 */
#include <stdio.h>

#include "cli/sandbox_log.h"

static int open_log(void *data, const char *folder, const char *by,
                    struct err *e) {
    struct sandbox_log *l = data;
    (void)snprintf(l->by, sizeof l->by, "%s", by);
    l->row.by = str_of(l->by);
    l->row.audit = audit_open(folder, e);
    return l->row.audit ? 0 : -1;
}

static int started(void *data, const struct cage *c, struct err *e) {
    const struct sandbox_log *l = data;
    return sandboxed_start(&l->row, c, e);
}

static void ended(void *data, const struct cage_result *r) {
    const struct sandbox_log *l = data;
    sandboxed_end(&l->row, r);
}

static void failed(void *data, const struct err *why) {
    const struct sandbox_log *l = data;
    sandboxed_failed(&l->row, why);
}

struct confine_watch sandbox_log_watch(struct sandbox_log *l) {
    *l = (struct sandbox_log){.row = {.audit = NULL}};
    return (struct confine_watch){.data = l,
                                  .open = open_log,
                                  .started = started,
                                  .ended = ended,
                                  .failed = failed};
}

void sandbox_log_close(struct cli *cli, struct sandbox_log *l) {
    struct err e;
    if (!l->row.audit) return;
    if (audit_sync(l->row.audit, &e)) log_warn(&cli->log, "audit: %s", e.text);
    audit_close(l->row.audit);
}
