/* SPDX-License-Identifier: MIT
 *
 * Python text in CPython in a sandbox, from the command line.
 */
#include "cli/container.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cage_flags.h"
#include "cli/sandbox_log.h"
#include "cli/token.h"
#include "sandbox/collect.h"
#include "sandbox/files.h"
#include "sandbox/jail.h"
#include "sandbox/python.h"
#include "sandbox/zygote.h"

#define CAGE_BYTES   ((size_t)1 << 20)
#define RESULT_BYTES ((size_t)512 << 20)

int container_describe(const struct args *a, str text, struct cage *c,
                       struct err *e) {
    const char *collect = args_text(a, "collect");
    if (cage_flags(c, a, e)) {
        if (e->kind == ERR_INVALID) e->kind = ERR_USAGE;
        return -1;
    }
    if (collect && file_exists(collect))
        return fail(e, ERR_USAGE, "--collect: %s is there already", collect);
    c->keep_scratch = true;
    return zygote_describe(c, text, e);
}

/* The repr of the last expression, as an interactive interpreter shows it. */
static int print_value(int scratch, struct err *e) {
    AUTO_BUF struct buf value = BUF_MAX(64 << 10);
    if (collect_file(scratch, ZYGOTE_VALUE, &value, e)) return 0;
    if (buf_add_char(&value, '\n', e)) return -1;
    return cli_out(buf_str(&value), e);
}

/* What it left is named, not dumped: a picture is no text. */
static void name_files(struct cli *cli, int scratch, bool kept) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 << 20);
    struct file_list files;
    struct err e;
    if (files_list(scratch, &a, &files, &e)) return;
    for (size_t i = 0; i < files.count; i++)
        log_info(&cli->log, "%s: %s, %llu bytes", files.entries[i].path,
                 files.entries[i].type,
                 (unsigned long long)files.entries[i].size);
    if (files.cut) log_info(&cli->log, "and more files");
    if (files.count && !kept)
        log_info(&cli->log, "--collect DIR keeps what a program leaves");
}

static int print_json(struct jail *j, const struct cage_result *r,
                      struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(RESULT_BYTES);
    struct jw w = JW(&text);
    if (python_result_write(jail_scratch(j), r, &w, e) || jw_done(&w, e) ||
        buf_add_char(&text, '\n', e))
        return -1;
    return cli_out(buf_str(&text), e);
}

int container_show(struct cli *cli, struct jail *j, const struct cage_result *r,
                   struct err *e) {
    const char *dir = args_text(&cli->args, "collect");
    if (dir && collect_dir(jail_scratch(j), dir, e)) return -1;
    if (cli->json) return print_json(j, r, e);
    if (r->accelerator && strcmp(r->accelerator, "tcg") == 0)
        log_warn(&cli->log, "without KVM the machine is emulated: slow");
    if (r->stop != STOP_NONE)
        log_warn(&cli->log, "stopped: %s", cage_stop_name(r->stop));
    name_files(cli, jail_scratch(j), dir != NULL);
    bool wanted = args_flag(&cli->args, "result");
    return wanted && cage_exit_status(r) == 0 ? print_value(jail_scratch(j), e)
                                              : 0;
}

static int add_credentials(const struct args *a, struct cage *c,
                           struct err *e) {
    struct secrets *secrets = secrets_new(e);
    int status = secrets ? tokens_add(a, secrets, c, e) : -1;
    secrets_free(secrets);
    return status;
}

int container_run(struct cli *cli, str text, const struct tls_way *tls,
                  const struct confine_watch *watch, struct err *e) {
    AUTO_ARENA struct arena arena = ARENA_MAX(CAGE_BYTES);
    struct cage cage;
    struct cage_result r;
    struct jail *jail = NULL;
    cage_init(&cage, &arena);
    if (container_describe(&cli->args, text, &cage, e) ||
        (tls && add_credentials(&cli->args, &cage, e)))
        return -1;
    cage.tls = tls;
    int rc = sandbox_log_run(cli, &cage, "run", watch, &jail, &r, e);
    if (!rc) {
        rc = container_show(cli, jail, &r, e);
        if (!rc) rc = cage_exit_status(&r);
        cage_result_fini(&r);
    }
    jail_free(jail);
    return rc;
}
