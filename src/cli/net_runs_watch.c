/* SPDX-License-Identifier: MIT
 *
 * cordon runs watch: the events of a run as they come, until it ends.
 */
#include <time.h>

#include "cli/programs.h"
#include "cli/records.h"

#define LOOK_NS (200 * 1000000L)

struct watching {
    uint64_t seen;
    struct buf out;
};

static int add_event(void *data, const struct store_event *ev, struct err *e) {
    struct watching *w = data;
    w->seen = ev->seq;
    if (str_is(ev->kind, "snap") || str_is(ev->kind, "turn") ||
        str_is(ev->kind, "last"))
        return 0; /* what only a replay needs */
    return buf_addf(&w->out, e, "%.*s %.*s\n", STR_ARG(ev->kind),
                    STR_ARG(ev->data));
}

static int look(struct store *s, str id, struct watching *w,
                enum run_state *state, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)256 << 20);
    struct store_run run;
    if (store_run_get(s, id, &a, &run, e) ||
        store_events(s, id, w->seen + 1, add_event, w, e))
        return -1;
    if (*state != run.state &&
        buf_addf(&w->out, e, "state %s\n", run_state_name(run.state)))
        return -1;
    *state = run.state;
    if (w->out.len && cli_out(buf_str(&w->out), e)) return -1;
    buf_truncate(&w->out, 0);
    if (!run_state_ended(run.state) || run.result.n == 0) return 0;
    if (cli_out(run.result, e)) return -1;
    return cli_out(STR("\n"), e);
}

int net_runs_watch(struct cli *cli, struct err *e) {
    struct watching w = {.out = BUF_MAX((size_t)256 << 20)};
    enum run_state state = RUN_QUEUED;
    struct records r;
    struct err ignored;
    if (records_open(&r, false, e)) return -1;
    int status;
    for (;;) {
        struct timespec pause = {.tv_nsec = LOOK_NS};
        status = look(r.store, str_of(cli_operand(cli, 0)), &w, &state, e);
        if (status || run_state_ended(state)) break;
        (void)nanosleep(&pause, NULL);
    }
    buf_fini(&w.out);
    (void)records_close(&r, &ignored);
    if (status) return -1;
    return state == RUN_DONE ? 0 : 1;
}
