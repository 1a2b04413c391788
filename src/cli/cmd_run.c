/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cage_flags.h"
#include "cli/cli.h"
#include "cli/container.h"
#include "cli/handoff.h"
#include "cli/programs.h"
#include "cli/sandbox_log.h"
#include "cli/script.h"
#include "cli/tier.h"
#include "runs/worker.h"

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

static void print_stats(const struct cordon_usage *u) {
    fprintf(stderr,
            "steps %llu, memory %llu bytes, time %.3f ms, output %llu bytes, "
            "calls %u\n",
            (unsigned long long)u->steps, (unsigned long long)u->memory_peak,
            (double)u->time_ns / 1e6, (unsigned long long)u->output, u->calls);
}

/* The exit status of the command; tracebacks go to standard error as python3
 * prints them. */
static int finish(struct cli *cli, const struct worker_event *end,
                  struct err *e) {
    if (end->traceback.n && fd_write_all(2, end->traceback, e)) return -1;
    if (args_flag(&cli->args, "stats")) print_stats(&end->usage);
    if (end->kind == WORKER_RAISED) return 1;
    if (end->kind == WORKER_LIMIT) return err_exit_status(ERR_TIMEOUT);
    if (end->kind == WORKER_GONE)
        return fail(e, ERR_INTERNAL, "%.*s", STR_ARG(end->text));
    if (end->kind != WORKER_DONE)
        return fail(e, ERR_INTERNAL, "%.*s", STR_ARG(end->error));
    if (end->exit_status || !args_flag(&cli->args, "result"))
        return end->exit_status;
    if (!end->text.p)
        return fail(e, ERR_INVALID, "result: %.*s", STR_ARG(end->error));
    return cli_out(end->text, e) || cli_out(STR("\n"), e) ? -1 : 0;
}

/* Until the program ends. Calls have nobody to answer them here. */
static int follow(struct worker *w, const struct cordon_limits *limits,
                  struct printer *printer, struct worker_event *end,
                  struct err *e) {
    for (;;) {
        int n = worker_next(w, script_patience(limits), end, e);
        if (n < 0) return -1;
        if (n == 0)
            return fail(e, ERR_TIMEOUT, "the worker does not end its run");
        if (end->kind == WORKER_OUTPUT)
            printer_take(printer, end);
        else if (end->kind != WORKER_CALL)
            return 0;
        else if (worker_answer_error(w, STR(""), STR("no tools are connected"),
                                     e))
            return -1;
    }
}

static int run_program(struct cli *cli, str code, const char *name,
                       const struct worker_options *o, struct printer *printer,
                       struct err *e) {
    struct worker *w;
    struct worker_event end;
    if (worker_start(o, &w, e)) return fail_while(e, "worker");
    int result = worker_run(w, code, name, e);
    if (result == 0) result = follow(w, &o->limits, printer, &end, e);
    printer_flush(printer);
    if (result == 0) result = finish(cli, &end, e);
    worker_free(w);
    return result;
}

/* Whether our interpreter runs it. */
static int choose_tier(struct cli *cli, str code, bool *script,
                       struct auto_choice *choice, struct err *e) {
    const char *tier = args_text(&cli->args, "tier");
    *script = !tier || strcmp(tier, "script") == 0;
    choice->reason[0] = 0;
    if (!tier || strcmp(tier, "auto") != 0) return 0;
    if (auto_python(code, NULL, choice, e)) return -1;
    *script = choice->script;
    return 0;
}

/* A program that was read from standard input is read from there once more. */
static int give_back(const struct cli *cli, str code, struct err *e) {
    const char *path = cli_operand(cli, 0);
    if (args_text(&cli->args, "code") || (path && strcmp(path, "-") != 0))
        return 0;
    AUTO_FD int fd = memfd_create("program", 0);
    if (fd < 0) return fail_sys(e, "memfd");
    if (fd_write_all(fd, code, e)) return -1;
    if (lseek(fd, 0, SEEK_SET) < 0 || dup2(fd, STDIN_FILENO) < 0)
        return fail_sys(e, "standard input");
    return 0;
}

/* Where there is an audit log, or a header may have to go into TLS, cordon-net
 * runs it. */
static int run_in_sandbox(struct cli *cli, str code, struct err *e) {
    AUTO_BUF struct buf log = BUF_MAX(PATH_MAX);
    const struct args *a = &cli->args;
    if (sandbox_log_find(cli, &log, e)) return -1;
    if (!log.len && !args_nth(a, "add-header", 0) && !args_text(a, "cage"))
        return container_run(cli, code, NULL, NULL, e);
    return give_back(cli, code, e) ? -1 : handoff_to_net(cli, e);
}

/* What is said of tools says nothing without them. */
static int needs_tools(const struct cli *cli, struct err *e) {
    static const char *const names[] = {"job", "session", "policy", NULL};
    for (const char *const *name = names; *name; name++)
        if (args_text(&cli->args, *name))
            return fail(e, ERR_USAGE, "--%s is for --tools", *name);
    return 0;
}

int cmd_run(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf code = BUF_MAX(SOURCE_BYTES);
    AUTO_BUF struct buf name = BUF_MAX(2 * PATH_MAX);
    struct worker_options o = {.at_once = isatty(1),
                               .no_result = !args_flag(&cli->args, "result")};
    const char *words;
    if (args_flag(&cli->args, "tools") || args_nth(&cli->args, "credential", 0))
        return handoff_to_net(cli, e);
    if (needs_tools(cli, e) || read_program(cli, &code, &name, e)) return -1;
    bool script;
    struct auto_choice choice;
    if (choose_tier(cli, buf_str(&code), &script, &choice, e)) return -1;
    if (choice.reason[0]) tier_tell(cli, &choice);
    if (!script) return run_in_sandbox(cli, buf_str(&code), e);
    if (cage_flags_given(&cli->args))
        return fail(e, ERR_USAGE,
                    "--%s: our interpreter has no sandbox to describe; name "
                    "another tier",
                    cage_flags_given(&cli->args));
    for (size_t i = 0; (words = args_nth(&cli->args, "limits", i)); i++)
        if (script_limits(words, &o.limits, e)) return -1;
    struct printer printer = PRINTER(1);
    printer.at_once = o.at_once;
    int result =
        run_program(cli, buf_str(&code), buf_text(&name), &o, &printer, e);
    printer_fini(&printer);
    return result;
}
