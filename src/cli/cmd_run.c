/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/container.h"
#include "cli/handoff.h"
#include "cli/programs.h"
#include "cli/script.h"

#define SOURCE_BYTES ((size_t)16 << 20)

/* Where the program is from, for tracebacks: a file by its absolute path, as
 * python3 shows it. */
static int name_program(const char *code, const char *path, struct buf *name,
                        struct err *e) {
    char here[PATH_MAX];
    if (code) return buf_add_text(name, "<string>", e);
    if (!path || !strcmp(path, "-")) return buf_add_text(name, "<stdin>", e);
    if (path[0] != '/' && getcwd(here, sizeof here) &&
        buf_addf(name, e, "%s/", here))
        return -1;
    return buf_add_text(name, path, e);
}

static int read_program(const struct cli *cli, struct buf *out,
                        struct buf *name, struct err *e) {
    const char *code = args_text(&cli->args, "code");
    const char *path = cli_operand(cli, 0);
    if (name_program(code, path, name, e)) return -1;
    if (!code) return cli_read(path, out, e);
    if (path) return fail(e, ERR_USAGE, "both -c and a file were given");
    return buf_add_text(out, code, e);
}

/* Host calls have nobody to answer them here. */
static enum cordon_status refuse_calls(cordon_session *s,
                                       enum cordon_status status) {
    while (status == CORDON_CALL)
        status = cordon_resume_error(s, NULL, "no tools are connected");
    return status;
}

static int print_result(cordon_session *s, struct err *e) {
    const char *json = cordon_result_json(s);
    if (!json) return fail(e, ERR_INVALID, "result: %s", cordon_error(s));
    if (cli_out(str_of(json), e)) return -1;
    return cli_out(STR("\n"), e);
}

static void print_stats(const cordon_session *s) {
    struct cordon_usage u;
    cordon_usage(s, &u);
    fprintf(stderr,
            "steps %llu, memory %llu bytes, time %.3f ms, output %llu bytes, "
            "calls %u\n",
            (unsigned long long)u.steps, (unsigned long long)u.memory_peak,
            (double)u.time_ns / 1e6, (unsigned long long)u.output, u.calls);
}

/* The exit status of the command; tracebacks go to standard error as python3
 * prints them. */
static int finish(struct cli *cli, cordon_session *s, enum cordon_status status,
                  struct err *e) {
    const char *traceback = cordon_traceback(s);
    if (traceback[0] && fd_write_all(2, str_of(traceback), e)) return -1;
    if (args_flag(&cli->args, "stats")) print_stats(s);
    switch (status) {
    case CORDON_FAILED: return fail(e, ERR_INTERNAL, "%s", cordon_error(s));
    case CORDON_DONE: break;
    case CORDON_RAISED: return 1;
    case CORDON_LIMIT: return err_exit_status(ERR_TIMEOUT);
    case CORDON_CALL:
    case CORDON_WAIT: return fail(e, ERR_INTERNAL, "a call was not answered");
    }
    int exit_status = cordon_exit_status(s);
    if (exit_status == 0 && args_flag(&cli->args, "result") &&
        print_result(s, e))
        return -1;
    return exit_status;
}

static int run_program(struct cli *cli, str code, const char *name,
                       const cordon_options *o, struct printer *printer,
                       struct err *e) {
    const char *why = "";
    cordon_session *s = cordon_session_new(o, &why);
    if (!s) return fail(e, ERR_INTERNAL, "%s", why);
    enum cordon_status status =
        refuse_calls(s, cordon_run_file(s, code.p, code.n, name));
    printer_flush(printer);
    int result = finish(cli, s, status, e);
    cordon_session_free(s);
    return result;
}

int cmd_run(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf code = BUF_MAX(SOURCE_BYTES);
    AUTO_BUF struct buf name = BUF_MAX(2 * PATH_MAX);
    struct cordon_limits limits = {0};
    const char *words;
    if (args_flag(&cli->args, "tools")) return handoff_to_net(cli, e);
    if (read_program(cli, &code, &name, e)) return -1;
    const char *tier = args_text(&cli->args, "tier");
    if (tier && str_is(str_of(tier), "container"))
        return container_run(cli, buf_str(&code), e);
    for (size_t i = 0; (words = args_nth(&cli->args, "limits", i)); i++)
        if (script_limits(words, &limits, e)) return -1;
    cordon_options *o = cordon_options_new();
    if (!o) return fail(e, ERR_MEMORY, "out of memory");
    struct printer printer = PRINTER(1);
    printer.at_once = isatty(1);
    cordon_options_limits(o, &limits);
    cordon_options_print(o, printer_add, &printer);
    int result =
        run_program(cli, buf_str(&code), buf_text(&name), o, &printer, e);
    printer_fini(&printer);
    cordon_options_free(o);
    return result;
}
