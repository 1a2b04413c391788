/* SPDX-License-Identifier: MIT */
#include "cli/task_run.h"

#include "base/codec.h"
#include "base/file.h"
#include "base/hash.h"
#include "cli/container.h"
#include "cli/person.h"
#include "runs/task.h"

#define CAGE_BYTES ((size_t)16 << 20)

struct program {
    struct toolbox *box;
    struct arena arena;
    struct cage cage;
    struct task *task;
    bool over;
    int status;
    struct err err;
};

int task_run_names(struct registry *r, struct arena *a, const char *const **out,
                   struct err *e) {
    size_t count = registry_count(r), n = 0;
    const char **names = arena_zalloc(a, count + 1, sizeof *names, e);
    if (!names) return -1;
    for (size_t i = 0; i < count; i++) {
        const struct entry *t = registry_at(r, i);
        const char *name =
            t->space.n ? arena_printf(a, e, "%.*s.%.*s", STR_ARG(t->space),
                                      STR_ARG(t->method))
                       : arena_text(a, t->method, e);
        if (!name) return -1;
        names[n++] = name;
    }
    *out = names;
    return 0;
}

/* -- tokens of ours -----------------------------------------------------------
 */

/* NAME=${env:REAL}@host:port. The program gets NAME with a token; the proxy
 * puts the value in its place, in headers for that host alone. */
static int add_token(struct program *p, const char *word, struct err *e) {
    AUTO_BUF struct buf value = BUF_MAX(64 << 10), token = BUF_MAX(128);
    uint8_t random[24];
    str name = str_of(word), rest = name, host = {0};
    for (size_t i = rest.n; i > 0 && !host.p; i--)
        if (rest.p[i - 1] == '@') host = str_sub(rest, i, rest.n);
    if (!host.n || str_find_char(rest, '=') <= 0)
        return fail(e, ERR_USAGE,
                    "--credential %s: NAME=REFERENCE@HOST:PORT is wanted",
                    word);
    rest = str_sub(rest, 0, rest.n - host.n - 1);
    name = str_cut(&rest, '=');
    if (!secret_refers(rest))
        return fail(e, ERR_USAGE,
                    "--credential %.*s: a reference is wanted, such as "
                    "${env:NAME}: a value would stand in the list of processes",
                    STR_ARG(name));
    if (secrets_expand(p->box->authority.secrets, rest, &value, e) ||
        hash_random(random, sizeof random, e) ||
        buf_add_text(&token, "cordon_", e) ||
        hex_encode((str){(const char *)random, sizeof random}, &token, e))
        return -1;
    str bare = host;
    bare = str_cut(&bare, ':');
    char *variable =
        arena_printf(&p->arena, e, "%.*s=%s", STR_ARG(name), buf_text(&token));
    p->cage.net = NET_EGRESS;
    if (!variable || cage_add_egress(&p->cage, host, e) ||
        cage_add_env(&p->cage, str_of(variable), e))
        return -1;
    return cage_add_token(&p->cage, bare, buf_str(&token), buf_str(&value), e);
}

static int add_tokens(struct program *p, struct err *e) {
    const struct args *a = &p->box->cli->args;
    const char *word;
    for (size_t i = 0; (word = args_nth(a, "credential", i)); i++)
        if (add_token(p, word, e)) return -1;
    return 0;
}

/* -- the task -----------------------------------------------------------------
 */

static void on_asked(void *data, str approval) {
    struct program *p = data;
    struct err e;
    if (!person_here())
        log_warn(&p->box->cli->log,
                 "the run waits for a person: cordon approvals approve %.*s",
                 STR_ARG(approval));
    else if (person_ask(&p->box->authority, approval, &e))
        log_error(&p->box->cli->log, "%s", e.text);
}

static int print(struct program *p, const struct cage_result *r,
                 struct jail *jail, struct err *e) {
    struct cli *cli = p->box->cli;
    if (!cli->json && (cli_out(buf_str(&r->out.kept), e) ||
                       fd_write_all(2, buf_str(&r->err.kept), e)))
        return -1;
    return container_show(cli, jail, r, e);
}

static void on_done(void *data, const struct cage_result *r, struct jail *jail,
                    const struct err *why) {
    struct program *p = data;
    p->over = true;
    p->status = r ? cage_exit_status(r) : -1;
    if (why) p->err = *why;
    if (r && print(p, r, jail, &p->err)) p->status = -1;
}

static int wait_for(struct program *p, struct err *e) {
    while (!p->over && !p->box->signalled)
        if (loop_step(p->box->loop, -1, e)) return -1;
    if (!p->over) return fail(e, ERR_TIMEOUT, "interrupted");
    if (p->status < 0) *e = p->err;
    return p->status;
}

static int start(struct program *p, str code, const char *reason,
                 struct err *e) {
    struct authority *a = &p->box->authority;
    if (!a->store)
        return fail(e, ERR_USAGE,
                    "\"record\" is false in the configuration: a run with "
                    "tools needs its records");
    cage_init(&p->cage, &p->arena);
    if (container_describe(&p->box->cli->args, code, &p->cage, e) ||
        add_tokens(p, e))
        return -1;
    const struct task_config config = {.loop = p->box->loop,
                                       .boundary = a->boundary,
                                       .store = a->store,
                                       .audit = a->audit,
                                       .cage = &p->cage,
                                       .program = code,
                                       .tier_reason = reason,
                                       .principal = STR("local"),
                                       .client = STR("cli"),
                                       .can_ask = true,
                                       .asked = on_asked,
                                       .done = on_done,
                                       .data = p};
    p->task = task_start(&config, e);
    return p->task ? wait_for(p, e) : -1;
}

int task_run(struct toolbox *box, str code, const char *reason, struct err *e) {
    struct program p = {.box = box, .arena = ARENA_MAX(CAGE_BYTES)};
    int status = start(&p, code, reason, e);
    task_free(p.task);
    arena_fini(&p.arena);
    return status;
}
