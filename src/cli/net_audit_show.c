/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "audit/audit.h"
#include "cli/audit_dir.h"
#include "cli/programs.h"
#include "json/write.h"

struct showing {
    const struct cli *cli;
    const char *kind; /* glob, or NULL */
    struct buf out;
};

static int show_event(void *data, const struct audit_event *ev, struct err *e) {
    struct showing *s = data;
    if (s->kind && !str_glob(str_of(s->kind), ev->kind)) return 0;
    buf_truncate(&s->out, 0);
    if (s->cli->json) {
        if (buf_add_str(&s->out, ev->line, e)) return -1;
    } else if (buf_addf(&s->out, e, "%6llu  %.*s  %-14.*s ",
                        (unsigned long long)ev->seq, STR_ARG(ev->at),
                        STR_ARG(ev->kind)) ||
               json_write(ev->data, JSON_COMPACT, &s->out, e)) {
        return -1;
    }
    if (buf_add_char(&s->out, '\n', e)) return -1;
    return cli_out(buf_str(&s->out), e);
}

int net_audit_show(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf dir = BUF_MAX(PATH_MAX);
    struct showing s = {cli, args_text(&cli->args, "kind"),
                        BUF_MAX(2 * AUDIT_EVENT_MAX)};
    int64_t from = args_int(&cli->args, "from", 1);
    if (audit_dir(cli, &dir, e)) return -1;
    int result = audit_each(buf_text(&dir), (uint64_t)from, show_event, &s, e);
    buf_fini(&s.out);
    return result;
}
