/* SPDX-License-Identifier: MIT */
#include "cli/programs.h"
#include "cli/settings.h"
#include "json/write.h"

#include <limits.h>

#define TREE_BYTES   ((size_t)64 << 20)
#define FILE_BYTES   ((size_t)4 << 20)
#define REPORT_BYTES ((size_t)1 << 20)

static int add_json(const struct config_report *r, str file, struct buf *out,
                    struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "file", file);
    jw_put_bool(&w, "valid", r->count == 0);
    jw_key(&w, "errors");
    jw_array(&w);
    for (size_t i = 0; i < r->count; i++) {
        jw_object(&w);
        jw_put_text(&w, "path", r->problems[i].path);
        jw_put_text(&w, "message", r->problems[i].text);
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

static int add_text(const struct config_report *r, str file, struct buf *out,
                    struct err *e) {
    if (r->count == 0) return buf_addf(out, e, "%.*s: ok\n", STR_ARG(file));
    for (size_t i = 0; i < r->count; i++)
        if (buf_addf(out, e, "%.*s: %.*s: %.*s\n", STR_ARG(file),
                     STR_ARG(r->problems[i].path),
                     STR_ARG(r->problems[i].text)))
            return -1;
    return 0;
}

static int check(const struct cli *cli, const char *file, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(TREE_BYTES);
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES), out = BUF_MAX(REPORT_BYTES);
    struct json_limits limits = {.comments = true};
    const struct json *root;
    struct config_report report;
    if (config_read(file, &text, e)) return -1;
    if (json_parse(buf_str(&text), &limits, &a, &root, e) ||
        config_check(root, settings_keys(), &a, &report, e))
        return fail_while(e, "%s", file);
    if (cli->json ? add_json(&report, str_of(file), &out, e)
                  : add_text(&report, str_of(file), &out, e))
        return -1;
    if (cli_out(buf_str(&out), e)) return -1;
    return report.count == 0 ? 0 : err_exit_status(ERR_INVALID);
}

int cmd_config_check(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf found = BUF_MAX(PATH_MAX);
    const char *file = cli_operand(cli, 0);
    if (file) return check(cli, file, e);
    if (settings_find(args_text(&cli->args, "config"), &found, e)) return -1;
    if (found.len == 0)
        return fail(e, ERR_MISSING,
                    "there is no configuration file: neither "
                    "./cordon.json nor one in the configuration folder");
    return check(cli, buf_text(&found), e);
}
