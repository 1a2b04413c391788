/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "cli/programs.h"
#include "cli/records.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)256 << 20)

struct showing {
    struct jw *w;
    struct buf *text;
    int64_t began;
    bool json;
};

/* When, what and how: one line an event. */
static int add_line(struct showing *s, const struct store_event *ev,
                    struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(OUT_BYTES);
    const struct json *v;
    double ms = (double)(ev->at - s->began) / 1e6;
    if (json_parse(ev->data, NULL, &a, &v, e)) return -1;
    if (str_is(ev->kind, "attempt"))
        return buf_addf(s->text, e, "%10.1f ms  attempt %lld\n", ms,
                        (long long)json_get_int(v, "attempt", 0));
    if (!str_is(ev->kind, "intent") && !str_is(ev->kind, "result"))
        return 0; /* what only a replay needs */
    if (buf_addf(s->text, e, "%10.1f ms  %-7.*s call %-4lld %.*s %.*s\n", ms,
                 STR_ARG(ev->kind), (long long)json_get_int(v, "call", 0),
                 STR_ARG(json_get_text(v, "tool", STR(""))),
                 STR_ARG(json_get_text(v, "status", STR("")))))
        return -1;
    return 0;
}

static int add_event(void *data, const struct store_event *ev, struct err *e) {
    struct showing *s = data;
    if (!s->json) return add_line(s, ev, e);
    jw_object(s->w);
    jw_put_int(s->w, "seq", (int64_t)ev->seq);
    jw_put_text(s->w, "kind", ev->kind);
    jw_put_int(s->w, "at", ev->at / 1000000);
    jw_key(s->w, "data");
    jw_raw(s->w, ev->data);
    jw_end_object(s->w);
    return 0;
}

static int show_json(struct records *r, const struct store_run *run,
                     struct buf *out, struct err *e) {
    struct jw w = JW(out);
    struct showing s = {.w = &w, .json = true};
    jw_object(&w);
    jw_put_text(&w, "run", run->id);
    jw_put_text(&w, "state", str_of(run_state_name(run->state)));
    jw_put_text(&w, "session", run->session);
    jw_put_text(&w, "principal", run->principal);
    jw_put_text(&w, "program", run->program);
    if (run->status.n) {
        jw_key(&w, "status");
        jw_raw(&w, run->status);
    }
    if (run->result.n) {
        jw_key(&w, "outcome");
        jw_raw(&w, run->result);
    }
    jw_key(&w, "events");
    jw_array(&w);
    if (store_events(r->store, run->id, 1, add_event, &s, e)) return -1;
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

static int show_text(struct records *r, const struct store_run *run,
                     struct buf *out, struct err *e) {
    char at[CLOCK_TEXT_SIZE];
    struct showing s = {.text = out, .began = run->created};
    if (buf_addf(out, e, "%.*s  %s  %s\n\n%.*s\n\n", STR_ARG(run->id),
                 run_state_name(run->state), clock_format(run->created, at),
                 STR_ARG(str_trim(run->program))) ||
        store_events(r->store, run->id, 1, add_event, &s, e))
        return -1;
    if (run->result.n == 0 && run->status.n &&
        buf_addf(out, e, "\n%.*s\n", STR_ARG(run->status)))
        return -1;
    if (run->result.n == 0) return 0;
    AUTO_ARENA struct arena a = ARENA_MAX(OUT_BYTES);
    const struct json *v;
    if (json_parse(run->result, NULL, &a, &v, e) ||
        buf_add_char(out, '\n', e) || json_write(v, JSON_PRETTY, out, e))
        return -1;
    return buf_add_char(out, '\n', e);
}

int net_runs_show(struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(OUT_BYTES);
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct store_run run;
    struct records r;
    struct err ignored;
    if (records_open(&r, false, e)) return -1;
    int status =
        store_run_get(r.store, str_of(cli_operand(cli, 0)), &a, &run, e);
    if (status == 0)
        status = cli->json ? show_json(&r, &run, &out, e)
                           : show_text(&r, &run, &out, e);
    (void)records_close(&r, &ignored);
    return status ? -1 : cli_out(buf_str(&out), e);
}
