/* SPDX-License-Identifier: MIT
 *
 * cordon run --tools: a program in code mode, from the terminal. What policy
 * asks about is asked here when somebody sits at it; else the run waits in the
 * store, and the exit status says so.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/dirs.h"
#include "base/file.h"
#include "cli/container.h"
#include "cli/person.h"
#include "cli/programs.h"
#include "cli/sandbox_log.h"
#include "cli/script.h"
#include "cli/task_run.h"
#include "cli/tier.h"
#include "cli/toolbox.h"
#include "runs/nursery.h"
#include "runs/runs.h"
#include "sandbox/tls.h"
#include "json/write.h"

#define SOURCE_BYTES ((size_t)16 << 20)
#define OUT_BYTES    ((size_t)64 << 20)

struct program {
    struct cli *cli;
    struct toolbox box;
    struct nursery *nursery; /* started before there are secrets */
    struct runs *runs;
    struct run_waiter waiter;
    char id[STORE_ID];
    bool told;
    enum run_state state;
    struct arena arena; /* of the outcome */
    const struct json *outcome;
    struct buf checkpoints; /* path of the folder */
    struct err err;         /* while the outcome was kept */
    bool failed;
};

/* -- the outcome
 * ---------------------------------------------------------------
 */

static void on_done(struct run_waiter *w, enum run_state state,
                    const struct json *outcome) {
    struct program *p = w->data;
    AUTO_BUF struct buf text = BUF_MAX(OUT_BYTES);
    struct json_limits limits = {.keep_duplicates = true};
    p->told = true;
    p->state = state;
    arena_fini(&p->arena);
    if (json_write(outcome, JSON_COMPACT, &text, &p->err) ||
        json_parse(buf_str(&text), &limits, &p->arena, &p->outcome, &p->err))
        p->failed = true;
}

static void on_progress(struct run_waiter *w, double done, double total,
                        str message) {
    struct program *p = w->data;
    (void)done;
    (void)total;
    log_info(&p->cli->log, "%.*s", STR_ARG(message));
}

static int wait_until_told(struct program *p, struct err *e) {
    while (!p->told && !p->box.signalled)
        if (loop_step(p->box.loop, -1, e)) return -1;
    if (p->failed) {
        *e = p->err;
        return -1;
    }
    if (p->told) return 0;
    return fail(e, ERR_TIMEOUT, "interrupted; cordon runs resume %s goes on",
                p->id);
}

/* What is wrong with the program, as `cordon check` tells it. */
static int print_problems(const struct json *problems, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    const struct json *p = json_first(problems);
    for (size_t i = json_len(problems); i > 0; i--, p = json_skip(p))
        if (buf_addf(&out, e, "%lld:%lld: %.*s\n    %.*s\n",
                     (long long)json_get_int(p, "line", 0),
                     (long long)json_get_int(p, "column", 0),
                     STR_ARG(json_get_text(p, "message", STR(""))),
                     STR_ARG(json_get_text(p, "text", STR("")))))
            return -1;
    return fd_write_all(2, buf_str(&out), e);
}

static int print_error(const struct json *error, struct err *e) {
    const struct json *problems = json_get(error, "problems");
    str text = json_get_text(error, "traceback",
                             json_get_text(error, "message", STR("")));
    if (problems && json_type(problems) == JSON_ARRAY)
        return print_problems(problems, e);
    if (text.n == 0) return 0;
    return fd_write_all(2, text, e) || fd_write_all(2, STR("\n"), e) ? -1 : 0;
}

static int print_outcome(struct program *p, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    const struct json *value = json_get(p->outcome, "value");
    str output = json_get_text(p->outcome, "output", STR(""));
    if (p->cli->json) {
        if (json_write(p->outcome, JSON_PRETTY, &out, e) ||
            buf_add_char(&out, '\n', e))
            return -1;
        return cli_out(buf_str(&out), e);
    }
    if (cli_out(output, e) || print_error(json_get(p->outcome, "error"), e))
        return -1;
    if (!value || json_type(value) == JSON_NULL ||
        !args_flag(&p->cli->args, "result"))
        return 0;
    if (json_write(value, JSON_PRETTY, &out, e) || buf_add_char(&out, '\n', e))
        return -1;
    return cli_out(buf_str(&out), e);
}

