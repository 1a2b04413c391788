/* SPDX-License-Identifier: MIT
 *
 * cordon audit export: the events for other programs, as JSON lines or as
 * OpenTelemetry spans, to standard output or to a collector.
 */
#include <limits.h>
#include <string.h>

#include "audit/audit.h"
#include "audit/otlp.h"
#include "cli/audit_dir.h"
#include "cli/programs.h"
#include "io/client.h"

#define BODY_BYTES ((size_t)64 << 20)
#define BATCH      512 /* spans of one request */

struct exporting {
    const struct cli *cli;
    const char *kind; /* glob, or NULL */
    const char *to;   /* URL of a collector, or NULL */
    struct loop *loop;
    struct client *client;
    struct otlp otlp;
    struct buf body;
    uint64_t sent;
    bool spans, open;
};

/* -- sending ----------------------------------------------------------------
 */

struct posting {
    struct loop *loop;
    unsigned status;
    bool ended;
    struct err why;
    bool failed;
    char answer[200];
};

static void on_done(void *data, struct request *r, const struct err *e) {
    struct posting *p = data;
    p->ended = true;
    if (e) {
        p->failed = true;
        p->why = *e;
    } else {
        str text = str_sub(request_answer(r), 0, sizeof p->answer - 1);
        p->status = request_status(r);
        memcpy(p->answer, text.p, text.n);
        p->answer[text.n] = '\0';
    }
    loop_stop(p->loop);
}

static int post(struct exporting *x, struct err *e) {
    static const struct request_events events = {.done = on_done};
    static const struct http_header headers[] = {
        {"Content-Type", "application/json"}, {NULL, NULL}};
    struct posting p = {.loop = x->loop};
    struct request_spec spec = {.method = "POST",
                                .url = x->to,
                                .headers = headers,
                                .body = buf_str(&x->body),
                                .events = &events,
                                .data = &p};
    if (!client_start(x->client, &spec, e)) return -1;
    while (!p.ended)
        if (loop_run(x->loop, e)) return -1;
    if (p.failed) {
        *e = p.why;
        return fail_while(e, "%s", x->to);
    }
    if (p.status / 100 == 2) return 0;
    return fail(e, ERR_PEER, "%s answered %u: %s", x->to, p.status, p.answer);
}

static int flush(struct exporting *x, struct err *e) {
    if (!x->open) return 0;
    x->open = false;
    x->sent += x->otlp.spans;
    if (otlp_end(&x->otlp, e)) return -1;
    if (x->to ? post(x, e) : cli_out(buf_str(&x->body), e)) return -1;
    buf_truncate(&x->body, 0);
    return 0;
}

/* -- events -----------------------------------------------------------------
 */

static int export_span(struct exporting *x, const struct audit_event *ev,
                       struct err *e) {
    if (!x->open && otlp_begin(&x->otlp, &x->body, e)) return -1;
    x->open = true;
    if (otlp_add(&x->otlp, ev, e)) return -1;
    return x->otlp.spans < BATCH ? 0 : flush(x, e);
}

static int export_event(void *data, const struct audit_event *ev,
                        struct err *e) {
    struct exporting *x = data;
    if (x->kind && !str_glob(str_of(x->kind), ev->kind)) return 0;
    if (x->spans) return export_span(x, ev, e);
    buf_truncate(&x->body, 0);
    return buf_add_str(&x->body, ev->line, e) ||
                   buf_add_char(&x->body, '\n', e) ||
                   cli_out(buf_str(&x->body), e)
               ? -1
               : 0;
}

static int export_all(struct exporting *x, struct err *e) {
    AUTO_BUF struct buf dir = BUF_MAX(PATH_MAX);
    int64_t from = args_int(&x->cli->args, "from", 1);
    if (audit_dir(x->cli, &dir, e) ||
        audit_each(buf_text(&dir), (uint64_t)from, export_event, x, e))
        return -1;
    return flush(x, e);
}

int net_audit_export(struct cli *cli, struct err *e) {
    const char *format = args_text(&cli->args, "format");
    struct exporting x = {.cli = cli,
                          .kind = args_text(&cli->args, "kind"),
                          .to = args_text(&cli->args, "to"),
                          .body = BUF_MAX(BODY_BYTES)};
    x.spans = (format && strcmp(format, "otlp") == 0) || x.to;
    if (x.to && format && strcmp(format, "jsonl") == 0)
        return fail(e, ERR_USAGE, "a collector takes --format otlp");
    if (x.to) {
        x.loop = loop_new(e);
        x.client = x.loop ? client_new(x.loop, e) : NULL;
    }
    int failed = (x.to && !x.client) || export_all(&x, e);
    client_free(x.client);
    loop_free(x.loop);
    buf_fini(&x.body);
    if (failed) return -1;
    if (x.to)
        log_info(&cli->log, "%llu spans sent", (unsigned long long)x.sent);
    return 0;
}
