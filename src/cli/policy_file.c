/* SPDX-License-Identifier: MIT */
#include "cli/policy_file.h"

#include "json/write.h"

#define OUT_BYTES ((size_t)16 << 20)

int policy_file_open(struct policy_file *f, const struct cli *cli,
                     struct err *e) {
    *f = (struct policy_file){.path = cli_operand(cli, 0),
                              .catalogue = CATALOGUE_INIT};
    for (size_t i = 0; args_nth(&cli->args, "corpus", i); i++)
        if (catalogue_add_file(&f->catalogue, args_nth(&cli->args, "corpus", i),
                               e))
            return -1;
    f->policy = policy_load(f->path, e);
    return f->policy ? 0 : -1;
}

void policy_file_fini(struct policy_file *f) {
    policy_free(f->policy);
    catalogue_fini(&f->catalogue);
}

static int add_json(const struct policy_file *f, const struct policy_report *r,
                    const char *counted, size_t count, struct buf *out,
                    struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "file", str_of(f->path));
    jw_put_bool(&w, "valid", r->errors == 0);
    jw_put_int(&w, counted, (int64_t)count);
    jw_key(&w, "problems");
    jw_array(&w);
    for (size_t i = 0; i < r->count; i++) {
        jw_object(&w);
        jw_put_int(&w, "line", (int64_t)r->problems[i].line);
        jw_put_text(&w, "severity",
                    r->problems[i].error ? STR("error") : STR("warning"));
        jw_put_text(&w, "message", r->problems[i].text);
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

static int add_text(const struct policy_file *f, const struct cli *cli,
                    const struct policy_report *r, const char *counted,
                    size_t count, struct buf *out, struct err *e) {
    for (size_t i = 0; i < r->count; i++) {
        const struct policy_problem *p = &r->problems[i];
        enum cli_style style = p->error ? CLI_RED : CLI_YELLOW;
        if (buf_addf(out, e, "%s:%zu: %s%s%s: %.*s\n", f->path, p->line,
                     cli_style(cli->color_out, style),
                     p->error ? "error" : "warning",
                     cli_style(cli->color_out, CLI_PLAIN), STR_ARG(p->text)))
            return -1;
    }
    return buf_addf(out, e, "%s: %zu %s, %zu errors, %zu warnings\n", f->path,
                    count, counted, r->errors, r->count - r->errors);
}

int policy_file_report(const struct policy_file *f, const struct cli *cli,
                       const struct policy_report *r, const char *counted,
                       size_t count, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    if (cli->json ? add_json(f, r, counted, count, &out, e)
                  : add_text(f, cli, r, counted, count, &out, e))
        return -1;
    if (cli_out(buf_str(&out), e)) return -1;
    return r->errors > 0 ? 1 : 0;
}