/* -- questions
 * -----------------------------------------------------------------
 */

/* 1: the run waits for somebody who is not here. */
static int go_on(struct program *p, struct err *e) {
    while (p->state == RUN_WAITING) {
        str approval =
            json_get_text(json_get(p->outcome, "waiting"), "approval", STR(""));
        if (!person_here()) return 1;
        if (person_ask(&p->box.authority, approval, e)) return -1;
        p->told = false;
        if (runs_wait(p->runs, str_of(p->id), &p->waiter, e) ||
            wait_until_told(p, e))
            return -1;
    }
    return 0;
}

/* -- the command
 * ---------------------------------------------------------------
 */

/* Who names the tier here gives it: it is their machine. */
static int open_runs(struct program *p, bool container, struct err *e) {
    if (!p->box.authority.store)
        return fail(e, ERR_USAGE,
                    "\"record\" is false in the configuration: a run with "
                    "tools needs its records");
    if (dirs_path(DIRS_STATE, "checkpoints", &p->checkpoints, e)) return -1;
    const struct runs_config config = {.loop = p->box.loop,
                                       .checkpoints = buf_text(&p->checkpoints),
                                       .container = container,
                                       .any_class = true,
                                       .tls = &tls_openssl,
                                       .boundary = p->box.authority.boundary,
                                       .store = p->box.authority.store,
                                       .audit = p->box.authority.audit,
                                       .nursery = p->nursery,
                                       .shown_max = OUT_BYTES / 4};
    p->runs = runs_new(&config, e);
    p->waiter = (struct run_waiter){
        .done = on_done, .progress = on_progress, .data = p};
    return p->runs ? 0 : -1;
}

static int read_source(struct cli *cli, struct buf *out, struct err *e) {
    const char *code = args_text(&cli->args, "code");
    const char *path = cli_operand(cli, 0);
    if (code && path)
        return fail(e, ERR_USAGE, "both -c and a file were given");
    return code ? buf_add_text(out, code, e) : cli_read(path, out, e);
}

static int submit(struct program *p, str code, bool container, struct err *e) {
    const char *session = args_text(&p->cli->args, "session");
    const char *words, *job = args_text(&p->cli->args, "job");
    struct run_request q = {.program = code,
                            .session = str_of(session),
                            .kind = job ? "job" : "run",
                            .resources = str_of(job),
                            .tier =
                                container ? STR("container") : STR("script"),
                            .principal = STR("local"),
                            .client = STR("cli"),
                            .can_ask = true,
                            .waiter = &p->waiter};
    for (size_t i = 0; (words = args_nth(&p->cli->args, "limits", i)); i++)
        if (script_limits(words, &q.limits, e)) return -1;
    if (runs_submit(p->runs, &q, p->id, e)) return -1;
    return wait_until_told(p, e);
}

static int finish(struct program *p, int waits, struct err *e) {
    if (print_outcome(p, e)) return -1;
    if (!waits) return p->state == RUN_DONE ? 0 : 1;
    return fail(e, ERR_WAITING,
                "run %s waits for a person: see cordon approvals list, then "
                "cordon runs resume %s",
                p->id, p->id);
}

/* Whether CPython is wanted. *reason is set where nobody chose it: a program
 * that needs more than our interpreter asks for it. */
static int choose_tier(struct program *p, str code, bool *container,
                       struct auto_choice *choice, const char **reason,
                       struct err *e) {
    const char *tier = args_text(&p->cli->args, "tier");
    *reason = NULL;
    if (tier && strcmp(tier, "auto") != 0) {
        *container = strcmp(tier, "script") != 0;
        return 0;
    }
    AUTO_ARENA struct arena a = ARENA_MAX(SOURCE_BYTES);
    const char *const *names;
    if (task_run_names(p->box.authority.registry, &a, &names, e) ||
        auto_python(code, names, choice, e))
        return -1;
    /* Unasked, only a module that we do not have is a reason: a name may be
     * one of the session. */
    *container = !choice->script &&
                 (tier || str_starts(str_of(choice->reason), STR("imports ")));
    if (*container) *reason = choice->reason;
    if (tier) tier_tell(p->cli, choice);
    return 0;
}

