/* SPDX-License-Identifier: MIT */
#include "cli/programs.h"
#include "cli/records.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)64 << 20)

static int add_text(const struct store_run *r, struct buf *out, struct err *e) {
    char age[RECORDS_AGE];
    if (buf_addf(out, e, "%-20.*s %-10s %6s  ", STR_ARG(r->id),
                 run_state_name(r->state), records_age(r->created, age)) ||
        records_line(r->program, 60, out, e))
        return -1;
    return buf_add_char(out, '\n', e);
}

static int add_json(const struct store_run *r, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    if (out->len > 1 && buf_add_char(out, ',', e)) return -1;
    jw_object(&w);
    jw_put_text(&w, "run", r->id);
    jw_put_text(&w, "kind", r->kind);
    jw_put_text(&w, "state", str_of(run_state_name(r->state)));
    jw_put_text(&w, "session", r->session);
    jw_put_text(&w, "principal", r->principal);
    jw_put_int(&w, "created", r->created / 1000000);
    jw_put_int(&w, "updated", r->updated / 1000000);
    jw_end_object(&w);
    return jw_done(&w, e);
}

struct listing {
    bool json;
    struct buf *out;
};

static int add_run(void *data, const struct store_run *r, struct err *e) {
    struct listing *l = data;
    return l->json ? add_json(r, l->out, e) : add_text(r, l->out, e);
}

int net_runs_list(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct listing l = {cli->json, &out};
    struct store_filter f = {.only_open = args_flag(&cli->args, "open"),
                             .max = (size_t)args_int(&cli->args, "count", 30)};
    struct records r;
    if (records_open(&r, false, e)) return -1;
    struct err ignored;
    int status = cli->json ? buf_add_char(&out, '[', e) : 0;
    if (status == 0) status = store_runs(r.store, &f, add_run, &l, e);
    if (status == 0 && cli->json) status = buf_add_text(&out, "]\n", e);
    (void)records_close(&r, &ignored);
    return status ? -1 : cli_out(buf_str(&out), e);
}
