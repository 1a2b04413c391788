/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/cli.h"
#include "cli/programs.h"
#include "stdlib/program.h"
#include "tools/catalogue.h"
#include "tools/signatures.h"
#include "json/write.h"

#define SOURCE_BYTES ((size_t)16 << 20)
#define WORK_BYTES   ((size_t)512 << 20)
#define REPORT_BYTES ((size_t)1 << 20)

/* -- the report ----------------------------------------------------------- */

static int add_json(str source, const struct finding *f, struct buf *b,
                    struct err *e) {
    struct jw w = JW(b);
    jw_object(&w);
    jw_key(&w, "findings");
    jw_array(&w);
    for (; f; f = f->next) {
        struct place at = place_of(source, f->start);
        struct place end = place_of(source, f->end);
        jw_object(&w);
        jw_put_int(&w, "line", at.line);
        jw_put_int(&w, "column", at.column + 1);
        jw_put_int(&w, "end_line", end.line);
        jw_put_int(&w, "end_column", end.column + 1);
        jw_put_text(&w, "message", str_of(f->text));
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(b, '\n', e);
}

static int add_text(str source, const char *path, const struct finding *f,
                    struct buf *b, struct err *e) {
    for (; f; f = f->next) {
        struct place at = place_of(source, f->start);
        str line = place_line(source, at.line);
        if (buf_addf(b, e, "%s:%u:%u: %s\n    %.*s\n", path, at.line,
                     at.column + 1, f->text, STR_ARG(str_trim(line))))
            return -1;
    }
    return 0;
}

static int report(const struct cli *cli, str source,
                  const struct finding *found, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(REPORT_BYTES);
    const char *path = cli_operand(cli, 0);
    if (!path || !strcmp(path, "-")) path = "<stdin>";
    if (cli->json ? add_json(source, found, &b, e)
                  : add_text(source, path, found, &b, e))
        return -1;
    if (cli_out(buf_str(&b), e)) return -1;
    return found ? err_exit_status(ERR_INVALID) : 0;
}

/* The signatures of --function. */
static int add_signatures(const struct cli *cli, struct program_host *host,
                          struct arena *a, struct err *e) {
    size_t n = 0;
    while (args_nth(&cli->args, "function", n))
        n++;
    const char **all = arena_zalloc(a, n + 1, sizeof *all, e);
    if (!all) return -1;
    for (size_t i = 0; i < n; i++)
        all[i] = args_nth(&cli->args, "function", i);
    host->signatures = all;
    host->nsignatures = n;
    return 0;
}

/* The tools of --tools. */
static int add_tools(const struct cli *cli, struct registry *r,
                     struct program_host *host, struct arena *a,
                     struct err *e) {
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    const char *path;
    for (size_t i = 0; (path = args_nth(&cli->args, "tools", i)); i++)
        if (catalogue_add_file(&c, path, e)) return -1;
    if (registry_put_catalogue(r, &c, e)) return -1;
    return signatures_of(r, a, &host->functions, &host->nfunctions, e);
}

static int check(struct cli *cli, struct registry *r, struct err *e) {
    AUTO_BUF struct buf source = BUF_MAX(SOURCE_BYTES);
    AUTO_ARENA struct arena arena = ARENA_MAX(WORK_BYTES);
    struct program_host host = {0};
    struct finding *found;
    if (cli_read(cli_operand(cli, 0), &source, e) ||
        add_signatures(cli, &host, &arena, e) ||
        add_tools(cli, r, &host, &arena, e) ||
        program_check(buf_str(&source), &host, &arena, &found, e))
        return -1;
    return report(cli, buf_str(&source), found, e);
}

int cmd_check(struct cli *cli, struct err *e) {
    struct registry *r = registry_new(e);
    if (!r) return -1;
    int result = check(cli, r, e);
    registry_free(r);
    return result;
}
