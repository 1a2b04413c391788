/* SPDX-License-Identifier: MIT
 *
 * cordon tools lint: what keeps a model from choosing the right tool, and what
 * a definition says to the model behind the user's back.
 */
#include "cli/corpus.h"
#include "cli/programs.h"
#include "policy/poison.h"
#include "tools/select/lint.h"
#include "json/write.h"

#define OUT_BYTES  ((size_t)64 << 20)
#define SCAN_BYTES ((size_t)1 << 30)

static int add_text(const struct cli *cli, const struct lint *l,
                    struct buf *out, struct err *e) {
    for (size_t i = 0; i < l->count; i++) {
        const struct lint_finding *f = &l->findings[i];
        if (buf_addf(out, e, "%s%.*s%s: %s: %.*s\n    %.*s\n",
                     cli_style(cli->color_out, CLI_BOLD), STR_ARG(f->tool),
                     cli_style(cli->color_out, CLI_PLAIN), lint_code(f->rule),
                     STR_ARG(f->text), STR_ARG(f->advice)))
            return -1;
    }
    return 0;
}

static int add_security(const struct cli *cli, const struct poison_report *p,
                        struct buf *out, struct err *e) {
    for (size_t i = 0; i < p->count; i++) {
        const struct poison_finding *f = &p->findings[i];
        bool error = poison_severity(f->class) == POISON_ERROR;
        if (buf_addf(out, e, "%s%.*s%s: %s: %s: %.*s %.*s\n    %s\n",
                     cli_style(cli->color_out, error ? CLI_RED : CLI_BOLD),
                     STR_ARG(f->tool), cli_style(cli->color_out, CLI_PLAIN),
                     error ? "error" : "warning", poison_code(f->class),
                     STR_ARG(f->place), STR_ARG(f->text),
                     poison_advice(f->class)))
            return -1;
    }
    return 0;
}

static void put_security(const struct poison_report *p, struct jw *w) {
    jw_key(w, "security");
    jw_array(w);
    for (size_t i = 0; i < p->count; i++) {
        const struct poison_finding *f = &p->findings[i];
        bool error = poison_severity(f->class) == POISON_ERROR;
        jw_object(w);
        jw_put_text(w, "tool", f->tool);
        if (f->other.n > 0) jw_put_text(w, "other", f->other);
        jw_put_text(w, "rule", str_of(poison_code(f->class)));
        jw_put_text(w, "severity", error ? STR("error") : STR("warning"));
        jw_put_text(w, "place", f->place);
        jw_put_text(w, "message", f->text);
        jw_put_text(w, "advice", str_of(poison_advice(f->class)));
        jw_end_object(w);
    }
    jw_end_array(w);
}

static int add_json(const struct lint *l, const struct poison_report *p,
                    size_t tools, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_int(&w, "tools", (int64_t)tools);
    jw_key(&w, "findings");
    jw_array(&w);
    for (size_t i = 0; i < l->count; i++) {
        const struct lint_finding *f = &l->findings[i];
        jw_object(&w);
        jw_put_text(&w, "tool", f->tool);
        if (f->other.n > 0) jw_put_text(&w, "other", f->other);
        jw_put_text(&w, "rule", str_of(lint_code(f->rule)));
        jw_put_text(&w, "message", f->text);
        jw_put_text(&w, "advice", f->advice);
        jw_end_object(&w);
    }
    jw_end_array(&w);
    put_security(p, &w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

int cmd_tools_lint(struct cli *cli, struct err *e) {
    const struct args *a = &cli->args;
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    AUTO_LINT struct lint l = LINT_INIT;
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    AUTO_ARENA struct arena scan = ARENA_MAX(SCAN_BYTES);
    struct poison_report p;
    if (!args_nth(a, "corpus", 0))
        return fail(e, ERR_USAGE, "--corpus says which tools to check");
    if (corpus_add(&c, a, e)) return -1;
    if (lint_catalogue(&l, &c, e) ||
        poison_scan(c.tools, c.count, &scan, &p, e))
        return -1;
    if (cli->json
            ? add_json(&l, &p, c.count, &out, e)
            : add_security(cli, &p, &out, e) || add_text(cli, &l, &out, e))
        return -1;
    if (cli_out(buf_str(&out), e)) return -1;
    return l.count > 0 || p.count > 0 ? 1 : 0;
}
