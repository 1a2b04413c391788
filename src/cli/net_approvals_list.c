/* SPDX-License-Identifier: MIT */
#include "call/approval.h"
#include "cli/programs.h"
#include "cli/records.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)64 << 20)

struct listing {
    struct store *store;
    bool json;
    struct buf *out;
};

static int add_json(struct store *s, const struct store_approval *p,
                    struct buf *out, struct err *e) {
    struct jw w = JW(out);
    if (out->len > 1 && buf_add_char(out, ',', e)) return -1;
    jw_object(&w);
    jw_put_text(&w, "approval", p->id);
    jw_put_text(&w, "state", str_of(approval_state_name(p->state)));
    jw_put_text(&w, "tool", p->tool);
    jw_put_text(&w, "run", p->run);
    jw_put_text(&w, "session", p->session);
    jw_put_text(&w, "principal", p->principal);
    jw_put_int(&w, "created", p->created / 1000000);
    jw_put_int(&w, "expires", p->expires / 1000000);
    jw_key(&w, "card");
    jw_raw(&w, p->card);
    if (approval_put_batch(s, p, &w, e)) return -1;
    jw_end_object(&w);
    return jw_done(&w, e);
}

static int add_text(struct store *s, const struct store_approval *p,
                    struct buf *out, struct err *e) {
    struct approval_batch b;
    AUTO_ARENA struct arena a = ARENA_MAX(OUT_BYTES);
    const struct json *card;
    char age[RECORDS_AGE];
    if (json_parse(p->card, NULL, &a, &card, e) ||
        buf_addf(out, e, "%-20.*s %-8s %5s  %-28.*s ", STR_ARG(p->id),
                 approval_state_name(p->state), records_age(p->created, age),
                 STR_ARG(p->tool)) ||
        records_line(json_get_text(card, "reason", STR("")), 70, out, e))
        return -1;
    if (approval_batch(s, p, &a, &b, e)) return -1;
    if (p->state == APPROVAL_PENDING && b.count > 1 &&
        buf_addf(out, e, " (%zu like calls)", b.count))
        return -1;
    return buf_add_char(out, '\n', e);
}

static int add(void *data, const struct store_approval *p, struct err *e) {
    struct listing *l = data;
    return l->json ? add_json(l->store, p, l->out, e)
                   : add_text(l->store, p, l->out, e);
}

int net_approvals_list(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct listing l = {NULL, cli->json, &out};
    struct store_approval_filter f = {.only_pending =
                                          !args_flag(&cli->args, "all")};
    struct records r;
    struct err ignored;
    if (records_open(&r, false, e)) return -1;
    l.store = r.store;
    int status = cli->json ? buf_add_char(&out, '[', e) : 0;
    if (status == 0) status = approval_cards(r.store, &f, add, &l, e);
    if (status == 0 && cli->json) status = buf_add_text(&out, "]\n", e);
    (void)records_close(&r, &ignored);
    return status ? -1 : cli_out(buf_str(&out), e);
}