/* A token is for what leaves a sandbox. */
static int check_credentials(struct cli *cli, bool sandbox, struct err *e) {
    if (sandbox || !args_nth(&cli->args, "credential", 0)) return 0;
    return fail(e, ERR_USAGE,
                "--credential is for CPython in a sandbox: --tier container");
}

static int run(struct program *p, struct err *e) {
    AUTO_BUF struct buf code = BUF_MAX(SOURCE_BYTES);
    struct auto_choice choice;
    const char *reason;
    bool container;
    if (read_source(p->cli, &code, e) || toolbox_open(&p->box, p->cli, e) ||
        choose_tier(p, buf_str(&code), &container, &choice, &reason, e) ||
        check_credentials(p->cli, container, e))
        return -1;
    if (container && reason && args_text(&p->cli->args, "job"))
        return fail(e, ERR_USAGE,
                    "this needs CPython (%s): say --tier container", reason);
    if (container && !args_text(&p->cli->args, "job"))
        return task_run(&p->box, buf_str(&code), reason, e);
    if (open_runs(p, container, e) || submit(p, buf_str(&code), container, e))
        return -1;
    int waits = go_on(p, e);
    return waits < 0 ? -1 : finish(p, waits, e);
}

static void close_program(struct program *p) {
    runs_free(p->runs);
    if (p->box.cli) toolbox_close(&p->box);
    nursery_free(p->nursery);
    buf_fini(&p->checkpoints);
    arena_fini(&p->arena);
}

/* Without tools it is here for a credential or for the audit log; cordon has
 * settled that our interpreter does not run it. */
static int run_alone(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf code = BUF_MAX(SOURCE_BYTES);
    struct sandbox_log log;
    const struct confine_watch watch = sandbox_log_watch(&log);
    const char *tier = args_text(&cli->args, "tier");
    bool sandbox = tier && strcmp(tier, "script") != 0;
    bool credentials = args_nth(&cli->args, "credential", 0);
    if ((credentials && check_credentials(cli, sandbox, e)) ||
        read_source(cli, &code, e))
        return -1;
    int status = container_run(cli, buf_str(&code),
                               credentials ? &tls_openssl : NULL, &watch, e);
    sandbox_log_close(cli, &log);
    return status;
}

int net_run(struct cli *cli, struct err *e) {
    if (!args_flag(&cli->args, "tools")) return run_alone(cli, e);
    struct program p = {.cli = cli,
                        .checkpoints = BUF_MAX(PATH_MAX),
                        .arena = ARENA_MAX(OUT_BYTES)};
    int status = nursery_start(&p.nursery, e);
    if (status == 0) status = run(&p, e);
    close_program(&p);
    return status;
}

/* A run of before goes on, in this process. */
static int resume(struct program *p, struct err *e) {
    snprintf(p->id, sizeof p->id, "%s", cli_operand(p->cli, 0));
    if (toolbox_open(&p->box, p->cli, e) || open_runs(p, false, e) ||
        runs_wait(p->runs, str_of(p->id), &p->waiter, e) ||
        wait_until_told(p, e))
        return -1;
    int waits = go_on(p, e);
    return waits < 0 ? -1 : finish(p, waits, e);
}

int net_runs_resume(struct cli *cli, struct err *e) {
    struct program p = {.cli = cli,
                        .checkpoints = BUF_MAX(PATH_MAX),
                        .arena = ARENA_MAX(OUT_BYTES)};
    int status = nursery_start(&p.nursery, e);
    if (status == 0) status = resume(&p, e);
    close_program(&p);
    return status;
}
