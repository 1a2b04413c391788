/* SPDX-License-Identifier: MIT */
#include "cli/programs.h"
#include "cli/records.h"

/* A run that a living process works on is asked to stop through the store; one
 * that nobody holds is ended here. */
static int cancel(struct store *s, str id, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct store_run run;
    uint64_t fence;
    if (store_run_get(s, id, &a, &run, e)) return -1;
    if (run_state_ended(run.state))
        return fail(e, ERR_EXISTS, "run %.*s has ended already", STR_ARG(id));
    if (store_claim(s, id, &fence, e)) {
        if (e->kind != ERR_EXISTS) return -1;
        if (store_put(s, "cancel", id, STR("cli"), 0, e) ||
            store_flush(s, false, e))
            return -1;
        store_wake(s, id);
        return 0;
    }
    return store_run_set(s, id, fence, RUN_CANCELLED, STR(""),
                         STR("{\"state\":\"cancelled\"}"), e);
}

int net_runs_cancel(struct cli *cli, struct err *e) {
    struct records r;
    struct err ignored;
    if (records_open(&r, false, e)) return -1;
    int status = cancel(r.store, str_of(cli_operand(cli, 0)), e);
    if (status) {
        (void)records_close(&r, &ignored);
        return -1;
    }
    return records_close(&r, e);
}
