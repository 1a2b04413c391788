/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"
#include "cli/programs.h"
#include "json/schema.h"
#include "json/write.h"

#define TEXT_BYTES   ((size_t)64 << 20)
#define TREE_BYTES   ((size_t)1 << 30)
#define REPORT_BYTES ((size_t)16 << 20)

static int load(const char *path, struct arena *a, const struct json **out,
                struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES);
    if (cli_read(path, &text, e)) return -1;
    if (json_parse(buf_str(&text), NULL, a, out, e))
        return fail_while(e, "%s", path ? path : "standard input");
    return 0;
}

static int add_json(const struct schema_report *r, struct buf *b,
                    struct err *e) {
    struct jw w = JW(b);
    jw_object(&w);
    jw_put_bool(&w, "valid", r->count == 0);
    jw_key(&w, "errors");
    jw_array(&w);
    for (size_t i = 0; i < r->count; i++) {
        const struct schema_error *error = &r->errors[i];
        jw_object(&w);
        jw_put_text(&w, "path", error->path);
        jw_put_text(&w, "keyword", str_of(error->keyword));
        jw_put_text(&w, "schema_path", error->schema_path);
        jw_put_text(&w, "expected", error->expected);
        jw_put_text(&w, "got", error->got);
        jw_end_object(&w);
    }
    jw_end_array(&w);
    jw_put_bool(&w, "more", r->more);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(b, '\n', e);
}

static int add_text(const struct schema_report *r, struct buf *b,
                    struct err *e) {
    if (r->count == 0) return buf_add_text(b, "valid\n", e);
    for (size_t i = 0; i < r->count; i++) {
        const struct schema_error *error = &r->errors[i];
        str path = error->path.n > 0 ? error->path : STR("(whole value)");
        if (buf_addf(b, e, "%.*s: %s: expected %.*s, got %.*s\n", STR_ARG(path),
                     error->keyword, STR_ARG(error->expected),
                     STR_ARG(error->got)))
            return -1;
    }
    return r->more ? buf_add_text(b, "... and more\n", e) : 0;
}

static int show(const struct cli *cli, const struct schema_report *r,
                struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(REPORT_BYTES);
    if (cli->json ? add_json(r, &b, e) : add_text(r, &b, e)) return -1;
    if (cli_out(buf_str(&b), e)) return -1;
    return r->count == 0 ? 0 : err_exit_status(ERR_INVALID);
}

int cmd_json_validate(struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena tree = ARENA_MAX(TREE_BYTES);
    const struct json *doc, *value;
    struct schema_options options = {
        .assert_formats = args_flag(&cli->args, "formats"),
    };
    AUTO_SCHEMA struct schema *schema = NULL;
    if (load(cli_operand(cli, 0), &tree, &doc, e)) return -1;
    if (schema_compile(doc, &options, &schema, e))
        return fail_while(e, "%s", cli_operand(cli, 0));
    if (load(cli_operand(cli, 1), &tree, &value, e)) return -1;
    size_t max = (size_t)args_int(&cli->args, "max-errors", 20);
    struct schema_report report;
    if (schema_explain(schema, value, max, &tree, &report, e)) return -1;
    return show(cli, &report, e);
}
