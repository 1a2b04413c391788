/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "base/file.h"
#include "base/utf8.h"
#include "cli/help.h"
#include "cordon.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ERROR_BYTES 8192
#define SAID_BYTES  ((size_t)256 << 20)

#define QUOTE(x)   #x
#define TEXT_OF(x) QUOTE(x)
#define VERSION                   \
    TEXT_OF(CORDON_VERSION_MAJOR) \
    "." TEXT_OF(CORDON_VERSION_MINOR) "." TEXT_OF(CORDON_VERSION_PATCH)

int cli_out(str text, struct err *e) {
    if (fd_write_all(STDOUT_FILENO, text, e))
        return fail_while(e, "standard output");
    return 0;
}

/* Control characters but line end and tab, and marks of direction. */
static bool is_wild(uint32_t c) {
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

int cli_tame(str text, struct buf *out, struct err *e) {
    for (size_t i = 0; i < text.n;) {
        uint32_t c;
        size_t n = utf8_decode(text.p + i, text.n - i, &c);
        bool wild = n == 0 || is_wild(c);
        if (n == 0) c = (unsigned char)text.p[i], n = 1;
        if (wild ? buf_addf(out, e, "\\u{%x}", c)
                 : buf_add(out, text.p + i, n, e))
            return -1;
        i += n;
    }
    return 0;
}

int cli_say(str text, struct err *e) {
    AUTO_BUF struct buf tame = BUF_MAX(SAID_BYTES);
    if (!isatty(STDOUT_FILENO)) return cli_out(text, e);
    if (cli_tame(text, &tame, e)) return -1;
    return cli_out(buf_str(&tame), e);
}

const char *cli_operand(const struct cli *cli, size_t index) {
    return index < cli->args.operand_count ? cli->args.operands[index] : NULL;
}

const char *cli_operand_name(const struct cli *cli, size_t index) {
    const char *path = cli_operand(cli, index);
    return path && strcmp(path, "-") != 0 ? path : "standard input";
}

int cli_read(const char *path, struct buf *out, struct err *e) {
    return file_read(path ? path : "-", out, e);
}

const char *cli_style(bool color, enum cli_style style) {
    static const char *const codes[] = {
        [CLI_PLAIN] = "\033[0m",  [CLI_BOLD] = "\033[1m",
        [CLI_DIM] = "\033[2m",    [CLI_RED] = "\033[31m",
        [CLI_GREEN] = "\033[32m", [CLI_YELLOW] = "\033[33m",
    };
    return color ? codes[style] : "";
}

/* --- errors --------------------------------------------------------------- */

static int add_json_error(struct buf *b, const struct err *error,
                          struct err *e) {
    struct jw w = JW(b);
    jw_object(&w);
    jw_key(&w, "error");
    jw_object(&w);
    jw_put_text(&w, "code", str_of(err_code(error->kind)));
    jw_put_text(&w, "message", str_of(error->text));
    jw_put_int(&w, "exit_status", err_exit_status(error->kind));
    jw_end_object(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(b, '\n', e);
}

static void show_error(struct log *log, bool json, const struct err *error) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(ERROR_BYTES);
    if (!json || add_json_error(&b, error, &e))
        log_error(log, "%s", error->text);
    else
        (void)fd_write_all(log->fd, buf_str(&b), &e);
}

static int report(struct log *log, bool json, const struct err *e) {
    show_error(log, json, e);
    return err_exit_status(e->kind);
}

/* --- the start of every command ------------------------------------------- */

static bool wants_color(int fd) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no && *no) return false;
    return term && strcmp(term, "dumb") != 0 && isatty(fd);
}

static enum log_level level_of(const struct args *a) {
    if (args_flag(a, "verbose")) return LOG_DEBUG;
    return args_flag(a, "quiet") ? LOG_ERROR : LOG_INFO;
}

static int show_version(bool json, struct err *e) {
    return cli_out(
        json ? STR("{\"name\":\"cordon\",\"version\":\"" VERSION "\"}\n")
             : STR("cordon " VERSION "\n"),
        e);
}

static int run(const struct cli_program *program, struct cli *cli,
               struct err *e) {
    const struct args *a = &cli->args;
    if (args_flag(a, "version")) return show_version(cli->json, e);
    if (args_flag(a, "help")) return help_show(a->command, a->group, e);
    if (a->command) return program->run[a->command->id](cli, e);
    if (a->group.n > 0)
        return fail(e, ERR_USAGE,
                    "\"%.*s\" needs a second word; see `cordon help %.*s`",
                    STR_ARG(a->group), STR_ARG(a->group));
    return fail(e, ERR_USAGE, "no command given; `cordon help` lists them");
}

/* Before the command line is understood: was --json on it? */
static bool asks_for_json(char *const *argv) {
    for (; *argv && strcmp(*argv, "--") != 0; argv++)
        if (strcmp(*argv, "--json") == 0) return true;
    return false;
}

int cli_main(const struct cli_program *program, int argc, char **argv) {
    struct err e;
    struct cli cli = {
        .log = LOG_TO(STDERR_FILENO, LOG_INFO),
        .json = asks_for_json(argv),
        .color_out = wants_color(STDOUT_FILENO),
        .argv = argv,
    };
    cli.log.color = wants_color(STDERR_FILENO);
    if (args_parse(argc, argv, &cli.args, &e))
        return report(&cli.log, cli.json, &e);
    cli.json = args_flag(&cli.args, "json");
    cli.log.level = level_of(&cli.args);
    int status = run(program, &cli, &e);
    if (status < 0) status = report(&cli.log, cli.json, &e);
    args_fini(&cli.args);
    log_fini(&cli.log);
    return status;
}
