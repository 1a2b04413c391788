/* SPDX-License-Identifier: MIT */
#include "cli/task_run.h"

#include "base/file.h"
#include "cli/container.h"
#include "cli/person.h"
#include "cli/token.h"
#include "runs/task.h"
#include "sandbox/tls.h"

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
        tokens_add(&p->box->cli->args, a->secrets, &p->cage, e))
        return -1;
    p->cage.tls = &tls_openssl;
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
