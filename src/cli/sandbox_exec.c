/* SPDX-License-Identifier: MIT
 *
 * cordon sandbox exec, for both programs.
 */
#include "cli/sandbox_exec.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/handoff.h"
#include "cli/tier.h"
#include "sandbox/collect.h"
#include "sandbox/confine.h"
#include "sandbox/jail.h"

#define CAGE_BYTES   ((size_t)4 << 20)
#define RESULT_BYTES ((size_t)512 << 20)

/* auto is settled when the program is known. */
static int set_tier(struct cage *c, str name, struct err *e) {
    return str_is(name, "auto") ? 0 : cage_set_tier(c, name, e);
}

static int bind_ro(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_RO, s, e);
}

static int bind_rw(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_RW, s, e);
}

static int bind_overlay(struct cage *c, str s, struct err *e) {
    return cage_add_bind(c, BIND_OVERLAY, s, e);
}

/* Each option is the text of one setter. */
static const struct {
    const char *option;
    int (*set)(struct cage *c, str text, struct err *e);
    bool list;
} setters[] = {
    {"tier", set_tier, false},
    {"root", cage_set_root, false},
    {"cwd", cage_set_cwd, false},
    {"net", cage_set_net, false},
    {"limits", cage_set_limits, true},
    {"ro-bind", bind_ro, true},
    {"bind", bind_rw, true},
    {"overlay", bind_overlay, true},
    {"env", cage_add_env, true},
    {"egress", cage_add_egress, true},
    {"allow-missing", cage_allow_missing, true},
};

static int set_one(struct cage *c, const struct args *a, size_t s,
                   struct err *e) {
    const char *name = setters[s].option, *text;
    if (!setters[s].list) {
        text = args_text(a, name);
        return text && setters[s].set(c, str_of(text), e) ? -1 : 0;
    }
    for (size_t i = 0; (text = args_nth(a, name, i)); i++)
        if (setters[s].set(c, str_of(text), e)) return -1;
    return 0;
}

/* The same object as "sandbox" in the configuration. */
static int read_cage(const char *path, struct cage *c, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(CAGE_BYTES);
    const struct json *v;
    if (file_read(path, &text, e) ||
        json_parse(buf_str(&text), NULL, c->arena, &v, e))
        return fail_while(e, "%s", path);
    return cage_from_json(c, v, e);
}

static void choose_tier(const struct cli *cli, struct cage *c) {
    const char *tier = args_text(&cli->args, "tier");
    struct auto_choice choice;
    if (!tier || strcmp(tier, "auto") != 0 || !c->argv[0]) return;
    auto_program(c->argv, false, &choice);
    c->tier = choice.tier;
    tier_tell(cli, &choice);
}

static int describe(struct cli *cli, struct cage *c, struct err *e) {
    const struct args *a = &cli->args;
    const char *file = args_text(a, "cage");
    if (file && read_cage(file, c, e)) return -1;
    for (size_t s = 0; s < sizeof setters / sizeof setters[0]; s++)
        if (set_one(c, a, s, e))
            return fail_while(e, "--%s", setters[s].option);
    c->unix_sockets = args_flag(a, "unix-sockets");
    c->keep_scratch = args_text(a, "collect") != NULL;
    c->argv = a->operands;
    choose_tier(cli, c);
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

static int finish(struct cli *cli, struct jail *j, struct err *e) {
    const char *dir = args_text(&cli->args, "collect");
    if (dir && collect_dir(jail_scratch(j), dir, e)) return -1;
    struct cage_result r;
    jail_result_take(j, &r);
    int status = cage_exit_status(&r);
    int rc = cli->json ? print_json(&r, e) : 0;
    if (!cli->json) tell(cli, &r);
    cage_result_fini(&r);
    return rc ? -1 : status;
}

static int supervise(struct cli *cli, const struct tls_way *tls,
                     struct err *e) {
    if (!tls && confine_has_credentials()) return handoff_to_net(cli, e);
    return confine_supervise(cli->args.operands, tls, e);
}

int sandbox_exec(struct cli *cli, const struct tls_way *tls, struct err *e) {
    if (args_flag(&cli->args, "server")) return supervise(cli, tls, e);
    AUTO_ARENA struct arena arena = ARENA_MAX(CAGE_BYTES);
    struct cage cage;
    cage_init(&cage, &arena);
    if (describe(cli, &cage, e)) {
        /* 1 may be what the program exits with; a wrong flag is 2. */
        if (e->kind == ERR_INVALID) e->kind = ERR_USAGE;
        return -1;
    }
    if (!tls && cage.credential_count) return handoff_to_net(cli, e);
    cage.tls = tls;
    struct jail_io io = jail_io_ours(cli->json);
    struct jail *jail = NULL;
    if (jail_start(&cage, &io, &jail, e)) return -1;
    int rc = jail_wait(jail, e);
    if (!rc) rc = finish(cli, jail, e);
    jail_free(jail);
    return rc;
}
