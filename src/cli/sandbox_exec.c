/* SPDX-License-Identifier: MIT
 *
 * cordon sandbox exec, for both programs.
 */
#include "cli/sandbox_exec.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cage_flags.h"
#include "cli/cli.h"
#include "cli/handoff.h"
#include "cli/sandbox_log.h"
#include "cli/tier.h"
#include "sandbox/collect.h"
#include "sandbox/jail.h"
#include "sandbox/slice.h"

#define CAGE_BYTES   ((size_t)4 << 20)
#define RESULT_BYTES ((size_t)512 << 20)

/* What auto means for this program; false where it was not asked for. */
static bool choose_tier(const struct cli *cli, const struct cage *c,
                        struct auto_choice *choice) {
    const char *tier = args_text(&cli->args, "tier");
    if (!tier || strcmp(tier, "auto") != 0 || !c->argv[0]) return false;
    auto_program(c->argv, false, choice);
    return true;
}

static int describe(struct cli *cli, struct cage *c, struct err *e) {
    const struct args *a = &cli->args;
    const char *collect = args_text(a, "collect");
    struct auto_choice choice;
    if (cage_flags(c, a, e)) return -1;
    if (collect && file_exists(collect))
        return fail(e, ERR_INVALID, "--collect: %s is there already", collect);
    c->keep_scratch = collect != NULL;
    c->argv = a->operands;
    if (choose_tier(cli, c, &choice)) c->tier = choice.tier;
    return cage_check(c, e);
}

static int print_json(const struct cage_result *r, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(RESULT_BYTES);
    struct jw w = JW(&text);
    cage_result_write(r, &w);
    if (jw_done(&w, e) || buf_add_char(&text, '\n', e)) return -1;
    return cli_out(buf_str(&text), e);
}

/* What a person should know and would not see from the exit status. */
static void tell(struct cli *cli, const struct cage_result *r) {
    if (r->accelerator && strcmp(r->accelerator, "tcg") == 0)
        log_warn(&cli->log, "without KVM the machine is emulated: slow");
    if (r->stop != STOP_NONE)
        log_warn(&cli->log, "stopped: %s", cage_stop_name(r->stop));
    for (size_t i = 0; i < r->violation_count; i++)
        log_info(&cli->log, "refused: %s, %u times", r->violations[i].name,
                 r->violations[i].count);
    for (size_t i = 0; i < r->change_count; i++)
        log_info(&cli->log, "change: %c %s", r->changes[i].kind,
                 r->changes[i].path);
}

static int supervise(struct cli *cli, const struct tls_way *tls,
                     const struct confine_watch *watch, struct err *e) {
    if (!tls && confine_is_heavy()) return handoff_to_net(cli, e);
    return confine_supervise(cli->args.operands, tls, watch, e);
}

static int finish(struct cli *cli, struct jail *j, const struct cage_result *r,
                  struct err *e) {
    const char *dir = args_text(&cli->args, "collect");
    if (dir && collect_dir(jail_scratch(j), dir, e)) return -1;
    if (cli->json && print_json(r, e)) return -1;
    if (!cli->json) tell(cli, r);
    return cage_exit_status(r);
}

static int run(struct cli *cli, const struct cage *c,
               const struct confine_watch *watch, struct err *e) {
    struct jail *jail = NULL;
    struct cage_result r;
    int rc = sandbox_log_run(cli, c, "sandbox exec", watch, &jail, &r, e);
    if (!rc) {
        rc = finish(cli, jail, &r, e);
        cage_result_fini(&r);
    }
    jail_free(jail);
    return rc;
}

static int exec_one(struct cli *cli, const struct tls_way *tls,
                    const struct confine_watch *watch, struct err *e) {
    AUTO_ARENA struct arena arena = ARENA_MAX(CAGE_BYTES);
    AUTO_BUF struct buf log = BUF_MAX(PATH_MAX);
    struct auto_choice choice;
    struct cage cage;
    cage_init(&cage, &arena);
    if (describe(cli, &cage, e)) {
        /* 1 may be what the program exits with; a wrong flag is 2. */
        if (e->kind == ERR_INVALID) e->kind = ERR_USAGE;
        return -1;
    }
    if (!watch && sandbox_log_find(cli, &log, e)) return -1;
    if (!tls && (cage.credential_count || log.len))
        return handoff_to_net(cli, e);
    cage.tls = tls;
    slice_short();
    if (choose_tier(cli, &cage, &choice)) tier_tell(cli, &choice);
    return run(cli, &cage, watch, e);
}

int sandbox_exec(struct cli *cli, const struct tls_way *tls,
                 const struct confine_watch *watch, struct err *e) {
    return args_flag(&cli->args, "server") ? supervise(cli, tls, watch, e)
                                           : exec_one(cli, tls, watch, e);
}
